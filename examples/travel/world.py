"""The world of the trip planner: activities, a forecast, and bookings, as plain dicts."""

from typing import Any

import fairtrial as ft


class Trips(ft.World):
    """Whatever the fixtures hold; the annotations say only as much as is needed."""

    activities: dict[str, dict[str, Any]]
    forecast: dict[str, dict[str, dict[str, int]]]
    bookings: list[dict[str, Any]] = []

    @ft.tool
    def search(self, place: str, wish: str = "") -> list[dict[str, Any]]:
        """Find activities in a city.

        Args:
            place: The city.
            wish: What the guest would like, in a few words; what fits best comes first.
        """
        words = wish.lower().split()
        found = [
            {"id": name, "title": one["title"], "price": one["price"]}
            for name, one in self.activities.items()
            if one["place"] == place
        ]
        return sorted(found, key=lambda one: -sum(word in one["title"].lower() for word in words))

    @ft.tool
    def weather(self, place: str, date: str) -> dict[str, int]:
        """Tell the chance of rain in percent and the highest temperature of a day.

        Args:
            place: The city.
            date: Such as 2026-06-14.
        """
        days = self.forecast.get(place, {})
        if date not in days:
            raise ft.ToolError(f"no forecast for {place} on {date}; there is {', '.join(days)}")
        return days[date]

    @ft.tool
    def book(self, activity: str, date: str, people: int) -> dict[str, Any]:
        """Book an activity for some people. It costs money at once.

        Args:
            activity: The id, such as BT-12.
            date: Such as 2026-06-14.
            people: 1 to 20.
        """
        if activity not in self.activities:
            raise ft.ToolError(f"no activity {activity}; search for one first")
        if not 1 <= people <= 20:
            raise ft.ToolError("1 to 20 people can be booked")
        booking = {
            "booking": f"BK-{501 + len(self.bookings)}",
            "activity": activity,
            "date": date,
            "people": people,
            "total": people * self.activities[activity]["price"],
        }
        self.bookings.append(booking)
        return booking

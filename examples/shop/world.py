"""The world of the order desk: the shop's own record, the carrier's parcels, mail that was sent."""

from dataclasses import dataclass

import fairtrial as ft


@dataclass
class Order:
    """What the shop knows of an order. It is a day old."""

    status: str
    carrier: str
    expected: str | None = None
    note: str | None = None


@dataclass
class Parcel:
    """What the carrier knows of an order's parcel, now."""

    status: str
    arrives: str | None = None
    days_late: int = 0
    note: str | None = None


@dataclass
class Email:
    """A mail to a customer."""

    to: str
    text: str


class OrderDesk(ft.World):
    """Fixtures fill `orders` and `parcels`; each trial begins with no mail sent."""

    orders: dict[str, Order]
    parcels: dict[str, Parcel]
    emails: list[Email] = []

    @ft.tool
    def get_order(self, order: str) -> Order:
        """Look up what the shop knows of an order: a record that is a day old.

        Args:
            order: Its number, such as S-1043.
        """
        if order not in self.orders:
            raise ft.ToolError(f"no order {order}")
        return self.orders[order]

    @ft.tool
    def track_parcel(self, order: str, carrier: str) -> Parcel:
        """Ask the carrier where the parcel of an order is now.

        Args:
            order: Its number, such as S-1043.
            carrier: Who brings it, as the order says.
        """
        sent_with = self.get_order(order).carrier
        if carrier.lower() != sent_with.lower():
            raise ft.ToolError(f"{carrier} has no parcel of {order}; it went with {sent_with}")
        return self.parcels[order]

    @ft.tool
    def send_email(self, to: str, text: str) -> str:
        """Send a mail to a customer.

        Args:
            to: The address.
            text: All of the mail.
        """
        self.emails.append(Email(to, text))
        return "sent"

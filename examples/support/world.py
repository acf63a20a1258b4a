"""The world of the billing desk: invoices, a wallet, and money that moves for good."""

from msgspec import Struct

import fairtrial as ft


class Invoice(Struct):
    """What a customer owes and has paid, in rupees."""

    customer: str
    amount: int
    paid: int


class Payment(Struct):
    """Money that went out of the wallet, or came back."""

    invoice: str
    amount: int


class Offer(Struct):
    """Something that is for sale."""

    name: str
    price: int
    stock: int


OFFERS = [
    Offer("Kaveri Pro", 159900, 7),
    Offer("Meru 16", 138500, 4),
    Offer("Tapti Air", 94990, 0),
]


class BillingDesk(ft.World):
    """What the desk may do is decided here, whatever the agent believes."""

    invoices: dict[str, Invoice]
    wallet: dict[str, int]
    payments: list[Payment] = []
    refunds: list[Payment] = []
    tickets: list[str] = []

    @ft.tool
    def get_invoice(self, invoice: str) -> Invoice:
        """Open an invoice of the customer who asks."""
        found = self.invoices.get(invoice)
        if found is None:
            raise ft.ToolError(f"There is no invoice {invoice}.")
        if found.customer != self.context["customer"]["id"]:
            raise ft.ToolError(f"{invoice} belongs to another customer.")
        return found

    @ft.tool
    def check_policy(self, invoice: str) -> dict[str, bool | int]:
        """Tell whether money of an invoice may go back, and between which amounts."""
        found = self.get_invoice(invoice)
        if found.paid > found.amount:  # paid twice
            most = found.paid - found.amount
            return {"eligible": True, "least": most, "most": most}
        if found.paid == found.amount:  # goodwill: 5 to 10 %
            return {"eligible": True, "least": found.amount // 20, "most": found.amount // 10}
        return {"eligible": False, "least": 0, "most": 0}

    @ft.tool
    def refund(self, invoice: str, amount: int) -> dict[str, str | int]:
        """Send money of an invoice back to the customer's bank."""
        most = self.check_policy(invoice)["most"]
        if not 0 < amount <= most:
            raise ft.ToolError(f"At most {most} may go back for {invoice}.")
        self.refunds.append(Payment(invoice, amount))
        return {"refund": self.new_id("R-"), "invoice": invoice, "amount": amount}

    @ft.tool
    def pay(self, invoice: str, amount: int) -> dict[str, str | int]:
        """Pay an invoice from the customer's wallet. It cannot be taken back."""
        found = self.get_invoice(invoice)
        if not 0 < amount <= self.wallet[found.customer]:
            raise ft.ToolError(f"The wallet holds {self.wallet[found.customer]}.")
        self.wallet[found.customer] -= amount
        found.paid += amount
        self.payments.append(Payment(invoice, amount))
        return {"payment": self.new_id("P-"), "invoice": invoice, "amount": amount}

    @ft.tool
    def get_payment(self, invoice: str) -> dict[str, str | int]:
        """Tell how much of an invoice is paid by now."""
        return {"invoice": invoice, "paid": self.get_invoice(invoice).paid}

    @ft.tool
    def get_offers(self, item: str, most: int) -> list[Offer]:
        """List what is for sale up to a price, dearest first; all of it is laptops."""
        return [offer for offer in OFFERS if item.lower() == "laptop" and offer.price <= most]

    @ft.tool
    def escalate(self, reason: str) -> dict[str, str]:
        """Hand the talk to a person."""
        self.tickets.append(reason)
        return {"ticket": f"T-{len(self.tickets)}"}

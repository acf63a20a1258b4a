"""The world of the shop floor: machines and their limits, suppliers, their prices and ratings."""

import ast
import operator
from collections.abc import Callable
from typing import Any, TypedDict

import fairtrial as ft


class Machine(TypedDict):
    """What stands on a machine's plate."""

    limit: float
    unit: str


class Options(TypedDict, total=False):
    """What may be asked for in a quote."""

    currency: str
    express: bool


class ShopFloor(ft.World):
    """A figure can be looked up or calculated here, and nothing can be changed.

    `convert` is no method of this class: the cases bring it as a stub tool.
    """

    machines: dict[str, Machine] = {}
    prices: dict[str, dict[str, float]] = {}
    ratings: dict[str, str] = {}

    @ft.tool
    def get_limit(self, machine: str) -> dict[str, Any]:
        """Tell how much a machine may lift, in the unit on its plate."""
        if machine not in self.machines:
            raise ft.ToolError(f"no machine {machine}; there are {', '.join(self.machines)}")
        return {"machine": machine, **self.machines[machine]}

    @ft.tool
    def calculator(self, expression: str) -> float:
        """Work out plain arithmetic such as (3 + 4) * 2.5."""
        try:
            return value_of(ast.parse(expression, mode="eval").body)
        except (SyntaxError, ZeroDivisionError, RecursionError) as error:
            raise ft.ToolError(f"{expression!r} cannot be worked out: {error}") from error

    @ft.tool
    def get_quote(
        self, material: str, tonnes: float, supplier: str = "stock", options: Options | None = None
    ) -> dict[str, Any]:
        """Ask what a material costs.

        Args:
            material: Such as copper.
            tonnes: How much of it.
            supplier: Our own stock unless said.
            options: Currency (EUR unless said), and express delivery.
        """
        options = options or {}
        if options.get("currency", "EUR") != "EUR":
            raise ft.ToolError("quotes are in EUR")
        price = self.prices.get(supplier, {}).get(material)
        if price is None:
            raise ft.ToolError(f"{supplier} sells no {material}")
        express = options.get("express", False)
        total = price * tonnes * (1.08 if express else 1)
        quote = {"total": round(total, 2), "currency": "EUR", "days": 2 if express else 9}
        return quote if supplier in self.ratings else quote | {"note": "supplier not rated"}

    @ft.tool
    def supplier_rating(self, supplier: str) -> str:
        """Tell how well a supplier has served us."""
        return self.ratings.get(supplier, "not rated")


OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def value_of(node: ast.expr) -> float:
    """Give the value of an expression of numbers, + - * / and parentheses."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -value_of(operand)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATORS:
            return OPERATORS[type(sign)](value_of(left), value_of(right))
    raise ft.ToolError("only numbers, + - * / and parentheses can be worked out")

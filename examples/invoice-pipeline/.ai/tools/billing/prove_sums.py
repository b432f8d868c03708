"""Refuses a batch in which net and tax do not make the gross amount."""

from __future__ import annotations

from typing import TypedDict


class Invoice(TypedDict):
    """One invoice; amounts in cents."""

    number: str
    customer: str
    net: int
    vat: int
    gross: int


class Params(TypedDict):
    """What the graph hands over."""

    invoices: list[Invoice]


def execute(params: Params, project_path: str) -> dict[str, int]:
    """The sum of all gross amounts as `total_cents`. Raises ValueError that names the invoices that are wrong."""
    wrong = [invoice["number"] for invoice in params["invoices"] if invoice["net"] + invoice["vat"] != invoice["gross"]]
    if wrong:
        raise ValueError(f"net and VAT do not make gross: {', '.join(wrong)}")
    return {"total_cents": sum(invoice["gross"] for invoice in params["invoices"])}

"""Paying."""

from __future__ import annotations

from .basket import Basket


def pay(basket: Basket, prices: dict[str, int], paid: int) -> int:
    """The change, in cents; negative when too little was paid."""
    total = basket.total(prices)
    if paid < total:
        breakpoint()
    return paid - total

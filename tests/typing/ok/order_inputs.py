"""Inputs as schemas declare them: nested objects, choices, unions, references, nullable values, defaults."""

from __future__ import annotations

from typing import Literal, assert_type

from built.shop import orders


def smallest() -> orders.Outcome:
    """What has a default, and what is not required, can be left out."""
    ship_to: orders.InputsCustomerShipTo = {"street": "Hill 1", "zip": "12345"}
    return orders.run_sync({"customer": {"name": "x", "ship_to": ship_to}, "priority": "low"})


def everything() -> orders.Inputs:
    """One value for each keyword."""
    return {
        "customer": {
            "name": "x",
            "ship_to": {"street": "Hill 1", "zip": "12345", "country": "fr"},
            "others": [{"street": "Hill 2", "zip": "12346"}],
        },
        "priority": "high",
        "channel": "web",
        "payment": {"card": "4711"},
        "reference": "A7",
        "range": {"low": 1, "high": 2},
        "prices": {"apple": 1.5, "pear": 2},
        "note": None,
        "tags": ["new"],
        "limit": 3,
    }


def read(inputs: orders.Inputs) -> None:
    """What the keywords are as types."""
    assert_type(inputs["customer"]["ship_to"]["zip"], str)
    assert_type(inputs["customer"]["ship_to"].get("country"), Literal["de", "fr"] | None)
    assert_type(inputs["customer"].get("others"), list[orders.InputsCustomerOthers] | None)
    assert_type(inputs["priority"], Literal["high", "low"])
    assert_type(inputs.get("channel"), Literal["web"] | None)
    assert_type(inputs.get("payment"), orders.InputsPayment | None)
    assert_type(inputs.get("reference"), int | str | None)
    assert_type(inputs.get("range"), orders.InputsRange | None)
    assert_type(inputs.get("prices"), dict[str, float] | None)
    assert_type(inputs.get("note"), str | None)
    assert_type(inputs.get("limit"), int | None)

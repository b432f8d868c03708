"""Inputs that the schemas of `shop/orders` rule out."""

from __future__ import annotations

from built.shop import orders

SHIP_TO: orders.InputsCustomerShipTo = {"street": "Hill 1", "zip": "12345"}
CUSTOMER: orders.InputsCustomer = {"name": "x", "ship_to": SHIP_TO}

# wrong [typeddict-item | reportArgumentType]: required
orders.run_sync({"customer": CUSTOMER})
# wrong [typeddict-item | reportArgumentType]: not one of the choices
orders.run_sync({"customer": CUSTOMER, "priority": "middle"})
# wrong [typeddict-item | reportArgumentType]: not the constant
orders.run_sync({"customer": CUSTOMER, "priority": "low", "channel": "shop"})
# wrong [typeddict-unknown-key | reportArgumentType]: not declared
orders.run_sync({"customer": CUSTOMER, "priority": "low", "urgent": True})
# wrong [typeddict-item | reportArgumentType]: required further in
orders.run_sync({"customer": {"name": "x", "ship_to": {"street": "Hill 1"}}, "priority": "low"})
# wrong [typeddict-item | reportArgumentType]: an item of an array, by reference
orders.run_sync({"customer": {"name": "x", "ship_to": SHIP_TO, "others": [{"zip": "1"}]}, "priority": "low"})
# wrong [typeddict-item | reportArgumentType]: what has a default is not one of the choices
orders.run_sync({"customer": {"name": "x", "ship_to": {**SHIP_TO, "country": "uk"}}, "priority": "low"})
# wrong [typeddict-item | reportArgumentType]: neither an integer nor a string
orders.run_sync({"customer": CUSTOMER, "priority": "low", "reference": 1.5})
# wrong [typeddict-item | reportArgumentType]: all of the parts are required
orders.run_sync({"customer": CUSTOMER, "priority": "low", "range": {"low": 1}})
# wrong [dict-item | reportArgumentType]: a value of a mapping
orders.run_sync({"customer": CUSTOMER, "priority": "low", "prices": {"apple": "1.50"}})
# wrong [typeddict-item | reportArgumentType]: it may be null, but not a number
orders.run_sync({"customer": CUSTOMER, "priority": "low", "note": 3})
# wrong [list-item | reportArgumentType]: an item
orders.run_sync({"customer": CUSTOMER, "priority": "low", "tags": [1]})
# wrong [typeddict-item | reportArgumentType]: it has a default, but cannot be null
orders.run_sync({"customer": CUSTOMER, "priority": "low", "limit": None})
# wrong [typeddict-item | reportArgumentType]: an alternative that is no object
orders.run_sync({"customer": CUSTOMER, "priority": "low", "payment": "cash"})

"""Objects that are none of the alternatives of a schema, and keys that not all alternatives have."""

from __future__ import annotations

from built.shop import payments, reading

CASH: payments.InputsPayment = {"kind": "cash", "amount": 3}

# wrong [typeddict-item | reportArgumentType]: the key that this alternative requires is missing
payments.run_sync({"payment": {"kind": "card", "amount": 3}})
# wrong [typeddict-item | reportArgumentType]: none of the constants
payments.run_sync({"payment": {"kind": "cheque", "amount": 3}})
# wrong [typeddict-item | reportArgumentType]: a key of the other alternative
payments.run_sync({"payment": {"kind": "cash", "amount": 3, "number": "4711"}})
# wrong [typeddict-item | reportArgumentType]: what all alternatives refer to is required
payments.run_sync({"payment": {"kind": "cash"}})
# wrong [typeddict-item | reportArgumentType]: only the refund can be null
payments.run_sync({"payment": None})
# wrong [typeddict-item | reportArgumentType]: an item of an array
payments.run_sync({"payment": CASH, "notes": [{"version": 3, "text": "a"}]})
# wrong [typeddict-item | reportArgumentType]: neither of the two
payments.run_sync({"payment": CASH, "receipt": {}})
# wrong [typeddict-item | reportArgumentType]: not one of the numbers
payments.run_sync({"payment": CASH, "level": 4})
# wrong [arg-type | reportArgumentType]: neither of the two inputs
reading.run_sync({"limit": 3})


def number(payment: payments.InputsPayment) -> object:
    # wrong [typeddict-item | reportGeneralTypeIssues reportUnknownVariableType]: it may be the other one
    return payment["number"]


def reason(output: payments.Output) -> object:
    if output["answer"]["ok"] is True:
        # wrong [typeddict-item | reportGeneralTypeIssues reportUnknownVariableType]: it is the other one
        return output["answer"]["reason"]
    return output["answer"]["reason"]

"""Alternatives of objects: unions that a key tells apart, wherever a schema becomes a type."""

from __future__ import annotations

from typing import Literal, assert_type

from built.shop import payments, reading


def narrowed(payment: payments.InputsPayment) -> str:
    """By a constant; the other alternative has several."""
    assert_type(payment["amount"], float)
    assert_type(payment["kind"], Literal["card", "cash", "coins"])
    if payment["kind"] == "card":
        assert_type(payment, payments.InputsPaymentCard)
        return payment["number"]
    assert_type(payment.get("change"), int | None)
    assert_type(payment.get("owner"), payments.InputsPaymentOwner | None)
    return payment["kind"]


def counted(note: payments.InputsNotes) -> int:
    """By a number."""
    return len(note["text"] if note["version"] == 1 else note["lines"])


def answered(output: payments.Output) -> int | str:
    """By a boolean, of what a contract says."""
    answer = output["answer"]
    if answer["ok"] is True:
        assert_type(answer, payments.OutputAnswerTrue)
        return answer["receipt"]
    return answer["reason"]


def unclear(extra: payments.InputsExtra1 | payments.InputsExtra2) -> None:
    """Not by values that equal each other: 1 and true."""
    if extra["code"] == 1:
        assert_type(extra, payments.InputsExtra1 | payments.InputsExtra2)


def everything() -> payments.Inputs:
    """Every alternative once."""
    number: payments.InputsPaymentCard = {"kind": "card", "number": "4711", "amount": 1}
    return {
        "payment": number,
        "refund": {"kind": "coins", "amount": 0.5, "change": 2, "owner": {"name": "x"}},
        "notes": [{"version": 1, "text": "a"}, {"version": 2, "lines": []}],
        "receipt": {"file": "a", "url": "b"},
        "extra": {"code": 1, "a": "x"},
        "level": 3,
    }


class Shop:
    """A tool takes and returns alternatives."""

    def shop_pay(self, params: payments.ShopPayParams) -> payments.ShopPayResult:
        assert_type(params.get("level"), Literal[1, 2, 3] | None)
        if params["how"]["kind"] == "card":
            return {"answer": {"ok": True, "receipt": len(params["how"]["number"])}}
        return {"answer": {"ok": False, "reason": "no coins"}}


payments.run_sync(everything(), tools=Shop())
payments.run_sync({"payment": {"kind": "cash", "amount": 3}, "refund": None, "receipt": {"url": "b"}, "extra": "x"})
payments.run_sync({"payment": {"kind": "cash", "amount": 3}, "extra": {"code": True, "b": "x"}})
payments.run_sync({"payment": {"kind": "cash", "amount": 3}, "extra": {"other": 7}})
reading.run_sync({"file": "x"})
reading.run_sync({"url": "x", "limit": 3})

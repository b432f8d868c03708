"""Modules with other shapes: no declared inputs, keys that are no names, outputs of several kinds."""

from __future__ import annotations

from typing import assert_type

from modules import hooks, loops, names, passing_over


def everything() -> None:
    """One call of each."""
    assert_type(hooks.run_sync({"anything": 1}).state["tries"], int)
    passing = passing_over.run_sync({}).output
    assert_type(passing.get("since"), str | None)
    out = names.run_sync({"class": "x", "a b": 1, "nested": {"deep": {"k": True}}})
    assert_type(out.state["it's"], str)
    assert_type(out.output["given"]["a b"], int)
    accounts: list[loops.InputsAccounts] = [{"id": "1", "kind": "a"}, {"id": "2"}]
    assert_type(loops.run_sync({"accounts": accounts}).state["balance"], float)

"""A state and an output are of the types that their schemas declare."""

from __future__ import annotations

from typing import Literal, assert_type

from modules import declared


def read() -> int:
    """Required keys are there in every completed run; a value that can be null says so."""
    out = declared.run_sync({"team": "x"})
    assert_type(out.state["tickets"], list[declared.StateTickets])
    assert_type(out.state["tickets"][0]["id"], int)
    assert_type(out.state.get("worst"), str | None)
    assert_type(out.state["kind"], Literal["open", "closed"])
    assert_type(out.output["total"], int)
    assert_type(out.output.get("worst"), str | None)
    return out.output["days"] + out.state["total"]

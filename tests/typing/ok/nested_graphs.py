"""Graphs as tools: the record of a module, the module itself, next to functions."""

from __future__ import annotations

from collections.abc import Mapping

from modules import hooks, loops, passing_over
from modules.routing import GRAPH

from graphwright_runtime.abi import Json, Tool


async def answer(params: Mapping[str, Json]) -> dict[str, Json]:
    """A tool that is a function."""
    return {"given": params.get("n")}


def everything() -> None:
    """As an argument, and by a name."""
    hooks.run_sync({"anything": 1}, tools={"x/routing": GRAPH})
    passing_over.run_sync({}, tools={"x/loops": loops.GRAPH, "x/routing": GRAPH, "x/answer": answer})
    hooks.run_sync({"anything": 1}, tools={"x/loops": loops, "x/answer": answer})
    tools: dict[str, Tool] = {"x/routing": GRAPH, "x/loops": loops, "x/answer": answer}
    passing_over.run_sync({}, tools=tools)

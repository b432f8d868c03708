"""What is not a tool."""

from __future__ import annotations

from modules import hooks, loops

hooks.run_sync({"anything": 1}, tools={"x/loops": loops.GRAPH.id})  # wrong
hooks.run_sync({"anything": 1}, tools={"x/loops": 1})  # wrong
hooks.run_sync({"anything": 1}, tools=loops.GRAPH)  # wrong

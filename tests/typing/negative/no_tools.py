"""What is not a tool."""

from __future__ import annotations

from modules import hooks, loops

# wrong [dict-item | reportArgumentType]: the id of a graph
hooks.run_sync({"anything": 1}, tools={"x/loops": loops.GRAPH.id})
# wrong [dict-item | reportArgumentType]: a number
hooks.run_sync({"anything": 1}, tools={"x/loops": 1})
# wrong [arg-type | reportArgumentType]: a number
hooks.run_sync({"anything": 1}, tools=loops.GRAPH)

"""What type checkers must refuse: each line that is wrong says so."""

from __future__ import annotations

from modules import declared, hooks, names, routing

out = routing.run_sync({"team": "x"})
out.state["trise"]  # wrong: no such key
text: str = out.state["tries"]  # wrong: of another type
name: routing.NodeName = "fecht"  # wrong: no such node
other = out.outputs  # wrong: no such attribute
elsewhere: names.NodeName | None = out.ended_at  # wrong: the nodes of another graph
hooks.run_sync({}).state["tries"] + "x"  # wrong: a number
names.run_sync({"class": "x", "a b": 1}).output["None"].upper()  # wrong: a number
function = routing.ftech  # wrong: no such node function
sums = declared.run_sync({"team": "x"})
sums.output["worst"].upper()  # wrong: may be null, and may be absent
sums.output["tickets"]  # wrong: not part of the output
sums.state["total"].upper()  # wrong: a number
sums.output["kind"]  # wrong: not part of the output

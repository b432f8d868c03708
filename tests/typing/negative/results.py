"""What type checkers must refuse: each line that is wrong says so."""

from __future__ import annotations

from modules import declared, hooks, names, routing

out = routing.run_sync({"team": "x"})
# wrong [typeddict-item | reportGeneralTypeIssues]: no such key
out.state["trise"]
# wrong [assignment | reportAssignmentType]: of another type
text: str = out.state["tries"]
# wrong [assignment | reportAssignmentType]: no such node
name: routing.NodeName = "fecht"
# wrong [union-attr | reportAttributeAccessIssue reportUnknownMemberType reportUnknownVariableType]: no such attribute
other = out.outputs
# wrong [assignment | reportAssignmentType]: the nodes of another graph
elsewhere: names.NodeName | None = out.ended_at
# wrong [operator | reportOperatorIssue]: a number
hooks.run_sync({}).state["tries"] + "x"
# wrong [attr-defined | reportAttributeAccessIssue reportUnknownMemberType]: a number
names.run_sync({"class": "x", "a b": 1}).output["None"].upper()
# wrong [attr-defined | reportAttributeAccessIssue reportUnknownMemberType reportUnknownVariableType]: no such function
function = routing.ftech
sums = declared.run_sync({"team": "x"})
# wrong [union-attr | reportOptionalMemberAccess reportTypedDictNotRequiredAccess]: may be null, and may be absent
sums.output["worst"].upper()
# wrong [typeddict-item | reportGeneralTypeIssues]: not part of the output
sums.output["tickets"]
# wrong [attr-defined | reportAttributeAccessIssue reportUnknownMemberType]: a number
sums.state["total"].upper()
# wrong [typeddict-item | reportGeneralTypeIssues]: not part of the output
sums.output["kind"]

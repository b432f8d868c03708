"""What the end of a run rules out."""

from __future__ import annotations

from modules import ends

result = ends.run_sync({"title": "x"})
# wrong [index typeddict-item | reportGeneralTypeIssues reportIndexIssue reportOptionalSubscript]: not every end has it
result.output["approved_by"]
# wrong [comparison-overlap | reportUnnecessaryComparison]: no such node
if result.ended_at == "aproved":
    # wrong [unreachable | ]: it is never the name of a node
    never = result
match result.ended_at:
    case "approved":
        # wrong [typeddict-item | reportGeneralTypeIssues]: of another end
        result.output["reason"]
        # wrong [assignment | reportAssignmentType]: of another type
        flag: str = result.output["final"]
    case "rejected":
        # wrong [typeddict-item | reportGeneralTypeIssues]: of another end
        result.output["approved_by"]
    case "ask":
        # wrong [index | reportOptionalSubscript]: a failed run has no output
        result.output["reason"]
    case "counted":
        # wrong [operator | reportOptionalOperand]: may be null
        result.output + 1
    case _:
        pass

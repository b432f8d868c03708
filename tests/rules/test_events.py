"""What hooks read of an event: the types of its fields, and names that other events have."""

from __future__ import annotations

import pytest

from checking import check_files, loud, only

RECORD = "def execute(params: Params):\n    return {}\n"
TOOL = f"from typing import TypedDict\n\n\nclass Params(TypedDict):\n    number: int\n\n\n{RECORD}"
GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.ops.record]
config:
  start: done
  hooks: [{event: EVENT, action: {item_id: "tool:ops/record", params: {number: "${READ}"}}}]
  nodes:
    done: {type: return, output: 1}
"""


def found_in(event: str, read: str) -> list[str]:
    return loud(check_files(files(event, read), ".ai/tools/g.yaml"))


def files(event: str, read: str) -> dict[str, str]:
    text = GRAPH.replace("EVENT", event).replace("READ", read)
    return {".ai/tools/g.yaml": text, ".ai/tools/ops/record.py": TOOL}


@pytest.mark.parametrize(
    ("event", "read", "fits"),
    [
        ("graph_started", "graph_id", False),
        ("after_step", "step_count", True),
        ("after_step", "node", False),
        ("error", "error.code", True),
        ("error", "classification.category", False),
        ("limit", "current_max", True),
        ("limit", "limit_code", False),
        ("graph_completed", "steps", True),
        ("graph_completed", "error", False),
        ("graph_completed", "graph_run_id", False),
    ],
)
def test_the_params_of_a_hook_have_the_types_of_its_event(event: str, read: str, fits: bool) -> None:
    assert found_in(event, read) == ([] if fits else ["GW412:5"])


def test_the_error_at_the_end_of_a_run_is_a_string() -> None:
    found = only(check_files(files("graph_completed", "error.message"), ".ai/tools/g.yaml"), "GW410")
    assert found.help == "write `error`, without the rest of the path"


@pytest.mark.parametrize(
    ("event", "read", "advice"),
    [
        ("graph_completed", "step_count", "did you mean `steps`?"),
        ("after_step", "steps", "did you mean `step_count`?"),
        ("limit", "step_count", "did you mean `state.step_count`?"),
        ("after_step", "graph_id", "did you mean `_run.graph_id`?"),
        ("graph_started", "run_id", "did you mean `graph_run_id`?"),
        ("after_step", "run_id", "did you mean `_run.id`?"),
        ("after_step", "classification.category", "only hooks on `error` have `classification`; here, a path begins"),
        ("after_step", "error.message", "only hooks on `error` and `graph_completed` have `error`; here, a path"),
        ("error", "result.n", "only hooks on `after_step` have `result`; here, a path begins with"),
    ],
)
def test_what_another_event_has(event: str, read: str, advice: str) -> None:
    found = only(check_files(files(event, read), ".ai/tools/g.yaml"), "GW402")
    assert (found.help or "").startswith(advice)


@pytest.mark.parametrize("action", ["{stop: true}", "{skip: true}", "{ignore: false}"])
def test_a_control_that_does_not_exist_is_one_finding(action: str) -> None:
    text = GRAPH.replace('{item_id: "tool:ops/record", params: {number: "${READ}"}}', action).replace("EVENT", "error")
    found = only(check_files({".ai/tools/g.yaml": text}), "GW101")
    assert loud(check_files({".ai/tools/g.yaml": text})) == ["GW603:2", "GW101:5"]
    assert "in a control literal" in found.message
    assert "`retry`" in (found.help or "")

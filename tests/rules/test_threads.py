"""Calls of the tools that start, watch and stop threads: their contracts depend on what the call says."""

from __future__ import annotations

import pytest

from checking import check_files, check_text, loud, only
from graphwright.diagnostic import Diagnostic, Severity

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.rye.*]
config_schema:
  type: object
  properties: {thread: {type: string, default: t1}, back: {type: boolean, default: false}}
config:
  start: call
  nodes:
    call:
      action: {item_id: tool:rye/agent/threads/TOOL, params: PARAMS}
      assign: {found: "${READ}"}
      next: done
    done:
      type: return
      output: {found: "${state.found}", thread: "${inputs.thread}", back: "${inputs.back}"}
"""


def thread(params: str, read: str = "result") -> str:
    return GRAPH.replace("TOOL", "thread_directive").replace("PARAMS", params).replace("READ", read)


def orchestrator(params: str, read: str = "result") -> str:
    return GRAPH.replace("TOOL", "orchestrator").replace("PARAMS", params).replace("READ", read)


def caret(text: str, found: Diagnostic) -> str:
    return text.splitlines()[found.span.line - 1][found.span.column - 1 : found.span.end_column - 1]


@pytest.mark.parametrize(
    "text",
    [
        thread("{directive_name: review}", "result.outputs.verdict"),
        thread("{directive_id: review, inputs: {turns: 3, anything: [1]}}", "result.result"),
        thread("{directive: review, limit_overrides: {turns: 6, spend: 0.05, depth: 2}}", "result.cost.spend"),
        thread("{directive_name: review, async: true}", "result.thread_id"),
        thread("{directive_name: review, async_exec: true}", "result.status"),
        thread("{directive_name: review, async: false}", "result.outputs.verdict"),
        thread("{directive_name: review, async: '${inputs.back}'}", "result.outputs.verdict"),
        thread("{directive_name: '${inputs.thread}', model: fast}", "result.thread_id"),
        orchestrator("{operation: wait_threads, thread_ids: ['${inputs.thread}'], timeout: 60}", "result.results.t1"),
        orchestrator("{operation: wait_threads, thread_ids: [a]}", "result.timed_out.0"),
        orchestrator("{operation: wait_threads, thread_ids: [a]}", "result.results | keys | first"),
        orchestrator("{operation: aggregate_results, thread_ids: [a]}", "result.results.0"),
        orchestrator("{operation: get_status, thread_id: a}", "result.alive"),
        orchestrator("{operation: status, thread_id: a}", "result.step"),
        orchestrator("{operation: list_active}", "result.threads.0"),
        orchestrator("{operation: list_children}", "result.children.0.thread_id"),
        orchestrator("{operation: cancel_thread, thread_id: '${inputs.thread}'}"),
        orchestrator("{operation: kill_thread, thread_id: a}"),
        orchestrator("{operation: get_chain, thread_id: a}"),
        orchestrator("{operation: chain_search, thread_id: a, query: error}"),
        orchestrator("{operation: read_transcript, thread_id: a, tail_lines: 20}"),
        orchestrator("{operation: '${inputs.thread}', thread_ids: [a]}", "result.anything"),
        orchestrator("{operation: '${inputs.thread}', thread_id: a}", "result.results.0"),
    ],
)
def test_calls_that_fit(text: str) -> None:
    assert loud(check_text(text)) == []


@pytest.mark.parametrize(
    ("text", "code", "at", "message", "advice"),
    [
        (
            thread("{inputs: {a: 1}}"),
            "GW702",
            "params",
            "without `directive_name`, which it",
            "add `directive_name: …`",
        ),
        (thread("{directive_nam: a}"), "GW702", "directive_nam", "no param `directive_nam`", "mean `directive_name`?"),
        (thread("{name: a}"), "GW702", "name", "no param `name`", "did you mean `directive_name`?"),
        (
            thread("{directive_name: a, inputs: {x: 1, limit_overrides: {turns: 3}}}"),
            "GW702",
            "limit_overrides",
            "`limit_overrides` is inside `inputs`, so the directive gets it as an input",
            "move it out of `inputs`, into `params`",
        ),
        (
            thread("{directive_name: a, inputs: {async_exec: true}}"),
            "GW702",
            "async_exec",
            "`async_exec` is inside `inputs`",
            "move it out",
        ),
        (
            thread("{directive_name: a, turns: 3}"),
            "GW702",
            "turns",
            "`turns` limits nothing here, because limits of a thread belong in `limit_overrides`",
            "write `limit_overrides: {turns: …}`",
        ),
        (
            thread("{directive_name: a, spend: 3, limit_overrides: {turns: 2}}"),
            "GW702",
            "spend",
            "`spend` limits nothing here",
            "move it into `limit_overrides`",
        ),
        (
            thread("{directive_name: a, limits: {turns: 1}}"),
            "GW702",
            "limits",
            "no param `limits`",
            "`limit_overrides`?",
        ),
        (
            thread("{directive_name: a, limit_overrides: {max_turns: 1}}"),
            "GW702",
            "max_turns",
            "has no `limit_overrides.max_turns`",
            "did you mean `turns`?",
        ),
        (
            thread("{directive_name: a, limit_overrides: {speed: 1}}"),
            "GW702",
            "speed",
            "has no `limit_overrides.speed`",
            "did you mean `spend`?",
        ),
        (
            thread("{directive_name: a, limit_overrides: {colour: 1}}"),
            "GW702",
            "colour",
            "has no `limit_overrides.colour`",
            "it takes `depth`, `duration_s`, `spawns`, `spend`, `tokens` and `turns`",
        ),
        (
            thread("{directive_name: a, limit_overrides: {turns: few}}"),
            "GW412",
            "few",
            "param `limit_overrides.turns` is a string, but tool `rye/agent/threads/thread_directive` takes an integer",
            "pass an integer",
        ),
        (thread("{directive_name: [a]}"), "GW412", "[a]", "param `directive_name` is a list of strings", "a string"),
        (thread("{directive_name: a, inputs: some}"), "GW412", "some", "param `inputs` is a string", "an object"),
        (
            thread("{directive_name: a, async: true}", "result.outputs.verdict"),
            "GW703",
            "result.outputs.verdict",
            "does not return `outputs`",
            "it returns `status` and `thread_id`",
        ),
        (thread("{directive_name: a}", "result.outptus.x"), "GW703", "result.outptus.x", "`outptus`", "`outputs`?"),
        (
            orchestrator("{operation: wait_thread, thread_ids: [a]}", "result.results.a"),
            "GW412",
            "wait_thread",
            'param `operation` is "wait_thread", which is not one of the values that tool',
            "did you mean `wait_threads`?",
        ),
        (
            orchestrator("{operation: sing, thread_ids: [a]}", "result.anything"),
            "GW412",
            "sing",
            'param `operation` is "sing"',
            '"wait_threads" or "yield"',
        ),
        (orchestrator("{thread_id: a}"), "GW702", "params", "without `operation`", "add `operation: …`"),
        (
            orchestrator("{operation: wait_threads, thread_id: a}"),
            "GW702",
            "thread_id",
            "has no param `thread_id`",
            'did you mean `thread_ids`, which takes a list of strings? Write a list: `["a"]`',
        ),
        (
            orchestrator("{operation: aggregate_results, thread_id: [a]}"),
            "GW702",
            "thread_id",
            "has no param `thread_id`",
            "did you mean `thread_ids`?",
        ),
        (
            orchestrator("{operation: kill_thread, thread_ids: [a]}"),
            "GW702",
            "thread_ids",
            "has no param `thread_ids`",
            "did you mean `thread_id`, which takes a string?",
        ),
        (
            orchestrator("{operation: wait_threads, thread_ids: '${inputs.thread}'}"),
            "GW412",
            "'${inputs.thread}'",
            "param `thread_ids` is a string, but tool `rye/agent/threads/orchestrator` takes a list of strings",
            'write a list: `["${inputs.thread}"]`',
        ),
        (
            orchestrator("{operation: wait_threads, thread_ids: [a]}", "result.results.0"),
            "GW410",
            "result.results.0",
            "`result.results.0` is always null",
            "it is a mapping: read a value by its key, or iterate over the keys, `${result.results | keys}`",
        ),
        (
            orchestrator("{operation: wait_threads, thread_ids: [a]}", "result.results[0].results"),
            "GW410",
            "result.results[0].results",
            "`result.results[0].results` is always null",
            "iterate over the keys, `${result.results | keys}`",
        ),
        (
            thread("{directive_name: a, limit_overrides: {turns: -2}}"),
            "GW412",
            "-2",
            "`limit_overrides.turns` does not fit tool `rye/agent/threads/thread_directive`: -2 is less than",
            "change the value",
        ),
        (
            orchestrator("{operation: yield, seconds: 0}"),
            "GW412",
            "0",
            "param `seconds` does not fit tool `rye/agent/threads/orchestrator`: 0 is not more than 0",
            "change the value",
        ),
        (
            orchestrator("{operation: wait_threads, thread_ids: [a], count: 0}"),
            "GW412",
            "0",
            "param `count` does not fit tool `rye/agent/threads/orchestrator`: 0 is less than the minimum 1",
            "change the value",
        ),
        (
            orchestrator("{operation: yield, timeout: 1}"),
            "GW702",
            "timeout",
            "has no param `timeout`, and takes no others than it declares",
            "remove it; the params are `operation`, `progress` and `seconds`",
        ),
        (
            orchestrator("{operation: aggregate_results, thread_ids: [a]}", "result.results.0.output"),
            "GW410",
            "result.results.0.output",
            "`result.results.0.output` is always null",
            "did you mean `outputs`?",
        ),
        (
            thread("{directive_name: review, directive: review}"),
            "GW702",
            "directive",
            "`directive_name` and `directive` mean the same, so the call fails",
            "remove one of them",
        ),
        (
            orchestrator("{operation: get_status, thread_id: a}", "result.currrent_node"),
            "GW703",
            "result.currrent_node",
            "does not return `currrent_node`",
            "did you mean `current_node`?",
        ),
    ],
)
def test_what_is_often_wrong(text: str, code: str, at: str, message: str, advice: str) -> None:
    found = check_text(text)
    one = only(found, code)
    assert [each.code for each in found if each.severity is not Severity.NOTE] == [code]
    assert caret(text, one) == at
    assert message in one.message
    assert advice in (one.help or "")


@pytest.mark.parametrize("operation", ["[wait_threads]", "{a: 1}", "5", "true"])
def test_an_operation_that_is_not_a_string(operation: str) -> None:
    assert loud(check_text(orchestrator(f"{{operation: {operation}, thread_ids: [a]}}"))) == ["GW412:10"]


def test_two_wrong_limits_are_two_mistakes() -> None:
    text = thread("{directive_name: a, limit_overrides: {max_turns: 1, spend: little}}")
    assert [each.code for each in check_text(text)] == ["GW702", "GW412"]


LOOP = """\
tool_type: graph
permissions: [rye.execute.tool.rye.agent.threads.*]
config:
  start: spawn
  nodes:
    spawn:
      type: foreach
      over: [a, b]
      as: file
      action:
        item_id: tool:rye/agent/threads/thread_directive
        params: {directive_name: review, async_exec: true, inputs: {file: "${file}"}}
      collect: threads
      next: wait
    wait:
      action:
        item_id: tool:rye/agent/threads/orchestrator
        params: {operation: wait_threads, thread_ids: "${state.threads}"}
      assign: {waited: "${result.results}"}
      next: done
    done: {type: return, output: "${READ}"}
"""


def test_a_loop_collects_the_ids_of_the_threads_it_starts() -> None:
    assert loud(check_text(LOOP.replace("READ", "state.waited"))) == []
    found = only(check_text(LOOP.replace("READ", "state.threads.0.thread_id")), "GW410")
    assert "because a string has no `thread_id`" in found.message


def test_results_by_id_have_no_first_one_in_the_state_either() -> None:
    found = only(check_text(LOOP.replace("READ", "state.waited.0.result")), "GW410")
    assert found.help == "it is a mapping: read a value by its key, or iterate over the keys, `${state.waited | keys}`"


def test_a_hook_calls_them_too() -> None:
    text = LOOP.replace("READ", "state.waited").replace(
        "  start: spawn",
        "  start: spawn\n  hooks: [{event: graph_completed, action: {item_id: tool:rye/agent/threads/orchestrator, "
        "params: {operation: list_activ}}}]",
    )
    assert loud(check_text(text)) == ["GW412:5"]


def test_what_runs_threads_in_a_project_changes_nothing() -> None:
    """docs/threads.md has such a file for the command line: it declares nothing of what it takes and returns."""
    text = thread("{directive_name: a, limits: {turns: 1}}", "result.verdict")
    runner = "async def execute(params: dict, context):\n    return await context.run_thread(params, Runner())\n"
    file = ".ai/tools/rye/agent/threads/thread_directive.py"
    expected = ["GW702:10", "GW703:11"]
    assert loud(check_files({".ai/tools/ask.yaml": text})) == expected
    assert loud(check_files({".ai/tools/ask.yaml": text, file: runner}, ".ai/tools/ask.yaml")) == expected
    other = "def execute(params: dict):\n    return {'verdict': 'merge'}\n"
    assert loud(check_files({".ai/tools/ask.yaml": text, file: other}, ".ai/tools/ask.yaml")) == []

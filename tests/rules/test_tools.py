"""GW702, GW703 and GW412: calls of the tools that come with the runtime."""

from __future__ import annotations

import json

import pytest

from checking import check_files, check_text, loud, only
from graphwright.contract.builtin import BUILTIN, is_built_in
from graphwright.diagnostic import Severity
from graphwright_runtime.tools import BUILTIN as IMPLEMENTED

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.rye.*]
config_schema:
  type: object
  properties: {folder: {type: string, default: "."}, depth: {type: integer, default: 1}}
config:
  start: look
  nodes:
    look:
      action: {item_id: tool:TOOL, params: PARAMS}
      assign: {found: "${READ}"}
      next: done
    done:
      type: return
      output: {found: "${state.found}", folder: "${inputs.folder}", depth: "${inputs.depth}"}
"""


def graph(tool: str, params: str, read: str = "result") -> str:
    return GRAPH.replace("TOOL", tool).replace("PARAMS", params).replace("READ", read)


def test_every_tool_of_the_runtime_has_a_contract() -> None:
    threads = {"rye/agent/threads/orchestrator", "rye/agent/threads/thread_directive"}  # see contract/threads.py
    assert BUILTIN.keys() | threads == IMPLEMENTED.keys()
    assert all(is_built_in(item_id) for item_id in threads)


@pytest.mark.parametrize(
    ("tool", "params"),
    [
        ("rye/bash", '{command: "ls -1", working_dir: sub, timeout: 1.5}'),
        ("rye/bash/bash", "{command: \"ls -1\", timeout: '${inputs.depth}'}"),
        ("rye/bash", '{command: "ls ${inputs.depth}", note: kept by nobody, working_dir: null}'),
        ("rye/file-system/read", '{path: "${inputs.folder}"}'),
        ("rye/file-system/write", '{path: a.txt, content: "", append: true}'),
        ("rye/file-system/list", "{}"),
        ("rye/email/send", "{}"),
    ],
)
def test_what_fits_is_left_alone(tool: str, params: str) -> None:
    assert loud(check_text(graph(tool, params))) == []


def test_params_that_are_no_mapping_are_one_complaint() -> None:
    assert loud(check_text(graph("rye/bash", "command ls"))) == ["GW102:10"]


@pytest.mark.parametrize(
    ("tool", "params", "code", "caret", "message", "advice"),
    [
        ("rye/bash", '{comand: "ls"}', "GW702", "comand", "has no param `comand`", "did you mean `command`?"),
        ("rye/bash", "{command: ls, timout: 3}", "GW702", "timout", "no param `timout`", "did you mean `timeout`?"),
        (
            "rye/bash",
            "{'command:ls': }",
            "GW702",
            "'command:ls'",
            "`command` of tool `rye/bash` is joined with",
            "write `command: `",
        ),
        ("rye/bash", "{cmd: ls}", "GW702", "cmd", "no param `cmd`", "did you mean `command`?"),
        ("rye/bash", "{command: ls, cwd: sub}", "GW702", "cwd", "no param `cwd`", "did you mean `working_dir`?"),
        (
            "rye/file-system/write",
            "{path: a, content: b, mode: append}",
            "GW702",
            "mode",
            "no param `mode`",
            "`append`, which takes a boolean?",
        ),
        ("rye/bash", "{}", "GW702", "params", "without `command`, which it requires", "add `command: …` to `params`"),
        ("rye/bash", "{command: null}", "GW702", "params", "without `command`", "add `command: …`"),
        ("rye/file-system/write", "{path: a}", "GW702", "params", "without `content`", "add `content: …`"),
        ("rye/bash", "{command: 5}", "GW412", "5", "param `command` is an integer, but tool `rye/bash`", "a string"),
        ("rye/bash", "{command: [ls]}", "GW412", "[ls]", "is a list of string", "pass a string"),
        ("rye/bash", "{command: ls, timeout: soon}", "GW412", "soon", "is a string", "pass a number"),
        (
            "rye/bash",
            "{command: ls, working_dir: '${inputs.depth}'}",
            "GW412",
            "'${inputs.depth}'",
            "param `working_dir` is an integer",
            "pass a string",
        ),
    ],
)
def test_params(tool: str, params: str, code: str, caret: str, message: str, advice: str) -> None:
    text = graph(tool, params)
    found = check_text(text)
    assert loud(found) == [f"{code}:10"]
    one = only(found, code)
    assert text.splitlines()[9][one.span.column - 1 : one.span.end_column - 1] == caret
    assert message in one.message
    assert advice in (one.help or "")


def test_no_params_at_all_are_missed_at_the_id() -> None:
    text = graph("rye/bash", "{}").replace(", params: {}", "")
    one = only(check_text(text), "GW702")
    assert (one.span.line, one.span.column) == (10, text.splitlines()[9].index("tool:") + 1)


def test_two_names_for_one_param_are_one_mistake() -> None:
    assert loud(check_text(graph("rye/file-system/write", "{path: a, contnt: b}"))) == ["GW702:10"]


@pytest.mark.parametrize("field", ["stdout", "stderr", "exit_code", "success"])
def test_what_a_command_returns(field: str) -> None:
    assert loud(check_text(graph("rye/bash", "{command: ls}", f"result.{field}"))) == []


@pytest.mark.parametrize(
    ("tool", "read", "advice"),
    [
        ("rye/bash", "result.stdot", "did you mean `stdout`?"),
        ("rye/bash", "result.output", "it returns `exit_code`, `stderr`, `stdout` and `success`"),
        ("rye/file-system/read", "result.contents | lines", "did you mean `content`?"),
    ],
)
def test_what_it_does_not_return(tool: str, read: str, advice: str) -> None:
    params = "{command: ls}" if tool == "rye/bash" else "{path: a.txt}"
    text = graph(tool, params, read)
    found = check_text(text)
    assert loud(found) == ["GW703:11"]
    one = only(found, "GW703")
    path = read.split(" ")[0]
    assert text.splitlines()[10][one.span.column - 1 : one.span.end_column - 1] == path
    assert f"`{path}`: tool `{tool}` does not return `{path.removeprefix('result.')}`" in one.message
    assert advice in (one.help or "")


def test_a_condition_reads_it_too() -> None:
    edges = "[{to: done, when: {path: result.code, op: ne, value: 0}}, {to: done}]"
    text = graph("rye/bash", "{command: ls}").replace("next: done", f"next: {edges}")
    assert loud(check_text(text)) == ["GW703:12"]


def test_a_suppressed_failure_has_other_fields() -> None:
    edges = "[{to: done, when: {path: result.status, value: error}}, {to: done}]"
    text = graph("rye/bash", "{command: ls}", "result.stdout").replace("next: done", f"next: {edges}")
    text = text.replace('"${state.found}"', '"${state.found || null}"')
    assert "GW703:12" in loud(check_text(text))
    assert loud(check_text(text.replace("start: look", "start: look\n  on_error: continue"))) == []


def test_hooks_and_loops_call_tools_too() -> None:
    text = """\
tool_type: graph
permissions: [rye.execute.tool.rye.bash]
config:
  start: each
  hooks: [{event: graph_started, action: {item_id: tool:rye/bash, params: {comand: date}}}]
  nodes:
    each:
      type: foreach
      over: [a, b]
      action: {item_id: tool:rye/bash, params: {}}
      collect: seen
      next: done
    done: {type: return, output: "${state.seen}"}
"""
    assert loud(check_text(text)) == ["GW702:5", "GW702:10"]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        (".ai/tools/rye/bash.py", "def execute(params, project_path):\n    return {}\n"),
        (".ai/tools/rye/bash.yaml", json.dumps({"tool_type": "graph", "permissions": [], "config": {
            "start": "end", "nodes": {"end": {"type": "return", "output": {"shout": 1}}}}})),
    ],
)  # fmt: skip
def test_a_tool_of_the_project_takes_the_place(name: str, other: str) -> None:
    files = {".ai/tools/ask.yaml": graph("rye/bash", "{comand: 5}", "result.output.shout"), name: other}
    assert loud(check_files(files)) == []


@pytest.mark.parametrize(
    ("read", "said", "advice"),
    [
        ("result.content", None, ""),
        ("result.outputs", None, ""),
        ("result.outputs.0.name", None, ""),
        ("result.inputs.anything", None, ""),
        ("result.verdict", "has no `verdict`", "to run it, call `tool:rye/agent/threads/thread_directive`"),
        ("result.outputs.verdict", "lists the declared outputs", "to run it, call `tool:rye/agent/threads/"),
        ("result.contnet", "has no `contnet`", "did you mean `content`? To run it, call"),
    ],
)
@pytest.mark.parametrize("item", ["directive:review", "directive:review/${inputs.folder}"])
def test_a_directive_is_parsed_and_not_run(item: str, read: str, said: str | None, advice: str) -> None:
    text = graph("TOOL", "{}", read).replace("tool:TOOL", f'"{item}"')
    text = text.replace("permissions: [rye.execute.tool.rye.*]", "permissions: [rye.execute.directive.*]")
    found = check_text(text)
    if said is None:
        assert loud(found) == []
    else:
        raised = only(found, "GW703")
        assert said in raised.message
        assert (raised.help or "").startswith(advice)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ("{action: retry, max_retries: 2}", None),
        ("{action: abort}", None),
        ("{action: retyr}", "GW412"),
        ("{action: retry, max_retries: many}", "GW412"),
        ("{max_retries: 2}", "GW702"),
        ("{action: continue, aditional_steps: 5}", "GW702"),
    ],
)
def test_the_control_tool_has_a_contract(params: str, code: str | None) -> None:
    found = {each.partition(":")[0] for each in loud(check_text(graph("rye/agent/threads/internal/control", params)))}
    assert found == ({code} if code else set())


@pytest.mark.parametrize(
    ("item_id", "meant"),
    [
        ("rye/bsh", "rye/bash"),
        ("Rye/bash", "rye/bash"),
        ("rye/file-system/fs_wirte", "rye/file-system/fs_write"),
        ("rye/agent/threads/thread_directiv", "rye/agent/threads/thread_directive"),
        ("rye/mail", None),
        ("team/bash", None),
        ("rye/email/forward", None),
    ],
)
def test_an_id_that_is_nearly_that_of_a_built_in_tool(item_id: str, meant: str | None) -> None:
    node = f"{{action: {{item_id: {item_id}}}}}"
    call = f"tool_type: graph\npermissions: [rye.*]\nconfig:\n  start: a\n  nodes:\n    a: {node}\n"
    found = [each for each in check_files({"graph.yaml": call}) if each.code == "GW701"]
    assert [(each.severity, each.help) for each in found] == (
        [] if meant is None else [(Severity.WARNING, f"did you mean `{meant}`?")]
    )
    own = {".ai/tools/graph.yaml": call, f".ai/tools/{item_id}.py": "def execute(params, project_path): return {}\n"}
    assert "GW701" not in {each.code for each in check_files(own)}

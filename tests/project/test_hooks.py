"""`.graphwright/hooks.yaml`: the hooks that all graphs of a project have."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import check_files, line_of, loud, only
from commands import Outcome, graphwright
from graphwright.trust.trustfile import add_key
from graphwright.watch.scope import scope_of
from graphwright_runtime.trust.signing import to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE
from owners import give_away
from signing.packages import ALICE

HOOKS = Path(".graphwright/hooks.yaml")
GRAPH = Path(".ai/tools/shop/order.yaml")
MODULE = Path("generated/shop/order.py")

ORDER = """\
tool_type: graph
permissions: [rye.execute.tool.shop.pay, rye.execute.tool.ops.record]
config:
  start: pay
  max_steps: 2
  hooks:
    - {id: own, event: after_step, action: {item_id: tool:ops/record, params: {by: own}}}
  nodes:
    pay: {action: {item_id: tool:shop/pay}, next: thank}
    thank: {type: gate, next: done}
    done: {type: return, output: paid}
"""

SHARED = """\
version: "1.0"
infra_hooks:
  - id: audit
    event: after_step
    action: {item_id: tool:ops/record, params: {by: audit, node: "${node}", of: "${_run.graph_id}"}}
  - {id: done, event: after_complete, action: {item_id: tool:ops/unknown}}
builtin_hooks:
  - id: patience
    event: limit
    layer: 2
    condition: {path: limit_code, value: max_steps_exceeded}
    action: {continue: true, additional_steps: 4}
  - {id: compact, event: context_limit_reached, action: {item_id: tool:ops/unknown}}
  - {id: frame, event: thread_started, action: {item_id: tool:ops/unknown}}
"""


def write(path: Path | str, text: str) -> Path:
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with one graph and hooks that all its graphs have."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(ALICE.seed))
    add_key(Path(PROJECT_FILE), ALICE.key, "alice")
    write(GRAPH, ORDER)
    write(HOOKS, SHARED)
    yield tmp_path
    for name in [each for each in sys.modules if each == "generated" or each.startswith("generated.")]:
        del sys.modules[name]


def build(*options: str) -> Outcome:
    """A build without the type checker."""
    return graphwright("build", "--no-typecheck", *options)


def findings(done: Outcome) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(done.stdout)["diagnostics"]
    return found


def ran(project: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[dict[str, Any]]]:
    """The result of the built module, and what its hooks recorded."""
    monkeypatch.syspath_prepend(str(project))
    importlib.invalidate_caches()
    recorded: list[dict[str, Any]] = []
    tools: dict[str, Any] = {"shop/pay": lambda params: {}, "ops/record": recorded.append}
    module = importlib.import_module("generated.shop.order")
    return asyncio.run(module.run({}, tools=tools)), recorded


def test_a_built_graph_runs_the_hooks_of_its_project_after_its_own(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build().code == 0
    result, recorded = ran(project, monkeypatch)
    assert (result.status, result.output) == ("completed", "paid"), "the limit was extended from 2 steps"
    assert [each["by"] for each in recorded] == ["own", "audit"] * 2
    assert recorded[1] == {"by": "audit", "node": "pay", "of": "shop/order"}


def test_check_run_inspect_diff_and_verify_agree(project: Path) -> None:
    write(".ai/tools/shop/pay.py", "def execute(params: dict[str, object]) -> dict[str, object]:\n    return {}\n")
    write(
        ".ai/tools/ops/record.py",
        "import pathlib\n\n\ndef execute(params: dict[str, str]) -> dict[str, object]:\n"
        "    with pathlib.Path('record.txt').open('a') as file:\n"
        "        print(*params.values(), file=file)\n    return {}\n",
    )
    assert graphwright("check", ".").code == 0
    done = graphwright("run", "shop/order", "--durability", "off")
    assert json.loads(done.stdout)["status"] == "completed", done.stderr
    assert Path("record.txt").read_text() == "own\naudit pay shop/order\nown\naudit thank shop/order\n"
    assert build().code == 0
    shown = json.loads(graphwright("inspect", str(MODULE), "--format", "json").stdout)["hooks"]
    assert [(each["id"], each["layer"]) for each in shown] == [("own", 1), ("patience", 2), ("audit", 3)]
    assert "no difference" in graphwright("diff", str(GRAPH), str(MODULE)).stdout
    assert graphwright("verify", "generated").code == 0
    write(HOOKS, SHARED.replace("additional_steps: 4", "additional_steps: 5"))
    assert "continue 4" in graphwright("diff", str(GRAPH), str(MODULE)).stdout


def test_a_module_is_out_of_date_when_the_hooks_change(project: Path) -> None:
    write(GRAPH, ORDER.replace("max_steps: 2", "max_steps: 3"))
    assert build().code == 0
    assert build("--check").code == 0
    before = MODULE.read_text()
    write(HOOKS, "# a comment\n" + SHARED)
    assert build("--check").code == 0, "the hooks are the same"
    write(HOOKS, SHARED.replace("additional_steps: 4", "additional_steps: 5"))
    (found,) = findings(build("--check", "--format", "json"))
    assert (found["code"], found["data"]["causes"]) == ("GW802", ["configuration"])
    assert "the hooks of the project (`.graphwright/hooks.yaml`) have changed since it was built" in found["message"]
    explained = build("--explain")
    assert "written: the hooks of the project (`.graphwright/hooks.yaml`) have changed" in explained.stdout
    after = MODULE.read_text()
    assert _hash(before) != _hash(after)
    HOOKS.unlink()
    (found,) = findings(build("--check", "--format", "json"))
    assert found["data"]["causes"] == ["configuration"]
    assert build().code == 0
    assert "audit" not in MODULE.read_text()


def _hash(module: str) -> str:
    return module.partition("\nGRAPH_HASH: ")[2].partition("\n\n")[0]


def test_a_run_is_not_resumed_with_other_hooks(project: Path) -> None:
    write(".ai/tools/shop/pay.py", "def execute(params: dict[str, object]) -> dict[str, object]:\n    raise OSError\n")
    write(".ai/tools/ops/record.py", "def execute(params: dict[str, object]) -> dict[str, object]:\n    return {}\n")
    failed = json.loads(graphwright("run", "shop/order").stdout)
    write(HOOKS, SHARED.replace("additional_steps: 4", "additional_steps: 5"))
    again = graphwright("run", "shop/order", "--resume", failed["graph_run_id"])
    assert "changed since it was started (its settings changed)" in again.stderr + again.stdout
    assert again.code != 0


def test_mistakes_are_reported_once_and_in_the_file_of_the_hooks() -> None:
    text = """\
builtin_hook: []
infra_hooks:
  - {event: after_step, actoin: {item_id: tool:ops/record}}
  - {id: sum, event: error, layer: 1, action: {item_id: tool:ops/record, params: {text: "${mesage}"}}}
  - {id: loop, event: graph_started, action: {retry: true}}
  - {id: late, event: after_stop, action: {item_id: tool:ops/record}}
  - {id: shell, event: error, action: {item_id: tool:rye/bash, params: {comand: ls}}}
  - {id: open, event: after_step, action: {item_id: tool:rye/bash, params: {command: "echo ${state.note}"}}}
  - {id: never, event: after_step, condition: {path: status, value: failed}, action: {item_id: tool:ops/record}}
"""
    permissions = "[rye.execute.tool.shop.pay, rye.execute.tool.ops.record, rye.execute.tool.rye.bash]"
    graph = ORDER.replace("max_steps: 2", "max_steps: 3").replace(
        "[rye.execute.tool.shop.pay, rye.execute.tool.ops.record]", permissions
    )
    files = {str(GRAPH): graph, ".ai/tools/shop/refund.yaml": graph, str(HOOKS): text}
    found = check_files(files)
    assert {each.span.path for each in found} == {str(HOOKS)}
    expected = ["GW101:1", "GW101:3", "GW102:4", "GW402:4", "GW109:5", "GW106:6", "GW702:7", "GW606:8", "GW213:9"]
    assert sorted(loud(found)) == sorted(expected)
    assert check_files(files, str(GRAPH)) == found
    assert check_files(files, str(HOOKS)) == found


@pytest.mark.parametrize("text", ["", "# none\n", "builtin_hooks:\ninfra_hooks: []\n", "x-owner: ops\n"])
def test_a_file_without_hooks_changes_nothing(text: str) -> None:
    assert loud(check_files({str(GRAPH): ORDER, str(HOOKS): text})) == loud(check_files({str(GRAPH): ORDER}))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- {event: error, action: {retry: true}}\n", "GW102"),
        ("infra_hooks: {event: error, action: {retry: true}}\n", "GW102"),
        ("infra_hooks: [\n", "GW001"),
        ("infra_hooks: []\ninfra_hooks: []\n", "GW002"),
        ("infra_hooks: [error]\n", "GW102"),
        ("hooks: []\n", "GW101"),
    ],
)
def test_a_file_that_is_not_one_of_hooks_is_one_error(text: str, code: str) -> None:
    found = check_files({str(GRAPH): ORDER, str(HOOKS): text}, str(GRAPH))
    assert [each for each in loud(found) if not each.startswith("GW210")] == [f"{code}:{2 if code == 'GW002' else 1}"]


def test_what_a_hook_may_read_does_not_depend_on_one_graph() -> None:
    text = (
        "infra_hooks:\n  - event: after_step\n    condition: {path: state.team.size, op: gt, value: 3}\n    action:\n"
        "      item_id: tool:ops/record\n"
        '      params: {a: "${state.total + 1}", b: "${state.items | length}", c: "${state.inputs.team}"}\n'
    )
    assert loud(check_files({str(GRAPH): ORDER.replace("max_steps: 2", "max_steps: 3"), str(HOOKS): text})) == []


def test_a_run_names_hooks_without_an_id_as_a_check_does(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    nameless = SHARED.replace("- id: audit\n    event", "- event: thread_started\n    action: {fail: true}\n  - event")
    graph = ORDER.replace("{id: own, event", "{event: limit, action: {continue: true}}\n    - {layer: 3, event")
    denied = graph.replace(", rye.execute.tool.ops.record]", "]")
    other = nameless.replace("ops/record", "ops/note")
    messages = [each.message for each in check_files({str(GRAPH): denied, str(HOOKS): other}) if each.code == "GW601"]
    assert sorted(each.partition(" needs ")[0] for each in messages) == [
        "hook 2",
        "hook 2 of `infra_hooks` of the project",
    ]
    write(GRAPH, graph)
    write(HOOKS, nameless)
    assert build().code == 0
    monkeypatch.syspath_prepend(str(project))
    importlib.invalidate_caches()
    module = importlib.import_module("generated.shop.order")
    asyncio.run(module.run({}, tools={"shop/pay": lambda params: {}}, capabilities=["rye.execute.tool.shop.pay"]))
    told = [each.message.partition(": ")[2].partition(" on ")[0] for each in caplog.records if "failed" in each.message]
    assert told == ["hook 2", "hook 2 of `infra_hooks`"] * 2


def test_each_graph_must_permit_what_the_hooks_call() -> None:
    strict = ORDER.replace(", rye.execute.tool.ops.record]", "]").replace(
        "  hooks:\n    - {id: own, event: after_step, action: {item_id: tool:ops/record, params: {by: own}}}\n", ""
    )
    found = check_files({".ai/tools/shop/strict.yaml": strict, str(GRAPH): ORDER, str(HOOKS): SHARED})
    denied = only(found, "GW601")
    assert (denied.span.path, denied.span.line) == (".ai/tools/shop/strict.yaml", line_of(strict, "permissions"))
    assert denied.message.startswith("hook `audit` of the project needs `rye.execute.tool.ops.record`")
    assert [(label.span.path, label.span.line) for label in denied.related] == [(str(HOOKS), 5)]
    dynamic = SHARED.replace("tool:ops/record", '"tool:ops/${node}"')
    unsure = only(check_files({str(GRAPH): ORDER, str(HOOKS): dynamic}), "GW604")
    assert (unsure.span.path, unsure.span.line) == (str(GRAPH), 2)
    silent = "tool_type: graph\nconfig: {start: done, nodes: {done: {type: return}}}\n"
    assert loud(check_files({str(GRAPH): silent})) == []
    assert loud(check_files({str(GRAPH): silent, str(HOOKS): SHARED})) == ["GW110:1"], "it calls something now"


def test_variables_of_the_tools_that_hooks_call_are_required(project: Path) -> None:
    write(
        ".ai/tools/ops/record.py",
        "ENV_REQUIRES = ['OPS_URL']\n\n\ndef execute(params: dict[str, object]) -> None: ...\n",
    )
    write(GRAPH, ORDER.replace("tool:ops/record, params: {by: own}", "tool:shop/pay"))
    assert build().code == 0
    assert 'REQUIRED_ENV: Final[tuple[str, ...]] = ("OPS_URL",)' in MODULE.read_text()
    write("empty.env", "")
    (missing,) = findings(graphwright("check", ".", "--env-file", "empty.env", "--format", "json"))
    assert (missing["code"], missing["path"]) == ("GW504", str(HOOKS))
    done = graphwright("run", "shop/order", "--durability", "off")
    assert "OPS_URL" in done.stderr + done.stdout
    assert "audit" in done.stderr + done.stdout


def test_a_graph_outside_of_a_project_has_no_hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    write("order.yaml", ORDER.replace("max_steps: 2", "max_steps: 3"))
    write(HOOKS, "infra_hooks: [")
    assert graphwright("check", "order.yaml").code == 0, "the home is not a project"
    write("work/order.yaml", ORDER)
    write(Path("work") / HOOKS, SHARED)
    monkeypatch.chdir(tmp_path / "work")
    assert build("order.yaml", "--no-sign").code == 0
    assert "patience" in Path("generated/order.py").read_text(), "the file makes a folder a project"


def test_the_hooks_of_another_user_are_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    give_away(project / HOOKS, monkeypatch)
    refused = build()
    assert refused.code == 2
    assert "hooks.yaml" in refused.stderr
    assert "belongs to uid" in refused.stderr


def test_the_hooks_must_be_signed_where_graphs_must(project: Path) -> None:
    write("graphwright.toml", '[trust]\nsources = "require"\n')
    graphwright("sign", str(GRAPH))
    (untrusted,) = findings(graphwright("check", ".", "--format", "json"))
    assert (untrusted["code"], untrusted["path"]) == ("GW801", str(HOOKS))
    assert untrusted["message"].startswith("this file of hooks is not trusted")
    graphwright("sign", str(HOOKS))
    assert graphwright("check", ".").code == 0


def test_contracts_lists_the_tools_that_hooks_call(project: Path) -> None:
    write(GRAPH, ORDER.replace("tool:ops/record, params: {by: own}", "tool:shop/pay"))
    assert "ops/record" in graphwright("contracts").stdout


def test_a_watch_notices_changes_of_the_hooks(project: Path) -> None:
    assert scope_of([GRAPH]).matters(str(project / HOOKS))


def test_fixes_are_applied_to_the_file_of_the_hooks(project: Path) -> None:
    write(HOOKS, SHARED.replace("params: {by: audit", "parms: {by: audit"))
    assert graphwright("check", str(GRAPH), "--fix").code == 0
    assert HOOKS.read_text("utf-8") == SHARED


def test_a_warm_check_does_not_read_the_hooks_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert graphwright("check", ".").code == 0
    with monkeypatch.context() as patch:
        patch.setattr("graphwright.checking.checker._inspect", None)
        assert graphwright("check", ".").code == 0
    write(HOOKS, SHARED.replace("infra_hooks", "infra_hook"))
    assert graphwright("check", ".").code == 1


FAILING = """\
tool_type: graph
permissions: [rye.execute.tool.shop.pay, rye.execute.tool.ops.judge]
config:
  start: pay
OWN  nodes:
    pay: {action: {item_id: tool:shop/pay}, next: done}
    done: {type: return, output: paid}
"""
RETRY = "{id: again, event: error, action: {retry: true, max_retries: 2}}"
JUDGE = "{id: judge, event: error, action: {item_id: tool:ops/judge}}"


@pytest.mark.parametrize(
    ("own", "builtin", "infra", "calls", "status"),
    [
        ("", "", "", 1, "error"),
        ("", RETRY, "", 3, "completed"),
        ("", RETRY, JUDGE, 3, "completed"),
        ("", "", JUDGE, 1, "error"),
        ("{id: own, event: error, action: {fail: true}}", RETRY, "", 1, "error"),
        (RETRY, "{id: stop, event: error, action: {fail: true}}", "", 3, "completed"),
        ("", JUDGE, RETRY.replace("retry: true, max_retries: 2", "retry: true"), 1, "error"),
    ],
    ids=["none", "second layer", "third only observes", "third cannot fail", "first wins", "first retries", "judged"],
)
def test_the_layers_decide_in_order(
    project: Path, monkeypatch: pytest.MonkeyPatch, own: str, builtin: str, infra: str, calls: int, status: str
) -> None:
    """`ops/judge` answers `{action: fail}`; `shop/pay` works at the third attempt, and its errors are permanent."""
    write(GRAPH, FAILING.replace("OWN", f"  hooks: [{own}]\n" if own else ""))
    write(HOOKS, f"builtin_hooks: [{builtin}]\ninfra_hooks: [{infra}]\n")
    assert build().code == 0
    asked: list[str] = []

    def pay(params: dict[str, Any]) -> dict[str, Any]:
        asked.append("pay")
        if len(asked) < 3:
            raise ValueError("declined")
        return {}

    monkeypatch.syspath_prepend(str(project))
    importlib.invalidate_caches()
    module = importlib.import_module("generated.shop.order")
    tools: dict[str, Any] = {"shop/pay": pay, "ops/judge": lambda params: {"action": "fail"}}
    result = asyncio.run(module.run({}, tools=tools))
    assert (len(asked), result.status) == (calls, status)

"""What a graph that another one calls returns: the types of `result.output` there."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from checking import check_files, loud, only
from commands import graphwright

CALLER = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.*]
config_schema: {type: object, properties: {back: {type: boolean, default: false}}}
config:
  start: call
  nodes:
    call:
      action: {item_id: "tool:ITEM", params: PARAMS}
      assign: {found: "${READ}"}
      next: done
    done: {type: return, output: {found: "${state.found}", back: "${inputs.back}"}}
"""
CALLED = """\
version: "1.0.0"
tool_type: graph
permissions: []
config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
SCHEMA
config:
  start: count
  nodes:
    count:
      type: gate
      assign: {n: "${inputs.team | length}"}
      next: [{to: none, when: {path: state.n, value: 0}}, {to: done}]
    none: {type: return, output: NONE}
    done: {type: return, output: {count: "${state.n}", team: "${inputs.team}"}}
"""
TOTAL = "{type: object, properties: {total: {type: integer}}}"
LOOP = "next: [{to: count, when: {path: inputs.team, value: again}}, "
SAME = "{count: 0, team: nobody}"


def caller(read: str, params: str = "{team: blue}", item: str = "teams/count") -> str:
    return CALLER.replace("READ", read).replace("PARAMS", params).replace("ITEM", item)


def called(none: str = SAME, schema: str = "") -> str:
    return CALLED.replace("NONE", none).replace("SCHEMA\n", schema and f"output_schema: {schema}\n")


def checked(read: str, text: str, params: str = "{team: blue}") -> list[str]:
    files = {".ai/tools/g.yaml": caller(read, params), ".ai/tools/teams/count.yaml": text}
    return loud(check_files(files, ".ai/tools/g.yaml"))


@pytest.mark.parametrize(
    ("read", "text", "codes"),
    [
        ("result.output.count + 1", called(), []),
        ("result.output.count + result.output.team", called(), ["GW407:10"]),
        ("result.output.count.x", called(), ["GW410:10"]),
        ("result.output.team + 1", called("{count: 0, team: 5}"), []),
        ("result.output.team + [1]", called("{count: 0, team: 5}"), ["GW407:10"]),
        ("result.output.counts", called(), ["GW704:10"]),
        ("result.output.extra + 1", called("{extra: [1]}"), ["GW407:10"]),
        ("result.output + 1", called('"${state.n}"'), []),
        ("result.output.rows.0.id.x", called("{rows: [{id: 1}]}"), ["GW410:10"]),
        ("result.output.total + [1]", called(schema=TOTAL), ["GW407:10"]),
    ],
)  # fmt: skip
def test_outputs_have_types(read: str, text: str, codes: list[str]) -> None:
    assert checked(read, text) == codes


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ("{team: blue, async: true}", called()),
        ("{team: blue, async: '${inputs.back}'}", called()),
        ("{team: blue, node: count}", called()),
        ("{team: blue}", called().replace(f"{{type: return, output: {SAME}}}", "{type: gate, assign: {x: 1}}")),
        ("{team: blue}", called().replace("  start:", "  on_max_steps: return\n  start:").replace("next: [", LOOP)),
    ],
    ids=["in the background", "perhaps in the background", "a single node", "the state", "a limit"],
)  # fmt: skip
def test_outputs_that_depend_on_more_are_unknown(params: str, text: str) -> None:
    assert "GW407:10" not in checked("result.output.count + 'x'", text, params)


def test_the_types_reach_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".ai/tools/teams").mkdir(parents=True)
    (tmp_path / ".ai/tools/g.yaml").write_text(caller("result.output.count"), "utf-8")
    file = tmp_path / ".ai/tools/teams/count.yaml"
    file.write_text(called(), "utf-8")

    def built() -> str:
        assert graphwright("build", "--no-sign", "--no-typecheck").code == 0
        return (tmp_path / "generated/g.py").read_text("utf-8")

    assert "class State(TypedDict):\n    found: int\n" in built()
    ran = graphwright("run", "--quiet", "g")
    assert (ran.code, '"found": 4' in ran.stdout) == (0, True)
    file.write_text(called().replace('count: "${state.n}"', 'count: "${state.n | str}"'), "utf-8")
    assert graphwright("build", "--check", "--no-sign").code == 1
    assert "class State(TypedDict):\n    found: int | str\n" in built()


def test_graphs_that_call_each_other_have_the_same_types_in_any_order() -> None:
    """The outputs of calls in a cycle are unknown, whichever graph is read first."""
    last = "    last: {type: return, output: {found: 3}}\n"
    back = "{path: inputs.back, value: true}"
    ask = f"  start: ask\n  nodes:\n    ask: {{type: gate, next: [{{to: call, when: {back}}}, {{to: last}}]}}\n"
    texts = {
        f".ai/tools/{name}.yaml": caller("result.output.found + [1]", "{}", item).replace(
            "  start: call\n  nodes:\n", ask + last
        )
        for name, item in ("ab", "bc", "ca")
    }
    found = {
        tuple(sorted(loud(check_files(texts, *(f".ai/tools/{name}.yaml" for name in order)))))
        for order in permutations("abc")
    }
    assert found == {()}


def test_a_long_chain_of_graphs() -> None:
    """The innermost output reaches the outermost graph, without a recursion for each."""
    files = {f".ai/tools/g{n}.yaml": caller("result.output.found", "{}", f"g{n + 1}") for n in range(60)}
    innermost = caller("result", "{}").replace('"${result}"', "3")
    files[".ai/tools/g60.yaml"] = innermost.replace('action: {item_id: "tool:teams/count", params: {}}', "type: gate")
    files[".ai/tools/top.yaml"] = caller("result.output.found + [1]", "{}", "g0")
    assert only(check_files(files, ".ai/tools/top.yaml"), "GW407").span.line == 10


@pytest.mark.parametrize(
    ("params", "read", "fits"),
    [
        ("{team: blue, async: true}", "result.graph_run_id | upper", True),
        ("{team: blue, async: true}", "result.graph_run_id + 1", False),
        ("{team: blue, async: true}", "result.pid + 1", True),
        ("{team: blue, node: count}", "result.step_count + 1", True),
        ("{team: blue, node: count}", "result.executed_node + 1", False),
        ("{validate: true}", "result.errors + [1]", True),
        ("{validate: true}", "result.node_count + 'x'", False),
        ("{team: blue, async: '${inputs.back}'}", "result.graph_run_id + 1", True),
    ],
)
def test_what_a_call_returns_that_does_not_wait(params: str, read: str, fits: bool) -> None:
    assert (checked(read, called(), params) == []) is fits


def test_a_loop_collects_the_ids_of_the_graphs_that_it_starts() -> None:
    text = caller("result").replace("item_id:", "item_id: ", 1)
    looped = (
        text.replace("    call:\n", "    call:\n      type: foreach\n      over: [a, b]\n      collect: ids\n")
        .replace("{team: blue}", "{team: '${item}', async_exec: true}")
        .replace('      assign: {found: "${result}"}\n', "")
        .replace('"${state.found}"', '"${(state.ids | first) + 1}"')
    )
    files = {".ai/tools/g.yaml": looped, ".ai/tools/teams/count.yaml": called()}
    assert loud(check_files(files, ".ai/tools/g.yaml")) == ["GW407:14"]

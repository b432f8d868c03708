"""`graphwright migrate`: graphs of other dialects become graphs of this one, and what cannot be is marked."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from checking import check_files, loud
from commands import graphwright
from graphwright.diagnostic import Json
from graphwright.dialects.migration import migrate


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


NEWER = """\
# counts tickets
version: "1.0.0"
category: reports
requires:
  capabilities:
    declared: [ryeos.execute.tool.tickets/*, ryeos.execute.graph.reports/mail]
config:
  start: fetch
  config_schema:
    type: object
    required: [teams]
    properties:
      teams: {type: array}   # all of them
  state: {seen: 0}
  hooks:
    - event: graph_completed
      result: discard
      condition: 'status == "completed"'
      action: {item_id: tool:tickets/note, params: {text: "${state.seen ?? 0}"}, ref_bindings: {}}
  nodes:
    fetch:
      over: "${inputs.teams}"
      as: team
      action:
        item_id: tool:tickets/list
        ref_bindings: {}
        params: {team: "${team}"}
      collect: found
      next: {type: unconditional, to: count}
    count:
      node_type: gate
      assign:
        seen: "${length(state.found)}"   # how many
      next:
        type: conditional
        branches:
          # many
          - when: 'state.seen > 20 && state.seen != 99'
            to: mail
          - to: done
    mail:
      action: {item_id: "graph:reports/mail", params: {n: "${state.seen}"}}
      next: {type: unconditional, to: done}
    done:
      node_type: return
      output: {seen: "${state.seen}"}
"""
OURS = """\
# counts tickets
tool_type: graph
version: "1.0.0"
category: reports
permissions: [rye.execute.tool.tickets.*, rye.execute.tool.reports.mail]
config_schema:
  type: object
  required: [teams]
  properties:
    teams: {type: array}   # all of them
config:
  start: fetch
  state: {seen: 0}
  hooks:
    - event: graph_completed
      condition: {path: status, op: eq, value: completed}
      action: {item_id: tool:tickets/note, params: {text: "${state.seen || 0}"}}
  nodes:
    fetch:
      type: foreach
      over: "${inputs.teams}"
      as: team
      action:
        item_id: tool:tickets/list
        params: {team: "${team}"}
      collect: found
      next: count
    count:
      type: gate
      assign:
        seen: "${state.found | length}"   # how many
      next:
        # many
        - {to: mail, when: {all: [{path: state.seen, op: gt, value: 20}, {path: state.seen, op: ne, value: 99}]}}
        - {to: done}
    mail:
      action: {item_id: "tool:reports/mail", params: {n: "${state.seen}"}}
      next: done
    done:
      type: return
      output: {seen: "${state.seen}"}
"""


def test_a_graph_of_the_newer_dialect(project: Path) -> None:
    file = project / "old.yaml"
    file.write_text(NEWER, "utf-8")
    assert graphwright("check", "old.yaml").stderr.count("error[") == 1
    outcome = graphwright("migrate", "old.yaml")
    assert (outcome.code, outcome.stdout) == (0, "")
    assert file.read_text("utf-8") == OURS
    assert graphwright("check", "old.yaml").code == 0
    assert graphwright("migrate", "old.yaml").code == 2


def test_what_has_no_counterpart_is_marked_and_kept() -> None:
    text = (
        "config:\n  start: a\n  segment_steps: 5\n  nodes:\n    a:\n      action: {item_id: tool:x/y}\n"
        "      follow: true\n      detach: false\n      next:\n        type: conditional\n        branches:\n"
        "          - {when: 'length(state.a) > 1', to: b}\n          - {to: b}\n"
        "    b: {node_type: return, output: \"${state.a == 1 ? 'x' : 'y'}\"}\n"
    )
    found = migrate(text.encode(), "a.yaml")
    assert found is not None
    after = found.after.decode()
    assert len(found.marked) == after.count("# migrate: ") == 4
    assert "  # migrate: `segment_steps` has no counterpart" in after
    assert "      follow: true\n" in after
    assert "detach" not in after
    assert '- {to: b, when: "length(state.a) > 1"}' in after
    codes = {entry.split(":")[0] for entry in loud(check_files({"a.yaml": after}))}
    assert {"GW101", "GW102"} <= codes
    assert "GW114" not in codes


def test_the_prototype(project: Path) -> None:
    (project / "old.yaml").write_text(
        "version: '1'\ninitial_node: fetch\nmax_steps: 9\nnodes:\n"
        "  - {id: fetch, tool: tickets/list, parameters: {team: '{inputs.team}'}, assign: {n: '{action_result.n}'},\n"
        "     edges: [{target: busy, condition: '{state.n} > 20'}, {target: quiet}]}\n"
        "  - {id: busy, type: return}\n  - {id: quiet, type: return}\n"
        "config_schema: {type: object, properties: {team: {type: string}}, required: [team]}\n",
        "utf-8",
    )
    assert graphwright("migrate", "old.yaml").code == 0
    assert graphwright("check", "old.yaml").code == 0
    data = yaml.safe_load((project / "old.yaml").read_text("utf-8"))
    assert data["config"] == {
        "start": "fetch",
        "max_steps": 9,
        "nodes": {
            "fetch": {
                "action": {"item_id": "tickets/list", "params": {"team": "${inputs.team}"}},
                "assign": {"n": "${result.n}"},
                "next": [{"to": "busy", "when": {"path": "state.n", "op": "gt", "value": 20}}, {"to": "quiet"}],
            },
            "busy": {"type": "return"},
            "quiet": {"type": "return"},
        },
    }
    assert data["permissions"] == ["rye.execute.tool.tickets.list"]


def test_edges_in_a_list_of_their_own() -> None:
    text = "initial_node: a\nnodes: {a: {action: x/y}, b: {}}\nedges: [{from: a, to: b, when: 'else'}, {to: b}]\n"
    found = migrate(text.encode(), "a.yaml")
    assert found is not None
    data = yaml.safe_load(found.after)
    assert data["config"]["nodes"] == {"a": {"action": {"item_id": "x/y"}, "next": "b"}, "b": {"type": "return"}}
    assert found.marked == ("the edge {to: b} does not say which node it leaves",)


def test_nothing_is_written_for_a_diff(project: Path) -> None:
    file = project / "old.yaml"
    file.write_text(NEWER, "utf-8")
    shown = graphwright("migrate", "old.yaml", "--diff")
    assert shown.code == 0
    assert "-      node_type: return\n+      type: return\n" in shown.stdout
    assert file.read_text("utf-8") == NEWER


ALIASED = """\
config:
  start: a
  nodes:
    a: &n
      node_type: action
      action: {item_id: tool:t/x, params: {p: &p ["${upper(inputs.team)}"], q: *p}}
      next: &e {type: unconditional, to: z}
    b: {<<: *n, next: *e}
    z: {node_type: return}
"""


def test_what_aliases_repeat_is_translated_once() -> None:
    found = migrate(ALIASED.encode(), "a.yaml")
    assert found is not None
    nodes = yaml.safe_load(found.after)["config"]["nodes"]
    action = {"item_id": "tool:t/x", "params": {"p": ["${inputs.team | upper}"], "q": ["${inputs.team | upper}"]}}
    assert nodes["a"] == nodes["b"] == {"type": "action", "action": action, "next": "z"}
    assert nodes["z"] == {"type": "return"}


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_json_stays_json(separators: tuple[str, str]) -> None:
    text = json.dumps(yaml.safe_load(NEWER), separators=separators)
    found = migrate(text.encode(), "a.json")
    assert found is not None
    if not found.marked:
        assert json.loads(found.after)["config"]["nodes"] == yaml.safe_load(OURS)["config"]["nodes"]
    nodes = yaml.safe_load(found.after)["config"]["nodes"]
    assert nodes == yaml.safe_load(OURS)["config"]["nodes"]


def test_a_file_with_parts_of_both_is_translated_at_once() -> None:
    text = (
        "# old\ninitial_node: a\nnodes: {a: {tool: x/y, next: {type: unconditional, to: b}}, b: {node_type: return}}\n"
    )
    found = migrate(text.encode(), "a.yaml")
    assert found is not None
    assert "# migrate: the comments of the old file are not kept" in found.after.decode()
    assert yaml.safe_load(found.after)["config"]["nodes"] == {
        "a": {"action": {"item_id": "x/y"}, "next": "b"},
        "b": {"type": "return"},
    }


def test_line_ends_and_byte_order_mark_stay() -> None:
    found = migrate(b"\xef\xbb\xbf" + NEWER.replace("\n", "\r\n").encode(), "a.yaml")
    assert found is not None
    assert found.after == b"\xef\xbb\xbf" + OURS.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    "text", ["", "a: [", "tool_type: graph\nconfig: {start: a, nodes: {a: {type: return}}}\n", "- 1\n"]
)
def test_other_files_are_refused(project: Path, text: str) -> None:
    (project / "other.yaml").write_text(text, "utf-8")
    outcome = graphwright("migrate", "other.yaml")
    assert outcome.code == 2
    assert "not a graph of another dialect" in outcome.stderr
    assert (project / "other.yaml").read_text("utf-8") == text
    assert graphwright("migrate", "missing.yaml").code == 2


def newer(graph: dict[str, Json]) -> dict[str, Json]:
    """A graph of this language, with plain targets, as the newer dialect writes it."""
    config = graph["config"]
    assert isinstance(config, dict)
    nodes = config["nodes"]
    assert isinstance(nodes, dict)
    written: dict[str, Json] = {}
    for name, node in nodes.items():
        assert isinstance(node, dict)
        old = {("node_type" if key == "type" else key): value for key, value in node.items()}
        if isinstance(old.get("next"), str):
            old["next"] = {"type": "unconditional", "to": old["next"]}
        elif isinstance(old.get("next"), list):
            old["next"] = {"type": "conditional", "branches": old["next"]}
        written[name] = old
    kept = {key: value for key, value in graph.items() if key not in ("tool_type", "permissions", "config_schema")}
    schema: dict[str, Json] = {"config_schema": graph["config_schema"]} if "config_schema" in graph else {}
    requires: Json = {"capabilities": {"declared": graph["permissions"]}}
    return {**kept, "requires": requires, "config": {**config, **schema, "nodes": written}}


EXAMPLES = [
    file
    for file in sorted(Path(__file__).parents[2].glob("examples/*/.ai/tools/**/*.yaml"))
    if yaml.safe_load(file.read_text("utf-8")).get("tool_type") == "graph"
]


@pytest.mark.parametrize("style", [None, False, True])
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_there_and_back(file: Path, style: bool | None) -> None:
    graph = yaml.safe_load(file.read_text("utf-8"))
    text = yaml.safe_dump(newer(graph), sort_keys=False, default_flow_style=style, width=100)
    text = re.sub(r"\$\{[^}]*\}", lambda template: template[0].replace("||", "??"), text)
    found = migrate(text.encode(), "a.yaml")
    assert found is not None
    again = yaml.safe_load(found.after)
    if found.marked:  # in brackets, nothing can be moved
        assert style is True
        assert all("config_schema" in each for each in found.marked)
    else:
        assert again == graph

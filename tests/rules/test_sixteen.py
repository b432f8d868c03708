"""Sixteen ordinary mistakes in an ordinary graph: each is found where it was made, with a word on what to type."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from checking import check_files
from commands import graphwright
from graphwright.diagnostic import Diagnostic, Severity
from rules.finding import edit

#: A graph without mistakes, and the one that it calls.
WEEKLY = """\
version: "1.0.0"
tool_type: graph
description: Collect the tickets of a team and report on them
permissions:
  - rye.execute.tool.tickets.*
  - rye.execute.tool.reports.render
  - rye.execute.tool.rye.bash
env_requires: [TICKETS_TOKEN]
config_schema:
  type: object
  properties:
    team: {type: string}
    limit: {type: integer, default: 20}
  required: [team]
config:
  start: fetch
  state: {total: 0, page: 1}
  nodes:
    fetch:
      action:
        item_id: tool:rye/bash
        params:
          command: fetch-tickets --token "$TICKETS_TOKEN" --team ${inputs.team | quote}
      assign:
        tickets: "${result.stdout | lines}"
      on_error: apologise
      next: count
    count:
      action:
        item_id: tool:tickets/count
        params: {tickets: "${state.tickets}"}
      assign:
        total: "${state.total + 1}"
        more: "${result.more}"
      next:
        - to: render
          when:
            any:
              - {path: state.more, value: false}
              - {path: state.total, op: gt, value: 100}
        - to: turn
    turn:
      type: gate
      assign: {page: "${state.page + 1}"}
      next: count
    render:
      action:
        item_id: tool:reports/render
        params: {team: "${inputs.team}", rows: "${state.tickets}", limit: "${inputs.limit}"}
      assign:
        report: "${result.output.text}"
      next: done
    apologise:
      type: return
      output: {problem: "${state._last_error.error}"}
    done:
      type: return
      output: {report: "${state.report}", pages: "${state.page}"}
"""

RENDER = """\
version: "1.0.0"
tool_type: graph
description: Turn rows into a text
permissions: []
config_schema:
  type: object
  properties:
    team: {type: string}
    rows: {type: array}
    limit: {type: integer, default: 10}
  required: [team, rows]
config:
  start: done
  nodes:
    done:
      type: return
      output: {text: "${inputs.limit} of ${inputs.rows | length} tickets of ${inputs.team}"}
"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What was changed, and what is said of it: the code, the text under the caret, parts of message and help."""

    name: str
    changes: tuple[tuple[str, str], ...]
    code: str
    caret: str
    message: str
    help: str


MISTAKES = [
    Mistake(
        "a misspelled node",
        (("next: count\n    count:", "next: cuont\n    count:"),),
        "GW202",
        "cuont",
        "node `fetch` leads to `cuont`, which does not exist",
        "did you mean `count`?",
    ),
    Mistake(
        "a misspelled key",
        (("      on_error: apologise", "      on_eror: apologise"),),
        "GW101",
        "on_eror",
        "unknown key `on_eror`",
        "did you mean `on_error`?",
    ),
    Mistake(
        "a misspelled input",
        (('params: {team: "${inputs.team}"', 'params: {team: "${inputs.taem}"'),),
        "GW307",
        "inputs.taem",
        "does not declare an input `taem`",
        "did you mean `inputs.team`?",
    ),
    Mistake(
        "a misspelled pipe",
        (("${result.stdout | lines}", "${result.stdout | line}"),),
        "GW403",
        "line",
        "`line` is not a pipe",
        "did you mean `lines`?",
    ),
    Mistake(
        "a misspelled operator",
        (("op: gt, value: 100", 'op: ">", value: 100'),),
        "GW405",
        '">"',
        "`>` in node `count` is not an operator",
        "did you mean `gt`?",
    ),
    Mistake(
        "an unreachable node",
        (("        - to: turn\n", "        - to: count\n"),),
        "GW204",
        "turn",
        "no path leads from `fetch` to node `turn`",
        "next: turn",
    ),
    Mistake(
        "an endless loop",
        (('"${state.page + 1}"}\n      next: count', '"${state.page + 1}"}\n      next: turn'),),
        "GW208",
        "turn",
        "the cycle `turn → turn` has no exit",
        "add an exit before the edge back, in `turn`",
    ),
    Mistake(
        "a missing default",
        (("        - to: turn\n", "        - {to: turn, when: {path: state.total, op: lt, value: 100}}\n"),),
        "GW207",
        "next",
        "for example when `state.more` is null and `state.total` is 100",
        "end the list with an edge without `when`: `- to: …`",
    ),
    Mistake(
        "a key read on a path that skips it",
        (('output: {problem: "${state._last_error.error}"}', 'output: {problem: "${state.tickets}"}'),),
        "GW302",
        "state.tickets",
        "the path `fetch → apologise` skips it (when `fetch` fails, its `assign` is not reached)",
        "give `tickets` a value in `config.state`, or write a fallback: `${state.tickets || …}`",
    ),
    Mistake(
        "an exit condition that never changes",
        (
            ("path: state.more, value: false", "path: inputs.limit, value: 0"),
            ("path: state.total", "path: inputs.limit"),
            ('pages: "${state.page}"', 'pages: "${state.page}", more: ["${state.more}", "${state.total}"]'),
        ),
        "GW209",
        "inputs.limit",
        "the loop `count → turn → count` waits for `inputs.limit` to change, but does not assign it",
        "let the condition read something that the loop assigns, such as `state.total`",
    ),
    Mistake(
        "a number compared with text",
        (("op: gt, value: 100", 'op: gt, value: "100"'),),
        "GW407",
        "state.total",
        "`state.total` is an integer, which `gt` cannot compare with a string",
        "write the number without quotes: `value: 100`",
    ),
    Mistake(
        "a wrong parameter of a tool",
        (("          command: fetch", "          comand: fetch"),),
        "GW702",
        "comand",
        "tool `rye/bash` has no param `comand`",
        "did you mean `command`?",
    ),
    Mistake(
        "a duplicate key",
        (("      next: done\n", "      next: done\n      next: apologise\n"),),
        "GW002",
        "next",
        "duplicate key `next` in one mapping, first on line 52",
        "remove one of them",
    ),
    Mistake(
        "an undeclared environment variable",
        (("env_requires: [TICKETS_TOKEN]\n", ""),),
        "GW503",
        "$TICKETS_TOKEN",
        "the command of node `fetch` reads `$TICKETS_TOKEN`, which is not declared",
        "add `env_requires: [TICKETS_TOKEN]` to node `fetch`",
    ),
    Mistake(
        "an uncovered permission",
        (("  - rye.execute.tool.tickets.*\n", ""),),
        "GW601",
        "tool:tickets/count",
        "node `count` needs `rye.execute.tool.tickets.count`, which `permissions` does not cover",
        "add `- rye.execute.tool.tickets.count` to `permissions`",
    ),
    Mistake(
        "shell injection",
        (("${inputs.team | quote}", "${inputs.team}"),),
        "GW606",
        "inputs.team",
        "`inputs.team` is inserted unquoted into a shell command of node `fetch`; the caller chooses it",
        "write `${inputs.team | quote}`",
    ),
]

FILES = {"graphs/weekly.yaml": WEEKLY, "graphs/reports/render.yaml": RENDER}


def loud(text: str) -> list[Diagnostic]:
    """The errors and warnings of the graph, if this is its text."""
    return [
        one for one in check_files({**FILES, "graphs/weekly.yaml": text}, "graphs") if one.severity is not Severity.NOTE
    ]


def test_there_are_sixteen() -> None:
    assert len(MISTAKES) == 16


def test_the_graph_has_none_of_them() -> None:
    assert loud(WEEKLY) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name.replace(" ", "-"))
def test_a_mistake_is_found(mistake: Mistake) -> None:
    text = edit(WEEKLY, *mistake.changes)
    found = loud(text)
    assert [one.code for one in found] == [mistake.code], "this and nothing else"
    one = found[0]
    line = text.splitlines()[one.span.line - 1]
    assert line[one.span.column - 1 : one.span.end_column - 1] == mistake.caret
    assert mistake.message in one.message
    assert mistake.help in (one.help or "")
    assert "\n" not in one.message


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name.replace(" ", "-"))
def test_a_terminal_shows_it(mistake: Mistake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The place to click on, the line itself with a caret below it, and what to type."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(edit(text, *mistake.changes) if text is WEEKLY else text, encoding="utf-8")
    shown = graphwright("check", "--no-cache", "graphs")
    text = shown.stdout + shown.stderr
    assert f"[{mistake.code}]" in text
    assert "--> graphs/weekly.yaml:" in text
    assert "^" * len(mistake.caret) in text
    assert "help:" in text

"""`graphwright diff`: two graphs are compared by meaning."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright
from readback.graphs import TICKETS

GRAPH = Path("graphs/team/close-tickets.yaml")
ROOT = Path(__file__).parents[2]
GRAPHS = [
    *sorted((ROOT / "tests/golden/modules").glob("*.yaml")),
    *sorted((ROOT / "examples").rglob("*.yaml")),
    *sorted((ROOT / "tests/advice/graphs").glob("*.yaml")),
    *sorted((ROOT / "tests/mutation/graphs").glob("*.yaml")),
]

#: A node, and the same one in another order.
DONE = '    done: {type: return, output: {closed: "${state.closed}", total: "${state.total}"}}\n'
MOVED = '    done: {output: {total: "${state.total}", closed: "${state.closed}"}, type: return}\n'
BOTH = '{total: "${result.total}", tickets: "${result.tickets}"}'

pytestmark = pytest.mark.usefixtures("project")


def differences(*changes: tuple[str, str], breaking: bool = False, old: str = TICKETS) -> list[dict[str, Any]]:
    """The differences that replacing texts of the graph makes, as the command prints them."""
    new = old
    for before, after in changes:
        assert before in new, before
        new = new.replace(before, after, 1)
    Path("old.yaml").write_text(old, "utf-8")
    Path("new.yaml").write_text(new, "utf-8")
    done = graphwright("diff", "old.yaml", "new.yaml", "--breaking", "--format", "json")
    record = json.loads(done.stdout)
    assert record["breaking"] == breaking == (done.code == 1), done.stdout
    assert record["equal"] == (not record["differences"])
    found = record["differences"]
    assert isinstance(found, list)
    return found


def told(found: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(each["area"], each["name"], each["kind"]) for each in found]


def test_comments_layout_and_order_are_no_difference() -> None:
    found = differences(
        ("version:", "# what it does\nversion:"),
        ("Close the tickets of a team.", "Close all tickets."),
        ('{tickets: "${result.tickets}", total: "${result.total}"}', BOTH),
        ('team: "${inputs.team}", most: "${inputs.most}"', 'most: "${ inputs.most }", team: "${inputs[\'team\']}"'),
        ("[rye.execute.tool.tickets.*, rye.search.knowledge]", "[rye.search.knowledge, rye.execute.tool.tickets.*]"),
        ("    most: {type: integer, default: 10}\n", ""),
        ("    team:", "    most: {default: 10, type: integer, title: Most}\n    team:"),
        (DONE, ""),
        ("    fetch:\n", f"{MOVED}    fetch:\n"),
        ("max_steps: 50", "max_steps: 50  # enough"),
        ("{path: result.total, value: 0}", "{value: 0, op: eq, path: result.total}"),
    )  # fmt: skip
    assert found == []


def test_the_order_of_assigns_that_read_each_other_matters() -> None:
    graph = TICKETS.replace("{total: 0}", '{total: 0, twice: "${state.total}"}')
    found = differences(('total: 0, twice: "${state.total}"', 'twice: "${state.total}", total: 0'), old=graph)
    assert told(found) == [("nodes", "none", "changed")]


@pytest.mark.parametrize(
    ("after", "kinds"),
    [
        ("[rye.execute.tool.*, rye.search.knowledge]", ["broader", "removed"]),
        ("[rye.execute.tool.tickets.*, rye.search.knowledge, rye.load.*]", ["broader"]),
        ("[rye.execute.tool.tickets.*, rye.search.knowledge, rye.execute.tool.tickets.tell]", ["added"]),
        ("[rye.execute.tool.tickets.list, rye.search.knowledge]", ["narrower", "added"]),
        ("[rye.execute.tool.tickets.*]", ["narrower"]),
        ("[rye.execute.tool.tickets.?*, rye.search.knowledge]", ["narrower", "added"]),
    ],
)
def test_permissions(after: str, kinds: list[str]) -> None:
    found = differences(("[rye.execute.tool.tickets.*, rye.search.knowledge]", after))
    assert [each["kind"] for each in found if each["area"] == "permissions"] == kinds
    assert [each["review"] for each in found] == [each["kind"] == "broader" for each in found]


def test_undeclared_permissions_are_those_of_the_caller() -> None:
    declared = ("permissions: [rye.execute.tool.tickets.*, rye.search.knowledge]\n", "")
    [broader] = differences(declared)
    assert (broader["kind"], broader["review"]) == ("broader", True)
    [narrower] = differences(("env_requires", "permissions: []\nenv_requires"), old=TICKETS.replace(*declared))
    assert (narrower["kind"], narrower["review"]) == ("narrower", False)


def test_broader_permissions_come_first() -> None:
    found = differences(
        ("max_steps: 50", "max_steps: 51"),
        ("tickets.*,", "*,"),
        ("required: [team]", "required: [team, mode2]"),
        ("    team:", "    mode2: {type: string}\n    team:"),
        breaking=True,
    )
    assert told(found)[0] == ("permissions", "rye.execute.tool.*", "broader")


@pytest.mark.parametrize(
    ("before", "after", "kind", "breaking"),
    [
        ("    team:", "    who: {type: string}\n    team:", "added", False),
        ("    most: {type: integer, default: 10}\n", "", "removed", True),
        ("required: [team]", "required: [team, due-date]", "narrower", True),
        ("  required: [team]\n", "", "broader", False),
        ("team: {type: string}", "team: {type: [string, integer]}", "broader", False),
        ("team: {type: string}", "team: {}", "broader", False),
        ("team: {type: string}", "team: {type: integer}", "changed", True),
        ("team: {type: string}", "team: {type: string, minLength: 1}", "narrower", True),
        ("team: {type: string}", 'team: {type: string, pattern: "^a"}', "narrower", True),
        ("team: {type: string}", "team: {type: string, title: Team}", None, False),
        ("type: integer, default: 10", "type: number, default: 10", "broader", False),
        ("type: integer, default: 10", "type: integer, default: 11", "changed", False),
        ("[fast, slow]", "[slow, fast]", None, False),
        ("[fast, slow]", "[fast, slow, other]", "broader", False),
        ("[fast, slow]", "[fast]", "narrower", True),
        ("  required: [team]", "  required: [team]\n  additionalProperties: false", "narrower", True),
        ("  required: [team]", "  required: [team]\n  maxProperties: 3", "narrower", True),
    ],
)
def test_inputs(before: str, after: str, kind: str | None, breaking: bool) -> None:
    found = [each for each in differences((before, after), breaking=breaking) if each["area"] == "inputs"]
    assert [each["kind"] for each in found] == ([] if kind is None else [kind])


NESTED = TICKETS.replace(
    "team: {type: string}",
    "team: {type: object, properties: {name: {type: string, maxLength: 9},"
    " ids: {type: array, items: {$ref: '#/$defs/id'}}},"
    " required: [name]}",
).replace("  required: [team]", "  required: [team]\n  $defs: {id: {type: integer, minimum: 1}}")


@pytest.mark.parametrize(
    ("before", "after", "kind", "breaking"),
    [
        ("maxLength: 9", "maxLength: 10", "broader", False),
        ("maxLength: 9", "maxLength: 8", "narrower", True),
        ("required: [name]}", "required: [name, ids]}", "narrower", True),
        ("required: [name]}", "required: []}", "broader", False),
        ("minimum: 1}", "minimum: 0}", "broader", False),
        ("minimum: 1}", "minimum: 2}", "narrower", True),
        ("minimum: 1}", "exclusiveMinimum: 1}", "changed", True),
        ("maxLength: 9", "maxLength: 9, default: x", "changed", False),
        ("properties: {name:", "properties: {more: {type: string}, name:", "broader", False),
    ],
)
def test_inside_inputs(before: str, after: str, kind: str, breaking: bool) -> None:
    found = differences((before, after), breaking=breaking, old=NESTED)
    assert told(found) == [("inputs", "team", kind)]


CARD = "{type: object, properties: {kind: {const: card}, number: {type: string}}, required: [kind]}"
CASH = "{type: object, properties: {kind: {const: cash}}, required: [kind]}"
BANK = "{type: object, properties: {kind: {const: bank}}, required: [kind]}"
OPTIONS = f"{CARD}, {CASH}"


@pytest.mark.parametrize(
    ("after", "kind", "text"),
    [
        (
            f"{OPTIONS}, {BANK}",
            "broader",
            'accepts more: oneOf: {"type": "object", "properties": {"kind": {"const": "bank',
        ),
        (CASH, "narrower", 'accepts less: oneOf: {"type": "object", "properties": {"kind": {"const": "card"}'),
        (
            OPTIONS.replace("{type: string}", "{type: [string, integer]}"),
            "broader",
            "accepts more: oneOf.properties.number",
        ),
        (OPTIONS.replace("cash", "bank"), "changed", 'oneOf.properties.kind.enum: "cash" removed, "bank" added'),
        (f"{BANK}, {CASH}, {CARD.replace('string', 'integer')}", "changed", "removed, "),
    ],
)
def test_alternatives(after: str, kind: str, text: str) -> None:
    """Each is compared by itself."""
    old = TICKETS.replace("team: {type: string}", f"team: {{oneOf: [{OPTIONS}]}}")
    (found,) = differences((OPTIONS, after), breaking=kind != "broader", old=old)
    assert (found["kind"], found["name"]) == (kind, "team")
    assert text in found["message"]


def test_alternatives_in_modules(project: Path) -> None:
    """They are unions there."""
    for name, options in (("few", OPTIONS), ("many", f"{OPTIONS}, {BANK}")):
        text = TICKETS.replace("team: {type: string}", f"team: {{oneOf: [{options}]}}")
        (project / "graphs" / f"{name}.yaml").write_text(text, "utf-8")
    graphwright("build")
    more, fewer = (
        json.loads(graphwright("diff", f"generated/{old}.py", f"generated/{new}.py", "--format", "json").stdout)
        for old, new in (("few", "many"), ("many", "few"))
    )
    assert ("inputs", "team", "broader") in told(more["differences"])
    assert not more["breaking"]
    assert ("inputs", "team", "narrower") in told(fewer["differences"])
    assert fewer["breaking"]


@pytest.mark.parametrize(
    ("before", "after", "expected", "breaking"),
    [
        (', total: "${state.total}"}}', "}}", [("total", "removed")], True),
        ('{closed: "${state.closed}"', '{n: 1, closed: "${state.closed}"', [("n", "added")], False),
        ('total: "${state.total}"}}', "total: 1}}", [("total", "narrower")], False),
        ('closed: "${state.closed}"', 'closed: "${state.closed | json}"', [("closed", "changed")], True),
        ('{closed: "${state.closed}", total: "${state.total}"}', '"${state.total}"', [("", "changed")], True),
    ],
)  # fmt: skip
def test_output(before: str, after: str, expected: list[tuple[str, str]], breaking: bool) -> None:
    found = [each for each in differences((before, after), breaking=breaking) if each["area"] == "output"]
    assert [(each["name"], each["kind"]) for each in found] == expected


def test_declared_output() -> None:
    schema = (
        "output_schema: {type: object, properties: {closed: {}, total: {type: integer}}, required: [total]}\nconfig:"
    )
    graph = TICKETS.replace("config:", schema)
    assert told(differences((", required: [total]", ""), breaking=True, old=graph)) == [("output", "total", "broader")]
    assert told(
        differences(("total: {type: integer}", "total: {type: [integer, string]}"), breaking=True, old=graph)
    ) == [("output", "total", "broader")]


def test_declared_constraints() -> None:
    schemas = (
        "output_schema: {type: object, properties: {total: {type: integer, minimum: 0}}}\n"
        "config:\n  state_schema: {type: object, properties: {total: {type: integer, maximum: 9}}}"
    )
    graph = TICKETS.replace("config:", schemas)
    assert told(differences(("minimum: 0", "minimum: 1"), old=graph)) == [("output", "total", "narrower")]
    assert told(differences((", minimum: 0", ""), breaking=True, old=graph)) == [("output", "total", "broader")]
    assert told(differences(("maximum: 9", "maximum: 8"), old=graph)) == [("state", "total", "narrower")]


def test_state_and_environment() -> None:
    found = differences(("state: {seen: 0}", "state: {seen: 1, more: []}"))
    assert told(found) == [("state", "more", "added"), ("state", "seen", "changed")]
    found = differences(("env_requires: TICKET_TOKEN", "env_requires: [TICKET_TOKEN, OTHER]"), breaking=True)
    assert told(found) == [("environment", "OTHER", "added")]
    found = differences(("env_requires: TICKET_TOKEN\n", ""))
    assert told(found) == [("environment", "TICKET_TOKEN", "removed")]
    found = differences(("      timeout_s: 30", "      env_requires: OTHER\n      timeout_s: 30"), breaking=True)
    assert told(found) == [("environment", "OTHER", "added"), ("nodes", "fetch", "changed")]


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("max_steps: 50", "max_steps: 51", "max_steps"),
        ("  max_steps: 50\n", "", "max_steps"),
        ("on_max_steps: flag", "on_max_steps: fail", "on_max_steps"),
        ("  timeout_s: 300\n", "", "timeout_s"),
        ("start: fetch", "start: none", "start"),
        ("config:", "limits: {depth: 2}\nconfig:", "limits.depth"),
        ("config:", "config:\n  max_concurrency: 4", "max_concurrency"),
        ("config:", "config:\n  require_capabilities: true", "require_capabilities"),
        ("config:", "config:\n  builtin_hooks: false", "builtin_hooks"),
        ("config:", "config:\n  on_error: continue", "on_error"),
    ],
)
def test_settings(before: str, after: str, name: str) -> None:
    found = [each for each in differences((before, after)) if each["area"] == "settings"]
    assert [each["name"] for each in found] == [name]


def test_hooks() -> None:
    assert told(differences(("value: permanent", "value: timeout"))) == [("hooks", "tell", "changed")]
    assert told(differences(("additional_steps: 5", "additional_steps: 6"))) == [("hooks", "limit", "changed")]
    assert told(differences(("    - {event: limit, action: {continue: true, additional_steps: 5}}\n", ""))) == [
        ("hooks", "limit", "removed")
    ]


def test_nodes_are_told_in_words_of_the_language() -> None:
    [changed] = differences(("value: 0}", "value: 3, op: gte}"))
    assert changed["lines"] == ["- next none when result.total eq 0", "+ next none when result.total gte 3"]
    [changed] = differences(('n: "${state.total}"', 'n: "${state.total || 0}"'))
    assert changed["lines"] == ["- n = state.total", "+ n = (state.total || 0)"]
    found = differences(("tickets/close", "tickets/shut"), breaking=True)
    assert told(found) == [
        ("tools", "tool:tickets/shut", "added"),
        ("tools", "tool:tickets/close", "removed"),
        ("nodes", "close", "changed"),
    ]
    found = differences(
        ("timeout_s: 30\n", "timeout_s: 31\n"), ("attempts: 4", "attempts: 5"), ("max_visits: 3", "max_visits: 4")
    )
    assert told(found) == [("nodes", "fetch", "changed"), ("nodes", "pick", "changed")]
    found = differences(("    none: {type: gate", "    extra: {type: gate, next: done}\n    none: {type: gate"))
    assert told(found) == [("nodes", "extra", "added")]


def test_renamed_nodes_are_recognized() -> None:
    """Also if they lead to each other, or to themselves, and whatever leads to them."""
    found = differences(
        ("    close:\n", "    shut:\n"),
        ("{to: close}", "{to: shut}"),
        ("next: pick", "next: choose"),
        ("    pick:\n", "    choose:\n"),
        ("    failed:", "    broken:"),
        ("on_error: failed", "on_error: broken"),
        ("start: fetch", "start: get"),
        ("    fetch:\n", "    get:\n"),
    )
    assert [(each["kind"], each["old"], each["new"]) for each in found] == [
        ("renamed", "fetch", "get"),
        ("renamed", "close", "shut"),
        ("renamed", "pick", "choose"),
        ("renamed", "failed", "broken"),
    ]
    loop = TICKETS.replace("next: done\n    none", "next: pick\n    none")
    found = differences(
        ("    pick:\n", "    choose:\n"), ("next: pick", "next: choose"), ("next: pick", "next: choose"), old=loop
    )
    assert told(found) == [("nodes", "pick", "renamed")]
    found = differences(
        ("    pick:\n", "    choose:\n"), ("next: pick", "next: choose"), ("max_visits: 3", "max_visits: 2")
    )
    assert told(found) == [("nodes", "close", "changed"), ("nodes", "pick", "removed"), ("nodes", "choose", "added")]


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.stem)
def test_a_graph_and_its_module_are_equal(graph: Path, project: Path) -> None:
    copy = project / "graphs" / graph.name
    copy.write_bytes(graph.read_bytes())
    built = graphwright("build", copy)
    module = next((project / "generated").glob(f"{graph.stem.replace('-', '_')}*.py"), None)
    assert module is not None, built.stderr
    for old, new in ((copy, module), (module, copy), (copy, copy), (module, module)):
        done = graphwright("diff", old, new, "--breaking")
        assert (done.code, done.stdout.partition(": ")[2]) == (0, "no differences\n"), done.stdout


def test_modules_are_compared_as_far_as_they_tell(project: Path) -> None:
    graphwright("build")
    module = project / "generated/team/close_tickets.py"
    old = project / "old.py"
    module.rename(old)
    (project / GRAPH).write_text(
        TICKETS.replace("[team]", "[team, mode]")
        .replace("value: 0}", "value: 3}")
        .replace("default: 10", "default: 12, minimum: 1")
        .replace(", default: fast", "")
        .replace("    pick:\n", "    choose:\n")
        .replace("next: pick", "next: choose")
        .replace("tickets.*", "*"),
        "utf-8",
    )
    graphwright("build")
    for new in (str(module), str(GRAPH), "team/close-tickets", "generated.team.close_tickets"):
        done = graphwright("diff", old, new, "--breaking", "--format", "json")
        record = json.loads(done.stdout)
        assert done.code == 1
        assert told(record["differences"]) == [
            ("permissions", "rye.execute.tool.*", "broader"),
            ("permissions", "rye.execute.tool.tickets.*", "removed"),
            ("inputs", "most", "changed"),
            ("inputs", "mode", "narrower"),
            ("inputs", "most", "changed"),
            ("nodes", "fetch", "changed"),
            ("nodes", "pick", "renamed"),
        ]
        assert record["not_compared"]
        fetch = record["differences"][5]
        assert fetch["lines"] == [
            "-     if equal(result.get('total'), 0):",
            "+     if equal(result.get('total'), 3):",
        ]


def test_revisions_of_git(project: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments], check=True, capture_output=True
        )

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    (project / GRAPH).write_text(TICKETS.replace("max_steps: 50", "max_steps: 51"), "utf-8")
    (project / "graphs/team/deep").mkdir()
    one = "graphs/team/close-tickets.yaml at HEAD"
    for folder, old in (
        (project, f"HEAD:{GRAPH}"),
        (project / "graphs/team/deep", f"HEAD:{GRAPH}"),
        (project / "graphs/team/deep", "HEAD:../close-tickets.yaml"),
        (project, f":{GRAPH}"),
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            done = graphwright("diff", old, "team/close-tickets")
            assert (done.code, "`max_steps`: 50 → 51" in done.stdout) == (0, True), (one, done.stderr)
    (project / GRAPH).unlink()  # what was deleted can still be read
    assert graphwright("diff", f"HEAD:{GRAPH}", f"HEAD:{GRAPH}").stdout.endswith("no differences\n")
    for bad in (f"nothing:{GRAPH}", "HEAD:graphs/none.yaml", "HEAD:graphwright.toml", "--output=x:y.yaml"):
        done = graphwright("diff", "--", bad, bad) if bad.startswith("-") else graphwright("diff", bad, bad)
        assert (done.code, done.stdout) == (2, ""), bad
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "text", ["", "a: [", "tool_type: tool\n", "version: 1\n", "tool_type: graph\nconfig: {nodes: 3}\n", "\0"]
)
def test_what_is_not_a_graph_is_unreadable(text: str, project: Path) -> None:
    (project / "bad.yaml").write_text(text, "utf-8")
    for sides in (("bad.yaml", GRAPH), (GRAPH, "bad.yaml")):
        done = graphwright("diff", *sides)
        assert (done.code, done.stdout) == (2, "")
        assert done.stderr.startswith("graphwright: bad.yaml")


def test_graphs_with_errors_are_compared_with_a_remark(project: Path) -> None:
    graphwright("build")
    (project / "bad.yaml").write_text(TICKETS.replace("next: pick", "next: pikc"), "utf-8")
    done = graphwright("diff", GRAPH, "bad.yaml")
    assert (done.code, "bad.yaml has 1 error" in done.stderr) == (0, True)
    done = graphwright("diff", "bad.yaml", "generated/team/close_tickets.py")
    assert (done.code, done.stdout, "cannot be compared with a module" in done.stderr) == (2, "", True)


def test_forms_for_people(project: Path) -> None:
    (project / "new.yaml").write_text(
        TICKETS.replace("tickets.*,", "*,")
        .replace("env_requires: T", "env_requires: A_T")
        .replace("value: 0}", "value: 1}"),
        "utf-8",
    )
    text = graphwright("diff", GRAPH, "new.yaml").stdout
    assert text.startswith(f"{GRAPH} → new.yaml: 5 differences, 1 breaking\n\npermissions\n  > `rye.execute.tool.*`")
    assert "  + `A_TICKET_TOKEN` is required now (breaking)\n" in text
    assert "      - next none when result.total eq 0\n      + next none when result.total eq 1\n" in text
    markdown = graphwright("diff", GRAPH, "new.yaml", "--format", "markdown").stdout
    assert "#### permissions\n\n- `rye.execute.tool.*` is newly permitted **(review this)**\n" in markdown
    assert "  ```diff\n  - next none when result.total eq 0\n" in markdown

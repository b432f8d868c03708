"""Results that a tool declares as nullable, where another tool or a graph requires a value."""

from __future__ import annotations

import pytest

from checking import check_files, line_of, loud, only
from graphwright.diagnostic import Diagnostic, Severity

FIND = """\
from typing import NotRequired, TypedDict
class Row(TypedDict):
    id: int
    name: str
    title: str | None
class Found(TypedDict):
    row: Row | None
    first: Row
    title: str | None
    name: str
    size: int | None
    status: str
    count: int
    rows: list[Row]
    note: NotRequired[str]
def execute(params) -> Found: ...
"""
MAYBE = FIND.replace("-> Found", "-> Found | None")
SAVE = """\
from typing import NotRequired, TypedDict
class Book(TypedDict):
    name: str
    author: NotRequired[str]
class Params(TypedDict):
    title: str
    note: NotRequired[str | None]
    book: NotRequired[Book]
def execute(params: Params) -> None: ...
"""
GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.team.*]
config:
  start: find
  nodes:
    find:
      action: {item_id: tool:team/find}
      assign: ASSIGN
      next: NEXT
    save:
      action: {item_id: tool:team/save, params: PARAMS}
      next: done
    none: {type: return, output: {}}
    done: {type: return, output: {}}
"""
BOTH = "[{to: save, when: {path: PATH, op: exists}}, {to: none}]"


def graph(assign: str, params: str, following: str = "save") -> str:
    text = GRAPH if "none" in following else GRAPH.replace("    none: {type: return, output: {}}\n", "")
    return text.replace("ASSIGN", assign).replace("PARAMS", params).replace("NEXT", following)


def check_graph(text: str, find: str = FIND) -> list[str]:
    """What is said of a graph that calls both tools."""
    files = {".ai/tools/team/find.py": find, ".ai/tools/team/save.py": SAVE, ".ai/tools/g.yaml": text}
    return loud(check_files(files, ".ai"))


TITLE = '{title: "${result.title}"}'

CARELESS = {
    "a field": (TITLE, '{title: "${state.title}"}', "save"),
    "below a mapping": ('{first: "${result.first}"}', '{title: "${state.first.title}"}', "save"),
    "the whole result": ('{found: "${result}"}', '{title: "${state.found.title}"}', "save"),
    "a mapping that may be null": ('{row: "${result.row}"}', '{title: "${state.row.title}"}', "save"),
    "copied": ('{a: "${result.title}", title: "${state.a}"}', '{title: "${state.title}"}', "save"),
    "in a mapping": ('{row: {title: "${result.title}"}}', '{title: "${state.row.title}"}', "save"),
    "in a mapping that is copied": (
        '{a: {it: {title: "${result.title}"}}, b: "${state.a.it}"}', '{title: "${state.b.title}"}', "save"
    ),
    "copied into a mapping": (
        '{a: "${result.row}", b: {row: "${state.a}"}}', '{title: "${state.b.row.title}"}', "save"
    ),
    "the type does not fit, either": ('{size: "${result.size}"}', '{title: "${state.size}"}', "save"),
    "on the wrong edge": (
        TITLE, '{title: "${state.title}"}', "[{to: none, when: {path: state.title, op: exists}}, {to: save}]"
    ),
    "a field of a mapping that may be null": (
        '{name: "${result.row.name}"}', '{title: "${state.name}"}', BOTH.replace("PATH", "result.name")
    ),
    "another path is there": (TITLE, '{title: "${state.title}"}', BOTH.replace("PATH", "result.name")),
    "the mapping is there": (
        '{row: "${result.row}"}', '{title: "${state.row.title}"}', BOTH.replace("PATH", "state.row")
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CARELESS)
def test_a_null_that_is_not_expected(case: str) -> None:
    text = graph(*CARELESS[case])
    assert check_graph(text) == [f"GW412:{line_of(text, 'tool:team/save')}"]


CAREFUL = {
    "in a mapping, next to it": (
        '{row: {title: "${result.title}", a: "${result.name}"}}', '{title: "${state.row.a}"}', "save"
    ),
    "in a mapping, asked for": (
        '{row: {title: "${result.title}"}}', '{title: "${state.row.title}"}', BOTH.replace("PATH", "state.row.title")
    ),
    "a status tells": (
        TITLE, '{title: "${state.title}"}', "[{to: save, when: {path: result.status, value: found}}, {to: none}]"
    ),
    "a count tells": (
        TITLE, '{title: "${state.title}"}', "[{to: save, when: {path: result.count, op: gt, value: 0}}, {to: none}]"
    ),
    "a fallback": (TITLE, "{title: \"${state.title || 'none'}\"}", "save"),
    "in text": (TITLE, '{title: "title: ${state.title}"}', "save"),
    "a fallback where it is assigned": ("{title: \"${result.title || 'none'}\"}", '{title: "${state.title}"}', "save"),
    "the edge asks": (TITLE, '{title: "${state.title}"}', BOTH.replace("PATH", "state.title")),
    "the edge asks the result": (TITLE, '{title: "${state.title}"}', BOTH.replace("PATH", "result.title")),
    "the edge asks below": (
        '{first: "${result.first}"}', '{title: "${state.first.title}"}', BOTH.replace("PATH", "state.first.title")
    ),
    "the edge compares": (
        TITLE,
        '{title: "${state.title}"}',
        "[{to: none, when: {path: state.title, op: eq, value: null}}, {to: save}]",
    ),
    "the edge asks for the mapping": (
        '{row: "${result.row}"}', '{title: "${state.row.name}"}', BOTH.replace("PATH", "state.row")
    ),
    "the edge asks for a sibling": (
        '{row: "${result.row}"}', '{title: "${state.row.name}"}', BOTH.replace("PATH", "state.row.title")
    ),
    "the edge asks for the mapping in the result": (
        '{row: "${result.row}"}', '{title: "${state.row.name}"}', BOTH.replace("PATH", "result.row")
    ),
    "the edge asks for what it is assigned from": (
        '{name: "${result.row.name}"}', '{title: "${state.name}"}', BOTH.replace("PATH", "result.row")
    ),
    "a copy of the mapping": (
        '{row: "${result.row}", it: "${state.row}"}', '{title: "${state.it.name}"}', BOTH.replace("PATH", "state.it")
    ),
    "a field that is never null": ('{name: "${result.name}"}', '{title: "${state.name}"}', "save"),
    "a field that may be missing": ('{note: "${result.note}"}', '{title: "${state.note}"}', "save"),
    "a param that is optional": (TITLE, '{title: a, note: "${state.title}"}', "save"),
    "replaced": ('{a: "${result.title}", title: b}', '{title: "${state.title}", note: "${state.a}"}', "save"),
}  # fmt: skip


@pytest.mark.parametrize("case", CAREFUL)
def test_a_null_that_is_expected(case: str) -> None:
    assert check_graph(graph(*CAREFUL[case])) == []


@pytest.mark.parametrize(("field", "codes"), [("title", ["GW412:14"]), ("name", []), ("title || 'none'", [])])
def test_a_field_of_an_item_of_a_loop(field: str, codes: list[str]) -> None:
    loop = "    save:\n      type: foreach\n      over: ${state.rows}\n      as: row\n"
    text = graph('{rows: "${result.rows}"}', f'{{title: "${{row.{field}}}"}}').replace("    save:\n", loop)
    assert check_graph(text) == codes


def test_a_result_that_may_be_null() -> None:
    assert check_graph(graph('{name: "${result.name}"}', '{title: "${state.name}"}'), MAYBE) == ["GW412:11"]


def test_the_message() -> None:
    text = graph(TITLE, '{title: "${state.title}"}')
    files = {".ai/tools/team/find.py": FIND, ".ai/tools/team/save.py": SAVE, ".ai/tools/g.yaml": text}
    found = only(check_files(files, ".ai"), "GW412")
    assert found.message == "node `save`: `state.title` may be null, but tool `team/save` requires `title`"
    assert found.help is not None
    assert "`${state.title || …}`" in found.help
    assert [(label.span.line, label.message) for label in found.related] == [(8, "may be null")]


def test_a_graph_that_requires_an_input() -> None:
    called = (
        "tool_type: graph\npermissions: []\n"
        "config_schema: {type: object, properties: {title: {type: string}}, required: [title]}\n"
        'config: {start: a, nodes: {a: {type: return, output: {title: "${inputs.title}"}}}}\n'
    )
    text = graph(TITLE, '{title: "${state.title}"}')
    files = {".ai/tools/team/find.py": FIND, ".ai/tools/team/save.yaml": called, ".ai/tools/g.yaml": text}
    found = only(check_files(files, ".ai"), "GW704")
    assert found.message == "node `save`: `state.title` may be null, but graph `team/save` requires `title`"


@pytest.mark.parametrize(("key", "codes"), [("title", ["GW412:11"]), ("other", [])])
def test_a_loop_that_sets_it_again(key: str, codes: list[str]) -> None:
    again = (
        'next: again\n    again:\n      action: {item_id: tool:team/find}\n      assign: {KEY: "${result.title}"}\n'
        "      next: [{to: save, when: {path: result.name, op: exists}}, {to: done}]\n    none:"
    )
    text = graph(TITLE, '{title: "${state.title}", note: "${state.other || 1}"}', BOTH.replace("PATH", "state.title"))
    text = text.replace("next: done\n    none:", again.replace("KEY", key))
    assert [each for each in check_graph(text) if "GW412" in each] == codes


# --- operations that fail on null -----------------------------------------------------------------------------------

COUNT = """\
from typing import Literal, NotRequired, TypedDict
class Row(TypedDict):
    id: int
    size: int | None
class Counted(TypedDict):
    total: int | None
    other: int
    rows: list[Row] | None
    all: list[Row]
    row: Row
    found: bool
    kind: Literal["one", "none"]
    note: NotRequired[int]
def execute(params) -> Counted: ...
"""
COUNTING = """\
tool_type: graph
permissions: [rye.execute.tool.team.*]
config:
  start: count
  nodes:
    count:
      action: {item_id: tool:team/count}
      assign: ASSIGN
      next: NEXT
    use: USE
    none: {type: return, output: {n: 0}}
"""
ASSIGNED = '{total: "${result.total}", row: "${result.row}", rows: "${result.rows}", other: "${result.other}"}'
ITEMS = (
    '{type: foreach, over: "${state.rows}", as: row, next: none, '
    'action: {item_id: "tool:team/count", params: {n: "${row.size + 1}"}}}'
)
ASKED = "[{to: use, when: {path: state.total, op: exists}}, {to: none}]"
LOOP = '{type: foreach, over: "OVER", action: {item_id: "tool:team/count"}, next: none}'


def counting(assign: str, following: str, use: str) -> list[Diagnostic]:
    """What is said of a graph that counts; the unused keys are of no interest."""
    text = COUNTING.replace("ASSIGN", assign).replace("NEXT", following).replace("USE", use)
    found = check_files({".ai/tools/team/count.py": COUNT, ".ai/tools/g.yaml": text}, ".ai")
    return [each for each in found if each.severity is not Severity.NOTE and each.code not in ("GW303", "GW204")]


def using(value: str) -> str:
    """A return node."""
    return f"{{type: return, output: {{n: '{value}'}}}}"


EXISTS = "{path: result.total, op: exists}"
TESTED = '{path: result.other, op: gt, value: "${result.total}"}'


def when(how: str, *conditions: str) -> str:
    """Edges of which the first has several conditions."""
    return f"[{{to: use, when: {{{how}: [{', '.join(conditions)}]}}}}, {{to: none}}]"


FAILING = {
    "in the assign": ('{total: "${result.total + 1}"}', "use", using("${state.total}"), 8),
    "a negative": ('{total: "${-result.total}"}', "use", using("${state.total}"), 8),
    "in a later assign": ('{a: "${result.total}", total: "${state.a + 1}"}', "use", using("${state.total}"), 8),
    "in the state": (ASSIGNED, "use", using("${state.total * 2}"), 10),
    "through a pipe, which skips null": (ASSIGNED, "use", using("${(state.total | int) + 1}"), 10),
    "below a mapping": (ASSIGNED, "use", using("${state.row.size + 1}"), 10),
    "another key exists": (ASSIGNED, ASKED.replace("total", "row"), using("${state.total + 1}"), 10),
    "the limit of a comparison": (
        ASSIGNED, '[{to: use, when: {path: state.other, op: gt, value: "${state.total}"}}, {to: none}]', using("1"), 9
    ),
    "the limit, before the test": (
        ASSIGNED, when("any", TESTED, EXISTS), using("1"), 9
    ),
    "a loop": (ASSIGNED, "use", LOOP.replace("OVER", "${state.rows}"), 10),
    "a field of an item": ('{rows: "${result.all}"}', "use", ITEMS, 10),
    "a field of an item in a mapping": (
        '{found: "${result}"}', "use", ITEMS.replace("state.rows", "state.found.all"), 10
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FAILING)
def test_an_operation_that_fails_on_null(case: str) -> None:
    *graph_parts, line = FAILING[case]
    found = counting(*graph_parts)
    assert [f"{each.code}:{each.span.line}" for each in found] == [f"GW412:{line}"], found
    assert found[0].severity is (Severity.WARNING if case == "a loop" else Severity.ERROR)


HANDLED = {
    "a fallback": ('{total: "${(result.total || 0) + 1}"}', "use", using("${state.total}")),
    "a default": ('{total: "${(result.total | default(0)) + 1}"}', "use", using("${state.total}")),
    "a fallback in a chain": ('{total: "${result.total || result.other}"}', "use", using("${state.total + 1}")),
    "the last of a chain": (ASSIGNED, "use", using("${(state.other || state.total) + 1}")),
    "the edge asks": (ASSIGNED, ASKED, using("${state.total + 1}")),
    "the edge asks the result": (ASSIGNED, ASKED.replace("state.total", "result.total"), using("${state.total + 1}")),
    "the edge asks first": (
        ASSIGNED, when("all", EXISTS, TESTED), using("1")
    ),
    "the edge asks the copy": (
        ASSIGNED, when("all", EXISTS, TESTED.replace("result.total", "state.total")), using("1")
    ),
    "a flag tells": (
        ASSIGNED, "[{to: use, when: {path: result.found, value: true}}, {to: none}]", using("${state.total + 1}")
    ),
    "a status tells": (
        ASSIGNED, "[{to: none, when: {path: result.kind, value: none}}, {to: use}]", using("${state.total + 1}")
    ),
    "a flag in the state tells": (
        '{total: "${result.total}", found: "${result.found}"}',
        "[{to: use, when: {path: state.found, value: true}}, {to: none}]",
        using("${state.total + 1}"),
    ),
    "another spelling of an index": (
        ASSIGNED,
        "[{to: use, when: {path: 'state.rows[0].size', op: exists}}, {to: none}]",
        using("${state.rows.0.size + 1}"),
    ),
    "a list that exists": (
        '{rows: "${result.rows}"}',
        "[{to: use, when: {path: state.rows, op: exists}}, {to: none}]",
        LOOP.replace("OVER", "${state.rows}"),
    ),
    "never null": (ASSIGNED, "use", using("${state.other + 1}")),
    "may be missing": ('{note: "${result.note + 1}"}', "use", using("${state.note}")),
    "in text": (ASSIGNED, "use", using("${state.total} of 7")),
    "a pipe": (ASSIGNED, "use", using("${state.rows | length}")),
    "the left side": (
        ASSIGNED, "[{to: use, when: {path: state.total, op: gt, value: 1}}, {to: none}]", using("${state.total + 1}")
    ),
    "a length tells": (
        '{rows: "${result.rows}", n: "${result.rows | length}"}',
        "[{to: use, when: {path: state.n, op: gt, value: 0}}, {to: none}]",
        LOOP.replace("OVER", "${state.rows}"),
    ),
    "a length in the state tells": (
        '{rows: "${result.rows}", n: "${state.rows | length}"}',
        "[{to: use, when: {path: state.n, op: gt, value: 0}}, {to: none}]",
        LOOP.replace("OVER", "${state.rows}"),
    ),
    "another field of an item": ('{rows: "${result.all}"}', "use", ITEMS.replace("row.size", "row.id")),
    "a field of an item with a fallback": (
        '{rows: "${result.all}"}', "use", ITEMS.replace("row.size +", "(row.size || 0) +")
    ),
    "an item of a list that may be null": (
        '{rows: "${result.rows}"}', ASKED.replace("total", "rows"), ITEMS.replace("row.size", "row.id")
    ),
    "a loop with a fallback": (ASSIGNED, "use", LOOP.replace("OVER", "${state.rows || []}")),
}  # fmt: skip


@pytest.mark.parametrize("case", HANDLED)
def test_an_operation_that_does_not_fail(case: str) -> None:
    assert counting(*HANDLED[case]) == []


def test_a_failure_that_is_handled_is_a_warning() -> None:
    use = '{type: gate, assign: {n: "${state.total + 1}"}, on_error: none, next: none}'
    found = counting(ASSIGNED, "use", use)
    assert [(each.code, each.severity) for each in found] == [("GW412", Severity.WARNING)]


def test_what_the_schema_of_the_state_excludes() -> None:
    schema = "state_schema: {type: object, properties: {total: {type: integer}}}\nconfig:"
    text = COUNTING.replace("config:", schema).replace("ASSIGN", '{total: "${result.total}"}').replace("NEXT", "use")
    text = text.replace("USE", using("${state.total + 1}"))
    found = check_files({".ai/tools/team/count.py": COUNT, ".ai/tools/g.yaml": text}, ".ai")
    assert [each.code for each in found if "+" in each.message or "calculation" in each.message] == []


def test_one_path_is_one_finding() -> None:
    found = counting(ASSIGNED, "use", '{type: return, output: {n: "${state.total + 1}", m: "${state.total + 2}"}}')
    assert [each.code for each in found] == ["GW412"]


def test_the_messages_of_operations() -> None:
    found = counting(ASSIGNED, "use", using("${state.total * 2}"))[0]
    assert found.message == "node `use`: `state.total` may be null, and the calculation fails on null"
    assert found.help is not None
    assert "`${(state.total || …) * 2}`" in found.help
    quoted = counting(ASSIGNED, "use", using("${state.total + (''2'' | int)}"))[0]
    assert quoted.help is not None
    assert quoted.help.startswith("write a fallback: `(state.total || …)`, or"), "a quote is two in the file"
    other = counting(ASSIGNED, "use", using('${state.total + ("2" | int)}'))[0]
    assert other.help is not None
    assert '`${(state.total || …) + ("2" | int)}`' in other.help
    assert [(label.span.line, label.message) for label in found.related] == [(8, "may be null")]
    loop = counting(ASSIGNED, "use", LOOP.replace("OVER", "${state.rows}"))[0]
    assert loop.message == "node `use`: `state.rows` may be null, and the loop then has no items"


@pytest.mark.parametrize(
    ("params", "codes"),
    [
        ('{book: {name: "${state.title}"}}', ["GW412:11"]),
        ('{book: {name: a, author: "${state.title}"}}', []),
        ("{book: {name: \"${state.title || 'none'}\"}}", []),
    ],
)
def test_a_key_that_a_param_requires(params: str, codes: list[str]) -> None:
    """Nulls are removed from mappings in params, too."""
    save = SAVE.replace("    title: str\n", "", 1).replace("NotRequired[Book]", "Book")
    files = {".ai/tools/team/find.py": FIND, ".ai/tools/team/save.py": save, ".ai/tools/g.yaml": graph(TITLE, params)}
    assert loud(check_files(files, ".ai")) == codes

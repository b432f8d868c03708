"""The layout of emitted code: what ruff makes of the same logical lines, for names of every length."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from formatting import remarks
from graphwright.emit.layout.statements import placed
from graphwright.emit.layout.text import laid_out
from graphwright.emit.layout.width import columns
from graphwright.emit.model import marked

ROOT = Path(__file__).parents[2]

#: Every form that the emitter writes; `@` becomes a name of some length.
STATEMENTS = """\
@ = value
@ = "a text"
@ = 'it\\'s "quoted"'
@ = state["key"]
@ = await c.call(_ACTION, {"a": 1, "b": state["key"]})
@ = await c.each(action, inputs["rows"], params, assign=assign, collect="@")
@ = f(("one line of a text that is long enough\\n" "another line that is as long as the first\\n" "and more"))
@: dict[str, object] = {"a": 1, "b": [1, 2, 3], **state, "@": @}
@: dict[str, object] = from_json("[1, 2, 3]")
@: list[object] = []
@: Final = "a text that is neither long nor short"
@: Final[NodeName] = "a text that is neither long nor short"
@: Final[tuple[str, ...] | None] = ("rye.execute.tool.*",)
@: Final[tuple[str, ...]] = ("one", "two", "three")
@: TypeAlias = Literal["@", "other", "third"]
@: TypeAlias = State | list[dict[str, Json] | None]
@: NotRequired[Literal["a", "b"]]
@: Literal["a", "b", "c"] | None
@: Json
target: Literal["@", "other"] = "@" if equal(state["key"], 4) else "other"
target: Literal["@", "other"] | None = "@" if equal(state["key"], 4) else None
return @
return "@" if greater(state["a"], 5) else None
return "@" if exists(value := coalesce(at(@, "key"), state["key"])) else value
return @ or _edges_@(c, result) or None
return equal(at(event, "@"), 2) and not greater(at(event, "state", "@"), 10)
return {"a": @, "b": text("before ", c.note("state.key", state["key"]), " behind"), "c": {"d": [@, None]}}
return dynamic("execute", "tool", text("bank/", coalesce(at(@, "kind"), "a"), "/balance"))
return [*@][0]
return {**state, "@": @}["key"]
c.finish({"a": @, "b": "a text of some length that stands in a list"})
c.finish({"a": {"b": [from_json("[1]"), @]}})
c.assign("@", "a text")
problem(f"rows[{index}].@", 'must be one of "a", "b"')
inputs.setdefault("@", {"a": [1, 2, 3], "b": "a text"})
await c.suppressed(error)
""".splitlines()

#: The same, with a body below.
BLOCKS = """\
async def @(c: Cursor[_@, Inputs]) -> Literal["a", "b"]:
async def @(c: Cursor[_@, Inputs]) -> Literal["a", "@"] | None:
async def @(c: Cursor[object, Inputs]) -> None:
def @() -> dict[str, object]:
def @() -> Literal["a", "b"]:
def @() -> Literal["a", "b"] | None:
def @() -> Params:
def @(c: Cursor[_@, Inputs], result: Result, local: object) -> Literal["a", "b"]:
def @(inputs: dict[str, object], problem: Problems) -> None:
class @(TypedDict):
for index, @ in enumerate(rows[2:], 2):
for key, entry in @.items():
if @:
if (is_list(@) or isinstance(@, str)):
if not isinstance(@, str):
if not (is_list(@) or isinstance(@, str)):
if "@" in inputs and not isinstance(inputs["@"], str):
if "@" in inputs and inputs["@"] not in ("a", "b", "cc"):
if isinstance(@, str) and len(@) < 4:
if sum(accepts(_try_1, item) for item in @) < 2:
if not any(json_equal(@, option) for option in [1, "a text", {"a": 1}, None]):
if not any((accepts(_try_1, @), accepts(_try_2, @), accepts(_try_3, @))):
if sum([accepts(_try_1, @), accepts(_try_2, @)]) != 1:
if (equal(@, 1) or equal(@, 2)) and not equal(@, 3):
if equal(@, 1) or equal(state["key"], "a text") or not greater(at(state["key"], "@"), 100):
if c.holds(lambda: greater(state.get("key"), @)):
if c.holds(lambda: not equal(state.get("key"), @)):
if c.holds(lambda: equal(state.get("key"), @) or exists(state.get("other"))):
if matches(_PATTERN_1, @) and key not in ("a", "b") and not _PATTERN_2.search(@):
""".splitlines()


def names() -> list[str]:
    """Names of every length up to a line's, some of them wide."""
    return [*("n" * length for length in range(1, 90)), "ñ" * 30, "名前" * 10, "ก็" * 12]


def logical_lines(name: str, indent: str) -> list[str]:
    """All the statements about one name, as a function that does not call them."""
    lines = [f"{indent}{line.replace('@', name)}" for line in STATEMENTS]
    for line in BLOCKS:
        lines += [f"{indent}{line.replace('@', name)}", f"{indent}    pass"]
    return lines


@pytest.mark.parametrize("depth", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_logical_lines_become_what_ruff_makes_of_them(depth: int) -> None:
    """From the line as it is, not only from our own layout of it: there must be no other layout of the same code."""
    blocks = ["    " * level + ("if a:" if level else "async def function():") for level in range(depth)]
    raw: dict[str, str] = {}
    ours: dict[str, str] = {}
    for number, name in enumerate(names()):
        lines = ["import n", *blocks, *logical_lines(name, "    " * depth)]
        raw[f"{number}.py"] = "\n".join([*lines, ""])
        ours[f"{number}.py"] = laid_out("\n".join([*lines, 'GRAPH = Graph(lines="line map")']))
        ast.parse(raw[f"{number}.py"].replace("def(", "d("))
    assert remarks(ours, check=False) == ""
    theirs = {path: formatted(text) for path, text in list(raw.items())[:: 1 if depth > 1 else 8]}
    for path, text in theirs.items():
        assert without_blank(ours[path].partition("\n\n\nGRAPH")[0]) == without_blank(text)


def formatted(text: str) -> str:
    """What `ruff format` makes of a text."""
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--target-version", "py311", "-"]
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True).stdout


def without_blank(text: str) -> list[str]:
    """The lines that say something."""
    return [line for line in text.splitlines() if line]


def test_committed_modules_are_a_fixed_point_of_ruff() -> None:
    files = [*(ROOT / "generated").rglob("*.py"), *(ROOT / "tests" / "golden" / "modules").glob("*.py")]
    texts = {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in files}
    assert len(texts) > 10
    assert remarks(texts) == ""


def test_ruff_does_have_remarks() -> None:
    assert "-x = [ 1 ]" in remarks({"a.py": "x = [ 1 ]\n"})
    assert "F401" in remarks({"a.py": "import os\n"})


def test_definitions_stand_apart() -> None:
    raw = """\
import a


# A comment above a class.
class A:
    x: int
class B:
    def f():
        pass
    y: int



def g():

    def i():
        pass
    if a:
        def h():
            pass
        x = h()
    else:
        pass
GRAPH = Graph(lines="line map")"""
    text = laid_out(raw)
    body = text.partition("\n\n\nGRAPH")[0] + "\n"
    assert formatted(body) == body
    assert "    if a:\n\n        def h():\n            pass\n\n        x = h()\n    else:" in body


def test_a_layout_of_a_template_is_kept() -> None:
    raw = f'x = f(\n    a,\n    "{"b" * 100}", (\n        c,\n)  )\nGRAPH = Graph(lines="line map")'
    assert laid_out(raw).startswith(raw.partition("\nGRAPH")[0])


def test_a_docstring_of_a_template_is_kept() -> None:
    text = 'def f():\n    """Say\n\n\n    more(' + "x, " * 40 + ')\n    def\n    """\n    return 1\n'
    assert laid_out(f'import a\n{text}GRAPH = Graph(lines="line map")').startswith(f"import a\n\n\n{text}")


@pytest.mark.parametrize("folder", ["compiler/graphwright/emit", "runtime/graphwright_runtime"])
def test_no_statement_changes_its_meaning(folder: str) -> None:
    """Templates of a project may write anything: what is not known is left, and what is broken means the same."""
    broken = 0
    for file in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.stmt) or isinstance(node, ast.Try | ast.Match):
                continue
            line, *body = ast.unparse(node).split("\n")
            if "@" in line or (body and not line.endswith(":")):
                continue
            lines = placed(" " * 40 + line)
            rest = ["        pass"] if line.endswith(":") else []
            again = "\n".join([*(each.removeprefix(" " * 36) for each in lines), *rest])
            assert ast.dump(ast.parse(f"if 1:\n{again}")) == ast.dump(
                ast.parse("\n".join(["if 1:", f"    {line}", *rest]))
            )
            broken += len(lines) > 1
    assert broken > 100


def test_text_is_never_taken_apart() -> None:
    for text in ('"(" + ")"' * 20, '")]}" if a else "([{,", ' * 8, "'it\\'s, (' or " * 9):
        line = f"problem({text.rstrip(', or')}, last)"
        lines = placed(line)
        assert ast.dump(ast.parse("\n".join(lines))) == ast.dump(ast.parse(line))


@pytest.mark.parametrize("inner", ["f(", "[", '{"k": ', "x["])
def test_work_grows_with_depth_and_not_faster(inner: str) -> None:
    closing = {"(": ")", "[": "]", " ": "}"}[inner[-1]]
    lines = {depth: placed(f"x = {inner * depth}1{closing * depth}") for depth in (60, 120, 180)}
    assert [len(each) for each in lines.values()] == [121, 241, 361]
    assert len(placed(f"x = {inner * 5_000}1{closing * 5_000}")) == 1, "more than any Python would compile"


def test_marks_are_no_part_of_the_width() -> None:
    fits = f"x = {'y' * 84}"
    assert laid_out(f'{marked(fits, 12345)}\nGRAPH = Graph(lines="line map")').startswith(f"{fits}\n")


@pytest.mark.slow
def test_every_printable_character_is_as_wide_as_ruff_takes_it_for() -> None:
    characters = [chr(code) for code in range(0x80, 0x110000) if chr(code).isprintable()]
    for start in range(0, len(characters), 20_000):
        piece = characters[start : start + 20_000]
        lines: list[str] = []
        for character in piece:
            text = f'"{character * 10}")'
            width = columns(text)[-1]
            lines += [f"f({'a' * (88 - 4 - width)}, {text}", f"f({'a' * (88 - 3 - width)}, {text}"]
        text = "".join(
            f"{line}\n" if each % 2 == 0 else "".join(f"{part}\n" for part in placed(line))
            for each, line in enumerate(lines)
        )
        assert formatted(text) == text


@pytest.mark.parametrize("text", ["Steps:", "one\n\nSteps:", "class A:", "def f():", "async def f(): ..."])
def test_a_docstring_is_no_code(text: str) -> None:
    inner = text.replace("\n\n", "\n\n    ")
    head = f'"""{text}\n\nmore\n"""\n\nimport os\n\n\n'
    source = f'{head}class A:\n    """{inner}\n\n    more\n    """\n\n    a: os.PathLike[str]\n'
    assert laid_out(f'{source}GRAPH = Graph(lines="line map")').startswith(source)
    assert remarks({"a.py": source}) == ""

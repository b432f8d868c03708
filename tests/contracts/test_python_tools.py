"""What is read of tools in Python files, and what `check` says about calls that do not fit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from checking import check_files, loud, only
from graphwright.contract.manifest import Declaration
from graphwright.contract.python.tool import read_tool
from graphwright.diagnostic import Json

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.team.*]
config_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
config:
  start: fetch
  nodes:
    fetch:
      action: {item_id: tool:team/fetch, params: PARAMS}
      assign: {found: "${READ}"}
      next: done
    done: {type: return, output: {found: "${state.found}", n: "${inputs.n}"}}
"""


def graph(params: str = "{team: a}", read: str = "result") -> str:
    return GRAPH.replace("PARAMS", params).replace("READ", read)


def declared(folder: Path, files: Mapping[str, str | bytes]) -> Declaration:
    """What `.ai/tools/team/fetch.py` of a project with these files declares."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def load(path: Path) -> bytes | None:
        return path.read_bytes() if path.is_file() else None

    tools = folder / ".ai" / "tools"
    folders = (tools / "team", tools, folder / "src", folder)
    return read_tool(tools / "team" / "fetch.py", folders, "fetch.py", load)


def params(folder: Path, code: str, **others: str) -> Json:
    """The schema of the params that a tool declares; `others` are modules next to it."""
    files = {f".ai/tools/team/{name}.py": text for name, text in {"fetch": code, **others}.items()}
    return declared(folder, files).params


ROW = "from typing import TypedDict\nclass P(TypedDict):\n    team: Team\n"
NEWER = {
    "an alias": f"type Team = str\n{ROW}",
    "an alias of an alias, further down": f"type Team = Other\n{ROW}\ntype Other = str\n",
    "an alias with parameters": f"if True:\n    type Pair[T = int] = tuple[T, T]\nTeam = str\n{ROW}",
    "a class with parameters": "from typing import TypedDict\n"
    "class P[Item: (int, str) = str, *More, **Rest](TypedDict):\n    team: str\n",
    "parameters on several lines": "from typing import TypedDict\n"
    "class P[\n    Item = '[',  # [\n](TypedDict):\n    team: str\n",
    "a function with parameters": f"def other[T = list[int]](x: T) -> T: ...\nTeam = str\n{ROW}",
    "ordinary names": f"type = type\nx = (type if type else [type])\ntype Team = str\n{ROW}",
}


@pytest.mark.parametrize("code", NEWER.values(), ids=NEWER)
def test_syntax_of_newer_versions_of_python(tmp_path: Path, code: str) -> None:
    found = declared(tmp_path, {".ai/tools/team/fetch.py": f"{code}def execute[T](params: P) -> list[T]: ...\n"})
    assert found.problems == ()
    assert found.params == {"type": "object", "properties": {"team": {"type": "string"}}, "required": ["team"]}
    assert found.result == {"type": "array"}


def test_a_type_parameter_does_not_stand_for_a_class_of_that_name(tmp_path: Path) -> None:
    code = (
        "from typing import TypedDict\nclass Item(TypedDict):\n    id: int\n"
        "class P[Item: (int, str), *Rest](TypedDict):\n    items: list[Item]\n    name: str\n"
        "def execute(params: P[bool]): ...\n"
    )
    expected = {"items": {"type": "array"}, "name": {"type": "string"}}
    assert params(tmp_path, code) == {"type": "object", "properties": expected, "required": ["items", "name"]}


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("type X = \n", 1),
        ("type X = (\n", 1),
        ("class A[\n", 1),
        ("class A[\n    T,\n]:\n    x: type X\n", 4),
        ("type X = '\n", 1),
        ("type = = type X = 1\n", 1),
    ],
)
def test_what_no_version_of_python_can_parse(tmp_path: Path, code: str, line: int) -> None:
    (problem,) = declared(tmp_path, {".ai/tools/team/fetch.py": code}).problems
    assert str(problem.problem).startswith(f"line {line}: ")


CLASSES = {
    "a TypedDict": (
        "from typing import NotRequired, TypedDict\nclass P(TypedDict):\n    team: str\n    limit: NotRequired[int]\n"
    ),
    "a TypedDict that is not total": (
        "from typing import Required, TypedDict\n"
        "class P(TypedDict, total=False):\n    team: Required[str]\n    limit: int\n"
    ),
    "a TypedDict from typing_extensions": (
        "import typing_extensions as te\n"
        "class Base(te.TypedDict):\n    team: str\n"
        "class P(Base, total=False):\n    limit: int\n"
    ),
    "string annotations": (
        "from __future__ import annotations\nfrom typing import NotRequired, TypedDict\n"
        "class P(TypedDict):\n    team: 'str'\n    limit: 'NotRequired[int]'\n"
    ),
}


@pytest.mark.parametrize("code", CLASSES.values(), ids=CLASSES)
def test_mappings_are_open(tmp_path: Path, code: str) -> None:
    assert params(tmp_path, f"{code}\ndef execute(params: P, project_path: str): ...\n") == {
        "type": "object",
        "properties": {"team": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["team"],
    }


RECORDS = {
    "a dataclass": (
        "from dataclasses import dataclass, field\n"
        "@dataclass(frozen=True)\nclass P:\n    team: str\n    limit: int = field(default=10)\n"
    ),
    "a NamedTuple": "from typing import NamedTuple\nclass P(NamedTuple):\n    team: str\n    limit: int = 10\n",
    "a strict model": (
        "from pydantic import BaseModel, ConfigDict, Field\nclass P(BaseModel):\n"
        "    model_config = ConfigDict(extra='forbid', strict=True)\n    team: str\n    limit: int = Field(10)\n"
    ),
    "a strict model in the older way": (
        "import pydantic\nclass P(pydantic.BaseModel):\n    team: str\n    limit: int = 10\n"
        "    class Config:\n        extra = 'forbid'\n        strict = True\n"
    ),
}


@pytest.mark.parametrize("code", RECORDS.values(), ids=RECORDS)
def test_classes_that_refuse_other_names_are_closed(tmp_path: Path, code: str) -> None:
    assert params(tmp_path, f"{code}\ndef execute(params: P): ...\n") == {
        "type": "object",
        "properties": {"team": {"type": "string"}, "limit": {"type": "integer", "default": 10}},
        "required": ["team"],
        "additionalProperties": False,
    }


HINTS: dict[str, Json] = {
    "str": {"type": "string"},
    "float": {"type": "number"},
    "bool | None": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
    "t.Optional[int]": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "t.Union[int, str, int]": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    "t.Literal['a', 1, None]": {"enum": ["a", 1, None]},
    "t.Literal[Level.HIGH, 'none']": {"enum": ["high", "none"]},
    "t.Literal[Level.LOW]": {},
    "Options": {
        "type": "object",
        "properties": {"max-size": {"type": "integer"}, "by": {"type": "string", "description": "who"}},
        "required": ["max-size"],
    },
    "Loose": {"type": "object", "properties": {"a": {"type": "boolean"}}},
    "Computed": {},
    "Level": {"enum": ["low", "high"]},
    "Bits": {"type": "integer"},
    "Lenient": {},
    "list[Level]": {"type": "array", "items": {"enum": ["low", "high"]}},
    "t.Sequence[str]": {"type": "array", "items": {"type": "string"}},
    "cabc.Sequence[str]": {"type": "array", "items": {"type": "string"}},
    "tuple[int, ...]": {"type": "array", "items": {"type": "integer"}},
    "tuple[int, str]": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}},
    "dict[str, int]": {"type": "object", "additionalProperties": {"type": "integer"}},
    "t.Mapping[str, t.Any]": {"type": "object"},
    "t.Annotated[int, Field(ge=1, description='how many')]": {"type": "integer", "description": "how many"},
    "t.Annotated[str, 'who']": {"type": "string", "description": "who"},
    "Name": {"type": "string"},
    "Alias": {"type": "array", "items": {"type": "integer"}},
    "'Alias'": {"type": "array", "items": {"type": "integer"}},
    "t.Any": {},
    "object": {},
    "datetime": {},
    "Elsewhere": {},
    "int | Elsewhere": {},
    "T": {},
    "1 + 1": {},
    "'not python ('": {},
}


@pytest.mark.parametrize("hint", HINTS)
def test_types_of_fields(tmp_path: Path, hint: str) -> None:
    code = (
        "import collections.abc as cabc\nimport typing as t\nfrom datetime import datetime\n"
        "from enum import IntFlag, StrEnum, auto\nfrom pydantic import Field\nfrom somewhere import Elsewhere\n"
        "class Bits(IntFlag):\n    READ = 1\n    WRITE = 2\n"
        "class Lenient(StrEnum):\n    A = 'a'\n    @classmethod\n    def _missing_(cls, value): return cls.A\n"
        "Options = t.TypedDict('Options', {'max-size': int, 'by': t.NotRequired[t.Annotated['str', 'who']]})\n"
        "Loose = t.TypedDict('Loose', {'a': bool}, total=False)\nComputed = t.TypedDict('Computed', dict(a=int))\n"
        "T = t.TypeVar('T')\nName = t.NewType('Name', str)\nAlias = list[int]\n"
        "class Level(StrEnum):\n    LOW = auto()\n    HIGH = 'high'\n"
        f"class P(t.TypedDict):\n    x: {hint}\ndef execute(params: P): ...\n"
    )
    assert params(tmp_path, code) == {"type": "object", "properties": {"x": HINTS[hint]}, "required": ["x"]}


def test_names_of_typing_that_a_star_imports(tmp_path: Path) -> None:
    code = "from typing import *\nclass P(TypedDict):\n    team: Optional[str]\ndef execute(params: P): ...\n"
    assert params(tmp_path, code) == {
        "type": "object",
        "properties": {"team": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "required": ["team"],
    }


SIGNATURES = {
    "positional only": ("params: P, /, project_path: str, *, context", True),
    "with everything else": ("params: P, *others, context=None, **more", True),
    "with a default": ("params: P = {}", True),
    "keyword only": ("*, team: str, limit: int = 1", False),
    "any keywords": ("**params: int", False),
    "any positions": ("*params: P", False),
}


@pytest.mark.parametrize("case", SIGNATURES)
def test_the_first_positional_parameter_takes_the_params(tmp_path: Path, case: str) -> None:
    signature, known = SIGNATURES[case]
    code = f"from typing import TypedDict\nclass P(TypedDict):\n    team: str\ndef execute({signature}): ...\n"
    expected = {"type": "object", "properties": {"team": {"type": "string"}}, "required": ["team"]}
    assert params(tmp_path, code) == (expected if known else True)


def test_imports_are_followed_as_a_run_does(tmp_path: Path) -> None:
    found = declared(
        tmp_path,
        {
            ".ai/tools/team/fetch.py": (
                "from shapes import *\nimport wide\ndef execute(params: P) -> wide.deep.R: ...\n"
            ),
            ".ai/tools/team/shapes.py": (
                "from typing import TypedDict\nfrom common import Team\nclass P(TypedDict):\n    team: Team\n"
            ),
            ".ai/tools/common.py": "Team = str\n",
            "src/wide/__init__.py": "",
            "src/wide/deep.py": (
                "from typing import TypedDict\nfrom .parts import Row\nclass R(TypedDict):\n    rows: list[Row]\n"
            ),
            "src/wide/parts.py": "Row = int\n",
        },
    )
    assert found.params == {"type": "object", "properties": {"team": {"type": "string"}}, "required": ["team"]}
    assert found.result == {
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {"type": "integer"}}},
        "required": ["rows"],
    }


def test_constants_take_precedence(tmp_path: Path) -> None:
    code = (
        '"""About."""\nKINDS = ["a", "b"]\nENV_REQUIRES = ("TOKEN",)\n'
        'CONFIG_SCHEMA = {"type": "object", "properties": {"kind": {"enum": KINDS}}}\n'
        "async def execute(params: dict[str, int]) -> list[str]: ...\n"
    )
    found = declared(tmp_path, {".ai/tools/team/fetch.py": code})
    assert found.params == {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}}}
    assert found.result == {"type": "array", "items": {"type": "string"}}
    assert (found.env_requires, found.description) == (("TOKEN",), "About.")


@pytest.mark.parametrize(
    "code",
    [
        "def execute(params, project_path): ...\n",
        "def execute(params: dict): ...\n",
        "def execute(*args): ...\n",
        "from elsewhere import execute\n",
        "import functools\nexecute = functools.partial(print)\n",
        "from web import route\n@route\ndef execute(params: dict[str, int]): ...\n",
        "CONFIG_SCHEMA = {'type': 'object', 'required': make()}\ndef execute(params): ...\n",
        "CONFIG_SCHEMA = {'required': ['a']}\nCONFIG_SCHEMA['required'] = []\ndef execute(params): ...\n",
        "class P(P): pass\ndef execute(params: P): ...\n",
        "P = Q\nQ = P\ndef execute(params: P): ...\n",
        "from fetch import P\ndef execute(params: P): ...\n",
        "def execute(params: Node): ...\nNode = 'dict[str, Node]'\n",
        "x = 1",
        "",
    ],
)
def test_what_is_not_understood_may_be_anything(tmp_path: Path, code: str) -> None:
    found = declared(tmp_path, {".ai/tools/team/fetch.py": code})
    assert (found.result, found.problems) == (True, ())
    assert found.params in (True, {"type": "object"})


@pytest.mark.parametrize(
    "data",
    [
        b"def execute(params:\n",
        b"x = '\xff'\n",
        b"\xef\xbb\xbfdef execute(params): pass\n",
        b"\0",
        b"x = " + b"(" * 5000 + b")" * 5000,
        b"x = " + b"-" * 100_000 + b"1",
        b"x" + b".a" * 20_000,
        b"x" + b".a" * 900 + b" = 1\n",
        b"P = " + b"int | " * 20_000 + b"str\ndef execute(params: P): ...\n",
        b"P = " + b"list[" * 150 + b"int" + b"]" * 150 + b"\ndef execute(params: P) -> P: ...\n",
        b"#" * 3_000_000,
        b"".join(b"A%d = A%d\n" % (each, each + 1) for each in range(3000)) + b"def execute(params: A0): ...\n",
    ],
    ids=[
        "syntax",
        "not UTF-8",
        "BOM",
        "null",
        "brackets",
        "minus",
        "attributes",
        "target",
        "union",
        "lists",
        "huge",
        "aliases",
    ],
)
def test_hostile_files(tmp_path: Path, data: bytes) -> None:
    assert declared(tmp_path, {".ai/tools/team/fetch.py": data}).params is True


FETCH = (
    "from typing import Literal, TypedDict\n"
    "class Params(TypedDict, total=False):\n    limit: int\n    kind: Literal['a', 'b']\n"
    "class Team(Params):\n    team: str\n"
    "class Row(TypedDict):\n    id: int\n"
    "class Rows(TypedDict):\n    rows: list[Row]\n"
    "def execute(params: Team, project_path: str) -> Rows: ...\n"
)


@pytest.mark.parametrize(
    ("call", "codes"),
    [
        (graph(), []),
        (graph('{team: a, limit: "${inputs.n}", kind: b, other: kept by nobody}'), []),
        (graph("{taem: a}"), ["GW702:8"]),
        (graph("{limit: 3}"), ["GW702:8"]),
        (graph("{team: 3}"), ["GW412:8"]),
        (graph("{team: a, kind: c}"), ["GW412:8"]),
        (graph(read="result.rows.0.id"), []),
        (graph(read="result.row"), ["GW703:9"]),
        (graph(read="result.rows.0.di"), ["GW410:9"]),
    ],
)
def test_calls_are_checked(call: str, codes: list[str]) -> None:
    assert loud(check_files({".ai/tools/team/fetch.py": FETCH, ".ai/tools/g.yaml": call})) == codes


TYPED = """\
from typing import Literal, NotRequired, TypedDict
class Item(TypedDict):
    id: int
    name: NotRequired[str]
class P(TypedDict, total=False):
    whole: int
    either: int | str
    ids: list[int]
    by_name: dict[str, int]
    items: list[Item]
    word: Literal["a", "b"]
def execute(params: P): ...
"""
#: A param, and what is wrong with it: the code and the path.
PARAMS = {
    "{whole: 3.5}": "GW412 whole",
    "{whole: 3.0}": None,
    '{whole: "3"}': "GW412 whole",
    '{whole: "${inputs.n}"}': None,
    '{whole: "${inputs.n / 2}"}': None,
    '{whole: "${inputs.n} rows"}': "GW412 whole",
    "{either: 3.5}": "GW412 either",
    "{either: a}": None,
    "{ids: [1, 2]}": None,
    "{ids: [1, a, b]}": "GW412 ids.1",
    '{ids: [1, "${inputs.n}"]}': None,
    '{ids: [1, "n: ${inputs.n}"]}': "GW412 ids.1",
    "{by_name: {a: 1, b: x}}": "GW412 by_name.b",
    "{items: [{id: 1}, {id: 2, name: 3}]}": "GW412 items.1.name",
    "{items: [{id: 1}, {name: x}]}": "GW702 items.1",
    '{items: [{id: "${inputs.n}"}]}': None,
    "{word: c}": "GW412 word",
}


@pytest.mark.parametrize("passed", PARAMS)
def test_params_of_all_kinds(passed: str) -> None:
    found = check_files({".ai/tools/team/fetch.py": TYPED, ".ai/tools/g.yaml": graph(passed)}, ".ai")
    wrong = [f"{one.code} {one.message.split('`')[3]}" for one in found if one.code in ("GW412", "GW702")]
    assert wrong == ([] if PARAMS[passed] is None else [PARAMS[passed]])


RESULTS = {
    "a union": ("Rows | Failed", "result.reason", []),
    "a union, in neither": ("Rows | Failed", "result.rason", ["GW703:9"]),
    "optional": ("Optional[Rows]", "result.row", ["GW703:9"]),
    "below a field that may be null": ("Rows", "result.first.di", ["GW410:9"]),
    "an awaitable": ("Awaitable[Rows]", "result.row", ["GW703:9"]),
    "a string": ("str", "result.text", ["GW703:9"]),
    "the string": ("str", "result.result", []),
    "nothing": ("None", "result.text", ["GW703:9"]),
    "a dict": ("dict", "result.text", []),
    "in an envelope": ("Envelope", "result.rows", []),
    "in an envelope, not there": ("Envelope", "result.row", ["GW703:9"]),
    "around the envelope": ("Envelope", "result.data", ["GW703:9"]),
    "perhaps an envelope": ("PerhapsEnvelope", "result.anything", []),
}


@pytest.mark.parametrize("case", RESULTS)
def test_results_of_other_forms(case: str) -> None:
    hint, read, codes = RESULTS[case]
    code = (
        "from collections.abc import Awaitable\nfrom typing import Literal, NotRequired, Optional, TypedDict\n"
        "class Row(TypedDict):\n    id: int\n"
        "class Rows(TypedDict):\n    status: Literal['ok']\n    rows: list[Row]\n    first: Row | None\n"
        "class Failed(TypedDict):\n    status: Literal['failed']\n    reason: str\n"
        "class Envelope(TypedDict):\n    type: str\n    status: str\n    data: Rows\n"
        "class PerhapsEnvelope(TypedDict):\n    type: NotRequired[str]\n    status: str\n    data: Rows\n"
        f"def execute(params) -> {hint}: ...\n"
    )
    assert loud(check_files({".ai/tools/team/fetch.py": code, ".ai/tools/g.yaml": graph(read=read)}, ".ai")) == codes


def test_a_dataclass_takes_nothing_else() -> None:
    code = "from dataclasses import dataclass\n@dataclass\nclass P:\n    team: str\ndef execute(params: P): ...\n"
    found = only(
        check_files({".ai/tools/team/fetch.py": code, ".ai/tools/g.yaml": graph("{team: a, extra: 1}")}), "GW702"
    )
    assert "has no param `extra`" in found.message
    assert found.help is not None
    assert "`team`" in found.help


def test_a_model_that_takes_names_and_aliases(tmp_path: Path) -> None:
    code = (
        "from pydantic import BaseModel, ConfigDict, Field\n"
        "class Base(BaseModel):\n    team: str\n    when_: str = Field(alias='when')\n"
        "class P(Base):\n    model_config = ConfigDict({}=True)\n"
        "def execute(params: P): ...\n"
    )
    text = {"type": "string"}
    for setting in ("populate_by_name", "validate_by_name"):
        assert params(tmp_path, code.format(setting)) == {
            "type": "object",
            "properties": {"team": text, "when": text, "when_": text},
            "required": ["team"],
        }


NESTED = (
    "from typing import TypedDict\n"
    "class Row(TypedDict):\n    id: int\n"
    "class Params(TypedDict):\n    row: Row\n"
    "class Result(TypedDict):\n    row: Row\n"
    "def execute(params: Params) -> Result: ...\n"
)


@pytest.mark.parametrize(
    "signature", ["self, params: P, context", "self, params: P, /, context", "this, params: P, *, context"]
)
def test_an_instance_is_called(tmp_path: Path, signature: str) -> None:
    """`execute` can be an object with `__call__`, also of a class in another module."""
    made = (
        "from typing import TypedDict\nclass P(TypedDict):\n    team: str\n"
        "class Fetch:\n    def __init__(self, size: int) -> None: ...\n"
        f"    async def __call__({signature}) -> list[P]: ...\n"
    )
    code = "from fetching import Fetch\nexecute = Fetch(3)\n"
    files = {".ai/tools/team/fetch.py": code, ".ai/tools/team/fetching.py": made}
    row: Json = {"type": "object", "properties": {"team": {"type": "string"}}, "required": ["team"]}
    for _ in range(2):
        found = declared(tmp_path, files)
        assert (found.params, found.result) == (row, {"type": "array", "items": row})
        assert found.signature is not None
        assert found.signature.calls_others
    assert declared(tmp_path, {".ai/tools/team/fetch.py": "execute = object()\n"}).params is True


RETURNED = {
    "a dataclass": (
        (
            "from dataclasses import InitVar, dataclass, field\nfrom typing import ClassVar\n"
            "@dataclass\nclass R:\n    id: int\n    tags: list[str] = field(default_factory=list)\n"
            "    size: int = field(init=False)\n    seed: InitVar[int] = 0\n    kind: ClassVar[str] = 'r'\n"
        ),
        {"id": "integer", "tags": "array", "size": "integer"},
    ),
    "a NamedTuple": (
        "from typing import NamedTuple\nclass R(NamedTuple):\n    id: int\n    name: str = ''\n",
        {"id": "integer", "name": "string"},
    ),
    "a model": (
        (
            "from pydantic import BaseModel, Field, computed_field\n"
            "class R(BaseModel):\n    id: int = Field(1, validation_alias='ID')\n"
            "    name: str = Field('', serialization_alias='Name')\n    sku: str = Field(alias='SKU')\n"
            "    secret: str = Field('', exclude=True)\n"
            "    @computed_field\n    @property\n    def size(self) -> int:\n        return 1\n"
        ),
        {"id": "integer", "Name": "string", "SKU": "string", "size": "integer"},
    ),
}


@pytest.mark.parametrize("case", RETURNED)
def test_what_is_returned_has_every_field(tmp_path: Path, case: str) -> None:
    """By the names that it has in the result."""
    code, fields = RETURNED[case]
    files = {".ai/tools/team/fetch.py": f"{code}def execute(params) -> list[R]: ...\n"}
    result = declared(tmp_path, files).result
    assert isinstance(result, dict)
    assert isinstance(row := result["items"], dict)
    assert isinstance(properties := row["properties"], dict)
    assert {name: part["type"] for name, part in properties.items() if isinstance(part, dict)} == fields
    assert isinstance(row["required"], list)
    assert set(row["required"]) == set(fields)


def test_a_misspelled_key_inside_a_param_is_one_mistake() -> None:
    files = {".ai/tools/team/fetch.py": NESTED, ".ai/tools/g.yaml": graph("{row: {idd: 1}}", "result.row")}
    found = only(check_files(files, ".ai/tools/g.yaml"), "GW702")
    assert (found.message, found.help) == ("node `fetch`: tool `team/fetch` has no `row.idd`", "did you mean `id`?")
    files[".ai/tools/g.yaml"] = graph("{row: {}}", "result.row")
    assert "`row` lacks `id`" in only(check_files(files, ".ai/tools/g.yaml"), "GW702").message


def test_a_field_that_is_further_inside_is_named() -> None:
    files = {".ai/tools/team/fetch.py": NESTED, ".ai/tools/g.yaml": graph("{row: {id: 1}}", "result.id")}
    assert only(check_files(files, ".ai/tools/g.yaml"), "GW703").help == "did you mean `result.row.id`?"

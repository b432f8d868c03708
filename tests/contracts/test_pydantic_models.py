"""What pydantic accepts at run time, `check` accepts; and what both refuse, `check` reports."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from checking import check_files, loud
from graphwright.contract.python.tool import read_tool
from graphwright.schema.evaluation import violation
from runtime.test_tools import error_of, result_of

HEAD = """\
from __future__ import annotations
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from typing import Annotated, Any, Generic, Iterable, Literal, NamedTuple, NewType, Optional, Sequence, TypeVar
from uuid import UUID
import pydantic
from annotated_types import Ge
from pydantic import (
    AfterValidator, AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, NonNegativeFloat,
    PlainValidator, PositiveInt, RootModel, StrictInt, Strict, StringConstraints, conint, field_validator,
    PlainSerializer, computed_field, field_serializer, model_serializer, model_validator,
)
from pydantic.alias_generators import to_camel
from typing_extensions import TypedDict
"""
GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.team.*]
config:
  start: n0
  nodes:
    done: {type: return}
"""


TOOL = ".ai/tools/team/fetch.py"


class Case:
    """A class `P`, params that it accepts, and params that it does not."""

    def __init__(self, code: str, *accepted: dict[str, Any], refused: tuple[dict[str, Any], ...] = ()) -> None:
        self.code = HEAD + textwrap.dedent(code) + "\ndef execute(params: P):\n    return {}\n"
        self.accepted, self.refused = accepted, refused


def _scalars(setting: str = "") -> str:
    return f"""
        class P(BaseModel):
            {setting or "pass"}
            n: int = 0
            f: float = 0
            b: bool = False
            s: str = ''
            ids: list[int] = []
            by: dict[str, int] = {{}}
            either: int | None = None
    """


CASES = {
    "conversions": Case(
        _scalars(),
        {"n": "3", "f": "1.5", "b": "yes", "ids": ["1", 2], "by": {"a": "1"}, "either": "7"},
        {"n": True, "f": True, "b": 1, "ids": [], "either": 3.0},
        {"n": " 3 ", "f": "inf"},
        refused=(
            {"n": "three"},
            {"n": [3]},
            {"f": "x"},
            {"s": 3},
            {"s": True},
            {"ids": 3},
            {"ids": ["x"]},
            {"n": 3.5},
            {"by": {"a": "b"}},
        ),
    ),
    "strict": Case(
        _scalars("model_config = ConfigDict(strict=True)"),
        {"n": 3, "f": 1, "b": True, "s": "x", "ids": [1], "by": {"a": 1}, "either": 4},
        refused=({"n": "3"}, {"f": "1.5"}, {"b": 1}, {"ids": ["1"]}, {"by": {"a": "1"}}, {"either": "7"}),
    ),
    "types of the standard library in a strict model": Case(
        """
        class Color(Enum):
            RED = "red"
        class P(BaseModel, strict=True):
            at: datetime = None
            day: date = None
            id: UUID = None
            color: Color = Color.RED
            tags: set[str] = set()
            pair: tuple[int, str] = (1, "")
        """,
        {"at": "2026-01-02T03:04:05Z", "day": "2026-01-02", "id": "12345678-1234-5678-1234-567812345678"},
        {"color": "red", "tags": ["a"], "pair": [1, "x"]},
        refused=({"color": "blue"}, {"pair": "x"}),
    ),
    "strict fields": Case(
        """
        class P(BaseModel):
            a: StrictInt = 1
            b: int = Field(1, strict=True)
            c: Annotated[int, Strict()] = 1
            d: Annotated[int, Field(strict=True)] = 1
            e: list[Annotated[int, Strict()]] = []
            f: int = 1
        """,
        {"a": 2, "b": 2, "c": 2, "d": 2, "e": [2], "f": "2"},
        refused=({"a": "2"}, {"b": "2"}, {"c": "2"}, {"d": "2"}, {"e": ["2"]}),
    ),
    "lax fields of a strict model": Case(
        """
        class P(BaseModel, strict=True):
            a: int = Field(1, strict=False)
            b: int = 1
        """,
        {"a": "2", "b": 2},
        refused=({"b": "2"},),
    ),
    "types of the standard library": Case(
        """
        class Color(Enum):
            RED = "red"
        class Level(IntEnum):
            LOW = 1
        class P(BaseModel):
            at: datetime = None
            day: date = None
            id: UUID = None
            path: Path = None
            price: Decimal = None
            color: Color = Color.RED
            level: Level = Level.LOW
            tags: set[str] = set()
            pair: tuple[int, str] = (1, "a")
            raw: bytes = b""
            some: Iterable[int] = ()
            few: Sequence[Any] = ()
            one: Literal[True, None] = None
        """,
        {
            "at": "2026-01-01T00:00:00Z",
            "day": "2026-01-01",
            "id": "12345678-1234-5678-1234-567812345678",
            "path": "a/b",
        },
        {
            "price": "1.50",
            "color": "red",
            "level": "1",
            "tags": ["a"],
            "pair": ["1", "b"],
            "raw": "x",
            "some": "123",
            "few": ["a", 1],
            "one": 1.0,
        },
        {"at": 0, "price": 1.5, "level": 1},
        refused=({"color": "blue"}, {"pair": "ab"}, {"few": "abc"}),
    ),
    "aliases": Case(
        """
        NAME = "named"
        class P(BaseModel):
            a: int = Field(alias="A")
            b: int = Field(validation_alias="B", alias="b_", serialization_alias="c")
            c: int = Field(alias=NAME)
        """,
        {"A": 1, "B": 2, "named": 3},
        refused=({"A": 1, "B": 2}, {"a": 1, "B": 2, "named": 3}, {"A": 1, "b": 2, "named": 3}),
    ),
    "a choice of aliases": Case(
        """
        class P(BaseModel):
            user: str = Field(validation_alias=AliasChoices("user_name", "login", AliasPath("account", "name")))
            first: int = Field(validation_alias=AliasPath("ids", 0))
        """,
        {"user_name": "ann", "ids": [1]},
        {"login": "ann", "ids": ["1", "2"]},
        {"account": {"name": "ann"}, "ids": [1]},
        refused=({"login": 3, "ids": [1]},),
    ),
    "aliases that only a run computes": Case(
        """
        def name(): return "x"
        class P(BaseModel):
            a: int = Field(alias=name())
            b: int
        """,
        {"x": 1, "b": 2},
    ),
    "a generator of aliases": Case(
        """
        class Base(BaseModel):
            model_config = ConfigDict(alias_generator=to_camel)
        class P(Base):
            team_id: int
            is_open: bool = False
        """,
        {"teamId": 1, "isOpen": True},
        refused=({"team_id": 1}, {"teamId": 1, "isOpen": []}),
    ),
    "a generator of the project": Case(
        """
        def upper(name): return name.upper()
        class P(BaseModel):
            model_config = ConfigDict(alias_generator=upper)
            team: int
        """,
        {"TEAM": 1},
    ),
    "generated aliases of all kinds": Case(
        """
        class P(BaseModel):
            model_config = ConfigDict(alias_generator=to_camel)
            team: int
            a_b_c: int
            x1_y2: int
            v2ray_id: int
            HTTP_url: int
            alreadyCamel: int
            own: int = Field(alias="OWN")
        """,
        {"team": 1, "aBC": 1, "x1Y2": 1, "v2RayId": 1, "httpUrl": 1, "alreadyCamel": 1, "OWN": 1},
        refused=({"team": 1, "aBC": 1, "x1Y2": 1, "v2rayId": 1, "httpUrl": 1, "alreadyCamel": 1, "OWN": 1},),
    ),
    "names next to generated aliases": Case(
        """
        class P(BaseModel, alias_generator=to_camel, populate_by_name=True):
            team_id: int
        """,
        {"teamId": 1},
        {"team_id": 1},
        refused=({"team_id": "x"},),
    ),
    "names next to aliases": Case(
        """
        class P(BaseModel):
            model_config = {"validate_by_name": True}
            team: int = Field(alias="teamId")
        """,
        {"teamId": 1},
        {"team": 1},
        refused=({"team": "x"},),
    ),
    "settings elsewhere": Case(
        """
        SHARED = ConfigDict(alias_generator=to_camel)
        class P(BaseModel):
            model_config = ConfigDict(**SHARED)
            team_id: int
        """,
        {"teamId": 1},
    ),
    "a field that replaces one with an alias": Case(
        """
        class Base(BaseModel):
            a: int = Field(alias="A")
        class P(Base):
            a: int
        """,
        {"a": 1},
        refused=({"A": 1},),
    ),
    "validators before the type": Case(
        """
        def split(value): return value.split(",") if isinstance(value, str) else value
        Words = Annotated[list[str], BeforeValidator(split)]
        class P(BaseModel):
            a: Annotated[list[str], BeforeValidator(split)] = []
            b: list[str] = []
            c: Words = []
            d: Optional[Words] = None
            e: list[str] = []
            f: list[str] = []
            g: Annotated[int, PlainValidator(len)] = 1
            h: Annotated[list[str], AfterValidator(sorted)] = []
            @field_validator("b", mode="before")
            @classmethod
            def _b(cls, value): return split(value)
            _e = field_validator("e", mode="before")(split)
            @pydantic.validator("f", pre=True)
            def _f(cls, value): return split(value)
        """,
        {"a": "x,y", "b": "x,y", "c": "x", "d": "x", "e": "x", "f": "x", "g": "xyz", "h": ["b", "a"]},
        refused=({"h": "x"},),
    ),
    "validators of all fields": Case(
        """
        class P(BaseModel):
            a: int = 1
            @field_validator("*", mode="before")
            @classmethod
            def _any(cls, value): return len(value)
        """,
        {"a": "xyz"},
    ),
    "validators after the type": Case(
        """
        class P(BaseModel):
            a: int = 1
            @field_validator("a")
            @classmethod
            def _a(cls, value): return value
            @model_validator(mode="after")
            def _all(self): return self
        """,
        {"a": "2"},
        refused=({"a": [1]},),
    ),
    "a validator before the model": Case(
        """
        class Inner(BaseModel):
            a: int
            @model_validator(mode="before")
            @classmethod
            def _all(cls, value): return {"a": value} if isinstance(value, int) else value
        class P(BaseModel):
            inner: Inner
            @model_validator(mode="before")
            @classmethod
            def _old(cls, value): return {"inner": value["old"]} if "old" in value else value
        """,
        {"inner": 3},
        {"old": {"a": 3}},
    ),
    "its own constructor": Case(
        """
        class P(BaseModel):
            full: str
            def __init__(self, first, last): super().__init__(full=first + last)
        """,
        {"first": "a", "last": "b"},
    ),
    "constraints": Case(
        """
        Id = Annotated[int, Field(gt=0)]
        class P(BaseModel):
            a: int = Field(1, ge=1, le=100)
            b: Annotated[int, Field(ge=1)] = 1
            c: PositiveInt = 1
            d: conint(ge=1) = 1
            e: Annotated[int, Ge(1)] = 1
            f: Id = 1
            g: str = Field("abc", min_length=2)
            h: list[int] = Field([1], min_length=1, max_length=2)
            i: Optional[str] = Field(None, min_length=2)
            j: Literal["x", "y"] = "x"
            k: list[Id] = []
            l: Annotated[str, StringConstraints(strip_whitespace=True, max_length=2)] = ""
            m: str = Field("a", pattern="^(?i)[A-Z]+$")
            n: NonNegativeFloat = 0
        """,
        {
            "a": 100,
            "b": "1",
            "c": 1,
            "d": 1,
            "e": 1,
            "f": "5",
            "g": "ab",
            "h": [1, "2"],
            "i": "ab",
            "j": "y",
            "k": [1],
            "n": "0",
        },
        {"l": "  ab  ", "m": "abc"},
        refused=(
            {"a": 0},
            {"a": 101},
            {"b": 0},
            {"c": 0},
            {"f": 0},
            {"g": "a"},
            {"h": []},
            {"h": [1, 2, 3]},
            {"i": "a"},
            {"j": "z"},
            {"k": [0]},
            {"n": -1},
        ),
    ),
    "a default in an alias": Case(
        """
        Limit = Annotated[int, Field(default=3, ge=1)]
        class P(BaseModel):
            limit: Limit
            order: Annotated[str, Field(default="new")]
        """,
        {},
        {"limit": 1},
        refused=({"limit": 0},),
    ),
    "models in models": Case(
        """
        class Row(BaseModel):
            id: int
            title: str | None = None
        @dataclass
        class Part:
            n: int
        class Pair(NamedTuple):
            a: int
            b: int
        class Options(TypedDict):
            size: int
        class P(BaseModel):
            rows: list[Row] = []
            by: dict[str, Row | None] = {}
            first: Optional[Row] = None
            part: Part | None = None
            pair: Pair | None = None
            options: Options | None = None
        """,
        {"rows": [{"id": "1", "extra": 2}], "by": {"a": {"id": 1}}, "first": {"id": 1, "title": "x"}},
        {"part": {"n": "1", "extra": 2}, "pair": [1, "2"], "options": {"size": "3"}},
        {"pair": {"a": 1, "b": 2}},
        refused=(
            {"rows": [{}]},
            {"first": {"id": "x"}},
            {"rows": {"id": 1}},
            {"part": {}},
            {"options": {"size": []}},
            {"by": {"a": []}},
        ),
    ),
    "a union that a field tells apart": Case(
        """
        class Cat(BaseModel):
            kind: Literal["cat"]
            lives: int
        class Dog(BaseModel):
            kind: Literal["dog"]
            name: str
        class P(BaseModel):
            pet: Cat | Dog = Field(discriminator="kind")
            more: list[Annotated[Cat | Dog, Field(discriminator="kind")]] = []
        """,
        {"pet": {"kind": "cat", "lives": "9"}, "more": [{"kind": "dog", "name": "a"}]},
        refused=({"pet": {"kind": "bird"}}, {"pet": {"kind": "cat"}}),
    ),
    "models of lists": Case(
        """
        class Tags(RootModel[list[str]]): pass
        class Ids(RootModel):
            root: list[int]
        class P(BaseModel):
            tags: Tags = Tags([])
            ids: Ids = Ids([])
        """,
        {"tags": ["a"], "ids": ["1"]},
        refused=({"tags": "a"}, {"ids": ["x"]}),
    ),
    "a generic model": Case(
        """
        T = TypeVar("T")
        class Box(BaseModel, Generic[T]):
            item: T
            size: int = 1
        class Ints(Box[int]): pass
        class P(BaseModel):
            box: Box[int] | None = None
            row: Box[list[str]] | None = None
            ints: Ints | None = None
        """,
        {"box": {"item": 1, "size": "2"}, "row": {"item": ["a"]}, "ints": {"item": "1"}},
        refused=({"box": {}}, {"row": {"item": ["a"], "size": "x"}}),
    ),
    "other names are used": Case(
        """
        class P(BaseModel, extra="allow"):
            name: str
            tags: list[str] = []
        """,
        {"name": "a", "tag": "x"},
        refused=({"nam": "a"},),
    ),
    "other names are refused": Case(
        """
        class P(BaseModel, extra="forbid"):
            UserId = NewType("UserId", int)
            a: int = Field(1, alias="A")
        """.replace('    UserId = NewType("UserId", int)\n', ""),
        {"A": 1},
        refused=({"a": 1}, {"b": 1}),
    ),
    "new types": Case(
        """
        UserId = NewType("UserId", int)
        class P(BaseModel):
            user: UserId
        """,
        {"user": "3"},
        refused=({"user": "ann"},),
    ),
    "numbers as strings": Case(
        """
        class P(BaseModel, coerce_numbers_to_str=True):
            s: str
        """,
        {"s": 3},
    ),
    "a dataclass of pydantic": Case(
        """
        @pydantic.dataclasses.dataclass
        class P:
            n: int
            s: str = Field(default="", alias="S")
        """,
        {"n": "3", "S": "x", "other": 1},
        refused=({"n": "x"}, {}),
    ),
    "a dataclass of pydantic that refuses other names": Case(
        """
        @pydantic.dataclasses.dataclass(config=ConfigDict(extra="forbid"))
        class P:
            n: int
        """,
        {"n": "3"},
        refused=({"n": 1, "other": 1},),
    ),
    "a base without fields of a dataclass": Case(
        """
        class Mixin:
            kind: str
        @dataclass
        class Base(Mixin):
            team: str
        class P(Base):
            note: str
        """,
        {"team": "a"},
        refused=({"team": "a", "kind": "x"}, {"team": "a", "note": "x"}),
    ),
    "a dataclass with its own constructor": Case(
        """
        @dataclass
        class P:
            team: str
            def __init__(self, name: str): self.team = name
        """,
        {"name": "a"},
    ),
    "a generic dataclass": Case(
        """
        T = TypeVar("T")
        @dataclass
        class Row:
            id: int
        @dataclass
        class Box(Generic[T]):
            item: T
            rows: list[Row]
        P = Box[Row]
        """,
        {"item": {"id": 1}, "rows": [{"id": 1}]},
    ),
}


@pytest.mark.filterwarnings("ignore:Pydantic V1 style")
@pytest.mark.parametrize("name", CASES)
def test_a_run_and_a_check_agree(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    tool = tmp_path / ".ai" / "tools" / "team" / "fetch.py"
    tool.parent.mkdir(parents=True)
    tool.write_text(case.code, "utf-8")
    for params in case.accepted:
        assert result_of("team/fetch", params, project=tmp_path) == {}, params
    for params in case.refused:
        assert error_of("team/fetch", params, project=tmp_path), params
    assert _reported(case, [*case.accepted, *case.refused]) == list(case.refused)


def _reported(case: Case, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The params at whose call anything is reported, of a graph that makes the calls in turn."""
    lines = [
        f"    n{number}: {{action: {{item_id: tool:team/fetch, params: {json.dumps(params)}}}, next: n{number + 1}}}\n"
        for number, params in enumerate(calls)
    ]
    text = GRAPH + "".join(lines).replace(f"next: n{len(calls)}", "next: done")
    found = {
        int(each.partition(":")[2]) for each in loud(check_files({TOOL: case.code, ".ai/tools/g.yaml": text}, ".ai"))
    }
    return [calls[line - GRAPH.count("\n") - 1] for line in sorted(found)]


#: Classes `R`, and expressions that make instances.
RETURNED = {
    "aliases": (
        """
        class R(BaseModel):
            a: int = Field(alias="A")
            b: int = Field(validation_alias="B", serialization_alias="c")
            d: int = Field(validation_alias=AliasChoices("D", "dd"))
            @computed_field(alias="Sum")
            @property
            def total(self) -> int: return 3
        """,
        "R(A=1, B=2, D=3)",
    ),
    "generated aliases": (
        """
        class R(BaseModel, alias_generator=to_camel):
            team_id: int
            @computed_field
            @property
            def team_name(self) -> str: return "a"
        """,
        "R(teamId=1)",
    ),
    "fields that are not declared": (
        """
        class R(BaseModel, extra="allow"):
            a: int
        """,
        "R(a=1, b=2)",
    ),
    "serializers": (
        """
        class R(BaseModel):
            a: int
            b: Annotated[int, PlainSerializer(str)]
            c: list[Annotated[int, PlainSerializer(str)]]
            @field_serializer("a")
            def _a(self, value): return str(value)
        """,
        "R(a=1, b=2, c=[3])",
    ),
    "a serializer of the model": (
        """
        class R(BaseModel):
            a: int
            @model_serializer
            def _all(self): return {"b": self.a}
        """,
        "R(a=1)",
    ),
    "its own dump": (
        """
        class R(BaseModel):
            a: int
            def model_dump(self, **options): return {"b": self.a}
        """,
        "R(a=1)",
    ),
    "defaults that are null": (
        """
        class Inner(BaseModel):
            a: int = None
            b: str = Field(None)
            c: str | None = None
        @dataclass
        class R:
            inner: Inner
            d: int = None
        """,
        "R(Inner())",
    ),
    "types of the standard library": (
        """
        class Color(Enum):
            RED = "red"
        class Level(IntEnum):
            LOW = 1
        class R(BaseModel):
            at: datetime = datetime(2026, 1, 1)
            id: UUID = UUID(int=1)
            path: Path = Path("a")
            price: Decimal = Decimal("1.5")
            color: Color = Color.RED
            level: Level = Level.LOW
            tags: set[str] = {"a"}
            pair: tuple[int, str] = (1, "a")
            raw: bytes = b"x"
            size: PositiveInt = 1
            n: int = "3"
        """.replace('            n: int = "3"\n', ""),
        "R()",
    ),
    "models of lists": (
        """
        class Tags(RootModel[list[str]]): pass
        class R(BaseModel):
            tags: Tags = Tags(["a"])
            hidden: int = Field(1, exclude=True)
        """,
        "R()",
    ),
    "what is left out": (
        """
        class R(BaseModel):
            note: str = Field("", exclude_if=lambda value: not value)
        """,
        "R()",
    ),
    "a dataclass of pydantic": (
        """
        @pydantic.dataclasses.dataclass
        class R:
            n: int = Field(1, alias="N")
        """,
        "R(N=2)",
    ),
    "a dataclass of pydantic in a model": (
        """
        @pydantic.dataclasses.dataclass
        class Part:
            n: int = Field(1, alias="N")
        class R(BaseModel):
            part: Part
        """,
        "R(part=Part(N=2))",
    ),
    "a generic model": (
        """
        T = TypeVar("T")
        class Page(BaseModel, Generic[T]):
            items: list[T]
            total: int
        R = Page[int]
        """,
        "R(items=[1], total=1)",
    ),
    "a generic dataclass in an envelope": (
        """
        T = TypeVar("T")
        @dataclass
        class Page(Generic[T]):
            items: list[T]
        class Row(BaseModel):
            at: datetime = Field(datetime(2026, 1, 1), alias="At")
        R = Page[Row]
        """,
        "Page([Row()])",
    ),
    "a dataclass with its own constructor": (
        """
        @dataclass
        class R:
            team: str
            def __init__(self, name: str): self.team = name
        """,
        "R('a')",
    ),
}


@pytest.mark.parametrize("name", RETURNED)
def test_what_is_returned_is_what_is_read(name: str, tmp_path: Path) -> None:
    code, made = RETURNED[name]
    text = f"{HEAD}{textwrap.dedent(code)}\ndef execute(params: dict) -> R:\n    return {made}\n"
    tool = tmp_path / TOOL
    tool.parent.mkdir(parents=True)
    tool.write_text(text, "utf-8")
    result = result_of("team/fetch", {}, project=tmp_path)
    declared = read_tool(tool, (), "fetch.py", lambda path: path.read_bytes() if path.is_file() else None).result
    assert violation(result, declared, declared) is None
    reads = "".join(f"        v{number}: {json.dumps(f'${{result.{key}}}')}\n" for number, key in enumerate(result))
    graph = GRAPH + f"    n0:\n      action: {{item_id: tool:team/fetch}}\n      assign:\n{reads}      next: done\n"
    codes = [each for each in loud(check_files({TOOL: text, ".ai/tools/g.yaml": graph}, ".ai")) if each[:4] != "GW30"]
    assert codes == []

"""The boundary with emitted code: what importing it costs, and what it offers."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import graphwright_runtime
from cases.graphs import graph as graph_text
from graphwright_runtime import abi
from graphwright_runtime.abi import Problems, check_with_jsonschema, is_integer, json_equal, multiple_of, unique
from running import compile_text, loaded

NODES = """\
start: done
nodes:
  done: {type: return}
"""
#: The arguments of `run` and `run_sync`, in the order of docs/runtime.md.
ARGUMENTS = [
    "inputs",
    "tools",
    "dispatch",
    "strict_tools",
    "capabilities",
    "env",
    "host",
    "project",
    "run_id",
    "resume",
    "durability",
    "allow_changed",
    "on_event",
]

#: What takes long to import, or belongs to the compiler. A run may import some of it, a module never.
HEAVY = [
    "dataclasses",
    "datetime",
    "email",
    "importlib.metadata",
    "json",
    "jsonschema",
    "nacl",
    "orjson",
    "pathlib",
    "tempfile",
    "tomllib",
    "yaml",
    "jinja2",
]


def modules_after(code: str) -> set[str]:
    """The modules that a fresh process has imported after running `code`, beyond what asyncio imports."""
    report = "import asyncio, sys; before = set(sys.modules); {}; print(*set(sys.modules) - before)"
    path = str(Path(graphwright_runtime.__file__).parents[1])
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r}); {report.format(code)}"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_boundary_is_light() -> None:
    found = modules_after("import graphwright_runtime.abi")
    assert not found & set(HEAVY)
    assert len(found) < 37


def test_a_run_needs_no_library() -> None:
    code = (
        "from graphwright_runtime.abi import *; "
        "graph = Graph(id='x', hash='', abi=1, source='x.yaml', start='a', nodes={'a': None}, max_steps=0); "
        "execute_sync(graph, {}, env={})"
    )
    assert not modules_after(code) & {"orjson", "nacl", "jsonschema", "yaml"}


def test_the_list_is_complete_sorted_and_documented() -> None:
    assert list(abi.__all__) == sorted(abi.__all__, key=lambda name: (name != name.upper(), name[0].islower(), name))
    for name in abi.__all__:
        value = getattr(abi, name)
        if inspect.isfunction(value) or inspect.isclass(value):
            assert (value.__doc__ or "").strip(), name
            if inspect.isclass(value) and value.__module__.startswith("graphwright_runtime"):
                for part, member in vars(value).items():
                    if inspect.isfunction(member) and not part.startswith("_"):
                        assert (member.__doc__ or "").strip(), f"{name}.{part}"


#: The entry points as modules had them when they spelled out every argument.
EXPANDED = """\
from __future__ import annotations

from typing import Any

from graphwright_runtime.abi import Dispatch, Durability, Event, Graph, Host, RunResult, Tool, execute, execute_sync


async def only(c: Any) -> None:
    c.finish({"said": c.inputs["word"]})


GRAPH = Graph(
    id="old", hash="0", abi=1, source="old.yaml", start="only", nodes={"only": only}, kinds={"only": "return"}
)


async def run(inputs: Any, *, tools: dict[str, Tool] | None = None, env: Any = None) -> RunResult[Any, Any]:
    return await execute(GRAPH, inputs, tools=tools, env=env)


def run_sync(inputs: Any, *, tools: dict[str, Tool] | None = None, env: Any = None) -> RunResult[Any, Any]:
    return execute_sync(GRAPH, inputs, tools=tools, env=env)
"""


def test_modules_with_entry_points_of_their_own_still_run() -> None:
    module: dict[str, Any] = {}
    exec(EXPANDED, module)
    assert module["run_sync"]({"word": "yes"}, env={}).output == {"said": "yes"}
    assert asyncio.run(module["run"]({"word": "yes"})).output == {"said": "yes"}


def test_entry_points_tell_their_arguments() -> None:
    with loaded(compile_text(graph_text(NODES))) as module:
        assert list(inspect.signature(module.run).parameters) == ARGUMENTS
        assert inspect.signature(module.run) == inspect.signature(module.run_sync)
        assert inspect.iscoroutinefunction(module.run)
        assert set(get_type_hints(module.run)) == {*ARGUMENTS, "return"}
        for argument in ARGUMENTS:
            assert argument in module.run.__doc__
        with pytest.raises(TypeError, match="tols"):
            module.run_sync({}, tols={})


# --- what compiled validators use


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (False, 0, False),
        (True, True, True),
        ([1, {"a": None}], [1.0, {"a": None}], True),
        ([1], [True], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ("1", 1, False),
        (None, None, True),
    ],
)
def test_json_equality(left: object, right: object, same: bool) -> None:
    assert json_equal(left, right) is same
    assert json_equal(right, left) is same


def test_unique() -> None:
    assert unique(["a", "b"])
    assert not unique(["a", "a"])
    assert unique([1, True, "1", [1], [True], {"a": 1}])
    assert not unique([{"a": 1}, {"a": 1.0}])
    assert unique([])


def test_integers_of_json_schema() -> None:
    numbers: list[object] = [1, 0, -5, 2.0, 10**30]
    others: list[object] = [1.5, True, False, "1", None, float("inf"), float("nan")]
    assert all(map(is_integer, numbers))
    assert not any(map(is_integer, others))


def test_multiples() -> None:
    assert multiple_of(0.3, 0.1)
    assert multiple_of(12, 4)
    assert multiple_of(1e300, 1)
    assert not multiple_of(10, 3)
    assert not multiple_of(0.35, 0.1)


def test_jsonschema_is_asked_for_the_rest() -> None:
    pytest.importorskip("jsonschema")
    problem = Problems()
    schema = {"properties": {"a": {"items": {"minimum": 2}}}, "required": ["b"]}
    check_with_jsonschema(schema, {"a": [3, 1]}, problem)
    check_with_jsonschema({"type": "string"}, 5, problem, "x")
    assert problem.found == [
        "missing required input: 'b'",
        "input 'a[1]': 1 is less than the minimum of 2",
        "input 'x': 5 is not of type 'string'",
    ]


def test_jsonschema_names_the_alternative_that_was_meant() -> None:
    options = [
        {"properties": {"kind": {"const": name}, name: {"type": "string"}}, "required": ["kind", name]}
        for name in ("card", "cash")
    ]
    problem = Problems()
    for value in ({"kind": "card", "card": 5}, {"kind": "cash"}, {"kind": "crad", "card": "5"}, {"card": 1}):
        check_with_jsonschema({"oneOf": options}, value, problem, "x")
    assert problem.found == [
        "input 'x': does not match any of the allowed schemas: 'x.card' 5 is not of type 'string'",
        "input 'x': does not match any of the allowed schemas: 'x.cash' is missing",
        "input 'x': does not match any of the allowed schemas: 'x.kind' 'card' was expected or 'cash' was expected",
        "input 'x': does not match any of the allowed schemas (found a mapping of 1)",
    ]


def test_a_missing_jsonschema_is_a_problem_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    for name in ("fallback", "library"):
        monkeypatch.delitem(sys.modules, f"graphwright_runtime.{name}", raising=False)
    problem = Problems()
    check_with_jsonschema({"type": "string"}, 5, problem, "x")
    assert problem.found == ["input 'x': its schema needs jsonschema: install graphwright-runtime[schema]"]

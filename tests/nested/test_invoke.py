"""`graphwright_runtime.invoke`, in programs that have the generated modules and the runtime."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

import graphwright_runtime
from durability.background import VOUCHING
from graphwright_runtime.durable.reader import verified_log
from graphwright_runtime.durable.survey import run_status, wait
from graphwright_runtime.items.directive import parse_directive
from graphwright_runtime.trust.signing import Signer, to_text
from nested.project import Project


def invoked(project: Project, arguments: str) -> dict[str, Any]:
    """What `invoke` returns in a process of its own."""
    code = f"import json, graphwright_runtime\nprint(json.dumps(graphwright_runtime.invoke({arguments})))"
    done = project.python(code)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_graph_by_its_id(shop: Project) -> None:
    result = invoked(shop, "'shop/count-items', {'team': 'blue'}")
    assert result["state"] == {"n": 4}
    assert (result["status"], result["steps"]) == ("completed", 2)
    assert sorted(result) == ["graph_run_id", "state", "status", "steps"]
    assert run_status(shop.folder, result["graph_run_id"]).status == "completed", "it is kept"


def test_capabilities_and_depth(shop: Project) -> None:
    denied = invoked(shop, "'shop/all', {'team': 'blue'}, capabilities=['rye.execute.tool.shop.count-items']")
    assert denied["status"] == "error"
    assert "permission denied: `rye.execute.tool.shop.list`" in denied["error"]
    flat = invoked(shop, "'shop/all', {'team': 'blue'}, depth=0")
    assert flat["error"] == "no graph can be started below this one: `limits.depth` is used up"


def test_resuming(shop: Project) -> None:
    tool = shop.folder / ".ai" / "tools" / "shop" / "list.py"
    works = tool.read_text("utf-8")
    tool.write_text("def execute(params):\n    raise ValueError('not today')\n", "utf-8")
    failed = invoked(shop, "'shop/count-items', {'team': 'blue'}")
    assert (failed["status"], failed["error"]) == ("error", "not today")
    tool.write_text(works, "utf-8")
    again = invoked(shop, f"'shop/count-items', resume_run_id={failed['graph_run_id']!r}")
    assert (again["status"], again["graph_run_id"]) == ("completed", failed["graph_run_id"])


def test_in_the_background(shop: Project) -> None:
    started = invoked(shop, "'shop/all', {'team': 'blue'}, async_=True")
    run_id = started["graph_run_id"]
    assert started == {"success": True, "graph_run_id": run_id, "status": "running", "pid": started["pid"]}
    assert wait(shop.folder, run_id, 30)
    assert run_status(shop.folder, run_id).status == "completed"
    refused = invoked(shop, "'shop/all', async_=True")
    assert (refused["success"], refused["status"]) == (False, "error")
    assert refused["error"] == "missing required input: 'team'"


def test_the_key_to_sign_with_in_the_background(shop: Project) -> None:
    shop.write(VOUCHING)
    shop.build()
    item = shop.folder / ".ai" / "knowledge" / "style.md"
    item.parent.mkdir()
    item.write_text("Short words.\n", "utf-8")
    signer = Signer(bytes(32))
    secret = to_text(signer.seed)
    code = "import graphwright_runtime\nprint(graphwright_runtime.invoke('vouch', async_=True)['graph_run_id'])"
    done = shop.python(code, GRAPHWRIGHT_SIGNING_KEY=secret)
    run_id = done.stdout.strip()
    assert wait(shop.folder, run_id, 30)
    state = verified_log(shop.folder, run_id).checkpoint.state
    assert state["key"] == signer.key.id
    assert secret not in cast("list[str]", state["variables"])


@pytest.mark.parametrize(
    ("graph_id", "error"),
    [
        ("shop/others", "there is no graph `shop/others` in the package `generated`: run `graphwright build`"),
        ("../shop/all", "'../shop/all' is not a valid id of a graph: an id is a path such as `team/report`"),
    ],
)
@pytest.mark.parametrize("background", [False, True])
def test_graphs_that_do_not_exist(shop: Project, graph_id: str, error: str, background: bool) -> None:
    done = shop.python(f"import graphwright_runtime\ngraphwright_runtime.invoke({graph_id!r}, async_={background})")
    assert done.stderr.splitlines()[-1] == f"LookupError: {error}"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("{'team': object()}, async_=True", "inputs are not JSON: team: an object"),
        ("{'team': 'blue'}, depth='1'", "depth must be an integer of at least 0, not '1'"),
        ("{'team': 'blue'}, depth=1.5, async_=True", "depth must be an integer of at least 0, not 1.5"),
    ],
)
def test_arguments_that_cannot_be_used(shop: Project, arguments: str, error: str) -> None:
    done = shop.python(f"import graphwright_runtime\ngraphwright_runtime.invoke('shop/all', {arguments})")
    assert done.stderr.splitlines()[-1] == f"ValueError: {error}"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"graph_id": 5}, "graph_id must be a string, not a value of type int"),
        ({"parameters": [("team", "blue")]}, "parameters must be a mapping, not a value of type list"),
        ({"parameters": ""}, "parameters must be a mapping, not a value of type str"),
        ({"capabilities": "rye.*"}, "capabilities must be a sequence of patterns, not a value of type str"),
        ({"resume_run_id": 5}, "resume_run_id must be a string, not a value of type int"),
        ({"package": None}, "package must be a string, not a value of type NoneType"),
        ({"project": 5}, "project must be a string or a path, not a value of type int"),
        ({"async_": "yes"}, "async_ must be True or False, not a value of type str"),
    ],
)
@pytest.mark.parametrize("background", [False, True])
def test_arguments_of_the_wrong_type(arguments: dict[str, Any], error: str, background: bool) -> None:
    given: dict[str, Any] = {"graph_id": "shop/all", "async_": background}
    with pytest.raises(TypeError) as caught:
        graphwright_runtime.invoke(**{**given, **arguments})
    assert str(caught.value) == error


def test_the_directive_that_describes_it() -> None:
    file = Path(graphwright_runtime.__file__).parent / "directives" / "run_graph.md"
    directive = parse_directive("run_graph", file.read_text("utf-8"))
    assert [field.name for field in directive.inputs] == [
        "graph_id",
        "parameters",
        "async",
        "resume_run_id",
        "capabilities",
        "depth",
    ]
    assert [field.name for field in directive.outputs] == ["graph_run_id", "status", "state", "steps"]

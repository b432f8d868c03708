"""A graph next to a folder of its name: its module is the `__init__.py` of their package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from build.test_drift import GRAPH, build, contents, project, said, settles, write
from graphwright.names import placed

__all__ = ("project",)

CALLER = """\
tool_type: graph
permissions: [rye.execute.tool.billing, rye.execute.tool.billing.*]
config:
  start: one
  nodes:
    one: {action: {item_id: billing}, next: two}
    two: {action: {item_id: billing/invoices}, next: done}
    done: {type: return}
"""
USER = """\
from generated import billing
from generated.billing import invoices

print(billing.run_sync({}).status, invoices.run_sync({}).status, billing.GRAPH_ID, invoices.GRAPH_ID)
"""


def modules() -> set[str]:
    """The modules of the package."""
    return {path for path in contents() if path.endswith(".py")}


def python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project folder."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **variables}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("ids", "others", "expected"),
    [
        (["billing"], [], ["billing.py"]),
        (["billing", "billing/invoices"], [], ["billing/__init__.py", "billing/invoices.py"]),
        (["a-b", "a_b/c"], [], ["a_b/__init__.py", "a_b/c.py"]),
        (["a/b", "a/b/c/d"], [], ["a/b/__init__.py", "a/b/c/d.py"]),
        (["billing"], ["billing/invoices.py"], ["billing/__init__.py"]),
        (["billing"], ["billings/invoices.py"], ["billing.py"]),
    ],
)
def test_where_modules_go(ids: list[str], others: list[str], expected: list[str]) -> None:
    assert [str(path) for path in placed(ids, map(PurePosixPath, others)).values()] == expected


def test_both_are_built_imported_verified_and_typed() -> None:
    write("billing")
    assert build("--provenance").code == 0
    assert {"billing/__init__.py", "billing/invoices.py"} <= modules()
    assert "billing.py" not in modules()
    settles("--provenance")
    for policy in ("off", "require"):
        done = python("-c", USER, GRAPHWRIGHT_VERIFY=f"{policy}:generated")
        assert done.stdout == "completed completed billing billing/invoices\n", done.stderr
    Path("user.py").write_text(USER)
    done = python("-m", "mypy", "--strict", "user.py")
    assert done.returncode == 0, done.stdout
    for target in ("generated/billing/__init__.py", "generated.billing"):
        done = python("-m", "graphwright", "run", target)
        assert json.loads(done.stdout)["status"] == "completed", done.stderr


def test_a_run_of_a_module_finds_both() -> None:
    write("billing")
    write("caller", CALLER)
    assert build().code == 0
    done = python("-m", "graphwright", "run", "generated/caller.py")
    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "completed"), done.stderr


def test_a_changed_package_is_refused() -> None:
    write("billing")
    assert build().code == 0
    module = Path("generated/billing/__init__.py")
    module.write_bytes(module.read_bytes() + b"print('planted')\n")
    done = python("-c", "import generated.billing.invoices", GRAPHWRIGHT_VERIFY="require:generated")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "refused to import generated.billing" in done.stderr
    settles()


def test_the_module_moves_when_the_folder_comes_and_goes() -> None:
    write("shop/orders")
    settles()
    assert {"shop/__init__.py", "shop/orders.py"} <= modules()
    assert "shop.py" not in modules()
    Path(".ai/tools/shop/orders.yaml").unlink()
    settles()
    assert "shop.py" in modules()
    assert not Path("generated/shop").exists()


def test_without_its_graph_the_package_stays() -> None:
    write("billing")
    assert build().code == 0
    Path(".ai/tools/billing.yaml").unlink()
    settles()
    assert b"do not edit" in contents()["billing/__init__.py"]
    assert b"GRAPH_ID" not in contents()["billing/__init__.py"]


def test_a_build_of_one_of_them_knows_the_other() -> None:
    write("billing")
    assert build().code == 0
    before = contents()
    for name in ("billing", "billing/invoices"):
        assert build(f".ai/tools/{name}.yaml").code == 0
        assert contents() == before
    write("billing", GRAPH.replace("done", "other"))
    assert build(".ai/tools/billing.yaml").code == 0
    assert set(contents()) == set(before)


def test_a_build_of_a_part_that_would_hide_a_module_says_what_to_build() -> None:
    write("shop/orders")
    done = build(".ai/tools/shop/orders.yaml")
    assert done.code == 2
    assert ".ai/tools/shop.yaml must now be compiled to generated/shop/__init__.py" in said(done)
    assert not Path("generated/shop").exists()
    settles()


def test_names_that_differ_in_letter_case_cannot_be_a_package() -> None:
    write("Billing")
    done = build()
    assert (done.code, done.stderr.count("GW007")) == (1, 1)
    assert "differ only in case" in said(done)

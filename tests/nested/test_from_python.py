"""Graphs that call graphs, run from Python: with nothing but the generated modules and the runtime."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from commands import graphwright
from nested.project import INNER, LIST, OUTER, Project
from rules.finding import edit


def called(result: dict[str, Any]) -> dict[str, Any]:
    """What the called graph gave, without what differs from run to run."""
    return {name: value for name, value in result["output"].items() if name != "graph_run_id"}


def test_as_from_the_command_line(shop: Project) -> None:
    result = shop.run("generated.shop.all", {"team": "blue"})
    assert called(result) == {
        "success": True,
        "status": "completed",
        "output": {"n": 4, "team": "blue"},
        "steps": 2,
        "ended_at": "done",
    }
    for target in (".ai/tools/shop/all.yaml", "generated.shop.all", "generated/shop/all.py"):
        assert called(shop.command(target, "-i", "team=blue")) == called(result)


def test_under_verification(shop: Project) -> None:
    required = {"GRAPHWRIGHT_VERIFY": "require:generated"}
    assert called(shop.run("generated.shop.all", {"team": "blue"}, **required))["output"]["n"] == 4
    module = shop.folder / "generated" / "shop" / "count_items.py"
    module.write_text(module.read_text().replace('"done"', '"list"'))
    refused = shop.run("generated.shop.all", {"team": "blue"}, **required)
    assert refused["status"] == "error"
    assert "changed after it was signed" in refused["error"]


def test_a_module_that_somebody_put_there_is_not_run(shop: Project) -> None:
    planted = shop.folder / "generated" / "shop" / "count_items.py"
    text = planted.read_text()
    planted.unlink()
    (planted.with_suffix("")).mkdir()
    (planted.with_suffix("") / "__init__.py").write_text(f"print('planted')\n{text}")
    refused = shop.run("generated.shop.all", {"team": "blue"}, GRAPHWRIGHT_VERIFY="require:generated")
    assert refused["status"] == "error"
    assert "refused to import" in refused["error"]


def test_a_dynamic_id(shop: Project) -> None:
    dynamic = edit(OUTER, ('"tool:shop/count-items"', '"tool:shop/count-${inputs.team}"'))
    shop.write({"shop/any.yaml": dynamic})
    shop.build()
    assert called(shop.run("generated.shop.any", {"team": "items"}))["output"]["n"] == 5
    missing = shop.run("generated.shop.any", {"team": "others"})
    assert "no tool `shop/count-others`" in missing["error"]


def test_other_modules_of_the_package_are_not_run_by_their_name(shop: Project) -> None:
    dynamic = edit(OUTER, ('"tool:shop/count-items"', '"tool:shop/${inputs.team}"'))
    shop.write({"shop/any.yaml": dynamic})
    shop.build()
    (shop.folder / "generated" / "shop" / "mine.py").write_text("raise SystemExit('ran')\n")
    assert "no tool `shop/mine`" in shop.run("generated.shop.any", {"team": "mine"})["error"]
    assert "no tool `shop/count_items`" in shop.run("generated.shop.any", {"team": "count_items"})["error"]


def test_a_broken_module_is_one_error(shop: Project) -> None:
    module = shop.folder / "generated" / "shop" / "count_items.py"
    module.write_text(module.read_text() + "\nimport no_such_module\n")
    error = shop.run("generated.shop.all", {"team": "blue"})["error"]
    assert error == "the graph `shop/count-items` cannot be imported: No module named 'no_such_module'"


def test_a_tool_file_comes_first_and_a_program_last(shop: Project) -> None:
    program = shop.folder / ".ai" / "tools" / "shop" / "count-items.sh"
    program.write_text('#!/bin/sh\necho \'{"output": "program"}\'\n')
    program.chmod(0o755)
    everywhere = ("generated.shop.all", ".ai/tools/shop/all.yaml")
    for target in everywhere:
        assert shop.command(target, "-i", "team=blue")["output"]["output"]["n"] == 4
    assert called(shop.run("generated.shop.all", {"team": "blue"}))["output"]["n"] == 4
    shop.write({"shop/count-items.py": "def execute(params, project_path):\n    return {'output': 'tool'}\n"})
    for target in everywhere:
        assert shop.command(target, "-i", "team=blue")["output"] == {"output": "tool"}
    assert shop.run("generated.shop.all", {"team": "blue"})["output"] == {"output": "tool"}


@pytest.mark.parametrize("value", ["GRAPH", "count_items"])
def test_tools_that_are_graphs(shop: Project, value: str) -> None:
    code = (
        "from generated.shop import all, count_items\nfrom generated.shop.count_items import GRAPH\n"
        f"tools = {{'shop/count-items': {value}, 'shop/list': lambda params: {{'n': 7}}}}\n"
        "print(all.run_sync({'team': 'red'}, tools=tools).output['output'])"
    )
    done = shop.python(code)
    assert done.stdout == "{'n': 7, 'team': 'red'}\n", done.stderr


def test_a_module_without_a_graph_is_no_tool(shop: Project) -> None:
    code = "import json\nfrom generated.shop import all\nall.run_sync({'team': 'x'}, tools={'shop/count-items': json})"
    assert (
        "TypeError: tools['shop/count-items'] is neither a callable nor a generated graph" in shop.python(code).stderr
    )


def test_what_a_graph_calls_lies_next_to_it(shop: Project) -> None:
    """A graph of another package finds its own neighbors, not those of its caller."""
    shop.write({"shop/top.yaml": edit(OUTER, ("shop/count-items", "shop/all"))})
    shop.build()
    shutil.copytree(shop.folder / "generated", shop.folder / "other")
    shop.write({"shop/count-items.yaml": edit(INNER, ('n: "${state.n}", ', "n: 100, "))})
    shop.build()
    for package, count in ("generated", 100), ("other", 3):
        code = (
            f"from generated.shop import top\nfrom {package}.shop import all\n"
            "r = top.run_sync({'team': 'red'}, tools={'shop/all': all})\n"
            "print(r.output['output']['output']['n'])"
        )
        assert shop.python(code).stdout == f"{count}\n"


def test_a_graph_that_has_graphs_below_its_name(project: Project) -> None:
    project.write(
        {
            "shop.yaml": edit(OUTER, ("shop/count-items", "shop/all")),
            "shop/all.yaml": OUTER,
            "shop/count-items.yaml": INNER,
            "shop/list.py": LIST,
        }
    )
    project.build()
    assert (project.folder / "generated" / "shop" / "__init__.py").exists()
    for path in ".", "generated":
        name = "shop" if path == "generated" else "generated.shop"
        code = (
            f"import sys\nsys.path.insert(0, {path!r})\nimport {name} as m\nprint(m.run_sync({{'team': 'red'}}).output)"
        )
        assert "'n': 3" in project.python(code).stdout


def test_without_a_package(shop: Project) -> None:
    """The output folder is on the search path: what lies in the same folder is found, and nothing else."""
    code = (
        "import sys\nsys.path[:0] = ['elsewhere', 'generated']\nfrom shop import all\n"
        "result = all.run_sync({'team': 'red'})\nprint(result.error or result.output['output'])"
    )
    assert shop.python(code).stdout == "{'n': 3, 'team': 'red'}\n"


def test_a_module_that_was_loaded_by_its_file_alone_has_no_neighbors(shop: Project) -> None:
    code = (
        "from graphwright_runtime.loader import load_verified\n"
        "m = load_verified('generated/shop/all.py', policy='off')\n"
        "print(m.run_sync({'team': 'red'}).error)"
    )
    assert "no tool `shop/count-items`" in shop.python(code).stdout


@pytest.mark.parametrize("graph_id", ["shop/count-items", "class/1-two/match", "Éa/ﬁx.y", "a b/type", "x/☂-é/__init__"])
def test_modules_are_named_as_the_compiler_names_them(graph_id: str) -> None:
    from graphwright.names import module_name
    from graphwright_runtime import ids

    assert ids.module_name(graph_id) == module_name(graph_id)


def test_the_tools_of_called_graphs_are_methods_of_the_same_object(shop: Project) -> None:
    tools = "type('Shop', (), {'shop_list': lambda self, params: {'n': 40 + len(params['team'])}})()"
    result = shop.run("generated.shop.all", {"team": "a"}, f"tools={tools}")
    assert called(result)["output"] == {"n": 41, "team": "a"}


def test_a_tool_of_a_called_graph_changes_the_protocol_of_its_caller(shop: Project) -> None:
    shop.write({"shop/list.py": LIST.replace("params, project_path", "params: dict[str, str], project_path")})
    outdated = graphwright("build", "--check", "--no-typecheck")
    assert outdated.code == 1
    assert "generated/shop/all.py" in outdated.stderr
    shop.build()
    assert "def shop_list(self, params: dict[str, str], /)" in shop.folder.joinpath("generated/shop/all.py").read_text()

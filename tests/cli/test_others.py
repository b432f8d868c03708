"""The commands that only print: validate, graph, explain, rules, schema, doctor, and the top level."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from cli.samples import CLEAN, FAULTY
from commands import graphwright
from graphwright import __version__
from graphwright.cli import COMMANDS
from graphwright.rules.catalogue import catalogue

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    tools = tmp_path / ".ai/tools/shop"
    tools.mkdir(parents=True)
    (tools / "clean.yaml").write_text(CLEAN, "utf-8")
    (tools / "faulty.yaml").write_text(FAULTY, "utf-8")
    return tmp_path


def test_the_top_level() -> None:
    assert graphwright("--version").stdout == f"graphwright {__version__}\n"
    assert graphwright("--help").code == 0
    assert graphwright().code == 2
    done = graphwright("chekc")
    assert (done.code, done.stderr) == (2, "graphwright: there is no command `chekc`; did you mean `check`?\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_page_with_examples(command: str) -> None:
    done = graphwright(command, "--help")
    assert done.code == 0
    assert f"usage: graphwright {command}" in done.stdout
    assert f"examples:\n  graphwright {command}" in done.stdout
    assert command in graphwright("--help").stdout


def test_validate_prints_a_verdict() -> None:
    done = graphwright("validate", "shop/clean")
    assert (done.code, json.loads(done.stdout)) == (
        0, {"success": True, "errors": [], "warnings": [], "node_count": 2},
    )  # fmt: skip
    done = graphwright("validate", ".ai/tools/shop/faulty.yaml")
    verdict = json.loads(done.stdout)
    assert (done.code, verdict["success"], verdict["node_count"]) == (1, False, 2)
    assert [line.split()[1] for line in (*verdict["errors"], *verdict["warnings"])] == ["GW202", "GW004"]
    done = graphwright("validate", "gone.yaml")
    assert (done.code, json.loads(done.stdout)["success"]) == (2, False)


def test_an_unknown_id_gets_a_suggestion() -> None:
    done = graphwright("graph", "shop/claen")
    assert (done.code, "did you mean `shop/clean`?" in done.stderr) == (2, True)


def test_drawings() -> None:
    assert graphwright("graph", "shop/clean").stdout == (
        'flowchart TD\n    start((start)) --> n0\n    n0["list<br/>shop/list"]\n    n1(["done"])\n    n0 --> n1\n'
    )
    assert "n0 -> n1;" in graphwright("graph", "shop/clean", "--format", "dot").stdout
    drawing = json.loads(graphwright("graph", "shop/clean", "--format", "json").stdout)
    assert drawing["edges"] == [{"from": "list", "to": "done", "when": None, "kind": "default"}]
    assert [node["kind"] for node in drawing["nodes"]] == ["action", "return"]


def test_what_cannot_be_drawn_says_why() -> None:
    Path("broken.yaml").write_text("tool_type: graph\nconfig: [\n", "utf-8")
    done = graphwright("graph", "broken.yaml")
    assert (done.code, done.stdout, "GW001" in done.stderr) == (1, "", True)


def test_explain_prints_the_documentation() -> None:
    done = graphwright("explain", "gw202", "GW301")
    assert done.code == 0
    assert done.stdout.startswith("GW202 (error): ")
    assert catalogue()["GW301"].documentation.strip() in done.stdout
    assert "did you mean `GW202`?" in graphwright("explain", "GW222").stderr
    assert graphwright("explain", "GW2").stdout.startswith("GW201  error")


def test_rules_are_listed_in_every_form() -> None:
    table = graphwright("rules").stdout
    assert [line.split()[0] for line in table.splitlines()] == list(catalogue())
    assert [each["code"] for each in json.loads(graphwright("rules", "--json").stdout)] == list(catalogue())
    markdown = graphwright("rules", "--markdown").stdout
    assert all(f"\n### {code}\n" in markdown for code in catalogue())


def test_the_schema_accepts_what_check_accepts() -> None:
    schema = json.loads(graphwright("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    graphs = [yaml.safe_load(CLEAN)]
    graphs += [yaml.safe_load(file.read_bytes()) for file in sorted(ROOT.glob("examples/**/*.yaml"))]
    for graph in graphs:
        assert list(validator.iter_errors(graph)) == []


@pytest.mark.parametrize(
    "damage",
    [
        ("tool_type: graph", "tool_type: tool"),
        ("permissions:", "permission:"),
        ("start: list", "strat: list"),
        ("next: done", "next: {to: done}"),
        ("type: return", "type: retrun"),
        ("assign:", "asign:"),
        ("item_id:", "itemid:"),
        ('"1.0.0"', "1.0"),
    ],
)
def test_the_schema_refuses_what_check_refuses(damage: tuple[str, str]) -> None:
    schema = json.loads(graphwright("schema").stdout)
    text = CLEAN.replace(*damage)
    assert not jsonschema.Draft202012Validator(schema).is_valid(yaml.safe_load(text))


def test_doctor_says_what_is_in_force_and_where_it_came_from(here: Path) -> None:
    Path("graphwright.toml").write_text('output = "out"\n[rules]\nGW211 = "warning"\n', "utf-8")
    done = graphwright("doctor", ".ai/tools/shop/clean.yaml")
    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "output out (from graphwright.toml)" in lines
    assert "rules GW211 = warning (from graphwright.toml)" in lines
    assert "contracts known (default)" in lines
    assert "graph id shop/clean" in lines
    assert f"configuration {here}/graphwright.toml" in lines
    Path("graphwright.toml").write_text('[rules]\nGW777 = "warning"\n', "utf-8")
    assert graphwright("doctor").code == 2


@pytest.mark.parametrize(
    ("program", "code", "said"),
    [
        ("#!/bin/sh\necho '<svg>'; grep -c digraph", 0, "<svg>\n1\n"),
        ("#!/bin/sh\necho 'no such font' >&2; exit 1", 2, "`dot` failed: no such font"),
        (None, 2, "`dot` cannot be started: No such file or directory; the other formats do not need it"),
    ],
)
def test_svg_is_drawn_by_graphviz(
    here: Path, monkeypatch: pytest.MonkeyPatch, program: str | None, code: int, said: str
) -> None:
    folder = here / "bin"
    folder.mkdir()
    if program is not None:
        (folder / "dot").write_text(program, "utf-8")
        (folder / "dot").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    else:
        monkeypatch.setenv("PATH", str(folder))
    done = graphwright("graph", "shop/clean", "--format", "svg")
    assert done.code == code
    assert said in done.stdout + done.stderr

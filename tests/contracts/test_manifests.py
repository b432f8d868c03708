"""Contracts in files of their own, and the environment variables that tools require."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checking import check_files, loud, only
from commands import graphwright
from contracts.test_python_tools import graph

MANIFEST = {
    "params": {"type": "object", "properties": {"team": {"type": "string"}}, "required": ["team"]},
    "result": {"type": "object", "properties": {"rows": {"type": "array"}}, "required": ["rows"]},
    "env_requires": ["TEAM_TOKEN"],
}
TEXT = json.dumps(MANIFEST, indent="\t")
UNTYPED = "def execute(params, project_path):\n    return {'rows': []}\n"

PLACES = [
    ".ai/tools/team/fetch.contract.yaml",
    ".ai/tools/team/fetch.contract.yml",
    ".ai/tools/team/fetch.contract.json",
    "contracts/team/fetch.yaml",
    "contracts/team/fetch.contract.json",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("call", "codes"),
    [
        (graph(), []),
        (graph("{}"), ["GW702:8"]),
        (graph("{team: 3}"), ["GW412:8"]),
        (graph(read="result.row"), ["GW703:9"]),
    ],
)
def test_a_manifest_is_a_contract(place: str, call: str, codes: list[str]) -> None:
    assert loud(check_files({place: TEXT, ".ai/tools/team/g.yaml": call}, ".ai")) == codes
    assert loud(check_files({place: TEXT, ".ai/tools/team/fetch.py": UNTYPED, ".ai/tools/team/g.yaml": call})) == codes


def test_a_manifest_takes_precedence_over_type_hints() -> None:
    code = "def execute(params: dict[str, int]) -> dict[str, int]: ...\n"
    files = {"contracts/team/fetch.yaml": TEXT, ".ai/tools/team/fetch.py": code, ".ai/tools/g.yaml": graph("{team: 3}")}
    assert "takes a string" in only(check_files(files, ".ai"), "GW412").message


def test_a_definition_of_the_dialect_is_a_contract() -> None:
    text = (
        "tool_type: http\nexecutor_id: rye/core/primitives/http\nversion: 1.0.0\nconfig:\n  url: https://x\n"
        "config_schema: {type: object, properties: {team: {type: string}}, required: [team]}\n"
    )
    files = {".ai/tools/team/fetch.yaml": text, ".ai/tools/g.yaml": graph("{}")}
    assert loud(check_files(files, ".ai/tools/g.yaml")) == ["GW702:8"]


def test_required_variables_are_required_by_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TEAM_TOKEN", raising=False)
    tools = tmp_path / ".ai" / "tools"
    (tools / "team").mkdir(parents=True)
    (tools / "team" / "fetch.py").write_text('ENV_REQUIRES = ["TEAM_TOKEN"]\n' + UNTYPED, "utf-8")
    (tools / "g.yaml").write_text(graph(), "utf-8")
    outer = graph("{n: 1}").replace("tool:team/fetch", "tool:g").replace("team.*", "*")
    (tools / "outer.yaml").write_text(outer, "utf-8")
    for name, where in (("g", "node `fetch`"), ("outer", "node `fetch` through `g`")):
        checked = graphwright("check", "--env", f".ai/tools/{name}.yaml")
        assert f"it is needed by tool `team/fetch`, called by {where}" in " ".join(checked.stderr.split())
    ran = graphwright("run", ".ai/tools/outer.yaml", "-i", "n=1")
    assert ran.code == 1
    assert "TEAM_TOKEN" in ran.stdout
    assert graphwright("build", ".ai", "--no-sign", "--no-typecheck").code == 0
    assert 'REQUIRED_ENV: Final[tuple[str, ...]] = ("TEAM_TOKEN",)' in (tmp_path / "generated" / "g.py").read_text()
    monkeypatch.setenv("TEAM_TOKEN", "")
    assert graphwright("run", ".ai/tools/outer.yaml", "-i", "n=1").code == 0


def test_a_check_from_the_cache_depends_on_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    tools = tmp_path / ".ai" / "tools"
    (tools / "team").mkdir(parents=True)
    (tools / "g.yaml").write_text(graph(), "utf-8")
    assert graphwright("check", ".ai/tools/g.yaml").code == 0

    def complains_after(name: str, text: str) -> bool:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
        return "GW412" in graphwright("check", ".ai/tools/g.yaml").stderr

    code = "from shapes import P\ndef execute(params: P): ...\n"
    shapes = "from typing import TypedDict\nclass P(TypedDict):\n    team: {}\n"
    assert not complains_after(".ai/tools/team/fetch.py", code)
    assert complains_after(".ai/tools/shapes.py", shapes.format("int"))
    assert not complains_after(".ai/tools/team/shapes.py", shapes.format("str"))
    assert not complains_after("contracts/team/fetch.yaml", TEXT)
    assert complains_after(".ai/tools/team/fetch.contract.yaml", TEXT.replace("string", "integer"))

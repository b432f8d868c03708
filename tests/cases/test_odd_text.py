"""Odd values and odd characters: a finding each, the findings of other files as well, and everything shown as it is."""

from __future__ import annotations

import io
import json
import logging
import re
from pathlib import Path

import pytest

from cases.graphs import graph
from checking import check_files
from commands import graphwright
from graphwright.checking.recall import Inspected
from graphwright.checking.recall import dumps as write
from graphwright_runtime.visible import visible

MONSTERS = {
    "hexadecimal": "0x" + "f" * 5000,
    "negative": "-0x" + "f" * 5000,
    "binary": "0b" + "1" * 20_000,
    "octal": "0" + "7" * 20_000,
    "decimal": "7" * 5000,
    "sexagesimal": ":".join(["59"] * 100_000),
    "sexagesimal-fraction": ":".join(["59"] * 100_000) + ".5",
}


def with_state(value: str) -> str:
    return graph(f"start: a\nstate: {{x: {value}}}\nnodes:\n  a: {{type: return, output: '${{state.x}}'}}\n")


@pytest.mark.parametrize("value", MONSTERS.values(), ids=MONSTERS)
def test_a_number_beyond_what_json_can_write_is_one_error(value: str) -> None:
    typo = with_state("1").replace("start: a", "start: b")
    found = check_files({"monster.yaml": with_state(value), "typo.yaml": typo})
    assert [each.code for each in found if each.span.path == "monster.yaml"] == ["GW003"]
    assert [each.code for each in found if each.span.path == "typo.yaml"] == ["GW201"]
    assert all(len(f"{each.message}{each.help}") < 1000 for each in found)


@pytest.mark.parametrize("permission", ["rye.", "rye..", "ryeos.", ".", "..", "rye...x", "rye.fetch.", "'rye. '"])
def test_a_permission_without_its_parts_is_one_error(permission: str) -> None:
    text = graph("start: a\nnodes:\n  a: {type: return}\n").replace("permissions: []", f"permissions: [{permission}]")
    assert {each.code for each in check_files({"it.yaml": text})} <= {"GW605", "GW603"}


COLONS = ["{:", "[:", "{:}", "a: {:", "tool_type: graph\nx: {: 1", "{ : ", "{a: :", "[{:", "{: : :"]


@pytest.mark.parametrize("text", COLONS)
def test_a_colon_between_brackets_is_a_syntax_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "it.yaml"
    file.write_text(text, "utf-8")
    outcome = graphwright("check", file, "--format", "concise", "--no-cache")
    assert outcome.code in (1, 2)
    assert "GW901" not in outcome.stdout + outcome.stderr


def test_our_own_fault_in_one_file_hides_nothing_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def dumps(memory: Inspected) -> bytes:
        if any("odd" in each.span.path for each in memory.findings):
            raise RuntimeError("cannot be written")
        return write(memory)

    monkeypatch.setattr("graphwright.checking.recall.dumps", dumps)
    typo = with_state("1").replace("start: a", "start: b")
    found = check_files({"odd.yaml": typo, "other.yaml": typo})
    assert sorted((each.code, each.span.path) for each in found) == [("GW201", "other.yaml"), ("GW901", "odd.yaml")]


DECEIVING = "a\u202eb\u200bc\x1b[31md\u3164e\u00adf\u2028g"
SHOWN = r"a\u202eb\u200bc\x1b[31md\u3164e\xadf\u2028g"


def test_what_cannot_be_seen_is_escaped() -> None:
    assert visible(DECEIVING) == SHOWN
    assert visible(SHOWN) == SHOWN
    assert visible("größe 数 😀") == "größe 数 😀"
    assert visible("\ud800\ufe0f\u00a0") == r"\ud800\ufe0f\xa0"


@pytest.mark.parametrize("form", ["text", "concise", "github", "gitlab", "sarif"])
def test_findings_show_what_is_there(tmp_path: Path, form: str) -> None:
    text = graph('start: a\nnodes:\n  a: {type: gate, next: "x\\u202ey\\u200bz"}\n  b: {type: return}\n')
    tmp_path.joinpath("it.yaml").write_text(text, "utf-8")
    outcome = graphwright("check", tmp_path / "it.yaml", "--format", form, "--no-cache")
    said = outcome.stdout + outcome.stderr
    assert "\u202e" not in said
    assert "\u200b" not in said
    assert r"x\u202ey" in said.replace(r"\\u", r"\u")


def test_progress_and_logs_show_what_is_there(tmp_path: Path) -> None:
    tools = tmp_path / ".ai" / "tools"
    tools.mkdir(parents=True)
    tools.joinpath("bad.py").write_text(f"def execute(params, root):\n    raise ValueError({DECEIVING!r})\n", "utf-8")
    tmp_path.joinpath("it.yaml").write_text(
        "tool_type: graph\npermissions: ['rye.execute.tool.bad']\nconfig:\n  start: n\n  on_error: continue\n  nodes:\n"
        f"    n: {{action: {{item_id: bad}}, next: z}}\n    z: {{type: return, output: {json.dumps('done')}}}\n",
        "utf-8",
    )
    heard = io.StringIO()
    handler, log = logging.StreamHandler(heard), logging.getLogger("graphwright_runtime")
    log.addHandler(handler)
    before = log.level
    log.setLevel(logging.INFO)
    try:
        outcome = graphwright("run", tmp_path / "it.yaml", "--project", tmp_path)
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
    assert r"a\u202eb\u200bc\x1b[31md" in outcome.stderr
    assert r"a\u202eb\u200bc\x1b[31md" in heard.getvalue()
    for said in (outcome.stderr, heard.getvalue().partition("Traceback")[0]):
        assert not set("\u202e\u200b\x1b\u3164") & set(said)


@pytest.mark.parametrize("form", ["mermaid", "dot"])
def test_drawings_show_what_is_there(tmp_path: Path, form: str) -> None:
    """Names that differ in what cannot be seen are not drawn alike."""
    file = tmp_path / "it.yaml"
    file.write_text(
        "tool_type: graph\nconfig:\n  start: done\n  nodes:\n"
        f"    done: {{type: return, output: {json.dumps(DECEIVING)}}}\n"
        f"    {json.dumps('do' + DECEIVING + 'ne')}: {{type: return}}\n",
        "utf-8",
    )
    drawn = graphwright("graph", file, "--format", form).stdout
    assert not set("\u202e\u200b\x1b\u3164\u00ad\u2028") & set(drawn)
    shown = f"do{SHOWN}ne"
    assert shown.replace("\\", "#92;" if form == "mermaid" else "\\\\") in drawn
    assert not re.search(r"#(?:8238|8203|12644|173|8232|27);", drawn), "an entity would be drawn as what it stands for"

"""Regular expressions of graphs, from check to run: what they mean, and that none of them hangs anything."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cases.graphs import graph
from checking import check_files
from commands import graphwright


def schema_of(name: str, keywords: str) -> str:
    """A graph that returns its one input, which a schema describes."""
    config = f"start: done\nnodes:\n  done: {{type: return, output: '${{inputs.{name}}}'}}\n"
    return graph(config, inputs=f"{name}: {{type: string, {keywords}}}\n")


ROUTED = """\
start: route
nodes:
  route:
    type: gate
    next:
      - {to: hit, when: {path: inputs.text, op: regex, value: PATTERN}}
      - {to: OTHERWISE}
  hit: {type: return, output: found}
  miss: {type: return, output: missed}
"""


def routed(pattern: str, otherwise: str = "miss") -> str:
    """A graph that asks whether an input matches."""
    config = ROUTED.replace("PATTERN", pattern).replace("OTHERWISE", otherwise)
    return graph(config, inputs="text: {type: string, default: ''}\nwanted: {type: string, default: ''}\n")


def codes(text: str) -> list[str]:
    return [each.code for each in check_files({"graphs/it.yaml": text})]


@pytest.mark.parametrize(
    ("keywords", "code"),
    [
        ("pattern: '^(a+)+$'", "GW105"),
        (r"pattern: '(?P<x>a)'", "GW105"),
        ("pattern: '(((a{100}){100}){100}){100}'", "GW105"),
        ("format: email, default: not an address", "GW112"),
        ("pattern: '^[a-z]+$', default: \"abc\\n\"", "GW112"),
    ],
)
def test_a_schema_that_says_less_than_it_seems_is_found(keywords: str, code: str) -> None:
    assert code in codes(schema_of("mail", keywords))


@pytest.mark.parametrize("pattern", ["'^(a+)+$'", r"'^(\w+\s?)*$'", "'(((a{100}){100}){100}){100}'", "'(a'"])
def test_a_condition_that_could_hang_is_an_error(pattern: str) -> None:
    assert "GW406" in codes(routed(pattern))


def run(folder: Path, text: str, inputs: dict[str, str]) -> tuple[int, dict[str, object]]:
    folder.joinpath("it.yaml").write_text(text, "utf-8")
    folder.joinpath("inputs.json").write_text(json.dumps(inputs), "utf-8")
    outcome = graphwright("run", folder / "it.yaml", "--inputs", folder / "inputs.json", "--quiet")
    return outcome.code, json.loads(outcome.stdout)


@pytest.mark.parametrize(
    ("value", "accepted"), [("abc", True), ("abc\n", False), ("ab1", False)], ids=["right", "line-break", "digit"]
)
def test_a_run_refuses_what_the_pattern_does(tmp_path: Path, value: str, accepted: bool) -> None:
    code, result = run(tmp_path, schema_of("name", "pattern: '^[a-z]+$'"), {"name": value})
    assert (code == 0) == accepted
    assert accepted or "input 'name'" in str(result["error"])


def test_a_pattern_from_a_template_that_takes_too_long_is_an_error_of_the_node(tmp_path: Path) -> None:
    text = routed("'${inputs.wanted}'")
    assert run(tmp_path, text, {"text": "a" * 40, "wanted": "^a+$"})[1]["output"] == "found"
    began = time.monotonic()
    code, result = run(tmp_path, text, {"text": "a" * 5000 + "!", "wanted": "^(a|aa)+$"})
    assert code != 0
    assert "takes too long" in str(result["error"])
    assert time.monotonic() - began < 30


def test_a_run_that_searches_again_and_again_can_be_interrupted(tmp_path: Path) -> None:
    endless = "max_steps: 1000000\n  nodes:"
    looping = routed("'${inputs.wanted}'", otherwise="route").replace("nodes:", endless)
    tmp_path.joinpath("it.yaml").write_text(looping, "utf-8")
    tmp_path.joinpath("inputs.json").write_text(json.dumps({"text": "a" * 5_000 + "b", "wanted": "(x|a+)c"}), "utf-8")
    command = [sys.executable, "-m", "graphwright", "run", "it.yaml", "--inputs", "inputs.json"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while "route" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert json.loads(out)["status"] == "cancelled"
    assert process.returncode == 130

"""`-` for a graph: read from standard input, under the name that `--path` gives it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.samples import CLEAN, FAULTY, OLD

ECHO = """\
tool_type: graph
permissions: []
config_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
config: {start: a, nodes: {a: {type: return, output: "${inputs.n}"}}}
"""


def ran(*words: str, given: str | bytes = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own, with this on standard input, through a pipe."""
    data = given.encode() if isinstance(given, str) else given
    command = [sys.executable, "-m", "graphwright", *words]
    done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=60, cwd=folder)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_check(here: Path) -> None:
    done = ran("check", "-", given=CLEAN)
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 graph checked, no problems found" in done.stderr
    done = ran("check", "-", given=FAULTY)
    assert done.returncode == 1
    assert " --> stdin.yaml:7:" in done.stderr
    assert not list(here.iterdir())


def test_the_name_is_that_of_messages_and_gives_the_id(here: Path) -> None:
    name = ".ai/tools/shop/list.yaml"  # nothing of this exists
    done = ran("check", "-", "--path", name, "--format", "json", given=FAULTY)
    assert {each["path"] for each in json.loads(done.stdout)["diagnostics"]} == {name}
    done = ran("run", "-", "--path", ".ai/tools/shop/echo.yaml", "-i", "n=3", "-q", given=ECHO)
    result = json.loads(done.stdout)
    assert result["output"] == 3
    assert result["graph_run_id"].startswith("echo-")


def test_what_is_given_replaces_the_file_of_that_name(here: Path) -> None:
    (here / "graph.yaml").write_text(FAULTY, "utf-8")
    assert ran("check", "-", "--path", "graph.yaml", given=CLEAN).returncode == 0
    assert ran("check", "-", "--path", "graph.yaml", "graph.yaml", given=CLEAN).returncode == 0
    assert ran("check", "graph.yaml").returncode == 1


def test_fixes_are_written_to_standard_output() -> None:
    done = ran("check", "-", "--fix", given=OLD)
    assert "cache_result:   true   # spaces stay" in done.stdout
    assert "op: ne" in done.stdout
    assert "# a remark that stays" in done.stdout
    done = ran("check", "-", "--fix", given=CLEAN)
    assert done.stdout == CLEAN
    done = ran("check", "-", "--diff", given=OLD)
    assert done.stdout.startswith("--- a/stdin.yaml\n+++ b/stdin.yaml\n")


def test_validate_and_run() -> None:
    assert json.loads(ran("validate", "-", given=ECHO).stdout) == {
        "success": True,
        "errors": [],
        "warnings": [],
        "node_count": 1,
    }
    done = ran("run", "-", "-i", "n=3", "-q", given=ECHO)
    assert json.loads(done.stdout)["output"] == 3
    done = ran("run", "-", given=FAULTY)
    assert (done.returncode, done.stdout) == (1, "")
    assert "stdin.yaml:7" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["run", "-", "--inputs", "-"],
            "standard input is either the graph or the inputs: pass a file for one of them",
        ),
        (["build", "-"], "a build reads files, because a module names its source"),
        (["check", "--path", "x.yaml"], "`--path` names a graph from standard input: pass `-` as well"),
    ],
)
def test_wrong_usage(words: list[str], says: str) -> None:
    done = ran(*words, given=CLEAN)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.parametrize("given", [b"", b"\xff\xfe\x00", b"a: [", b"\xef\xbb\xbf" + CLEAN.encode()])
def test_any_bytes(given: bytes) -> None:
    for words in (["check", "-"], ["check", "-", "--fix"], ["run", "-"], ["validate", "-"]):
        done = ran(*words, given=given)
        assert done.returncode in (0, 1, 2), done.stderr
        assert "Traceback" not in done.stderr
        assert "GW901" not in done.stderr


# --- what is not a graph


def test_a_python_file_is_not_read_as_yaml(here: Path) -> None:
    (here / "report.py").write_text("import os\n\n\ndef f():\n    return {'tool_type': 'graph'}\n", "utf-8")
    done = ran("check", "report.py")
    assert done.returncode == 1
    assert "error[GW006]: this is a Python file, not a graph" in done.stderr
    assert "`graphwright verify` checks the signature of a module" in done.stderr
    assert "GW001" not in done.stderr
    assert ran("check", "--graphs-only", "report.py").returncode == 0


def test_a_graph_by_its_id_in_another_project(here: Path) -> None:
    file = here / "shop" / ".ai" / "tools" / "team" / "echo.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(ECHO, "utf-8")
    other = here / "elsewhere"
    other.mkdir()
    done = ran("run", "--project", "../shop", "team/echo", "-i", "n=1", "-q", "--durability", "off", folder=other)
    assert json.loads(done.stdout)["output"] == 1
    assert json.loads(ran("step", "--project", "../shop", "team/echo", "a", "-i", "n=1", folder=other).stdout)[
        "success"
    ]
    done = ran("run", "--project", "../shop", "team/ehco", folder=other)
    assert (done.returncode, "did you mean `team/echo`?" in done.stderr) == (2, True)
    done = ran("run", "--project", "../none", "team/echo", folder=other)
    assert "`--project ../none`: there is no such folder" in done.stderr

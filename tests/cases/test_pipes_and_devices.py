"""Named pipes and devices in the place of files: refused at once, wherever a file is read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright
from owners import give_away

GOOD = "tool_type: graph\npermissions: []\nconfig: {start: a, nodes: {a: {type: return, output: 1}}}\n"
CALLS = """\
tool_type: graph
permissions: [rye.execute.tool.it.own]
config: {start: a, nodes: {a: {action: {item_id: 'tool:it/own'}, next: b}, b: {type: return}}}
"""

#: Where a pipe or a device stands, the command that would read it, its exit code, and what it says: a file that was
#: named, that is needed, or that is called like a graph is refused by its name.
RUNS = "run graphs/calls.yaml --capability rye.execute.*"
READS = [
    ("graphs/it.yaml", "check graphs/it.yaml", 2, "`graphs/it.yaml` cannot be read: it is not a regular file"),
    ("graphs/it.yaml", "run graphs/it.yaml", 2, "`graphs/it.yaml` cannot be read: it is not a regular file"),
    ("graphs/it.yaml", "build graphs/it.yaml", 2, "`graphs/it.yaml` cannot be read: it is not a regular file"),
    ("graphs/it.yaml", "build graphs", 2, "`graphs/it.yaml` cannot be read: it is not a regular file"),
    ("graphs/it.yaml", "check graphs --fix", 2, "`graphs/it.yaml` cannot be read: it is not a regular file"),
    ("graphs/it.yaml", "check graphs", 2, "`graphs/it.yaml` cannot be read: it is not a regular file"),
    ("graphwright.toml", "check graphs", 2, "graphwright.toml cannot be read: it is not a regular file"),
    ("pyproject.toml", "check graphs", 2, "pyproject.toml cannot be read: it is not a regular file"),
    (".graphwright/trust.toml", "keys list", 2, "trust.toml cannot be read: it is not a regular file"),
    (".graphwright/trust.toml", "verify generated", 2, "trust.toml cannot be read: it is not a regular file"),
    (".gitignore", "check graphs", 0, "2 graphs checked"),
    ("graphs/.gitignore", "check graphs", 0, "2 graphs checked"),
    ("templates/module.j2", "build graphs", 2, "module.j2: it is not a regular file"),
    (".ai/tools/it/own.py", RUNS, 1, "no tool `it/own`"),
    (".ai/tools/it/own.sh", RUNS, 1, "no tool `it/own`"),
    (".ai/tools/it/own.yaml", "check graphs/calls.yaml", 0, "1 graph checked"),
    ("generated/__init__.py", "build graphs", 0, "wrote generated/__init__.py"),
    ("generated/__init__.py", "verify generated", 1, "GW804"),
    ("generated/good.py", "verify generated", 1, "GW804"),
    ("generated/good.py", "build graphs --check", 1, "GW802"),
    ("generated/graphwright.manifest", "verify generated", 1, "GW804"),
    ("generated/good.py.intoto.jsonl", "verify generated --provenance", 1, "GW804"),
    ("it.env", "check graphs --env-file it.env", 2, "it.env cannot be read: it is not a regular file"),
    ("inputs.json", "run graphs/good.yaml --inputs inputs.json", 2, "inputs.json` cannot be read: it is not a regular"),
    ("key.pem", "keys trust key.pem", 2, "key.pem does not contain a public key: it is not a regular file"),
    ("it.py", "sign it.py", 2, "it.py cannot be signed: it is not a regular file"),
    ("it.py", "verify it.py", 2, "it.py cannot be read: it is not a regular file"),
]


@pytest.mark.parametrize(
    ("file", "command", "code", "said"), READS, ids=[f"{file}-{command.split()[0]}" for file, command, *_ in READS]
)
@pytest.mark.parametrize("sort", ["pipe", "device"])
def test_nothing_waits_for_a_pipe_or_reads_a_device(
    tmp_path: Path, file: str, command: str, code: int, said: str, sort: str
) -> None:
    tmp_path.joinpath("graphs").mkdir()
    tmp_path.joinpath("graphs/good.yaml").write_text(GOOD, "utf-8")
    tmp_path.joinpath("graphs/calls.yaml").write_text(CALLS, "utf-8")
    settings = "[tool.graphwright]\noutput = 'generated'\n" + "templates = 'templates'\n" * file.startswith("templates")
    tmp_path.joinpath("pyproject.toml").write_text(settings, "utf-8")
    place = tmp_path / file
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    if sort == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("/dev/zero")
    words = [sys.executable, "-m", "graphwright", *command.split()]
    done = subprocess.run(words, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    assert said in done.stderr + done.stdout
    assert "internal error" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["graphwright.toml", "pyproject.toml"])
def test_a_pipe_of_another_user_above_a_project_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    project = tmp_path / "own"
    project.mkdir()
    project.joinpath("good.yaml").write_text(GOOD, "utf-8")
    os.mkfifo(tmp_path / name)
    give_away(tmp_path / name, monkeypatch)
    monkeypatch.chdir(project)
    done = graphwright("check", "good.yaml")
    assert done.code == 0, done.stderr
    assert "no problems found" in done.stderr + done.stdout

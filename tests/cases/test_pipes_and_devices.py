"""Named pipes and devices in the place of files: refused at once, wherever a file is read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GOOD = "tool_type: graph\npermissions: []\nconfig: {start: a, nodes: {a: {type: return, output: 1}}}\n"
CALLS = """\
tool_type: graph
permissions: [rye.execute.tool.it.own]
config: {start: a, nodes: {a: {action: {item_id: 'tool:it/own'}, next: b}, b: {type: return}}}
"""

READS = [
    ("graphs/it.yaml", "check graphs/it.yaml"),
    ("graphs/it.yaml", "build graphs"),
    ("graphs/it.yaml", "check graphs --fix"),
    ("graphwright.toml", "check graphs"),
    (".graphwright/trust.toml", "keys list"),
    (".gitignore", "check graphs"),
    ("templates/module.j2", "build graphs"),
    (".ai/tools/it/own.py", "run graphs/calls.yaml --capability rye.execute.*"),
    (".ai/tools/it/own.yaml", "check graphs/calls.yaml"),
    (".ai/tools/it/own.sh", "run graphs/calls.yaml --capability rye.execute.*"),
    (".graphwright/trust.toml", "verify generated"),
    ("generated/__init__.py", "build graphs"),
    ("generated/__init__.py", "verify generated"),
    ("generated/good.py.intoto.jsonl", "verify generated --provenance"),
    ("graphs/.gitignore", "check graphs"),
    ("pyproject.toml", "check graphs"),
    ("it.env", "check graphs --env-file it.env"),
    ("inputs.json", "run graphs/good.yaml --inputs inputs.json"),
    ("key.pem", "keys trust key.pem"),
    ("it.py", "sign it.py"),
    ("it.py", "verify it.py"),
    ("generated/good.py", "verify generated"),
    ("generated/good.py", "build graphs --check"),
    ("generated/graphwright.manifest", "verify generated"),
]


@pytest.mark.parametrize(("file", "command"), READS, ids=[f"{file}-{command.split()[0]}" for file, command in READS])
@pytest.mark.parametrize("sort", ["pipe", "device"])
def test_nothing_waits_for_a_pipe_or_reads_a_device(tmp_path: Path, file: str, command: str, sort: str) -> None:
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
    assert done.returncode in (0, 1, 2), done.stderr
    assert "internal error" not in done.stderr
    assert "Traceback" not in done.stderr

"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")

#: A block of code: the paragraph before it, its language, and its text.
_BLOCK = re.compile(
    r"(?P<before>[^\n]*(?:\n[^\n]+)*)\n\n```(?P<language>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)

#: What the README does not print: the key of the first build, and progress, which a terminal shows only for a while.
_UNPRINTED = re.compile(r"created a development key|(?:checking|compiling|checking types|writing)(?:: \d+ of \d+)?$")


def section(title: str) -> str:
    """The section of the README with this title."""
    return README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def output(command: list[str], folder: Path) -> str:
    """Everything that a command prints, as a terminal shows it; `python` and `graphwright` are those of the tests."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "120"}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
    )
    return done.stdout


def commands(console: str) -> Iterator[tuple[str, str]]:
    """The commands in a console block, each with what it prints."""
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def test_the_example_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what the text says, in an empty folder: save each file, make each change, type each command."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    folder = tmp_path / "example"
    folder.mkdir()
    typed = []
    for found in _BLOCK.finditer(section("A complete example")):
        before, text = found["before"], found["text"]
        if change := re.search(r"Change `(\w+)` to `(\w+)` in (?:the graph|`([\w.]+)`)", before):
            file = folder / (change[3] or ".ai/tools/reports/tickets.yaml")
            changed = file.read_text("utf-8").replace(change[1], change[2])
            assert changed != file.read_text("utf-8")
            file.write_text(changed, "utf-8")
        if found["language"] == "console":
            for command, expected in commands(text):
                lines = output(["bash", "-c", command], folder).splitlines(keepends=True)
                assert "".join(line for line in lines if not _UNPRINTED.match(line)) == expected
                typed.append(command.split()[0])
            continue
        file = folder / re.findall(r"`([\w./]+\.\w+)`", before)[-1]
        if file.exists():
            assert text in file.read_text("utf-8")
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    assert typed == ["graphwright", "graphwright", "python", "mypy", "graphwright"]


def test_golden_output_of_the_demo() -> None:
    shown = README.split("```console\n$ make demo\n", 1)[1].split("```", 1)[0]
    printed = output(["sh", str(ROOT / "examples" / "demo.sh")], ROOT)
    if os.environ.get("GRAPHWRIGHT_GOLDEN"):
        (ROOT / "README.md").write_text(README.replace(shown, printed), "utf-8")
    assert os.environ.get("GRAPHWRIGHT_GOLDEN") or printed == shown, "README.md is stale: run `make golden`"

"""What formatters and planted bytecode do to a module that was really built: cases from the field."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright
from signing.packages import ROOT

GRAPH = """\
version: "1.0.0"
tool_type: graph
description: "long lines and odd quotes"
permissions: [rye.execute.tool.demo.say]
config:
  start: say
  nodes:
    say:
      action:
        item_id: tool:demo/say
        params:
          text: "it's a \\"long\\" line that goes on past every usual limit of columns ${inputs.who || 'nobody'}"
          many: {a: [1, 2, 3], b: {c: "${inputs.who}", d: true}}
      next: done
    done: {type: return}
"""


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that was built from one graph."""
    folder = tmp_path / "project"
    (folder / ".ai" / "tools").mkdir(parents=True)
    (folder / ".ai" / "tools" / "say.yaml").write_text(GRAPH)
    (folder / "graphwright.toml").write_text("")
    monkeypatch.chdir(folder)
    outcome = graphwright("build", "--no-typecheck")
    assert outcome.code == 0, outcome.stderr
    assert graphwright("verify").code == 0
    return folder / "generated"


def ruff(*arguments: str) -> None:
    """Run the formatter without this project's settings."""
    subprocess.run([sys.executable, "-m", "ruff", *arguments], check=True, capture_output=True, timeout=60)


def test_default_formatters_leave_modules_as_they_are(built: Path) -> None:
    before = {file: file.read_bytes() for file in built.rglob("*.py")}
    ruff("format", "--isolated", str(built))
    ruff("check", "--isolated", "--select", "I,W", "--fix", str(built))
    assert {file: file.read_bytes() for file in before} == before
    for text in before.values():
        assert text.endswith(b"\n")
        assert not [line for line in text.split(b"\n") if line != line.rstrip()]


@pytest.mark.parametrize(
    "settings",
    [
        ("--line-length", "70"),
        ("--config", "line-length=60"),
        ("--config", "format.quote-style='single'"),
        ("--config", "format.indent-style='tab'"),
        ("--config", "format.skip-magic-trailing-comma=true", "--line-length", "200"),
    ],
)
def test_a_formatter_with_other_settings_is_named(built: Path, settings: tuple[str, ...]) -> None:
    before = (built / "say.py").read_bytes()
    ruff("format", "--isolated", *settings, str(built / "say.py"))
    assert (built / "say.py").read_bytes() != before
    outcome = graphwright("verify")
    assert outcome.code == 1
    assert "formatting only" in outcome.stderr
    assert "exclude the folder from formatters and hooks" in outcome.stderr


def test_an_import_sorter_with_other_settings_is_named(built: Path) -> None:
    before = (built / "say.py").read_bytes()
    settings = ("--config", "lint.isort.force-single-line=true")
    ruff("check", "--isolated", "--select", "I", "--fix", *settings, str(built / "say.py"))
    assert (built / "say.py").read_bytes() != before
    assert "formatting only" in graphwright("verify").stderr


@pytest.mark.parametrize("change", [(b"\n", b"\r\n"), (b"\n", b" \n"), (b"\n\n\n", b"\n\n")])
def test_hooks_that_touch_whitespace_are_named(built: Path, change: tuple[bytes, bytes]) -> None:
    module = built / "say.py"
    module.write_bytes(module.read_bytes().replace(*change))
    outcome = graphwright("verify")
    assert outcome.code == 1
    assert "line endings" in outcome.stderr or "formatting only" in outcome.stderr


def test_a_change_of_meaning_is_not_called_formatting(built: Path) -> None:
    module = built / "say.py"
    module.write_bytes(module.read_bytes().replace(b"usual", b"unusual"))
    outcome = graphwright("verify")
    assert "it was changed after it was signed" in outcome.stderr
    assert "formatting only" not in outcome.stderr


def test_building_again_undoes_what_a_formatter_did(built: Path) -> None:
    before = (built / "say.py").read_bytes()
    ruff("format", "--isolated", "--line-length", "60", str(built / "say.py"))
    assert graphwright("build", "--no-typecheck").code == 0
    assert (built / "say.py").read_bytes() == before
    assert graphwright("verify").code == 0


def test_planted_bytecode_does_not_run(built: Path) -> None:
    """The source verifies, and Python would run what lies in the cache instead of it."""
    module = built / "say.py"
    evil = built.parent / "evil.py"
    evil.write_text("print('planted')\n")
    cache = Path(importlib.util.cache_from_source(str(module)))
    cache.parent.mkdir(exist_ok=True)
    py_compile.compile(str(evil), cfile=str(cache), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    code = f"""
from graphwright_runtime import loader
module = loader.load_verified({str(module)!r})
print("clean" if hasattr(module, "run") else "no entry point")
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "runtime")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "clean\n", done.stderr
    plain = subprocess.run(
        [sys.executable, "-c", "import generated.say"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert plain.stdout == "planted\n", "the attack works on plain Python"

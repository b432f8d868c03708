"""The tests that `docs/testing.md` shows pass as printed, and fail as printed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "testing.md").read_text("utf-8")


def block(language: str, contains: str) -> str:
    """The first code block of a language that contains a text."""
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return next(text for text in blocks if contains in text)


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with the generated modules of the examples."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def passing(folder: Path, count: int) -> None:
    ran = python(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert f"{count} passed" in ran.stdout, ran.stdout + ran.stderr


def test_the_examples_pass(tmp_path: Path) -> None:
    first = block("python", "def test_a_batch_that_adds_up")
    (tmp_path / "test_invoices.py").write_text(first + "\n\n" + block("python", "def test_a_killed_run"), "utf-8")
    passing(tmp_path, 4)


def test_a_failure_reads_as_shown(tmp_path: Path) -> None:
    code = block("python", "def test_a_batch_that_adds_up").replace(', "gross_cents": 11900}]', "}]")
    code = code.replace('params["invoices"][0]["gross_cents"]', "11900").replace(
        'params={"invoices": INVOICES}', 'params={"invoices": []}'
    )
    (tmp_path / "test_invoices.py").write_text(code, "utf-8")
    ran = python(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "adds_up_is_posted")
    shown = block("text", "expected `billing/post`").splitlines()
    found = [line.removeprefix("E").strip() for line in ran.stdout.splitlines() if line.startswith("E ")]
    assert found == [f"AssertionError: {shown[0]}", *(line.strip() for line in shown[1:])], ran.stdout


def test_the_recording_is_replayed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "invoice-pipeline", tmp_path / "examples" / "invoice-pipeline")
    (tmp_path / "test_recorded.py").write_text(block("python", "import record, replay"), "utf-8")
    ran = python(tmp_path, "test_recorded.py")
    assert ran.returncode == 0, ran.stderr
    shutil.rmtree(tmp_path / "examples")
    passing(tmp_path, 1)


def test_the_script_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples" / "invoice-pipeline", tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    Path("invoices.json").write_text(block("json", "read_batch"), "utf-8")
    command = block("console", "--mock").split()[2:]
    ran = graphwright(*command)
    assert (ran.code, json.loads(ran.stdout)["output"]) == (0, {"posted": 0, "total_cents": 0})

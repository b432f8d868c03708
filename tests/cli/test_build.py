"""`graphwright build`, as far as the command line goes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from cli.samples import CLEAN, FAULTY
from commands import graphwright

PLAIN = ("--no-typecheck", "--no-sign")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    graphs = tmp_path / "graphs/sub dir"
    graphs.mkdir(parents=True)
    (graphs / "one-two.yaml").write_text(CLEAN, "utf-8")
    (tmp_path / "graphs/three.yaml").write_text(CLEAN, "utf-8")
    return tmp_path


def test_modules_are_written_once(here: Path) -> None:
    done = graphwright("build", *PLAIN, "graphs")
    assert done.code == 0
    assert "wrote generated/three.py\n" in done.stderr
    assert done.stderr.endswith("2 modules written, 0 unchanged, 4 other files written\n")
    spec = importlib.util.spec_from_file_location("three", here / "generated/three.py")
    assert spec is not None
    assert graphwright("build", *PLAIN, "graphs").stderr.endswith("0 modules written, 2 unchanged\n")
    (here / "graphs/three.yaml").write_text(CLEAN.replace("1.0.0", "2.0.0"), "utf-8")
    assert graphwright("build", *PLAIN, "graphs").stderr.endswith("1 module written, 1 unchanged\n")


def test_nothing_is_built_while_there_is_an_error(here: Path) -> None:
    (here / "graphs/faulty.yaml").write_text(FAULTY, "utf-8")
    done = graphwright("build", *PLAIN, "graphs")
    assert done.code == 1
    assert "error[GW202]" in done.stderr
    assert done.stderr.endswith("nothing was built\n")
    assert not (here / "generated").exists()


def test_drift_is_reported_and_nothing_written(here: Path) -> None:
    done = graphwright("build", "--check", *PLAIN, "graphs")
    assert (done.code, "GW802" in done.stderr, (here / "generated").exists()) == (1, True, False)
    graphwright("build", *PLAIN, "graphs")
    assert graphwright("build", "--check", *PLAIN, "graphs").code == 0
    module = here / "generated/three.py"
    module.write_text(module.read_text("utf-8") + "# edited\n", "utf-8")
    done = graphwright("build", "--check", *PLAIN, "graphs")
    assert (done.code, "generated/three.py" in done.stderr) == (1, True)
    (here / "graphs/three.yaml").unlink()
    done = graphwright("build", "--check", *PLAIN, "graphs")
    assert (done.code, "GW803" in done.stderr) == (1, True)


def test_a_file_for_make_says_what_depends_on_what(here: Path) -> None:
    assert graphwright("build", *PLAIN, "--depfile", "out.d", "graphs").code == 0
    rules = (here / "out.d").read_text("utf-8")
    assert "generated/three.py: graphs/three.yaml\n" in rules
    assert "generated/sub_dir/one_two.py: graphs/sub\\ dir/one-two.yaml\n" in rules
    assert "\ngraphs/three.yaml:\n" in rules
    assert graphwright("build", *PLAIN, "--depfile", "gone/out.d", "graphs").code == 2


def test_the_output_folder_can_be_named(here: Path) -> None:
    assert graphwright("build", *PLAIN, "-o", "lib/gen", "graphs").code == 0
    assert (here / "lib/gen/three.py").exists()
    assert (here / "lib/gen/py.typed").exists()
    assert not (here / "generated").exists()


def test_no_files_are_nothing_to_build(here: Path) -> None:
    done = graphwright("build", *PLAIN, "--")
    assert (done.code, (here / "generated").exists()) == (0, False)

"""Switching verification on fails closed: what cannot be done ends the process, with one line and no traceback."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import RUNTIME, Project


def ended(project: Project, value: str = "require:generated", **variables: str) -> str:
    """Assert that Python ends before it runs anything; the line that it says."""
    done = project.python("print('went on')", GRAPHWRIGHT_VERIFY=value, **variables)
    assert done.stdout == ""
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("graphwright: ")
    return done.stderr


@pytest.mark.parametrize(
    "value",
    [
        "require:", "require:no-name", "require:a b", "require:generated/", "require:.generated", "requird:generated",
        "require", "on", "true", "1", "require:yes", ",", " ", "require:generated,warn:", "require:generatd",
        "generatedd", "require:Generated", "require:generated\n", "require:generated\u200b", "require\uff1agenerated",
        "require:g\u0435nerated", "require:\uff47enerated", "r\u0435quire:generated", "require:\u0440\u0430\u0443",
        "warn:generatd", "off",
    ],
)  # fmt: skip
def test_a_value_that_names_no_package(project: Project, value: str) -> None:
    if value == "require:generated\n":  # blanks around a name are none of it
        assert project.python("print('ran')", GRAPHWRIGHT_VERIFY=value).stdout == "ran\n"
    else:
        assert "GRAPHWRIGHT_VERIFY" in ended(project, value)


def test_a_package_of_another_folder_is_for_others_to_judge(project: Project, tmp_path: Path) -> None:
    """A child process may start anywhere: that its parent's package is not there is no fault."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    child = Project(
        elsewhere, {"PYTHONPATH": os.pathsep.join(str(each) for each in (project.folder / "site", RUNTIME))}
    )
    assert child.python("print('ran')", GRAPHWRIGHT_VERIFY="require:generated").stdout == "ran\n"


def test_what_it_says_steers_no_terminal(project: Project) -> None:
    """A value, and the path of a trust file, may hold anything."""
    assert "require:\\x1b[31m\\u202e" in ended(project, "require:\x1b[31m\u202e").partition(": '")[0]
    odd = project.folder / "odd\x1b[31m.toml"
    odd.write_text("[")
    assert "odd\\x1b[31m.toml is no" in ended(project, GRAPHWRIGHT_TRUST=str(odd))


def test_the_working_folder_is_gone(project: Project) -> None:
    gone = project.folder / "gone"
    gone.mkdir()
    path = os.pathsep.join((str(project.folder / "site"), str(RUNTIME)))
    environment = {**os.environ, "PYTHONPATH": path, "GRAPHWRIGHT_VERIFY": "require:generated"}
    done = subprocess.run(
        [sys.executable, "-c", "print('went on')"],
        cwd=gone, env=environment, capture_output=True, text=True, timeout=60, preexec_fn=gone.rmdir,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.count("\n") == 1
    assert "the current directory does not exist any more" in done.stderr


def test_a_trust_file_that_cannot_be_looked_at(project: Project) -> None:
    """Links that lead to each other are what root cannot read either."""
    shutil.rmtree(project.folder / ".graphwright")
    (project.folder / ".graphwright").symlink_to(".graphwright")
    assert "cannot be accessed" in ended(project)


def test_a_trust_file_that_is_a_folder(project: Project) -> None:
    (project.folder / PROJECT_FILE).unlink()
    (project.folder / PROJECT_FILE).mkdir()
    assert "cannot be read" in ended(project)


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_trust_file_that_could_be_read_for_ever(project: Project, kind: str) -> None:
    file = project.folder / PROJECT_FILE
    file.unlink()
    if kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    assert "cannot be read" in ended(project)


@pytest.mark.parametrize("text", ["[[keys]", "keys = 1", "\xff", "[[keys]]\nid = 'a'\n"])
def test_a_trust_file_that_says_nothing_sensible(project: Project, text: str) -> None:
    (project.folder / PROJECT_FILE).write_text(text, "latin-1")
    assert "trust.toml" in ended(project)


def test_a_trust_file_of_somebody_else(project: Project) -> None:
    (project.folder / PROJECT_FILE).chmod(0o666)
    assert "is world-writable" in ended(project)


def test_something_that_verification_needs_is_missing(project: Project) -> None:
    """Without PyNaCl, as in a Python that reads no site packages, nothing can be verified: then nothing runs."""
    environment = {**os.environ, "PYTHONPATH": str(RUNTIME), "GRAPHWRIGHT_VERIFY": "require:generated"}
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import graphwright_runtime; print('went on')"],
        cwd=project.folder, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr == "graphwright: GRAPHWRIGHT_VERIFY=require:generated: No module named 'nacl'\n"


def test_the_runtime_is_damaged(project: Project) -> None:
    """The line that arms verification does not leave an error to Python, which would print it and go on."""
    shutil.copytree(RUNTIME / "graphwright_runtime", project.folder / "site" / "graphwright_runtime")
    (project.folder / "site" / "graphwright_runtime" / "__init__.py").write_text("0 0")
    assert "imports cannot be verified" in ended(project)


def test_nothing_can_be_said(project: Project) -> None:
    """With a closed standard error the process ends all the same."""
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join((str(project.folder / "site"), str(RUNTIME))),
        "GRAPHWRIGHT_VERIFY": "require:generatd",
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-c", "exec python -c 'print(\"went on\")' 2>&-"],
        cwd=project.folder, env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("", 1)


def test_of_two_policies_the_stricter_counts(project: Project) -> None:
    (project.package / MANIFEST).unlink()
    done = project.python("import generated", GRAPHWRIGHT_VERIFY="require:generated,warn:generated")
    assert "VerificationError" in done.stderr

"""Reading a file whole: what is not a regular file is refused at once, and a limit is a limit."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphwright.content import content_of


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 3_000_000])
def test_all_of_a_file_or_one_byte_more_than_wanted(tmp_path: Path, size: int) -> None:
    file = tmp_path / "file"
    file.write_bytes(os.urandom(size))
    assert content_of(file) == content_of(str(file)) == file.read_bytes()
    assert content_of(file, 10) == file.read_bytes()[:11]


@pytest.mark.parametrize("told", [0, 5, 1_000])
def test_a_size_that_is_not_the_real_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: int) -> None:
    """It is being written, or its system tells no sizes, as Linux does of what lies in /proc."""
    file = tmp_path / "file"
    file.write_bytes(b"x" * 100)
    real = os.fstat

    def fstat(handle: int) -> os.stat_result:
        return os.stat_result([told if at == 6 else field for at, field in enumerate(real(handle))])

    monkeypatch.setattr(os, "fstat", fstat)
    assert content_of(file) == b"x" * 100
    assert content_of(file, 10) == b"x" * 11


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/null")):
        with pytest.raises(OSError, match="not a regular file"):
            content_of(path)
    with pytest.raises(FileNotFoundError):
        content_of(tmp_path / "gone")
    with pytest.raises(ValueError, match="null"):
        content_of("a\0b")


def test_handles_are_closed(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    before = os.open(tmp_path / "file", os.O_RDONLY)
    os.close(before)
    for _ in range(20):
        content_of(tmp_path / "file")
        with pytest.raises(OSError, match="not a regular file"):
            content_of(tmp_path)
    after = os.open(tmp_path / "file", os.O_RDONLY)
    os.close(after)
    assert before == after

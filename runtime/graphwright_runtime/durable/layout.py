"""The paths of the files of runs, all below the project folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from graphwright_runtime.content import content_of
from graphwright_runtime.errors import RefusedError

#: Maximum length of a run id, which is used as a file name.
_LONGEST = 150


class Layout(NamedTuple):
    """The files of one run."""

    project: Path
    graph_id: str
    run_id: str

    @property
    def thread(self) -> Path:
        """The folder of the run."""
        return threads(self.project) / self.run_id

    @property
    def log(self) -> Path:
        """The log. All other files are derived from it."""
        return self.thread / "transcript.jsonl"

    @property
    def writer(self) -> Path:
        """The file with the id of the process that writes or wrote the log."""
        return self.thread / "pid"

    @property
    def cancel(self) -> Path:
        """The file whose existence cancels the run."""
        return self.thread / "cancel"

    @property
    def output(self) -> Path:
        """The standard output and standard error of a run in the background."""
        return self.thread / "async.log"

    @property
    def context(self) -> Path:
        """The capabilities and limits of the run, for the processes that it starts."""
        return self.thread / "thread.json"

    @property
    def ref(self) -> Path:
        """The file that refers to the objects of the run."""
        return objects_folder(self.project) / "refs" / "graphs" / f"{self.run_id}.json"

    @property
    def state(self) -> Path:
        """The view of the state."""
        return self.project.joinpath(".ai", "knowledge", "graphs", *_parts(self.graph_id), f"{self.run_id}.md")

    @property
    def history(self) -> Path:
        """The view of the history."""
        return self.project.joinpath(
            ".ai", "knowledge", "agent", "threads", *_parts(self.graph_id), f"{self.run_id}.md"
        )


def writer_of(layout: Layout) -> int | None:
    """The id of the process that writes or wrote the log; None if it is unknown."""
    try:
        return int(content_of(layout.writer, 64))
    except (OSError, ValueError):
        return None


def threads(project: Path) -> Path:
    """The folder that contains a folder for each run."""
    return project / ".ai" / "state" / "threads"


def registry_file(project: Path) -> Path:
    """The database of runs (`registry.py`)."""
    return project / ".ai" / "state" / "registry.db"


def objects_folder(project: Path) -> Path:
    """The content-addressed store."""
    return project / ".ai" / "state" / "objects"


def cache_folder(project: Path) -> Path:
    """The folder of cached results."""
    return objects_folder(project) / "cache"


def check_run_id(run_id: str) -> None:
    """Raise RefusedError if an id cannot be used as a folder name."""
    if (
        not run_id
        or len(run_id.encode(errors="replace")) > _LONGEST
        or run_id.startswith((".", "-"))
        or not run_id.isprintable()
        or any(character in '/\\:"' for character in run_id)
    ):
        shown = run_id if len(run_id) <= _LONGEST else f"{run_id[:_LONGEST]}…"
        raise RefusedError(
            f"a run id names a folder: at most {_LONGEST} printable characters, no dot or minus at the start, and none "
            f'of / \\ : " (it is {shown!r})'
        )


def made_state_folder(project: Path) -> None:
    """Create the folder for files of runs, ignored by git. Raises OSError."""
    folder = project / ".ai" / "state"
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".gitignore").write_text("*\n", "utf-8")


def replace_file(file: Path, data: bytes) -> None:
    """Replace a file atomically. Raises OSError, with the name of the file."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        try:
            temporary.write_bytes(data)
        except FileNotFoundError:
            file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(data)
        temporary.replace(file)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        error.filename = str(file)
        raise


def _parts(graph_id: str) -> list[str]:
    """The parts of a graph id as folder names. None of them leads to a parent folder."""
    return [part if part not in ("", ".", "..") else "_" for part in graph_id.split("/")]

"""The registry: a database with one row for each run of a project, updated when a status changes.

It is derived from the logs, so it is not synced to the disk. A damaged database is renamed and replaced by a new one.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from graphwright_runtime.content import check_regular
from graphwright_runtime.durable.layout import made_state_folder, registry_file
from graphwright_runtime.values import Json

#: The columns of costs; other kinds of costs are in the log alone. A larger number is none that the database takes.
_COSTS: Final = ("turns", "input_tokens", "output_tokens", "spend", "spawn_count")
_LARGEST: Final = 2**62
#: The columns that are written, the first three of them once.
_WRITTEN: Final = (
    *("thread_id", "directive", "parent_id", "status", "pid", "created_at", "updated_at", "result"),
    *_COSTS,
    *("continuation_of", "continuation_thread_id", "chain_root_id"),
)

#: Seconds to wait for other writers.
_PATIENCE: Final = 30.0

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS threads (
    thread_id TEXT PRIMARY KEY, directive TEXT NOT NULL, parent_id TEXT, status TEXT NOT NULL, pid INTEGER,
    created_at REAL NOT NULL, updated_at REAL NOT NULL,
    turns INTEGER, input_tokens INTEGER, output_tokens INTEGER, spend REAL, spawn_count INTEGER, model TEXT,
    continuation_of TEXT, continuation_thread_id TEXT, chain_root_id TEXT, result TEXT
)"""


def set_status(
    project: Path,
    run_id: str,
    graph_id: str,
    status: str,
    *,
    pid: int | None,
    now: float,
    parent_id: str | None = None,
    result: str | None = None,
    cost: Json = None,
    continuation_of: str | None = None,
    continuation_thread_id: str | None = None,
) -> None:
    """Record the status of a run or thread, adding a row if it has none. Raises OSError and sqlite3.Error.

    The numbers of `cost` are stored in the columns with their names. A value of None leaves a column as it is.
    """
    spent = cost if isinstance(cost, dict) else {}
    with _opened(project) as database:
        root = None
        if continuation_of is not None:
            above = database.execute("SELECT chain_root_id FROM threads WHERE thread_id = ?", (continuation_of,))
            root = (above.fetchone() or (None,))[0] or continuation_of
        database.execute(
            f"INSERT INTO threads ({', '.join(_WRITTEN)}) VALUES ({', '.join('?' * len(_WRITTEN))})"
            f" ON CONFLICT (thread_id) DO UPDATE SET {', '.join(map(_update, _WRITTEN[3:]))}",
            (
                *(run_id, graph_id, parent_id, status, pid, now, now, result),
                *(_number(spent.get(name)) for name in _COSTS),
                *(continuation_of, continuation_thread_id, root),
            ),
        )


def _update(column: str) -> str:
    """How a column of an existing row changes: when it was made does not, and what is not known is not forgotten."""
    if column in ("status", "pid", "updated_at"):
        return f"{column} = excluded.{column}"
    return f"{column} = {column}" if column == "created_at" else f"{column} = coalesce(excluded.{column}, {column})"


def _number(value: Json) -> int | float | None:
    return value if isinstance(value, (int, float)) and abs(value) < _LARGEST else None


def rows(project: Path) -> list[Mapping[str, object]]:
    """All rows, oldest run first. Writes nothing. Raises OSError and sqlite3.Error."""
    return _read(project, "ORDER BY created_at, thread_id")


def row(project: Path, run_id: str) -> Mapping[str, object]:
    """The row of a run; empty if there is none. Writes nothing. Raises OSError and sqlite3.Error."""
    found = _read(project, "WHERE thread_id = ?", run_id)
    return found[0] if found else {}


def _read(project: Path, which: str, *values: str) -> list[Mapping[str, object]]:
    file = registry_file(project)
    if not check_regular(file):
        return []
    uri = f"{file.absolute().as_uri()}?mode=ro"
    try:
        return _selected(uri, which, values)
    except sqlite3.OperationalError:  # readers of a database in use must write next to it, which is not permitted here
        return _selected(f"{uri}&immutable=1", which, values)


def _selected(uri: str, which: str, values: Sequence[str]) -> list[Mapping[str, object]]:
    database = sqlite3.connect(uri, timeout=_PATIENCE, uri=True)
    try:
        database.row_factory = sqlite3.Row
        return [dict(found) for found in database.execute(f"SELECT * FROM threads {which}", values)]
    finally:
        database.close()


@contextmanager
def _opened(project: Path) -> Iterator[sqlite3.Connection]:
    made_state_folder(project)
    file = registry_file(project)
    check_regular(file)
    database = sqlite3.connect(file, timeout=_PATIENCE, isolation_level=None)
    try:
        try:
            _prepare(database)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            database.close()
            file.replace(file.with_name(f"{file.name}.damaged"))
            database = sqlite3.connect(file, timeout=_PATIENCE, isolation_level=None)
            _prepare(database)
        yield database
    finally:
        database.close()


def _prepare(database: sqlite3.Connection) -> None:
    """Create the table, in WAL mode for concurrent access. Retry while others use the database in another mode."""
    database.execute("PRAGMA synchronous = OFF")
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            [[mode]] = database.execute("PRAGMA journal_mode")
            if mode != "wal":
                database.execute("PRAGMA journal_mode = WAL")
            database.execute(_TABLE)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return

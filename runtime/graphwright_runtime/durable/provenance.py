"""Finds runs of a project that made the same calls, to compare their results.

The input of a step is identified by the sha256 of its action with all params filled in (`node_input_hash` in its
receipt).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from graphwright_runtime.content import regular_file
from graphwright_runtime.durable.checkpoint import Checkpoint
from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.listing import run_ids
from graphwright_runtime.durable.reader import verified_log
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from hashlib import _Hash

_INPUT: Final = re.compile(rb'"node_input_hash":"([0-9a-f]{64})"')
#: Number of bytes of a log to search at once, and their overlap, in case a match spans two pieces.
_PIECE: Final = 1 << 20
_OVERLAP: Final = 100


class Execution(NamedTuple):
    """A finished step that called something. `timestamp` is its start, in seconds since the epoch."""

    run_id: str
    graph_id: str
    step: int
    node: str
    kind: str
    status: str
    cache_hit: bool
    timestamp: float
    input_hash: str | None
    result_hash: str | None


class Executed(NamedTuple):
    """The executions in a run, and the state of the run according to its log."""

    executions: list[Execution]
    checkpoint: Checkpoint


class Found(NamedTuple):
    """The executions in other runs, and the reasons why some logs could not be verified, by run."""

    executions: list[Execution]
    unverified: dict[str, str]


def executions_of(project: Path, run_id: str, node: str) -> Executed:
    """The executions of a node in a run, from its verified log. Raises RefusedError."""
    watcher = _Watcher(run_id, node=node)
    return Executed(watcher.executions, verified_log(project, run_id, watcher).checkpoint)


def same_inputs(project: Path, inputs: frozenset[str], besides: str) -> Found:
    """The executions with these inputs in all runs of a project except `besides`.

    Verifies the logs that contain them. Raises RefusedError if the folder of runs cannot be read.
    """
    found = Found([], {})
    for run_id in run_ids(project):
        if run_id == besides or not _mentions(Layout(project, "", run_id).log, inputs):
            continue
        watcher = _Watcher(run_id, inputs=inputs)
        try:
            verified_log(project, run_id, watcher)
        except RefusedError as error:
            found.unverified[run_id] = str(error)
        else:
            found.executions.extend(watcher.executions)
    return found


class _Watcher:
    """Collects the executions of a node, or those with certain inputs."""

    def __init__(self, run_id: str, *, node: str | None = None, inputs: frozenset[str] = frozenset()) -> None:
        self.executions: list[Execution] = []
        self._run_id = run_id
        self._node = node
        self._inputs = inputs
        self._graph_id = ""

    def event(self, event_type: str, payload: dict[str, Json], before: Checkpoint) -> None:
        """Record a finished step."""
        del before
        if event_type == "graph_started":
            self._graph_id = str(payload["graph_id"])
        if event_type != "step_completed":
            return
        receipt = cast("Mapping[str, Json]", payload["receipt"])
        input_hash, result_hash = receipt.get("node_input_hash"), receipt.get("node_result_hash")
        if payload["node"] == self._node or input_hash in self._inputs:
            self.executions.append(
                Execution(
                    run_id=self._run_id,
                    graph_id=self._graph_id,
                    step=cast("int", payload["step"]),
                    node=str(payload["node"]),
                    kind=str(payload["kind"]),
                    status=str(payload["status"]),
                    cache_hit=receipt["cache_hit"] is True,
                    timestamp=cast("float", receipt["timestamp"]),
                    input_hash=None if input_hash is None else str(input_hash),
                    result_hash=None if result_hash is None else str(result_hash),
                )
            )

    def append(self, size: int, digest: _Hash) -> None:
        """Ignore the ends of appends."""


def _mentions(log: Path, inputs: frozenset[str]) -> bool:
    """Whether a log that is not verified yet contains one of these hashes."""
    wanted = {each.encode() for each in inputs}
    return any(found[1] in wanted for piece in _pieces(log) for found in _INPUT.finditer(piece))


def _pieces(log: Path) -> Iterator[bytes]:
    """The bytes of a log in overlapping pieces; none if it cannot be read."""
    before = b""
    try:
        with regular_file(log) as file:
            while piece := file.read(_PIECE):
                yield before + piece
                before = piece[-_OVERLAP:]
    except OSError:
        return

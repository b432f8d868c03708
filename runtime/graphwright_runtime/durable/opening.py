"""Opens the log of a run, new or to be resumed. Only one process at a time can have it open for writing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.capability import PARENT_VARIABLE
from graphwright_runtime.content import regular_handle
from graphwright_runtime.durable import locking
from graphwright_runtime.durable.checkpoint import Checkpoint
from graphwright_runtime.durable.claims import Claim, Prefixes, check_claim, claims
from graphwright_runtime.durable.errors import TamperedError, UnkeepableError
from graphwright_runtime.durable.layout import Layout, check_run_id, made_state_folder, replace_file, threads, writer_of
from graphwright_runtime.durable.reader import Verified, read_log
from graphwright_runtime.durable.recorder import Recorder
from graphwright_runtime.durable.runkey import run_signer
from graphwright_runtime.durable.snapshot import read_reference, verify_objects
from graphwright_runtime.durable.writer import LogWriter
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.log import about, logger

log: Final = logger(__name__)

_FLAGS: Final = os.O_RDWR | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_ENDED: Final = ("completed", "completed_with_errors")


class Opened(NamedTuple):
    """A run to resume: its state, and the recorder for what follows."""

    checkpoint: Checkpoint
    recorder: Recorder


def begin(
    project: Path,
    graph: AnyGraph,
    run_id: str,
    level: str,
    above: Recorder | None = None,
    started_by: str | None = None,
) -> Recorder:
    """The recorder of a new run. `above` is the recorder of the run that calls it; `started_by` is the id of the run
    that started this process, according to the environment.

    Raises RefusedError: UnkeepableError if the log cannot be created.
    """
    check_run_id(run_id)
    signer = run_signer()
    layout = Layout(project, graph.id, run_id)
    handle = -1
    try:
        made_state_folder(project)
        layout.thread.mkdir(parents=True, exist_ok=True)
        handle = regular_handle(layout.log, _FLAGS | os.O_CREAT)
        _lock(handle, layout)
        if os.fstat(handle).st_size:
            checkpoint = _verified(handle, layout).checkpoint
            if checkpoint.started:
                advice = "" if checkpoint.status == "completed" else "resume it, or "
                raise RefusedError(f"the run {run_id!r} already exists: {advice}choose another id")
            os.ftruncate(handle, 0)  # it was killed before it began
        if level == "power":
            _sync_folders(layout)
    except BaseException as error:
        if handle >= 0:
            locking.close(handle)
        if isinstance(error, OSError):
            reason = f"{error.filename or layout.log}: {error.strerror}"
            raise UnkeepableError(f"the log of the run cannot be made: {reason}") from error
        raise
    writer = LogWriter(handle, run_id, signer, sync=level == "power")
    return Recorder(layout, writer, signer, None, level, above, _parent(started_by))


def reopen(project: Path, graph: AnyGraph, run_id: str, level: str | None, *, allow_changed: bool) -> Opened:
    """Open a run to resume it, after verifying all of its files. Raises RefusedError.

    If `level` is None, the run keeps its durability.
    """
    checkpoint, recorder = reopen_by_id(project, graph, run_id, level, allow_changed=allow_changed)
    if recorder is None:
        raise RefusedError(f"the run {run_id!r} is already {checkpoint.status}: there is nothing to resume")
    return Opened(checkpoint, recorder)


def reopen_by_id(
    project: Path,
    graph: AnyGraph,
    run_id: str,
    level: str | None = None,
    *,
    allow_changed: bool = False,
    above: Recorder | None = None,
) -> tuple[Checkpoint, Recorder | None]:
    """`reopen` for a run that may have completed: it is a checkpoint without a recorder. `above` as in `begin`."""
    check_run_id(run_id)
    layout = Layout(project, graph.id, run_id)
    handle, verified = _existing(layout, graph, allow_changed=allow_changed)
    try:
        if verified.checkpoint.status in _ENDED:
            locking.close(handle)
            return verified.checkpoint, None
        return _continued(handle, verified, layout, graph, level, above)
    except BaseException:
        locking.close(handle)
        raise


def reopen_below(
    above: Recorder, project: Path, graph: AnyGraph, run_id: str
) -> tuple[Checkpoint | None, Recorder | None]:
    """Open the nested run that a call started before its caller was interrupted, or a new one.

    Returns only a checkpoint if that run has ended. Raises RefusedError.
    """
    check_run_id(run_id)
    log_file = Layout(project, graph.id, run_id).log
    if not log_file.exists() or not log_file.stat().st_size:
        return None, begin(project, graph, run_id, above.level, above)
    return reopen_by_id(project, graph, run_id, above.level, above=above)


def _parent(run_id: str | None) -> str | None:
    """The run id as the parent of a new run; one that is not valid is ignored with a warning."""
    if run_id is not None:
        try:
            check_run_id(run_id)
        except RefusedError as error:
            log.warning("%s: %s", PARENT_VARIABLE, error)
            return None
    return run_id


def _existing(layout: Layout, graph: AnyGraph, *, allow_changed: bool) -> tuple[int, Verified]:
    """Open and verify the log of a run of this graph. Raises RefusedError."""
    run_id = layout.run_id
    try:
        handle = regular_handle(layout.log, _FLAGS)
    except FileNotFoundError:
        raise RefusedError(f"there is no run {run_id!r} in {threads(layout.project)}") from None
    except OSError as error:
        raise RefusedError(f"{layout.log} cannot be opened: {error.strerror}") from error
    try:
        _lock(handle, layout)
        claimed, reference = list(claims(layout)), read_reference(layout)
        if reference is not None:
            claimed.append(reference.claim)
        prefixes = Prefixes(claim.log_bytes for claim in claimed)
        verified = _verified(handle, layout, prefixes)
        _check_claims(claimed, verified.size, prefixes)
        _check_resumable(verified.checkpoint, run_id)
        _check_graph(verified.checkpoint, graph, run_id, allow_changed=allow_changed)
        if reference is not None:
            verify_objects(layout.project, reference)
    except BaseException as error:
        locking.close(handle)
        if isinstance(error, TamperedError):
            raise RefusedError(f"the run {run_id!r} cannot be resumed: {layout.log}: {error}") from error
        if isinstance(error, OSError):
            reason = f"{error.filename or layout.log}: {error.strerror}"
            raise RefusedError(f"the run {run_id!r} cannot be resumed: {reason}") from error
        raise
    return handle, verified


def _continued(
    handle: int,
    verified: Verified,
    layout: Layout,
    graph: AnyGraph,
    level: str | None,
    above: Recorder | None = None,
) -> Opened:
    """Continue a run after removing an incomplete append from its log. Raises RefusedError."""
    checkpoint = verified.checkpoint
    checkpoint.forget_failure()
    if checkpoint.node is not None and checkpoint.node not in graph.nodes:
        raise RefusedError(f"the run is at the node `{checkpoint.node}`, which the graph no longer has")
    signer = run_signer()
    level = level or str(checkpoint.head["durability"])
    if verified.cut:
        log.warning(
            "%s: the log ended in the middle of a step: %d bytes were cut off",
            layout.run_id,
            verified.cut,
            extra=about(layout.run_id, layout.graph_id),
        )
        try:
            os.ftruncate(handle, verified.size)
        except OSError as error:
            raise RefusedError(f"the run {layout.run_id!r} cannot be resumed: {error.strerror}") from error
    writer = LogWriter(handle, layout.run_id, signer, sync=level == "power", digest=verified.digest, size=verified.size)
    return Opened(checkpoint, Recorder(layout, writer, signer, checkpoint, level, above))


def _verified(handle: int, layout: Layout, prefixes: Prefixes | None = None) -> Verified:
    with os.fdopen(handle, "rb", closefd=False) as file:
        return read_log(file, layout.run_id, layout.project, prefixes)


def _check_resumable(checkpoint: Checkpoint, run_id: str) -> None:
    if not checkpoint.started:
        raise RefusedError(
            f"no step of the run {run_id!r} was kept: it ended before the first one, or has the durability `exit`; "
            "start it again"
        )
    if checkpoint.head["durability"] == "exit":
        raise RefusedError(f"the run {run_id!r} kept its final state alone (durability `exit`): it cannot be resumed")


def _check_graph(checkpoint: Checkpoint, graph: AnyGraph, run_id: str, *, allow_changed: bool) -> None:
    """Raise RefusedError for another graph or a changed one, naming the nodes that changed."""
    head = checkpoint.head
    if head["graph_id"] != graph.id:
        raise RefusedError(f"the run {run_id!r} belongs to the graph `{head['graph_id']}`, not `{graph.id}`")
    if head["graph_hash"] == graph.hash or allow_changed:
        return
    before, after = cast("Mapping[str, str]", head["node_hashes"]), graph.node_hashes
    said = [
        *(f"node `{name}` is gone" for name in before if name not in graph.nodes),
        *(f"node `{name}` changed" for name in before if name in after and after[name] != before[name]),
        *(f"node `{name}` is new" for name in graph.nodes if before and name not in before),
    ]
    what = "; ".join(said) or "its settings changed"
    raise RefusedError(
        f"the graph of the run {run_id!r} changed since it was started ({what}); "
        f"its hash was {str(head['graph_hash'])[:12]} and is {graph.hash[:12]}. "
        "To resume it anyway, pass `--allow-changed` (`allow_changed=True`)"
    )


def _check_claims(claimed: Sequence[Claim], size: int, prefixes: Prefixes) -> None:
    """Raise RefusedError unless all views and the ref were made from this log or from a prefix of it."""
    for claim in claimed:
        try:
            check_claim(claim, size, prefixes)
        except RefusedError as error:
            raise RefusedError(f"{error}. Delete {claim.file} to rely on the log alone") from error


def _lock(handle: int, layout: Layout) -> None:
    """Lock the log for this process while it is open. Raises RefusedError, naming the process that has locked it."""
    if not locking.hold(handle, layout.log):
        raise RefusedError(f"the run {layout.run_id!r} is alive: {_writer(layout)} writes its log")
    replace_file(layout.writer, f"{os.getpid()}\n".encode("ascii"))
    try:
        layout.cancel.unlink(missing_ok=True)  # that request has been fulfilled
    except OSError as error:
        raise RefusedError(
            f"{layout.cancel} cannot be deleted ({error.strerror}), and would cancel the run: remove it"
        ) from error


def _writer(layout: Layout) -> str:
    pid = writer_of(layout)
    return "another process" if pid is None else f"process {pid}"


def _sync_folders(layout: Layout) -> None:
    """Flush the folder entries of new files to the disk, if the system supports it."""
    for folder in (layout.thread, *list(layout.thread.parents)[:4]):
        with contextlib.suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

"""What runs leave as knowledge: the signed views of their state and history, and the state of a run from its log.

`graphs/<graph id>/<run id>` is the state of a run, `agent/threads/<graph id>/<run id>` its history.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.items.space import Item, space_of

if TYPE_CHECKING:
    from graphwright_runtime.durable.layout import Layout
    from graphwright_runtime.trust.signing import Purpose

#: The folders of views, each with the purpose that they are signed for.
_FOLDERS: Final[tuple[tuple[str, Purpose], ...]] = (("graphs/", "state"), ("agent/threads/", "history"))


class Rendered(NamedTuple):
    """The state of a run as a view would show it, and the key that signed the log."""

    item: Item
    data: bytes
    key_id: str


def signer_of_view(item: Item, data: bytes) -> str | None:
    """The key of the run that wrote and signed a view, if it is the user's or a trusted one; otherwise None."""
    found = _view(item.kind, item.item_id, space_of(item).parent)
    if found is None:
        return None
    from graphwright_runtime.durable.claims import claim_of
    from graphwright_runtime.trust.header import split

    layout, purpose = found
    try:
        claim_of(layout, purpose, item.path, data)
    except RefusedError:
        return None
    header, _ = split(purpose, data)
    return None if header is None else header.key_id


def state_of_run(kind: str, item_id: str, project: Path) -> Rendered | None:
    """The state of a run that has not ended, from its log; None for any other item.

    Its view is only refreshed from time to time, and not at all after the run was killed. Raises NodeError if the log
    is not what the run wrote.
    """
    found = _view(kind, item_id, project)
    if found is None or found[1] != "state":
        return None
    from graphwright_runtime.durable.listing import end_of
    from graphwright_runtime.durable.reader import verified_log
    from graphwright_runtime.durable.survey import check_whole, is_alive, status_of
    from graphwright_runtime.durable.views import Overview, state_body, state_text
    from graphwright_runtime.trust.signing import Key

    layout = found[0]
    alive, end = is_alive(layout), end_of(project, layout.run_id)
    if end is None or (end and not alive):
        return None
    try:
        verified = verified_log(project, layout.run_id)
        checkpoint = verified.checkpoint
        run = status_of(project, layout.run_id, checkpoint, alive=alive)
        check_whole(layout, verified, run)
    except RefusedError as error:
        raise NodeError(str(error), category="permanent") from error
    if not checkpoint.started or run.graph_id != layout.graph_id:
        return None
    overview = Overview(
        status=run.status,
        current_node=checkpoint.node,
        step_count=len(checkpoint.path),
        started_at=checkpoint.started_at,
        updated_at=checkpoint.updated_at,
        parent_thread_id=cast("str | None", checkpoint.head.get("parent_run_id")),
        log_bytes=verified.size,
        log_sha256=verified.digest.hexdigest(),
    )
    text = state_text(layout, overview, state_body(checkpoint.inputs, checkpoint.state))
    key = Key(bytes.fromhex(str(checkpoint.head["public_key"])))
    return Rendered(Item(kind, item_id, layout.state), text, key.id)


def _view(kind: str, item_id: str, project: Path) -> tuple[Layout, Purpose] | None:
    """The files of the run whose view has this id, and the purpose of the view; None if the id is of something else."""
    for folder, purpose in _FOLDERS if kind == "knowledge" else ():
        graph_id, slash, run_id = item_id.removeprefix(folder).rpartition("/")
        if item_id.startswith(folder) and slash:
            from graphwright_runtime.durable.layout import Layout

            return Layout(project, graph_id, run_id), purpose
    return None

"""Runs that are refused before their first node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Never, cast

from graphwright_runtime.events import GraphError, Listener
from graphwright_runtime.host import Host
from graphwright_runtime.log import about, logger
from graphwright_runtime.origin import Origin
from graphwright_runtime.result import Failed
from graphwright_runtime.toolerror import failed
from graphwright_runtime.tracing import active

if TYPE_CHECKING:
    from graphwright_runtime.payloads import GraphEndPayload

log: Final = logger(__name__)


def refused(
    graph_id: str, run_id: str, problems: list[str], host: Host, listener: Listener | None, origin: Origin | None = None
) -> Failed[Never, Never, Never]:
    """The result of a run that did not start."""
    error = "; ".join(problems)
    if (tracer := active()) is not None:
        tracer.refused(graph_id, run_id, error)
    if listener is not None:
        told: GraphEndPayload = {"status": "error", "steps": 0, "error": error, "node": None}
        try:
            listener(GraphError(host.now(), origin or Origin(None, run_id, ()), run_id, told))
        except Exception as fault:
            log.warning("%s: on_event failed on graph_error: %s", run_id, failed(fault), extra=about(run_id, graph_id))
    return Failed("error", cast("Never", {}), cast("Never", None), graph_run_id=run_id, error=error)

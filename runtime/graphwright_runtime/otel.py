"""Spans of OpenTelemetry for runs, nodes and calls of tools. Needs the extra `graphwright-runtime[otel]`.

    import graphwright_runtime.otel
    graphwright_runtime.otel.instrument()

`opentelemetry-instrument` does that automatically. While a tool runs, also in threads and parallel loops, the span of
its call is the current one, so the tool's own spans and those of graphs that it calls become its children.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

try:
    from opentelemetry import context as otel_context
    from opentelemetry import propagate, trace
    from opentelemetry.util.types import AttributeValue
except ImportError as error:
    raise ImportError("tracing needs OpenTelemetry: install graphwright-runtime[otel]") from error

from graphwright_runtime import tracing
from graphwright_runtime.errors import CancelRequested, Ended, NodeError
from graphwright_runtime.log import logger
from graphwright_runtime.version import RUNTIME_VERSION

if TYPE_CHECKING:
    from graphwright_runtime.branch import Branch
    from graphwright_runtime.context import Context
    from graphwright_runtime.graph import Action
    from graphwright_runtime.payloads import NodeRetryPayload
    from graphwright_runtime.result import RunResult
    from graphwright_runtime.run import Run

log: Final = logger(__name__)

#: Attributes of several kinds of spans.
_GRAPH: Final = "graphwright.graph.id"
_RUN: Final = "graphwright.run.id"
_NODE: Final = "graphwright.node.name"
_STEP: Final = "graphwright.step"
_STATUS: Final = "graphwright.status"


def instrument(tracer_provider: trace.TracerProvider | None = None) -> None:
    """Trace all new runs, with this tracer provider or the global one."""
    tracing.install(_Spans(trace.get_tracer("graphwright_runtime", RUNTIME_VERSION, tracer_provider)))


def uninstrument() -> None:
    """Stop tracing new runs."""
    tracing.install(None)


class Instrumentor:
    """The entry point for `opentelemetry-instrument` (group `opentelemetry_instrumentor`)."""

    def instrument(self, *, tracer_provider: trace.TracerProvider | None = None, **_: object) -> None:
        """Call `instrument`; ignores options for other libraries."""
        instrument(tracer_provider)

    def uninstrument(self, **_: object) -> None:
        """Call `uninstrument`."""
        uninstrument()


class _Spans:
    """The tracer. Exceptions of an application's span processors are logged as warnings."""

    def __init__(self, tracer: trace.Tracer) -> None:
        self._tracer = tracer

    @contextmanager
    def run(self, run: Run) -> Iterator[Callable[[RunResult[object, object]], None]]:
        attributes: dict[str, AttributeValue] = {
            _GRAPH: run.graph.id,
            _RUN: run.run_id,
            "graphwright.run.root_id": run.origin.root_run_id,
        }
        if run.origin.parent_run_id is not None:
            attributes["graphwright.run.parent_id"] = run.origin.parent_run_id
        if run.checkpoint is not None:
            attributes["graphwright.run.resumed"] = True
        with self._span(f"graph {run.graph.id}", attributes, _around(run.env)) as span:
            yield lambda result: _conclude(span, result)

    def refused(self, graph_id: str, run_id: str, error: str) -> None:
        with self._span(f"graph {graph_id}", {_GRAPH: graph_id, _RUN: run_id, _STATUS: "error"}) as span:
            span.set_status(trace.StatusCode.ERROR, error)

    @contextmanager
    def node(self, branch: Branch) -> Iterator[None]:
        graph, node = branch.run.graph, branch.node
        attributes: dict[str, AttributeValue] = {
            _GRAPH: graph.id,
            _RUN: branch.run.run_id,
            _NODE: node,
            "graphwright.node.kind": graph.kinds.get(node, "action"),
            _STEP: branch.step,
        }
        with self._span(f"node {node}", attributes) as span:
            yield
            span.set_attribute(_STATUS, branch.status)
            last = branch.run.state.get("_last_error")
            if branch.status == "error" and isinstance(last, Mapping):  # the graph continues after this error
                span.set_status(trace.StatusCode.ERROR, str(last.get("error")))

    @contextmanager
    def call(self, action: Action, context: Context) -> Iterator[None]:
        attributes: dict[str, AttributeValue] = {
            _GRAPH: context.graph_id,
            _RUN: context.run_id,
            _NODE: context.node,
            _STEP: context.step,
            "graphwright.action.primary": action.primary,
            "graphwright.action.kind": action.kind,
            "graphwright.action.item_id": action.item_id or "",
            "graphwright.attempt": context.attempt,
        }
        if context.index is not None:
            attributes["graphwright.item.index"] = context.index
        with self._span(f"{action.primary} {action.item_id or action.kind}", attributes) as span:
            yield
            span.set_attribute("graphwright.cache_hit", context.cache_hit)

    def environment(self) -> dict[str, str]:
        found: dict[str, str] = {}
        with _harmless():
            propagate.inject(found)
        return {name.upper().replace("-", "_"): value for name, value in found.items()}

    def retry(self, payload: NodeRetryPayload) -> None:
        with _harmless():
            told: dict[str, AttributeValue] = {
                "graphwright.retry.wait_s": payload["wait_s"],
                "graphwright.retry.by": payload["by"],
                "graphwright.error.category": payload["category"],
            }
            if "index" in payload:
                told["graphwright.item.index"] = payload["index"]
            trace.get_current_span().add_event("retry", told)

    @contextmanager
    def _span(
        self, name: str, attributes: Mapping[str, AttributeValue], around: otel_context.Context | None = None
    ) -> Iterator[trace.Span]:
        """A span around the block. It records an exception of the block, except a cancellation.

        Its parent is the current span, or that of the context `around`.
        """
        span: trace.Span = trace.INVALID_SPAN
        with _harmless():
            span = self._tracer.start_span(name, around, attributes=attributes)
        token = otel_context.attach(trace.set_span_in_context(span, around)) if span is not trace.INVALID_SPAN else None
        try:
            yield span
        except BaseException as error:
            _fail(span, error)
            raise
        finally:
            if token is not None:
                otel_context.detach(token)
            with _harmless():
                span.end()


def _around(env: Mapping[str, str]) -> otel_context.Context | None:
    """The context in the environment (TRACEPARENT) if no span is current; otherwise None."""
    if "TRACEPARENT" not in env or trace.get_current_span().get_span_context().is_valid:
        return None
    with _harmless():
        carried = ("TRACEPARENT", "TRACESTATE", "BAGGAGE")
        return propagate.extract({name.lower(): env[name] for name in carried if name in env})
    return None


def _fail(span: trace.Span, error: BaseException) -> None:
    fault = error.error if isinstance(error, Ended) else error
    if isinstance(fault, NodeError):
        span.set_attribute(_STATUS, "error")
        span.set_attribute("error.type", fault.error_type)
        span.record_exception(fault.__cause__ or fault)
        span.set_status(trace.StatusCode.ERROR, str(error))
    elif isinstance(fault, Exception) and not isinstance(fault, CancelRequested):
        span.set_attribute(_STATUS, "error")
        span.set_status(trace.StatusCode.ERROR, str(error) or type(error).__name__)
    else:
        span.set_attribute(_STATUS, "cancelled")


def _conclude(span: trace.Span, result: RunResult[object, object]) -> None:
    span.set_attribute(_STATUS, result.status)
    span.set_attribute("graphwright.steps", result.steps)
    if result.status == "error":
        if result.exception is not None:
            span.set_attribute("error.type", result.exception.error_type)
        span.set_status(trace.StatusCode.ERROR, result.error)


@contextmanager
def _harmless() -> Iterator[None]:
    """Log exceptions of an application's tracing, so that they do not affect the run."""
    try:
        yield
    except Exception as error:
        with suppress(Exception):
            log.warning("a span is lost: %s: %s", type(error).__name__, error)

"""Spans of OpenTelemetry: for runs, nodes and calls, with the tools' own below them."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import graphwright_runtime
from graphwright_runtime.abi import Action, Retry
from graphwright_runtime.context import Context
from graphwright_runtime.otel import Instrumentor, instrument, uninstrument
from runtime.small import WORK, AnyCursor, QuickHost, graph, ran, reset, work, work_continued, work_rescued

PROVIDER = TracerProvider()
TRACER = PROVIDER.get_tracer("tests")


class Spans:
    """The finished spans, by name, and how they lie in one another."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()

    @property
    def all(self) -> tuple[ReadableSpan, ...]:
        return self.exporter.get_finished_spans()

    def __getitem__(self, name: str) -> ReadableSpan:
        [found] = [span for span in self.all if span.name == name]
        return found

    def above(self, span: ReadableSpan) -> list[str]:
        """The names of the spans around one, the nearest first."""
        by_id = {each.context.span_id: each for each in self.all if each.context is not None}
        names: list[str] = []
        while span.parent is not None:
            span = by_id[span.parent.span_id]
            names.append(span.name)
        return names


@pytest.fixture
def spans() -> Iterator[Spans]:
    found = Spans()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(found.exporter))
    instrument(provider)
    global TRACER
    TRACER = provider.get_tracer("tests")
    yield found
    uninstrument()


def attributes(span: ReadableSpan) -> dict[str, object]:
    return {name.removeprefix("graphwright."): value for name, value in (span.attributes or {}).items()}


async def own(params: Mapping[str, object]) -> dict[str, int]:
    with TRACER.start_as_current_span("own"):
        return {"n": 1}


def own_in_a_thread(params: Mapping[str, object]) -> dict[str, int]:
    with TRACER.start_as_current_span("own"):
        return {"n": 1}


@pytest.mark.parametrize("tool", [own, own_in_a_thread])
def test_a_run_its_nodes_its_calls_and_what_tools_trace_themselves(spans: Spans, tool: Callable[..., object]) -> None:
    ran(graph(work), tools={"svc/work": tool}, run_id="r")
    assert spans.above(spans["own"]) == ["execute svc/work", "node work", "graph tests/small"]
    assert spans.above(spans["node done"]) == ["graph tests/small"]
    assert attributes(spans["graph tests/small"]) == {
        "graph.id": "tests/small",
        "run.id": "r",
        "run.root_id": "r",
        "status": "completed",
        "steps": 2,
    }
    assert attributes(spans["node work"]) == {
        "graph.id": "tests/small",
        "run.id": "r",
        "node.name": "work",
        "node.kind": "action",
        "step": 1,
        "status": "ok",
    }
    assert attributes(spans["execute svc/work"]) == {
        "graph.id": "tests/small",
        "run.id": "r",
        "node.name": "work",
        "step": 1,
        "action.primary": "execute",
        "action.kind": "tool",
        "action.item_id": "svc/work",
        "attempt": 1,
        "cache_hit": False,
    }
    assert all(span.status.status_code is trace.StatusCode.UNSET for span in spans.all)


def test_each_attempt_has_a_span(spans: Spans) -> None:
    retries = {"work": Retry(3, categories=("transient",))}
    ran(graph(work, retries=retries), {"svc/work": [reset(), {"n": 1}]})
    first, second = [span for span in spans.all if span.name == "execute svc/work"]
    assert (attributes(first)["attempt"], attributes(second)["attempt"]) == (1, 2)
    assert first.status.status_code is trace.StatusCode.ERROR
    assert first.status.description == "connection reset"
    [raised] = first.events
    assert (raised.attributes or {})["exception.type"] == "ConnectionError"
    assert attributes(first)["error.type"] == "ConnectionError"
    node = spans["node work"]
    assert node.status.status_code is trace.StatusCode.UNSET
    [retry] = node.events
    assert (retry.name, (retry.attributes or {})["graphwright.error.category"]) == ("retry", "transient")


def test_an_error_that_ends_the_run(spans: Spans) -> None:
    ran(graph(work), {"svc/work": [ValueError("boom")]})
    for name in ("execute svc/work", "node work", "graph tests/small"):
        span = spans[name]
        assert (span.status.status_code, span.status.description) == (trace.StatusCode.ERROR, "boom")
        assert attributes(span)["error.type"] == "ValueError"
        assert attributes(span).get("status", "error") == "error"


@pytest.mark.parametrize(("node", "status"), [(work_rescued, "completed"), (work_continued, "completed_with_errors")])
def test_an_error_that_the_graph_goes_on_from(spans: Spans, node: Callable[..., Any], status: str) -> None:
    ran(graph(node), {"svc/work": [ValueError("boom")]})
    assert spans["node work"].status.status_code is trace.StatusCode.ERROR
    assert attributes(spans["node work"])["status"] == "error"
    assert spans["graph tests/small"].status.status_code is trace.StatusCode.UNSET
    assert attributes(spans["graph tests/small"])["status"] == status


def test_a_run_that_is_refused(spans: Spans) -> None:
    ran(graph(required_env={"TOKEN": ("graph",)}), {})
    [span] = spans.all
    assert (span.name, span.status.status_code) == ("graph tests/small", trace.StatusCode.ERROR)
    assert "TOKEN" in (span.status.description or "")


def test_a_limit_ends_a_run_with_an_error(spans: Spans) -> None:
    ran(graph(max_steps=1), {"svc/work": [{}]})
    assert spans["graph tests/small"].status.description == "Max steps exceeded (1)"


def test_a_cancelled_run_has_no_error(spans: Spans) -> None:
    async def main() -> None:
        async def waits(params: object) -> dict[str, int]:
            await asyncio.sleep(30)
            return {}

        task = asyncio.create_task(graph(work).run({}, tools={"svc/work": waits}, env={}))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert {span.name for span in spans.all} == {"execute svc/work", "node work", "graph tests/small"}
    for span in spans.all:
        assert span.status.status_code is trace.StatusCode.UNSET
        assert attributes(span)["status"] == "cancelled"


def test_items_at_once_and_graphs_below(spans: Spans) -> None:
    async def each(c: AnyCursor) -> str | None:
        await c.each(WORK, ["a", "b", "c"], lambda x: {"x": x}, collect="out", parallel=3)
        return "done"

    async def tool(params: Mapping[str, Any], context: Context) -> object:
        await asyncio.sleep(0.01)
        with TRACER.start_as_current_span("own"):
            return await context.run_graph(graph(leaf, id="tests/child"), {})

    async def leaf(c: AnyCursor) -> str | None:
        return "done"

    ran(graph(each, kinds={"work": "foreach"}), tools={"svc/work": tool}, run_id="r")
    children = [span for span in spans.all if span.name == "graph tests/child"]
    assert len(children) == 3
    for span in children:
        assert spans.above(span) == ["own", "execute svc/work", "node work", "graph tests/small"]
        assert (attributes(span)["run.parent_id"], attributes(span)["run.root_id"]) == ("r", "r")
    calls = [span for span in spans.all if span.name == "execute svc/work"]
    assert sorted(str(attributes(span)["item.index"]) for span in calls) == ["0", "1", "2"]
    assert len({span.parent.span_id for span in children if span.parent is not None}) == 3


async def in_a_shell(c: AnyCursor) -> str | None:
    c.commit({**await c.call_with(BASH, {"command": "echo $TRACEPARENT"})})
    return "done"


BASH = Action("execute", "tool", "rye/bash", "rye.execute.tool.rye.bash")


def test_child_processes_know_the_span(spans: Spans) -> None:
    env = {"PATH": os.environ["PATH"]}
    done = ran(graph(in_a_shell, permissions=("*",), actions=(BASH,)), tools={}, env=env)
    call = spans["execute rye/bash"].context
    assert call is not None
    told, _, flags = done.result.state["stdout"].rpartition("-")
    assert told == f"00-{call.trace_id:032x}-{call.span_id:016x}"
    assert int(flags, 16) & 1, "it is recorded"


def test_a_run_lies_below_the_span_of_the_parent_process(spans: Spans) -> None:
    env = {"TRACEPARENT": f"00-{7:032x}-{8:016x}-01"}
    ran(graph(work), {"svc/work": [{}]}, env=env)
    parent = spans["graph tests/small"].parent
    assert parent is not None
    assert (parent.trace_id, parent.span_id) == (7, 8)
    assert spans["node work"].parent == spans["graph tests/small"].context
    with TRACER.start_as_current_span("request"):
        ran(graph(work, id="tests/other"), {"svc/work": [{}]}, env=env)
    assert spans.above(spans["graph tests/other"]) == ["request"]


def test_a_variable_that_means_nothing_is_ignored(spans: Spans) -> None:
    ran(graph(work), {"svc/work": [{}]}, env={"TRACEPARENT": "nonsense"})
    assert spans["graph tests/small"].parent is None


def test_a_run_lies_below_what_is_current_where_it_starts(spans: Spans) -> None:
    with TRACER.start_as_current_span("request"):
        ran(graph(work), {"svc/work": [{}]})
    assert spans.above(spans["graph tests/small"]) == ["request"]


def test_runs_are_traced_only_where_somebody_asked_for_it(spans: Spans) -> None:
    uninstrument()
    ran(graph(work), {"svc/work": [{}]})
    assert spans.all == ()


class Broken(SpanProcessor):
    def on_start(self, span: Any, parent_context: Any = None) -> None:
        raise RuntimeError("on start")

    def on_end(self, span: Any) -> None:
        raise RuntimeError("on end")


def test_a_broken_processor_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    provider = TracerProvider()
    provider.add_span_processor(Broken())
    Instrumentor().instrument(tracer_provider=provider, unknown_option=1)
    try:
        done = ran(graph(work), {"svc/work": [{"n": 1}]}, host=QuickHost())
    finally:
        Instrumentor().uninstrument()
    assert (done.result.status, done.result.state) == ("completed", {"n": 1})
    assert "a span is lost: RuntimeError: on start" in caplog.text


def test_nothing_is_imported_where_nobody_traces() -> None:
    code = (
        "import sys; from graphwright_runtime.abi import *; import graphwright_runtime.launch\n"
        "assert not [name for name in sys.modules if name.startswith('opentelemetry')]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_without_the_extra_the_message_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "try:\n    import graphwright_runtime.otel\nexcept ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "tracing needs OpenTelemetry: install graphwright-runtime[otel]\n"


def test_the_agent_of_opentelemetry_traces_the_command_line(tmp_path: Path) -> None:
    nodes = "{a: {action: {item_id: 'tool:rye/bash', params: {command: 'true'}}, next: z}, z: {type: return}}"
    text = f"tool_type: graph\npermissions: [rye.execute.tool.rye.bash]\nconfig: {{start: a, nodes: {nodes}}}\n"
    (tmp_path / "g.yaml").write_text(text, "utf-8")
    command = [
        *(str(Path(sys.executable).with_name("opentelemetry-instrument")), "--traces_exporter", "console"),
        *("--metrics_exporter", "none", "--logs_exporter", "none"),
        *(sys.executable, "-m", "graphwright", "run", "-q", "g.yaml"),
    ]
    runtime = str(Path(graphwright_runtime.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": runtime}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    for name in ("graph g", "node a", "execute rye/bash", "node z"):
        assert f'"name": "{name}"' in done.stderr

"""`graphwright runs show`: shows the position of a run, its nodes, its last steps and its state."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Final

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.changes import short
from graphwright.cli.runs.naming import add_run, counted, named_run
from graphwright.cli.runs.printing import duration, json_text, table, when
from graphwright.cli.runs.status import summary
from graphwright.render.layout import printable

if TYPE_CHECKING:
    from graphwright_runtime.durable.survey import RunStatus
    from graphwright_runtime.durable.tree import Below

_EXAMPLES = """\
  graphwright runs show weekly-1717-ab12
  graphwright runs show weekly-1717-ab12 --last 100
  graphwright runs show weekly-1717-ab12 --format json"""

#: Maximum number of suppressed errors and of called runs to list.
_ERRORS: Final = 10
_BELOW: Final = 100


def parser() -> Parser:
    """The options of the action."""
    description = (
        "Show when a run began and ended, its inputs and errors, the tree of runs that it called or started, its "
        "nodes, its last steps and its state, from its log."
    )
    parser = Parser("runs show", "RUN [options]", description, _EXAMPLES)
    add_run(parser)
    parser.add_argument(
        "--last", type=counted, default=20, metavar="N", help="the last N finished steps, 200 at most (default: 20)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the run according to its log."""
    from graphwright_runtime.durable.layout import Layout
    from graphwright_runtime.durable.survey import run_status
    from graphwright_runtime.durable.tree import runs_below

    project, run_id = named_run(options)
    found, below = run_status(project, run_id), runs_below(project, run_id)
    log = Layout(project, found.graph_id, run_id).log
    if options.format == "json":
        console.result(json_text(_record(found, below, log)))
        return 0
    console.result(_text(found, below, log, options.last))
    if found.is_resumable and not found.alive:
        console.remark(f"to resume the run: graphwright run {quote(found.graph_id)} --resume {quote(found.run_id)}\n")
    return 0


def _record(found: RunStatus, below: Sequence[Below], log: Path) -> dict[str, object]:
    """The run as JSON. Values that do not exist because it never began are null or empty."""
    checkpoint, head = found.checkpoint, found.checkpoint.head
    tallies = {
        name: {"visits": tally.visits, "status": tally.status, "elapsed_ms": round(tally.elapsed_ms, 3)}
        for name, tally in checkpoint.history.nodes.items()
    }
    record: dict[str, object] = {
        **summary(found),
        "started_at": checkpoint.started_at if checkpoint.started else None,
        "updated_at": checkpoint.updated_at if checkpoint.started else None,
        "error": checkpoint.end.get("error") if checkpoint.status is not None else None,
        "node": checkpoint.end.get("node") if checkpoint.status is not None else None,
        "signal": checkpoint.end.get("signal") if checkpoint.status is not None else None,
        "errors": [{"step": error.step, "node": error.node, "error": error.error} for error in checkpoint.errors],
        "parent_run_id": head.get("parent_run_id"),
        "called": [each.row.run_id for each in below if each.depth == 1],
        "tree": [{"depth": each.depth, **each.row._asdict()} for each in below],
        "durability": head.get("durability"),
        "graph_hash": head.get("graph_hash"),
        "log": str(log),
        "path": checkpoint.path,
        "nodes": tallies,
        "inputs": head.get("inputs", {}),
        "state": checkpoint.state,
    }
    if found.has_output:
        record["output"] = checkpoint.output
    return record


def _text(found: RunStatus, below: Sequence[Below], log: Path, last: int) -> str:
    facts = "".join(f"  {name:<9} {printable(text)}\n" for name, text in _facts(found, log))
    head = f"{printable(found.title)}: {found.progress}\n{facts}"
    if not found.checkpoint.started:
        return "\n".join(filter(None, [head, _tree(below)]))
    history = found.checkpoint.history
    nodes = [
        (name, tally.status, str(tally.visits), duration(tally.elapsed_ms / 1000))
        for name, tally in history.nodes.items()
    ]
    recent = islice(history.recent, max(0, len(history.recent) - last), None)
    steps = [(str(step), node, status, duration(ms / 1000), when(at)) for at, step, node, status, ms in recent]
    tables = [
        _tree(below),
        table([("NODE", "STATUS", "VISITS", "TIME"), *nodes]) if nodes else "",
        table([("STEP", "NODE", "STATUS", "TIME", "DONE"), *steps]) if steps else "",
        json_text(found.checkpoint.state),
    ]
    return "\n".join([head, *filter(None, tables)])


def _tree(below: Sequence[Below]) -> str:
    """The runs below the run, each indented below the one that called it."""
    if not below:
        return ""
    rows = [
        (f"{'  ' * (each.depth - 1)}{each.row.run_id}", each.row.graph_id, each.row.status, when(each.row.updated_at))
        for each in below[:_BELOW]
    ]
    more = f"and {len(below) - _BELOW} more: graphwright runs list --children RUN\n" if len(below) > _BELOW else ""
    return table([("CALLED", "GRAPH", "STATUS", "UPDATED"), *rows]) + more


def _facts(found: RunStatus, log: Path) -> list[tuple[str, str]]:
    """General facts about the run, each with its name."""
    checkpoint, head = found.checkpoint, found.checkpoint.head
    facts: list[tuple[str, str]] = []
    if checkpoint.started:
        ended = "ended" if checkpoint.status is not None else "updated"
        took = duration(checkpoint.updated_at - checkpoint.started_at)
        facts += [("started", when(checkpoint.started_at)), (ended, f"{when(checkpoint.updated_at)}, after {took}")]
    if found.pid is not None:
        facts.append(("process", str(found.pid)))
    facts += _errors(found)
    if "parent_run_id" in head:
        facts.append(("called by", str(head["parent_run_id"])))
    if head.get("inputs"):
        facts.append(("inputs", short(head["inputs"])))
    if found.has_output:
        facts.append(("output", short(checkpoint.output)))
    return [*facts, ("log", str(log))]


def _errors(found: RunStatus) -> list[tuple[str, str]]:
    """The error that ended the run, if any, and the suppressed errors."""
    checkpoint = found.checkpoint
    facts: list[tuple[str, str]] = []
    end: Mapping[str, object] = checkpoint.end if checkpoint.status is not None else {}
    if end.get("signal") is not None:
        facts.append(("signal", str(end["signal"])))
    elif end.get("error") is not None and found.status == "error":
        node = f"{end['node']}: " if end.get("node") is not None else ""
        facts.append(("error", f"{node}{end['error']}"))
    facts += [("went on", f"step {each.step}, {each.node}: {each.error}") for each in checkpoint.errors[-_ERRORS:]]
    return facts

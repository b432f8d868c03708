"""`graphwright runs trace`: retraces a run step by step, verifying every hash and every signature."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_run, counted, named_run, unknown_node
from graphwright.cli.runs.printing import json_text
from graphwright.cli.runs.steps import Sheet, Wanted, Writer, as_json, as_line, as_page, heading
from graphwright.render.layout import printable

if TYPE_CHECKING:
    from graphwright_runtime.durable.retrace import Retraced, TracedStep

_EXAMPLES = """\
  graphwright runs trace weekly-1717-ab12                     each step with its hashes
  graphwright runs trace weekly-1717-ab12 --diff --last 20    what the last 20 steps changed in the state
  graphwright runs trace weekly-1717-ab12 --node fetch        what a node got and gave, and the state around it
  graphwright runs trace weekly-1717-ab12 --format json"""


def parser() -> Parser:
    """The options of the action."""
    description = (
        "Retrace a run: from its ref to the execution snapshot, the receipts, the results and the state, and through "
        "its log. Every hash and every signature is verified, and an error names the first file that does not "
        "verify. The exit code is then 2 if that is the log, which contains the steps, and 1 if it is another file. A "
        "run that has not ended only has a log."
    )
    parser = Parser("runs trace", "RUN [options]", description, _EXAMPLES)
    add_run(parser)
    parser.add_argument("--node", metavar="NODE", help="only the steps of this node, with all details")
    parser.add_argument("--diff", action="store_true", help="show what each step changed in the state")
    parser.add_argument("--last", type=counted, metavar="N", help="only the last N steps")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the steps; returns 2 if the log does not verify, 1 if another file does not."""
    from graphwright_runtime.durable.errors import UnusableLogError
    from graphwright_runtime.durable.retrace import retrace
    from graphwright_runtime.errors import RefusedError

    project, run_id = named_run(options)
    wanted = Wanted(options.node, options.last, options.diff)
    in_json = options.format == "json"
    write: Writer = as_json if in_json else as_line if options.node is None else as_page
    sheet = Sheet(options.last, ",\n" if in_json else "" if options.node is None else "\n")

    def each(step: TracedStep) -> None:
        if wanted.takes(step):
            sheet.add(write(step, wanted))

    try:
        traced = retrace(project, run_id, each)
        if not sheet.count and options.node is not None:
            raise unknown_node(run_id, traced.run.checkpoint.head, options.node)
        for piece in _in_json(traced, sheet) if in_json else _in_text(traced, sheet, wanted):
            console.result(piece)
    except RefusedError as error:
        if in_json:
            console.result(json_text({"run_id": run_id, "verified": False, "error": str(error)}))
        console.message(f"graphwright: {printable(str(error))}\n")
        return 2 if isinstance(error, UnusableLogError) else 1
    finally:
        sheet.close()
    return 0


def _in_text(traced: Retraced, sheet: Sheet, wanted: Wanted) -> Iterator[str]:
    run, reference = traced.run, traced.reference
    yield f"{printable(run.title)}: {run.progress}\n"
    rows = [("log", f"{traced.layout.log}, {traced.log_bytes} bytes, sha256 {traced.log_sha256}")]
    if reference is not None and traced.ended:
        rows += [("ref", f"{reference.file}, signed by {reference.key_id}"), ("snapshot", reference.name)]
        rows += [("state", reference.state_hash)]
    yield "".join(f"  {name:<9}{printable(text)}\n" for name, text in rows)
    if sheet.count:
        yield "\n" + (heading() if wanted.node is None else "")
        yield from sheet.pieces()
    yield f"\n{_conclusion(traced)}\n"


def _conclusion(traced: Retraced) -> str:
    """A summary of what was verified."""
    torn = f"; {traced.cut} bytes at its end are an unfinished step, and do not count" if traced.cut else ""
    if traced.ended:
        receipts = len(traced.reference.receipts) if traced.reference is not None else 0
        of_steps = f"{receipts} receipts with their results, " if receipts else "every result in the log, "
        return f"verified: the log{torn}, the ref, the execution snapshot, {of_steps}the state and {traced.views} views"
    if traced.run.checkpoint.status is not None:
        return "verified: the log. The run is just ending; trace it again to verify its objects"
    return (
        "verified: the log. The run has not ended, and its objects are written when it ends: this is what the log "
        f"says{torn}"
    )


def _in_json(traced: Retraced, sheet: Sheet) -> Iterator[str]:
    run, reference = traced.run, traced.reference
    head: dict[str, object] = {
        "run_id": run.run_id,
        "graph_id": run.graph_id,
        "status": run.status,
        "verified": True,
        "ended": traced.ended,
        "log": {"file": str(traced.layout.log), "bytes": traced.log_bytes, "sha256": traced.log_sha256},
        "execution_snapshot": None,
    }
    if reference is not None and traced.ended:
        head["ref"] = {"file": str(reference.file), "key_id": reference.key_id}
        head["execution_snapshot"] = {"hash": reference.name, **reference.snapshot}
    yield f'{json.dumps(head, ensure_ascii=False)[:-1]}, "steps": [\n'
    yield from sheet.pieces()
    yield "\n]}\n"

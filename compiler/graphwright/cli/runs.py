"""`graphwright runs`: the runs of a project, how one stands, what it did; wait for one, end one."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.target import project_folder
from graphwright.render.layout import printable

if TYPE_CHECKING:
    from graphwright_runtime.durable.survey import RunStanding

_EXAMPLES = """\
  graphwright runs list                          the runs of this project, the newest last
  graphwright runs status weekly-1717-ab12       how a run stands, as JSON
  graphwright runs show weekly-1717-ab12         its nodes, its last steps, its state
  graphwright runs wait weekly-1717-ab12         until it ends; then its status as JSON
  graphwright runs cancel weekly-1717-ab12       ask a run to end; it can be resumed
  graphwright runs cache stats                   how many results of nodes with cache_result are kept
  graphwright runs cache clear                   forget them
  graphwright runs kill weekly-1717-ab12         the same, with SIGKILL if it does not end within 3 seconds"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser("runs", "ACTION [RUN] [options]", "The runs that a project has kept.", _EXAMPLES)
    parser.add_argument("action", choices=tuple(_ACTIONS), help="what to do")
    parser.add_argument("run", nargs="?", metavar="RUN", help="the id of a run; for `cache` what to do: stats or clear")
    parser.add_argument("--project", metavar="DIR", help="the project folder (default: the nearest one above)")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="wait: how long at most")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="list, show: how to print it")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """The exit code of the command."""
    from graphwright_runtime.errors import RefusedError

    if (options.action == "list") == (options.run is not None):
        needs = "needs `stats` or `clear`" if options.action == "cache" else "needs the id of a run"
        takes = "takes no run" if options.run is not None else needs
        raise UsageError(f"`graphwright runs {options.action}` {takes}")
    try:
        return _ACTIONS[options.action](options, project_folder(options.project) or Path.cwd(), console)
    except RefusedError as error:
        raise UsageError(str(error)) from error


def _list(options: argparse.Namespace, project: Path, console: Console) -> int:
    from graphwright_runtime.durable.survey import runs
    from graphwright_runtime.durable.views import moment

    found = runs(project)
    if options.format == "json":
        console.result(_json([row._asdict() for row in found]))
        return 0
    if not found:
        console.remark(f"no runs are kept in {project}\n")
    rows = [(row.run_id, row.graph_id, row.status, moment(row.updated_at)) for row in found]
    console.result(_table([("RUN", "GRAPH", "STATUS", "UPDATED"), *rows]) if rows else "")
    return 0


def _status(options: argparse.Namespace, project: Path, console: Console) -> int:
    from graphwright_runtime.durable.survey import standing

    console.result(_json(_summary(standing(project, options.run))))
    return 0


def _show(options: argparse.Namespace, project: Path, console: Console) -> int:
    from graphwright_runtime.durable.survey import standing
    from graphwright_runtime.durable.views import moment

    found = standing(project, options.run)
    checkpoint = found.checkpoint
    if options.format == "json":
        tallies = {
            name: {"visits": tally.visits, "status": tally.status, "elapsed_ms": round(tally.elapsed_ms, 3)}
            for name, tally in checkpoint.history.nodes.items()
        }
        more = {"path": checkpoint.path, "nodes": tallies, "inputs": checkpoint.inputs, "state": checkpoint.state}
        console.result(_json({**_summary(found), **more}))
        return 0
    nodes = [
        (name, tally.status, str(tally.visits), f"{tally.elapsed_ms / 1000:.1f} s")
        for name, tally in checkpoint.history.nodes.items()
    ]
    steps = [
        (str(step), node, status, f"{elapsed_ms:.1f} ms", moment(at))
        for at, step, node, status, elapsed_ms in checkpoint.history.recent
    ]
    count = len(checkpoint.path)
    console.result(
        f"{found.run_id} of {found.graph_id}: {found.status}, {count} step{'' if count == 1 else 's'}\n\n"
        + _table([("NODE", "STATUS", "VISITS", "TIME"), *nodes])
        + "\n"
        + _table([("STEP", "NODE", "STATUS", "TIME", "DONE"), *steps])
        + "\n"
        + _json(checkpoint.state)
    )
    if found.status in _RESUMABLE:
        console.remark(f"to resume the run: graphwright run {found.graph_id} --resume {found.run_id}\n")
    return 0


def _cancel(options: argparse.Namespace, project: Path, console: Console) -> int:
    from graphwright_runtime.durable.survey import ask_to_cancel

    pid = ask_to_cancel(project, options.run)
    console.message(f"asked the run {options.run} (process {pid}) to end; it can be resumed\n")
    return 0


def _kill(options: argparse.Namespace, project: Path, console: Console) -> int:
    from graphwright_runtime.durable.survey import kill

    console.message(f"the run {options.run} is {kill(project, options.run)}; it can be resumed\n")
    return 0


def _wait(options: argparse.Namespace, project: Path, console: Console) -> int:
    from graphwright_runtime.durable.survey import standing, wait

    standing(project, options.run)  # whether there is such a run
    ended = wait(project, options.run, options.timeout)
    found = standing(project, options.run)
    console.result(_json(_summary(found)))
    return 0 if ended and found.status in ("completed", "completed_with_errors") else 1


def _summary(found: RunStanding) -> dict[str, object]:
    return {
        "run_id": found.run_id,
        "graph_id": found.graph_id,
        "alive": found.alive,
        "pid": found.pid,
        "status": found.status,
        "current_node": found.checkpoint.node,
        "step": len(found.checkpoint.path),
    }


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows in columns."""
    cells = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "".join(f"{line}\n" for line in lines)


def _json(value: object) -> str:
    from graphwright_runtime.durable.canonical import any_length

    with any_length():
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _cache(options: argparse.Namespace, project: Path, console: Console) -> int:
    from graphwright_runtime.durable.cache import clear, entries

    if options.run == "stats":
        files = list(entries(project))
        console.result(_json({"entries": len(files), "bytes": sum(file.stat().st_size for file in files)}))
    elif options.run == "clear":
        console.message(f"forgot {clear(project)} results\n")
    else:
        raise UsageError(f"`graphwright runs cache` takes `stats` or `clear`, not `{options.run}`")
    return 0


#: `orphaned`: the process of the run is gone, and the run is not over.
_RESUMABLE: Final = ("cancelled", "error", "killed", "orphaned")
_ACTIONS: Mapping[str, Callable[[argparse.Namespace, Path, Console], int]] = {
    "list": _list,
    "status": _status,
    "show": _show,
    "wait": _wait,
    "cancel": _cancel,
    "kill": _kill,
    "cache": _cache,
}

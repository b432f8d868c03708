"""`graphwright runs follow`: shows the progress of a run of another process until it ends."""

from __future__ import annotations

import argparse
import signal
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_run, counted, named_run
from graphwright.cli.runs.printing import json_text
from graphwright.cli.runs.status import summary

if TYPE_CHECKING:
    from graphwright_runtime.durable.following import Follower
    from graphwright_runtime.durable.survey import RunStatus
    from graphwright_runtime.events import Event
    from graphwright_runtime.progress import Progress

_EXAMPLES = """\
  graphwright runs follow weekly-1717-ab12
  graphwright runs follow weekly --last 3     begin with the last three steps"""

#: Seconds between two reads of the log.
_POLL: Final = 0.1


def parser() -> Parser:
    """The options of the action."""
    description = (
        "Show the progress of a run on standard error until it ends, then print its status as JSON. The exit code is "
        "that of the run: 0 if it completed, 1 if it failed or its process is gone, 128 + the number of the signal if "
        "it was cancelled. Ctrl-C stops following, and the run goes on."
    )
    parser = Parser("runs follow", "RUN [options]", description, _EXAMPLES)
    add_run(parser)
    parser.add_argument(
        "--last", type=counted, default=10, metavar="N", help="begin with the last N finished steps (default: 10)"
    )
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Follow the run to its end, and return its exit code."""
    from graphwright_runtime.durable.following import Follower
    from graphwright_runtime.durable.survey import run_status

    project, run_id = named_run(options)
    follower = Follower(project, run_id)
    try:
        _follow(follower, project, run_id, None if console.quiet else options.last)
    except KeyboardInterrupt:
        console.message(f"not following any more; the run {run_id} goes on\n")
        return 128 + signal.SIGINT
    finally:
        follower.close()
    found = run_status(project, run_id)
    console.result(json_text(summary(found)))
    return outcome(found)


def outcome(found: RunStatus) -> int:
    """The exit code for an ended run, as in `graphwright run`."""
    if found.status == "cancelled":
        name = str(found.checkpoint.end.get("signal"))
        return 128 + (signal.Signals[name] if name in signal.Signals.__members__ else signal.SIGTERM)
    return 0 if found.status in ("completed", "completed_with_errors") else 1


def _follow(follower: Follower, project: Path, run_id: str, last: int | None) -> None:
    """Show events until the run has ended, starting with the last `last` steps; if `last` is None, show nothing."""
    from graphwright_runtime.durable.layout import Layout
    from graphwright_runtime.durable.survey import is_alive
    from graphwright_runtime.progress import Progress

    layout = Layout(project, "", run_id)
    progress: Progress | None = None
    try:
        while True:
            alive = is_alive(layout)  # before reading, so that nothing appended is missed
            if progress is not None:
                for event in follower.events():
                    progress(event)
            else:
                steps = _last_steps(follower, last or 1)
                if last is not None and follower.graph is not None:
                    progress = Progress(follower.graph)
                    for event in steps:
                        progress(event)
            if not alive:
                return
            time.sleep(_POLL)
    finally:
        if progress is not None:
            progress.close()


def _last_steps(follower: Follower, last: int) -> list[Event]:
    """The events of the last finished steps and of the current one."""
    steps: deque[list[Event]] = deque([[]], maxlen=last + 1)
    for event in follower.events():
        if event.event_type == "step_started":
            steps.append([])
        steps[-1].append(event)
    if follower.is_at_end and len(steps) > last:  # there is no current step
        steps.popleft()
    return [event for step in steps for event in step]

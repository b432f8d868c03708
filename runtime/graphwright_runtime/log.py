"""The runtime's loggers, which add the current run to their records.

Each module has a logger with its own name. Messages quote tools and inputs, so invisible and deceptive characters are
escaped.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from graphwright_runtime.visible import visible

if TYPE_CHECKING:
    from graphwright_runtime.branch import Branch

#: The branch that runs in this context: set once per run, and copied to the tasks and threads of its tools.
current: Final[ContextVar[Branch | None]] = ContextVar("graphwright_branch", default=None)


class RunFilter(logging.Filter):
    """Adds the current run to every record, also for handlers that log the output of tools.

    Sets the attributes `graph_id`, `graph_run_id`, `graph_node` and `graph_step`, None outside of a run. A record that
    already has them keeps them.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the attributes."""
        branch = current.get()
        told = about(None) if branch is None else about(branch.run.run_id, branch.run.graph.id)
        if branch is not None and branch.step:
            told |= {"graph_node": branch.node, "graph_step": branch.step}
        for name, value in told.items():
            if not hasattr(record, name):
                setattr(record, name, value)
        return True


class _Visible(RunFilter):
    def filter(self, record: logging.LogRecord) -> bool:
        """Add the attributes, and escape the message."""
        record.msg, record.args = visible(record.getMessage()), None
        return super().filter(record)


_VISIBLE: Final = _Visible()


def logger(name: str) -> logging.Logger:
    """The logger of a module of the runtime."""
    found = logging.getLogger(name)
    found.addFilter(_VISIBLE)
    return found


#: The outcome of each step, at level DEBUG.
steps: Final = logger("graphwright_runtime.steps")


def about(run_id: str | None, graph_id: str | None = None) -> dict[str, object]:
    """The attributes of a record about a run (`extra`), outside of that run."""
    return {"graph_id": graph_id, "graph_run_id": run_id, "graph_node": None, "graph_step": None}

"""The runtime's loggers, and what their records know of the run.

Each module has a logger of its own name. What is logged quotes tools and inputs, so nothing reaches a log that cannot
be seen or deceives.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from graphwright_runtime.visible import visible

if TYPE_CHECKING:
    from graphwright_runtime.branch import Branch

#: What runs in this context: set once a run, and copied to the tasks and threads of its tools.
current: Final[ContextVar[Branch | None]] = ContextVar("graphwright_branch", default=None)


class RunFilter(logging.Filter):
    """Lets every record pass, and adds which run it comes from: for handlers that log what tools say, too.

    `graph_id`, `graph_run_id`, `graph_node` and `graph_step` are attributes of each record afterwards, None where there
    is no run. A record that has them already keeps them.
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
        """Escape the message as well."""
        record.msg, record.args = visible(record.getMessage()), None
        return super().filter(record)


_VISIBLE: Final = _Visible()


def logger(name: str) -> logging.Logger:
    """The logger of a module of the runtime."""
    found = logging.getLogger(name)
    found.addFilter(_VISIBLE)
    return found


#: What each step came to, at level DEBUG.
steps: Final = logger("graphwright_runtime.steps")


def about(run_id: str | None, graph_id: str | None = None) -> dict[str, object]:
    """What a record says of a run (`extra`), where the run has not begun."""
    return {"graph_id": graph_id, "graph_run_id": run_id, "graph_node": None, "graph_step": None}

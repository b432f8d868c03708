"""`graphwright runs cache`: the results that are kept for nodes with `cache_result`."""

from __future__ import annotations

from graphwright.cli.group import Group

#: Every action, in the order of the help page, and what it is for; each is a module of this package.
ACTIONS = {
    "stats": "print as JSON how many results are kept, and their size in bytes",
    "clear": "delete them",
}


def parser() -> Group:
    """The actions of the command."""
    description = "The results that a project keeps for nodes with `cache_result`."
    return Group("runs cache", description, __name__, ACTIONS, "  graphwright runs cache stats")

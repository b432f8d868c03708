"""`graphwright runs cache`: manages the cached results of nodes with `cache_result`."""

from __future__ import annotations

from graphwright.cli.group import Group

#: The actions in the order of the help page, with descriptions; each is a module of this package.
ACTIONS = {
    "stats": "print as JSON how many results are kept, and their size in bytes",
    "clear": "delete them",
}


def parser() -> Group:
    """The actions of the command."""
    description = "The results that a project keeps for nodes with `cache_result`."
    return Group("runs cache", description, __name__, ACTIONS, "  graphwright runs cache stats")

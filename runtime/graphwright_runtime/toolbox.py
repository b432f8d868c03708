"""Finds tools that were not passed to the run (runtime.md §2).

An id is looked up in this order: Python files in the project's `.ai/tools`, graphs of the project, executable files in
`.ai/tools`, the user's `~/.ai/tools`, installed tools (entry points of the group `graphwright.tools`), and built-in
tools. Actions that do not call a tool (`load`, `search`, directives) are handled by `items`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from graphwright_runtime.capability import INTERNAL
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action, AnyGraph, dynamic
from graphwright_runtime.ids import is_id
from graphwright_runtime.tooldigest import code_digest, file_digest
from graphwright_runtime.toolerror import failed, with_type
from graphwright_runtime.toolfiles import plain_file, program_tool, python_tool, tool_file
from graphwright_runtime.tooling import Bound, Tool, adapted, graph_tool
from graphwright_runtime.tools import builtin
from graphwright_runtime.tools.protection import Protection
from graphwright_runtime.values import Json
from graphwright_runtime.version import RUNTIME_VERSION

if TYPE_CHECKING:
    from graphwright_runtime.trust.items import ItemTrust

TOOL_FOLDER: Final = Path(".ai") / "tools"

#: Returns the graph with an id; None if there is none.
Graphs = Callable[[str], AnyGraph | None]


class Toolbox:
    """Finds the tools of actions, and caches them.

    `graphs` finds graphs; by default, those in the package of the calling graph. `trust` is the policy for tool files;
    by default, that of the environment (GRAPHWRIGHT_TRUST_TOOLS). `protection` defines where built-in tools must not
    write.
    """

    def __init__(
        self,
        graphs: Graphs | None = None,
        trust: ItemTrust | None = None,
        protection: Protection | None = None,
    ) -> None:
        self._graphs = graphs
        self._trust = trust
        self._protection = protection or Protection()
        self._found: dict[tuple[str, Path, str | None, AnyGraph | None], Bound] = {}
        self._known: dict[Path, ItemTrust] = {}

    def find(self, action: Action, project: Path, home: str | None, caller: AnyGraph | None = None) -> Bound:
        """The tool of an action. Raises NodeError if there is none.

        `home` is the home directory of the user, if known; `caller` is the calling graph.
        """
        item_id = action.item_id
        if action.primary != "execute" or action.kind != "tool" or item_id is None:
            return self._primary(action, project)
        key = (item_id, project, home, caller)
        if key not in self._found:
            found = self._look_up(item_id, project, home, caller)
            if found is None:
                raise NodeError(f"no tool `{item_id}`: {_advice(item_id, project)}", category="permanent")
            self._found[key] = found
        return self._found[key]

    def digest(self, action: Action, project: Path, home: str | None, caller: AnyGraph | None) -> str | None:
        """A digest of the tool of an action; None for installed tools, and for actions that do not call a tool."""
        item_id = action.item_id
        if action.primary != "execute" or action.kind != "tool" or item_id is None or not is_id(item_id):
            return None
        own, users = project / TOOL_FOLDER, None if not home else Path(home) / TOOL_FOLDER
        for folder in (own, users):
            if folder is None:
                continue
            if (file := tool_file(item_id, folder, python=True)) is not None:
                return file_digest(file)
            if folder is own and (graph := self.graph(item_id, caller)) is not None:
                return code_digest(graph)
            if (file := tool_file(item_id, folder, python=False)) is not None:
                return file_digest(file)
        is_built_in = item_id not in _entry_points() and builtin(item_id, self._protection) is not None
        return f"built in {RUNTIME_VERSION}" if is_built_in else None

    def graph(self, graph_id: str, caller: AnyGraph | None) -> AnyGraph | None:
        """The graph with an id; None if there is none. Raises NodeError if its module cannot be imported."""
        if not is_id(graph_id):
            return None
        if self._graphs is not None:
            return self._graphs(graph_id)
        if caller is None:
            return None
        from graphwright_runtime.siblings import sibling

        return sibling(caller, graph_id)

    def directive(self, item_id: str, project: Path, home: str | None) -> str | None:
        """The text of a directive; None if there is none. Raises NodeError for one that is not trusted."""
        from graphwright_runtime.items.space import find_item, spaces
        from graphwright_runtime.items.text import read_item

        item = find_item("directive", item_id, spaces(project, home))
        return None if item is None else read_item(item, self._item_trust(project)).content

    def _look_up(self, item_id: str, project: Path, home: str | None, caller: AnyGraph | None) -> Bound | None:
        found = self._file_or_graph(item_id, project, home, caller) if is_id(item_id) else None
        if found is None and (tool := _installed(item_id)) is not None:
            found = adapted(tool)[0]
        if found is not None:
            return _with_capability(item_id, found) if item_id.startswith(INTERNAL) else found
        tool = builtin(item_id, self._protection)
        return None if tool is None else adapted(tool)[0]

    def _file_or_graph(self, item_id: str, project: Path, home: str | None, caller: AnyGraph | None) -> Bound | None:
        trust = self._trust or _asked(project)
        own = project / TOOL_FOLDER
        found = (
            python_tool(item_id, own, trust, project)
            or self._graph_tool(item_id, caller)
            or program_tool(item_id, own, trust)
        )
        if found is None and home:
            users = Path(home) / TOOL_FOLDER
            found = python_tool(item_id, users, trust) or program_tool(item_id, users, trust)
        return found

    def _primary(self, action: Action, project: Path) -> Bound:
        from graphwright_runtime.items.primaries import primary

        found = primary(action, self._item_trust(project))
        if found is None:
            wanted = f"{action.primary} of {action.kind} {action.item_id or ''}".rstrip()
            known = action.primary == "execute" and action.kind == "knowledge"
            advice = "knowledge is read with `primary: load`" if known else "pass it a `dispatch`"
            raise NodeError(f"this run cannot handle {wanted}: {advice}", category="permanent")
        return found

    def _item_trust(self, project: Path) -> ItemTrust:
        if project not in self._known:
            self._known[project] = self._trust or _asked(project) or _unasked(project)
        return self._known[project]

    def _graph_tool(self, item_id: str, caller: AnyGraph | None) -> Bound | None:
        graph = self.graph(item_id, caller)
        return None if graph is None else graph_tool(graph)


def _advice(item_id: str, project: Path) -> str:
    """The advice for an id without a tool."""
    folder = project / TOOL_FOLDER
    if not is_id(item_id):
        return "an id is a path such as `team/fetch`, without `.` and `..`"
    idle = plain_file(item_id, folder)
    if idle is not None:
        return f"{idle} is not executable (chmod +x)"
    return (
        f"create {folder / item_id}.py with `def execute(params, project_path)`, or pass it to the run in `tools`; "
        f"it is not in {folder} (`project` names another project), not a graph of this project, and not installed"
    )


def _with_capability(item_id: str, found: Bound) -> Bound:
    """A tool with an internal id that is not the runtime's own, so its capability must be checked."""
    action = dynamic("execute", "tool", item_id)

    async def checked(params: dict[str, Json], context: Context) -> object:
        context.grants.check(action, built_in=False)
        return await found(params, context)

    return checked


def _asked(project: Path) -> ItemTrust | None:
    """The trust policy of the environment for tool files. Raises NodeError if a trust file cannot be used."""
    if not os.environ.get("GRAPHWRIGHT_TRUST_TOOLS"):
        return None
    from graphwright_runtime.trust.items import item_trust
    from graphwright_runtime.trust.truststore import TrustError

    try:
        return item_trust(project)
    except TrustError as error:
        raise NodeError(str(error), category="denied") from error


def _unasked(project: Path) -> ItemTrust:
    """The trusted keys, without a policy, to show the status of signatures; none if a trust file cannot be used."""
    from graphwright_runtime.trust.items import ItemTrust
    from graphwright_runtime.trust.truststore import TrustError, TrustStore, find_trust

    try:
        trust = find_trust(project)
    except TrustError:
        trust = TrustStore()
    return ItemTrust("off", trust)


def _installed(item_id: str) -> Tool | None:
    entry = _entry_points().get(item_id)
    if entry is None:
        return None
    try:
        return cast("Tool", entry())
    except (Exception, SystemExit) as error:
        text = f"the installed tool `{item_id}` cannot be loaded: {with_type(failed(error))}"
        raise NodeError(text, category="permanent") from error


@lru_cache(maxsize=1)
def _entry_points() -> dict[str, Callable[[], object]]:
    from importlib.metadata import entry_points

    return {entry.name: entry.load for entry in entry_points(group="graphwright.tools")}

"""Completion and hover data for editors: ids of tools, their params, and paths below `result`, `state` and `inputs`,
with types and descriptions, from the contracts and types that `check` uses.

`Completion.of_file` reads a graph with its project. A graph that is being typed may have errors; they do not affect
answers about the rest of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from graphwright import ir
from graphwright.analysis import operations
from graphwright.analysis.capability import called_id
from graphwright.analysis.jsontype import ANY, NEVER, Type
from graphwright.analysis.tools import unwrapped
from graphwright.analysis.type_text import describe
from graphwright.contract.builtin import BUILTIN
from graphwright.contract.catalogue import KnownTool, tool_of
from graphwright.contract.threads import THREAD
from graphwright.cursor import MARK, Position
from graphwright.diagnostic import Json
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, given
from graphwright.language.events import RUNTIME_KEYS
from graphwright.language.words import ORCHESTRATOR
from graphwright.record import Record
from graphwright.schema.types import from_schema
from graphwright.schema.walk import listed, mapping

Segments: TypeAlias = Sequence[str | int]

#: The most folders of ids that are searched.
_MAX_FOLDERS = 2_000


class Candidate(Record):
    """A valid entry at a position.

    `name`: the text to insert. `kind`: what it is. `type`: in words, empty for ids. `values`: the allowed constants, if
    they are limited. `certain`: a required param, or a field or key that always exists. `is_given`: a param that the
    call already passes. `documentation`: a description in its author's words.
    """

    name: str
    kind: Literal["tool", "graph", "built-in", "param", "field", "key", "input", "item"]
    type: str = ""
    values: tuple[Json, ...] = ()
    certain: bool = False
    is_given: bool = False
    documentation: str = ""


class Completion:
    """The candidates at the positions of one graph."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @classmethod
    def of_file(cls, path: str | Path, text: str | None = None) -> Completion | None:
        """The completion for a graph, with `text` instead of the content of its file; None if it is not a graph."""
        from graphwright.checking.checker import check
        from graphwright.project.projects import absolute

        file = absolute(path)
        texts = {} if text is None else {file: text.encode()}
        graphs = check([file], keep=True, texts=texts).graphs
        return cls(graphs[0].facts()) if graphs else None

    def at(self, position: Position) -> tuple[Candidate, ...]:
        """The candidates at a position of the same text that continue what is typed there."""
        found: tuple[Candidate, ...] = ()
        match position.sort:
            case "tool":
                found = self.tools(position.typed)
            case "param" if position.node is not None:
                found = self.params(position.node)
            case "result" if position.node is not None:
                found = self.result(position.node, position.path)
            case "state":
                found = self.state(position.node, position.path)
            case "inputs":
                found = self.inputs(position.path)
            case _:
                pass
        return tuple(each for each in found if each.name.startswith(position.typed) and MARK not in each.name)

    # --- ids ------------------------------------------------------------------------------------------------

    def tools(self, prefix: str = "") -> tuple[Candidate, ...]:
        """The ids that begin with `prefix` and that an action of the graph can call, sorted.

        Tools that only the host application supplies are not included, unless they have a contract.
        """
        found: dict[str, Candidate] = {
            item_id: Candidate(item_id, "built-in") for item_id in (*BUILTIN, THREAD, ORCHESTRATOR)
        }
        for folder in self._folders(prefix.rpartition("/")[0]):
            found.update((each.name, each) for each in self._in_folder(folder))
        found.pop(self._facts.graph_id, None)
        return tuple(found[name] for name in sorted(found) if name.startswith(prefix))

    def tool(self, item_id: str) -> KnownTool:
        """The contract of a tool or graph, for example to show it when hovering over its id."""
        for caller in self._facts.callers:
            if called_id(caller.action) == item_id:
                return tool_of(item_id, self._facts, [(self._facts, caller)])
        return tool_of(item_id, self._facts)

    # --- params ---------------------------------------------------------------------------------------------

    def params(self, node: str) -> tuple[Candidate, ...]:
        """The params of the tool that a node calls, required and missing ones first."""
        caller = self._caller(node)
        item_id = None if caller is None else called_id(caller.action)
        if caller is None or item_id is None:
            return ()
        tool = tool_of(item_id, self._facts, [(self._facts, caller)])
        passed = given(caller.action) or {}
        found = _fields(from_schema(tool.params, fills=False), tool.params, "param", passed)
        return tuple(sorted(found, key=lambda each: (each.is_given, not each.certain)))

    # --- paths ----------------------------------------------------------------------------------------------

    def result(self, node: str, path: Segments = ()) -> tuple[Candidate, ...]:
        """The candidates after a path below `result`, in the assigns and edges of a node."""
        caller = self._caller(node)
        item_id = None if caller is None else called_id(caller.action)
        if caller is None or item_id is None:
            return ()
        tool = tool_of(item_id, self._facts, [(self._facts, caller)])
        whole = unwrapped(from_schema(tool.result, fills=False))
        return _below(whole, tool.result, path)

    def state(self, node: str | None = None, path: Segments = ()) -> tuple[Candidate, ...]:
        """The candidates after a path below `state` when a node begins; None for a hook.

        A key is certain if every path to the node assigns it.
        """
        facts = self._facts
        if facts.graph is None:
            return ()
        owner = None if node is None else facts.nodes.get(node)
        if path:
            key, *rest = path
            return _below(facts.types.of(_read(str(key)), owner), True, rest)
        keys = sorted(facts.assignment.all_keys | RUNTIME_KEYS)
        types = {key: facts.types.of(_read(key), owner) for key in keys}
        certain = facts.graph.state.keys() if owner is None else facts.assignment.definite_in(owner.name)
        return tuple(_candidate(key, "key", types[key], certain=key in certain) for key in keys)

    def inputs(self, path: Segments = ()) -> tuple[Candidate, ...]:
        """The candidates after a path below `inputs`."""
        graph = self._facts.graph
        return () if graph is None else _below(self._facts.types.inputs, graph.inputs_schema, path, "input")

    # --- where ids are looked up ----------------------------------------------------------------------------

    def _caller(self, node: str) -> Caller | None:
        return next((each for each in self._facts.callers if each.node is not None and each.node.name == node), None)

    def _folders(self, top: str) -> list[str]:
        """A folder of ids and all folders below it."""
        folders = [top]
        project = self._facts.project
        for folder in folders if project is not None else ():
            names = project.folders(folder) if project is not None else ()
            folders += [f"{folder}/{name}" if folder else name for name in names][: _MAX_FOLDERS - len(folders)]
        return folders

    def _in_folder(self, folder: str) -> Iterator[Candidate]:
        project = self._facts.project
        if project is None:
            return
        before = f"{folder}/" if folder else ""
        for name in project.tool_names(folder):
            yield Candidate(before + name, "tool")
        for name in project.graph_names(folder):
            if project.graph(before + name) is not None:
                yield Candidate(before + name, "graph")


def _read(key: str) -> ir.Read:
    return ir.Read(ir.Root.STATE, (key,), f"state.{key}", 0, 0)


def _below(
    whole: Type, schema: Json, path: Segments, kind: Literal["field", "input"] = "field"
) -> tuple[Candidate, ...]:
    """The fields of the value at a path; for a list, its first and last item."""
    found = operations.at_path(whole, tuple(path))
    for segment in path:
        schema = _inside(schema, segment)
    if not found.known:
        return ()
    if "array" in found.kinds:
        return tuple(_candidate(index, "item", found.item) for index in ("0", "-1"))
    return tuple(_fields(found, schema, kind, {}))


def _inside(schema: Json, segment: str | int) -> Json:
    """The part of a schema that describes a field or item; True if it does not say."""
    for each in (schema, *listed(mapping(schema).get("anyOf"))):
        known = mapping(mapping(each).get("properties")).get(str(segment), mapping(each).get("items"))
        if known is not None:
            return known
    return True


def _fields(
    kind: Type, schema: Json, what: Literal["param", "field", "input"], passed: Mapping[str, object]
) -> Iterator[Candidate]:
    for name, field in kind.fields:
        if field.type != NEVER:
            about = mapping(_inside(schema, name)).get("description")
            yield _candidate(
                name,
                what,
                field.type,
                certain=field.required,
                is_given=name in passed,
                documentation=about if isinstance(about, str) else "",
            )


def _candidate(
    name: str,
    what: Literal["param", "field", "key", "input", "item"],
    kind: Type,
    *,
    certain: bool = False,
    is_given: bool = False,
    documentation: str = "",
) -> Candidate:
    values = tuple(kind.values or ()) if kind != ANY and not kind.kinds & {"array", "object"} else ()
    return Candidate(name, what, describe(kind), values, certain, is_given, documentation)

"""What the templates are given: every decision made, every text safe; they only lay it out.

Lines of code are single logical lines. A line may end in `MARK` and the line of the YAML file that it came from;
`layout/text.py` takes the marks off.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from graphwright.emit.literals import quoted

#: Separates a line of code from the line of the YAML; no emitted text can hold it.
MARK: Final = "\x1e"


def marked(code: str, line: int) -> str:
    """A line of code that comes from a line of the YAML file."""
    return f"{code}{MARK}{line}"


class Structure(NamedTuple):
    """A TypedDict. `fields`: key -> annotation. `functional`: some key cannot stand in a class body."""

    name: str
    fields: tuple[tuple[str, str], ...]
    functional: bool

    @property
    def keyed(self) -> str:
        """The fields as a dict, for the functional form."""
        return f"{{{', '.join(f'{quoted(key)}: {annotation}' for key, annotation in self.fields)}}}"


class Alias(NamedTuple):
    """A type alias; `value` is an expression."""

    name: str
    value: str


class ToolProtocol(NamedTuple):
    """A protocol of which each method implements one tool: its name, item id, parameter type and return type."""

    name: str
    methods: tuple[tuple[str, str, str, str], ...]


class Function(NamedTuple):
    """A function of the module's own: `arguments` and `returns` are written out, `body` is indented below it."""

    name: str
    arguments: str
    returns: str
    body: tuple[str, ...]


class NodeCode(NamedTuple):
    """One node.

    `place`: `graphs/report.yaml:16`. `view`: the keys of the state that it reads. `setup`: locals and inner functions;
    `body`: what it does, in an order that has a meaning; `rescue`: what stands under `except NodeError as error`, empty
    where an error ends the run. `edges`: functions that find the next node, where it has some of its own.
    """

    kind: str
    place: str
    function: str
    view: Structure | None
    cursor: str
    returns: str
    setup: tuple[str, ...]
    body: tuple[str, ...]
    rescue: tuple[str, ...]
    edges: tuple[Function, ...]


class ModuleCode(NamedTuple):
    """The whole module.

    `types` are for everybody, `views` for type checkers alone: what nodes are given. `imports`: groups of (module,
    names). `constants`: name, annotation (maybe empty), value. `graph`: the arguments of the record
    of class `graph_class`.
    """

    header: tuple[str, ...]
    docstring: tuple[str, ...]
    imports: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]
    exported: tuple[str, ...]
    types: tuple[Structure | Alias | ToolProtocol, ...]
    views: tuple[Structure, ...]
    constants: tuple[tuple[str, str, str], ...]
    functions: tuple[Function, ...]
    nodes: tuple[NodeCode, ...]
    hook_functions: tuple[Function, ...]
    hook_rows: tuple[str, ...]
    graph: tuple[tuple[str, str], ...]
    graph_class: str

"""The model of a module for the templates, with all decisions made and all strings escaped.

Each line of code is a single logical line. It may end with `MARK` and the line of the YAML file from which it comes;
`layout/text.py` removes the marks.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from graphwright.emit.literals import quoted

#: Separates a line of code from the line number in the YAML; emitted text never contains it.
MARK: Final = "\x1e"


def marked(code: str, line: int) -> str:
    """A line of code that comes from a line of the YAML file."""
    return f"{code}{MARK}{line}"


class Structure(NamedTuple):
    """A TypedDict. `fields` maps keys to annotations. `functional`: some key is not valid in a class body."""

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
    """A protocol whose methods implement tools: name, item id, type of the params and result type of each."""

    name: str
    methods: tuple[tuple[str, str, str, str], ...]


class Function(NamedTuple):
    """A function of the module: `arguments` and `returns` as code, `body` with relative indentation."""

    name: str
    arguments: str
    returns: str
    body: tuple[str, ...]


class NodeCode(NamedTuple):
    """One node.

    `place` is its location: `graphs/report.yaml:16`. `view` contains the state keys that it reads. `setup` are locals
    and inner functions, `body` are the statements of the node in order, `rescue` those after `except NodeError as
    error`, empty if an error ends the run. `edges` are functions that find the next node, if there are any.
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

    `types` are public, `views` are only for type checkers: the state as nodes see it. `imports` are groups of (module,
    names). `constants` are (name, annotation or empty, value). `graph` are the arguments of the record of class
    `graph_class`.
    """

    header: tuple[str, ...]
    docstring: tuple[str, ...]
    imports: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]
    exported: tuple[str, ...]
    types: tuple[Structure | Alias | ToolProtocol, ...]
    views: tuple[Structure | Alias, ...]
    constants: tuple[tuple[str, str, str], ...]
    functions: tuple[Function, ...]
    nodes: tuple[NodeCode, ...]
    hook_functions: tuple[Function, ...]
    hook_rows: tuple[str, ...]
    graph: tuple[tuple[str, str], ...]
    graph_class: str

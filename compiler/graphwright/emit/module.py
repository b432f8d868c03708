"""The render model of a whole module: names for everything, and every section in its order."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Final

from graphwright import ir
from graphwright.emit.abi import ABI, IMPORTABLE, RUNTIME
from graphwright.emit.displays import constant_code
from graphwright.emit.hooks import hook_code
from graphwright.emit.interface import interface_types
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.linemap import PLACEHOLDER, words_code
from graphwright.emit.literals import quoted, strings
from graphwright.emit.model import Function, ModuleCode
from graphwright.emit.nodes import EmitContext, node_code
from graphwright.emit.prose import BACKSLASH, NOTHING_IN_SHELL, flow_summary, paragraphs, plain, without_cookie
from graphwright.emit.record import graph_arguments, tool_arguments
from graphwright.emit.tool_protocol import TOOLS
from graphwright.emit.types import Annotations
from graphwright.emit.uses import Uses, sorting_order
from graphwright.emit.validator.declared import OUTPUT_SCHEMA, SCHEMA, STATE_SCHEMA, declared_checks, validator
from graphwright.ir.printer import graph_digest, node_digests
from graphwright.names import Namespace, class_name, identifier
from graphwright.record import Record

#: Names that every module has, or may have; nothing of the author's gets one of them.
OWN_NAMES: Final = frozenset(
    {
        *("GRAPH", "GRAPH_HASH", "GRAPH_ID", "HOOKS", "MAX_STEPS", "PERMISSIONS", "REQUIRED_ENV", "START"),
        *(
            "FailureNode",
            "Inputs",
            "NodeName",
            "Outcome",
            "Output",
            "State",
            TOOLS,
            "_Filled",
            SCHEMA,
            "_initial",
            "_validate",
            "run",
            "run_sync",
        ),
        *(STATE_SCHEMA, OUTPUT_SCHEMA),
    }
)

#: Digits of a node's sha256 that a module holds: enough to see that the node changed.
_DIGITS: Final = 8

#: What a module offers, in addition to the names of its interface's inner types.
_EXPORTED: Final = (
    *("GRAPH", "GRAPH_HASH", "GRAPH_ID", "MAX_STEPS", "PERMISSIONS", "REQUIRED_ENV", "START"),
    *("Inputs", "NodeName", "Output", "State", "run", "run_sync"),
)


class Origin(Record):
    """Where a module comes from, for its header: the compiler's version, and the sha256 of the source's text."""

    version: str
    source_digest: str


def module_code(knowledge: Knowledge, origin: Origin) -> ModuleCode:
    """Everything that the templates lay out. What is imported and which constants there are is settled last."""
    graph = knowledge.graph
    names = Namespace(OWN_NAMES.union(*IMPORTABLE.values()))
    uses = Uses(names)
    functions = names.claim_all({name: identifier(name) for name in graph.nodes})
    view_names = names.claim_all({name: f"_{class_name(name)}" for name in graph.nodes})
    types = Annotations(uses)
    interface = interface_types(graph, knowledge, types, uses)
    validating = validator(graph.inputs_schema, uses)
    context = EmitContext(graph, knowledge, uses, types, functions, view_names, interface.cursor_inputs)
    nodes = tuple(node_code(node, context) for node in graph.nodes.values())
    hooks = [hook_code(hook, number, uses, knowledge) for number, hook in enumerate(graph.hooks, 1)]
    checks = tuple(_end_checks(knowledge, uses))
    above = (*_initial(graph, uses), *validating, *declared_checks(graph, knowledge.declarations, uses))
    record = [
        *_record(graph, has_validator=bool(validating)),
        *checks,
        *graph_arguments(graph, uses, functions, knowledge),
        *tool_arguments(interface.tools),
        ("digests", words_code("digests", [digest[:_DIGITS] for digest in node_digests(graph).values()])),
        ("lines", quoted(PLACEHOLDER)),
    ]
    views = [view for view in (interface.filled, *(node.view for node in nodes)) if view is not None]
    if views:
        uses.typing("TYPE_CHECKING")
    constants = tuple(_constants(knowledge, above, uses))
    if any(node.rescue for node in nodes):
        uses.runtime("NodeError")
    return ModuleCode(
        header=tuple(_header(graph, origin)),
        docstring=tuple(_docstring(graph)),
        imports=_imports(uses),
        exported=tuple(sorted({*_EXPORTED, *interface.exported}, key=sorting_order)),
        types=interface.declarations,
        views=tuple(views),
        constants=constants,
        functions=above,
        nodes=nodes,
        hook_functions=tuple(function for _, needed in hooks for function in needed),
        hook_rows=tuple(row for row, _ in hooks),
        graph=tuple(record),
        graph_class=interface.graph_class,
    )


def _header(graph: ir.Graph, origin: Origin) -> Iterator[str]:
    """Lines of comments. None of them names an encoding, whatever the path is, and the path stands in none of the first
    two lines, where Python looks for one.
    """
    yield f"generated by graphwright {origin.version} — do not edit"
    yield f"source sha256:{origin.source_digest} · abi {ABI}"
    path = plain(graph.path)
    yield f"from {without_cookie(path, between=BACKSLASH)}"
    yield f"regenerate with: graphwright build {without_cookie(shlex.quote(path), between=NOTHING_IN_SHELL)}"


def _docstring(graph: ir.Graph) -> Iterator[str]:
    lines = list(paragraphs(graph.description))
    if lines and lines[0].startswith('"'):
        lines[0] = f" {lines[0]}"
    yield from lines or [f"The graph `{plain(graph.graph_id)}`."]
    yield ""
    yield from flow_summary(graph)


def _imports(uses: Uses) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]:
    """The standard library's imports, then the runtime's."""
    found = uses.imports()
    runtime = found.pop(RUNTIME)
    return (tuple(found.items()), ((RUNTIME, runtime),))


def _constants(knowledge: Knowledge, functions: Iterable[Function], uses: Uses) -> Iterator[tuple[str, str, str]]:
    """Name, type where it is not clear from the value, and value."""
    graph = knowledge.graph
    patterns = None if graph.permissions is None else tuple(each.pattern for each in graph.permissions)
    yield "GRAPH_ID", "", quoted(graph.graph_id)
    yield "GRAPH_HASH", "", quoted(graph_digest(graph))
    yield "START", "NodeName", quoted(graph.start or "")
    yield "MAX_STEPS", "", repr(graph.settings.max_steps)
    yield "REQUIRED_ENV", "tuple[str, ...]", strings(tuple(knowledge.required_env))
    yield "PERMISSIONS", "tuple[str, ...] | None", "None" if patterns is None else strings(patterns)
    for name, value in uses.constants():
        yield name, "", value
    bodies = [line for function in functions for line in function.body]
    for constant, schema in (
        (SCHEMA, graph.inputs_schema),
        (STATE_SCHEMA, graph.state_schema),
        (OUTPUT_SCHEMA, graph.output_schema),
    ):
        if any(f"({constant}, " in line for line in bodies):
            written = constant_code(schema, uses).text
            yield constant, "dict[str, object]" if written.startswith("{") else "object", written


def _end_checks(knowledge: Knowledge, uses: Uses) -> Iterator[tuple[str, str]]:
    """The arguments of `GRAPH` for what is checked when a run completes."""
    declared = knowledge.declarations
    if declared.whole_state is not True:
        yield "check_state", uses.checks.of_state()
    if knowledge.returns_state and not declared.is_state_as_output_proved:
        yield "check_output", uses.checks.of_output()


def _initial(graph: ir.Graph, uses: Uses) -> Iterator[Function]:
    """What makes a fresh copy of `config.state`."""
    if graph.state:
        entries = ", ".join(f"{quoted(key)}: {constant_code(value, uses).text}" for key, value in graph.state.items())
        yield Function("_initial", "", "dict[str, object]", (f"return {{{entries}}}",))


def _record(graph: ir.Graph, *, has_validator: bool) -> list[tuple[str, str]]:
    """The arguments of `GRAPH` that name what is defined above it."""
    arguments = [
        ("id", "GRAPH_ID"),
        ("hash", "GRAPH_HASH"),
        ("abi", repr(ABI)),
        ("source", quoted(graph.path)),
        ("start", "START"),
        ("max_steps", "MAX_STEPS"),
        ("permissions", "PERMISSIONS"),
    ]
    if graph.state:
        arguments.append(("initial", "_initial"))
    if has_validator:
        arguments.append(("validate", "_validate"))
    if graph.hooks:
        arguments.append(("hooks", "HOOKS"))
    return arguments

"""Compares two outlines, area by area."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from graphwright.compare.authority import environment, permissions
from graphwright.compare.difference import OF_MODULES, Area, Comparison, Difference, Kind
from graphwright.compare.interface import inputs, output, state
from graphwright.compare.lines import changed_lines
from graphwright.compare.outline import HookOutline, NodeOutline, Outline
from graphwright.compare.renames import renamed, same
from graphwright.compare.tools import tools

_SILENT_CHANGE: Final = "the module does not show how"


def compare(old: Outline, new: Outline) -> Comparison:
    """Compare two outlines, both of graphs or both of modules."""
    names = renamed(old.nodes, new.nodes)
    found = [
        *permissions(old.permissions, new.permissions),
        *tools(old, new),
        *environment(old.environment, new.environment),
        *inputs(old, new),
        *_checks(old, new),
        *output(old, new),
        *state(old, new),
        *_settings(old, new, names),
        *_hooks(old.hooks, new.hooks),
        *_nodes(old.nodes, new.nodes, names),
    ]
    return Comparison(tuple(found), OF_MODULES if old.is_module and found else ())


def _checks(old: Outline, new: Outline) -> Iterator[Difference]:
    """The changes of checks in modules with the same types; graphs are compared by their schemas instead."""
    accepted, wanted = (
        {name: (each.schema, each.required, each.has_default) for name, each in side.inputs.items()}
        for side in (old, new)
    )
    for name in dict.fromkeys((*old.input_checks, *new.input_checks)):
        before, after = old.input_checks.get(name, ""), new.input_checks.get(name, "")
        is_same = accepted.get(name) == wanted.get(name) if name in accepted else not name and accepted == wanted
        if before != after and is_same:
            what = f"`{name}` is" if name else "the inputs are"
            text = f"{what} checked in another way, so values that were accepted may be refused"
            lines = changed_lines(before.split("\n"), after.split("\n"))
            yield Difference(Area.INPUTS, name, Kind.CHANGED, text, breaking=True, lines=lines)
    if old.declared_checks != new.declared_checks:
        lines = changed_lines(old.declared_checks.split("\n"), new.declared_checks.split("\n"))
        yield Difference(Area.STATE, "", Kind.CHANGED, "declared values are checked in another way", lines=lines)


def _settings(old: Outline, new: Outline, names: Mapping[str, str]) -> Iterator[Difference]:
    start = names.get(old.start or "", old.start)
    if start != new.start:
        yield Difference(
            Area.SETTINGS, "start", Kind.CHANGED, f"`start`: {old.start} → {new.start}", old=old.start, new=new.start
        )
    for name in dict.fromkeys((*old.settings, *new.settings)):
        before, after = old.settings.get(name), new.settings.get(name)
        if before != after:
            kind = Kind.ADDED if before is None else Kind.REMOVED if after is None else Kind.CHANGED
            text = f"`{name}`: {before or 'not set'} → {after or 'not set'}"
            yield Difference(Area.SETTINGS, name, kind, text, old=before, new=after)


def _hooks(old: Mapping[str, HookOutline], new: Mapping[str, HookOutline]) -> Iterator[Difference]:
    for name, hook in old.items():
        if name not in new:
            yield Difference(Area.HOOKS, name, Kind.REMOVED, f"`{name}` on {hook.event} removed")
        elif hook != new[name]:
            lines = changed_lines(hook.lines, new[name].lines)
            yield Difference(Area.HOOKS, name, Kind.CHANGED, f"`{name}` changed", lines=lines)
    for name, hook in new.items():
        if name not in old:
            yield Difference(Area.HOOKS, name, Kind.ADDED, f"`{name}` on {hook.event} added", lines=_all(hook.lines))
    kept = [name for name in old if name in new]
    if kept != [name for name in new if name in old]:
        yield Difference(Area.HOOKS, "", Kind.CHANGED, "they run in another order")


def _nodes(
    old: Mapping[str, NodeOutline], new: Mapping[str, NodeOutline], names: Mapping[str, str]
) -> Iterator[Difference]:
    come = set(names.values())
    for name, node in old.items():
        if name in names:
            text = f"`{name}` is now `{names[name]}`"
            yield Difference(Area.NODES, name, Kind.RENAMED, text, old=name, new=names[name])
        elif name not in new:
            yield Difference(Area.NODES, name, Kind.REMOVED, f"`{name}` removed ({node.kind})")
        elif not same(node, name, new[name], name, names):
            yield _changed(name, node, new[name], names)
        elif node.digest != new[name].digest and node.digest and new[name].digest and not names:
            yield Difference(Area.NODES, name, Kind.CHANGED, f"`{name}` changed; {_SILENT_CHANGE}")
    for name, node in new.items():
        if name not in old and name not in come:
            lines = _all(node.text(lambda target: target))
            yield Difference(Area.NODES, name, Kind.ADDED, f"`{name}` added ({node.kind})", lines=lines)


def _changed(name: str, old: NodeOutline, new: NodeOutline, names: Mapping[str, str]) -> Difference:
    kind = "" if old.kind == new.kind else f": {old.kind} → {new.kind}"
    lines = changed_lines(old.text(lambda target: names.get(target, target)), new.text(lambda target: target))
    return Difference(Area.NODES, name, Kind.CHANGED, f"`{name}` changed{kind}", lines=lines)


def _all(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"+ {line}" for line in lines)

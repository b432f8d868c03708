"""Problems with the values of params: wrong types (GW412), and keys inside mappings (GW702)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from functools import reduce

import yaml

from graphwright import ir
from graphwright.analysis.destination import Misfit, misfits, node_at, surely_misfits
from graphwright.analysis.jsontype import ARRAY, NUMBER, OBJECT, Scalar, Type
from graphwright.analysis.tools import Contract
from graphwright.analysis.type_text import a_value_of, describe
from graphwright.diagnostic import Json, Span
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, given
from graphwright.rules.calls import known_calls, places, point_of, written
from graphwright.rules.misnamed import Misnamed
from graphwright.rules.registry import Finding
from graphwright.rules.wording import listed
from graphwright.suggest import nearest


def other_form(facts: Facts, caller: Caller, name: str, right: str, contract: Contract) -> str | None:
    """The advice for a param whose name is not `right`, and whose value does not fit it either; otherwise None."""
    field, at = contract.params.field(right), places(facts, caller.action)
    if field is None or name not in at:
        return None
    value = (given(caller.action) or {})[name]
    found = list(misfits(value, field.type, point_of(caller), facts.types, at[name][1]))
    if not found or found[0].path:
        return None
    as_list = _as_list(found[0])
    question = f"did you mean `{right}`, which takes {a_value_of(field.type)}?"
    return question if as_list is None else f"{question} {as_list[0].upper()}{as_list[1:]}"


def wrong_types(facts: Facts) -> Iterator[Finding]:
    """GW412: values that no param with the name accepts. Missing and misspelled params are GW702."""
    for caller, callee, name, _, found in _misfits(facts):
        yield from _wrong_types(facts, caller, callee, name, found)


def wrong_inputs(facts: Facts, caller: Caller, graph_id: str, name: str, wanted: Type) -> Iterator[Finding]:
    """GW704: an input that a graph does not accept, or a part of it."""
    found = wrong_parts(facts, caller, name, wanted)
    yield from _wrong_types(facts, caller, f"graph `{graph_id}`", name, found)
    yield from _wrong_keys(facts, caller, f"graph `{graph_id}`", name, wanted, found)


def _wrong_types(facts: Facts, caller: Caller, taker: str, name: str, found: list[Misfit]) -> Iterator[Finding]:
    for misfit in found:
        if misfit.missing is None and misfit.wanted.kinds:
            yield _wrong_type(facts, caller, taker, name, misfit)


def _wrong_type(facts: Facts, caller: Caller, taker: str, name: str, misfit: Misfit) -> Finding:
    found, wanted = misfit.found, misfit.wanted
    inside = [step for step in misfit.path if step != "…"]
    what = "an item of param" if "…" in misfit.path else "param"
    param, takes = f"{caller.owner}: {what} `{'.'.join((name, *inside))}`", a_value_of(wanted)
    message, near = f"{param} is {a_value_of(found)}, but {taker} takes {takes}", None
    if found.values is not None and wanted.values is not None and found.kinds & wanted.kinds:
        is_one, takes = _either(found.values), _either(wanted.values)
        given_one = found.values[0]
        words = [word for word in wanted.values if isinstance(word, str)]
        near = nearest(given_one, words) if isinstance(given_one, str) and len(found.values) == 1 else None
        message = f"{param} is {is_one}, which is not one of the values that {taker} takes"
    return Finding(
        facts.source.span(misfit.at or caller.action.at),
        message,
        note=describe(found),
        help=_as_list(misfit) or f"pass {takes}",
        suggestion=near,
    )


def numbers_wanted(facts: Facts) -> frozenset[Span]:
    """The scalars in params, and in keys inside them, for which the tools expect numbers."""
    found: list[Span] = []
    for caller, _, contract in known_calls(facts):
        waiting = [(contract.params, caller.action.params_at)]
        while waiting:
            wanted, at = waiting.pop()
            for name, (_, value) in written(facts, at).items():
                kind = _field(wanted, name).present
                if kind.kinds and kind.kinds <= NUMBER.kinds:
                    found.append(facts.source.span(value))
                elif kind.known:
                    waiting.append((kind, value))
    return frozenset(found)


def _either(values: Sequence[Scalar]) -> str:
    """Values as JSON in a message: "a" or "b"."""
    shown = [json.dumps(value, ensure_ascii=False) for value in values]
    return " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _as_list(misfit: Misfit) -> str | None:
    """A value in the form in which it is part of a list."""
    if misfit.wanted.present.kinds != ARRAY.kinds or not isinstance(misfit.at, yaml.ScalarNode):
        return None
    if surely_misfits(misfit.found, misfit.wanted.item) is not None:
        return None
    return f"write a list: `[{json.dumps(misfit.at.value, ensure_ascii=False)}]`"


def wrong_keys(facts: Facts) -> Iterator[Finding]:
    """GW702: keys of mappings inside params that the tool does not accept, or that it requires."""
    for caller, callee, name, wanted, found in _misfits(facts):
        yield from _wrong_keys(facts, caller, callee, name, wanted, found)


def _wrong_keys(
    facts: Facts, caller: Caller, taker: str, name: str, wanted: Type, found: list[Misfit]
) -> Iterator[Finding]:
    inside: dict[tuple[str, ...], list[Misfit]] = {}
    for misfit in found:
        if misfit.missing is not None:
            inside.setdefault(misfit.path, []).append(misfit)
        elif not misfit.wanted.kinds:
            inside.setdefault(misfit.path[:-1], []).append(misfit)
    for path, about in inside.items():
        own = reduce(_field, path, wanted).present.field_map
        yield from _keys_of(facts, caller, taker, (name, *path), own, about)


def _keys_of(
    facts: Facts, caller: Caller, taker: str, path: tuple[str, ...], own: Collection[str], about: list[Misfit]
) -> Iterator[Finding]:
    """The problems with the keys of one mapping; a misspelled required key is one problem."""
    where = ".".join(path)
    at = places(facts, caller.action)[path[0]][1]
    mapping = node_at(at, path[1:]) or at
    keys = written(facts, mapping)
    lacking = [misfit.missing for misfit in about if misfit.missing is not None]
    refused = [misfit.path[-1] for misfit in about if misfit.missing is None]
    unknown = refused or [key for key in keys if key not in own]
    absent = [name for name in own if name not in keys]
    names = Misnamed(facts.guesses, unknown, absent, lacking if refused else ())
    for key in unknown:
        near = names.meant.get(key)
        if key in refused or near in lacking:
            yield Finding(
                facts.source.span(keys[key][0] if key in keys else mapping),
                f"{caller.owner}: {taker} has no `{where}.{key}`{names.but(key)}",
                note="no such key",
                about=caller,
                suggestion=near,
                help=f"it takes {listed(own) or 'nothing there'}",
            )
    for name in lacking:
        if name not in names.meant.values():
            yield Finding(
                facts.source.span(mapping),
                f"{caller.owner}: `{where}` lacks `{name}`, which {taker} requires there",
                note="missing key",
                help=f"add `{name}: …`",
            )


def _field(kind: Type, name: str) -> Type:
    """The type of an object's value at a key, or of a list's item."""
    if "array" in kind.kinds and (name == "…" or name.isdecimal()):
        return kind.item
    field = kind.present.field(name)
    return kind.present.others if field is None else field.type


def opened(value: ir.Value, doubt: ir.Doubt) -> ir.Value:
    """A mapping or list whose parts are checked separately, without nulls in mappings, which are not passed.

    A part that is not read as it is written is unknown.
    """
    match value:
        case _ if not doubt.trusts(value):
            return ir.Read(ir.Root.UNKNOWN, (), "?", 0, 0)
        case ir.MapOf(entries):
            pass
        case ir.Const(dict(constants)):
            entries = tuple((key, ir.Const(entry)) for key, entry in constants.items())
        case ir.ListOf(items):
            return ir.ListOf(tuple(opened(item, doubt) for item in items))
        case ir.Const(list(constants)):
            return ir.ListOf(tuple(opened(ir.Const(item), doubt) for item in constants))
        case _:
            return value
    return ir.MapOf(tuple((key, opened(entry, doubt)) for key, entry in entries if entry != ir.Const(None)))


def _misfits(facts: Facts) -> Iterator[tuple[Caller, str, str, Type, list[Misfit]]]:
    """All params that do not fit: the call, what is called, the name, the expected type, and the problem."""
    for caller, callee, contract in known_calls(facts):
        for name in given(caller.action) or {}:
            field = contract.params.field(name)
            wanted = contract.params.others if field is None else field.type
            if wanted.kinds and (found := wrong_parts(facts, caller, name, wanted, contract.accepted)):
                yield caller, callee, name, wanted, found


def wrong_parts(facts: Facts, caller: Caller, name: str, wanted: Type, accepted: Json = None) -> list[Misfit]:
    """The parts of a param that do not fit; none if it is null, because it is not passed then.

    `accepted`: the schema of all params, if values of other types are converted.
    """
    value, at = (given(caller.action) or {}).get(name, ir.Const(None)), places(facts, caller.action)
    if name not in at or value == ir.Const(None):
        return []
    value = opened(value, facts.flow.graph.doubt)
    found = list(misfits(value, wanted, point_of(caller), facts.types, at[name][1]))
    return found if accepted is None else [each for each in found if not _is_converted(each, name, accepted)]


def _is_converted(misfit: Misfit, name: str, document: Json) -> bool:
    """Whether a value of another type than declared may be converted to it."""
    from graphwright.schema.evaluation import violation  # few tools convert values
    from graphwright.schema.state import item_schema, key_schema
    from graphwright.schema.types import from_schema

    if misfit.missing is not None or not misfit.wanted.kinds:
        return False
    schema = key_schema(document, name)
    for step in misfit.path:
        schema = (
            item_schema(schema, document) if step == "…" or step.isdecimal() else key_schema(schema, step, document)
        )
    values = misfit.found.values
    if values is None or misfit.found.kinds & (ARRAY.kinds | OBJECT.kinds):
        return surely_misfits(misfit.found, from_schema(schema)) is None
    return any(violation(value, schema, document) is None for value in values)

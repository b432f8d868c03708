"""Compares what callers pass and read: inputs, output, state."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping

from graphwright.analysis.jsontype import OBJECT, Field, Type
from graphwright.analysis.type_text import describe
from graphwright.compare.difference import Area, Difference, Kind
from graphwright.compare.outline import InputOutline, Outline
from graphwright.compare.schemas import Effect, SchemaChange, schema_changes, together
from graphwright.compare.types import includes
from graphwright.ir import Json
from graphwright.schema.types import from_schema
from graphwright.schema.walk import mapping

# --- inputs ---------------------------------------------------------------------------------------------------------


def inputs(old: Outline, new: Outline) -> Iterator[Difference]:
    """The changes of inputs; breaking if a call can be refused that was accepted before."""
    for name, before in old.inputs.items():
        if name in new.inputs:
            yield from _input(name, before, new.inputs[name], old, new)
        else:
            text = f"`{name}` removed: calls that pass it are refused, or it has no effect"
            yield Difference(Area.INPUTS, name, Kind.REMOVED, text, breaking=True, old=before.schema)
    for name, after in new.inputs.items():
        if name not in old.inputs:
            text = f"`{name}` added: {_accepted(after)}, {_presence(after)}"
            yield Difference(Area.INPUTS, name, Kind.ADDED, text, breaking=after.required, new=after.schema)
    yield from _whole(old, new)


def _whole(old: Outline, new: Outline) -> Iterator[Difference]:
    """The changes of the inputs as a whole."""
    changes = schema_changes(old.inputs_schema, new.inputs_schema, old.inputs_schema, new.inputs_schema)
    for change in changes:
        breaking = Effect.NARROWER in change.effect
        text = f"the inputs as a whole: {change.text}"
        yield Difference(Area.INPUTS, "", _kind(change.effect), text, breaking=breaking, old=change.old, new=change.new)
    if old.closed != new.closed and not changes and old.inputs and new.inputs:
        text = "undeclared inputs are refused now" if new.closed else "undeclared inputs are accepted now"
        kind = Kind.NARROWER if new.closed else Kind.BROADER
        yield Difference(Area.INPUTS, "", kind, text, breaking=new.closed)


def _input(name: str, old: InputOutline, new: InputOutline, before: Outline, after: Outline) -> Iterator[Difference]:
    if old.required != new.required:
        text = f"`{name}` is {'required now' if new.required else f'no longer required: it is {_presence(new)}'}"
        kind = Kind.NARROWER if new.required else Kind.BROADER
        yield Difference(Area.INPUTS, name, kind, text, breaking=new.required)
    if not old.required and not new.required and (old.has_default, old.default) != (new.has_default, new.default):
        text = f"`{name}`: default {_default(old)} → {_default(new)}"
        yield Difference(Area.INPUTS, name, Kind.CHANGED, text, old=old.default, new=new.default)
    changes = schema_changes(old.schema, new.schema, before.inputs_schema, after.inputs_schema)
    effect = together(changes)
    if changes:
        breaking = Effect.NARROWER in effect
        yield Difference(
            Area.INPUTS, name, _kind(effect), f"`{name}`{_how(old, new, changes, effect)}",
            breaking=breaking, old=old.schema, new=new.schema,
        )  # fmt: skip


def _how(old: InputOutline, new: InputOutline, changes: tuple[SchemaChange, ...], effect: Effect) -> str:
    words = {
        Effect.WIDER: " accepts more",
        Effect.NARROWER: " accepts less",
        Effect.UNCLEAR: " accepts other values",
        Effect(0): " fills in other values",
    }[effect]
    before, after = _accepted(old), _accepted(new)
    if before != after and effect:
        return f"{words}: {before} → {after}"
    return f"{words}: {'; '.join(change.text for change in changes)}"


def _kind(effect: Effect) -> Kind:
    return {Effect.WIDER: Kind.BROADER, Effect.NARROWER: Kind.NARROWER}.get(effect, Kind.CHANGED)


def _accepted(each: InputOutline) -> str:
    return type_words(from_schema(each.schema, fills=False))


def _presence(each: InputOutline) -> str:
    if each.required:
        return "required"
    return f"optional with default {_default(each)}" if each.has_default else "optional"


def _default(each: InputOutline) -> str:
    return json.dumps(each.default, ensure_ascii=False) if each.has_default else "none"


# --- output and state -----------------------------------------------------------------------------------------------


def output(old: Outline, new: Outline) -> Iterator[Difference]:
    """The changes of the output; breaking if readers can no longer rely on something."""
    found = list(_output(old, new))
    yield from found
    yield from _declared(Area.OUTPUT, old.output_schema, new.output_schema, {each.name for each in found})


def _output(old: Outline, new: Outline) -> Iterator[Difference]:
    fields = _fields(old.output), _fields(new.output)
    if fields[0] is not None and fields[1] is not None:
        yield from _keys(Area.OUTPUT, fields[0], fields[1], breaking=True)
    elif old.output != new.output:
        breaking = not includes(old.output, new.output, extra_keys=True)
        text = f"its type changed: {type_words(old.output)} → {type_words(new.output)}"
        yield Difference(Area.OUTPUT, "", Kind.CHANGED, text, breaking=breaking)


def state(old: Outline, new: Outline) -> Iterator[Difference]:
    """The changes of state keys and their initial values, none of them breaking, because the state is internal."""
    found = list(_keys(Area.STATE, old.state, new.state, breaking=False))
    yield from found
    yield from _declared(Area.STATE, old.state_schema, new.state_schema, {each.name for each in found})
    for name in dict.fromkeys((*old.initial, *new.initial)):
        before, after = (_initial(each.initial, name) for each in (old, new))
        is_told = (name in old.state) != (name in new.state)  # added or removed
        if before != after and not is_told:
            text = f"`{name}` begins with {after} instead of {before}"
            yield Difference(Area.STATE, name, Kind.CHANGED, text, old=old.initial.get(name), new=new.initial.get(name))


def _declared(area: Area, old: Json, new: Json, told: Collection[str]) -> Iterator[Difference]:
    """The changes of a schema that are not visible in the types, except for `told`. No schema accepts anything."""
    before, after = ({} if schema is None else schema for schema in (old, new))
    names = dict.fromkeys((*mapping(mapping(before).get("properties")), *mapping(mapping(after).get("properties"))))
    for name in ("", *names):
        changes = schema_changes(_part(before, name), _part(after, name), before, after)
        if changes and name not in told:
            what = f"`{name}`" if name else "the whole"
            text = f"{what} is declared in another way: {'; '.join(change.text for change in changes)}"
            effect = together(changes)
            breaking = area is Area.OUTPUT and Effect.WIDER in effect
            yield Difference(area, name, _kind(effect), text, breaking=breaking)


def _part(schema: Json, name: str) -> Json:
    """The schema of a property; without a name, the schema without its properties, whose types are compared."""
    if name:
        return mapping(mapping(schema).get("properties")).get(name, True)
    return {key: value for key, value in mapping(schema).items() if key not in ("properties", "required")}


def _initial(values: Mapping[str, Json], name: str) -> str:
    return json.dumps(values[name], ensure_ascii=False, sort_keys=True) if name in values else "no value"


def _fields(kind: Type) -> Mapping[str, Field] | None:
    """The keys of an output that is always an object; otherwise None."""
    return kind.field_map if kind.kinds == OBJECT.kinds else None


def _keys(area: Area, old: Mapping[str, Field], new: Mapping[str, Field], *, breaking: bool) -> Iterator[Difference]:
    for name, before in old.items():
        after = new.get(name)
        if after is None:
            yield Difference(area, name, Kind.REMOVED, f"`{name}` removed", breaking=breaking)
            continue
        if before.required != after.required:
            text = f"`{name}` is {'always there now' if after.required else 'not always there any more'}"
            kind = Kind.NARROWER if after.required else Kind.BROADER
            yield Difference(area, name, kind, text, breaking=breaking and before.required)
        if before.type != after.type:
            yield _type(area, name, before.type, after.type, breaking=breaking)
    for name, after in new.items():
        if name not in old:
            presence = "" if after.required else ", not always there"
            yield Difference(area, name, Kind.ADDED, f"`{name}` added: {type_words(after.type)}{presence}")


def _type(area: Area, name: str, old: Type, new: Type, *, breaking: bool) -> Difference:
    fits = includes(old, new, extra_keys=True)
    kind = Kind.NARROWER if fits else Kind.BROADER if includes(new, old) else Kind.CHANGED
    before, after = type_words(old), type_words(new)
    text = f"`{name}`: {before} → {after}" if before != after else f"`{name}`: other values inside {before}"
    return Difference(area, name, kind, text, breaking=breaking and not fits)


def type_words(kind: Type) -> str:
    """A type for messages, with its values if there are few: `"fast" or "slow"`, `object with keys id, name`."""
    if kind.values is not None and kind.kinds and not kind.kinds & {"array", "object"}:
        return " or ".join(json.dumps(value, ensure_ascii=False) for value in kind.values)
    words = describe(kind)
    if kind.kinds == OBJECT.kinds and kind.fields:
        return f"object with keys {', '.join(name for name, _ in kind.fields)}"
    return words

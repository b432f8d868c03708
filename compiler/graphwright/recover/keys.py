"""Reads the keys of a mapping: older spellings, synonyms, misspellings, and keys glued to their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from yaml.nodes import ScalarNode

from graphwright.fault import Owner
from graphwright.faults.keys import OlderSpelling, UnknownKey
from graphwright.faults.yaml import AmbiguousScalar, DuplicateKey, NotJson
from graphwright.language.homes import belongs
from graphwright.language.sections import Section
from graphwright.pattern import pattern
from graphwright.recover.glued import split_key
from graphwright.recover.recovery import Recovery
from graphwright.recover.shapes import key_by_value
from graphwright.recover.units import in_unit_of, may_be_other_unit
from graphwright.source import scalars
from graphwright.source.reader import Pair
from graphwright.source.scalars import is_null, scalars_in
from graphwright.source.spelling import ODD_BLANKS, visible
from graphwright.suggest import nearest

#: The types of values that are not written as strings, and their forms.
_PLAIN: Final = ("integer", "number", "boolean")
_FORMS: Final = (
    (scalars.INT, pattern(r"-?[0-9]+\Z")),
    (scalars.FLOAT, pattern(r"-?[0-9]+\.[0-9]+\Z")),
    (scalars.BOOL, pattern(r"(?:true|false)\Z")),
)

#: Entries of a mapping by the modern names of their keys.
Entries: TypeAlias = Mapping[str, Pair]


def entries_of(
    recovery: Recovery,
    pairs: Iterable[Pair],
    section: Section,
    owner: Owner,
    strays: dict[str, Pair] | None = None,
) -> Entries:
    """The entries of a section by their modern names; unknown keys are reported and read as the likeliest known one.

    `strays` receives keys that belong in another mapping.
    """
    found: dict[str, Pair] = {}
    unknown: list[Pair] = []
    for pair in pairs:
        name = pair[0].value
        if name in section.aliases:
            modern = section.aliases[name]
            if section[name].deprecated:
                edit = recovery.source.instead(pair[0], modern)
                recovery.log.add(OlderSpelling(recovery.source.span(pair[0]), owner, name, modern, edit))
            _take(recovery, found, modern, pair)
        elif name in section.table:
            _take(recovery, found, name, pair)
        elif not name.startswith("x-"):
            unknown.append(pair)
    for pair in unknown:
        _unknown(recovery, found, pair, section, owner, strays)
    return found


def _take(recovery: Recovery, found: dict[str, Pair], name: str, pair: Pair) -> None:
    if name not in found:
        found[name] = pair
        return
    first, span = found[name][0], recovery.source.span
    recovery.log.add(DuplicateKey(span(pair[0]), pair[0].value, span(first), first.value))


def _unknown(
    recovery: Recovery,
    found: dict[str, Pair],
    pair: Pair,
    section: Section,
    owner: Owner,
    strays: dict[str, Pair] | None,
) -> None:
    absent = [key for key in section.keys if key not in found]
    if _glued(recovery, found, pair, section, absent, owner):
        return
    name = pair[0].value.strip(ODD_BLANKS)
    home = belongs(name, section)
    synonym = section.synonyms.get(name) or section.synonyms.get(name.lower())
    suggestion = next((one for one in (name, synonym) if one in absent), None)
    if suggestion is None and home is None:
        suggestion = (
            nearest(name, absent)
            or key_by_value(recovery.source, pair[1], absent, recovery.names)
            or nearest(name, found)
        )
    span = recovery.source.span(pair[0])
    number = in_unit_of(suggestion, pair[1], name) if suggestion in absent else None
    if suggestion is not None and number is not None:
        edit = recovery.source.apart(pair[0], pair[1], suggestion, number, plain=True)
        shown, meant = visible(pair[0].value), f"{suggestion}: {number}"
        recovery.log.add(UnknownKey(span, owner, shown, section.phrase, meant, edit=edit))
        recovery.log.retract(recovery.source.span(pair[1]), AmbiguousScalar)  # the number is written anew
        found[suggestion] = (pair[0], ScalarNode(scalars.FLOAT, number, pair[1].start_mark, pair[1].end_mark))
        return
    unclear = suggestion is not None and may_be_other_unit(suggestion, name)
    recovery.log.add(
        UnknownKey(
            span,
            owner,
            visible(pair[0].value),
            section.phrase,
            suggestion,
            section.keys,
            belongs=None if suggestion else home,
            taken=suggestion in found,
            edit=None if suggestion is None or unclear else recovery.source.instead(pair[0], suggestion),
        )
    )
    recovery.log.retract(span, AmbiguousScalar, NotJson)  # the key will be renamed or removed anyway
    if suggestion is not None:
        recovery.renamed[id(pair[1])] = span
        found.setdefault(suggestion, pair)
    elif strays is not None and home is not None:
        strays.setdefault(name, pair)
    else:
        recovery.omitted.extend(pair)
        for scalar in scalars_in(pair[1]):
            recovery.log.retract(recovery.source.span(scalar), AmbiguousScalar)


def _glued(
    recovery: Recovery, found: dict[str, Pair], pair: Pair, section: Section, absent: list[str], owner: Owner
) -> bool:
    """Report a key that is glued to its value, as in `{to done}` or `{to:done}`, and add the intended entry."""
    key = pair[0]
    apart = split_key(key.value) if is_null(pair[1]) else None
    if apart is None or apart[0] not in absent:
        return False
    name, rest = apart
    plain = not key.style and section[name].schema.get("type") in _PLAIN
    tag = _tag(rest) if plain else scalars.STR
    edit = None if plain and tag == scalars.STR else recovery.source.apart(key, pair[1], name, rest, plain=plain)
    span, shown = recovery.source.span(key), visible(key.value)
    recovery.log.add(UnknownKey(span, owner, shown, section.phrase, f"{name}: {rest}", edit=edit))
    value = ScalarNode(tag, rest, key.start_mark, key.end_mark, key.style)
    found[name] = (ScalarNode(scalars.STR, name, key.start_mark, key.end_mark), value)
    return True


def _tag(text: str) -> str:
    """The tag of a plain scalar for a key that takes a number or a flag."""
    return next((tag for tag, form in _FORMS if form.match(text)), scalars.STR)

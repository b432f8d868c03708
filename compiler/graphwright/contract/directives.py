"""Reads the declaration of a directive: its inputs, its outputs, and its permissions.

The declaration is an XML block in a Markdown file. At run time, the runtime's own parser reads it; this one determines
what is certain before a run, and a test compares both.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from graphwright.analysis.jsontype import (
    ANY,
    ARRAY,
    BOOLEAN,
    INTEGER,
    NUMBER,
    OBJECT,
    STRING,
    Field,
    Type,
    object_of,
)
from graphwright.contract.graphs import near_name
from graphwright.pattern import pattern
from graphwright.record import Record

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from graphwright.neighbours import Neighbours

_BLOCK: Final = pattern(r"^```xml[ \t]*\r?\n(\s*<directive\b.*?)^```[ \t]*\r?\n?", re.DOTALL | re.MULTILINE)
_CAPABILITY: Final = pattern(r"rye\.(execute|search|load|sign)(\.[^\s?\[\]]+)?|rye\.\*")

#: Types by their names in directives; any other name accepts anything.
_TYPES: Final = {
    "string": STRING,
    "integer": INTEGER,
    "number": NUMBER,
    "boolean": BOOLEAN,
    "array": ARRAY,
    "object": OBJECT,
}


class Directive(Record):
    """The declaration of a directive, as far as it is certain.

    `inputs` is a closed object, None if nothing is declared. `outputs` likewise; any of them may be missing.
    `permissions` are capability patterns.
    """

    inputs: Type | None = None
    outputs: Type | None = None
    permissions: tuple[str, ...] = ()


#: Returns the declaration of a directive of the project or the user by id; None if it does not exist.
Directives: TypeAlias = Callable[[str], Directive | None]


def read_directive(data: bytes) -> Directive:
    """Read the declaration of a directive; empty if a run would refuse it."""
    try:
        block = _BLOCK.search(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Directive()
    root = None if block is None else _element(block[1])
    if root is None:
        return Directive()
    inputs = _fields(root.findall("inputs/input"), "string")
    outputs = _fields(root.findall("outputs/output"), "")
    if inputs is None or outputs is None:
        return Directive()
    return Directive(
        object_of(inputs),
        object_of({name: Field(field.type, False) for name, field in outputs.items()}) if outputs else None,
        tuple(_permissions(root)),
    )


def _element(xml: str) -> Element | None:
    """The root of a declaration; None if it is not well-formed, or defines entities."""
    from xml.etree.ElementTree import ParseError, fromstring

    if "<!" in xml.replace("<!--", ""):
        return None
    try:
        return fromstring(xml.strip())
    except (ParseError, ValueError):
        return None


def _fields(elements: list[Element], default_type: str) -> dict[str, Field] | None:
    """Declared inputs or outputs by name; None if one has no name or a duplicate name."""
    found: dict[str, Field] = {}
    for element in elements:
        name = element.get("name")
        if not name or name in found:
            return None
        required = element.get("required") == "true" and element.get("default") is None
        found[name] = Field(_TYPES.get(element.get("type", default_type), ANY), required)
    return found


def _permissions(root: Element) -> list[str]:
    """The declared capability patterns, without duplicates and invalid ones."""
    written = ((element.text or "").strip() for element in root.iterfind("metadata/permissions//*"))
    return list(dict.fromkeys(each for each in written if _CAPABILITY.fullmatch(each)))


def near_directive(project: Neighbours, item_id: str) -> str | None:
    """The id of a directive with a similar name in the same folder; None if there is none."""
    folder, _, name = item_id.rpartition("/")
    near = near_name(name, project.directive_names(folder))
    meant_id = f"{folder}/{near}" if folder and near is not None else near
    return None if meant_id is None or project.directive(meant_id) is None else meant_id

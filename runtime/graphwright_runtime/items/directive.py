"""Directives: Markdown files with an XML block that declares inputs and outputs.

    ```xml
    <directive name="review" version="1.0.0">
      <metadata><description>…</description></metadata>
      <inputs><input name="diff" type="string" required="true">What to look at</input></inputs>
      <outputs><output name="verdict" type="string">…</output></outputs>
    </directive>
    ```

The text around the block is for whoever executes the directive; `{input:diff}` in it is replaced by that input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described, is_number, text
from graphwright_runtime.keywords import is_list, is_mapping
from graphwright_runtime.values import Json, NotJsonError, parsed_json

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_BLOCK: Final = re.compile(r"^```xml[ \t]*\r?\n(\s*<directive\b.*?)^```[ \t]*\r?\n?", re.DOTALL | re.MULTILINE)
_CAPABILITY: Final = re.compile(r"rye\.(execute|search|load|sign)(\.[^\s?\[\]]+)?|rye\.\*")
_PLACE: Final = re.compile(r"\{input:([\w-]+)\}")


#: The types of inputs, each with a check of the value and the name for messages.
_TYPES: Final[Mapping[str, tuple[Callable[[Json], bool], str]]] = {
    "string": (lambda value: isinstance(value, str), "a string"),
    "integer": (lambda value: is_number(value) and isinstance(value, int), "an integer"),
    "number": (is_number, "a number"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "array": (is_list, "a list"),
    "object": (is_mapping, "a mapping"),
}


class Field(NamedTuple):
    """A declared input or output; without a declared default, `default` is None."""

    name: str
    type: str
    required: bool
    default: Json
    description: str


class Directive(NamedTuple):
    """The declaration of a directive and its `body`, the text without it. `declared` is false without a declaration.

    `permissions` are capability patterns, `limits` numbers by name.
    """

    declared: bool
    name: str
    version: str
    description: str
    inputs: tuple[Field, ...]
    outputs: tuple[Field, ...]
    body: str
    permissions: tuple[str, ...] = ()
    limits: Mapping[str, Json] = {}


def parse_directive(item_id: str, content: str) -> Directive:
    """Parse the declaration of a directive. Raises NodeError if it is not well-formed."""
    block = _BLOCK.search(content)
    if block is None:
        return Directive(False, item_id.rpartition("/")[2], "", "", (), (), content)
    root = _element(item_id, block[1])
    return Directive(
        True,
        root.get("name", item_id.rpartition("/")[2]),
        root.get("version", ""),
        " ".join((root.findtext("metadata/description") or "").split()),
        tuple(_field(item_id, each) for each in root.iterfind("inputs/input")),
        tuple(_field(item_id, each) for each in root.iterfind("outputs/output")),
        content[: block.start()] + content[block.end() :],
        tuple(dict.fromkeys(_permissions(root))),
        _limits(root),
    )


def accepted(item_id: str, directive: Directive, given: Mapping[str, Json]) -> dict[str, Json]:
    """The given inputs with defaults added. Raises NodeError if an input is missing, unknown or of the wrong type."""
    names = [field.name for field in directive.inputs]
    unknown = [name for name in given if name not in names] if directive.declared else []
    if unknown:
        takes = f"its inputs are {', '.join(names)}" if names else "it has no inputs"
        raise NodeError(f"the directive `{item_id}` has no input `{unknown[0]}`; {takes}", category="permanent")
    inputs = dict(given)
    for field in directive.inputs:
        value = inputs.get(field.name)
        if value is None and field.default is not None:
            value = inputs[field.name] = field.default
        if value is None:
            if field.required:
                raise NodeError(f"the directive `{item_id}` requires the input `{field.name}`", category="permanent")
            continue
        check_type(field, value, f"the input `{field.name}` of the directive `{item_id}`")
    return inputs


def check_type(field: Field, value: Json, name: str) -> None:
    """Raise NodeError if a value does not have the type that an input or output declares."""
    fits, called = _TYPES.get(field.type, (lambda _: True, ""))
    if not fits(value):
        raise NodeError(f"{name} must be {called}, not {described(value)}", category="permanent")


def filled(directive: Directive, inputs: Mapping[str, Json]) -> str:
    """The body with inputs inserted. Declared inputs without a value become empty; other `{input:…}` are unchanged."""
    known = {field.name for field in directive.inputs} | set(inputs)
    return _PLACE.sub(lambda place: text(inputs.get(place[1])) if place[1] in known else place[0], directive.body)


def _element(item_id: str, xml: str) -> Element:
    from xml.etree.ElementTree import ParseError, fromstring

    if "<!" in xml.replace("<!--", ""):  # entities that the document defines can expand without limit
        raise NodeError(f"the directive `{item_id}` must not define a document type or entities", category="permanent")
    try:
        return fromstring(xml.strip())
    except ParseError as error:
        raise NodeError(
            f"the declaration of the directive `{item_id}` is not valid: {error}", category="permanent"
        ) from error


def _permissions(root: Element) -> list[str]:
    """The declared capability patterns; what is written in another way declares nothing."""
    written = ((element.text or "").strip() for element in root.iterfind("metadata/permissions//*"))
    return [each for each in written if _CAPABILITY.fullmatch(each)]


def _limits(root: Element) -> dict[str, Json]:
    """The declared limits: attributes of `<limits>` that are numbers."""
    element = root.find("metadata/limits")
    found: dict[str, Json] = {}
    for name, written in () if element is None else element.items():
        with suppress(NotJsonError):
            value = parsed_json(written)
            if is_number(value):
                found[name] = value
    return found


def _field(item_id: str, element: Element) -> Field:
    name = element.get("name")
    if not name:
        raise NodeError(f"an input or output of the directive `{item_id}` has no name", category="permanent")
    kind, written = element.get("type", "string" if element.tag == "input" else ""), element.get("default")
    default: Json = written
    if written is not None and kind != "string":
        try:
            default = parsed_json(written)
        except NotJsonError:
            default = written
    required = element.get("required", "false") == "true"
    return Field(name, kind, required, default, " ".join("".join(element.itertext()).split()))

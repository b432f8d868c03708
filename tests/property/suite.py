"""The official tests of JSON Schema, draft 2020-12, as the source distribution of the library jsonschema has them.

`make` puts that next to the environment (`.venv/sources`); without it, the tests that need it say so and are skipped.
"""

from __future__ import annotations

import json
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from graphwright.ir import Json

#: Files about what is left to others: what would have to be fetched, `format`, and expressions of other languages.
_FOREIGN = ("format", "ecmascript-regex", "non-bmp-regex", "refRemote", "cross-draft", "vocabulary", "dependencies-")

#: Moving a schema into a property changes what this one says: its `enum` holds a mapping that looks like a reference.
_CHANGED: Final = "naive replacement of $ref with its destination is not correct"


@dataclass(frozen=True, slots=True)
class Group:
    """A schema, and values with the verdict that is expected of each."""

    name: str
    schema: Json
    tests: list[tuple[str, Json, bool]]


def archive() -> Path | None:
    """The source distribution, None where it is not there."""
    return next(iter(sorted(Path(sys.prefix, "sources").glob("jsonschema-*.tar.gz"))), None)


def groups(file: Path) -> Iterator[Group]:
    """Every group of tests but the foreign ones, and one that `one_input` would change."""
    with tarfile.open(file) as source:
        for member in source.getmembers():
            _, found, name = member.name.partition("/json/tests/draft2020-12/")
            content = source.extractfile(member) if found and name.endswith(".json") else None
            if content is None or any(word in name for word in _FOREIGN):
                continue
            for group in json.load(content):
                if group["description"] == _CHANGED:
                    continue
                tests = [(each["description"], each["data"], each["valid"]) for each in group["tests"]]
                yield Group(f"{name}: {group['description']}", group["schema"], tests)


def one_input(schema: Json) -> dict[str, Json]:
    """A schema of inputs whose one input, `value`, is described by `schema`; pointers lead to where they did."""
    if isinstance(schema, dict) and "$id" in schema:  # pointers begin where that stands
        return {"properties": {"value": schema}}
    return {"properties": {"value": _moved(schema)}}


def _moved(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_moved(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    moved = {key: _moved(each) for key, each in schema.items()}
    for keyword in ("$ref", "$dynamicRef"):
        target = schema.get(keyword)
        if isinstance(target, str) and (target == "#" or target.startswith("#/")):
            moved[keyword] = f"#/properties/value{target[1:]}"
    return moved

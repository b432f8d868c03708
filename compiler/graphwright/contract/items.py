"""What `load`, `search`, `sign` and the execution of a directive take and return (runtime.md §2)."""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.analysis.jsontype import (
    ANY,
    INTEGER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Field,
    Type,
    join,
    list_of,
    object_of,
    one_of,
)
from graphwright.analysis.tools import Contract


def _object(**types: Type) -> Type:
    return object_of({name: Field(kind, True) for name, kind in types.items()})


def _params(**types: Type) -> Type:
    """Params of which none is required."""
    return object_of({name: Field(kind, False) for name, kind in types.items()}, others=ANY)


_KIND: Final = one_of(["tool", "directive", "knowledge"])
_SOURCE: Final = one_of(["project", "user", "all"])
_SIGNATURE: Final = _object(status=STRING, key_id=join(STRING, NULL))

#: Contracts by `primary`. Inputs of a directive are compared with its declaration (`rules/directives.py`).
_CONTRACTS: Final = {
    "load": Contract(
        _params(source=_SOURCE),
        _object(item_id=STRING, kind=_KIND, content=STRING, metadata=OBJECT, signature=_SIGNATURE),
    ),
    "search": Contract(
        _params(query=STRING, source=_SOURCE, limit=NUMBER),
        _object(
            results=list_of(_object(item_id=STRING, kind=_KIND, title=STRING, snippet=STRING)),
            total=INTEGER,
        ),
    ),
    "sign": Contract(_params(source=_SOURCE), _object(item_id=STRING, path=STRING, key_id=STRING)),
    "execute": Contract(
        object_of({}, others=ANY),
        _object(
            item_id=STRING,
            kind=_KIND,
            name=STRING,
            version=STRING,
            description=STRING,
            inputs=OBJECT,
            outputs=list_of(_object(name=STRING, type=STRING, description=STRING)),
            content=STRING,
            signature=_SIGNATURE,
        ),
    ),
}

#: The fields of the result of executing a directive, which is only parsed and filled in.
DIRECTIVE_FIELDS: Final = frozenset(_CONTRACTS["execute"].result.field_map)


def item_contract(action: ir.Action) -> Contract | None:
    """The contract of an action on an item that is not a tool that runs; None if it is one, or may be."""
    if action.primary == "execute" and action.kind != "directive":
        return None
    return _CONTRACTS[action.primary]

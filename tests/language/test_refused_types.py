"""The types that a pipe refuses at compile time are those of which it takes no value at run time."""

from __future__ import annotations

import pytest

from graphwright.language.pipes import PIPES
from graphwright_runtime import abi

#: Some values of each type, among them those that a pipe is most likely to take.
VALUES: dict[str, list[object]] = {
    "string": ["", "a b", "12", "[1]", "1.5"],
    "integer": [0, 12, -1],
    "number": [0.0, 1.5, -2.0],
    "boolean": [True, False],
    "array": [[], [1], ["a"]],
    "object": [{}, {"a": 1}],
}


def is_taken(name: str, value: object) -> bool:
    try:
        getattr(abi, PIPES[name].function)(value, *["x"] * PIPES[name].arguments)
    except Exception:  # whatever it raises is a node error
        return False
    return True


@pytest.mark.parametrize("name", PIPES)
def test_refused_types(name: str) -> None:
    refused = {kind for kind, values in VALUES.items() if not any(is_taken(name, value) for value in values)}
    assert frozenset(refused) == PIPES[name].refuses

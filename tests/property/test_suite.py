"""The official tests of JSON Schema through a build: what a check accepts gives the verdict that is expected."""

from __future__ import annotations

import copy

import pytest

from graphwright_runtime.inputs import prepared
from property.batches import around, built, module, pyright_complaints
from property.suite import archive, groups, one_input

FILE = archive()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        FILE is None, reason="the source distribution of jsonschema is not in .venv/sources: see Makefile"
    ),
]

#: References out of the file are refused, defaults have to fit their schemas, and `1e-8` is text to YAML 1.1.
REFUSED = 25


def test_the_official_suite(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert FILE is not None
    named = {f"group_{number}": group for number, group in enumerate(groups(FILE))}
    folder = tmp_path_factory.mktemp("suite")
    accepted = built(folder, {name: around(one_input(group.schema)) for name, group in named.items()})
    refused = [named[name].name for name in named if name not in accepted]
    assert len(refused) <= REFUSED, refused
    wrong: list[str] = []
    for name in accepted:
        with module(folder, name) as made:
            for description, value, valid in named[name].tests:
                problems = prepared(made.GRAPH, {"value": copy.deepcopy(value)})[1]
                if (not problems) != valid:
                    wrong.append(f"{named[name].name}: {description}: {problems}")
    assert wrong == []
    assert pyright_complaints(folder) == []

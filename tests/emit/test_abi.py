"""The boundary: what the compiler takes for importable is what the runtime exports."""

from __future__ import annotations

import importlib

import graphwright_runtime.abi
from graphwright.emit.abi import ABI, IMPORTABLE, RUNTIME, STANDARD


def test_the_runtime_exports_all_that_modules_import() -> None:
    assert set(IMPORTABLE[RUNTIME]) <= set(graphwright_runtime.abi.__all__)
    assert graphwright_runtime.abi.ABI == ABI


def test_the_rest_is_the_standard_library() -> None:
    for module, names in STANDARD.items():
        assert set(names) <= set(dir(importlib.import_module(module)))


def test_the_lists_are_sorted() -> None:
    for names in STANDARD.values():
        assert list(names) == sorted(names, key=lambda name: (not name.isupper(), name))

"""What type checkers must refuse: each line that is wrong says so."""

from __future__ import annotations

from modules import loops, names, routing

routing.run_sync({"tema": "x"})  # wrong: misspelled
routing.run_sync({})  # wrong: missing
routing.run_sync({"team": 3})  # wrong: of another type
routing.run_sync({"team": "x", "limit": "3"})  # wrong: of another type, optional
routing.run_sync({"team": "x"}, capabilites=["a"])  # wrong: no such argument
loops.run_sync({"accounts": [{"id": "1", "kind": "c"}]})  # wrong: not one of the choices
names.run_sync({"class": "x", "a b": 1, "nested": {"deep": {}}})  # wrong: missing further in

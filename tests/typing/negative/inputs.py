"""What type checkers must refuse: each line that is wrong says so."""

from __future__ import annotations

from modules import loops, names, routing

from graphwright_runtime.testing import record, run_scripted

# wrong [typeddict-item typeddict-unknown-key | reportArgumentType]: misspelled
routing.run_sync({"tema": "x"})
# wrong [typeddict-item | reportArgumentType]: missing
routing.run_sync({})
# wrong [typeddict-item | reportArgumentType]: of another type
routing.run_sync({"team": 3})
# wrong [typeddict-item | reportArgumentType]: of another type, optional
routing.run_sync({"team": "x", "limit": "3"})
# wrong [call-arg | reportCallIssue]: no such argument
routing.run_sync({"team": "x"}, capabilites=["a"])
# wrong [typeddict-item | reportArgumentType]: not one of the choices
loops.run_sync({"accounts": [{"id": "1", "kind": "c"}]})
# wrong [typeddict-item | reportArgumentType]: missing further in
names.run_sync({"class": "x", "a b": 1, "nested": {"deep": {}}})
# wrong [arg-type | reportArgumentType]: misspelled, in a test
run_scripted(routing.GRAPH, {"tema": "x"}, {})
# wrong [arg-type | reportArgumentType]: of another type, in a test
run_scripted(routing.GRAPH, {"team": 3}, {})
# wrong [arg-type | reportArgumentType]: missing, in a recording
record(routing.GRAPH, {}, "recording.json")

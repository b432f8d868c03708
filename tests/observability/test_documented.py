"""docs/observability.md matches the code."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import get_args, get_type_hints

import pytest

from graphwright_runtime import events, payloads
from graphwright_runtime.events import EventType
from runtime.small import graph, ran

DOCS = (Path(__file__).parents[2] / "docs/observability.md").read_text("utf-8")


def rows() -> Iterator[tuple[str, str]]:
    """Each type of event with the text on its payload."""
    for line in DOCS.splitlines():
        cells = line.strip("| ").split(" | ")
        for name in re.findall(r"`(\w+)`", cells[0]):
            if name in get_args(EventType) and len(cells) == 2:
                yield name, cells[1]


def test_every_event_is_in_the_table_once() -> None:
    assert sorted(name for name, _ in rows()) == sorted(get_args(EventType))


@pytest.mark.parametrize(("name", "text"), [*rows()])
def test_the_table_has_every_key_of_a_payload(name: str, text: str) -> None:
    kinds = vars(events).values()
    [kind] = [each for each in kinds if isinstance(each, type) and vars(each).get("event_type") == name]
    payload = getattr(payloads, kind.__annotations__["payload"])
    documented = set(re.findall(r"`(\w+)`", text))
    assert set(get_type_hints(payload)) <= documented


def snippet(heading: str) -> str:
    """The first Python code below a heading."""
    found = re.search(rf"^#+ {heading}\n.*?```python\n(.*?)```", DOCS, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.fixture
def invoices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module `generated.billing.invoices`."""
    names = ("generated", "generated.billing", "generated.billing.invoices")
    made = [ModuleType(name) for name in names]
    record = graph(nodes={"done": graph().nodes["done"]}, start="done")
    made[2].__dict__["GRAPH"] = record
    made[1].__dict__["invoices"] = made[2]
    for name, module in zip(names, made, strict=True):
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.usefixtures("invoices")
def test_the_example_of_events_runs(capsys: pytest.CaptureFixture[str]) -> None:
    lines = snippet("Events").splitlines()
    body = "\n".join(f"    {line}" for line in lines)
    exec(f"import asyncio\nasync def main():\n{body}\nasyncio.run(main())", {})
    step, end = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"done [\d.]+", step)
    assert end == "completed"


def test_the_example_of_logging_names_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before, handlers = root.level, root.handlers[:]
    root.handlers.clear()
    try:
        exec(snippet("Logging"), {})
        ran(graph(), {"svc/work": [{}]}, run_id="r")
    finally:
        root.setLevel(before)
        root.handlers[:] = handlers
    assert "INFO r None r: started tests/small" in capsys.readouterr().err

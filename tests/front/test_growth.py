"""Check does near-linear work in everything that a hostile file can have much of."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from types import FrameType

import pytest

from checking import check_text
from graphwright.building.compile import compile_source
from growing import GROWING
from running import loaded

SMALL, TIMES = 150, 4


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, Python's own included: a measure of work that no other process disturbs."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("shape", GROWING.values(), ids=GROWING)
def test_four_times_as_much_takes_little_more_than_four_times_as_long(shape: Callable[[int], str]) -> None:
    check_text(shape(10))
    small = calls(lambda: check_text(shape(SMALL)))
    large = calls(lambda: check_text(shape(SMALL * TIMES)))
    assert large < small * TIMES * 2


def test_the_searches_of_all_defaults_have_their_time_together() -> None:
    texts = ", ".join([f"'{'a' * 4_000}b'"] * 100)
    schema = f"{{type: array, items: {{type: string, pattern: 'a+$'}}, default: [{texts}]}}"
    head = "tool_type: graph\npermissions: []\nconfig_schema: {type: object, properties: {x: "
    began = time.process_time()
    found = check_text(f"{head}{schema}}}}}\nconfig: {{start: a, nodes: {{a: {{type: return, output: 1}}}}}}\n")
    assert "GW112" in [each.code for each in found]
    assert time.process_time() - began < 3


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("schema", ["config_schema", "state_schema", "output_schema"])
def test_references_that_double_at_every_step_are_refused(word: str, schema: str) -> None:
    """Sixty of them would ask for 2^60 checks of one value, at check and at run time."""
    steps = "".join(
        f"    d{at}: {{{word}: [{{$ref: '#/$defs/d{at + 1}'}}, {{$ref: '#/$defs/d{at + 1}'}}]}}\n" for at in range(60)
    )
    properties = "  properties: {x: {$ref: '#/$defs/d0', default: {}}}\n  $defs:\n"
    head = (
        f"tool_type: graph\npermissions: []\n{schema}:\n  type: object\n{properties}{steps}    d60: {{type: object}}\n"
    )
    began = time.process_time()
    found = check_text(f"{head}config: {{start: a, nodes: {{a: {{type: return}}}}}}\n")
    assert [each.message for each in found if each.code == "GW105" and "checks of one value" in each.message]
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("step", "most", "value"),
    [("{}", 140, "1"), ("{{items: {}}}", 70, "[[[]]]"), ("{{properties: {{a: {}}}}}", 70, "{}")],
)
def test_chains_of_references_are_built_or_refused(step: str, most: int, value: str) -> None:
    """A chain that check accepts is never too deep for a build or a run."""

    def graph(count: int) -> str:
        references = [f"{{$ref: '#/$defs/d{at + 1}'}}" for at in range(count)]
        chain = "".join(f"    d{at}: {step.format(reference)}\n" for at, reference in enumerate(references))
        properties = f"  properties: {{x: {{$ref: '#/$defs/d0', default: {value}}}}}\n  $defs:\n"
        schema = f"config_schema:\n  type: object\n{properties}{chain}    d{count}: true\n"
        top = "tool_type: graph\npermissions: []\n"
        return f"{top}{schema}config: {{start: a, nodes: {{a: {{type: return, output: '${{inputs.x}}'}}}}}}\n"

    built = compile_source(graph(most), graph_id="g", path="g.yaml")
    assert built.text is not None, built.diagnostics
    with loaded(built.text) as module:
        assert asyncio.run(module.run({})).success
    refused = check_text(graph(2_000))
    assert [each.message for each in refused if each.code == "GW105" and "in more than 150 steps" in each.message]

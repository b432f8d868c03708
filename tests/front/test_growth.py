"""Check does near-linear work in everything that a hostile file can have much of."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType

import pytest

from checking import check_text
from growing import GROWING

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

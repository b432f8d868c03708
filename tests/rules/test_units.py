"""Times in another unit than that of their key, and keys that are glued to numbers: the fix is what was meant."""

from __future__ import annotations

import pytest

from checking import check_text, loud
from graphwright.checking.fix import apply_fixes

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.list]
config:
  start: fetch
  nodes:
    fetch:
      action: {item_id: tool:tickets/list}
      timeout_s: 30  # enough
      retry: {attempts: 3, backoff_ms: 500}
      next: done
    done: {type: return}
"""


@pytest.mark.parametrize(
    ("meant", "written"),
    [
        ("timeout_s: 30", "timeout_ms: 30000"),
        ("timeout_s: 30", "timeout: 30s"),
        ("timeout_s: 30", 'timeout: "30 seconds"'),
        ("timeout_s: 1.5", "timeout_ms: 1500"),
        ("timeout_s: 120", "timeout: 2m"),
        ("timeout_s: 3", "timeoutMs: 3000"),
        ("timeout_s: 3", "timeout-ms: 3000"),
        ("timeout_s: 3", "timeoutms: 3000"),
        ("timeout_s: 3", "timeot_ms: 3000"),
        ("timeout_s: 1.5", "timeout_ms: 1_500"),
        ("timeout_s: 9999999.999", "timeout_ms: 9999999999"),
        ("timeout_s: 0.0000004", "timeout_ms: 0.0004"),
        ("backoff_ms: 500", "backoff_s: 0.5"),
        ("backoff_ms: 2000", "backoff: 2s"),
        ("attempts: 3, backoff_ms: 500", "attempts:3, backoff_ms: 500"),
    ],
)
def test_the_fix_is_the_number_in_the_unit_of_the_key(meant: str, written: str) -> None:
    key = meant.partition(":")[0]
    right = next(each for each in ("timeout_s: 30", "attempts: 3, backoff_ms: 500", "backoff_ms: 500") if key in each)
    text = GRAPH.replace(right if key != "backoff_ms" else "backoff_ms: 500", written)
    assert text != GRAPH
    [found] = check_text(text)
    assert (found.code, found.help) == ("GW101", f"did you mean `{meant.partition(',')[0]}`?")
    assert found.fix is not None
    fixed = apply_fixes(text, [found.fix]).text
    assert meant in fixed
    assert "# enough" in fixed
    assert loud(check_text(fixed)) == []


@pytest.mark.parametrize(
    ("right", "written", "help_"),
    [
        ("timeout_s: 30", "timeout_s: 30s", "write the number alone: `timeout_s: 30`"),
        ("timeout_s: 30", "timeout_s: 1500ms", "write the number alone: `timeout_s: 1.5`"),
        ("timeout_s: 30", "timeout_s: 00ms", "write a number of seconds, `timeout_s: 60`"),
        ("timeout_s: 30", "timeout_s: soon", "write a number of seconds, `timeout_s: 60`"),
        ("backoff_ms: 500", "backoff_ms: 2s", "write the number alone: `backoff_ms: 2000`"),
    ],
)
def test_a_value_with_a_unit(right: str, written: str, help_: str) -> None:
    [found] = check_text(GRAPH.replace(right, written))
    assert (found.code, found.help) == ("GW102", help_)


def test_a_number_without_any_unit_is_not_converted() -> None:
    [found] = check_text(GRAPH.replace("backoff_ms: 500", "backoff: 2"))
    assert (found.code, found.help) == ("GW101", "did you mean `backoff_ms`?")
    assert found.fix is None, "2 may be seconds"


@pytest.mark.parametrize("written", ["day: 1", "us: 300", "ms: 0", "ms: -5", "ms: 1.0e+3", 'ms: "${state.t}"'])
def test_a_number_in_another_unit_is_never_kept(written: str) -> None:
    found = check_text(GRAPH.replace("timeout_s: 30", f"timeout_{written}"))
    assert found[0].code == "GW101"
    assert str(found[0].help).startswith("did you mean `timeout_s`?")
    assert [each.fix for each in found] == [None] * len(found)


@pytest.mark.parametrize("written", ["initial_backoff_ms", "min_backoff_ms", "base_backoff_ms"])
def test_another_word_for_the_first_wait(written: str) -> None:
    [found] = check_text(GRAPH.replace("backoff_ms: 500", f"{written}: 500"))
    assert found.help == "did you mean `backoff_ms`?"
    assert found.fix is not None


def test_what_is_glued_to_a_key_for_a_number_stays_a_number_or_is_not_fixed() -> None:
    text, string = GRAPH.replace("attempts: 3", "attempts:-1"), GRAPH.replace("attempts: 3", "attempts:'3'")
    glued, _ = check_text(text)
    assert glued.fix is not None
    assert apply_fixes(text, [glued.fix]).text == GRAPH.replace("attempts: 3", "attempts: -1")
    assert {each.fix for each in check_text(string)} == {None}

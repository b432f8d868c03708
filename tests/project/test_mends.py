"""Every fix of every rule: it removes its own finding, leaves nothing to fix, and does not change the graph."""

from __future__ import annotations

import pytest

from graphwright.checking.fix import mend
from graphwright.checking.inspection import inspect
from graphwright.facts import Facts
from graphwright.ir.printer import graph_digest
from graphwright.source.reader import read_text
from rules.documented import examples

#: What these fix is that the graph does something else than it says.
CHANGING = {"GW415"}

OLD = """\
tool_type: state_graph
permissions: [ryeos.execute.tool.shop.list]
config:
  start: list
  max_step: 5
  nodes:
    list:
      cache: true
      action: {item_id: "tool:shop/list", params: {at: 2026-01-31, on: yes}}
      assign: {n: "${result.n}"}
      next:
        - {to: list, when: {path: state.n, operator: neq, value: 1}}
        - to: doen
    done: {type: retrun}
"""


TEXTS = [*examples("Fails", "Passes"), ("many", OLD)]
MENDABLE = [(code, text) for code, text in TEXTS if any(each.fix for each in inspect(Facts(read_text(text))).findings)]


@pytest.mark.parametrize(("code", "text"), MENDABLE, ids=[code for code, _ in MENDABLE])
def test_a_mend_mends(code: str, text: str) -> None:
    before = Facts(read_text(text))
    found = [each for each in inspect(before).findings if each.fix]
    mended = text
    for _ in range(10):
        fixes = [each.fix for each in inspect(Facts(read_text(mended))).findings if each.fix]
        if not fixes:
            break
        mended = mend(mended, fixes).text
    after = Facts(read_text(mended))
    left = {each.code for each in inspect(after).findings}
    assert not [each for each in inspect(after).findings if each.fix]
    assert not {each.code for each in found} & left
    assert before.graph is not None
    assert after.graph is not None
    if not {each.code for each in found} & CHANGING:
        assert graph_digest(after.graph) == graph_digest(before.graph)


def test_there_is_something_to_mend() -> None:
    assert {"GW101", "GW106", "GW111", "many"} <= {code for code, _ in MENDABLE}


def test_a_version_gets_quotes_and_an_input_stays_what_it_is() -> None:
    text = (
        "tool_type: graph\nversion: 1.10\npermissions: []\n"
        "config_schema: {type: object, properties: {land: {type: string, enum: [SE, NO]}}, required: [land]}\n"
        'config: {start: done, nodes: {done: {type: return, output: "${inputs.land}"}}}\n'
    )
    found = [each for each in inspect(Facts(read_text(text))).findings if each.code == "GW004"]
    assert [each.help for each in found] == ['put it in quotes: "1.10"', 'put it in quotes: "NO"']
    assert mend(text, [each.fix for each in found if each.fix]).text == text.replace("1.10", '"1.10"')

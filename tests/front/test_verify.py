"""Each invariant of the IR is noticed when it is broken."""

from __future__ import annotations

import pytest

from front.reading import graph, lowered
from graphwright import ir
from graphwright.ir.verify import BrokenGraphError, verify
from graphwright.record import replace

SOURCE = graph(
    '    work: {action: {item_id: a, params: {x: "${inputs.n}"}}, assign: {n: "${result.n}"},'
    " next: [{to: loop, when: {path: result.n, value: 1}}, {to: done}], on_error: done}\n"
    '    loop: {type: foreach, over: [1], action: {item_id: a, params: {x: "${item}"}},'
    ' assign: {n: "${result.n}"}, next: done}\n'
    "    done: {type: return}\n",
    config="  hooks: [{event: error, condition: {path: node, value: work}, action: {item_id: a}}]\n",
)
GOOD = lowered(SOURCE)
WORK, LOOP = GOOD.nodes["work"], GOOD.nodes["loop"]
assert isinstance(WORK, ir.ActionNode)
assert isinstance(LOOP, ir.ForeachNode)
assert WORK.action is not None
assert WORK.on_error is not None
ACTION = WORK.action
UNKNOWN = ir.Read(ir.Root.UNKNOWN, (), "?", 0, 1)
RESULT = ir.Read(ir.Root.RESULT, (), "result", 0, 6)
ITEM = ir.Read(ir.Root.ITEM, (), "item", 0, 4)
EVENT = ir.Read(ir.Root.EVENT, ("nothing",), "nothing", 0, 7)
RUN = ir.Read(ir.Root.RUN, ("nothing",), "_run.nothing", 0, 12)


def assigning(node: ir.RoutedNode, value: ir.Value) -> ir.Node:
    return replace(node, assigns=(replace(node.assigns[0], value=value),))


def routing(node: ir.RoutedNode, **changes: object) -> ir.Node:
    first = node.edges[0]
    assert isinstance(first.when, ir.Compare)
    return replace(node, edges=(replace(first, when=replace(first.when, **changes)), *node.edges[1:]))


def test_a_good_graph_passes() -> None:
    verify(GOOD)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (replace(WORK, action=None), "lacks an action"),
        (replace(WORK, edges=(replace(WORK.edges[0], target="nowhere"),)), "'nowhere', which is not a node"),
        (replace(WORK, edges=(WORK.edges[1], WORK.edges[0])), "after an unconditional one"),
        (replace(WORK, on_error=replace(WORK.on_error, target=None)), "on_error of 'work'"),
        (replace(WORK, retry=ir.Retry(attempts=11)), "retries 11 times"),
        (replace(WORK, action=replace(ACTION, kind="thing")), "no action execute thing"),
        (replace(WORK, action=replace(ACTION, capability=None)), "a static id has a capability"),
        (replace(WORK, action=replace(ACTION, params=UNKNOWN)), "params is not a mapping"),
        (replace(WORK, action=replace(ACTION, item_id=RESULT, capability=None)), "reads result"),
        (assigning(WORK, UNKNOWN), "reads ?"),
        (assigning(WORK, ITEM), "reads item"),
        (assigning(WORK, RUN), "not a field of a run"),
        (assigning(WORK, ir.Pipe("json", RESULT, (ir.Const(1),), 0, 0)), "no pipe json with 1 arguments"),
        (assigning(WORK, ir.Arithmetic(RESULT, (ir.Operation("^", RESULT, 0, 0),))), "no operation '^'"),
        (assigning(WORK, ir.Arithmetic(RESULT, ())), "a chain has no operations"),
        (assigning(WORK, ir.Text(("a",))), "is a constant"),
        (assigning(WORK, ir.FirstOf((ir.ListOf((UNKNOWN,)), RESULT))), "reads ?"),
        (routing(WORK, op="neq"), "no operator 'neq'"),
        (routing(WORK, left=UNKNOWN), "reads ?"),
        (replace(LOOP, parallel=True), "assigns"),
        (replace(LOOP, name="other"), "has the key"),
    ],
)
def test_broken_nodes(node: ir.Node, message: str) -> None:
    key = "loop" if isinstance(node, ir.ForeachNode) else node.name
    with pytest.raises(BrokenGraphError) as caught:
        verify(replace(GOOD, body=replace(GOOD.body, nodes={**GOOD.nodes, key: node})))
    assert message in caught.value.message
    assert caught.value.at is not None


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (replace(GOOD, body=replace(GOOD.body, start=None)), "start is None"),
        (replace(GOOD, settings=ir.Settings(max_steps=0)), "below 1"),
        (replace(GOOD, hooks=(replace(GOOD.hooks[0], event="never"),)), "no event"),
        (
            replace(
                GOOD,
                hooks=(
                    replace(GOOD.hooks[0], action=replace(ACTION, params=ir.Const({}), item_id=EVENT, capability=None)),
                ),
            ),
            "not a field of the event",
        ),
    ],
)
def test_broken_graphs(broken: ir.Graph, message: str) -> None:
    with pytest.raises(BrokenGraphError) as caught:
        verify(broken)
    assert message in caught.value.message

"""The walks over the IR find everything that a graph holds, and once."""

from __future__ import annotations

from front.reading import graph, lowered
from graphwright import ir
from graphwright.ir import visit
from graphwright.ir.visit import Role

GRAPH = lowered(
    graph(
        '    work: {action: {item_id: "${state.id}", params: {x: ["${inputs.n + state.m}", 1]}}, '
        ' assign: {n: "${result.n}"}, next: [{to: loop, when: {any: [{path: result.n, value: "${state.k}"},'
        " {not: {path: state.n, op: exists}}]}},"
        " {to: done}], on_error: done}\n"
        '    loop: {type: foreach, over: "${state.rows}", collect: all, action: {item_id: a},'
        " assign: {n: 1}, next: gate}\n"
        "    gate: {type: gate, assign: {id: b}, next: done}\n"
        '    done: {type: return, output: {n: "${state.n || inputs.n}"}}\n',
        config='  hooks: [{event: error, action: {item_id: "${state.id}"}, id: tell},'
        " {event: error, action: {fail: true}}]\n",
    )
)


def written(value: ir.Value) -> list[str]:
    return [read.written for read in visit.reads(value)]


def test_operands_are_what_a_node_begins_with() -> None:
    found = {
        name: [(role, written(value)) for role, value, _ in visit.operands(node)] for name, node in GRAPH.nodes.items()
    }
    assert found == {
        "work": [(Role.ITEM_ID, ["state.id"]), (Role.PARAMS, ["inputs.n", "state.m"])],
        "loop": [(Role.OVER, ["state.rows"]), (Role.ITEM_ID, []), (Role.PARAMS, [])],
        "gate": [],
        "done": [(Role.OUTPUT, ["state.n", "inputs.n"])],
    }


def test_keys_set() -> None:
    found = {name: [key for key, _ in visit.keys_set(node)] for name, node in GRAPH.nodes.items()}
    assert found == {"work": ["n"], "loop": ["n", "all"], "gate": ["id"], "done": []}


def test_actions_with_their_owners() -> None:
    assert [caller.owner for caller in visit.callers(GRAPH)] == ["node `work`", "node `loop`", "hook `tell`"]
    assert [node.name for node in visit.calling_nodes(GRAPH)] == ["work", "loop"]
    assert [node.name for node in visit.nodes(GRAPH.body)] == list(GRAPH.nodes)


def test_paths_know_the_scalar_that_they_stand_in() -> None:
    """Cutting a path out of its scalar by its offsets gives what is written there."""
    for node in visit.nodes(GRAPH.body):
        values = [value for _, value, _ in visit.operands(node)] + [entry.value for entry in node.assigns]
        reads = [each for value in values for each in visit.placed_reads(value)]
        reads += [each for condition in visit.conditions(node) for each in visit.condition_reads(condition)]
        assert node.name == "gate" or reads
        for read, at in reads:
            assert at.value[read.start : read.end] == read.written


def test_conditions_and_the_output() -> None:
    work, done = GRAPH.nodes["work"], GRAPH.nodes["done"]
    assert [compare.op for compare in visit.node_comparisons(work)] == ["eq", "exists"]
    assert visit.output(work) is None
    assert isinstance(visit.output(done), ir.MapOf)

"""What mypy takes for a module of 1,000 nodes and 2,000 keys, with nothing cached: at most 10 s, and linear.

The floor is the module of a graph with one node: mypy's start, and its view of the standard library and the runtime.
Times are processor time, and the modules take turns, so that a busy machine changes them little.
"""

from __future__ import annotations

import resource
import statistics
from pathlib import PurePosixPath

from graphwright.building.compile import compile_source
from graphwright.emit.typecheck import type_errors

GOAL_S, GROWTH_GOAL = 10.0, 2.2
SIZES = (1, 500, 1_000)
ROUNDS = 3

_HEAD = """\
tool_type: graph
permissions: [rye.execute.tool.bench.step]
config:
  start: n0
  max_steps: 10000
  nodes:
"""
_FIRST = """\
    n0:
      action: {item_id: tool:bench/step}
      assign: {count_0: "${result.count}", note_0: "${result.note}"}
      next: n1
"""
_NODE = """\
    n{at}:
      action:
        item_id: tool:bench/step
        params: {{count: "${{state.count_{before} + 1}}", note: "after ${{state.note_{before}}}"}}
      assign: {{count_{at}: "${{result.count || 0}}", note_{at}: "${{result.note || ''}}"}}
      next:
        - {{to: n{after}, when: {{path: state.count_{at}, op: gt, value: {at}}}}}
        - {{to: n{after}}}
"""


def module_text(nodes: int) -> str:
    """The module of a graph with this many action nodes, each of which sets two keys of its own."""
    body = "".join(_NODE.format(at=at, before=at - 1, after=at + 1) for at in range(1, nodes))
    compiled = compile_source(f"{_HEAD}{_FIRST}{body}    n{nodes}: {{type: return}}\n", graph_id="bench")
    if compiled.text is None:
        raise SystemExit(f"the graph does not compile: {compiled.diagnostics[0].message}")
    return compiled.text


def processor_time(text: str) -> float:
    """Seconds that mypy takes for one module."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    errors = type_errors({PurePosixPath("bench.py"): text}, package="generated", cache=None)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if errors:
        raise SystemExit(f"mypy does not accept the module: {errors[0].text}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the times and ratios."""
    texts = {nodes: module_text(nodes) for nodes in SIZES}
    taken: dict[int, list[float]] = {nodes: [] for nodes in SIZES}
    for _ in range(ROUNDS):
        for nodes, text in texts.items():
            taken[nodes].append(processor_time(text))
    floor, half, whole = (statistics.median(taken[nodes]) for nodes in SIZES)
    own, growth = whole - floor, (whole - floor) / (half - floor)
    print(f"mypy --strict, 1,000 nodes, 2,000 keys {whole:7.2f} s  (goal {GOAL_S:.0f} s)")
    print(f"  beside a module of one node          {floor:7.2f} s  {whole / floor:5.2f} x")
    print(f"  above it, beside 500 nodes           {own:7.2f} s  {growth:5.2f} x  (goal {GROWTH_GOAL} x)")


if __name__ == "__main__":
    main()

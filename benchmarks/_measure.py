"""Common parts of the command line's benchmarks: graphs of any size, and processes that measure their own time."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

# measured programs run from bytecode, as for users, even if the benchmark itself must not write any
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

#: The floors of the specification, in a folder next to this repository.
FLOORS = Path(__file__).parents[2] / "shared" / "bench"

#: Prints the time of PyYAML's C composer for a file; the arguments are the folder of the floors and the file.
COMPOSE = """
import sys
sys.path.insert(0, sys.argv[1])
from floors import compose_floor
print(compose_floor(sys.argv[2]))
"""

_HEAD = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.bench.inc]
config_schema: {type: object, properties: {limit: {type: integer}}, required: [limit]}
config:
  start: n0
  max_steps: 1000000
  state: {n: 0}
  nodes:
"""
_NODE = """\
    n{at}:
      action:
        item_id: tool:bench/inc
        params: {{n: "${{state.n}}", label: "step {at} of ${{inputs.limit}}"}}
      assign:
        n: "${{result.n || 0}}"
      next:
        - {{to: n{skip}, when: {{path: inputs.limit, op: lt, value: {at}}}}}
        - to: n{after}
"""


def graph(nodes: int) -> str:
    """A graph without mistakes, with this number of nodes."""
    last = nodes - 1
    body = "".join(_NODE.format(at=at, after=at + 1, skip=min(at + 2, last)) for at in range(last))
    return f'{_HEAD}{body}    n{last}: {{type: return, output: {{n: "${{state.n}}"}}}}\n'


def seconds(code: str, *arguments: object, cwd: Path | None = None) -> float:
    """Run `code`, which prints a number of seconds, in a new process, and return that number."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)
    return float(done.stdout)


def turns(programs: dict[str, tuple[object, ...]], rounds: int) -> dict[str, float]:
    """The median of the number that each program prints, in seconds; they alternate, so that noise affects all of them.

    A program is its code and its arguments.
    """
    taken: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, (code, *arguments) in programs.items():
            taken[name].append(seconds(str(code), *arguments))
    return {name: statistics.median(values) for name, values in taken.items()}


def peak(code: str, *arguments: object) -> float:
    """The peak memory of a new process that runs `code`, in megabytes."""
    said = "import atexit, resource; atexit.register(lambda: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))"
    command = [sys.executable, "-c", f"{said}\n{code}", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) / 1024


class Goals(NamedTuple):
    """Maximum ratios: of the times for 10,000 and 1,000 nodes, and of time and memory compared with the floor."""

    growth: float
    floor: float
    memory: float


def beside_the_floor(label: str, code: str, folder: Path, *arguments: object, goals: Goals, rounds: int = 5) -> None:
    """Print the time and memory of `code` for 10,000 nodes, compared with 1,000 nodes and with the floor.

    Its arguments are a small graph for warming up, the graph, and `arguments`; it prints the seconds.
    """
    for nodes in (5, 1_000, 10_000):
        (folder / f"g{nodes}.yaml").write_text(graph(nodes), "utf-8")
    small, middle, big = (folder / f"g{nodes}.yaml" for nodes in (5, 1_000, 10_000))
    programs: dict[str, tuple[object, ...]] = {
        "all": (code, small, big, *arguments),
        "less": (code, small, middle, *arguments),
    }
    if FLOORS.is_dir():
        programs["floor"] = (COMPOSE, FLOORS, big)
    times = turns(programs, rounds)
    taken, less = times["all"], times["less"]
    print(f"{f'{label}, 10,000 nodes':<36} {taken:7.2f} s")
    print(f"  beside 1,000 nodes                 {less:7.2f} s  {taken / less:5.2f} x  (goal {goals.growth} x)")
    if "floor" in times:
        floor = times["floor"]
        print(f"  beside the compose floor           {floor:7.2f} s  {taken / floor:5.2f} x  (goal {goals.floor} x)")
        least, most = peak(COMPOSE, FLOORS, big), peak(code, small, big, *arguments)
        print(f"  peak of memory                     {most:7.0f} MB {most / least:5.2f} x  (goal {goals.memory} x)")


def many(folder: Path) -> Path:
    """Create a thousand graphs of 20 nodes in the folder `many`, and return one of them."""
    text = graph(20)
    for number in range(1_000):
        file = folder / f"many/{number % 20}/{number}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return file


def lifetimes(commands: dict[str, list[str]], rounds: int, cwd: Path) -> dict[str, float]:
    """The median processor time of each command, in seconds; they alternate, so that noise affects all of them."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, cwd=cwd, capture_output=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {name: statistics.median(values) for name, values in taken.items()}

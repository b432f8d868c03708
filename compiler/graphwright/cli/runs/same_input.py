"""`graphwright runs same-input`: finds runs that made the same call, and compares their results."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.runs.naming import add_run, counted, named_run, unknown_node
from graphwright.cli.runs.printing import json_text, table, when
from graphwright.render.layout import printable

if TYPE_CHECKING:
    from graphwright_runtime.durable.provenance import Execution

_EXAMPLES = """\
  graphwright runs same-input weekly-1717-ab12 --node fetch
  graphwright runs same-input weekly-1717-ab12 --node fetch --step 7 --format json"""

#: Number of digits of a hash in a table.
_DIGITS = 12


def parser() -> Parser:
    """The options of the action."""
    description = (
        "Find the steps of all runs of the project that called the same action with the same params as a node of RUN "
        "did, and compare their results. Inputs and results are compared by their hashes; the logs that have them are "
        "verified. The exit code is 1 if the log of another run does not verify, and 2 if that of RUN does not."
    )
    parser = Parser("runs same-input", "RUN --node NODE [options]", description, _EXAMPLES)
    add_run(parser)
    parser.add_argument("--node", metavar="NODE", required=True, help="the node whose input is looked for")
    parser.add_argument("--step", type=counted, metavar="N", help="only its execution in step N of RUN")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the steps; returns 1 if the log of another run does not verify."""
    from graphwright_runtime.durable.provenance import same_inputs

    project, run_id = named_run(options)
    own = _own(options, project, run_id)
    found = same_inputs(project, frozenset(own), run_id)
    for execution in found.executions:
        own[str(execution.input_hash)].append(execution)
    for executions in own.values():
        executions[1:] = sorted(executions[1:], key=lambda each: each.timestamp)
    if options.format == "json":
        inputs = [
            {"node_input_hash": input_hash, "executions": [_record(each, executions[0]) for each in executions]}
            for input_hash, executions in own.items()
        ]
        record = {"run_id": run_id, "node": options.node, "inputs": inputs, "unverified": found.unverified}
        console.result(json_text(record))
    else:
        console.result("\n".join(_text(input_hash, executions) for input_hash, executions in own.items()))
    for other, problem in found.unverified.items():
        console.message(f"the run {printable(other)} is left out: {printable(problem)}\n")
    return 1 if found.unverified else 0


def _own(options: argparse.Namespace, project: Path, run_id: str) -> dict[str, list[Execution]]:
    """The executions of the node in the run, by input. Raises UsageError if there are none, and RefusedError."""
    from graphwright_runtime.durable.provenance import executions_of

    executions, checkpoint = executions_of(project, run_id, options.node)
    if not executions:
        raise unknown_node(run_id, checkpoint.head, options.node)
    wanted = [each for each in executions if options.step in (None, each.step)]
    if not wanted:
        steps = ", ".join(str(each.step) for each in executions[:10])
        raise UsageError(f"step {options.step} of the run {run_id} is not `{options.node}`, which is step {steps}")
    own: dict[str, list[Execution]] = {}
    for each in wanted:
        if each.input_hash is not None:
            own.setdefault(each.input_hash, []).append(each)
    if not own:
        kind = wanted[0].kind
        why = "the hashes of the inputs of items are not kept" if kind == "foreach" else "it called nothing"
        raise UsageError(f"`{options.node}` is a node of the type {kind}: {why}")
    return own


def _record(execution: Execution, first: Execution) -> Mapping[str, object]:
    record = execution._asdict()
    del record["input_hash"]
    record["node_result_hash"] = record.pop("result_hash")
    return {**record, "same_result": execution.result_hash == first.result_hash}


def _text(input_hash: str, executions: Sequence[Execution]) -> str:
    """A table of the executions with one input, comparing each result with the first one."""
    first = executions[0]
    rows = [("RUN", "STEP", "GRAPH", "NODE", "STATUS", "RESULT", "", "STARTED")]
    rows += [
        (
            each.run_id,
            str(each.step),
            each.graph_id,
            each.node,
            "cached" if each.status == "ok" and each.cache_hit else each.status,
            (each.result_hash or "-")[:_DIGITS],
            "same" if each.result_hash == first.result_hash else "different",
            when(each.timestamp),
        )
        for each in executions
    ]
    text = f"input {input_hash}\n{table(rows)}"
    if len(executions) == 1:
        return f"{text}no other step had this input\n"
    different = sum(each.result_hash != first.result_hash for each in executions)
    runs = {each.run_id for each in executions}
    verdict = f"{different} with a different result" if different else "all with the same result"
    return f"{text}{len(executions)} steps in {len(runs)} run{'' if len(runs) == 1 else 's'}, {verdict}\n"

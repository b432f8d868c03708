"""An input inside a shell command runs as part of it, unless it is quoted."""

from __future__ import annotations

import subprocess

import pytest

from cases.graphs import graph
from checking import check_text, line_of, loud
from graphwright_runtime.pipes import quote
from running import run_text

INPUTS = 'directory: {type: string, default: "."}\n'
GRAPH = """\
start: list
nodes:
  list:
    action: {item_id: "TOOL", params: {command: "ls ${inputs.directory PIPE} | wc -l"}}
    assign: {n: "${result.stdout PIPE}"}
    next: report
  report:
    action: {item_id: "TOOL", params: {command: "echo found ${state.n}"}}
    next: done
  done: {type: return}
"""
HOSTILE = "x; echo PWNED"


def make(tool: str, pipe: str) -> str:
    return graph(GRAPH.replace("TOOL", tool).replace(" PIPE", pipe), inputs=INPUTS)


@pytest.mark.parametrize("tool", ["rye/bash", "tool:rye/bash"])
def test_inputs_and_results_in_a_command_are_warned_about(tool: str) -> None:
    text = make(tool, "")
    assert loud(check_text(text)) == [f"GW606:{line_of(text, 'ls ${')}", f"GW606:{line_of(text, 'echo found')}"]


def test_quote_is_the_fix() -> None:
    assert loud(check_text(make("rye/bash", " | quote"))) == []


@pytest.mark.parametrize(("pipe", "command"), [("", f"ls {HOSTILE} | wc -l"), (" | quote", f"ls '{HOSTILE}' | wc -l")])
def test_nothing_is_quoted_that_the_graph_does_not_quote(pipe: str, command: str) -> None:
    ran = run_text(make("rye/bash", pipe), {"directory": HOSTILE}, {"rye/bash": {"stdout": "1"}})
    assert ran.calls[0].params == {"command": command}


EVIL = ["a b", "$(echo no)", "`echo no`", "'; echo no; '", '"; echo no; "', "a\nEOF\necho no\n", "\\", "*", "-n"]
SAFE = [
    "printf %s {}",
    'printf %s "a"{}"b"',
    "printf %s 'a'{}'b'",
    "printf %s $'a'{}$'b'",
    "value={}\ncat <<EOF\n$value\nEOF",
    "sh -c 'printf %s \"$1\"' _ {}",
    "value={}; eval 'printf %s \"$value\"'",
]


@pytest.mark.parametrize("command", SAFE)
@pytest.mark.parametrize("value", EVIL)
def test_what_the_help_says_is_safe_is_safe(command: str, value: str) -> None:
    """The value arrives in bash as it is, wherever GW606 sends its author."""
    written = command.replace("{}", str(quote(value)))
    done = subprocess.run(["bash", "-c", written], capture_output=True, text=True, check=True)
    assert done.stdout in (value, f"a{value}b", f"{value}\n")

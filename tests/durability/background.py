"""The commands that run the counting graph of `processes` in the background."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from durability.processes import calls, made, until

#: A graph that signs an item, and a tool of it that looks for the key; by their names below `.ai/tools`.
VOUCHING: Final = {
    "vouch.yaml": """\
tool_type: graph
permissions: [rye.sign.knowledge.style, rye.execute.tool.look, rye.execute.tool.rye.bash]
config:
  start: sign
  nodes:
    sign: {action: {primary: sign, item_id: knowledge:style}, assign: {key: "${result.key_id}"}, next: look}
    look: {action: {item_id: look}, assign: {variables: "${result.variables}"}, next: shell}
    shell: {action: {item_id: rye/bash, params: {command: env}}, assign: {env: "${result.stdout}"}}
""",
    "look.py": "import os\n\n\ndef execute(params):\n    return {'variables': list(os.environ.values())}\n",
}


class Done(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    said: str

    @property
    def found(self) -> dict[str, Any]:
        """What it printed, as JSON."""
        found: dict[str, Any] = json.loads(self.out)
        return found


class Counting(NamedTuple):
    """A project with the graph `count`. A file `wait` holds its third call, a file `pace` slows all of them."""

    folder: Path

    def graphwright(self, *words: str, env: Mapping[str, str] | None = None, stdin: str | None = None) -> Done:
        """Run a command in the project."""
        done = subprocess.run(
            [sys.executable, "-m", "graphwright", *words],
            cwd=self.folder,
            input=stdin,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def background(self, *words: str, run_id: str = "r", limit: int = 4, env: Mapping[str, str] | None = None) -> int:
        """Start a run in the background; its process."""
        done = self.graphwright("run", "count", "--async", "-i", f"limit={limit}", "--run-id", run_id, *words, env=env)
        assert done.code == 0, done
        return int(done.found["pid"])

    def waiting(self, run_id: str = "r") -> int:
        """Start a run in the background that waits in its third call; its process."""
        (self.folder / "wait").touch()
        pid = self.background(run_id=run_id)
        until(lambda: len(self.calls()) >= 3)
        return pid

    def let_go(self) -> None:
        """Nothing waits any more."""
        (self.folder / "wait").unlink()

    def calls(self) -> list[str]:
        """What the tool was called with."""
        return calls(self.folder)

    def status(self, run_id: str = "r") -> dict[str, Any]:
        """How a run stands."""
        return self.graphwright("runs", "status", run_id).found

    def ended(self, run_id: str = "r") -> str:
        """The status of a run when it has ended."""
        return str(self.graphwright("runs", "wait", run_id, "--timeout", "50").found["status"])

    def output(self, run_id: str = "r") -> str:
        """What a run in the background wrote to its streams."""
        return (self.folder / ".ai" / "state" / "threads" / run_id / "async.log").read_text("utf-8")

    def result(self, run_id: str = "r") -> dict[str, Any]:
        """The result at the end of that."""
        text = self.output(run_id)
        found: dict[str, Any] = json.loads(text[text.rindex("\n{\n") :])
        return found


def counting(folder: Path) -> Counting:
    """The project, made in a folder."""
    return Counting(made(folder))


def is_gone(pid: int) -> bool:
    """Whether a process has ended, even if nothing has waited for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True

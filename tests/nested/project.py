"""A project with graphs that call each other, built as users build it, and run in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commands import graphwright

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "runtime"

#: Counts by a tool.
INNER = """\
tool_type: graph
permissions: [rye.execute.tool.shop.list]
config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
config:
  start: list
  nodes:
    list:
      action: {item_id: "tool:shop/list", params: {team: "${inputs.team}"}}
      assign: {n: "${result.n}"}
      next: done
    done: {type: return, output: {n: "${state.n}", team: "${inputs.team}"}}
"""
#: Calls it.
OUTER = """\
tool_type: graph
permissions: [rye.execute.tool.shop.*]
config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
config:
  start: call
  nodes:
    call:
      action: {item_id: "tool:shop/count-items", params: {team: "${inputs.team}"}}
      assign: {got: "${result}"}
      next: done
    done: {type: return, output: "${state.got}"}
"""
#: The tool that both come down to.
LIST = "def execute(params, project_path):\n    return {'n': len(params['team'])}\n"


@dataclass
class Project:
    """A folder with `.ai/tools`, the working directory of the commands."""

    folder: Path

    def write(self, files: Mapping[str, str]) -> None:
        """Write files below `.ai/tools`."""
        for name, text in files.items():
            path = self.folder / ".ai" / "tools" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def build(self) -> None:
        """Compile all graphs into `generated`."""
        outcome = graphwright("build", "--no-typecheck")
        assert outcome.code == 0, outcome.stderr

    def python(self, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run code in the project folder, with an installed runtime and nothing of the compiler."""
        site = self.folder / "site" / "sitecustomize.py"
        site.parent.mkdir(exist_ok=True)
        site.write_text(f"exec(open({str(RUNTIME / 'graphwright_verify.pth')!r}).read())\n")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site.parent), str(RUNTIME))), **variables}
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60, check=False
        )

    def run(self, module: str, inputs: object, arguments: str = "", **variables: str) -> dict[str, Any]:
        """The result of a graph that is run from Python; `arguments` are more of those of `run_sync`."""
        code = f"import json, {module} as m\nprint(json.dumps(m.run_sync({inputs!r}, {arguments}).to_dict()))"
        done = self.python(code, **variables)
        assert done.returncode == 0, done.stderr
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    def command(self, target: str, *arguments: str) -> dict[str, Any]:
        """The result of the same graph by `graphwright run`, in a process that may import what it likes."""
        path = os.pathsep.join((str(ROOT / "compiler"), str(RUNTIME)))
        command = [sys.executable, "-m", "graphwright", "run", "-q", target, *arguments]
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.stdout, done.stderr
        result: dict[str, Any] = json.loads(done.stdout)
        return result

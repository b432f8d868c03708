"""A project whose graph calls a tool that calls another tool and a graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from commands import graphwright

REPORT = """\
tool_type: graph
permissions: ["rye.execute.tool.report.*"]
config:
  start: build
  nodes:
    build: {action: {item_id: tool:report/build, params: {teams: [blue, red]}}, assign: {got: "${result}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""
#: Called by the tool, once per team.
TOTAL = """\
tool_type: graph
permissions: ["rye.execute.tool.report.rows"]
config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
config:
  start: rows
  nodes:
    rows:
      action: {item_id: tool:report/rows, params: {team: "${inputs.team}"}}
      assign: {n: "${result.n}"}
      next: done
    done: {type: return, output: "${state.n}"}
"""
#: Says in the file `calls` with which key it was called.
ROWS = """\
def execute(params, project_path, context):
    with open(f"{project_path}/calls", "a") as file:
        print(context.idempotency_key, params["team"], file=file)
    return {"n": len(params["team"])}
"""
#: Fails after its calls if there is a file `fail`; the file `teams` replaces its params.
BUILD = """\
from pathlib import Path


def execute(params, project_path, context):
    teams, project = params["teams"], Path(project_path)
    if (project / "teams").exists():
        teams = (project / "teams").read_text().split()
    first = context.call_sync("report/rows", {"team": teams[0]})
    totals = [context.call_sync("report/total", {"team": team})["output"] for team in teams]
    if (project / "fail").exists():
        raise ValueError("not yet")
    return {"first": first["n"], "totals": totals}
"""


class Reports:
    """The project in a folder, which is the current one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tools = folder / ".ai" / "tools" / "report"
        tools.mkdir(parents=True)
        for name, text in {"all.yaml": REPORT, "total.yaml": TOTAL, "rows.py": ROWS, "build.py": BUILD}.items():
            (tools / name).write_text(text, "utf-8")

    def write(self, name: str, text: str) -> None:
        """A tool `report/<name>`."""
        (self.folder / ".ai" / "tools" / "report" / name).write_text(text, "utf-8")

    def run(self, *arguments: str, code: int = 0) -> Any:
        """The result of a run of the graph, whose id is `r`."""
        which = () if "--resume" in arguments or "--mock" in arguments else ("--run-id", "r")
        done = graphwright("run", "-q", "report/all", *which, *arguments)
        assert done.code == code, done.stderr
        return json.loads(done.stdout)

    def calls(self) -> list[str]:
        """The calls of `report/rows` so far: their keys, and the teams."""
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []

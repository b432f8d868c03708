"""Runs that are killed in the middle, and graphs that are edited meanwhile, by the command line: what people met
elsewhere, and what they expect.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_HEAD = 'version: "1.0.0"\ntool_type: graph\npermissions: ["rye.execute.tool.*"]\n'

ORDER = (
    _HEAD
    + """\
config:
  start: pay
  nodes:
    pay: {action: {item_id: tool:shop/pay, params: {}}, assign: {receipt: "${result.id}"}, next: ship}
    ship: {action: {item_id: tool:shop/ship, params: {receipt: "${state.receipt}"}}, next: done}
    done: {type: return, output: {receipt: "${state.receipt}"}}
"""
)
RENAMED = ORDER.replace("pay:", "charge:").replace("start: pay", "start: charge").replace("ship", "deliver")
RENAMED = RENAMED.replace("shop/deliver", "shop/ship")
EDITED = ORDER.replace('{receipt: "${state.receipt}"}}, next', '{receipt: "${state.receipt}", fast: true}}, next')

MAIL = (
    _HEAD
    + """\
config:
  start: look
  on_error: continue
  state: {ids: [1, 2, 3, 4, 5]}
  nodes:
    look: {action: {item_id: tool:shop/look, params: {}}, next: send}
    send:
      type: foreach
      over: "${state.ids}"
      as: id
      action: {item_id: tool:shop/send, params: {id: "${id}"}}
      retry: {attempts: 3, backoff_ms: 1, jitter: false}
      collect: sent
      next: done
    done: {type: return, output: {sent: "${state.sent}"}}
"""
)

#: Each tool notes its calls in the folder of the project.
TOOLS = {
    "pay": "return {'id': 'r-1'}",
    "ship": "assert not (project / 'closed').exists(), 'the shop is closed'\n    return {'ok': True}",
    "look": "raise ValueError('nothing to see')",
    "send": """\
n = params["id"]
    done = (project / "calls").read_text().split().count(f"send-{n}")
    if n == 2 and done == 1:
        raise ConnectionError("connection reset")
    if n == 4 and done < 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"ok": n}""",
}
_TOOL = """\
import os, pathlib, signal
def execute(params, project_path):
    project = pathlib.Path(project_path)
    with open(project / "calls", "a") as out:
        out.write("{name}" + ("-" + str(params["id"]) if "id" in params else "") + "\\n")
    {body}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / ".ai" / "tools" / "shop"
    folder.mkdir(parents=True)
    for name, body in TOOLS.items():
        (folder / f"{name}.py").write_text(_TOOL.replace("{name}", name).replace("{body}", body), "utf-8")
    return tmp_path


def ran(project: Path, graph: str, text: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and result of `graphwright run`, after the graph was written."""
    (project / ".ai" / "tools" / f"{graph}.yaml").write_text(text, "utf-8")
    command = [sys.executable, "-m", "graphwright", "run", graph, *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, json.loads(done.stdout) if done.stdout else {}


def calls(project: Path) -> list[str]:
    return (project / "calls").read_text("utf-8").split()


def test_a_run_is_not_resumed_with_other_nodes(project: Path) -> None:
    (project / "closed").touch()
    assert ran(project, "order", ORDER, "--run-id", "r")[0] == 1
    (project / "closed").unlink()
    code, result = ran(project, "order", RENAMED, "--resume", "r")
    assert (code, result["status"]) == (1, "error")
    for said in ("node `pay` is gone", "node `ship` is gone", "node `charge` is new", "its hash was "):
        assert said in result["error"]
    code, result = ran(project, "order", RENAMED, "--resume", "r", "--allow-changed")
    assert code == 1
    assert "the run is at the node `ship`, which the graph no longer has" in result["error"]
    code, result = ran(project, "order", EDITED, "--resume", "r")
    assert code == 1
    assert "(node `ship` changed)" in result["error"]
    assert calls(project) == ["pay", "ship"]
    code, result = ran(project, "other", ORDER, "--resume", "r")
    assert code == 1
    assert result["error"] == "the run 'r' belongs to the graph `order`, not `other`"
    code, result = ran(project, "order", EDITED, "--resume", "r", "--allow-changed")
    assert (code, result["output"]) == (0, {"receipt": "r-1"})
    assert calls(project) == ["pay", "ship", "ship"]


def test_mail_is_not_sent_again(project: Path) -> None:
    """The process is killed in the call for the fourth item, twice: that call alone is made again."""
    code, result = ran(project, "mail", MAIL, "--run-id", "r")
    assert (code, result) == (-signal.SIGKILL, {})
    assert ran(project, "mail", MAIL, "--resume", "r")[0] == -signal.SIGKILL
    code, result = ran(project, "mail", MAIL, "--resume", "r")
    assert (code, result["status"]) == (0, "completed_with_errors")
    assert [each["ok"] for each in result["output"]["sent"]] == [1, 2, 3, 4, 5]
    assert [(error["node"], error["error"]) for error in result["errors"]] == [("look", "nothing to see")]
    sent = [f"send-{n}" for n in (1, 2, 2, 3, 4, 4, 4, 5)]
    assert calls(project) == ["look", *sent]

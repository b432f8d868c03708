"""The types of an emitted module in pydantic and FastAPI, as people install them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from running import compile_text

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.shop.count]
config_schema:
  type: object
  properties:
    team: {type: string}
    limit: {type: integer, default: 3}
    "with blank": {type: string}
    options: {type: object, properties: {loud: {type: boolean}}, required: [loud]}
  required: [team]
config:
  start: count
  nodes:
    count:
      action: {item_id: "tool:shop/count", params: {team: "${inputs.team}"}}
      assign: {n: "${result.n}"}
      next: end
    end: {type: return, output: {n: "${state.n}", limit: "${inputs.limit}"}}
"""
PROGRAM = """\
import json
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import TypeAdapter, ValidationError
import orders

inputs = TypeAdapter(orders.Inputs)
schema = inputs.json_schema()
assert schema["required"] == ["team"], schema
assert inputs.validate_python({"team": "a", "limit": "4"}) == {"team": "a", "limit": 4}
try:
    inputs.validate_python({"limit": 4})
except ValidationError as error:
    assert error.errors()[0]["loc"] == ("team",)
else:
    raise SystemExit("an input that is missing was accepted")
for kind in (orders.State, orders.Output, orders.NodeName):
    TypeAdapter(kind).json_schema()
assert TypeAdapter(orders.State).validate_python({"n": [{"deep": None}]})["n"] == [{"deep": None}]
app = FastAPI()

@app.post("/orders")
async def post(given: orders.Inputs) -> orders.Output:
    result = await orders.run(given, tools={"shop/count": lambda params: {"n": len(params["team"])}})
    return result.output

client = TestClient(app)
assert client.post("/orders", json={"limit": 1}).status_code == 422
assert client.get("/openapi.json").status_code == 200
print(json.dumps(client.post("/orders", json={"team": "blue"}).json()))
"""


def test_inputs_state_and_output(tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    python = environment / "bin" / "python"
    wanted = ["pydantic>=2.7", "fastapi", "httpx", str(ROOT / "runtime")]
    subprocess.run([python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *wanted], check=True)
    (tmp_path / "orders.py").write_text(compile_text(GRAPH, "orders.yaml"), "utf-8")
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    done = subprocess.run([python, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"n": 4, "limit": 3}

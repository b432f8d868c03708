"""`graphwright run`: YAML files, ids and generated modules; inputs; signals."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import graphwright

GRAPH = """\
tool_type: graph
description: "{about}"
permissions: [rye.execute.tool.shop.*, rye.execute.tool.team.*, rye.execute.tool.rye.bash]
config_schema:
  type: object
  properties:
    name: {{type: string}}
    count: {{type: integer, default: 2}}
    price: {{type: number}}
    loud: {{type: boolean}}
    tags: {{type: array, items: {{type: string}}}}
    extra: {{type: object}}
    mode: {{enum: [fast, 3]}}
    anything: {{}}
  required: [name]
config:
  start: call
  nodes:
    call:
      action: {{item_id: "tool:{tool}", params: {params}}}
      assign: {{answer: "${{result}}"}}
      next: done
    done: {{type: return, output: {{answer: "${{state.answer}}", inputs: "${{inputs}}"}}}}
"""
#: A step before the one that takes long, so that progress tells when that one has begun.
FIRST = ("start: call\n  nodes:\n", "start: quick\n  nodes:\n    quick: {type: gate, next: call}\n")
ECHO = "def execute(params, project_path):\n    return {'echo': params, 'project': project_path}\n"


def graph(tool: str, params: str = "{}") -> str:
    return GRAPH.format(about=tool, tool=tool, params=params)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a tool, a graph that calls it, one that calls that graph, and one with a fault."""
    monkeypatch.chdir(tmp_path)
    tools = tmp_path / ".ai/tools"
    files = {
        "shop/echo.py": ECHO,
        "team/inner.yaml": graph("shop/echo", '{name: "${inputs.name}", count: "${inputs.count}"}'),
        "team/outer.yaml": graph("team/inner", '{name: "${inputs.name}"}'),
        "team/faulty.yaml": graph("shop/echo").replace("next: done", "next: dnoe"),
        "team/calls-faulty.yaml": graph("team/faulty", '{name: "${inputs.name}"}'),
        "team/slow.yaml": graph("rye/bash", '{command: "sleep 30"}').replace(*FIRST),
    }
    for name, text in files.items():
        path = tools / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


def answered(*arguments: str) -> dict[str, object]:
    """The inputs that a run saw."""
    done = graphwright("run", "-q", "team/inner", "-i", "name=n", *arguments)
    assert done.code == 0, done.stderr
    inputs = json.loads(done.stdout)["output"]["inputs"]
    assert isinstance(inputs, dict)
    return inputs


@pytest.mark.parametrize("target", ["team/inner", ".ai/tools/team/inner.yaml"])
def test_a_graph_runs_by_its_file_and_by_its_id(here: Path, target: str) -> None:
    done = graphwright("run", target, "-i", "name=blue")
    assert done.code == 0
    result = json.loads(done.stdout)
    assert result["status"] == "completed"
    assert result["output"]["answer"] == {"echo": {"name": "blue", "count": 2}, "project": str(here)}
    assert "call" in done.stderr


def test_progress_can_be_silenced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert graphwright("run", "-q", "team/inner", "-i", "name=blue").stderr == ""
    monkeypatch.setenv("RYE_GRAPH_QUIET", "1")
    assert graphwright("run", "team/inner", "-i", "name=blue").stderr == ""


def test_a_graph_that_is_called_is_compiled_on_the_way() -> None:
    done = graphwright("run", "-q", "team/outer", "-i", "name=blue")
    answer = json.loads(done.stdout)["output"]["answer"]
    assert (answer["status"], answer["output"]["answer"]["echo"]) == ("completed", {"name": "blue", "count": 2})


def test_a_graph_with_a_fault_does_not_run() -> None:
    done = graphwright("run", "team/faulty", "-i", "name=blue")
    assert (done.code, done.stdout, "error[GW202]" in done.stderr) == (1, "", True)
    done = graphwright("run", "-q", "team/calls-faulty", "-i", "name=blue")
    assert (done.code, json.loads(done.stdout)["node"]) == (1, "call")
    assert "GW202" in json.loads(done.stdout)["error"]


def test_a_generated_module_runs_by_its_name_and_by_its_file(here: Path) -> None:
    """In processes of their own: verified imports are for good."""
    (here / ".ai/tools/team/faulty.yaml").unlink()
    (here / ".ai/tools/team/calls-faulty.yaml").unlink()
    assert graphwright("build", "-q", "--no-typecheck", "--no-sign", ".").code == 0
    command = [sys.executable, "-m", "graphwright", "run", "-q"]
    for target in ("generated.team.outer", "generated/team/outer.py"):
        arguments = [*command, target, "-i", "name=blue", "-i", "count=5"]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)["output"]["answer"]
        assert answer["output"]["inputs"] == {"name": "blue", "count": 2}
        assert json.loads(done.stdout)["output"]["inputs"]["count"] == 5
    for target in ("generated.team.nothing", "json.decoder", "gone.py"):
        done = subprocess.run([*command, target], capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr


def test_values_are_read_as_their_declared_type() -> None:
    assert answered("-i", "count=7", "-i", "price=1.5", "-i", "loud=true") == {
        "name": "n", "count": 7, "price": 1.5, "loud": True,
    }  # fmt: skip
    assert answered("-i", 'tags=["a", "b"]', "-i", 'extra={"a": null}')["tags"] == ["a", "b"]
    assert answered("-i", "mode=fast")["mode"] == "fast"
    assert answered("-i", "mode=3")["mode"] == 3
    assert answered("-i", "anything=12")["anything"] == "12"
    assert answered("-i", "anything=a=b")["anything"] == "a=b"
    assert answered("-i", "price=3")["price"] == 3


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        ("count=many", "`-i count=many`: expected an integer"),
        ("count=1.5", "expected an integer"),
        ("loud=yes", "expected `true` or `false`"),
        ("tags=a,b", "expected a list as JSON, such as '[1, 2]'"),
        ("extra=[1]", "expected a mapping as JSON"),
        ('extra={"a": 1, "a": 2}', "expected a mapping as JSON, such as '{\"a\": 1}'; the key `a` occurs twice"),
        ("nmae=x", "the graph has no input `nmae`; did you mean `name`?"),
        ("name", "expected name=value"),
        ("=x", "expected name=value"),
    ],
)
def test_a_wrong_input_says_what_to_write(pair: str, says: str) -> None:
    done = graphwright("run", "team/inner", "-i", pair)
    assert (done.code, done.stdout) == (2, "")
    assert says in done.stderr


def test_inputs_come_from_a_file_or_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("inputs.json").write_text('{"name": "file", "count": 9}', "utf-8")
    done = graphwright("run", "-q", "team/inner", "--inputs", "inputs.json", "-i", "name=mine")
    assert json.loads(done.stdout)["output"]["inputs"] == {"name": "mine", "count": 9}
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"name": "stdin"}'))
    done = graphwright("run", "-q", "team/inner", "--inputs", "-")
    assert json.loads(done.stdout)["output"]["inputs"]["name"] == "stdin"
    for text, says in (("[1]", "must contain a JSON object"), ("{", "is not JSON")):
        Path("inputs.json").write_text(text, "utf-8")
        done = graphwright("run", "team/inner", "--inputs", "inputs.json")
        assert (done.code, says in done.stderr) == (2, True)
    assert graphwright("run", "team/inner", "--inputs", "gone.json").code == 2


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"name": "n", "cuont": 1}', "`--inputs inputs.json`: the graph has no input `cuont`; did you mean `count`?"),
        (b'{"name": "n", "whatever": 1}', "the graph has no input `whatever`; declared: anything, count, extra,"),
        (b'{"name": "a", "name": "b"}', "is not JSON: the key `name` occurs twice in one object"),
        (b'{"name": "n", "extra": {"a": 1, "b": {"c": 1, "c": 2}}}', "the key `c` occurs twice in one object"),
        (b'{"name": "n", "price": NaN}', "`NaN` is not a JSON number"),
        (b'{"name": "n", "price": -Infinity}', "`-Infinity` is not a JSON number"),
        (b'{"name": "\xff"}', "is not UTF-8: invalid start byte at byte 10"),
        (b"[" * 100_000, "is not JSON: "),
        (b'{"count": ' + b"9" * 5000 + b"}", "is not JSON: "),
        (b"", "is not JSON: "),
    ],
)
@pytest.mark.parametrize("source", ["inputs.json", "-"])
def test_inputs_that_are_refused(data: bytes, says: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("inputs.json").write_bytes(data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    done = graphwright("run", "team/inner", "--inputs", source)
    assert (done.code, done.stdout) == (2, "")
    assert says.replace("inputs.json", source) in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("source", ["inputs.json", "-"])
def test_inputs_may_begin_with_a_byte_order_mark(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'\xef\xbb\xbf{"name": "\xc3\xa4"}'
    Path("inputs.json").write_bytes(data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))
    done = graphwright("run", "-q", "team/inner", "--inputs", source)
    assert json.loads(done.stdout)["output"]["inputs"]["name"] == "ä"


@pytest.mark.parametrize(
    ("schema", "admits"),
    [
        ("", False),
        ("additionalProperties: false", False),
        ("additionalProperties: true", True),
        ("additionalProperties: {type: string}", True),
        ("patternProperties: {'^x_': {type: string}}", True),
        ("allOf: [{properties: {more: {type: string}}}]", True),
    ],
)
def test_whether_other_inputs_are_taken_is_for_the_schema_to_say(here: Path, schema: str, admits: bool) -> None:
    text = graph("shop/echo").replace("  required: [name]\n", f"  required: [name]\n  {schema}\n")
    (here / ".ai/tools/team/open.yaml").write_text(text, "utf-8")
    (here / "inputs.json").write_text('{"name": "n", "more": "x"}', "utf-8")
    assert graphwright("build", "-q", "--no-typecheck", "--no-sign", ".ai/tools/team/open.yaml").code == 0
    command = [sys.executable, "-m", "graphwright", "run", "-q"]
    for target in ("team/open", "generated/team/open.py"):
        for arguments in (("-i", "name=n", "-i", "more=x"), ("--inputs", "inputs.json")):
            done = subprocess.run([*command, target, *arguments], capture_output=True, check=False, timeout=60)
            assert done.returncode == (0 if admits else 2), done.stderr
            if admits:
                assert json.loads(done.stdout)["output"]["inputs"]["more"] == "x"
                assert b"does not declare an input" not in done.stderr
            else:
                assert b"the graph has no input `more`" in done.stderr


def test_inputs_that_do_not_fit_are_a_failed_run() -> None:
    done = graphwright("run", "-q", "team/inner")
    assert done.code == 1
    assert "missing required input: 'name'" in json.loads(done.stdout)["error"]


def test_capabilities_narrow_a_run() -> None:
    arguments = ("run", "-q", "team/inner", "-i", "name=blue", "--capability")
    assert graphwright(*arguments, "rye.execute.tool.shop.*").code == 0
    done = graphwright(*arguments, "rye.execute.tool.other")
    assert (done.code, json.loads(done.stdout)["node"]) == (1, "call")


def test_the_project_can_be_named(here: Path) -> None:
    elsewhere = here / "elsewhere"
    (elsewhere / ".ai/tools/shop").mkdir(parents=True)
    (elsewhere / ".ai/tools/shop/echo.py").write_text(ECHO, "utf-8")
    done = graphwright("run", "-q", ".ai/tools/team/inner.yaml", "-i", "name=n", "--project", "elsewhere")
    assert json.loads(done.stdout)["output"]["answer"]["project"] == str(elsewhere)
    assert graphwright("run", "team/inner", "-i", "name=n", "--project", "gone").code == 2


def test_what_does_not_exist_is_wrong_usage() -> None:
    assert graphwright("run", "team/inenr").code == 2
    assert graphwright("run", "gone.yaml").code == 2
    assert graphwright("run").code == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_run_in_order(here: Path, number: signal.Signals, code: int) -> None:
    command = [sys.executable, "-m", "graphwright", "run", "team/slow", "-i", "name=n"]
    process = subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    process.stderr.readline()  # progress: the run has begun
    time.sleep(0.5)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == code, err
    assert json.loads(out)["status"] == "cancelled"
    assert "Traceback" not in err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_run_that_does_not_wait_for_anything(here: Path, number: signal.Signals, code: int) -> None:
    busy = "import sys\n\n\nasync def execute(params, project_path):\n    print('busy', file=sys.stderr, flush=True)\n"
    (here / ".ai/tools/shop/busy.py").write_text(f"{busy}    while True:\n        pass\n", "utf-8")
    (here / ".ai/tools/team/busy.yaml").write_text(graph("shop/busy"), "utf-8")
    command = [sys.executable, "-m", "graphwright", "run", "-q", "team/busy", "-i", "name=n"]
    process = subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == "busy\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == code, err
    assert json.loads(out)["status"] == "cancelled"
    assert "Traceback" not in err

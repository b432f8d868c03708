"""A new pipe is one entry and one function (named in the ABI), a new key one entry, and mypy names what a new type of
node has to decide: done to a copy of the project.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GRAPH = """\
tool_type: graph
permissions: []
config_schema: {type: object, properties: {name: {type: string}}, required: [name]}
config:
  start: done
  nodes:
    done: {type: return, output: {name: "${inputs.name | reversed}"}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The compiler, the runtime and the templates, to be changed at will, and a graph."""
    for part in ("compiler/graphwright", "runtime/graphwright_runtime", "templates"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "graph.yaml").write_text(GRAPH, "utf-8")
    return tmp_path


def graphwright(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The changed compiler at work."""
    path = os.pathsep.join([str(project / "compiler"), str(project / "runtime")])
    environment = {**os.environ, "PYTHONPATH": path, "GRAPHWRIGHT_CACHE_DIR": str(project / "cache")}
    command = [sys.executable, "-m", "graphwright", *arguments]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


def insert(file: Path, above: str, text: str) -> None:
    """Put text above the first place where `above` stands."""
    content = file.read_text("utf-8")
    assert above in content
    file.write_text(content.replace(above, text + above, 1), "utf-8")


def test_a_pipe(project: Path) -> None:
    assert "GW403" in graphwright(project, "check", "graph.yaml").stderr
    insert(
        project / "compiler/graphwright/language/pipes.py",
        "    )\n}",
        'Pipe("reversed", "from the end to the beginning", "reversed_text", Gives.STRING, "anything but strings"),\n',
    )
    runtime = project / "runtime/graphwright_runtime"
    insert(
        runtime / "pipes.py",
        "def length(",
        'def reversed_text(value: object) -> str | None:\n    """`reversed`."""\n'
        "    if value is None:\n        return None\n    if not isinstance(value, str):\n"
        '        raise _refused("reversed", "text", value)\n    return value[::-1]\n\n\n',
    )
    insert(runtime / "abi.py", "    to_float,\n", "    reversed_text,\n")
    insert(runtime / "abi.py", '    "to_float",\n', '    "reversed_text",\n')
    done = graphwright(project, "run", "graph.yaml", "-i", "name=abc", "--quiet")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["output"] == {"name": "cba"}
    built = graphwright(project, "build", "graph.yaml", "-o", "made")
    assert built.returncode == 0, built.stderr


def test_a_key(project: Path) -> None:
    graph = (project / "graph.yaml").read_text("utf-8").replace("| reversed", "| upper")
    (project / "graph.yaml").write_text("owner: ops\n" + graph, "utf-8")
    assert "GW101" in graphwright(project, "check", "graph.yaml").stderr
    insert(
        project / "compiler/graphwright/language/keys.py",
        '        Key("tags",',
        '        Key("owner", "Whom to ask.", TEXT),\n',
    )
    assert graphwright(project, "check", "graph.yaml").returncode == 0
    assert json.loads(graphwright(project, "schema").stdout)["properties"]["owner"]["description"] == "Whom to ask."
    (project / "graph.yaml").write_text("ownre: ops\n" + graph, "utf-8")
    assert "did you mean `owner`?" in graphwright(project, "check", "graph.yaml").stderr


@pytest.mark.slow
def test_mypy_names_what_a_new_type_of_node_has_to_decide(project: Path) -> None:
    package = project / "compiler/graphwright"
    own = 'class WaitNode(_Routed):\n    """Waits."""\n\n    kind: ClassVar = "wait"\n\n    seconds: float\n\n\n'
    insert(package / "ir/nodes.py", "class ReturnNode(", own)
    insert(package / "ir/nodes.py", "GateNode\nNode: TypeAlias", "WaitNode | ")
    insert(package / "language/nodes.py", '    RETURN = "return"', '    WAIT = "wait"\n')
    insert(package / "model.py", "class ReturnSpec(", "class WaitSpec(_Spec):\n    routing: Routing\n\n\n")
    insert(package / "model.py", "ForeachSpec | ReturnSpec\n", "WaitSpec | ")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "compiler/graphwright"]
    environment = {**os.environ, "MYPYPATH": f"{project / 'compiler'}{os.pathsep}{project / 'runtime'}"}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    named = [line for line in done.stdout.splitlines() if 'to "assert_never" has incompatible type' in line]
    assert done.stdout.splitlines() == named
    assert {line.split(":")[0].removeprefix("compiler/graphwright/") for line in named} == {
        "analysis/fallible.py",
        "emit/nodes.py",
        "export.py",
        "ir/printer.py",
        "ir/verify.py",
        "ir/visit.py",
        "lower/nodes.py",
        "parse/nodes.py",
    }

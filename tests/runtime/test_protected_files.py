"""A graph's own tools cannot become the machine's: where it writes, what is free for it, and which keys it sees."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from commands import graphwright
from graphwright_runtime.capability import Grants
from graphwright_runtime.context import Context
from graphwright_runtime.environment import forget_keys, without_keys
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import dynamic
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.tools.protection import Protection
from graphwright_runtime.values import Json
from runtime import small
from runtime.small import AnyCursor, ran


class Surroundings:
    """As much of a context as the tools for files look at."""

    graph = small.graph()

    def __init__(self, project: Path) -> None:
        self.project = project
        self.env: dict[str, str] = {}


def write(project: Path, path: str, protection: Protection | None = None, *, append: bool = False) -> dict[str, object]:
    """What a node gets that writes a file."""
    host = InProcessHost(protection=protection)
    action = dynamic("execute", "tool", "rye/file-system/write")
    params: dict[str, Json] = {"path": path, "content": "planted", "append": append}
    context = cast("Context", Surroundings(project))
    return cast("dict[str, object]", asyncio.run(host.dispatch(action, params, context)))


def denied(project: Path, path: str, protection: Protection | None = None, *, append: bool = False) -> None:
    """Assert that a path is not written to, and that nothing of the kind is there afterwards."""
    before = {each: each.read_bytes() for each in project.rglob("*") if each.is_file()}
    with pytest.raises(NodeError) as caught:
        write(project, path, protection, append=append)
    assert caught.value.category == "denied", caught.value
    assert {each: each.read_bytes() for each in project.rglob("*") if each.is_file()} == before


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project folder with one of everything."""
    folder = tmp_path / "project"
    for path in (
        ".ai/tools/say.py", ".git/config", ".graphwright/trust.toml", "generated/graphwright.manifest",
        "env/pyvenv.cfg", "env/lib/site.py", "deep/venv/pyvenv.cfg", "graphwright.toml", "notes/a.md",
    ):  # fmt: skip
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("")
    return folder


@pytest.mark.parametrize(
    "path",
    [
        ".ai/tools/say.py", ".ai/tools/new.py", ".ai/knowledge/x.md", ".ai", ".git/hooks/pre-commit", ".git/config",
        ".graphwright/trust.toml", ".graphwright/errors.toml", "generated/new.py", "generated/deep/new.py",
        "env/lib/site.py", "env/new.pth", "deep/venv/lib/x.py", "graphwright.toml", "pyproject.toml",
        "sub/graphwright.toml", "sub/.ai/tools/x.py", "sub/.git", "notes/pyvenv.cfg",
        ".AI/tools/x.py", ".Git/config", ".GIT/hooks/x", ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/x",
        ".git:x", ".g\u200cit/config", ".ﬁnd/../.ai/x", "\u202e.ai/x", ".\uff41\uff49/x",
        "GIT~1/config", "AI~1/tools/x.py", "GraphWright.TOML", "notes/../.ai/tools/x.py", "./.ai/x",
        "HEAD", "out/deep/HEAD", "out/head",
        ".ai//tools///x.py", "gone/../.ai/x",
    ],
)  # fmt: skip
@pytest.mark.parametrize("append", [False, True])
def test_where_a_graph_does_not_write(project: Path, path: str, append: bool) -> None:
    denied(project, path, append=append)
    denied(project, str(project / path), append=append)


@pytest.mark.parametrize(
    "path",
    [
        "out/x.py",
        "notes/a.md",
        "ai/x",
        ".airc",
        ".github/x",
        ".gitignore",
        "notes/.ai.md",
        "generated.md",
        ".ai/../x",
        "head/x",
        "HEAD.md",
    ],
)
def test_where_it_does(project: Path, path: str) -> None:
    assert write(project, path)["size"] == 7


def test_links_lead_nowhere_else(project: Path) -> None:
    (project / "notes" / "tools").symlink_to(project / ".ai" / "tools")
    denied(project, "notes/tools/say.py")
    (project / "say.py").symlink_to(project / ".ai" / "tools" / "say.py")
    denied(project, "say.py")
    os.link(project / ".ai" / "tools" / "say.py", project / "hard.py")
    denied(project, "hard.py")
    denied(project, "hard.py", append=True)


@pytest.mark.parametrize("place", ["notes", "notes/deep"])
def test_a_folder_that_becomes_a_link_meanwhile_leads_nowhere(
    project: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Between the judgement of a path and the writing, something else that runs may swap them."""
    (project / "notes" / "deep").mkdir()
    judged = Protection.refusal

    def swapped(protection: Protection, root: Path, written: str, path: Path) -> str | None:
        said = judged(protection, root, written, path)
        (project / place).rename(project / "moved")
        (project / place).symlink_to(project / ".ai")
        (project / ".ai" / "deep").mkdir()
        return said

    monkeypatch.setattr(Protection, "refusal", swapped)
    with pytest.raises(NodeError, match=r"notes/deep/tools/new\.py: "):
        write(project, "notes/deep/tools/new.py")
    assert not list((project / ".ai").rglob("new.py"))


def test_a_pipe_is_not_waited_for(project: Path) -> None:
    os.mkfifo(project / "pipe")
    with pytest.raises(NodeError, match="pipe: "):
        write(project, "pipe")


def test_what_a_protected_link_leads_to_is_protected(project: Path) -> None:
    """`.ai` may be a link to a folder with another name: that folder is where tools are found."""
    (project / ".ai").rename(project / "items")
    (project / ".ai").symlink_to(project / "items")
    for path in ("items/tools/say.py", ".ai/tools/say.py", "items/tools/new.py"):
        denied(project, path)
    (project / "sub").mkdir()
    (project / "sub" / ".ai").symlink_to(project / "notes")
    denied(project, "sub/.ai/a.md")


def test_a_project_below_such_a_folder_is_a_project(tmp_path: Path) -> None:
    project = tmp_path / ".ai" / "projects" / "one"
    project.mkdir(parents=True)
    assert write(project, "x.md")["created"] is True
    assert write(project, str(project / "y.md"))["created"] is True
    denied(project, ".ai/x.md")


def test_a_folder_can_be_opened(project: Path) -> None:
    protection = Protection((project / "src",), (project / ".ai" / "knowledge" / "log", project / "src" / "out"))
    for path in (".ai/knowledge/log/a.md", ".ai/knowledge/log/deep/a.md", "src/out/x"):
        write(project, path, protection)
    for path in (".ai/knowledge/a.md", ".ai/knowledge/log2/a.md", ".ai/knowledge/log/.git/config", "src/x", ".git/x"):
        denied(project, path, protection)
    open_all = Protection((), (project,))
    denied(project, ".ai/tools/x.py", open_all)  # the project folder is open as it is: it opens nothing in it
    denied(project, ".ai/knowledge/log/../../tools/x.py", protection)


WRITE = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.rye.file-system.write]
config_schema: {type: object, properties: {path: {type: string}}}
config:
  start: save
  nodes:
    save: {action: {item_id: "tool:rye/file-system/write", params: {path: "${inputs.path}", content: "x"}}, next: done}
    done: {type: return}
"""


def test_the_command_line_passes_what_the_configuration_names(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    (project / "graphwright.toml").write_text(
        'roots = ["graphs"]\noutput = "lib"\ntemplates = "layout"\nwritable = [".ai/state"]\n'
    )
    (project / "graphs").mkdir()
    (project / "layout").mkdir()
    (project / "graphs" / "write.yaml").write_text(WRITE)
    for path in ("graphs/x.yaml", "lib/x.py", "layout/x.j2", ".ai/tools/x.py", "graphwright.toml", "LIB/../lib/x"):
        done = graphwright("run", "-q", "graphs/write.yaml", "-i", f"path={path}")
        assert done.code == 1, path
        assert "a graph may not write to" in json.loads(done.stdout)["error"]
    for path in (".ai/state/x", "out/x"):
        assert graphwright("run", "-q", "graphs/write.yaml", "-i", f"path={path}").code == 0, path


# --- what is free -------------------------------------------------------------------------------------------------

INTERNAL = "rye/agent/threads/internal/evil"


@pytest.mark.parametrize("name", ["evil", "control"])
def test_what_is_free_is_no_file_of_a_project(project: Path, tmp_path: Path, name: str) -> None:
    item_id = f"rye/agent/threads/internal/{name}"
    action = dynamic("execute", "tool", item_id)

    async def work(c: AnyCursor) -> None:
        c.finish(await c.call(action, {"action": "fail"}))

    def said(*capabilities: str) -> object:
        env = {"HOME": str(tmp_path / "home")}
        result = ran(
            small.graph(work, permissions=None),
            tools={},
            project=project,
            env=env,
            capabilities=capabilities,
            host=InProcessHost(),
        ).result
        return result.error or result.output

    own = {"action": "fail"} if name == "control" else f"no tool `{item_id}`"
    assert str(own) in str(said())
    for base in (tmp_path / "home", project):
        tool = base / ".ai" / "tools" / f"{item_id}.py"
        tool.parent.mkdir(parents=True)
        tool.write_text("def execute(params, project_path):\n    return {'said': 'planted'}\n")
        assert f"permission denied: `{action.capability}`" in str(said())
        assert said(action.capability) == {"said": "planted"}


def test_only_calling_a_tool_is_free() -> None:
    nothing = Grants([[]])
    assert nothing.allow(dynamic("execute", "tool", INTERNAL))
    for primary, kind in (("load", "tool"), ("load", "knowledge"), ("execute", "directive"), ("search", "tool")):
        assert not nothing.allow(dynamic(primary, kind, INTERNAL)), (primary, kind)
    assert not nothing.allow(dynamic("execute", "tool", "rye/agent/threads/internal/../../../x"))


# --- keys ---------------------------------------------------------------------------------------------------------

KEYS = (
    "GRAPHWRIGHT_SIGNING_KEY",
    "graphwright_signing_key",
    "RYE_SIGNING_KEY",
    "RYEOS_NODE_SIGNING_KEY",
    "GRAPHWRIGHT_SIGNING_KEY_2",
)


def test_keys_are_withheld() -> None:
    env = {**dict.fromkeys(KEYS, "secret"), "PATH": "/bin", "RYE_API_KEY": "for a tool", "MY_SIGNING_KEY": "mine"}
    assert without_keys(env) == {"PATH": "/bin", "RYE_API_KEY": "for a tool", "MY_SIGNING_KEY": "mine"}
    forget_keys(env)
    assert not set(KEYS) & set(env)


LOOK = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.rye.bash, rye.execute.tool.look, rye.execute.tool.program]
config:
  start: shell
  state: {a: "", b: "", c: ""}
  nodes:
    shell: {action: {item_id: "tool:rye/bash", params: {command: env}}, assign: {a: "${result.stdout}"}, next: python}
    python: {action: {item_id: "tool:look"}, assign: {b: "${result.env}"}, next: program}
    program: {action: {item_id: "tool:program"}, assign: {c: "${result.env}"}, next: done}
    done: {type: return, output: "${state.a} ${state.b} ${state.c}"}
"""


def test_no_tool_sees_the_key_that_signs(project: Path) -> None:
    """A shell, a Python tool that looks at the environment of the process, and a program."""
    tools = project / ".ai" / "tools"
    (tools / "look.py").write_text(
        "import os\ndef execute(params, project_path):\n    return {'env': str(dict(os.environ))}\n"
    )
    program = tools / "program"
    program.write_text("#!/usr/bin/env python3\nimport os, json\nprint(json.dumps({'env': str(dict(os.environ))}))\n")
    program.chmod(0o755)
    (project / "all.yaml").write_text(LOOK)
    secret = "the-secret-of-the-key"
    done = subprocess.run(
        [sys.executable, "-m", "graphwright", "run", "-q", "all.yaml"],
        cwd=project, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "GRAPHWRIGHT_SIGNING_KEY": secret, "SOMETHING_ELSE": "that-is-passed-on"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    output = json.loads(done.stdout)["output"]
    assert output.count("that-is-passed-on") == 3
    assert secret not in done.stdout

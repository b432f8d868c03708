"""Tools in files that misbehave: each is an error of the node that says what is wrong."""

from __future__ import annotations

import asyncio
import datetime
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphwright_runtime.abi import NodeError, RunResult, dynamic, execute
from graphwright_runtime.classify import classify
from graphwright_runtime.errortable import read_rules
from runtime.small import AnyCursor, QuickHost, graph, work_continued


def called(project: Path, item_id: str = "x/tool", **more: Any) -> RunResult[Any, Any]:
    """A run whose one node calls a tool of the project."""

    async def node(c: AnyCursor) -> str | None:
        c.commit({"result": await c.call(dynamic("execute", None, item_id), {"n": 1})})
        return "done"

    record = graph(node, permissions=("*",), actions=(), builtin_hooks=False)
    return asyncio.run(execute(record, {}, project=project, host=QuickHost(), **more))


def program(project: Path, text: str | bytes, mode: int = 0o755) -> Path:
    """A program of the project."""
    path = project / ".ai/tools/x/tool.sh"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("echo not json", "tool.sh did not write valid JSON: "),
        ('printf \'{"a": "\\377"}\'', "tool.sh did not write valid JSON: 'utf-8' codec can't decode byte 0xff"),
        ("echo '{\"a\": NaN}'", "the result is not JSON: a: nan"),
        ("echo '{} {}'", "tool.sh did not write valid JSON: "),
        ("yes '[' | head -100000 | tr -d '\\n'", "tool.sh did not write valid JSON: "),
        ("printf 9%.0s $(seq 5000)", "tool.sh did not write valid JSON: "),
        ("head -c 70000000 /dev/zero", "tool.sh wrote more than 64 MiB of output"),
        ("head -c 70000000 /dev/zero >&2", "tool.sh wrote more than 64 MiB of output"),
        ("head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 1", "tool.sh: xxx"),
        ("printf '\\377' >&2; exit 1", "tool.sh: \ufffd"),
        ("kill -9 $$", "tool.sh: killed by SIGKILL"),
        ("kill -TERM $$", "tool.sh: killed by SIGTERM"),
        ("exit 7", "tool.sh: exit code 7"),
        ("exec 0<&-; exit 3", "tool.sh: exit code 3"),
    ],
)
def test_a_program_that_does_not_answer(script: str, says: str, tmp_path: Path) -> None:
    program(tmp_path, f"#!/bin/sh\n{script}\n")
    result = called(tmp_path)
    assert (result.status, result.node) == ("error", "work")
    assert result.error is not None
    assert says in result.error
    assert len(result.error) < 11_000


@pytest.mark.parametrize("script", ["", "true", "echo", "cat >/dev/null", "exec 0<&-"])
def test_a_program_that_says_nothing(script: str, tmp_path: Path) -> None:
    program(tmp_path, f"#!/bin/sh\n{script}\n")
    assert called(tmp_path).state == {"result": {}}


@pytest.mark.parametrize(
    ("text", "mode", "says"),
    [
        ("#!/no/such/interpreter\n", 0o755, "tool.sh cannot be started: "),
        (b"\x7fELF nonsense", 0o755, "tool.sh cannot be started: "),
        ("", 0o755, "tool.sh cannot be started: "),
        ("#!/bin/sh\n", 0o644, "no tool `x/tool`"),
    ],
)
def test_a_program_that_cannot_be_started(text: str | bytes, mode: int, says: str, tmp_path: Path) -> None:
    program(tmp_path, text, mode)
    assert says in str(called(tmp_path).error)


@pytest.mark.parametrize("gone", ["program", "project"])
def test_files_that_are_deleted_while_a_run_lasts(gone: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    path = program(project, "#!/bin/sh\necho '{}'\n")

    async def node(c: AnyCursor) -> str | None:
        await c.call(dynamic("execute", None, "x/tool"), {})
        for each in [path, *([] if gone == "program" else path.parents[:4])]:
            each.unlink() if each == path else each.rmdir()
        await c.call(dynamic("execute", None, "x/tool"), {})
        return "done"

    result = asyncio.run(execute(graph(node, permissions=("*",), actions=()), {}, project=project, durability="off"))
    assert (result.status, result.node) == ("error", "work")
    assert "tool.sh cannot be started: " in str(result.error)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("raise SystemExit(3)", "tool.py cannot be loaded: SystemExit: 3"),
        ("import sys; sys.exit()", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise BaseException('x')", "x"),
        ("1 +", "tool.py cannot be loaded: SyntaxError"),
        ("\0", "tool.py cannot be loaded: "),
        ("(" * 500, "tool.py cannot be loaded: "),
        ("class E(Exception):\n    def __str__(self): raise E\nraise E", "tool.py cannot be loaded: E"),
        ("def execute(params, project): raise SystemExit('no')", "SystemExit: no"),
        ("def execute(): pass", "takes 0 positional arguments but 1 was given"),
        ("execute = 3", "has no function execute"),
    ],
)
def test_python_files(code: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / ".ai/tools/x/tool.py"
    path.parent.mkdir(parents=True)
    path.write_text(code, "utf-8")
    result = called(tmp_path)
    assert (result.status, result.node) == ("error", "work")
    assert says in str(result.error)


def test_a_working_directory_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    result = asyncio.run(execute(graph(), {}, env={}))
    assert result.status == "error"
    assert result.error == "the working directory cannot be used as the project: No such file or directory"


# --- `.graphwright/errors.toml`

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**60), 2**60),
    st.floats(),
    st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0xFFFF), max_size=5),
    st.just(datetime.date(2026, 1, 1)),
).filter(lambda value: value is not None)
CONDITIONS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "path": st.sampled_from(["error.message", "error.code", "error", "node", "", "..", "x[0]"]) | VALUES,
            "op": st.sampled_from(["eq", "ne", "lt", "gte", "in", "contains", "regex", "exists", "like"]) | VALUES,
            "value": VALUES | st.lists(VALUES, max_size=2) | st.just("(a+)+$") | st.just("("),
        },
    ),
    lambda inner: st.one_of(
        st.fixed_dictionaries({"not": inner}),
        st.fixed_dictionaries({"any": st.lists(inner, max_size=2)}),
        st.fixed_dictionaries({"all": st.lists(inner, max_size=2) | VALUES}),
    ),
    max_leaves=4,
)
ENTRIES = st.fixed_dictionaries(
    {}, optional={"category": st.sampled_from(["transient", "permanent"]) | VALUES, "condition": CONDITIONS | VALUES}
)


def toml(value: object) -> str:
    """A value as TOML writes it."""
    match value:
        case dict():
            return f"{{{', '.join(f'{json.dumps(key)} = {toml(each)}' for key, each in value.items())}}}"
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case float() | datetime.date():
            return str(value)
        case _:
            return json.dumps(value).replace("\x7f", "\\u007f")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(entries=st.lists(ENTRIES, max_size=3) | VALUES)
def test_no_table_can_break_a_run(entries: Any, tmp_path: Path) -> None:
    (tmp_path / ".graphwright").mkdir(exist_ok=True)
    (tmp_path / ".graphwright/errors.toml").write_text(f"errors = {toml(entries)}\n", "utf-8")
    rules = read_rules(tmp_path)
    assert classify(NodeError("boom" + "a" * 40, code=500), rules) in ("transient", "permanent")


@pytest.mark.parametrize(
    "data",
    [b"\xff", b"errors = " + b"9" * 5000, b"errors = " + b"[" * 5000, b"[[errors]]\n[[errors", b"errors = {a = 1}"],
)
def test_a_table_that_cannot_be_read_is_one_warning(
    data: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / ".graphwright").mkdir()
    (tmp_path / ".graphwright/errors.toml").write_bytes(data)
    result = asyncio.run(execute(graph(work_continued), {}, project=tmp_path, env={}))
    assert result.status == "completed_with_errors"
    assert len(caplog.records) == 1
    assert "errors.toml " in caplog.records[0].message


def test_a_table_that_is_a_folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / ".graphwright/errors.toml").mkdir(parents=True)
    assert read_rules(tmp_path) == ()
    assert "errors.toml cannot be read: " in caplog.records[0].message

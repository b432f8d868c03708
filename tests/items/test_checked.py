"""What `check` knows of `load`, `search`, `sign` and directives: their params and their results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import graphwright

HEAD = """\
tool_type: graph
permissions: [PERMISSIONS]
config:
  start: go
  nodes:
    go: {action: ACTION, assign: {got: "${READ}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""
LOAD = "{primary: load, item_type: knowledge, item_id: style}"
SEARCH = "{primary: search, item_type: knowledge, params: {query: words}}"
SIGN = "{primary: sign, item_type: knowledge, item_id: style}"
EXECUTE = "{item_type: directive, item_id: review}"


def found(action: str, read: str) -> list[tuple[str, str]]:
    """The findings in a graph with this action, which reads this of its result: code and message."""
    text = HEAD.replace("PERMISSIONS", "rye.*").replace("ACTION", action).replace("READ", read)
    file = Path(".ai/tools/one.yaml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    told = json.loads(graphwright("check", str(file), "--format", "json").stdout)
    return [(each["code"], each["message"]) for each in told["diagnostics"] if each["code"] != "GW602"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("action", "read"),
    [
        (LOAD, "result.content | lines"),
        (LOAD, "result.metadata.title"),
        (LOAD, "result.signature.status | upper"),
        (SEARCH, "result.results.0.snippet | trim"),
        (SEARCH, "result.total + 1"),
        (SIGN, "result.path | upper"),
        (EXECUTE, "result.content | trim"),
        (EXECUTE, "result.outputs.0.description | upper"),
        (EXECUTE, "result.inputs.anything"),
    ],
)
def test_what_they_return(action: str, read: str) -> None:
    assert found(action, read) == []


@pytest.mark.parametrize(
    ("action", "read", "code", "said"),
    [
        (LOAD, "result.contnt", "GW703", "`load` does not return `contnt`"),
        (SEARCH, "result.reslts", "GW703", "`search` does not return `reslts`"),
        (SIGN, "result.keyid", "GW703", "`sign` does not return `keyid`"),
        (EXECUTE, "result.verdict", "GW703", "executing a directive only parses it; the result has no `verdict`"),
        (LOAD, "result.signature.keyid", "GW410", "an object has no `keyid`"),
        (SEARCH, "result.results.0.titel", "GW410", "an object has no `titel`"),
        (EXECUTE, "result.outputs.0.value", "GW410", "an object has no `value`"),
        (LOAD, "result.content + 1", "GW407", "adds a string and an integer"),
        (SEARCH, "result.results | upper", "GW407", ""),
        (
            LOAD.replace("style}", "style, params: {sorce: all}}"),
            "result.content",
            "GW702",
            "`load` has no param `sorce`",
        ),
        (LOAD.replace("style}", "style, params: {source: al}}"), "result.content", "GW412", "values that `load` takes"),
        (SEARCH.replace("query: words", "limit: all"), "result.total", "GW412", "but `search` takes a number"),
        (LOAD.replace("knowledge", "knowlege"), "result.content", "GW106", "`knowlege` is not a known kind of item"),
        (LOAD.replace("load", "laod"), "result.content", "GW106", "`laod` is not a known"),
        ("{primary: load, item_id: knowlege:style}", "result.content", "GW106", "`knowlege` is not a known"),
        ("{primary: load, item_type: tool, item_id: knowledge:style}", "result.content", "GW107", ""),
    ],
)
def test_what_cannot_be_right_is_one_finding(action: str, read: str, code: str, said: str) -> None:
    [(its_code, message)] = found(action, read)
    assert its_code == code
    assert said in message


def test_the_types_of_results_are_those_of_the_module() -> None:
    text = HEAD.replace("PERMISSIONS", "rye.load.knowledge.*, rye.search.knowledge").replace("ACTION", LOAD)
    text = text.replace("${READ}", "${result.content}").replace("next: done}\n", "next: find}\n", 1)
    text = text.replace(
        "    done:", f'    find: {{action: {SEARCH}, assign: {{n: "${{result.total}}"}}, next: done}}\n    done:'
    )
    Path(".ai/tools").mkdir(parents=True)
    Path(".ai/tools/one.yaml").write_text(text)
    built = graphwright("build", "--no-sign", "--no-typecheck")
    assert built.code == 0, built.stderr
    module = Path("generated/one.py").read_text()
    assert "    got: NotRequired[str]\n    n: NotRequired[int]\n" in module or "got: str" in module

"""`load`, `search`, `sign` and `execute` in a project with real folders, through `graphwright run`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright
from durability.kept import compiled
from graphwright_runtime.testing import FrozenHost, SimulatedCrash, run_scripted
from graphwright_runtime.trust.private import default_key

#: A graph with one action; its result is the output.
ONE = """\
tool_type: graph
permissions: [PERMISSIONS]
config_schema: {type: object, properties: {x: {type: string, default: ""}}}
config:
  start: go
  nodes:
    go: {action: ACTION, assign: {got: "${result}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""
REVIEW = """\
# Review

```xml
<directive name="review" version="1.0.0">
  <inputs>
    <input name="diff" type="string" required="true">What changed</input>
    <input name="depth" type="integer" default="2">How closely</input>
  </inputs>
  <outputs><output name="verdict" type="string">What to do</output></outputs>
</directive>
```
Read {input:diff} {input:depth} times.
"""


class Space:
    """A project, the current folder, and the home of its user."""

    def __init__(self, folder: Path) -> None:
        self.project, self.home = folder / "project", folder / "home"

    def write(self, path: str, text: str, *, user: bool = False) -> Path:
        """A file below `.ai`."""
        file = (self.home if user else self.project) / ".ai" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def policy(self, policy: str) -> None:
        """What the project asks of the signatures of tools, directives and knowledge."""
        (self.project / "graphwright.toml").write_text(f'[trust]\ntools = "{policy}"\n')

    def run(self, action: str, permissions: str, *arguments: str, code: int = 0) -> Any:
        """The output of a graph with this action, or its error."""
        self.write("tools/one.yaml", ONE.replace("PERMISSIONS", permissions).replace("ACTION", action))
        done = graphwright("run", "-q", "one", *arguments)
        assert done.code == code, done.stderr
        result = json.loads(done.stdout)
        return result["error"] if code else result["output"]


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Space:
    for name in ("GRAPHWRIGHT_SIGNING_KEY", "GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_TRUST_TOOLS"):
        monkeypatch.delenv(name, raising=False)
    found = Space(tmp_path)
    (found.project / ".ai").mkdir(parents=True)
    found.home.mkdir()
    monkeypatch.setenv("HOME", str(found.home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(found.project)
    return found


LOAD = "{primary: load, item_id: knowledge:style}"
SIGN = "{primary: sign, item_id: knowledge:style}"


def test_load_as_specified(space: Space) -> None:
    space.write("knowledge/style.md", "---\ntitle: Style\ntags: [prose]\n---\nShort words.\n", user=True)
    assert space.run(LOAD, "rye.load.knowledge.style") == {
        "item_id": "style",
        "kind": "knowledge",
        "content": "Short words.\n",
        "metadata": {"title": "Style", "tags": ["prose"]},
        "signature": {"status": "unsigned", "key_id": None},
    }
    space.write("knowledge/style.md", "Project words.\n")
    assert space.run(LOAD, "rye.load.knowledge.style")["content"] == "Project words.\n", "the project comes first"
    fetched = space.run("{primary: fetch, item_type: knowledge, item_id: style}", "rye.fetch.knowledge.*")
    assert fetched["content"] == "Project words.\n"
    of_user = "{primary: load, item_id: knowledge:style, params: {source: user}}"
    assert space.run(of_user, "rye.load.knowledge.style")["content"] == "Short words.\n"


def test_search_as_specified(space: Space) -> None:
    space.write("knowledge/style/prose.md", "# Prose\n\nShort words.\n")
    space.write("knowledge/style/words.md", "# Long words\n")
    space.write("knowledge/mine.md", "words", user=True)
    action = "{primary: search, item_type: knowledge, params: {query: words, limit: 1}}"
    assert space.run(action, "rye.search.knowledge", "--durability", "off") == {
        "results": [{"item_id": "style/words", "kind": "knowledge", "title": "Long words", "snippet": "# Long words"}],
        "total": 2,
    }
    everywhere = "{primary: search, item_type: knowledge, params: {query: words, source: all}}"
    assert space.run(everywhere, "rye.search.knowledge", "--durability", "off")["total"] == 3


def test_execute_of_a_directive_fills_its_inputs(space: Space) -> None:
    space.write("directives/team/review.md", REVIEW)
    action = '{item_type: directive, item_id: team/review, params: {diff: "${inputs.x}"}}'
    found = space.run(action, "rye.execute.directive.team.review", "-i", "x=+1 {input:depth}")
    assert (found["item_id"], found["kind"], found["name"]) == ("team/review", "directive", "review")
    assert found["inputs"] == {"diff": "+1 {input:depth}", "depth": 2}
    assert found["content"] == "# Review\n\nRead +1 {input:depth} 2 times."
    assert found["outputs"] == [{"name": "verdict", "type": "string", "description": "What to do"}]


def test_sign_writes_the_header_that_require_asks_for(space: Space) -> None:
    assert graphwright("keys", "new", "me").code == 0
    key = default_key()
    assert key is not None
    assert graphwright("keys", "trust", key.key_id).code == 0
    file = space.write("knowledge/style.md", "Short words.\n")
    space.policy("require")
    assert "is not trusted: it is not signed" in space.run(LOAD, "rye.load.knowledge.style", code=1)
    found = space.run(SIGN, "rye.sign.knowledge.style")
    assert found == {"item_id": "style", "path": ".ai/knowledge/style.md", "key_id": key.key_id}
    assert file.read_text().startswith("<!-- graphwright:signed:")
    loaded = space.run(LOAD, "rye.load.knowledge.style")
    assert (loaded["content"], loaded["signature"]) == (
        "Short words.\n",
        {"status": "trusted", "key_id": key.key_id},
    )
    before = file.read_bytes()
    assert space.run(SIGN, "rye.sign.knowledge.style") == found, "the same signature again"
    assert file.read_bytes() == before
    file.write_text(file.read_text().replace("Short", "Long"))
    assert "it was changed after it was signed" in space.run(LOAD, "rye.load.knowledge.style", code=1)
    said = "the knowledge `style` is not signed: it was changed after it was signed"
    assert space.run(SIGN, "rye.sign.knowledge.style", code=1) == said


@pytest.mark.parametrize(
    ("kind", "path", "text", "line"),
    [
        ("tool", "tools/count.py", "def execute(params):\n    return {'n': 1}\n", "# graphwright:signed:"),
        ("tool", "tools/count.sh", "#!/bin/sh\necho '{\"n\": 1}'\n", "#!/bin/sh\n# graphwright:signed:"),
        ("tool", "tools/count.yaml", ONE, "# graphwright:signed:"),
        ("directive", "directives/count.md", REVIEW, "<!-- graphwright:signed:"),
        ("knowledge", "knowledge/count.json", '{"n": 1}', "# graphwright:signed:"),
    ],
)
def test_every_kind_of_item_is_signed(space: Space, kind: str, path: str, text: str, line: str) -> None:
    assert graphwright("keys", "new", "me").code == 0
    file = space.write(path, text)
    file.chmod(0o750)
    space.run(f"{{primary: sign, item_type: {kind}, item_id: count}}", f"rye.sign.{kind}.count")
    assert file.read_text().startswith(line)
    assert file.stat().st_mode & 0o777 == 0o750
    assert graphwright("verify", str(file)).code in (0, 1)  # a key that nobody trusts yet is no crash
    loaded = space.run(f"{{primary: load, item_type: {kind}, item_id: count}}", f"rye.load.{kind}.count")
    assert loaded["signature"]["status"] == "unknown key"


def test_a_signed_tool_is_what_runs(space: Space) -> None:
    key = graphwright("keys", "new", "me")
    assert key.code == 0
    signer = default_key()
    assert signer is not None
    assert graphwright("keys", "trust", signer.key_id).code == 0
    file = space.write("tools/count.py", "def execute(params):\n    return {'n': 1}\n")
    space.policy("require")
    call, granted = "{item_id: tool:count}", "rye.execute.tool.count, rye.sign.tool.count"
    assert "is not signed" in space.run(call, granted, code=1)
    space.run("{primary: sign, item_id: tool:count}", granted)
    assert space.run(call, granted) == {"n": 1}
    file.write_text(file.read_text().replace("'n': 1", "'n': 2"))
    assert "changed after it was signed" in space.run(call, granted, code=1)


def test_there_is_no_key_to_sign_with(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    file = space.write("knowledge/style.md", "Short words.\n")
    said = "you have no key to sign with: run `graphwright keys new NAME`, or set GRAPHWRIGHT_SIGNING_KEY"
    assert space.run(SIGN, "rye.sign.knowledge.style", code=1) == said
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", "secret")
    error = space.run(SIGN, "rye.sign.knowledge.style", code=1)
    assert "GRAPHWRIGHT_SIGNING_KEY is not a private key" in error
    assert "secret" not in error
    assert file.read_text() == "Short words.\n"


@pytest.mark.parametrize(
    ("action", "needed"),
    [
        (LOAD, "rye.load.knowledge.style"),
        (SIGN, "rye.sign.knowledge.style"),
        ("{primary: search, item_type: knowledge}", "rye.search.knowledge"),
        ("{primary: search, item_type: knowledge, item_id: style}", "rye.search.knowledge.style"),
        ("{item_type: directive, item_id: style}", "rye.execute.directive.style"),
        ("{primary: load, item_id: style}", "rye.load.tool.style"),
    ],
)
def test_each_action_needs_its_own_capability(space: Space, action: str, needed: str) -> None:
    space.write("knowledge/style.md", "x")
    for granted in ("rye.execute.tool.*", needed.replace("rye.", "rye.x", 1)):
        error = space.run(action, needed, "--capability", granted, code=1)
        assert error.startswith(f"permission denied: `{needed}` is not among the capabilities")
    assert (space.project / ".ai/knowledge/style.md").read_text() == "x"


def test_a_tool_in_python_uses_items(space: Space) -> None:
    space.write("knowledge/style.md", "# Style\n")
    space.write("directives/review.md", REVIEW)
    space.write(
        "tools/uses.py",
        "def execute(params, context):\n"
        "    loaded = context.call_sync('knowledge:style', primary='load')\n"
        "    found = context.call_sync(None, {'query': 'style'}, primary='search', kind='knowledge')\n"
        "    filled = context.call_sync('directive:review', {'diff': 'x'})\n"
        "    try:\n"
        "        context.call_sync('knowledge:style', primary='sign')\n"
        "    except Exception as error:\n"
        "        return {'got': [loaded['content'], found['total'], filled['inputs'], error.category]}\n",
    )
    granted = "rye.execute.tool.uses, rye.load.knowledge.*, rye.search.knowledge, rye.execute.directive.review"
    assert space.run("{item_id: tool:uses}", granted)["got"] == ["# Style\n", 1, {"diff": "x", "depth": 2}, "denied"]


# --- the state of a run


STATES = """\
tool_type: graph
permissions: ["rye.*"]
config:
  start: count
  state: {n: 0}
  nodes:
    count: {type: gate, assign: {n: "${state.n + 1}"}, next: look}
    look:
      action: {primary: load, item_id: "knowledge:graphs/${_run.graph_id}/${_run.id}"}
      assign: {seen: "${result.content | from_json}", about: "${result.metadata}", signed: "${result.signature}"}
      next: done
    done: {type: return, output: {seen: "${state.seen}", about: "${state.about}", signed: "${state.signed}"}}
"""


@pytest.mark.parametrize("policy", ["off", "require"])
def test_the_state_of_a_run_is_that_of_its_log(space: Space, policy: str) -> None:
    """The view does not exist yet: it is first written half a second after the start."""
    space.policy(policy)
    space.write("tools/states.yaml", STATES)
    done = graphwright("run", "-q", "states", "--run-id", "r")
    assert done.code == 0, done.stderr
    found = json.loads(done.stdout)["output"]
    assert found["seen"] == {"inputs": {}, "n": 1}
    about = found["about"]
    assert (about["status"], about["current_node"], about["step_count"]) == ("running", "look", 1)
    assert (about["graph_run_id"], about["entry_type"]) == ("r", "graph_state")
    assert found["signed"]["status"] == "trusted"
    load = "{primary: load, item_id: knowledge:graphs/states/r}"
    after = space.run(load, "rye.load.knowledge.graphs.*")
    assert (after["metadata"]["status"], after["signature"]) == ("completed", found["signed"])
    assert json.loads(after["content"])["seen"] == found["seen"]
    history = space.run("{primary: load, item_id: knowledge:agent/threads/states/r}", "rye.load.knowledge.*")
    assert history["signature"] == found["signed"]


def test_the_state_of_a_killed_run_is_that_of_its_log(space: Space) -> None:
    """Its view was never written."""
    text = STATES.replace("next: look", "next: more").replace(
        "    look:", "    more: {type: gate, next: look}\n    look:"
    )
    host = FrozenHost(crash_after="count")
    with compiled(text, "states") as module, pytest.raises(SimulatedCrash):
        run_scripted(module.GRAPH, {}, {}, host=host, project=space.project, run_id="r", durability="process")
    found = space.run("{primary: load, item_id: knowledge:graphs/states/r}", "rye.load.knowledge.graphs.*")
    assert (json.loads(found["content"]), found["metadata"]["status"]) == ({"inputs": {}, "n": 1}, "orphaned")


def test_a_view_that_was_changed_is_not_trusted(space: Space) -> None:
    space.policy("require")
    space.write("tools/states.yaml", STATES)
    assert graphwright("run", "-q", "states", "--run-id", "r").code == 0
    view = space.project / ".ai/knowledge/graphs/states/r.md"
    view.write_text(view.read_text().replace('"n": 1', '"n": 2'))
    error = space.run("{primary: load, item_id: knowledge:graphs/states/r}", "rye.load.knowledge.graphs.*", code=1)
    assert "is not trusted: it was changed after it was signed" in error


def test_the_log_of_a_killed_run_must_be_whole(space: Space) -> None:
    space.write("tools/states.yaml", STATES)
    assert graphwright("run", "-q", "states", "--run-id", "r").code == 0
    log = space.project / ".ai/state/threads/r/transcript.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:5]).replace(b'"n":1', b'"n":2'))
    error = space.run("{primary: load, item_id: knowledge:graphs/states/r}", "rye.load.knowledge.graphs.*", code=1)
    assert "is not what the run wrote" in error
    log.write_bytes(b"".join(lines[: [b"signature" in line for line in lines].index(True) + 1]))
    error = space.run("{primary: load, item_id: knowledge:graphs/states/r}", "rye.load.knowledge.graphs.*", code=1)
    assert "lines are missing at its end" in error


# --- what changes, and where it is


@pytest.mark.parametrize("policy", ["off", "require"])
def test_an_item_that_changes_during_the_run(space: Space, policy: str) -> None:
    """What was verified is what a call gets; what is no longer what was signed is refused."""
    assert graphwright("keys", "new", "me").code == 0
    signer = default_key()
    assert signer is not None
    assert graphwright("keys", "trust", signer.key_id).code == 0
    for name in ("change", "count"):
        code = {
            "change": "def execute(params, project_path):\n"
            "    for name in ('.ai/knowledge/style.md', '.ai/tools/count.py'):\n"
            "        with open(f'{project_path}/{name}', 'a') as file:\n"
            "            print('# more', file=file)\n",
            "count": "def execute(params):\n    return {'n': 1}\n",
        }[name]
        file = space.write(f"tools/{name}.py", code)
        assert graphwright("sign", str(file)).code == 0
    file = space.write("knowledge/style.md", "Short words.\n")
    assert graphwright("sign", str(file)).code == 0
    space.policy(policy)
    text = """\
tool_type: graph
permissions: ["rye.*"]
config:
  start: first
  nodes:
    first: {action: {item_id: tool:count}, next: load}
    load: {action: {primary: load, item_id: knowledge:style}, assign: {before: "${result.content}"}, next: change}
    change: {action: {item_id: tool:change}, next: again}
    again: {action: {item_id: tool:count}, assign: {n: "${result.n}"}, next: reload}
    reload: {action: {primary: load, item_id: knowledge:style}, assign: {after: "${result.content}"}, next: done}
    done: {type: return, output: ["${state.n}", "${state.before}", "${state.after}"]}
"""
    space.write("tools/one.yaml", text)
    result = json.loads(graphwright("run", "-q", "one").stdout)
    if policy == "off":
        assert result["output"] == [1, "Short words.\n", "Short words.\n# more\n"]
    else:
        assert result["state"]["n"] == 1, "the tool was read once"
        assert "the knowledge `style` is not trusted: it was changed after it was signed" in result["error"]


def test_check_and_run_use_the_same_file(space: Space) -> None:
    """The project's directive and tool, then the user's."""
    directive = '```xml\n<directive name="d"><inputs><input name="NAME" required="true"/></inputs></directive>\n```\n'
    code = "from typing import TypedDict\n\n\nclass Params(TypedDict):\n    NAME: str\n\n\n"
    code += "def execute(params: Params):\n    return {'got': params['NAME']}\n"
    for user, name in ((True, "theirs"), (False, "ours")):
        space.write("directives/d.md", directive.replace("NAME", name), user=user)
        space.write("tools/t.py", code.replace("NAME", name), user=user)

    def verdicts(action: str, name: str) -> tuple[list[str], str]:
        text = ONE.replace("PERMISSIONS", '"rye.*"').replace("ACTION", f"{{{action}, params: {{{name}: x}}}}")
        space.write("tools/one.yaml", text)
        told = json.loads(graphwright("check", ".ai/tools/one.yaml", "--format", "json").stdout)
        codes = sorted({each["code"] for each in told["diagnostics"] if each["severity"] == "error"})
        done = graphwright("run", "-q", "one", "--durability", "off")
        return codes, json.loads(done.stdout)["status"] if done.stdout else "refused"

    for action in ("item_type: directive, item_id: d", "item_id: tool:t"):
        assert verdicts(action, "ours") == ([], "completed")
        assert verdicts(action, "theirs") == (["GW702"], "refused")
    (space.project / ".ai/directives/d.md").unlink()
    (space.project / ".ai/tools/t.py").unlink()
    for action in ("item_type: directive, item_id: d", "item_id: tool:t"):
        assert verdicts(action, "theirs") == ([], "completed")
        assert verdicts(action, "ours") == (["GW702"], "refused")

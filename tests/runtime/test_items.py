"""Items as texts: `load`, `search`, and directives."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest

from graphwright_runtime.capability import Grants
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import dynamic
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.items import ItemTrust, ItemWarning
from graphwright_runtime.trust.truststore import TrustedKey, TrustStore
from graphwright_runtime.trust.verification import Policy
from graphwright_runtime.values import Json, Result, json_copy
from runtime import small
from signing.packages import ALICE

REVIEW = """\
<!-- rye:unsigned -->
# Review a change

```xml
<directive name="review" version="1.2.0">
  <metadata>
    <description>Look at a change
      and judge it</description>
  </metadata>
  <!-- what it takes -->
  <inputs>
    <input name="diff" type="string" required="true">What to look at</input>
    <input name="depth" type="integer" default="2">How closely</input>
    <input name="hints" type="array">What to look for</input>
  </inputs>
  <outputs>
    <output name="verdict" type="string">accept or reject</output>
  </outputs>
</directive>
```

Read {input:diff} {input:depth} times. Hints: {input:hints}. Not ours: {input:other}.
"""


class Space:
    """A project and a user's folder, with items in them."""

    def __init__(self, folder: Path) -> None:
        self.project, self.home = folder / "project", folder / "home"
        self.trust: ItemTrust | None = None

    def write(self, path: str, text: str, *, user: bool = False) -> Path:
        """An item's file below `.ai`."""
        file = (self.home if user else self.project) / ".ai" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def ask(self, primary: str, item_id: str | None, /, **params: object) -> Any:
        """What an action gives."""
        return asyncio.run(self._ask(primary, item_id, params))

    def error(self, primary: str, item_id: str | None, /, **params: object) -> NodeError:
        """What an action fails with."""
        with pytest.raises(NodeError) as caught:
            self.ask(primary, item_id, **params)
        return caught.value

    async def _ask(self, primary: str, item_id: str | None, params: dict[str, Any]) -> object:
        action = dynamic(primary, None, item_id)
        host = InProcessHost(trust=self.trust)
        context = Context(
            run_id="r",
            graph_id="g",
            node="n",
            step=1,
            index=None,
            idempotency_key="r/1",
            project=self.project,
            env={"HOME": str(self.home)},
            limits={},
            services=Alone(),
        )
        return await host.dispatch(action, params, context)


class Alone:
    """The services of a run that nobody may ask for anything."""

    cancelled = False
    family = None

    graph = small.graph()
    grants = Grants([])

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def perform(self, *_: object) -> Result:
        pytest.fail("calls nothing")

    async def nest(self, *_: object) -> dict[str, Json]:
        pytest.fail("runs nothing")

    async def thread(self, *_: object) -> dict[str, Json]:
        pytest.fail("starts nothing")

    def tell(self, name: str, payload: dict[str, Json]) -> None:
        pytest.fail("tells nothing")


@pytest.fixture
def space(tmp_path: Path) -> Space:
    """An empty project of a user who has nothing."""
    return Space(tmp_path)


def policy(name: Policy, **pins: str) -> ItemTrust:
    """What a run asks, with one trusted key."""
    return ItemTrust(name, TrustStore({ALICE.key.id: TrustedKey(ALICE.key, "alice")}), pins.get)


def test_load_gives_text_and_what_it_says_of_itself(space: Space) -> None:
    space.write(
        "knowledge/style/prose.md",
        "---\ntitle: \"On prose\"\ntags: [writing, 'plain', 3]\nversion: 1.0.0\ndraft: false\n---\n"
        "# Prose\nShort words.\n",
    )
    assert space.ask("load", "knowledge:style/prose") == {
        "item_id": "style/prose",
        "kind": "knowledge",
        "content": "# Prose\nShort words.\n",
        "metadata": {"title": "On prose", "tags": ["writing", "plain", 3], "version": "1.0.0", "draft": False},
        "signature": {"status": "unsigned", "key_id": None},
    }


def test_load_of_tools_executes_nothing(space: Space) -> None:
    code = '"""Counts.\n\nMore."""\n__version__ = "2"\n__tool_description__ = "Counts words"\n'
    code += "__limit__ = 1e999\nraise SystemExit\n"
    space.write("tools/words.py", code)
    space.write("tools/flow.yaml", "version: '1'\ntool_type: graph\nconfig:\n  start: a\n")
    words = space.ask("load", "words")
    assert words["content"] == code
    assert words["metadata"] == {"description": "Counts words", "version": "2"}
    assert space.ask("load", "tool:flow")["metadata"] == {"version": "1", "tool_type": "graph"}


def test_the_project_comes_before_the_user(space: Space) -> None:
    space.write("knowledge/both.md", "project")
    space.write("knowledge/both.md", "user", user=True)
    space.write("knowledge/mine.txt", "mine", user=True)
    assert space.ask("load", "knowledge:both")["content"] == "project"
    assert space.ask("load", "knowledge:both", source="user")["content"] == "user"
    assert space.ask("load", "knowledge:mine")["content"] == "mine"
    assert "no knowledge `mine`" in str(space.error("load", "knowledge:mine", source="project"))
    assert "`source` must be" in str(space.error("load", "knowledge:mine", source="web"))


@pytest.mark.parametrize("item_id", ["../tools/x", "/etc/passwd", "a//b", "a\0", "./x", "..\\tools\\x"])
@pytest.mark.parametrize("primary", ["load", "sign", "execute"])
def test_what_is_not_an_id_names_nothing(primary: str, item_id: str, space: Space) -> None:
    space.write("tools/x.md", "tool")
    space.write("directives/x.md", "x")
    error = space.error(primary, f"directive:{item_id}")
    assert error.category == "permanent"
    assert "is not the id of an item: an id is a path such as `team/notes`, without `.` and `..`" in str(error)


@pytest.mark.parametrize("primary", ["load", "sign"])
def test_nothing_outside_of_the_folder_is_read_or_signed(primary: str, space: Space, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    folder = space.write("knowledge/folder.md/inside.md", "x").parents[1]
    (folder / "out.md").symlink_to(secret)
    (folder / "far").symlink_to(tmp_path)
    (folder / "in.md").symlink_to(folder / "folder.md" / "inside.md")
    space.write("knowledge/out.md", "the user's", user=True)
    for item_id in ("out", "far/secret"):
        error = space.error(primary, f"knowledge:{item_id}")
        assert error.category == "denied"
        assert "is a link that leads out of" in str(error)
    assert "no knowledge `folder` in .ai/knowledge" in str(space.error(primary, "knowledge:folder"))
    assert space.ask("load", "knowledge:in")["content"] == "x"
    assert [each["item_id"] for each in space.ask("search", "knowledge:any")["results"]] == ["folder.md/inside", "in"]
    assert secret.read_text() == "secret"


def test_two_files_with_one_id_are_an_error(space: Space) -> None:
    space.write("knowledge/notes.md", "one")
    file = space.write("knowledge/notes.json", '"two"')
    space.write("knowledge/notes.txt", "the user's", user=True)
    said = str(space.error("load", "knowledge:notes"))
    assert said == (
        f"the knowledge `notes` is ambiguous: notes.md and notes.json in {file.parent} have the same id; "
        "rename one of them"
    )
    assert space.ask("search", "knowledge:any")["total"] == 0
    file.unlink()
    assert space.ask("load", "knowledge:notes")["content"] == "one"


def test_what_is_too_large_is_not_read(space: Space) -> None:
    file = space.write("knowledge/huge.md", "")
    with file.open("r+b") as opened:
        opened.truncate(2**34)  # a hole: nothing is written, and reading it would take all memory
    for primary in ("load", "sign"):
        error = space.error(primary, "knowledge:huge")
        assert f"the knowledge `huge` is too large: {file} has {2**34} bytes" in str(error)
    assert space.ask("search", "knowledge:any")["total"] == 0


@pytest.mark.parametrize(("data", "said"), [(b"\x89PNG\xff", "is not valid UTF-8"), (b"a\0b", "is not text")])
def test_what_is_not_text_is_an_error(space: Space, data: bytes, said: str) -> None:
    file = space.write("knowledge/picture.md", "")
    file.write_bytes(data)
    for primary in ("load", "sign"):
        assert f"the knowledge `picture` {said}" in str(space.error(primary, "knowledge:picture"))
    assert file.read_bytes() == data


@pytest.mark.parametrize(
    "written", ["NaN", "-Infinity", "1e999", "[" * 100_000, "[NaN]", "9" * 5_000, "[" * 5_000 + "a" + "]" * 5_000]
)
def test_metadata_and_defaults_are_json(space: Space, written: str) -> None:
    space.write("knowledge/odd.md", f"---\nvalue: {written}\n---\nText")
    assert space.ask("load", "knowledge:odd")["content"] == "Text"
    assert json_copy(space.ask("load", "knowledge:odd"))
    inputs = f'<inputs><input name="n" type="any" default="{written}"/></inputs>'
    space.write("directives/odd.md", f"```xml\n<directive name='odd'>{inputs}</directive>\n```\nText")
    assert json_copy(space.ask("execute", "directive:odd"))


def test_reading_takes_time_by_the_length_of_a_text(space: Space) -> None:
    """Blanks in a row are what a careless pattern goes over again and again: this would take minutes."""
    blanks = " " * 100_000
    space.write("knowledge/wide.md", f"---\nkey: a{blanks}b{blanks}\n---\n# One{blanks}two{blanks}\r\n")
    loaded = space.ask("load", "knowledge:wide")
    assert loaded["metadata"] == {"key": f"a{blanks}b"}
    assert space.ask("search", "knowledge:wide", query="two")["results"][0]["title"] == f"One{blanks}two"


def test_search(space: Space) -> None:
    space.write("knowledge/billing/refunds.md", "# Refunds\n\nMoney goes back within 14 days.\n")
    space.write("knowledge/billing/invoices.md", "# Invoices\n\nNo refunds here.\n")
    space.write("knowledge/refunds.md", "user's", user=True)
    space.write("knowledge/.hidden.md", "refunds")
    space.write("directives/refund.md", "refunds")
    found = space.ask("search", "knowledge:any", query="REFUNDS")
    assert found == {
        "results": [
            {
                "item_id": "billing/refunds",
                "kind": "knowledge",
                "title": "Refunds",
                "snippet": "# Refunds",
            },
            {
                "item_id": "billing/invoices",
                "kind": "knowledge",
                "title": "Invoices",
                "snippet": "No refunds here.",
            },
        ],
        "total": 2,
    }
    assert space.ask("search", "knowledge:any", query="refunds", source="all")["total"] == 3
    assert space.ask("search", "knowledge:any", query="refunds", source="user")["total"] == 1
    limited = space.ask("search", "knowledge:any", query="refunds", limit=1)
    assert (len(limited["results"]), limited["total"]) == (1, 2)
    assert space.ask("search", "knowledge:any", query="money invoices")["total"] == 0
    assert "`limit` must be" in str(space.error("search", "knowledge:any", limit="many"))


def test_a_directive_is_filled_in(space: Space) -> None:
    space.write("directives/code/review.md", REVIEW)
    assert space.ask("execute", "directive:code/review", diff="a ${x} {input:depth}") == {
        "item_id": "code/review",
        "kind": "directive",
        "name": "review",
        "version": "1.2.0",
        "description": "Look at a change and judge it",
        "inputs": {"diff": "a ${x} {input:depth}", "depth": 2},
        "outputs": [{"name": "verdict", "type": "string", "description": "accept or reject"}],
        "content": "# Review a change\n\n\nRead a ${x} {input:depth} 2 times. Hints: . Not ours: {input:other}.",
        "signature": {"status": "unsigned", "key_id": None},
    }


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "requires the input `diff`"),
        ({"diff": 3}, "`diff` of the directive `review` must be a string, not the number 3"),
        ({"diff": "x", "depth": True}, "must be an integer, not true"),
        ({"diff": "x", "hints": "no"}, "must be a list"),
        ({"diff": "x", "deph": 1}, "has no input `deph`; its inputs are diff, depth, hints"),
    ],
)
def test_inputs_of_directives_are_checked(params: dict[str, object], said: str, space: Space) -> None:
    space.write("directives/review.md", REVIEW)
    error = space.error("execute", "directive:review", **params)
    assert said in str(error)
    assert error.category == "permanent"


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ("<directive><inputs></directive>", "mismatched tag"),
        ("<directive><inputs><input/></inputs></directive>", "has no name"),
        ("<directive><!DOCTYPE x [<!ENTITY a 'b'>]></directive>", "must not define"),
    ],
)
def test_a_broken_declaration_is_an_error(declaration: str, said: str, space: Space) -> None:
    space.write("directives/broken.md", f"```xml\n{declaration}\n```\n")
    assert said in str(space.error("execute", "directive:broken"))


def test_require_loads_what_is_signed_and_nothing_else(space: Space) -> None:
    space.trust = policy("require")
    file = space.write("knowledge/rules.md", "Be kind.\n")
    refused = space.error("load", "knowledge:rules")
    assert refused.category == "denied"
    assert "the knowledge `rules` is not trusted" in str(refused)
    assert space.ask("search", "knowledge:any")["total"] == 0
    signed = seal("knowledge", file.read_bytes(), ALICE, markdown=True)
    file.write_bytes(signed)
    loaded = space.ask("load", "knowledge:rules")
    assert loaded["content"] == "Be kind.\n"
    assert loaded["signature"] == {"status": "trusted", "key_id": ALICE.key.id}
    assert space.ask("search", "knowledge:any")["total"] == 1
    file.write_bytes(signed.replace(b"kind", b"rude"))
    assert "changed after it was signed" in str(space.error("load", "knowledge:rules"))
    file.write_bytes(seal("directive", b"Be kind.\n", ALICE, markdown=True))
    assert "not trusted" in str(space.error("load", "knowledge:rules")), "signed as something else"


def test_require_executes_directives_that_are_signed_or_pinned(space: Space) -> None:
    file = space.write("directives/review.md", REVIEW)
    space.trust = policy("require")
    assert "not trusted" in str(space.error("execute", "directive:review", diff="x"))
    space.trust = policy("require", **{"directive:review": hashlib.sha256(file.read_bytes()).hexdigest()})
    assert space.ask("execute", "directive:review", diff="x")["signature"] == {"status": "pinned", "key_id": None}
    file.write_text(REVIEW.replace("Read", "Burn"))
    assert "not trusted" in str(space.error("execute", "directive:review", diff="x"))


def test_warn_loads_and_says_so(space: Space) -> None:
    space.write("knowledge/rules.md", "Be kind.\n")
    space.trust = policy("warn")
    with pytest.warns(ItemWarning, match="it is not signed"):
        assert space.ask("load", "knowledge:rules")["content"] == "Be kind.\n"

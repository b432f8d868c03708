"""`build --check` and `build --explain` say what has changed since a module was built."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import Outcome, graphwright
from graphwright.emit.reformatted import is_same_program
from graphwright.trust.trustfile import add_key
from graphwright_runtime.trust.signing import to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, MALLORY

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.shop.*]
config:
  start: price
  state: {total: 0}
  nodes:
    price:
      action: {item_id: shop/price, params: {}}
      assign: {total: "${result.amount}"}
      next: done
    done: {type: return, output: {total: "${state.total}"}}
"""
TOOL = """\
from typing import TypedDict


class Price(TypedDict):
    amount: int


def execute(params: dict[str, object]) -> Price:
    return {"amount": 1}
"""
SOURCE, CONTRACT, MODULE = (
    Path(".ai/tools/shop/order.yaml"),
    Path(".ai/tools/shop/price.py"),
    Path("generated/shop/order.py"),
)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one graph that calls a tool with a contract; built and signed by ALICE."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(ALICE.seed))
    for name in ("GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_VERIFY"):
        monkeypatch.delenv(name, raising=False)
    add_key(Path(PROJECT_FILE), ALICE.key, "alice")
    SOURCE.parent.mkdir(parents=True)
    SOURCE.write_text(GRAPH, "utf-8")
    CONTRACT.write_text(TOOL, "utf-8")
    done = build()
    assert done.code == 0, done.stderr
    return tmp_path


def build(*options: str) -> Outcome:
    """A build without the type checker."""
    return graphwright("build", "--no-typecheck", *options)


def drift(done: Outcome) -> list[dict[str, Any]]:
    """The findings about modules in the JSON of a build."""
    return [each for each in json.loads(done.stdout)["diagnostics"] if each["code"].startswith("GW8")]


def edit(file: Path, old: str, new: str) -> None:
    """Replace text that occurs in a file."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def change_source() -> None:
    edit(SOURCE, "state: {total: 0}", "state: {total: 5}")


def change_contract() -> None:
    edit(CONTRACT, "amount: int", "amount: str")


def change_by_hand() -> None:
    edit(MODULE, "__all__ = (", "print('mine')\n\n__all__ = (")


def change_both() -> None:
    change_source()
    change_by_hand()


def change_contract_and_edit() -> None:
    change_contract()
    change_by_hand()


def reformat() -> None:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "60", str(MODULE)]
    subprocess.run(command, check=True, capture_output=True)


def change_line_ends() -> None:
    MODULE.write_bytes(MODULE.read_bytes().replace(b"\n", b"\r\n"))


def change_version() -> None:
    edit(MODULE, "by graphwright 0.1.0", "by graphwright 0.0.9")
    change_source()


CHANGES: list[tuple[Callable[[], None], list[str], str]] = [
    (change_source, ["source"], "its source has changed since it was built"),
    (change_contract, ["contract"], "what its source uses has changed since it was built (`.ai/tools/shop/price.py`)"),
    (change_by_hand, ["edited"], "it was edited"),
    (change_both, ["edited", "source"], "it was edited, and its source has changed since it was built"),
    (
        change_contract_and_edit,
        ["edited", "contract"],
        "it was edited, and what its source uses has changed since it was built (`.ai/tools/shop/price.py`)",
    ),
    (reformat, ["formatting"], "only its formatting was changed"),
    (change_line_ends, ["line endings"], "only its line endings or trailing whitespace were changed"),
    (MODULE.unlink, ["missing"], "it is missing"),
]


@pytest.mark.parametrize(("change", "kinds", "text"), CHANGES, ids=[each.__name__ for each, *_ in CHANGES])
def test_a_check_says_what_has_changed(change: Callable[[], None], kinds: list[str], text: str) -> None:
    change()
    for cache in ((), ("--no-cache",)):
        done = build("--check", "--format", "json", *cache)
        [found] = drift(done)
        assert (done.code, found["code"], found["data"]["causes"]) == (1, "GW802", kinds)
        assert text in found["message"]
    assert text in " ".join(build("--check").stderr.split())
    assert build().code == 0
    assert build("--check").code == 0


def test_edits_are_shown_as_a_diff() -> None:
    change_by_hand()
    done = build("--check")
    assert "| +print('mine')\n" in done.stderr
    assert "| --- what a build writes\n" in done.stderr
    [found] = drift(build("--check", "--format", "json"))
    assert "+print('mine')" in found["data"]["diff"]
    change_source()
    [found] = drift(build("--check", "--format", "json"))
    assert "+print('mine')" in found["data"]["diff"]
    MODULE.write_text(MODULE.read_text("utf-8") + "x = 1\n" * 1_000, "utf-8")
    [found] = drift(build("--check", "--format", "json"))
    assert (len(found["data"]["diff"]), found["data"]["diff"][-1][-10:]) == (41, "more lines")


def test_a_change_of_the_source_needs_no_diff() -> None:
    change_source()
    [found] = drift(build("--check", "--format", "json"))
    assert found["data"]["diff"] == []


def test_an_edit_of_a_module_by_another_version() -> None:
    change_version()
    found = drift(build("--check", "--format", "json"))
    assert [each["code"] for each in found] == ["GW802", "GW805"]
    assert found[0]["data"]["causes"] == ["edited", "source", "compiler"]


def test_an_unsigned_module_may_have_been_edited() -> None:
    """Nothing records what was built, so the message makes no claim about it."""
    assert build("--no-sign", "-o", "plain").code == 0
    options = ("--no-sign", "-o", "plain", "--check", "--format", "json")
    change_contract()
    [found] = drift(build(*options, "--no-cache"))
    assert found["data"]["causes"] == ["edited", "contract"]
    assert "it was edited, or what its source uses has changed (`.ai/tools/shop/price.py`)" in found["message"]


def test_a_recorded_digest_names_the_tool() -> None:
    Path("graphwright.toml").write_text('trust.tools = "warn"\n', "utf-8")
    other = CONTRACT.with_name("tax.py")
    other.write_text(TOOL, "utf-8")
    edit(SOURCE, "next: done", "next: tax\n    tax: {action: {item_id: shop/tax, params: {}}, next: done}")
    assert build().code == 0
    change_contract()
    [found] = drift(build("--check", "--format", "json"))
    assert "(`shop/price`)" in found["message"]


# --- --explain ------------------------------------------------------------------------------------------------------


def reason(*options: str) -> tuple[str, list[str], str]:
    """What `--explain` says about the module: what is done to it, why for programs, and why for people."""
    done = build("--explain", "--format", "json", *options)
    [found] = json.loads(done.stdout)["modules"]
    assert (found["module"], done.code) == (str(MODULE), int("--check" in options and found["status"] == "written"))
    return found["status"], found["causes"], found["reason"]


def test_what_is_unchanged_is_explained_too() -> None:
    assert reason() == (
        "unchanged", [], "the source, everything that it uses, the configuration and the compiler are unchanged"
    )  # fmt: skip
    assert reason("--no-cache")[:2] == ("unchanged", ["not cached"])


@pytest.mark.parametrize(
    ("change", "kinds", "text"),
    [
        (change_source, ["source"], "its source has changed"),
        (change_contract, ["contract"], "it uses `.ai/tools/shop/price.py`, which has changed"),
        (change_by_hand, ["edited"], "it was edited"),
        (change_both, ["edited", "source"], "it was edited, and its source has changed since it was built"),
        (reformat, ["formatting"], "only its formatting was changed; exclude the output folder from formatters"),
        (MODULE.unlink, ["missing"], "it is missing"),
    ],
)  # fmt: skip
def test_a_build_explains_what_it_writes(change: Callable[[], None], kinds: list[str], text: str) -> None:
    change()
    assert reason("--check") == ("written", kinds, text)
    assert reason() == ("written", kinds, text)
    assert reason()[0] == "unchanged"


def test_a_change_without_an_effect_is_explained() -> None:
    edit(CONTRACT, "return {", "# one\n    return {")
    status, kinds, text = reason()
    assert (status, kinds) == ("unchanged", ["contract"])
    assert text == "it uses `.ai/tools/shop/price.py`, which has changed, but it compiles to the same module"
    assert reason()[1] == []
    Path("graphwright.toml").write_text('contracts = "complete"\n', "utf-8")
    assert reason()[:2] == ("unchanged", ["configuration"])


@pytest.mark.parametrize("file", ["contracts/shop/price.yaml", ".ai/tools/shop/price.contract.json"])
def test_a_manifest_that_is_added_or_removed_changes_a_module(file: str) -> None:
    before, manifest = MODULE.read_text("utf-8"), Path(file)
    manifest.parent.mkdir(parents=True, exist_ok=True)
    result = {"type": "object", "properties": {"amount": {"type": "string"}}, "required": ["amount"]}
    manifest.write_text(json.dumps({"result": result}), "utf-8")
    checked = build("--check", "--format", "json")
    assert (checked.code, drift(checked)[0]["code"], drift(checked)[0]["data"]["causes"]) == (1, "GW802", ["contract"])
    text = f"what declares its tools was added to or removed from `{manifest.parent}`"
    assert reason() == ("written", ["contract"], text)
    assert "total: int | str\n" in MODULE.read_text("utf-8")
    manifest.unlink()
    assert reason() == ("written", ["contract"], f"it uses `{manifest}`, which has changed")
    assert MODULE.read_text("utf-8").partition("\n")[2] == before.partition("\n")[2]


def test_a_signature_by_another_key_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(PROJECT_FILE).unlink()
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(MALLORY.seed))
    add_key(Path(PROJECT_FILE), MALLORY.key, "mallory")
    status, kinds, text = reason()
    assert (status, kinds) == ("written", ["signature"])
    assert ALICE.key.id in text


def test_removed_modules_are_explained_as_lines() -> None:
    SOURCE.rename(SOURCE.with_name("sale.yaml"))
    checked = build("--check", "--explain").stdout
    assert f"{MODULE}: would be removed: its graph is gone or excluded\n" in checked
    done = build("--explain")
    assert f"{MODULE}: removed: its graph is gone or excluded\n" in done.stdout
    assert f"{MODULE.with_name('sale.py')}: written: it is missing\n" in done.stdout
    assert "wrote" not in done.stderr


def test_no_reasons_in_other_formats() -> None:
    done = build("--explain", "--format", "sarif")
    assert (done.code, "choose text or json" in done.stderr) == (2, True)


def test_a_build_in_error_has_its_errors_as_json() -> None:
    edit(SOURCE, "next: done", "next: dona")
    done = build("--format", "json")
    document = json.loads(done.stdout)
    assert (done.code, document["stopped"], document["modules"]) == (1, True, [])
    assert [each["code"] for each in document["diagnostics"]] == ["GW602", "GW202"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("import a, b\nx = 'a'\n", 'import b\nimport a\n\nx = "a"\n', True),
        ("from a import b, c\n", "from a import c\nfrom a import b\n", True),
        ("def f():\n    '''One.\n\n    Two.'''\n", "def f():\n  '''One.\n\n  Two.'''\n", True),
        ("x = (1,)\n", "x = (1)\n", False),
        ("x = 'a b'\n", "x = 'ab'\n", False),
        ("from a import b\n", "from c import b\n", False),
        ("x = 1\n", "x =\n", False),
        ("x = 1  #why\n", "x = 1 # why\n", True),
        ("x = 1\n", "x = 1  # mine\n", False),
    ],
)
def test_only_a_proof_counts_as_formatting(one: str, other: str, same: bool) -> None:
    assert is_same_program(one.encode(), other.encode()) is same

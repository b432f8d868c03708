"""Signatures and provenance of real builds: what is written, what is left alone, what is cleared away."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Outcome, graphwright
from graphwright.building.ledger import Ledger, Made
from graphwright.trust.keys import default_key
from graphwright.trust.trustfile import add_key, revoke_key
from graphwright_runtime.trust.header import split
from graphwright_runtime.trust.manifest import MANIFEST, parse
from graphwright_runtime.trust.signing import to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, MALLORY

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.demo.look]
config:
  start: look
  nodes:
    look: {{action: {{item_id: "tool:demo/look", params: {{place: {place}}}}}, next: done}}
    done: {{type: return}}
"""

LOADING = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.load.knowledge.rules]
config:
  start: load
  nodes:
    load: {action: {primary: load, item_id: "knowledge:rules"}, next: done}
    done: {type: return}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two graphs and a tool, which ALICE signs and the project trusts."""
    tools = tmp_path / "project" / ".ai" / "tools"
    for name in ("a/first", "b/second"):
        (tools / name).parent.mkdir(parents=True)
        (tools / f"{name}.yaml").write_text(GRAPH.format(place=name))
    (tools / "demo").mkdir()
    (tools / "demo" / "look.py").write_text("def execute(params: dict, project_path: str) -> dict:\n    return {}\n")
    monkeypatch.chdir(tmp_path / "project")
    Path("graphwright.toml").write_text("")
    add_key(Path(PROJECT_FILE), ALICE.key, "alice")
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(ALICE.seed))
    return tmp_path / "project"


def build(*arguments: str) -> Outcome:
    """Build everything without the type checker."""
    outcome = graphwright("build", "--no-typecheck", *arguments)
    assert outcome.code == 0, outcome.stderr
    return outcome


def contents() -> dict[str, bytes]:
    """Every file of the package."""
    return {file.as_posix(): file.read_bytes() for file in sorted(Path("generated").rglob("*")) if file.is_file()}


def signers() -> Iterator[str]:
    """The key of each signed file of the package."""
    for path, data in contents().items():
        if path.endswith(".py"):
            header, _ = split("module", data)
            yield "" if header is None else header.key_id
        elif path.endswith(MANIFEST):
            yield from (line.key_id for line in parse(data).lines.values())


def test_every_module_and_the_manifest_are_signed(folder: Path) -> None:
    build()
    assert set(signers()) == {ALICE.key.id}
    listed = parse(Path("generated", MANIFEST).read_bytes()).modules
    assert {path: entry.graph for path, entry in listed.items()} == {
        "__init__.py": "", "a/__init__.py": "", "a/first.py": "a/first", "b/__init__.py": "", "b/second.py": "b/second",
    }  # fmt: skip
    assert graphwright("verify").code == 0


def test_a_build_repeats_to_the_byte(folder: Path) -> None:
    build("--provenance")
    before = contents()
    build("--provenance", "--no-cache")
    assert contents() == before


@pytest.mark.parametrize("damage", [(b":", b";"), (b"signed:", b"signed:0"), (b"# graph", b"#graph"), (b"\n", b"\r\n")])
def test_a_damaged_signature_line_is_fixed(folder: Path, damage: tuple[bytes, bytes]) -> None:
    build()
    before = contents()
    for name in ("a/first.py", MANIFEST):
        file = Path("generated", name)
        file.write_bytes(file.read_bytes().replace(*damage, 1))
    assert graphwright("verify").code == 1
    build()
    assert contents() == before
    header = before["generated/a/first.py"].split(b"\n")[0]
    other = before["generated/b/second.py"].split(b"\n")[0].split(b":")[3]
    Path("generated/a/first.py").write_bytes(before["generated/a/first.py"].replace(header.split(b":")[3], other, 1))
    build()
    assert contents() == before


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the compiler remembers what it did."""
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_poisoned_cache_pins_no_other_tool(folder: Path, cache: Path) -> None:
    Path("graphwright.toml").write_text('[trust]\ntools = "require"\n')
    Path(".ai/tools/demo/evil.py").write_text("def execute(params: dict, project_path: str) -> dict:\n    return {}\n")
    build("--provenance")
    before = contents()
    for entry in (each for each in cache.rglob("*") if each.is_file()):
        entry.write_bytes(entry.read_bytes().replace(b'demo/look.py"]]', b'demo/evil.py"]]'))
    build("--provenance")
    assert contents() == before
    build()
    assert pins() == {"demo/look": hashlib.sha256(Path(".ai/tools/demo/look.py").read_bytes()).hexdigest()}


@pytest.mark.parametrize("value", [b"[" * 100_000 + b"\n{}", b"[" * 100_000, b"{}\n{}", b"[1, [[2, 3]]]\n", b"\n\n"])
@pytest.mark.parametrize("whole", [True, False])
def test_noise_in_the_cache_is_as_good_as_nothing(folder: Path, cache: Path, value: bytes, whole: bool) -> None:
    build()
    before = contents()
    for entry in cache.rglob("??/*"):
        entry.write_bytes(value if whole else entry.read_bytes().partition(b"\n")[0] + b"\n" + value)
    assert graphwright("check").code == 0
    build()
    assert contents() == before


def test_no_sign_signs_nothing(folder: Path) -> None:
    build("--no-sign")
    assert set(signers()) == {""}
    assert not Path("generated", MANIFEST).exists()
    assert graphwright("build", "--no-sign", "--provenance").code == 2


def test_configured_not_to_sign(folder: Path) -> None:
    Path("graphwright.toml").write_text("sign = false\n")
    build()
    assert set(signers()) == {""}


def test_what_another_trusted_key_signed_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build()
    before = contents()
    add_key(Path(PROJECT_FILE), MALLORY.key, "another")
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(MALLORY.seed))
    build("--no-cache")
    assert contents() == before
    revoke_key(Path(PROJECT_FILE), ALICE.key.id)
    build()
    assert set(signers()) == {MALLORY.key.id}
    assert graphwright("verify").code == 0


def test_a_changed_graph_changes_its_module_and_the_manifest(folder: Path) -> None:
    build()
    before = contents()
    Path(".ai/tools/a/first.yaml").write_text(GRAPH.format(place="elsewhere"))
    build()
    changed = {path for path, data in contents().items() if before[path] != data}
    assert changed == {"generated/a/first.py", f"generated/{MANIFEST}"}
    assert graphwright("verify").code == 0


def test_a_build_of_a_part_keeps_the_rest_listed(folder: Path) -> None:
    build()
    Path(".ai/tools/a/first.yaml").write_text(GRAPH.format(place="elsewhere"))
    build(".ai/tools/a/first.yaml")
    assert graphwright("verify").code == 0


def test_a_build_of_a_part_does_not_believe_a_manifest_that_was_changed(folder: Path) -> None:
    build()
    manifest = Path("generated", MANIFEST)
    evil = Path("generated", "b", "second.py")
    evil.write_text("print('planted')\n")
    manifest.write_text(manifest.read_text().replace("b/second.py", "b/third.py"))
    build(".ai/tools/a/first.yaml")
    assert set(parse(manifest.read_bytes()).modules) == {"__init__.py", "a/__init__.py", "a/first.py"}


def pins() -> dict[str, str]:
    """The items that the manifest vouches for, by the names of their pins."""
    return dict(parse(Path("generated", MANIFEST).read_bytes()).tools)


def test_tools_are_pinned_where_the_project_asks_for_trusted_tools(folder: Path) -> None:
    build()
    assert pins() == {}
    Path("graphwright.toml").write_text('[trust]\ntools = "require"\n')
    build()
    tool = Path(".ai/tools/demo/look.py")
    assert pins() == {"demo/look": hashlib.sha256(tool.read_bytes()).hexdigest()}
    tool.write_text(tool.read_text() + "# more\n")
    build()
    assert pins() == {"demo/look": hashlib.sha256(tool.read_bytes()).hexdigest()}


@pytest.mark.parametrize("other", ["planted", "older", "another"])
def test_a_build_does_not_sign_what_only_its_cache_vouches_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    """Whoever can write to the cache (which CI may restore from anywhere) must not have his module signed."""
    source, module = Path(".ai/tools/a/first.yaml"), Path("generated/a/first.py")
    build()
    older = module.read_bytes()
    source.write_text(GRAPH.format(place="elsewhere"))
    build()
    before = contents()
    evil = {
        "planted": before["generated/a/first.py"].partition(b"\n")[2] + b"print('planted')\n",
        "older": older,
        "another": before["generated/b/second.py"],
    }[other]
    module.write_bytes(evil)
    monkeypatch.setattr(
        Ledger,
        "current",
        lambda _, unit: Made("", "", "", unit.signature[1], ((str(source), ""),)),
    )
    stale = graphwright("build", "--check", "--no-typecheck")
    assert stale.code == 1
    assert stale.stderr.count("GW802") == 1
    build()
    assert contents() == before


def test_a_build_that_changes_nothing_compiles_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build()

    def compiles(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("graphwright.building.making.make", compiles)
    build()


def test_knowledge_is_pinned_whether_or_not_the_check_is_remembered(folder: Path, cache: Path) -> None:
    Path("graphwright.toml").write_text('[trust]\ntools = "require"\n')
    Path(".ai/knowledge").mkdir()
    Path(".ai/knowledge/rules.md").write_text("Be kind.")
    Path(".ai/tools/a/first.yaml").write_text(LOADING)
    assert graphwright("check").code == 0
    build()
    assert pins()["knowledge:rules"] == hashlib.sha256(b"Be kind.").hexdigest()


def test_a_removed_graph_leaves_nothing_behind(folder: Path) -> None:
    build("--provenance")
    Path(".ai/tools/b/second.yaml").unlink()
    build()
    assert set(contents()) == {
        "generated/__init__.py", "generated/a/__init__.py", "generated/a/first.py",
        "generated/a/first.py.intoto.jsonl", f"generated/{MANIFEST}", "generated/py.typed",
    }  # fmt: skip
    assert graphwright("verify").code == 0


def test_a_graph_removed_with_its_module_is_forgotten(folder: Path) -> None:
    build()
    Path("generated/a/first.py").unlink()
    build(".ai/tools/b/second.yaml")
    assert graphwright("verify").code == 1, "its source is there: somebody took away what belongs there"
    build()
    assert graphwright("verify").code == 0
    Path(".ai/tools/b/second.yaml").unlink()
    shutil.rmtree("generated/b")
    build()
    assert graphwright("verify").code == 0


def test_the_first_build_makes_a_development_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPHWRIGHT_SIGNING_KEY")
    assert "created a development key" in build().stderr
    key = default_key()
    assert key is not None
    assert set(signers()) == {key.key_id}
    assert graphwright("verify").code == 0


def test_a_key_that_is_not_trusted_here_is_pointed_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(MALLORY.seed))
    outcome = build()
    assert outcome.stderr.count("verified imports will reject it") == 1
    assert f"graphwright keys trust {MALLORY.key.id}" in outcome.stderr


@pytest.mark.parametrize(
    ("name", "text"), [("GRAPHWRIGHT_SIGNING_KEY", "nonsense"), ("GRAPHWRIGHT_TRUST", "graphwright.toml")]
)
def test_a_key_or_trust_file_that_cannot_be_used_is_wrong_usage(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    Path("graphwright.toml").write_text("[rules]\n")
    monkeypatch.setenv(name, text)
    outcome = graphwright("build", "--no-typecheck")
    assert outcome.code == 2
    assert "Traceback" not in outcome.stderr


def problems() -> list[str]:
    """The messages of `verify --provenance`."""
    outcome = graphwright("verify", "--provenance", "--format", "json")
    return [each["message"] for each in json.loads(outcome.stdout)["diagnostics"]]


def test_provenance_of_a_build(folder: Path) -> None:
    build("--provenance")
    assert problems() == []
    payload = json.loads(Path("generated/a/first.py.intoto.jsonl").read_text())["payload"]
    said = json.loads(base64.b64decode(payload))
    build_definition = said["predicate"]["buildDefinition"]
    assert said["subject"][0]["name"] == "generated/a/first.py"
    assert build_definition["externalParameters"] == {"graph": "a/first"}
    kinds = {each["annotations"]["kind"]: each["name"] for each in build_definition["resolvedDependencies"]}
    assert kinds["source"] == ".ai/tools/a/first.yaml"
    assert kinds["tool"] == ".ai/tools/demo/look.py"
    assert kinds["configuration"] == "graphwright.toml"
    assert kinds["compiler"].startswith("graphwright ")


def test_provenance_says_what_changed_since(folder: Path) -> None:
    build("--provenance")
    Path(".ai/tools/a/first.yaml").write_text(GRAPH.format(place="elsewhere"))
    assert problems() == ["this module is not trusted: the source .ai/tools/a/first.yaml has changed since"]
    build("--provenance")
    assert problems() == []


def test_provenance_that_is_missing_or_was_changed(folder: Path) -> None:
    build("--provenance")
    statement = Path("generated/a/first.py.intoto.jsonl")
    statement.write_text(statement.read_text().replace("a", "b", 1))
    Path("generated/b/second.py.intoto.jsonl").unlink()
    found = problems()
    assert len(found) == 2
    assert "its provenance cannot be read" in found[0]
    assert "it has no provenance" in found[1]


def test_a_module_built_again_without_it_loses_its_provenance(folder: Path) -> None:
    build("--provenance")
    Path(".ai/tools/a/first.yaml").write_text(GRAPH.format(place="elsewhere"))
    build()
    assert not Path("generated/a/first.py.intoto.jsonl").exists()
    assert Path("generated/b/second.py.intoto.jsonl").exists()

"""`build --check` reports exactly what a build would change; after a build, it reports nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commands import Outcome, graphwright
from graphwright.trust.trustfile import add_key, revoke_key
from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.signing import to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, MALLORY

GRAPH = """\
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return}
"""
FILES = ("__init__.py", "py.typed", MANIFEST, "shop.py", "billing/__init__.py", "billing/invoices.py")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two graphs, built and signed by ALICE."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(ALICE.seed))
    for name in ("GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_VERIFY"):
        monkeypatch.delenv(name, raising=False)
    add_key(Path(PROJECT_FILE), ALICE.key, "alice")
    for name in ("shop", "billing/invoices"):
        write(name)
    assert build().code == 0
    return tmp_path


def write(name: str, text: str = GRAPH) -> None:
    """A graph."""
    file = Path(f".ai/tools/{name}.yaml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def build(*options: str) -> Outcome:
    """A build without the type checker."""
    return graphwright("build", "--no-typecheck", *options)


def contents() -> dict[str, bytes]:
    """Every file of the package."""
    found = (file for file in Path("generated").rglob("*") if file.is_file())
    return {file.relative_to("generated").as_posix(): file.read_bytes() for file in found}


def said(outcome: Outcome) -> str:
    """What a command said, on one line."""
    return " ".join(outcome.stderr.split())


def settles(*options: str) -> None:
    """Assert the law: a check finds something exactly if a build changes something; then it finds nothing more."""
    before = contents()
    check = build("--check", *options)
    assert contents() == before, "a check writes nothing"
    assert check.code in (0, 1), check.stderr
    assert build(*options).code == 0
    assert (check.code == 0) == (contents() == before), check.stderr
    assert build("--check", *options).code == 0
    verified = graphwright("verify", *(each for each in options if each == "--provenance"))
    assert verified.code == 0, verified.stderr


DAMAGES: dict[str, Callable[[bytes, int], bytes | None]] = {
    "deleted": lambda data, at: None,
    "emptied": lambda data, at: b"",
    "blank": lambda data, at: b"\n\n",
    "cut off": lambda data, at: data[: at % (len(data) + 1)],
    "without its beginning": lambda data, at: data[at % (len(data) + 1) :],
    "without its first line": lambda data, at: data.partition(b"\n")[2],
    "line ends": lambda data, at: data.replace(b"\n", b"\r\n"),
    "byte order mark": lambda data, at: b"\xef\xbb\xbf" + data,
    "no final line end": lambda data, at: data.rstrip(b"\n"),
    "blanks at line ends": lambda data, at: data.replace(b"\n", b"  \n"),
    "more": lambda data, at: data + b"# more\n",
    "code": lambda data, at: data + b"print(1)\n",
    "something else": lambda data, at: b"print(1)\n",
    "another version": lambda data, at: data.replace(b"graphwright 0.", b"graphwright 9.", 1),
    "a byte": lambda data, at: data[: at % max(len(data), 1)] + b"\x07" + data[at % max(len(data), 1) + 1 :],
    "conflict": lambda data, at: b"<<<<<<< HEAD\n" + data + b"=======\n" + data + b">>>>>>> other\n",
    "twice": lambda data, at: data + data,
}  # fmt: skip


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(FILES), st.sampled_from(sorted(DAMAGES)), st.integers(0, 3_000)), max_size=3),
    st.booleans(),
)
def test_whatever_is_damaged_is_reported_and_built_again(damages: list[tuple[str, str, int]], provenance: bool) -> None:
    options = ("--provenance",) if provenance else ()
    shutil.rmtree("generated")
    assert build(*options).code == 0
    pristine = contents()
    for name, damage, at in damages:
        file = Path("generated", name)
        changed = DAMAGES[damage](file.read_bytes() if file.exists() else b"", at)
        if changed is None:
            file.unlink(missing_ok=True)
        else:
            file.write_bytes(changed)
    settles(*options)
    assert {**contents(), "py.typed": b""} == {**pristine, "py.typed": b""}


@pytest.mark.parametrize("damage", ["deleted", "emptied", "line ends", "more", "code", "something else", "conflict"])
def test_a_damaged_init(damage: str) -> None:
    name = "billing/__init__.py"
    file = Path("generated", name)
    pristine = file.read_bytes()
    changed = DAMAGES[damage](pristine, 200)
    file.unlink()
    if changed is not None:
        file.write_bytes(changed)
    assert build("--check").stderr.count(f"`generated/{name}` differs from what a build writes") == 1
    settles()
    assert file.read_bytes() == pristine


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        ("shop.py", "line ends", "only its line endings or trailing whitespace were changed"),
        ("shop.py", "conflict", "it contains merge conflict markers"),
        ("shop.py", "more", "it was edited"),
        ("shop.py", "deleted", "it is missing"),
        ("shop.py", "something else", "it was edited"),
        ("shop.py", "without its first line", "it is not signed"),
        ("__init__.py", "line ends", "only its line endings or trailing whitespace were changed"),
        ("__init__.py", "deleted", "`generated/__init__.py` differs from what a build writes: it is missing"),
        ("py.typed", "deleted", "`generated/py.typed` differs from what a build writes: it is missing"),
        (MANIFEST, "deleted", "this manifest is not trusted: it is missing"),
        (MANIFEST, "conflict", "this manifest is not trusted: it contains merge conflict markers"),
        (MANIFEST, "line ends", "this manifest is not trusted: its line endings were changed"),
        (MANIFEST, "cut off", "this manifest is not trusted: its line"),
    ],
)
def test_a_check_says_what_is_wrong_in_one_complaint(name: str, damage: str, words: str) -> None:
    file = Path("generated", name)
    changed = DAMAGES[damage](file.read_bytes(), 200)
    file.unlink()
    if changed is not None:
        file.write_bytes(changed)
    check = build("--check")
    assert check.code == 1
    assert words in said(check)
    assert check.stderr.count("error[") == 1, check.stderr
    assert "run `graphwright build`" in said(check)


def test_what_was_never_built_is_one_complaint_for_each_graph() -> None:
    write("more/deep/one")
    write("more/deep/two")
    assert build("--check").stderr.count("error[") == 2
    shutil.rmtree("generated")
    assert build("--check").stderr.count("error[") == 4
    settles()


def test_the_cache_makes_no_difference() -> None:
    for options in ((), ("--no-cache",)):
        for name in FILES:
            before = contents()
            Path("generated", name).unlink()
            assert build("--check", *options).code == 1, name
            assert build(*options).code == 0
            assert contents() == before


def test_a_build_says_what_it_wrote() -> None:
    Path("generated", MANIFEST).unlink()
    done = build()
    assert f"wrote generated/{MANIFEST}\n" in done.stderr
    assert done.stderr.endswith("1 other file written, 2 modules unchanged\n")
    assert build().stderr.endswith("0 modules written, 2 unchanged\n")


# --- signatures in a check ------------------------------------------------------------------------------------------


def test_a_check_needs_no_key_and_makes_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GRAPHWRIGHT_SIGNING_KEY")
    assert build("--check").code == 0
    module = Path("generated/shop.py")
    module.write_bytes(module.read_bytes().partition(b"\n")[2])
    check = build("--check")
    assert (check.code, check.stderr.count("GW804")) == (1, 1)
    assert "it is not signed" in said(check)
    assert not (tmp_path / "home").exists()


def test_a_check_of_one_commit_says_the_same_whoever_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signed with a development key that only its owner trusts: others are told, and nothing fails."""
    Path(PROJECT_FILE).unlink()
    check = build("--check")
    assert check.code == 0
    assert f"is signed by the key {ALICE.key.id}, which is not trusted here" in said(check)
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(MALLORY.seed))
    add_key(Path(PROJECT_FILE), MALLORY.key, "another")
    assert build("--check").code == 0
    assert build().code == 0
    assert graphwright("verify").code == 0


def test_a_check_reports_a_revoked_key(monkeypatch: pytest.MonkeyPatch) -> None:
    revoke_key(Path(PROJECT_FILE), ALICE.key.id)
    add_key(Path(PROJECT_FILE), MALLORY.key, "another")
    check = build("--check")
    assert check.code == 1
    assert "is revoked in" in said(check)
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(MALLORY.seed))
    settles()


def test_unsigned_modules_are_none_of_a_check_that_signs_nothing() -> None:
    shutil.rmtree("generated")
    assert build("--no-sign").code == 0
    assert build("--check", "--no-sign").code == 0
    assert build("--check").code == 1
    Path("graphwright.toml").write_text("sign = false\n")
    assert build("--check").code == 0


@pytest.mark.parametrize("damage", ["deleted", "more", "emptied"])
def test_provenance_is_compared_where_it_is_asked_for(damage: str) -> None:
    assert build("--provenance").code == 0
    file = Path("generated/shop.py.intoto.jsonl")
    changed = DAMAGES[damage](file.read_bytes(), 0)
    file.unlink()
    if changed is not None:
        file.write_bytes(changed)
    assert build("--check").code == 0
    check = build("--check", "--provenance")
    assert (check.code, check.stderr.count("shop.py.intoto.jsonl` differs from what a build writes")) == (1, 1)
    settles("--provenance")


def test_provenance_by_another_trusted_key_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert build("--provenance").code == 0
    before = contents()
    add_key(Path(PROJECT_FILE), MALLORY.key, "another")
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(MALLORY.seed))
    assert build("--check", "--provenance").code == 0
    assert build("--provenance").code == 0
    assert contents() == before


# --- what is left over ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("signature", ["stays", "goes"])
def test_a_left_over_module_that_was_edited_is_kept(signature: str) -> None:
    module = Path("generated/shop.py")
    text = module.read_bytes() + b"\n\ndef mine() -> int:\n    return 1\n"
    module.write_bytes(text if signature == "stays" else text.partition(b"\n")[2])
    Path(".ai/tools/shop.yaml").unlink()
    for options in (("--check",), (), ("--check",)):
        done = build(*options)
        assert (done.code, done.stderr.count("GW803")) == (1, 1), done.stderr
        assert "it was edited after it was built, so it is kept" in said(done)
        assert "delete the file" in said(done)
        assert b"def mine()" in module.read_bytes()
    module.unlink()
    settles()


def test_a_left_over_module_with_other_line_ends_goes() -> None:
    module = Path("generated/shop.py")
    module.write_bytes(module.read_bytes().replace(b"\n", b"\r\n"))
    Path(".ai/tools/shop.yaml").unlink()
    settles()
    assert not module.exists()


def test_an_edited_module_in_the_place_of_which_one_is_built_is_written_again() -> None:
    module = Path("generated/shop.py")
    before = module.read_bytes()
    module.write_bytes(before + b"\n\ndef mine() -> int:\n    return 1\n")
    settles()
    assert module.read_bytes() == before


def test_when_the_last_graph_is_gone_its_module_goes() -> None:
    shutil.rmtree(".ai/tools")
    assert build("--check").stderr.count("GW803") == 2
    settles()
    assert set(contents()) == {"__init__.py", "py.typed", MANIFEST}


def test_an_init_of_the_user_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the output is a package of their own, nothing recorded that it was ours."""
    own = Path("app/__init__.py")
    own.parent.mkdir()
    own.write_text("NAME = 'app'\n")
    for options in (("-o", "app"), ("-o", "app", "--check")):
        assert build(*options).code == 0
        assert own.read_text() == "NAME = 'app'\n"


# --- the name of the output -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "near"),
    [("gen-erated", "gen_erated"), ("my out", "my_out"), ("class", "class_"), ("1st", "_1st"), ("out.d", "out_d")],
)
@pytest.mark.parametrize("way", ["option", "configuration"])
def test_an_output_that_no_import_can_name(name: str, near: str, way: str) -> None:
    options: tuple[str, ...] = ("-o", name)
    if way == "configuration":
        options = ()
        Path("graphwright.toml").write_text(f'output = "src/{name}"\n')
    for more in ((), ("--check",)):
        done = build(*options, *more)
        assert done.code == 2
        assert f"the folder `{name}` cannot be imported by that name: choose a name such as `{near}`" in said(done)
        assert ("graphwright.toml: `output`" if way == "configuration" else f"`-o {name}`") in said(done)
    assert not Path(name).exists()
    assert not Path("src").exists()


def test_only_the_name_of_the_package_matters() -> None:
    assert build("-o", "some folder/of-mine/flows").code == 0


@pytest.mark.parametrize("way", ["deleted", "excluded", "no graph"])
@pytest.mark.parametrize("options", [(), ("--no-sign",)])
def test_a_package_whose_module_somebody_removed_goes(options: tuple[str, ...], way: str) -> None:
    shutil.rmtree("generated")
    write("more/deep/one")
    assert build(*options).code == 0
    source = Path(".ai/tools/more/deep/one.yaml")
    if way == "deleted":
        source.unlink()
    elif way == "excluded":
        Path("graphwright.toml").write_text('exclude = ["more/"]\n', "utf-8")
    else:
        source.write_text("a: 1\n", "utf-8")
    Path("generated/more/deep/one.py").unlink()
    check = build("--check", *options)
    assert check.code == 1
    assert "`generated/more/deep/__init__.py` differs from what a build writes: its package no longer has" in said(
        check
    )
    assert build(*options).code == 0
    assert not Path("generated/more").exists()
    assert build("--check", *options).code == 0


def test_a_build_of_a_part_forgets_no_module_that_was_deleted() -> None:
    write("more/one")
    write("other")
    assert build().code == 0
    before = Path("generated", MANIFEST).read_bytes()
    Path("generated/more/one.py").unlink()
    assert build(".ai/tools/other.yaml").code == 0
    assert Path("generated", MANIFEST).read_bytes() == before
    assert Path("generated/more/__init__.py").exists()

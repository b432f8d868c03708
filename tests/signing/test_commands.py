"""`graphwright keys`, `sign` and `verify`, as a team uses them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from commands import Outcome, graphwright
from graphwright.cli.keys import ACTIONS
from graphwright.trust.items import purpose_of
from graphwright.trust.keys import default_key, stored_keys
from graphwright_runtime.trust.header import seal, split
from graphwright_runtime.trust.manifest import MANIFEST, Entry, signed_manifest
from graphwright_runtime.trust.signing import Signer, to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE, read_trust
from signing.packages import ALICE, MALLORY, Project, module_text, standard_modules


@pytest.fixture
def here(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A signed project, with this process in its folder, which has a configuration."""
    monkeypatch.chdir(project.folder)
    (project.folder / "graphwright.toml").write_text('output = "generated"\n')
    return project


def fine(outcome: Outcome) -> str:
    """The standard output of a command that must succeed."""
    assert outcome.code == 0, outcome.stderr
    return outcome.stdout


def codes(outcome: Outcome) -> list[tuple[str, str]]:
    """Code and path of every diagnostic of a JSON report."""
    return [(each["code"], each["path"]) for each in json.loads(outcome.stdout)["diagnostics"]]


def test_the_key_in_the_environment_can_be_trusted_by_its_id(here: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a build advises that signs with it."""
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(MALLORY.seed))
    fine(graphwright("keys", "trust", MALLORY.key.id, "--graphs", "billing/*"))
    assert MALLORY.key.id in [each.key.id for each in read_trust(here.folder / PROJECT_FILE)]
    fine(graphwright("keys", "revoke", MALLORY.key.id))


def test_a_stored_key_in_the_environment_keeps_its_name(here: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    key = fine(graphwright("keys", "new", "team")).strip()
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", fine(graphwright("keys", "export", "team", "--private")).strip())
    fine(graphwright("keys", "trust", key))
    assert (key, "team") in [(each.key.id, each.name) for each in read_trust(here.folder / PROJECT_FILE)]


def test_a_key_from_its_birth_to_its_end(here: Project) -> None:
    """New key, trusted for some graphs; rotated; the old one revoked: what each step does to what is signed."""
    old = fine(graphwright("keys", "new", "team")).strip()
    assert "not trusted here" in fine(graphwright("keys", "list"))
    fine(graphwright("sign", "--force", "generated"))
    refused = graphwright("verify", "--format", "json")
    assert refused.code == 1
    assert {code for code, _ in codes(refused)} == {"GW804"}
    assert len(codes(refused)) == len(standard_modules())

    fine(graphwright("keys", "trust", "team", "--graphs", "billing/*", "--until", "2999-01-01"))
    fine(graphwright("verify"))
    assert here.imports().stdout == "clean\n"
    assert "for billing/*, until 2999-01-01" in fine(graphwright("keys", "list"))

    new = fine(graphwright("keys", "rotate", "team", "--days", "14")).strip()
    assert new != old
    assert here.imports().stdout == "clean\n", "what the old key signed counts until its last day"
    fine(graphwright("sign", "generated"))
    header, _ = split("module", here.module.read_bytes())
    assert header is not None
    assert header.key_id == new
    entries = {entry.key.id: entry for entry in read_trust(here.folder / PROJECT_FILE)}
    assert entries[new].graphs == entries[old].graphs == ("billing/*",)
    assert entries[new].until is None
    assert entries[old].until is not None

    fine(graphwright("keys", "revoke", old))
    assert here.imports().stdout == "clean\n", "nothing is signed with the old key any more"
    fine(graphwright("sign", "--force", "--key", old, "generated"))
    here.refuses("is revoked in", old)
    refused = graphwright("sign", "generated")
    assert refused.code == 1, "whoever took the old key could have signed anything"
    assert "the key that signed it is revoked" in refused.stderr
    assert "run `graphwright build` to generate it from its sources" in refused.stderr
    fine(graphwright("sign", "--force", "generated"))
    assert here.imports().stdout == "clean\n"


def test_a_key_travels_to_another_project(here: Project, tmp_path: Path) -> None:
    key_id = fine(graphwright("keys", "new", "release")).strip()
    text = fine(graphwright("keys", "export", "release")).strip()
    pem = tmp_path / "release.pem"
    pem.write_text(fine(graphwright("keys", "export", key_id[:6], "--pem")))
    for given in (text, str(pem)):
        (here.folder / PROJECT_FILE).unlink(missing_ok=True)
        fine(graphwright("keys", "trust", given, "--name", "release"))
        assert [entry.key.id for entry in read_trust(here.folder / PROJECT_FILE)] == [key_id]


def test_the_text_of_a_key_is_no_option(here: Project) -> None:
    """One key of 64 begins with a hyphen."""
    key = next(key for key in (Signer(bytes([at] * 32)).key for at in range(256)) if to_text(key.public)[0] == "-")
    fine(graphwright("keys", "trust", "--name", "hyphen", to_text(key.public), "--graphs", "a/*"))
    entry = next(entry for entry in read_trust(here.folder / PROJECT_FILE) if entry.name == "hyphen")
    assert (entry.key.id, entry.graphs) == (key.id, ("a/*",))
    fine(graphwright("keys", "revoke", to_text(key.public)))
    assert graphwright("keys", "list", "-" + "x" * 20).code == 2


def test_a_private_key_travels_to_ci(here: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    fine(graphwright("keys", "new", "ci"))
    secret = fine(graphwright("keys", "export", "ci", "--private")).strip()
    key = default_key()
    assert key is not None
    monkeypatch.setenv("XDG_CONFIG_HOME", str(here.folder / "nobody"))
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", secret)
    signed = graphwright("sign", "generated")
    assert key.key_id in signed.stderr
    assert secret not in signed.stderr + signed.stdout
    assert stored_keys() == []


def test_a_name_that_two_trusted_keys_have_is_a_question(here: Project) -> None:
    """`rotate` keeps the name: which half is handed on must not be left to chance."""
    old = fine(graphwright("keys", "new", "release")).strip()
    fine(graphwright("keys", "trust", "release"))
    new = fine(graphwright("keys", "rotate")).strip()
    for action in ("export", "trust", "revoke"):
        outcome = graphwright("keys", action, "release")
        assert outcome.code == 2
        assert f"`release` is {old} (release) or {new} (release); be more specific" in outcome.stderr
    fine(graphwright("keys", "export", new))


def test_trust_for_one_user_alone(here: Project, home: Path) -> None:
    fine(graphwright("keys", "new", "mine"))
    fine(graphwright("keys", "trust", "mine", "--user"))
    assert [entry.name for entry in read_trust(home / "trust.toml")] == ["mine"]
    fine(graphwright("sign", "--force", "generated"))
    fine(graphwright("verify"))
    fine(graphwright("keys", "revoke", "mine", "--user"))
    assert graphwright("verify").code == 1


def test_the_first_signature_makes_a_development_key(here: Project) -> None:
    signed = graphwright("sign", "generated")
    assert "created a development key" in signed.stderr
    assert "created a development key" not in graphwright("sign", "generated").stderr
    fine(graphwright("verify"))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("keys", "trust"), "which key?"),
        (("keys", "revoke", "nobody"), "there is no key and no file `nobody` here"),
        (("keys", "trust", "nobody"), "`graphwright keys export KEY` prints for them"),
        (("keys", "trust", "graphwright.toml"), "does not contain a public key"),
        (("keys", "trust", "nobody", "--until", "soon"), "`soon` is not a day; write it as 2027-06-30"),
        (("keys", "rotate"), "no key to rotate"),
        (("keys", "dance"), "there is no command `keys dance`"),
        (("sign", "missing.py"), "missing.py cannot be signed"),
        (("sign", "--key", "nobody", "generated"), "no private key `nobody`"),
        (("verify", "missing.py"), "missing.py cannot be read"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(here: Project, arguments: tuple[str, ...], problem: str) -> None:
    outcome = graphwright(*arguments)
    assert outcome.code == 2
    assert problem in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_a_broken_trust_file_is_wrong_usage(here: Project) -> None:
    (here.folder / PROJECT_FILE).write_text("[[keys")
    for command in (("verify",), ("keys", "list"), ("sign", "generated")):
        outcome = graphwright(*command)
        assert outcome.code == 2, command
        assert "not valid TOML" in outcome.stderr


# --- verify ------------------------------------------------------------------------------------------------------


def test_verify_finds_everything_at_once(here: Project) -> None:
    here.module.write_bytes(here.module.read_bytes() + b"# more\n")
    (here.package / "billing" / "refunds.py").unlink()
    (here.package / "billing" / "extra.py").write_text("print('planted')\n")
    (here.package / "billing" / "invoices.so").write_bytes(b"\x7fELF")
    (here.package / "billing" / "__pycache__").mkdir()
    (here.package / "billing" / "__pycache__" / "invoices.cpython-311.pyc").write_bytes(b"cache")
    outcome = graphwright("verify", "--format", "json")
    assert outcome.code == 1
    assert codes(outcome) == [
        ("GW804", f"generated/billing/{name}") for name in ("extra.py", "invoices.py", "invoices.so", "refunds.py")
    ]
    text = graphwright("verify").stderr
    assert "error[GW804]: this module is not trusted: it was changed after it was signed" in text
    assert f"(key {ALICE.key.id} (alice))" in text
    assert "2 verified" in text


def test_verify_one_module(here: Project) -> None:
    (here.package / "billing" / "refunds.py").unlink()
    fine(graphwright("verify", "generated/billing/invoices.py"))
    assert graphwright("verify", "generated/billing/refunds.py").code in (1, 2)


def test_verify_a_folder_without_packages(here: Project) -> None:
    (here.package / MANIFEST).unlink()
    outcome = graphwright("verify")
    assert outcome.code == 1
    assert "no signed package" in outcome.stderr


def test_verify_a_folder_of_graphs_says_how_graphs_are_verified(here: Project) -> None:
    (here.folder / "flows").mkdir()
    outcome = graphwright("verify", "flows")
    assert outcome.code == 1
    assert "or the graphs and tools to verify" in " ".join(outcome.stderr.split())


@pytest.mark.parametrize("path", [[], ["generated"], ["."]])
def test_verify_finds_modules_that_lie_in_no_package(here: Project, path: list[str]) -> None:
    """The manifest was taken away, and a genuine small package put below, so that there is something to verify."""
    inner = here.package / "inner"
    inner.mkdir()
    init = seal("module", b"", ALICE)
    (inner / "__init__.py").write_bytes(init)
    (inner / MANIFEST).write_bytes(signed_manifest({"__init__.py": Entry.of(init)}, {}, ALICE))
    (here.package / MANIFEST).unlink()
    here.module.write_bytes(here.module.read_bytes().replace(b"clean", b"dirty"))
    outcome = graphwright("verify", *path)
    assert outcome.code == 1
    assert "1 verified" in outcome.stderr
    assert "no signed package in this folder" in outcome.stderr or "invoices.py" in outcome.stderr


def test_sources_tools_and_texts(here: Project) -> None:
    files = {
        "graphs/report.yaml": b"tool_type: graph\n",
        ".ai/tools/tickets/list.py": b"def execute(params, project_path):\n    return {}\n",
        ".ai/tools/tickets/close": b"#!/bin/sh\necho one\n",
        ".ai/directives/plan.md": b"# Plan\n",
        ".ai/knowledge/prices.md": b"# Prices\n",
    }
    for name, text in files.items():
        (here.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (here.folder / name).write_bytes(text)
    unsigned = graphwright("verify", "--format", "json", *files)
    assert sorted(code for code, _ in codes(unsigned)) == ["GW801", *["GW804"] * 4]
    fine(graphwright("sign", *files))
    fine(graphwright("verify", *files))
    assert (here.folder / ".ai/knowledge/prices.md").read_bytes().startswith(b"<!-- graphwright:signed:")
    assert (here.folder / ".ai/tools/tickets/close").read_bytes().startswith(b"#!/bin/sh\n# graphwright:signed:")

    changed = here.folder / ".ai/tools/tickets/list.py"
    changed.write_bytes(changed.read_bytes() + b"import os\n")
    assert graphwright("verify", changed).code == 1
    refused = graphwright("sign", changed)
    assert refused.code == 1
    assert "changed after it was signed" in refused.stderr
    fine(graphwright("sign", "--force", changed))
    fine(graphwright("verify", changed))


@pytest.mark.parametrize(
    ("path", "purpose"),
    [
        ("knowledge/project/.ai/tools/look.py", "tool"), ("knowledge/.ai/tools/graph.yaml", "source"),
        ("project/.ai/tools/readme.md", "tool"), ("project/.ai/tools/knowledge/look", "tool"),
        ("project/.ai/directives/knowledge/plan.md", "directive"), ("project/.ai/knowledge/tools/list.py", "knowledge"),
        ("project/.ai/knowledge/prices.yaml", "knowledge"), ("tool/.ai/x/.ai/tools/look.py", "tool"),
        ("docs/knowledge/prices.md", "knowledge"), ("docs/plan.md", "directive"), ("graphs/report.yml", "source"),
    ],
)  # fmt: skip
def test_a_file_is_signed_as_what_a_run_will_take_it_for(tmp_path: Path, path: str, purpose: str) -> None:
    assert purpose_of(tmp_path / path) == purpose


# --- sign --------------------------------------------------------------------------------------------------------


def test_sign_does_not_vouch_for_what_was_changed(here: Project) -> None:
    before = {file: file.read_bytes() for file in here.package.rglob("*") if file.is_file() and file != here.module}
    here.module.write_bytes(here.module.read_bytes().replace(b"clean", b"dirty"))
    outcome = graphwright("sign", "generated")
    assert outcome.code == 1
    assert "invoices.py: not signed: it was changed after it was signed" in outcome.stderr
    assert {file: file.read_bytes() for file in before} == before, "all or nothing"
    fine(graphwright("sign", "--force", "generated"))
    fine(graphwright("verify"))


def test_sign_does_not_take_up_what_the_manifest_does_not_list(here: Project) -> None:
    (here.package / "billing" / "extra.py").write_bytes(module_text("extra"))
    fine(graphwright("sign", "--force", "generated"))
    assert [path for _, path in codes(graphwright("verify", "--format", "json"))] == ["generated/billing/extra.py"]


def test_sign_does_not_believe_a_manifest_that_was_changed(here: Project) -> None:
    manifest = here.package / MANIFEST
    manifest.write_bytes(manifest.read_bytes().replace(b'"sha256": "', b'"sha256": "0', 1))
    outcome = graphwright("sign", "generated")
    assert outcome.code == 1
    assert f"{MANIFEST}: not signed" in outcome.stderr


def test_sign_a_package_that_was_built_without_signatures(here: Project) -> None:
    (here.package / MANIFEST).unlink()
    for path, (text, _) in standard_modules().items():
        (here.package / path).write_bytes(text)
    (here.package / "by_hand.py").write_text("print('not generated')\n")
    init = here.package / "billing" / "__init__.py"
    init.write_text("print('planted')\n")
    outcome = graphwright("sign", "generated")
    assert outcome.code == 1
    assert "billing/__init__.py: not signed: it contains code that a build did not write" in outcome.stderr
    init.write_bytes(b"")
    assert graphwright("sign", "generated").code == 1, "there are no sources that could vouch for them"
    forced = graphwright("sign", "--force", "generated")
    assert "--force signs billing/invoices.py (billing/invoices): the key" in forced.stderr
    assert [path for _, path in codes(graphwright("verify", "--format", "json"))] == ["generated/by_hand.py"]
    assert here.imports().stdout == "clean\n"


def test_sign_does_not_vouch_for_what_an_unknown_key_signed(here: Project) -> None:
    """A repository that moves to another team is built there; who only signs again must have looked."""
    here.publish(standard_modules(), MALLORY)
    before = here.module.read_bytes()
    refused = graphwright("sign", "generated")
    assert refused.code == 1
    assert (
        f"{MANIFEST}: not signed: its line for __init__.py is not valid: it was signed by a key that" in refused.stderr
    )
    assert MALLORY.key.id in refused.stderr
    assert here.module.read_bytes() == before
    fine(graphwright("sign", "--force", "generated"))
    fine(graphwright("verify"))


def test_sign_does_not_vouch_for_modules_whose_manifest_was_taken_away(here: Project) -> None:
    """Their own signature lines still say that they were changed, or that another user made them."""
    (here.package / MANIFEST).unlink()
    here.module.write_bytes(here.module.read_bytes().replace(b"clean", b"dirty"))
    (here.package / "billing" / "refunds.py").write_bytes(seal("module", module_text("refunds", "dirty"), MALLORY))
    refused = graphwright("sign", "generated")
    assert refused.code == 1
    assert "invoices.py: not signed: it was changed after it was signed" in refused.stderr
    assert "refunds.py: not signed: it was signed by a key that is not trusted here" in refused.stderr
    assert not (here.package / MANIFEST).exists()


def test_sign_does_not_vouch_for_a_module_in_anothers_place(here: Project) -> None:
    """It is genuine, and the manifest that said where it belongs was taken away."""
    fine(graphwright("keys", "new", "me"))
    fine(graphwright("keys", "trust", "me"))
    fine(graphwright("sign", "--force", "generated"))
    (here.package / MANIFEST).unlink()
    here.module.write_bytes((here.package / "billing" / "refunds.py").read_bytes())
    refused = graphwright("sign", "generated")
    assert refused.code == 1
    assert "invoices.py: not signed: the key" in refused.stderr
    assert not (here.package / MANIFEST).exists()
    here.refuses()


def test_sign_a_folder_in_which_nothing_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "load.py").write_text("def execute(params, project_path):\n    return {}\n")
    outcome = graphwright("sign", "tools")
    assert outcome.code == 1
    assert "tools: not signed: this folder contains no generated modules" in outcome.stderr
    assert [file.name for file in (tmp_path / "tools").iterdir()] == ["load.py"]


# --- which key signs ------------------------------------------------------------------------------------------------


def keys(*arguments: str) -> str:
    """What a `keys` command that must succeed says to people, on one line."""
    outcome = graphwright("keys", *arguments)
    assert outcome.code == 0, outcome.stderr
    return " ".join(outcome.stderr.split())


def signing() -> str:
    """The id of the key that signs."""
    key = default_key()
    return "" if key is None else key.key_id


@pytest.mark.usefixtures("here")
def test_a_change_of_the_key_that_signs_is_said() -> None:
    first = fine(graphwright("keys", "new", "first")).strip()
    outcome = graphwright("keys", "new", "second", "--quiet")
    second = fine(outcome).strip()
    assert f"{second} (second) signs from now on, instead of {first} (first)" in outcome.stderr
    assert signing() == second
    assert f"to go back: graphwright keys use {first}" in outcome.stderr
    assert f"{first} (first) signs from now on, instead of {second} (second)" in keys("use", "first")
    assert signing() == first
    assert keys("use", first[:8]).startswith(f"{first} (first) signs from now on")


@pytest.mark.usefixtures("here")
def test_a_key_in_the_environment_signs_whatever_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(ALICE.seed))
    assert "GRAPHWRIGHT_SIGNING_KEY is set: that key signs" in keys("new", "first")
    assert "GRAPHWRIGHT_SIGNING_KEY is set: that key signs" in keys("use", "first")


@pytest.mark.usefixtures("here")
def test_a_key_is_removed_when_somebody_says_so(home: Path) -> None:
    first = fine(graphwright("keys", "new", "first")).strip()
    second = fine(graphwright("keys", "new", "second")).strip()
    refused = graphwright("keys", "remove", "second")
    assert refused.code == 2
    assert "pass `--yes` to remove it without confirmation" in refused.stderr
    assert (home / "keys" / f"{second}.key").exists()
    said = keys("remove", "second", "--yes")
    assert f"removed the private half of {second} (second)" in said
    assert f"graphwright keys revoke {second}" in said
    assert f"{first} (first) signs now" in said
    assert not (home / "keys" / f"{second}.key").exists()
    assert signing() == first
    assert "none of your keys is the signing key now" in keys("remove", first, "--yes")
    assert list((home / "keys").glob("*.key")) == []


@pytest.mark.usefixtures("here")
def test_the_key_that_signs_stays_when_another_one_is_removed() -> None:
    first = fine(graphwright("keys", "new", "first")).strip()
    fine(graphwright("keys", "new", "second"))
    keys("use", "first")
    assert "signs now" not in keys("remove", "second", "--yes")
    assert signing() == first


@pytest.mark.parametrize("action", ["use", "remove"])
@pytest.mark.usefixtures("here")
def test_a_key_that_is_not_there(action: str) -> None:
    fine(graphwright("keys", "new", "release"))
    for wanted, hint in (("relaese", "did you mean `release`?"), ("other", "`graphwright keys list` shows")):
        outcome = graphwright("keys", action, wanted)
        assert outcome.code == 2
        assert f"there is no private key `{wanted}`" in outcome.stderr
        assert hint in outcome.stderr
    assert graphwright("keys", action).code == 2


@pytest.mark.parametrize(
    ("days", "reason"),
    [
        ("-1", "`-1` is not a number of days"),
        ("99999999999", "goes beyond the year 9999"),
        ("9" * 5000, "goes beyond the year 9999"),
        ("٣", "is not a number"),
    ],
)
def test_days_that_no_calendar_has(here: Project, days: str, reason: str) -> None:
    fine(graphwright("keys", "new", "team"))
    before = [key.key_id for key in stored_keys()]
    refused = graphwright("keys", "rotate", "team", "--days", days)
    assert refused.code == 2
    assert reason in refused.stderr
    assert "internal error" not in refused.stderr
    assert [key.key_id for key in stored_keys()] == before, "no key was made"


# --- help -----------------------------------------------------------------------------------------------------------


def test_each_action_has_a_page_with_its_own_options() -> None:
    page = graphwright("keys", "--help")
    assert page.code == 0
    own: dict[str, set[str]] = {
        "new": {"--name"},
        "use": set(),
        "remove": {"--yes"},
        "list": set(),
        "trust": {"--user", "--graphs", "--name", "--until"},
        "revoke": {"--user"},
        "rotate": {"--days"},
        "export": {"--private", "--pem"},
    }
    assert list(own) == list(ACTIONS)
    for action, options in own.items():
        assert f"\n  {action:<13}{ACTIONS[action]}\n" in page.stdout
        shown = graphwright("keys", action, "--help").stdout
        assert shown.startswith(f"usage: graphwright keys {action} ")
        assert set(re.findall(r"^ +(--\w+)", shown, re.MULTILINE)) == options | {"--color"}
        for other in set[str]().union(*own.values()) - options:
            refused = graphwright("keys", action, other, "x")
            assert (refused.code, f"there is no option `{other}`" in refused.stderr) == (2, True)


def test_a_key_gets_its_name_from_either_argument(here: Project) -> None:
    fine(graphwright("keys", "new", "--name", "release"))
    assert "release" in [key.name for key in stored_keys()]
    assert "given twice" in graphwright("keys", "new", "a", "--name", "b").stderr

"""Trust files: what they may say, which of two counts, and how the compiler edits them."""

from __future__ import annotations

import contextlib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphwright.trust.trustfile import add_key, end_key, entry_of, revoke_key
from graphwright_runtime.trust.signing import to_text
from graphwright_runtime.trust.truststore import (
    PROJECT_FILE,
    TrustedKey,
    TrustError,
    find_trust,
    load_trust,
    parse_trust,
)
from owners import give_away
from signing.packages import ALICE, MALLORY

STANZA = f'[[keys]]\nid = "{ALICE.key.id}"\npublic = "{to_text(ALICE.key.public)}"\n'


def test_a_key_is_trusted_for_everything_unless_said_otherwise() -> None:
    (entry,) = parse_trust(STANZA.encode(), "trust.toml")
    assert (entry.key.id, entry.graphs, entry.until, entry.revoked) == (ALICE.key.id, ("*",), None, False)
    assert entry.allows("any/graph")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[keys", "not valid TOML"),
        (f"keys = {'9' * 5000}", "not valid TOML"),
        ("key = 1", "`key` is not a known setting"),
        ("keys = 1", r"\[\[keys\]\]"),
        (STANZA + "colour = 1", "`colour` is not a known field"),
        (STANZA + 'until = "soon"', "must be a date"),
        (STANZA + "until = 2027-01-01T00:00:00", "must be a date"),
        (STANZA + "graphs = []", "list of patterns"),
        (STANZA + 'graphs = "billing/*"', "list of patterns"),
        (STANZA + "graphs = [1]", "list of patterns"),
        (STANZA + "revoked = 1", "true or false"),
        (STANZA + "name = 1", "must be a string"),
        (STANZA.replace(ALICE.key.id, MALLORY.key.id), "the id of its public key"),
        (STANZA.replace("public", "# public"), "`public` is missing"),
        (STANZA.replace(to_text(ALICE.key.public), "AAAA"), "not a public key"),
        (STANZA + STANZA, "listed twice"),
    ],
)
def test_a_file_that_says_something_else_trusts_nobody(text: str, problem: str) -> None:
    with pytest.raises(TrustError, match=problem):
        parse_trust(text.encode(), "trust.toml")


@given(st.binary(max_size=100))
def test_noise_is_an_error_or_nothing(noise: bytes) -> None:
    with contextlib.suppress(TrustError):
        assert parse_trust(noise, "trust.toml") == []


def test_the_last_day_counts() -> None:
    entry = TrustedKey(ALICE.key, "alice", until=date(2027, 6, 30))
    assert not entry.expired(date(2027, 6, 30))
    assert entry.expired(date(2027, 7, 1))
    assert not TrustedKey(ALICE.key, "alice", until=datetime.now(UTC).date()).expired()


def test_patterns_are_those_of_graph_ids() -> None:
    entry = TrustedKey(ALICE.key, "alice", graphs=("billing/*", "reports/count"))
    assert [entry.allows(graph) for graph in ("billing/a", "billing/a/b", "reports/count", "reports/counts")] == [
        True, True, True, False,
    ]  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A project's trust file and a user's."""
    return tmp_path / "project" / PROJECT_FILE, tmp_path / "user" / "trust.toml"


def test_the_project_decides_about_a_key_that_both_know(files: tuple[Path, Path]) -> None:
    project, user = files
    add_key(user, ALICE.key, "mine")
    add_key(user, MALLORY.key, "only mine")
    add_key(project, ALICE.key, "ours", graphs=("billing/*",))
    trust = load_trust(project, user)
    assert {entry.name for entry in trust.keys.values()} == {"ours", "only mine"}
    assert trust.keys[ALICE.key.id].graphs == ("billing/*",)


@pytest.mark.parametrize("revoking", [0, 1])
def test_a_revocation_in_either_is_final(files: tuple[Path, Path], revoking: int) -> None:
    for file in files:
        add_key(file, ALICE.key, "alice")
    revoke_key(files[revoking], ALICE.key.id)
    assert load_trust(*files).keys[ALICE.key.id].revoked


def test_absent_files_trust_nobody(files: tuple[Path, Path]) -> None:
    assert load_trust(*files).keys == {}


def test_the_nearest_project_file_above_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_key(tmp_path / PROJECT_FILE, ALICE.key, "alice")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert set(find_trust(below).keys) == {ALICE.key.id}
    monkeypatch.setenv("GRAPHWRIGHT_TRUST", str(tmp_path / "other.toml"))
    assert find_trust(below).keys == {}


def test_editing_keeps_what_people_wrote(files: tuple[Path, Path]) -> None:
    file = files[0]
    file.parent.mkdir(parents=True)
    file.write_text(
        f'# ours\n\n[[keys]] # the first\n  id = "{MALLORY.key.id}"  # 2026\npublic = "{to_text(MALLORY.key.public)}"'
    )
    add_key(file, ALICE.key, 'the "second" key', graphs=("a/*", "b"), until=date(2027, 1, 1))
    revoke_key(file, MALLORY.key.id)
    end_key(file, ALICE.key.id, date(2026, 12, 1))
    text = file.read_text()
    assert text.startswith(f'# ours\n\n[[keys]] # the first\n  id = "{MALLORY.key.id}"  # 2026\n')
    alice, mallory = entry_of(file, ALICE.key.id), entry_of(file, MALLORY.key.id)
    assert alice is not None
    assert mallory is not None
    assert (alice.name, alice.graphs, alice.until) == ('the "second" key', ("a/*", "b"), date(2026, 12, 1))
    assert mallory.revoked
    assert not alice.revoked
    add_key(file, ALICE.key, "again")
    again = entry_of(file, ALICE.key.id)
    assert again is not None
    assert (again.graphs, again.until) == (("*",), None)


def test_what_is_not_there_cannot_be_revoked(files: tuple[Path, Path]) -> None:
    add_key(files[0], ALICE.key, "alice")
    with pytest.raises(TrustError, match="has no"):
        revoke_key(files[0], MALLORY.key.id)


def test_a_written_file_is_never_open_to_everybody(files: tuple[Path, Path]) -> None:
    add_key(files[0], ALICE.key, "alice")
    files[0].chmod(0o664)
    end_key(files[0], ALICE.key.id, datetime.now(UTC).date() + timedelta(days=1))
    assert files[0].stat().st_mode & 0o002 == 0


@pytest.mark.parametrize("open_one", ["project", "folder"])
def test_a_file_in_a_folder_that_everybody_may_write_to_trusts_nobody(tmp_path: Path, open_one: str) -> None:
    """The search goes up to `/`: files of another user in a shared folder do not make it a project."""
    file = tmp_path / "shared" / PROJECT_FILE
    add_key(file, MALLORY.key, "mallory")
    folder = {"project": tmp_path / "shared", "folder": file.parent}[open_one]
    below = tmp_path / "shared" / "a" / "b"
    below.mkdir(parents=True)
    folder.chmod(0o777)
    with pytest.raises(TrustError, match=rf"{folder} is world-writable.* GRAPHWRIGHT_TRUST"):
        find_trust(below)
    folder.chmod(0o1777)
    assert set(find_trust(below).keys) == {MALLORY.key.id}, "one's own file, which nobody else can move"


@pytest.mark.parametrize("strange", ["file", "folder", "project"])
@pytest.mark.parametrize("mode", [0o755, 0o1777])
def test_a_trust_file_of_another_user_trusts_nobody(
    tmp_path: Path, strange: str, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "shared" / PROJECT_FILE
    add_key(file, MALLORY.key, "mallory")
    path = {"file": file, "folder": file.parent, "project": file.parent.parent}[strange]
    give_away(path, monkeypatch)
    (tmp_path / "shared").chmod(mode)
    with pytest.raises(TrustError, match=rf"{path} belongs to uid 12345, not to you .* GRAPHWRIGHT_SAFE_DIRECTORY="):
        find_trust(tmp_path / "shared")
    monkeypatch.setenv("GRAPHWRIGHT_SAFE_DIRECTORY", str(tmp_path / "shared"))
    assert set(find_trust(tmp_path / "shared").keys) == {MALLORY.key.id}, "as when a container mounts a project"

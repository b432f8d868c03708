"""Hostile arguments and files of the key commands: one line each, nothing invisible, no other key than was meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.trust.keys import new_key, read_key, stored_keys
from graphwright.trust.trustfile import add_key, entry_of, revoke_key, set_field
from graphwright_runtime.trust.signing import to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE, TrustError, parse_trust, read_trust, user_folder
from graphwright_runtime.visible import is_visible
from signing.packages import ALICE, MALLORY

ODD = [
    " ", "\n", "a\nb", "\u202eevil", "a\u200bb", "\udcff", "\ud800", "\ufeff", "a\u3164", "x\u2028y", "\x1b[31mred",
    "a\x85", "x" * 5000, "9" * 5000, "/dev/zero", "..", "\x7f", "\u00ad", "e\u0301\u200d",
]  # fmt: skip
INVISIBLE = set("\u202e\u200b\u3164\u2028\x1b\ufeff\x85\x7f\u00ad\u200d")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, and a user with one key, `base`."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "graphwright.toml").write_text("")
    monkeypatch.chdir(folder)
    assert graphwright("keys", "new", "base").code == 0
    return folder


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_odd_arguments_are_one_line_and_show_nothing_unseen(odd: str) -> None:
    for arguments in (
        ("new", odd), ("use", odd), ("remove", odd, "--yes"), ("trust", odd), ("trust", "base", "--name", odd),
        ("trust", "base", "--graphs", odd), ("trust", "base", "--until", odd), ("revoke", odd), ("export", odd),
        ("rotate", odd), ("rotate", "--days", odd),
    ):  # fmt: skip
        outcome = graphwright("keys", *arguments)
        assert outcome.code in (0, 2), arguments
        assert "Traceback" not in outcome.stderr, arguments
        assert not INVISIBLE & set(outcome.stdout + outcome.stderr), arguments
        if not is_visible(odd):
            assert outcome.code == 2, arguments
            lines = outcome.stderr.count("\n") - outcome.stderr.count("see `graphwright")
            assert lines - 1 in (0, odd.count("\n")), arguments
    if not is_visible(odd):
        assert [key.name for key in stored_keys()] == ["base"]
    assert graphwright("keys", "list").code == 0


@pytest.mark.parametrize("text", ["a\\u202eb", "a\\u200bb", "\\u001b[2Jx", "x\\u3164", " x", "a\\nb", "\\u0085"])
@pytest.mark.parametrize("field", ["name", "graphs"])
def test_a_trust_file_has_no_names_that_cannot_be_seen(text: str, field: str) -> None:
    value = f'"{text}"' if field == "name" else f'["a/*", "{text}"]'
    lines = ["[[keys]]", f'id = "{ALICE.key.id}"', f'public = "{to_text(ALICE.key.public)}"', f"{field} = {value}"]
    with pytest.raises(TrustError, match="invisible"):
        parse_trust("\n".join(lines).encode(), "trust.toml")
    PROJECT_FILE.parent.mkdir()
    PROJECT_FILE.write_text("\n".join(lines))
    outcome = graphwright("keys", "list")
    assert (outcome.code, outcome.stderr.count("\n")) == (2, 1)
    assert not INVISIBLE & set(outcome.stderr)


def test_the_name_of_a_private_key_is_shown_as_it_is() -> None:
    key = new_key("plain")
    assert key.file is not None
    key.file.write_text(key.file.read_text().replace('"plain"', '"pl\\u202eain"'))
    assert read_key(key.file).name == "pl\\u202eain"
    assert r"pl\u202eain" in graphwright("keys", "list").stdout


def test_a_known_key_gets_the_name_that_is_given() -> None:
    assert graphwright("keys", "trust", "base").code == 0
    assert "(release) is trusted" in graphwright("keys", "trust", "base", "--name", "release").stderr
    assert [entry.name for entry in read_trust(PROJECT_FILE)] == ["release"]
    assert graphwright("keys", "trust", to_text(read_trust(PROJECT_FILE)[0].key.public)).code == 0
    assert [entry.name for entry in read_trust(PROJECT_FILE)] == ["release"]


def test_a_file_of_a_repository_is_not_taken_for_a_key_of_the_user(here: Path) -> None:
    """Somebody put a public key there under the name, or the id, of a key that the user means."""
    own = stored_keys()[0]
    for name in ("base", own.key_id, own.key_id[:8]):
        (here / name).write_text(to_text(MALLORY.key.public))
        for action in ("trust", "revoke", "export"):
            outcome = graphwright("keys", action, name)
            assert outcome.code == 2
            assert f"`{name}` is a file here and also {own.key_id} (base): write `./{name}`" in outcome.stderr
            assert not PROJECT_FILE.exists()
        (here / name).unlink()
    (here / "base").write_text(to_text(MALLORY.key.public))
    assert graphwright("keys", "trust", own.key_id).code == 0
    assert graphwright("keys", "trust", "./base").code == 0
    assert {entry.key.id for entry in read_trust(PROJECT_FILE)} == {own.key_id, MALLORY.key.id}


HEAD = f"""[[keys]]
id = "{MALLORY.key.id}"
public = "{to_text(MALLORY.key.public)}"
"""


@pytest.mark.parametrize(
    "layout",
    [
        'name = "a"\n', "name = 'a' # [[keys]]\n", 'graphs = [\n  "a/*",\n  "b/*",\n]\n', "revoked=false\n",
        "\n\n# words\u2028revoked = true\n", "# words\x85graphs = 0\n", "'graphs' = ['a/*']\n", "name = 'a'",
    ],
    ids=ascii,
)  # fmt: skip
def test_trust_files_are_changed_as_meant_or_not_at_all(layout: str) -> None:
    PROJECT_FILE.parent.mkdir()
    PROJECT_FILE.write_text(HEAD + layout, "utf-8")
    before = read_trust(PROJECT_FILE)[0]
    add_key(PROJECT_FILE, ALICE.key, "alice", graphs=("c/*",))
    revoke_key(PROJECT_FILE, ALICE.key.id)
    problem = ""
    try:
        set_field(PROJECT_FILE, MALLORY.key.id, "graphs", '["d/*"]')
    except TrustError as error:
        problem = str(error)
    assert not problem or "edit it by hand" in problem
    mallory, alice = read_trust(PROJECT_FILE)
    assert (alice.revoked, alice.graphs) == (True, ("c/*",))
    assert mallory.graphs == (before.graphs if problem else ("d/*",))
    assert (mallory.revoked, mallory.name) == (before.revoked, before.name)


@pytest.mark.parametrize("hidden", [f'id = "{ALICE.key.id}"', f'[[keys]]\nid = "{ALICE.key.id}"'])
def test_text_that_looks_like_a_key_is_not_changed_in_its_place(hidden: str) -> None:
    """In a text of several lines it would be found first, and the key not be revoked."""
    add_key(PROJECT_FILE, ALICE.key, "alice")
    text = PROJECT_FILE.read_text()
    PROJECT_FILE.write_text(f"{HEAD}name = '''{hidden}\n'''\n{text}")
    with pytest.raises(TrustError):
        revoke_key(PROJECT_FILE, ALICE.key.id)
    commented = "".join(f"# {line}\n" for line in hidden.split("\n"))
    PROJECT_FILE.write_text(commented + HEAD + commented + text)
    revoke_key(PROJECT_FILE, ALICE.key.id)
    entry = entry_of(PROJECT_FILE, ALICE.key.id)
    assert entry is not None
    assert entry.revoked


def test_no_test_sees_the_keys_of_whoever_runs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where it takes the variable away that says where they are."""
    monkeypatch.delenv("XDG_CONFIG_HOME")
    folder = user_folder()
    assert folder is not None
    if os.name == "posix":
        import pwd

        assert Path(pwd.getpwuid(os.getuid()).pw_dir) not in folder.parents

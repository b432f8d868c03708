"""Private keys: where they are kept, who may read them, which one signs."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphwright.trust.keys import (
    PrivateKeyError,
    default_key,
    find_key,
    make_default,
    new_key,
    read_key,
    signing_key,
    stored_keys,
)
from graphwright_runtime.trust.signing import to_text
from graphwright_runtime.trust.truststore import find_trust
from signing.packages import ALICE


def silent(remark: str) -> None:
    raise AssertionError(remark)


def test_a_key_is_kept_for_its_owner_alone(home: Path) -> None:
    key = new_key("release")
    assert key.file == home / "keys" / f"{key.key_id}.key"
    assert key.file.stat().st_mode & 0o777 == 0o600
    assert key.file.parent.stat().st_mode & 0o077 == 0
    assert read_key(key.file).signer.key.public == key.signer.key.public


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666, 0o700 | 0o010])
def test_a_key_file_that_others_can_open_is_refused(home: Path, mode: int) -> None:
    key = new_key("release")
    assert key.file is not None
    key.file.chmod(mode)
    with pytest.raises(PrivateKeyError, match=r"chmod 600"):
        signing_key(None, silent)


def test_the_first_use_makes_a_development_key_and_says_so(home: Path, tmp_path: Path) -> None:
    remarks: list[str] = []
    key = signing_key(None, remarks.append)
    (remark,) = remarks
    assert "created a development key" in remark
    assert key.key_id in remark
    assert str(home / "trust.toml") in remark
    assert set(find_trust(tmp_path).keys) == {key.key_id}
    assert signing_key(None, silent).key_id == key.key_id


def test_the_environment_comes_before_files_and_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    new_key("release")
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(ALICE.seed))
    assert signing_key(None, silent).key_id == ALICE.key.id
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", "secret text")
    with pytest.raises(PrivateKeyError) as caught:
        signing_key(None, silent)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        to_text(ALICE.seed)[:-1], to_text(ALICE.seed) + "=", to_text(ALICE.seed) + "A", "ü" * 43, "-" * 44,
        "A" * 42 + "B", ALICE.seed.hex(), to_text(ALICE.seed)[:20] + " " + to_text(ALICE.seed)[20:],
        to_text(ALICE.seed + ALICE.seed),
    ],
)  # fmt: skip
def test_a_malformed_key_in_the_environment_is_an_error_that_does_not_show_it(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """No other key is used to sign: a build machine would publish modules that are not trusted."""
    new_key("release")
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", text)
    with pytest.raises(PrivateKeyError, match=r"is not a private key \(43 characters") as caught:
        signing_key(None, silent)
    assert text[:8] not in str(caught.value)


def test_a_chosen_key_comes_before_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = new_key("first"), new_key("second")
    monkeypatch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(ALICE.seed))
    assert signing_key("first", silent).key_id == first.key_id
    assert signing_key(second.key_id[:8], silent).key_id == second.key_id
    with pytest.raises(PrivateKeyError, match="no private key `third`"):
        signing_key("third", silent)


def test_the_last_key_made_signs_unless_another_is_the_default() -> None:
    first, second = new_key("first"), new_key("second")
    assert signing_key(None, silent).key_id == second.key_id
    make_default(first.key_id)
    assert signing_key(None, silent).key_id == first.key_id
    assert [key.name for key in stored_keys()] == ["first", "second"]


def test_several_keys_without_a_default_are_a_question(home: Path) -> None:
    new_key("first", default=False)
    assert default_key() is not None
    new_key("second", default=False)
    with pytest.raises(PrivateKeyError, match="pass --key"):
        default_key()


def test_a_name_that_two_keys_have_is_a_question() -> None:
    new_key("twin")
    new_key("twin")
    with pytest.raises(PrivateKeyError, match="2 keys"):
        find_key("twin")


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 65, "\x00"])
def test_a_name_is_a_few_printable_characters(name: str) -> None:
    with pytest.raises(PrivateKeyError, match="printable"):
        new_key(name)


@pytest.mark.parametrize("text", [b"", b"\xff", b"name = 1\nseed = 2", b'name = "a"\nseed = "short"'])
def test_a_file_that_holds_no_key_is_refused(home: Path, text: bytes) -> None:
    key = new_key("release")
    assert key.file is not None
    key.file.write_bytes(text)
    with pytest.raises(PrivateKeyError, match="not a key file"):
        read_key(key.file)


@pytest.mark.parametrize("text", ["", "../../elsewhere", "a\0b", "f" * 5000, "é"])
def test_a_default_that_is_no_key_is_refused(home: Path, text: str) -> None:
    new_key("one")
    (home / "keys" / "default").write_text(text)
    with pytest.raises(PrivateKeyError, match="default"):
        default_key()


def test_a_file_under_another_keys_name_is_refused() -> None:
    first, second = new_key("first"), new_key("second")
    assert first.file is not None
    assert second.file is not None
    first.file.write_bytes(second.file.read_bytes())
    with pytest.raises(PrivateKeyError, match="does not match its name"):
        read_key(first.file)

"""The signature itself: what is signed, by whom, and that nothing else verifies."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import VerifyKey

from graphwright_runtime.trust.signing import Key, Signer, encode, from_text, to_text
from signing.packages import ALICE, MALLORY


def test_what_is_signed_is_the_bytes_behind_purpose_and_length() -> None:
    assert encode("log", b"\x00ab") == b"graphwright/v1 log 3 \x00ab"


def test_another_library_accepts_the_signature() -> None:
    signature = ALICE.sign("module", b"text")
    VerifyKey(ALICE.key.public).verify(b"graphwright/v1 module 4 text", signature)


def test_a_key_id_is_the_beginning_of_the_digest_of_the_public_key() -> None:
    assert ALICE.key.id == hashlib.sha256(ALICE.key.public).hexdigest()[:16]


def test_signing_is_reproducible() -> None:
    assert ALICE.sign("module", b"text") == Signer(bytes(range(32))).sign("module", b"text")


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_only_the_same_bytes_for_the_same_purpose_by_the_same_key_verify(data: bytes, other: bytes) -> None:
    signature = ALICE.sign("module", data)
    assert ALICE.key.verify("module", data, signature)
    assert not ALICE.key.verify("tool", data, signature)
    assert not MALLORY.key.verify("module", data, signature)
    assert ALICE.key.verify("module", other, signature) == (data == other)


@given(st.binary(max_size=80))
def test_bytes_of_any_kind_are_no_signature(noise: bytes) -> None:
    assert not ALICE.key.verify("module", b"text", noise)


@given(st.binary(max_size=80))
def test_base64_of_bytes_reads_back(data: bytes) -> None:
    assert from_text(to_text(data)) == data


@given(st.text(max_size=90))
def test_text_is_the_only_spelling_of_its_bytes_or_refused(text: str) -> None:
    try:
        data = from_text(text)
    except ValueError:
        return
    assert to_text(data) == text


def test_a_key_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Key(b"short")
    with pytest.raises(ValueError, match="32 bytes"):
        Signer(b"short")


def test_a_private_key_does_not_show_itself() -> None:
    assert to_text(ALICE.seed) not in repr(ALICE)
    assert repr(ALICE.seed) not in repr(ALICE)

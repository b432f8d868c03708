"""Ed25519 signatures over bytes, with what they are and how long they are put in front.

What is signed is `graphwright/v1 SP <purpose> SP <length> SP <bytes>` and never an object that has to be serialised
again to be checked. The purpose keeps a signature to its kind: what was signed as a tool never passes as a module.

PyNaCl is imported when the first key is used. A `Signer` binds what it needs once: a run's log signs every step.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable
from typing import Literal, TypeAlias

#: What a signature is for. A new kind of signed thing is a new word here.
Purpose: TypeAlias = Literal[
    "module",
    "manifest",
    "source",
    "tool",
    "directive",
    "knowledge",
    "state",
    "history",
    "log",
    "thread",
    "ref",
    "cache",
]

_FOR_URLS = bytes.maketrans(b"+/", b"-_")


def encode(purpose: Purpose, data: bytes) -> bytes:
    """The bytes that are really signed: `data` behind its purpose and its length."""
    return b"graphwright/v1 %b %d %b" % (purpose.encode(), len(data), data)


def key_id(public: bytes) -> str:
    """A key's short name: the first 16 hexadecimal digits of the sha256 of its public half."""
    return hashlib.sha256(public).hexdigest()[:16]


def to_text(data: bytes) -> str:
    """Base64 for URLs, without padding."""
    return to_ascii(data).decode()


def to_ascii(data: bytes) -> bytes:
    """`to_text` in bytes."""
    return binascii.b2a_base64(data, newline=False).translate(_FOR_URLS).rstrip(b"=")


def from_text(text: str) -> bytes:
    """What `to_text` wrote. Another spelling of the same bytes is a ValueError: a signature has one text."""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if to_text(data) != text:
        raise ValueError("not canonical base64url")
    return data


class Key:
    """A public key; `id` is its key id, `public` its 32 bytes."""

    __slots__ = ("id", "public")

    def __init__(self, public: bytes) -> None:
        if len(public) != 32:
            raise ValueError("a public key must have 32 bytes")
        self.public = public
        self.id = key_id(public)

    def verify(self, purpose: Purpose, data: bytes, signature: bytes) -> bool:
        """Whether this key signed `data` for this purpose."""
        return self.verify_message(encode(purpose, data), signature)

    def verify_message(self, message: bytes, signature: bytes) -> bool:
        """Whether `signature` is this key's, over bytes that another protocol has already encoded."""
        from nacl.bindings import crypto_sign_open
        from nacl.exceptions import BadSignatureError

        if len(signature) != 64:
            return False
        try:
            crypto_sign_open(signature + message, self.public)
        except BadSignatureError:
            return False
        return True

    def __repr__(self) -> str:
        return f"<Key {self.id}>"


class Signer:
    """A private key, from its 32 bytes of seed; `key` is the public half."""

    __slots__ = ("_bound", "_secret", "key", "seed")

    def __init__(self, seed: bytes) -> None:
        from nacl.bindings import crypto_sign, crypto_sign_seed_keypair

        if len(seed) != 32:
            raise ValueError("a private key must have 32 bytes")
        self.seed = seed
        public, self._secret = crypto_sign_seed_keypair(seed)
        self._bound: Callable[[bytes, bytes], bytes] = crypto_sign
        self.key = Key(public)

    def sign(self, purpose: Purpose, data: bytes) -> bytes:
        """The 64 bytes of signature over `data` for this purpose: the same bytes for the same data, always."""
        return self._bound(encode(purpose, data), self._secret)[:64]

    def signing(self, purpose: Purpose, size: int) -> Callable[[bytes], bytes]:
        """`sign` for one purpose and data of one size, with everything done in advance that can be."""
        sign, secret, prefix = self._bound, self._secret, encode(purpose, bytes(size))[:-size]
        return lambda data: sign(prefix + data, secret)[:64]

    def sign_message(self, message: bytes) -> bytes:
        """The signature over bytes that another protocol has already encoded; never for bytes that someone sent."""
        return self._bound(message, self._secret)[:64]

    def __repr__(self) -> str:
        return f"<Signer {self.key.id}>"

"""Ed25519 signatures over bytes that are prefixed with their purpose and length.

The signed message is `graphwright/v1 SP <purpose> SP <length> SP <bytes>`; verifying never requires serializing an
object again. Because of the purpose, the signature of a tool is not valid for a module.

PyNaCl is imported when the first key is used. A `Signer` looks up its functions once, because the log of a run signs
every step.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable
from typing import Literal, TypeAlias

#: What a signature is for: one purpose for each kind of signed data.
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
    "valid",
]

_FOR_URLS = bytes.maketrans(b"+/", b"-_")


def encode(purpose: Purpose, data: bytes) -> bytes:
    """The message to sign: `data` prefixed with its purpose and length."""
    return b"graphwright/v1 %b %d %b" % (purpose.encode(), len(data), data)


def key_id(public: bytes) -> str:
    """The id of a key: the first 16 hexadecimal digits of the sha256 of its public half."""
    return hashlib.sha256(public).hexdigest()[:16]


def to_text(data: bytes) -> str:
    """Base64 for URLs, without padding."""
    return to_ascii(data).decode()


def to_ascii(data: bytes) -> bytes:
    """`to_text` in bytes."""
    return binascii.b2a_base64(data, newline=False).translate(_FOR_URLS).rstrip(b"=")


def from_text(text: str) -> bytes:
    """Decode the output of `to_text`. Raises ValueError, also for another spelling of the same bytes."""
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
        """Whether this key signed `message`, which another protocol has already encoded."""
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
    """A private key, created from its seed of 32 bytes; `key` is the public half."""

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
        """The signature (64 bytes) of `data` for this purpose. Signing is deterministic."""
        return self._bound(encode(purpose, data), self._secret)[:64]

    def signing(self, purpose: Purpose, size: int) -> Callable[[bytes], bytes]:
        """A faster `sign` for one purpose and data of a fixed size in bytes."""
        sign, secret, prefix = self._bound, self._secret, encode(purpose, bytes(size))[:-size]
        return lambda data: sign(prefix + data, secret)[:64]

    def sign_message(self, message: bytes) -> bytes:
        """The signature of a message that another protocol has encoded. Never sign bytes received from others."""
        return self._bound(message, self._secret)[:64]

    def __repr__(self) -> str:
        return f"<Signer {self.key.id}>"

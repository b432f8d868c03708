"""Remembers valid signatures, because verifying them takes most of the time of a build without changes.

Whether a signature is valid depends only on the signature, the signed bytes and the public key, so it need not be
verified twice. Whether the key is trusted, and for what, is decided anew each time. The list is in the cache, which
others may be able to write. It is therefore signed, and only used if its signer may sign everything: whoever can forge
the list can sign modules as well.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from graphwright.checking.cache import Cache
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.private import PrivateKeyError, default_key, environment_key
from graphwright_runtime.trust.signing import Key
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Verified, check, check_key


class ValidSignatures:
    """The signatures of one output folder that earlier builds verified."""

    def __init__(self, cache: Cache, output: Path) -> None:
        self._cache = cache
        self._subject = f"valid signatures\0{output}"
        self.known: frozenset[bytes] = frozenset()
        self.met: set[bytes] = set()

    def spared(self, trust: TrustStore) -> TrustStore:
        """The same trusted keys, which do not verify signatures in the list again."""
        listed = check("valid", self._cache.load(self._subject, "") or b"", trust)
        if isinstance(listed, Verified) and listed.key.unrestricted:
            self.known = frozenset(listed.body.split())
        keys = {key_id: replace(entry, key=_Key(entry.key, self)) for key_id, entry in trust.keys.items()}
        return replace(trust, keys=keys)

    def save(self, trust: TrustStore) -> None:
        """Store the valid signatures that this build met, if the user has a key that may sign everything."""
        if self.met == self.known:
            return
        try:
            key = environment_key() or default_key()
        except PrivateKeyError:
            return
        entry = None if key is None else trust.get(key.key_id)
        if key is not None and entry is not None and entry.unrestricted and check_key(entry, None) is None:
            listed = seal("valid", b"\n".join(sorted(self.met)), key.signer)
            self._cache.store(self._subject, "", listed, ())


class _Key(Key):
    """A key that looks up a signature before it verifies it."""

    __slots__ = ("_signatures",)

    def __init__(self, key: Key, signatures: ValidSignatures) -> None:
        super().__init__(key.public)
        self._signatures = signatures

    def verify_message(self, message: bytes, signature: bytes) -> bool:
        """Whether this key signed `message`."""
        if len(signature) != 64:  # the digest is unambiguous because the key and the signature have fixed lengths
            return False
        digest = sha256(self.public + signature + message).hexdigest().encode()
        valid = digest in self._signatures.known or super().verify_message(message, signature)
        if valid:
            self._signatures.met.add(digest)
        return valid

"""Signature lines of the Rye ecosystem: `# rye:signed:…`, `# ryeos:signed:…`.

    # rye:signed:<time>:<sha256>:<signature>:<fingerprint>
    <!-- ryeos:signed:<time>:<sha256>:<signature>:<fingerprint> -->

The signature covers the hexadecimal sha256 of all bytes after the line. A file may have several lines, each of which
covers everything below it; one signature by a trusted key is sufficient. `rye:unsigned` lines are skipped. The time is
not covered by the signature and is ignored.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphwright_runtime.trust.header import digest
from graphwright_runtime.trust.signing import Key
from graphwright_runtime.trust.truststore import TrustedKey, TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified, check_key

_SIGNED = (
    rb"rye(?:os)?:signed:[0-9TZ:.+-]+:([0-9a-f]{64}):([A-Za-z0-9+/_-]{86}(?:==)?):([0-9a-f]{16}|[0-9a-f]{64})"
    rb"(?:\|[\w.-]+@[\w.-]+)?"
)
_PLAIN = rb"rye(?:os)?:unsigned"
_TOP = re.compile(rb"(?:# (?:%b|%b)|<!-- (?:%b|%b) -->)\r?\n" % (_SIGNED, _PLAIN, _SIGNED, _PLAIN))
_PEM = "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n"
#: The prefix of the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410).
_SPKI = bytes.fromhex("302a300506032b6570032100")


@dataclass(frozen=True, slots=True)
class RyeSignature:
    """One line: the declared digest of `body`, the signature of that digest, and the fingerprint of the key."""

    sha256: str
    signature: bytes
    fingerprint: str
    body: bytes


def signatures(data: bytes) -> Iterator[RyeSignature]:
    """The signature lines at the top of a file, in order, up to the first line that is not well-formed."""
    at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while (line := _TOP.match(data, at)) is not None:
        at = line.end()
        fields = [field.decode() for field in line.groups() if field is not None]
        if fields:
            sha256, signature, fingerprint = fields
            raw = base64.b64decode(signature.rstrip("=").translate({45: "+", 95: "/"}) + "==")
            yield RyeSignature(sha256, raw, fingerprint, data[at:])


def fingerprints(key: Key) -> frozenset[str]:
    """The fingerprints of a key in such lines: digests, possibly truncated, of its PEM text or its bytes."""
    return frozenset({digest(public_pem(key).encode())[:16], digest(key.public), key.id})


def public_pem(key: Key) -> str:
    """A public key in PEM format."""
    return _PEM.format(base64.b64encode(_SPKI + key.public).decode())


def from_pem(text: str) -> Key:
    """The Ed25519 key in a PEM text. Raises ValueError."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if lines[:1] != ["-----BEGIN PUBLIC KEY-----"] or lines[-1:] != ["-----END PUBLIC KEY-----"]:
        raise ValueError("not a PEM public key")
    try:
        raw = base64.b64decode("".join(lines[1:-1]), validate=True)
    except binascii.Error as error:
        raise ValueError(f"not a PEM public key: {error}") from error
    if not raw.startswith(_SPKI):
        raise ValueError("not an Ed25519 key")
    return Key(raw.removeprefix(_SPKI))


def check_rye(data: bytes, trust: TrustStore, *, subject: str | None, advice: str) -> Verified | Refusal | None:
    """Verify the rye signatures of a file; None if it has none. One valid signature is sufficient."""
    refusal: Refusal | None = None
    known = {name: entry for entry in trust.keys.values() for name in fingerprints(entry.key)}
    for line in signatures(data):
        verdict = _check_line(line, known.get(line.fingerprint), subject, advice)
        if isinstance(verdict, Verified):
            return verdict
        refusal = refusal or verdict
    return refusal


def _check_line(line: RyeSignature, entry: TrustedKey | None, subject: str | None, advice: str) -> Verified | Refusal:
    name = str(entry) if entry is not None else line.fingerprint
    if digest(line.body) != line.sha256:
        return Refusal("altered", "it was changed after it was signed", advice, name)
    if entry is None:
        advice = "if you know who owns that key, trust it with `graphwright keys trust`"
        return Refusal("unknown key", "it was signed by a key that is not trusted here", advice, name)
    if not entry.key.verify_message(line.sha256.encode(), line.signature):
        return Refusal("forged", "its signature was not made by that key", advice, name)
    refused = check_key(entry, subject)
    return Verified(line.body, line.sha256, entry) if refused is None else refused

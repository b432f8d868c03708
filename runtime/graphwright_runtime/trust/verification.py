"""Verifies the signatures of files whose bytes have already been read.

`check` returns the covered bytes, or a `Refusal` that says what is wrong and what to do about it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from graphwright_runtime.trust.encoding import other_encoding
from graphwright_runtime.trust.header import HeaderError, digest, split
from graphwright_runtime.trust.layout import has_conflict_markers, layout_digest, whitespace_variants
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.trust.truststore import VARIABLE, TrustedKey, TrustStore

#: What a process does about invalid signatures: ignore them, warn, or refuse the file.
Policy: TypeAlias = Literal["off", "warn", "require"]
POLICIES: tuple[Policy, ...] = ("off", "warn", "require")


def policy_of(text: str) -> Policy:
    """The policy with this name. Raises ValueError."""
    for policy in POLICIES:
        if policy == text:
            return policy
    raise ValueError(f"`{text}` is not a policy; choose one of {', '.join(POLICIES)}")


#: Why a file is refused.
Reason: TypeAlias = Literal[
    "unsigned", "malformed", "moved", "whitespace", "layout", "altered", "unknown key", "forged",
    "revoked", "expired", "not allowed", "unlisted", "missing", "replaced", "unreadable", "misread",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file is refused.

    `text` continues a message that begins with "<file>: ". `advice` says what to do. `key` is the display name of the
    key, or empty.
    """

    reason: Reason
    text: str
    advice: str
    key: str = ""

    def __str__(self) -> str:
        key = f" [key {self.key}]" if self.key else ""
        return f"{self.text}{key}; {self.advice}"


@dataclass(frozen=True, slots=True)
class Verified:
    """A valid signature: `body` are the bytes that it covers, `sha256` their digest, `key` the key that made it."""

    body: bytes
    sha256: str
    key: TrustedKey


#: The advice for a generated module.
REBUILD = "run `graphwright build`, which regenerates and signs it, and review the change in version control"
_EXCLUDE = "run `graphwright build`, and exclude the folder from formatters and hooks"


def check(
    purpose: Purpose,
    data: bytes,
    trust: TrustStore,
    *,
    subject: str | None = None,
    layout: str | None = None,
    advice: str = REBUILD,
) -> Verified | Refusal:
    """Verify that `data`, a whole file, was signed for this purpose by a trusted key.

    `subject` is the id of the graph or item that the key must be allowed to sign; None skips this check. `layout` is
    the `layout_digest` of the signed text, used to recognize changes by a formatter. `advice` is the advice for a file
    that must be generated or signed again.
    """
    try:
        header, body = split(purpose, data)
    except HeaderError:
        return _with_cause(purpose, data, trust, Refusal("malformed", "its signature line is damaged", advice))
    if header is None:
        return _with_cause(purpose, data, trust, Refusal("unsigned", "it is not signed", advice))
    if digest(body) != header.sha256:
        name = _named(header.key_id, trust)
        changed = Refusal("altered", "it was changed after it was signed", advice, name)
        if layout is not None and layout_digest(body) == layout:
            text = (
                "it was changed after it was signed (formatting only: whitespace, quotes, commas, brackets or imports)"
            )
            changed = Refusal("layout", text, _EXCLUDE, name)
        return _with_cause(purpose, data, trust, changed)
    verdict = check_signature(
        purpose, body, header.key_id, header.signature, trust, subject=subject, advice=advice, sha256=header.sha256
    )
    return check_encoding(purpose, data) or verdict if isinstance(verdict, Verified) else verdict


def check_encoding(purpose: Purpose, data: bytes) -> Refusal | None:
    """Check that Python decodes a file as UTF-8, as reviewers do; None if so, or if Python does not compile it."""
    encoding = other_encoding(purpose, data)
    if encoding is None:
        return None if purpose != "module" or _is_utf_8(data) else Refusal("misread", "it is not valid UTF-8", REBUILD)
    text = f"a comment at its top sets the encoding `{encoding}`: Python would read different text than people do"
    return Refusal("misread", text, "remove the comment, review the file and sign it again")


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_signature(
    purpose: Purpose,
    body: bytes,
    key_id: str,
    signature: bytes,
    trust: TrustStore,
    *,
    subject: str | None = None,
    advice: str = REBUILD,
    sha256: str | None = None,
) -> Verified | Refusal:
    """Verify a signature of `body` by the key with this id. `sha256` is the digest of `body`, if already known."""
    entry = trust.get(key_id)
    if entry is None:
        return Refusal("unknown key", "it was signed by a key that is not trusted here", _trust(key_id, trust), key_id)
    if not entry.key.verify(purpose, body, signature):
        return Refusal("forged", "its signature was not made by that key", advice, str(entry))
    refused = check_key(entry, subject)
    return Verified(body, sha256 or digest(body), entry) if refused is None else refused


def check_key(entry: TrustedKey, subject: str | None) -> Refusal | None:
    """Check that a key is not revoked or expired, and may sign `subject` (None skips that check); None if so."""
    name = str(entry)
    resign = "sign it with a key that is trusted now (`graphwright build`)"
    if entry.revoked:
        return Refusal("revoked", f"the key that signed it is revoked in {entry.file}", resign, name)
    if entry.expired():
        text = f"the key that signed it was trusted until {entry.until} by {entry.file}"
        return Refusal("expired", text, resign, name)
    if subject is not None and not entry.allows(subject):
        patterns = ", ".join(entry.graphs)
        text = f"the key that signed it may sign {patterns}, not `{subject}`, according to {entry.file}"
        return Refusal("not allowed", text, not_allowed_advice(entry), name)
    return None


def not_allowed_advice(entry: TrustedKey) -> str:
    """The advice for a file that the key may not sign."""
    return f"sign it with a key that may (`graphwright sign --key`), or extend `graphs` of this key in {entry.file}"


def _trust(key_id: str, trust: TrustStore) -> str:
    if os.environ.get(VARIABLE) == trust.project_file and not os.path.lexists(trust.project_file):
        return f"{VARIABLE} names the trust file {trust.project_file}, which does not exist: correct its path"
    return (
        f"if you know who owns the key {key_id}, trust it with `graphwright keys trust` (which adds it to "
        f"{trust.project_file}); otherwise, do not run this file"
    )


def _named(key_id: str, trust: TrustStore) -> str:
    """The display name of a key."""
    entry = trust.get(key_id)
    return key_id if entry is None else str(entry)


def _with_cause(purpose: Purpose, data: bytes, trust: TrustStore, refusal: Refusal) -> Refusal:
    """The refusal, or a more specific one if the cause is a merge, a whitespace change, or lines added at the top."""
    if has_conflict_markers(data):
        return replace(refusal, reason="altered", text="it contains merge conflict markers")
    for text, before in _attempts(data):
        try:
            header, body = split(purpose, before)
        except HeaderError:
            continue
        if header is not None and digest(body) == header.sha256:
            return text(_named(header.key_id, trust))
    return refusal


def _attempts(data: bytes) -> list[tuple[Callable[[str], Refusal], bytes]]:
    def whitespace(key: str) -> Refusal:
        text = "only its line endings or trailing whitespace were changed after it was signed"
        advice = f"{_EXCLUDE}; for git, add `<folder>/** -text` to .gitattributes"
        return Refusal("whitespace", text, advice, key)

    def moved(key: str) -> Refusal:
        return Refusal("moved", "its signature line is not the first line", _EXCLUDE, key)

    attempts: list[tuple[Callable[[str], Refusal], bytes]] = [(whitespace, text) for text in whitespace_variants(data)]
    start = data.find(b"\n# graphwright:signed:", 0, 4096)
    if start >= 0:
        attempts.append((moved, data[start + 1 :]))
    return attempts

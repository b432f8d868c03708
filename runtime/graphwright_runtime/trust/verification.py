"""Is this file what a trusted key signed? Asked of bytes that have been read; nothing is read here.

`check` answers with the covered bytes, or with a `Refusal` that says what is wrong and what to do about it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from graphwright_runtime.trust.encoding import other_encoding
from graphwright_runtime.trust.header import HeaderError, digest, split
from graphwright_runtime.trust.layout import has_conflict_markers, layout_free, whitespace_undone
from graphwright_runtime.trust.signing import Purpose
from graphwright_runtime.trust.truststore import TrustedKey, TrustStore

#: What a process does about signatures: nothing, say so, or refuse.
Policy: TypeAlias = Literal["off", "warn", "require"]
POLICIES: tuple[Policy, ...] = ("off", "warn", "require")


def policy_of(text: str) -> Policy:
    """The policy of this name. Raises ValueError."""
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
    """`text` goes on from "<file>: "; `advice` says what to do; `key` is the key as a person knows it, or empty."""

    reason: Reason
    text: str
    advice: str
    key: str = ""

    def __str__(self) -> str:
        key = f" [key {self.key}]" if self.key else ""
        return f"{self.text}{key}; {self.advice}"


@dataclass(frozen=True, slots=True)
class Verified:
    """`body`: the bytes that the signature covers; `sha256`: of those; `key`: who signed."""

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
    remake: str = REBUILD,
) -> Verified | Refusal:
    """Whether `data`, a whole file, was signed for this purpose by a key that `trust` knows.

    `subject`: the id of the graph or item that the key must be allowed to sign; with None that is not asked.
    `layout`: the `layout_free` digest of what was signed, to name a formatter's change.
    `remake` is the advice for a file that has to be made or signed again.
    """
    try:
        header, body = split(purpose, data)
    except HeaderError:
        return _explained(purpose, data, trust, Refusal("malformed", "its signature line is damaged", remake))
    if header is None:
        return _explained(purpose, data, trust, Refusal("unsigned", "it is not signed", remake))
    if digest(body) != header.sha256:
        name = _named(header.key_id, trust)
        changed = Refusal("altered", "it was changed after it was signed", remake, name)
        if layout is not None and layout_free(body) == layout:
            text = (
                "it was changed after it was signed (formatting only: whitespace, quotes, commas, brackets or imports)"
            )
            changed = Refusal("layout", text, _EXCLUDE, name)
        return _explained(purpose, data, trust, changed)
    verdict = check_signature(
        purpose, body, header.key_id, header.signature, trust, subject=subject, remake=remake, sha256=header.sha256
    )
    return misread(purpose, data) or verdict if isinstance(verdict, Verified) else verdict


def misread(purpose: Purpose, data: bytes) -> Refusal | None:
    """What is wrong with the text of a file, whoever signed it: Python would read another one out of its bytes."""
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
    remake: str = REBUILD,
    sha256: str | None = None,
) -> Verified | Refusal:
    """The same for bytes whose signature, by the key of that id, is known; `sha256` is that of the bytes, if known."""
    entry = trust.get(key_id)
    name = _named(key_id, trust)
    if entry is None:
        return Refusal("unknown key", "it was signed by a key that is not trusted here", _trust(key_id, trust), name)
    if not entry.key.verify(purpose, body, signature):
        return Refusal("forged", "its signature was not made by that key", remake, name)
    refused = judge(entry, subject)
    return Verified(body, sha256 or digest(body), entry) if refused is None else refused


def judge(entry: TrustedKey, subject: str | None) -> Refusal | None:
    """What stands against a key whose signature is right: it is revoked, past its end, or not for this graph."""
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
        return Refusal("not allowed", text, beyond(entry), name)
    return None


def beyond(entry: TrustedKey) -> str:
    """What to do about a file that the key may not sign."""
    return f"sign it with a key that may (`graphwright sign --key`), or extend `graphs` of this key in {entry.file}"


def _trust(key_id: str, trust: TrustStore) -> str:
    return (
        f"if you know who owns the key {key_id}, trust it with `graphwright keys trust` (which adds it to "
        f"{trust.project_file}); otherwise, do not run this file"
    )


def _named(key_id: str, trust: TrustStore) -> str:
    """A key as a person knows it."""
    entry = trust.get(key_id)
    return key_id if entry is None else str(entry)


def _explained(purpose: Purpose, data: bytes, trust: TrustStore, refusal: Refusal) -> Refusal:
    """The same refusal, or a better one where the reason is a merge, other whitespace, or lines that were put above."""
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

    attempts: list[tuple[Callable[[str], Refusal], bytes]] = [(whitespace, text) for text in whitespace_undone(data)]
    start = data.find(b"\n# graphwright:signed:", 0, 4096)
    if start >= 0:
        attempts.append((moved, data[start + 1 :]))
    return attempts

"""A build verifies a signature once. What it remembers makes no signature valid, whoever wrote it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import nacl.bindings
import pytest

from graphwright.cli.selection import opened_cache
from graphwright.project.projects import absolute
from graphwright.trust.trustfile import add_key, revoke_key
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.manifest import MANIFEST, Line, Subject, parse, render
from graphwright_runtime.trust.signing import Signer, encode, to_text
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, MALLORY
from signing.test_builds import build, contents
from signing.test_builds import folder as folder

BOB = Signer(bytes(range(1, 33)))
SUBJECT: Subject = ("module", "a/first.py")


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The signed messages that were verified, with their signatures."""
    seen: list[bytes] = []
    real = nacl.bindings.crypto_sign_open

    def crypto_sign_open(signed: bytes, public: bytes) -> bytes:
        seen.append(signed)
        return real(signed, public)

    monkeypatch.setattr(nacl.bindings, "crypto_sign_open", crypto_sign_open)
    return seen


def forge() -> bytes:
    """Replace the signature of a line of the manifest with one that ALICE did not make; the digest of that line."""
    file = Path("generated", MANIFEST)
    lines = dict(parse(file.read_bytes()).lines)
    payload = lines[SUBJECT].payload
    lines[SUBJECT] = Line(payload, bytes(64), ALICE.key.id)
    file.write_bytes(render(lines))
    message = encode("manifest", payload)
    return sha256(ALICE.key.public + bytes(64) + message).hexdigest().encode()


def plant(listed: bytes) -> None:
    """Put a list of valid signatures into the cache."""
    cache = opened_cache(enabled=True)
    cache.store(f"valid signatures\0{absolute('generated')}", "", listed, ())


def test_an_unchanged_manifest_is_verified_once(folder: Path, verified: list[bytes]) -> None:
    build()
    before = contents()
    build()
    assert len(verified) >= len(parse(before[f"generated/{MANIFEST}"]).lines)
    verified.clear()
    build()
    assert len(verified) == 1, "that of the list"
    assert contents() == before
    Path("generated", MANIFEST).write_bytes(before[f"generated/{MANIFEST}"].replace(b"\n# ", b"\n\n# ", 1))
    build()
    assert contents() == before
    verified.clear()
    build("--no-cache")
    assert len(verified) > 1


def test_what_a_key_may_sign_is_asked_each_time(folder: Path) -> None:
    build()
    build()
    before = contents()
    add_key(Path(PROJECT_FILE), BOB.key, "bob")
    revoke_key(Path(PROJECT_FILE), ALICE.key.id)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHWRIGHT_SIGNING_KEY", to_text(BOB.seed))
        build()
    assert contents() != before
    assert {line.key_id for line in parse(contents()[f"generated/{MANIFEST}"]).lines.values()} == {BOB.key.id}


@pytest.mark.parametrize("signer", ["nobody", "untrusted", "revoked", "restricted", "another purpose"])
def test_a_list_that_someone_else_put_into_the_cache_is_ignored(folder: Path, signer: str) -> None:
    build()
    build()
    before = contents()
    add_key(Path(PROJECT_FILE), BOB.key, "bob", graphs=("a/*",) if signer == "restricted" else ("*",))
    if signer == "revoked":
        revoke_key(Path(PROJECT_FILE), BOB.key.id)
    digest = forge()
    if signer == "nobody":
        plant(digest)
    elif signer == "another purpose":
        plant(seal("knowledge", digest, ALICE))
    else:
        plant(seal("valid", digest, MALLORY if signer == "untrusted" else BOB))
    build()
    assert contents() == before


def test_whose_list_is_used_could_sign_everything(folder: Path) -> None:
    """The forged list of the test above has an effect if its signer could also have signed the manifest."""
    build()
    add_key(Path(PROJECT_FILE), BOB.key, "bob")
    plant(seal("valid", forge(), BOB))
    after = contents()
    build()
    assert contents() == after

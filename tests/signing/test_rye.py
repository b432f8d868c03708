"""Signature lines of the tools that graphs come from, and items in general."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from graphwright.faults.files import UntrustedSource
from graphwright.trust.sources import source_fault
from graphwright.trust.trustfile import add_key
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.items import ItemRefused, ItemTrust, ItemWarning, check_item, item_trust, runnable
from graphwright_runtime.trust.rye_header import fingerprints, from_pem, public_pem, signatures
from graphwright_runtime.trust.signing import Signer
from graphwright_runtime.trust.truststore import PROJECT_FILE, TrustedKey, TrustError, TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified
from signing.packages import ALICE, MALLORY, trusting
from signing.test_header import flips

BODY = b"version: '1'\ntool_type: graph\n"
TRUST = trusting(ALICE)


def rye(body: bytes, signer: Signer = ALICE, *, mark: str = "rye", padded: bool = True, whole: bool = False) -> bytes:
    """A file signed as those tools do: the text of the digest is what is signed."""
    digest = hashlib.sha256(body).hexdigest()
    signature = base64.urlsafe_b64encode(signer.sign_message(digest.encode())).decode()
    pem = hashlib.sha256(public_pem(signer.key).encode()).hexdigest()
    name = hashlib.sha256(signer.key.public).hexdigest() if whole else pem[:16]
    line = f"# {mark}:signed:2026-02-18T09:15:34Z:{digest}:{signature if padded else signature.rstrip('=')}:{name}\n"
    return line.encode() + body


@pytest.mark.parametrize("mark", ["rye", "ryeos"])
@pytest.mark.parametrize("padded", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_a_source_by_a_trusted_key(mark: str, padded: bool, whole: bool) -> None:
    verdict = check_item("source", rye(BODY, mark=mark, padded=padded, whole=whole), TRUST)
    assert isinstance(verdict, Verified)
    assert verdict.body == BODY


def test_the_time_is_not_covered_and_everything_else_is() -> None:
    data = rye(BODY)
    time = range(data.index(b"2026"), data.index(b"Z:") + 1)
    passed = [at // 8 for at, each in enumerate(flips(data)) if isinstance(check_item("source", each, TRUST), Verified)]
    # Padding that decodes alike is the one other spelling of a signature that this format has.
    mark = data.index(b"==")
    assert {at for at in passed if at not in time} <= {mark - 1}


def test_stacked_lines_each_cover_what_is_below_them() -> None:
    inner = rye(BODY)
    assert isinstance(check_item("source", b"# rye:unsigned\n" + inner, TRUST), Verified)
    assert isinstance(check_item("source", rye(inner, MALLORY), TRUST), Verified)
    outer = rye(rye(BODY, MALLORY))
    assert len(list(signatures(outer))) == 2
    assert isinstance(check_item("source", outer, TRUST), Verified)
    assert isinstance(check_item("source", b"# a comment\n" + inner, TRUST), Refusal)


@pytest.mark.parametrize(
    ("reason", "data"),
    [
        ("unsigned", BODY),
        ("unsigned", b"# rye:unsigned\n" + BODY),
        ("unsigned", b"# rye:signed:nonsense\n" + BODY),
        ("altered", rye(BODY) + b"more: 1\n"),
        ("unknown key", rye(BODY, MALLORY)),
        ("forged", rye(BODY).replace(rye(BODY)[98:120], rye(BODY + b" ")[98:120])),
    ],
)
def test_a_refusal_names_its_reason(reason: str, data: bytes) -> None:
    verdict = check_item("source", data, TRUST)
    assert isinstance(verdict, Refusal)
    assert verdict.reason == reason


def test_revocation_and_patterns_hold_for_these_lines_too() -> None:
    def verdict(entry: TrustedKey) -> Verified | Refusal:
        return check_item("source", rye(BODY), TrustStore({ALICE.key.id: entry}), subject="billing/invoices")

    assert isinstance(verdict(TrustedKey(ALICE.key, "", graphs=("billing/*",))), Verified)
    refused = verdict(TrustedKey(ALICE.key, "", graphs=("reports/*",)))
    assert isinstance(refused, Refusal)
    assert refused.reason == "not allowed"
    revoked = verdict(TrustedKey(ALICE.key, "", revoked=True))
    assert isinstance(revoked, Refusal)
    assert revoked.reason == "revoked"


def test_a_public_key_goes_through_pem() -> None:
    assert from_pem(public_pem(ALICE.key)).public == ALICE.key.public
    assert ALICE.key.id in fingerprints(ALICE.key)
    for text in (
        "",
        "-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----\n",
        public_pem(ALICE.key).replace("MCow", "MCox"),
    ):
        with pytest.raises(ValueError, match="key"):
            from_pem(text)


# --- policies ----------------------------------------------------------------------------------------------------


def test_sources_are_looked_at_where_the_policy_says_so() -> None:
    assert source_fault(rye(BODY), "a.yaml", "a", "require", TRUST) is None
    assert source_fault(seal("source", BODY, ALICE), "a.yaml", "a", "require", TRUST) is None
    for policy, required in (("warn", False), ("require", True)):
        fault = source_fault(BODY, "a.yaml", "a", policy, TRUST)
        assert isinstance(fault, UntrustedSource)
        assert (fault.code, fault.span.line, fault.span.column) == ("GW801", 1, 1)
        assert fault.required is required
        assert fault.text == "it is not signed"


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """A tool file, not signed."""
    file = tmp_path / "list.py"
    file.write_bytes(b"def execute(params, project_path):\n    return {}\n")
    return file


def test_tools_under_each_policy(tool: Path) -> None:
    plain = tool.read_bytes()
    require = ItemTrust("require", TRUST)
    assert ItemTrust("off", TRUST).examine(tool, "tool", "tickets/list").data == plain
    with pytest.warns(ItemWarning, match="it is not signed"):
        assert ItemTrust("warn", TRUST).examine(tool, "tool", "tickets/list").data == plain
    with pytest.raises(ItemRefused, match=r"list.py: it is not signed"):
        require.examine(tool, "tool", "tickets/list")
    tool.write_bytes(seal("tool", plain, ALICE))
    assert require.examine(tool, "tool", "tickets/list").data.endswith(plain)
    tool.write_bytes(rye(plain))
    assert require.examine(tool, "tool", "tickets/list").data.endswith(plain)


def test_a_tool_that_the_build_pinned(tool: Path) -> None:
    pins = {"tickets/list": hashlib.sha256(tool.read_bytes()).hexdigest()}
    require = ItemTrust("require", TRUST, pins.get)
    assert require.examine(tool, "tool", "tickets/list").data == tool.read_bytes()
    tool.write_bytes(tool.read_bytes() + b"# more\n")
    with pytest.raises(ItemRefused, match="it is not signed"):
        require.examine(tool, "tool", "tickets/list")
    tool.write_bytes(seal("tool", tool.read_bytes(), ALICE))
    assert require.examine(tool, "tool", "tickets/list").data == tool.read_bytes()


def test_a_tool_signed_as_something_else_is_no_tool(tool: Path) -> None:
    tool.write_bytes(seal("knowledge", tool.read_bytes(), ALICE))
    with pytest.raises(ItemRefused):
        ItemTrust("require", TRUST).examine(tool, "tool", "tickets/list")


def test_the_environment_says_what_is_asked(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert item_trust(tool.parent) is None
    monkeypatch.setenv("GRAPHWRIGHT_TRUST_TOOLS", "require")
    add_key(tool.parent / PROJECT_FILE, ALICE.key, "alice")
    asked = item_trust(tool.parent)
    assert asked is not None
    assert (asked.policy, set(asked.trust.keys)) == ("require", {ALICE.key.id})
    monkeypatch.setenv("GRAPHWRIGHT_TRUST_TOOLS", "on")
    with pytest.raises(TrustError, match="choose one of off, warn, require"):
        item_trust(tool.parent)


def test_verified_bytes_run_from_a_private_copy(tool: Path) -> None:
    data = b"#!/bin/sh\necho one\n"
    with runnable(tool, data) as copy:
        tool.write_bytes(b"changed since")
        assert copy.read_bytes() == data
        assert copy.stat().st_mode & 0o777 == 0o700
        assert copy.name == tool.name
    assert not copy.exists()

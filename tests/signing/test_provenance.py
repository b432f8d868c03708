"""Provenance: what our own reader makes of it, and what independent implementations of DSSE and in-toto do."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

import pytest

from graphwright.trust.provenance import (
    Material,
    Provenance,
    builder_id,
    compiler_materials,
    differences,
    envelope,
    read_provenance,
    statement,
)
from graphwright_runtime.trust.signing import Signer
from graphwright_runtime.trust.truststore import TrustedKey, TrustStore
from graphwright_runtime.trust.verification import Refusal
from signing.packages import ALICE, MALLORY, trusting
from signing.test_header import flips

TRUST = trusting(ALICE)
MODULE = b"print('a module')\n"


def said(project: Path, signer: Signer = ALICE) -> Provenance:
    """What is said of a module made of two files of a project."""
    materials = (
        Material.of_file("source", project / "graphs" / "invoices.yaml", project),
        Material.of_file("tool", project / "tools" / "list.py", project),
        *compiler_materials(),
    )
    digest = hashlib.sha256(MODULE).hexdigest()
    return Provenance(
        "generated/billing/invoices.py", digest, "billing/invoices", "f" * 64, materials, builder_id(signer.key.id)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a source and a tool."""
    for name, text in (("graphs/invoices.yaml", "tool_type: graph\n"), ("tools/list.py", "def execute(): ...\n")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def signed(folder: Path) -> bytes:
    """The envelope about them."""
    return envelope(statement(said(folder), abi=1, compiler="0.1.0"), ALICE)


def test_it_reads_back_and_is_the_same_each_time(folder: Path, signed: bytes) -> None:
    read = read_provenance(signed, TRUST)
    assert isinstance(read, Provenance)
    assert read._replace(materials=()) == said(folder)._replace(materials=())
    assert sorted(read.materials) == sorted(said(folder).materials)
    assert envelope(statement(said(folder), abi=1, compiler="0.1.0"), ALICE) == signed
    assert signed.count(b"\n") == 1


def test_an_independent_dsse_implementation_accepts_it(signed: bytes) -> None:
    dsse = pytest.importorskip("securesystemslib.dsse")
    signer = pytest.importorskip("securesystemslib.signer")
    errors = pytest.importorskip("securesystemslib.exceptions")

    def key(ours: Signer) -> object:
        return signer.SSlibKey(ALICE.key.id, "ed25519", "ed25519", {"public": ours.key.public.hex()})

    read = dsse.Envelope.from_dict(json.loads(signed))
    assert read.payload_type == "application/vnd.in-toto+json"
    assert set(read.verify([key(ALICE)], 1)) == {ALICE.key.id}
    with pytest.raises(errors.VerificationError):
        read.verify([key(MALLORY)], 1)

    def refuses(field: str, text: str) -> None:
        with pytest.raises(errors.VerificationError):
            dsse.Envelope.from_dict({**json.loads(signed), field: text}).verify([key(ALICE)], 1)

    refuses("payloadType", "application/json")
    for changed in flips(read.payload, step=97):
        refuses("payload", base64.b64encode(changed).decode())


def test_an_independent_in_toto_implementation_accepts_what_it_says(folder: Path, signed: bytes) -> None:
    pytest.importorskip("in_toto_attestation")
    statements = pytest.importorskip("in_toto_attestation.v1.statement")
    descriptors = pytest.importorskip("in_toto_attestation.v1.resource_descriptor")
    messages = pytest.importorskip("in_toto_attestation.v1.statement_pb2")
    predicates = pytest.importorskip("in_toto_attestation.predicates.provenance.v1.provenance_pb2")
    json_format = pytest.importorskip("google.protobuf.json_format")

    payload = json.loads(base64.b64decode(json.loads(signed)["payload"]))
    read = statements.Statement.copy_from_pb(json_format.ParseDict(payload, messages.Statement()))
    read.validate()
    assert read.pb.predicate_type == "https://slsa.dev/provenance/v1"
    # Every field of the predicate is one of SLSA's: an unknown one would not parse.
    predicate = json_format.ParseDict(payload["predicate"], predicates.Provenance())
    for dependency in predicate.build_definition.resolved_dependencies:
        descriptors.ResourceDescriptor.copy_from_pb(dependency).validate()
    digests = {each.name: each.digest["sha256"] for each in predicate.build_definition.resolved_dependencies}
    assert digests["graphs/invoices.yaml"] == hashlib.sha256((folder / "graphs/invoices.yaml").read_bytes()).hexdigest()
    assert predicate.run_details.builder.id == f"urn:graphwright:builder:{ALICE.key.id}"


def test_bits_of_it_count(signed: bytes) -> None:
    assert [each for each in flips(signed, step=3) if isinstance(read_provenance(each, TRUST), Provenance)] == []


@pytest.mark.parametrize(
    ("reason", "trust"),
    [
        ("unknown key", TrustStore()),
        ("unknown key", trusting(MALLORY)),
        ("revoked", TrustStore({ALICE.key.id: TrustedKey(ALICE.key, "", revoked=True)})),
        ("not allowed", TrustStore({ALICE.key.id: TrustedKey(ALICE.key, "", graphs=("reports/*",))})),
    ],
)
def test_keys_count_for_it_as_for_modules(signed: bytes, reason: str, trust: TrustStore) -> None:
    refused = read_provenance(signed, trust)
    assert isinstance(refused, Refusal)
    assert refused.reason == reason


def test_a_statement_that_names_another_builder_is_refused(folder: Path) -> None:
    forged = envelope(statement(said(folder, MALLORY), abi=1, compiler="0.1.0"), ALICE)
    refused = read_provenance(forged, TRUST)
    assert isinstance(refused, Refusal)
    assert refused.reason == "forged"


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"\xff", b'{"payload": "e30=", "payloadType": 1, "signatures": []}']
)
def test_what_is_no_provenance_is_refused(data: bytes) -> None:
    refused = read_provenance(data, TRUST)
    assert isinstance(refused, Refusal)
    assert refused.reason == "malformed"


def test_what_changed_since_is_named(folder: Path) -> None:
    here = said(folder)
    compiler = compiler_materials()
    assert list(differences(here, MODULE, here.graph_id, folder, compiler)) == []
    assert list(differences(here, b"other", here.graph_id, folder, compiler)) == [
        "its provenance is for another module"
    ]
    assert list(differences(here, MODULE, here.graph_id, folder, ())) == [
        f"it was built by a different {each.kind}, {each.name}" for each in compiler
    ]
    (folder / "graphs" / "invoices.yaml").write_text("tool_type: graph\nmore: 1\n")
    (folder / "tools" / "list.py").unlink()
    assert list(differences(here, MODULE, here.graph_id, folder, compiler)) == [
        "the source graphs/invoices.yaml has changed since",
        "the tool tools/list.py no longer exists",
    ]

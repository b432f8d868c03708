"""Signed provenance of modules: an in-toto statement with a SLSA provenance predicate in a DSSE envelope.

`report.py.intoto.jsonl` next to `report.py` contains one envelope. The statement has the digest of the module and of
everything that it was built from: source, contracts, tools, configuration, compiler. It has no timestamp, so that
builds are reproducible to the byte. Any tool for DSSE and in-toto can verify it with the public key.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from graphwright import __version__
from graphwright.content import content_of
from graphwright.presence import home
from graphwright_runtime.trust.header import digest
from graphwright_runtime.trust.signing import Signer
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Refusal, check_key

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://slsa.dev/provenance/v1"
BUILD_TYPE = "urn:graphwright:build:v1"
_BUILDER = "urn:graphwright:builder:"
_REMAKE = "run `graphwright build --provenance`"


class Material(NamedTuple):
    """A file or program that a module was built from.

    `kind` is source, graph (one that the module calls), tool, directive, knowledge, configuration or compiler. `name`
    is a path relative to the project with `/` (`~/…` for files of the user), or the name and version of a program.
    `sha256` is the digest of its bytes.
    """

    kind: str
    name: str
    sha256: str

    @classmethod
    def of_file(cls, kind: str, file: Path, project: Path) -> Material:
        """The material for a file of the project. Raises OSError."""
        return cls(kind, relative_name(file, project), digest(content_of(file)))


class Provenance(NamedTuple):
    """The contents of a provenance statement."""

    module: str
    sha256: str
    graph_id: str
    graph_hash: str
    materials: tuple[Material, ...]
    builder: str


def relative_name(file: Path, project: Path) -> str:
    """The path of a file in statements: relative to the project or to the home directory of the user, with `/`."""
    own = home()
    if own is not None and project not in file.parents and own in file.parents:
        return f"~/{file.relative_to(own).as_posix()}"
    return Path(os.path.relpath(file, project)).as_posix()


def statement(provenance: Provenance, *, abi: int, compiler: str) -> bytes:
    """The statement as canonical JSON: the same bytes for the same build. `compiler` is the compiler's version."""
    dependencies = [
        {"name": each.name, "digest": {"sha256": each.sha256}, "annotations": {"kind": each.kind}}
        for each in sorted(provenance.materials)
    ]
    predicate = {
        "buildDefinition": {
            "buildType": BUILD_TYPE,
            "externalParameters": {"graph": provenance.graph_id},
            "internalParameters": {"abi": abi, "graphHash": provenance.graph_hash},
            "resolvedDependencies": dependencies,
        },
        "runDetails": {"builder": {"id": provenance.builder, "version": {"graphwright": compiler}}},
    }
    return _canonical(
        {
            "_type": STATEMENT_TYPE,
            "subject": [{"name": provenance.module, "digest": {"sha256": provenance.sha256}}],
            "predicateType": PREDICATE_TYPE,
            "predicate": predicate,
        }
    )


def builder_id(key_id: str) -> str:
    """The builder in statements that are signed with this key."""
    return _BUILDER + key_id


def envelope(payload: bytes, signer: Signer) -> bytes:
    """The statement in a signed DSSE envelope, on one line."""
    signature = signer.sign_message(_pae(PAYLOAD_TYPE, payload))
    table = {
        "payloadType": PAYLOAD_TYPE,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [{"keyid": signer.key.id, "sig": base64.b64encode(signature).decode()}],
    }
    return _canonical(table) + b"\n"


def has_payload(data: bytes, payload: Callable[[str], bytes]) -> bool:
    """Whether an envelope contains the payload that `payload` returns for its key id. Verifies no signature."""
    try:
        table = json.loads(data)
        return bool(_decoded(table["payload"]) == payload(str(table["signatures"][0]["keyid"])))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return False


def read_provenance(data: bytes, trust: TrustStore) -> Provenance | Refusal:
    """The provenance in an envelope, or why it is refused: no trusted key that may sign its graph has signed it."""
    try:
        table = json.loads(data)
        payload = _decoded(table["payload"])
        signatures = [(each["keyid"], _decoded(each["sig"])) for each in table["signatures"]]
        if table["payloadType"] != PAYLOAD_TYPE:
            raise ValueError("unexpected payload type")
        provenance = _read_statement(json.loads(payload))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, binascii.Error) as error:
        return Refusal("malformed", f"its provenance cannot be read ({error})", _REMAKE)
    message = _pae(PAYLOAD_TYPE, payload)
    refusal = Refusal("unknown key", "its provenance is not signed by a trusted key", _REMAKE)
    for key_id, signature in signatures:
        entry = trust.get(key_id)
        if entry is None:
            continue
        if not entry.key.verify_message(message, signature):
            refusal = Refusal("forged", "its provenance was changed after it was signed", _REMAKE, str(entry))
        elif (against := check_key(entry, provenance.graph_id)) is not None:
            refusal = against
        elif provenance.builder != builder_id(entry.key.id):
            refusal = Refusal("forged", "its provenance names a different builder than its signer", _REMAKE, str(entry))
        else:
            return provenance
    return refusal


def differences(
    provenance: Provenance, module: bytes, graph_id: str, project: Path, compiler: Iterable[Material]
) -> Iterator[str]:
    """What differs from the provenance: the module, its graph according to the manifest, files, the compiler."""
    if provenance.graph_id != graph_id:
        yield f"its provenance is for the graph `{provenance.graph_id}`, not for `{graph_id}`"
    if digest(module) != provenance.sha256:
        yield "its provenance is for another module"
    here = {(each.kind, each.name): each.sha256 for each in compiler}
    for each in provenance.materials:
        if each.kind == "compiler":
            if here.get((each.kind, each.name)) != each.sha256:
                yield f"it was built by a different compiler, {each.name}"
            continue
        try:
            now = digest(content_of(project / _expanded(each.name)))
        except OSError:
            yield f"the {each.kind} {each.name} no longer exists"
        else:
            if now != each.sha256:
                yield f"the {each.kind} {each.name} has changed since"


def _expanded(name: str) -> Path:
    """The path for a name in a statement; `~` is the home directory of the current user."""
    own = home()
    return Path(name) if own is None or not name.startswith("~/") else own / name[2:]


@cache
def compiler_materials() -> tuple[Material, ...]:
    """The compiler as a material: its version, and a digest of all its files."""
    package = Path(__file__).parents[1]
    listing = "".join(
        f"{digest(content_of(file))}  {file.relative_to(package).as_posix()}\n"
        for file in sorted(package.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    )
    return (Material("compiler", f"graphwright {__version__}", digest(listing.encode())),)


def _read_statement(table: Mapping[str, object]) -> Provenance:
    """Parse a statement. Raises KeyError, TypeError or ValueError if it does not have the expected structure."""
    found = _Table(table)
    if found.text("_type") != STATEMENT_TYPE or found.text("predicateType") != PREDICATE_TYPE:
        raise ValueError("unexpected statement type")
    (subject,) = found.tables("subject")
    predicate = found.table("predicate")
    build = predicate.table("buildDefinition")
    if build.text("buildType") != BUILD_TYPE:
        raise ValueError("unexpected build type")
    materials = tuple(
        Material(each.table("annotations").text("kind"), each.text("name"), each.table("digest").text("sha256"))
        for each in build.tables("resolvedDependencies")
    )
    return Provenance(
        subject.text("name"),
        subject.table("digest").text("sha256"),
        build.table("externalParameters").text("graph"),
        build.table("internalParameters").text("graphHash"),
        materials,
        predicate.table("runDetails").table("builder").text("id"),
    )


class _Table:
    """A JSON object whose accessors check types. They raise KeyError and TypeError."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, dict):
            raise TypeError("a mapping was expected")
        self._value = value

    def text(self, key: str) -> str:
        value = self._value[key]
        if not isinstance(value, str):
            raise TypeError(f"{key} is not a string")
        return value

    def table(self, key: str) -> _Table:
        return _Table(self._value[key])

    def tables(self, key: str) -> list[_Table]:
        value = self._value[key]
        if not isinstance(value, list):
            raise TypeError(f"{key} is not a list")
        return [_Table(each) for each in value]


def _pae(payload_type: str, payload: bytes) -> bytes:
    """DSSE's pre-authentication encoding."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def _decoded(text: str) -> bytes:
    """Decode canonical base64. Raises ValueError."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("not canonical base64")
    return data


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

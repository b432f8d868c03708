"""Verifies the signature of one generated module, for display."""

from __future__ import annotations

from pathlib import Path

from graphwright.content import content_of
from graphwright.record import Record
from graphwright.trust.audit import package_of
from graphwright_runtime.trust.limits import graph_id_of
from graphwright_runtime.trust.package import Refused, open_package
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Refusal, Verified, check


class Standing(Record):
    """`data` are the verified bytes, `signer` is the key if the module is verified, `refusal` is the reason if not."""

    data: bytes
    signer: str | None
    refusal: Refusal | None


def standing_of(file: Path, trust: TrustStore) -> Standing:
    """Verify a module: as part of its signed package, or on its own outside of one. Raises OSError."""
    folder = package_of(file)
    if folder is not None:
        try:
            found = open_package(folder, trust).module(file.absolute().relative_to(folder).as_posix())
        except Refused as refused:
            data = content_of(file) if refused.data is None or refused.path != file.absolute() else refused.data
            return Standing(data, None, refused.refusal)
        return Standing(found.data, str(found.signer), None)
    data = content_of(file)
    verdict = check("module", data, trust, subject=graph_id_of(data))
    if isinstance(verdict, Verified):
        return Standing(data, str(verdict.key), None)
    return Standing(data, None, verdict)

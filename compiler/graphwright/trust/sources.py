"""Checks the signatures of sources and modules; rules GW801 and GW804 phrase the faults."""

from __future__ import annotations

from pathlib import Path

from graphwright.diagnostic import Span
from graphwright.fault import Fault
from graphwright.faults.files import UntrustedModule, UntrustedSource
from graphwright.project.config import ConfigError
from graphwright.project.projects import SourceFile
from graphwright_runtime.trust.items import check_item
from graphwright_runtime.trust.truststore import TrustError, TrustStore, find_trust
from graphwright_runtime.trust.verification import Refusal


class SourceTrust:
    """Verifies the signatures of graphs for one check, and reads the trust file of each project once."""

    def __init__(self) -> None:
        self._stores: dict[Path, TrustStore] = {}

    def fault(self, data: bytes, shown: str, source_file: SourceFile) -> Fault | None:
        """What is wrong with the signature of a graph if `trust.sources` requires one. Raises ConfigError."""
        policy, folder = source_file.project.config.trust.sources, source_file.project.folder
        if policy == "off":
            return None
        if folder not in self._stores:
            try:
                self._stores[folder] = find_trust(folder)
            except TrustError as error:
                raise ConfigError(str(error)) from error
        what = "file of hooks" if source_file.file == source_file.project.hooks else "graph"
        return source_fault(data, shown, source_file.graph_id, policy, self._stores[folder], what)


def source_fault(
    data: bytes, shown: str, graph_id: str, policy: str, trust: TrustStore, what: str = "graph"
) -> Fault | None:
    """What is wrong with the signature of a source, at its first line; None if it is valid."""
    verdict = check_item("source", data, trust, subject=graph_id)
    if not isinstance(verdict, Refusal):
        return None
    first = data.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
    span = Span(shown, 1, 1, 1, max(len(first), 1) + 1)
    return UntrustedSource(span, what, verdict.text, verdict.advice, verdict.key, policy == "require")


def signed_fault(shown: str, refusal: Refusal, what: str = "module") -> Fault:
    """The fault for a refused file; `what` is its kind: a module, a manifest, a tool…"""
    return UntrustedModule(Span(shown, 1, 1, 1, 2), what, refusal.text, refusal.advice, refusal.key)

"""Fingerprints identify a diagnostic even if it moves to another line."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from graphwright.diagnostic import Diagnostic


def fingerprints(diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, str]]:
    """Each diagnostic with a digest of its code, file and message, and its index among those with the same values."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for diagnostic in diagnostics:
        key = (diagnostic.code, diagnostic.span.path, diagnostic.message)
        identity = "\0".join((*key, str(seen[key])))
        seen[key] += 1
        yield diagnostic, hashlib.sha256(identity.encode(errors="surrogatepass")).hexdigest()

"""Applies the configured severities of rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.diagnostic import Diagnostic, Severity
from graphwright.project.config import Config, ConfigError
from graphwright.record import replace

if TYPE_CHECKING:
    from graphwright.project.gitignore import Rules
    from graphwright.rules.registry import Rule

#: Families whose errors prevent a build, including the code for a refused signature …
_FIRM_FAMILIES = ("GW0", "GW1", "GW4", "GW801")
#: … except for these, which are about the behavior of the code.
_SOFT = frozenset({"GW407", "GW412"})
#: Errors of other families that the compiler recovers from by guessing: no module is built from a guess.
_GUESSED = frozenset({"GW201", "GW202", "GW203", "GW205", "GW305", "GW306", "GW310"})


def is_firm(code: str, severity: Severity) -> bool:
    """Whether a finding cannot be turned off, because it prevents a build."""
    if severity is not Severity.ERROR or code in _SOFT:
        return False
    return code in _GUESSED or code.startswith(_FIRM_FAMILIES)


class Levels:
    """The severities of one project; the longest prefix of a code takes precedence, and per-file rules over others.

    `fingerprint` is that of the configuration.
    """

    def __init__(self, config: Config) -> None:
        self.fingerprint = config.fingerprint
        self._general = config.rules
        self._per_file: list[tuple[Rules, Mapping[str, str]]] = []
        if config.per_file_rules and config.file:
            from graphwright.project.gitignore import patterns

            for pattern, rules in config.per_file_rules.items():
                self._per_file.append((patterns(config.file.parent, [pattern]), rules))

    def adjust(self, diagnostic: Diagnostic, file: Path) -> Diagnostic | None:
        """The diagnostic with its severity in `file`; None if it is turned off."""
        if not self._general and not self._per_file:
            return diagnostic
        level = self._level(diagnostic.code, file)
        if level is None or is_firm(diagnostic.code, diagnostic.severity):
            return diagnostic
        if level == "off":
            return None
        return with_severity(diagnostic, Severity(level))

    def _level(self, code: str, file: Path) -> str | None:
        from graphwright.project.gitignore import is_ignored

        tables = [rules for where, rules in reversed(self._per_file) if is_ignored(file, (where,), folder=False)]
        for rules in (*tables, self._general):
            fitting = [prefix for prefix in rules if code.startswith(prefix)]
            if fitting:
                return rules[max(fitting, key=len)]
        return None


def with_severity(diagnostic: Diagnostic, severity: Severity) -> Diagnostic:
    """The same diagnostic with another severity."""
    return replace(diagnostic, severity=severity)


def verify(config: Config) -> None:
    """Raise `ConfigError` if the configuration names a code that does not exist or cannot be changed."""
    if not config.rules and not config.per_file_rules:
        return
    from graphwright.rules.catalogue import catalogue

    known = catalogue()
    for where, levels in (("rules", config.rules), *config.per_file_rules.items()):
        for code, level in levels.items():
            problem = unknown_code(code, known) or (refusal(code, known) if level != "error" else None)
            if problem:
                raise ConfigError(f"{config.file}: in `{where}`, {problem}")


def refusal(code: str, known: Mapping[str, Rule]) -> str | None:
    """Why a code cannot be turned off; None if it can, or is a family."""
    if code in known and is_firm(code, known[code].severity):
        return f"`{code}` cannot be disabled or lowered: no module can be generated while it applies"
    return None


def as_code(written: str) -> str:
    """The full code for a short form on the command line, such as `302` or `gw302`. Other strings are unchanged."""
    if written.isdecimal():
        return f"GW{written}"
    return written.upper() if written[:2].upper() == "GW" else written


def unknown_code(code: str, known: Iterable[str]) -> str | None:
    """A message about an unknown code or prefix; None if it is known."""
    codes = list(known)
    if any(each.startswith(code) for each in codes) and code.startswith("GW"):
        return None
    near = near_code(code, codes)
    return f"`{code}` is not a code; {f'did you mean `{near}`?' if near else 'see `graphwright rules`'}"


def near_code(code: str, known: Iterable[str]) -> str | None:
    """The similar code that was probably meant, preferring swapped digits to other digits."""
    from graphwright.suggest import nearest

    codes = list(known)
    if code[:2] == "GW" and code[2:].isdecimal():
        swapped = nearest(code, [each for each in codes if sorted(each) == sorted(code)])
        return swapped or nearest(code, [each for each in codes if each[:3] == code[:3]])
    return nearest(code, codes)

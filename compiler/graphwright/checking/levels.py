"""How much each finding matters here: the configuration's word on the severity that the rules give."""

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

#: Families whose errors mean that no code can be generated, and the code that says that none may be …
_FIRM_FAMILIES = ("GW0", "GW1", "GW4", "GW801")
#: … but for these, which are about what the code would do.
_SOFT = frozenset({"GW407", "GW412"})
#: Errors of other families behind which the compiler reads what was probably meant: no module is made from a guess.
_GUESSED = frozenset({"GW201", "GW202", "GW203", "GW205", "GW305", "GW306", "GW310"})


def is_firm(code: str, severity: Severity) -> bool:
    """Whether a finding cannot be turned off, because nothing can be generated in spite of it."""
    if severity is not Severity.ERROR or code in _SOFT:
        return False
    return code in _GUESSED or code.startswith(_FIRM_FAMILIES)


class Levels:
    """The severities of one project; the longest prefix of a code counts, per-file rules before general ones.

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
        """The diagnostic as it counts in `file`; None where it is turned off."""
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
    """Raise `ConfigError` where the configuration names a code that does not exist or cannot be changed."""
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
    """Why a code cannot be turned off; None where it can, and for a family."""
    if code in known and is_firm(code, known[code].severity):
        return f"`{code}` cannot be disabled or lowered: no module can be generated while it applies"
    return None


def as_code(written: str) -> str:
    """A code as people write it on the command line, in full: `302`, `gw302`. Anything else stays as it is."""
    if written.isdecimal():
        return f"GW{written}"
    return written.upper() if written[:2].upper() == "GW" else written


def unknown_code(code: str, known: Iterable[str]) -> str | None:
    """What is wrong with a code or prefix that somebody wrote, None where it is one."""
    codes = list(known)
    if any(each.startswith(code) for each in codes) and code.startswith("GW"):
        return None
    near = near_code(code, codes)
    return f"`{code}` is not a code; {f'did you mean `{near}`?' if near else 'see `graphwright rules`'}"


def near_code(code: str, known: Iterable[str]) -> str | None:
    """The code that was probably meant; of a number swapped digits rather than others, which are of the same family."""
    from graphwright.suggest import nearest

    codes = list(known)
    if code[:2] == "GW" and code[2:].isdecimal():
        swapped = nearest(code, [each for each in codes if sorted(each) == sorted(code)])
        return swapped or nearest(code, [each for each in codes if each[:3] == code[:3]])
    return nearest(code, codes)

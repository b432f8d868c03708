"""Names of graphs, nodes and keys -> Python names.

A name at run time keeps its spelling; only the identifier is derived. Identifiers are folded as Python folds them
(NFKC), and names that would come out equal are told apart by a suffix that depends on the name alone, never on the
order of the file.
"""

from __future__ import annotations

import builtins
import hashlib
import keyword
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import PurePosixPath

#: Letters that look like digits: linters refuse them as names, as fields of a class too.
_AMBIGUOUS = frozenset({"l", "O", "I"})

#: Words that no emitted name may be: keywords and builtins, those of later Pythons too (the same bytes everywhere),
#: and the letters that look like digits.
RESERVED = frozenset(
    {
        *keyword.kwlist,
        *keyword.softkwlist,
        *dir(builtins),
        *_AMBIGUOUS,
        "type",
        "PythonFinalizationError",
        "_IncompleteInputError",
    }
)


#: Longer names are cut; those that come out equal are told apart like any others.
_LONGEST = 60


def is_plain_identifier(name: str) -> bool:
    """Whether `name` can be a field of a class and stay this very name: no folding, no mangling, no lint."""
    return (
        name.isidentifier()
        and name not in _AMBIGUOUS
        and not keyword.iskeyword(name)
        and not name.startswith("__")
        and unicodedata.normalize("NFKC", name) == name
    )


def identifier(name: str) -> str:
    """The Python identifier nearest to `name`; it may be reserved, and two names may share it.

    What cannot stand in an identifier becomes `_`, a symbol without a letter its code point. Leading underscores
    go (they mark the names that the emitter makes up itself), a leading digit gets one.
    """
    folded = unicodedata.normalize("NFKC", name)
    if not folded.isidentifier():
        words = "".join(map(_in_identifier, folded)).split("_")
        folded = unicodedata.normalize("NFKC", "_".join(word for word in words if word))
    folded = folded.lstrip("_")[:_LONGEST] or "node"
    return folded if folded.isidentifier() else f"_{folded}"


def _in_identifier(character: str) -> str:
    """A character as it may stand inside an identifier."""
    if f"_{character}".isidentifier():
        return character
    return "_" if character.isascii() else f"_u{ord(character):x}_"


def class_name(name: str) -> str:
    """The same as `identifier` in the spelling of classes: `count_lines` -> `CountLines`."""
    words = identifier(name).strip("_").split("_")
    return _lettered("".join(word[:1].upper() + word[1:] for word in words))


def constant_name(name: str) -> str:
    """The same as `identifier` in the spelling of constants: `rye/bash` -> `RYE_BASH`."""
    return _lettered(identifier(name).strip("_").upper())


def _lettered(text: str) -> str:
    """The text as an identifier that begins with a letter, folded as Python would fold it."""
    folded = unicodedata.normalize("NFKC", text)
    return folded if folded.isidentifier() else unicodedata.normalize("NFKC", f"N{folded}")


class Namespace:
    """Hands out identifiers that are free: one for a module, one for each function.

    A name that is taken or reserved gets a trailing underscore; of several names that fold to one identifier, the
    name spelled like it keeps it and the others are told apart by a digest of their own spelling.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def __contains__(self, name: str) -> bool:
        return name in self._taken or name in RESERVED

    def claim(self, wanted: str) -> str:
        """`wanted`, or `wanted_`, `wanted_2`… where it is taken."""
        name = wanted
        if name in self:
            name = f"{wanted}_"
        number = 2
        while name in self:
            name = f"{wanted}_{number}"
            number += 1
        self._taken.add(name)
        return name

    def claim_all(self, wanted: Mapping[str, str]) -> dict[str, str]:
        """A free identifier for each key of `wanted` (name -> identifier it would like), in the same order."""
        groups: dict[str, list[str]] = {}
        for name, ident in wanted.items():
            groups.setdefault(ident, []).append(name)
        free = {name: ident for name, ident in wanted.items() if ident not in self and len(groups[ident]) == 1}
        chosen = dict(free)
        self._taken.update(free.values())
        for ident in sorted(groups):
            names = sorted(name for name in groups[ident] if name not in free)
            for name in names:
                chosen[name] = self._told_apart(name, ident, alone=len(names) == 1)
        return {name: chosen[name] for name in wanted}

    def _told_apart(self, name: str, ident: str, *, alone: bool) -> str:
        """A free identifier for one of several claimants of `ident`, or for one whose `ident` is reserved."""
        if (alone or name == ident) and ident not in self:
            self._taken.add(ident)
            return ident
        if (alone or name == ident) and f"{ident}_" not in self:
            self._taken.add(f"{ident}_")
            return f"{ident}_"
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        size = 4
        while (candidate := f"{ident}_{digest[:size]}") in self:
            size += 1
        self._taken.add(candidate)
        return candidate


@cache
def module_path(graph_id: str) -> PurePosixPath:
    """The module of a graph id, below the output folder: `etl/process-sales` -> `etl/process_sales.py`."""
    parts = [_module_part(part) for part in graph_id.split("/") if part] or ["graph"]
    return PurePosixPath(*parts[:-1], f"{parts[-1]}.py")


def placed(graph_ids: Iterable[str], others: Iterable[PurePosixPath] = ()) -> dict[str, PurePosixPath]:
    """The module of each graph, below the output folder, where these graphs and the `others` (modules) lie together.

    A graph below whose name there are modules is the `__init__.py` of their package: Python would not find
    `billing.py` next to `billing/`.
    """
    plain = {graph_id: module_path(graph_id) for graph_id in graph_ids}
    homes = {path.parent for path in (*plain.values(), *others)}
    folders = homes.union(*(home.parents for home in homes))
    names = {graph_id: path.with_suffix("") for graph_id, path in plain.items()}
    return {graph_id: name / "__init__.py" if name in folders else plain[graph_id] for graph_id, name in names.items()}


def module_name(graph_id: str) -> str:
    """The dotted name of a graph's module below the output package."""
    return ".".join(module_path(graph_id).with_suffix("").parts)


def _module_part(part: str) -> str:
    folded = unicodedata.normalize("NFKC", part)
    ident = folded if f"_{folded}".isidentifier() else "".join(map(_in_module_name, folded))
    if ident.startswith(tuple("0123456789")) or not ident.isidentifier():
        ident = f"_{ident}"
    if keyword.iskeyword(ident) or keyword.issoftkeyword(ident) or ident in {"type", "__init__", "__main__"}:
        ident = f"{ident}_"
    return ident


def _in_module_name(character: str) -> str:
    """A character as it may stand in the name of a module: what may not is `_`, a symbol its code point."""
    if f"_{character}".isidentifier():
        return character
    return "_" if character.isascii() else f"u{ord(character):x}"

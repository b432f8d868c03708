"""Derives Python identifiers and module paths from names of graphs, nodes and keys.

Names keep their spelling at run time. Identifiers are normalized (NFKC), as Python does. Names with the same identifier
are distinguished by a suffix that depends only on the name, not on its position in the file.
"""

from __future__ import annotations

import builtins
import hashlib
import keyword
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import PurePosixPath

#: Letters that look like digits: linters reject them as names, including fields of classes.
_AMBIGUOUS = frozenset({"l", "O", "I"})

#: Identifiers that are never emitted: keywords and builtins, including those of newer versions of Python, so that the
#: output does not depend on the version, and letters that look like digits.
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


#: Longer names are truncated.
_LONGEST = 60


def is_plain_identifier(name: str) -> bool:
    """Whether `name` can be a field of a class unchanged: no normalization, no name mangling, no lint error."""
    return (
        name.isidentifier()
        and name not in _AMBIGUOUS
        and not keyword.iskeyword(name)
        and not name.startswith("__")
        and unicodedata.normalize("NFKC", name) == name
    )


def identifier(name: str) -> str:
    """A Python identifier for `name`. It may be reserved, and several names may have the same one.

    Invalid ASCII characters become `_`, others their code point. Leading underscores are removed, because they mark
    names that the emitter invents; an underscore is put before a leading digit.
    """
    folded = unicodedata.normalize("NFKC", name)
    if not folded.isidentifier():
        words = "".join(map(_in_identifier, folded)).split("_")
        folded = unicodedata.normalize("NFKC", "_".join(word for word in words if word))
    folded = folded.lstrip("_")[:_LONGEST] or "node"
    return folded if folded.isidentifier() else f"_{folded}"


def _in_identifier(character: str) -> str:
    """The replacement of a character inside an identifier."""
    if f"_{character}".isidentifier():
        return character
    return "_" if character.isascii() else f"_u{ord(character):x}_"


def class_name(name: str) -> str:
    """Like `identifier`, as the name of a class: `count_lines` -> `CountLines`."""
    words = identifier(name).strip("_").split("_")
    return _lettered("".join(word[:1].upper() + word[1:] for word in words))


def constant_name(name: str) -> str:
    """Like `identifier`, as the name of a constant: `rye/bash` -> `RYE_BASH`."""
    return _lettered(identifier(name).strip("_").upper())


def _lettered(text: str) -> str:
    """The text as a normalized identifier that begins with a letter."""
    folded = unicodedata.normalize("NFKC", text)
    return folded if folded.isidentifier() else unicodedata.normalize("NFKC", f"N{folded}")


class Namespace:
    """Assigns unique identifiers within a module or a function.

    An identifier that is taken or reserved gets a trailing underscore. If several names have the same identifier, the
    name that is spelled like it keeps it, and the others get a digest of their spelling as a suffix.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def __contains__(self, name: str) -> bool:
        return name in self._taken or name in RESERVED

    def claim(self, wanted: str) -> str:
        """`wanted`, or `wanted_`, `wanted_2`… if it is taken."""
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
        """A free identifier for each key of `wanted` (name -> preferred identifier), in the same order."""
        groups: dict[str, list[str]] = {}
        for name, ident in wanted.items():
            groups.setdefault(ident, []).append(name)
        free = {name: ident for name, ident in wanted.items() if ident not in self and len(groups[ident]) == 1}
        chosen = dict(free)
        self._taken.update(free.values())
        for ident in sorted(groups):
            names = sorted(name for name in groups[ident] if name not in free)
            for name in names:
                chosen[name] = self._distinct(name, ident, alone=len(names) == 1)
        return {name: chosen[name] for name in wanted}

    def _distinct(self, name: str, ident: str, *, alone: bool) -> str:
        """A free identifier for a name whose preferred identifier is reserved or shared with others."""
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
    """The module path of each graph below an output folder that also contains the modules `others`.

    A graph whose name is also a folder of modules becomes the `__init__.py` of that package, because Python would not
    import `billing.py` next to `billing/`.
    """
    plain = {graph_id: module_path(graph_id) for graph_id in graph_ids}
    homes = {path.parent for path in (*plain.values(), *others)}
    folders = set(map(str, homes.union(*(home.parents for home in homes))))
    names = {graph_id: str(path).removesuffix(".py") for graph_id, path in plain.items()}
    return {
        graph_id: PurePosixPath(name, "__init__.py") if name in folders else plain[graph_id]
        for graph_id, name in names.items()
    }


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
    """The replacement of a character in the name of a module: `_` for ASCII, otherwise its code point."""
    if f"_{character}".isidentifier():
        return character
    return "_" if character.isascii() else f"u{ord(character):x}"

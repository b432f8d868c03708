"""From YAML text to PyYAML's node tree, with limits on depth and size.

PyYAML's C composer calls back for each node it begins and ends, where the depth is counted. Ten megabytes of `[` are
refused after two hundred of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.faults.yaml import BeyondLimit
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.source import scalars
from graphwright.source.syntax import MAX_DEPTH, UnreadableError, bad_character, explain, too_deep

#: How many nodes (mappings, lists and scalars) a file may have once its aliases are followed.
MAX_NODES = 1_000_000

#: A possible alias (or a glob in a shell command, which costs one unnecessary walk).
_ALIAS = pattern(r"(?:^|[\s\[{,])\*[^\s\[\]{},]")


class Composed(Record):
    """A node tree (None for an empty document) and what was seen on the way.

    `ambiguous`: plain scalars that YAML 1.1 and 1.2 read differently, with the tag of each and the reason. `suspects`:
    those, and plain scalars that are not JSON. `tagged`: there may be explicit tags; `aliased`: there may be aliases.
    """

    root: Node | None
    ambiguous: Mapping[str, tuple[str, str]]
    suspects: frozenset[str]
    tagged: bool
    aliased: bool


class _TooDeepError(Exception):
    """Nesting beyond `MAX_DEPTH`."""


class _TooManyError(Exception):
    """More than `MAX_NODES` nodes."""


class _Loader(yaml.CSafeLoader):
    """PyYAML's C loader without construction, with cached tags and a limit on depth."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.tags: dict[str, str] = {}
        self.ambiguous: dict[str, tuple[str, str]] = {}
        self.suspects: set[str] = set()
        self.depth = 0
        self.count = 0
        self.deepest: Node | None = None

    def resolve(self, kind: type[Node], value: str | None, implicit: tuple[bool, bool] | bool) -> str:
        """The tag of a node without an explicit one."""
        if kind is not ScalarNode or value is None:
            return scalars.MAP if kind is MappingNode else scalars.SEQ
        if not isinstance(implicit, tuple) or not implicit[0]:
            return scalars.STR
        tag = self.tags.get(value)
        return self._classify(value) if tag is None else tag

    def _classify(self, text: str) -> str:
        tag = self.tags[text] = scalars.tag_of(text)
        try:
            scalars.read_scalar(tag, text)
        except scalars.NotJsonError:
            self.suspects.add(text)
            return tag
        reason = scalars.ambiguity(text, tag)
        if reason:
            self.suspects.add(text)
            self.ambiguous[text] = (tag, reason)
        return tag

    def descend_resolver(self, current_node: Node | None, current_index: object) -> None:  # noqa: ARG002 - PyYAML's name
        """Called before each node below `current_node`."""
        self.depth += 1
        self.count += 1
        if self.depth > MAX_DEPTH + 1:
            self.deepest = current_node
            raise _TooDeepError
        if self.count > MAX_NODES:
            self.deepest = current_node
            raise _TooManyError

    def ascend_resolver(self) -> None:
        """Called after each node."""
        self.depth -= 1


def compose(text: str) -> Composed:
    """The tree of the single document in `text`; raises `UnreadableError` if there is none.

    Explicit tags are kept for `survey` to check.
    """
    loader: _Loader | None = None
    try:
        loader = _Loader(text)
        root = loader.get_single_node()
        aliased = bool(_ALIAS.search(text))
        return Composed(root, loader.ambiguous, frozenset(loader.suspects), "!" in text, aliased)
    except _TooDeepError:
        place = _start(loader.deepest) if loader else 0
        raise too_deep(place, place + 1) from None
    except _TooManyError:
        raise UnreadableError(0, 0, partial(BeyondLimit, limit="nodes", maximum=MAX_NODES)) from None
    except yaml.reader.ReaderError:
        raise bad_character(text) from None
    except yaml.MarkedYAMLError as error:
        raise explain(text, error) from None
    except RecursionError:
        raise too_deep(0, 0) from None
    finally:
        if loader is not None:
            loader.dispose()


def _start(node: Node | None) -> int:
    return 0 if node is None else int(node.start_mark.index)

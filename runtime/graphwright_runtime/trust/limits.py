"""What a key that may sign some graphs only may put its name to, and what a module says of itself.

Such a key may sign the module of a graph that it is for, where that module belongs, and an `__init__.py` that holds no
code. The same counts for its lines in the manifest. A graph's id is taken from what is signed: from the line of the
manifest, or from the statements of the module; never from text in which a description could imitate them.
"""

from __future__ import annotations

from graphwright_runtime.trust.truststore import TrustedKey
from graphwright_runtime.trust.verification import REBUILD, Refusal, beyond

_INIT = "__init__.py"


def beyond_limits(key: TrustedKey, path: str, graph: str, body: bytes | None) -> Refusal | None:
    """How a module at this path goes beyond the graphs that its key, or the key of its line, may sign.

    `graph` is its id, empty for an `__init__.py`; `body` its text, None where that is not at hand.
    """
    if key.unrestricted:
        return None
    advice = beyond(key)
    if not graph:
        if path.rpartition("/")[2] == _INIT and (body is None or only_words(body)):
            return None
        text = "the key that signed it may only sign graphs, and this is code outside of any graph"
    elif not key.allows(graph):
        text = f"the key that signed it may not sign `{graph}`"
    elif not is_place_of(path, graph):
        text = f"the key that signed it may sign `{graph}`, whose module does not stand at {path}"
        advice = REBUILD
    else:
        return None
    return Refusal("not allowed", text, advice, str(key))


def only_words(body: bytes) -> bool:
    """Whether a module is nothing but comments and text, in the encoding in which it would be compiled."""
    import ast

    try:
        statements = ast.parse(body.decode()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in statements)


def constant(body: bytes, name: str) -> str | None:
    """The text that a module assigns to a name, in one statement at its top level; None where it does not."""
    import ast

    try:
        statements = ast.parse(body.decode()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    values: list[ast.expr | None] = []
    for each in statements:
        match each:
            case (
                ast.AnnAssign(target=ast.Name(id=found), value=value)
                | ast.Assign(targets=[ast.Name(id=found)], value=value)
            ) if found == name:
                values.append(value)
    match values:
        case [ast.Constant(value=str() as text)]:
            return text
    return None


def graph_id_of(body: bytes) -> str | None:
    """The graph id that a module gives itself, None where it gives none."""
    return constant(body, "GRAPH_ID")


def is_place_of(path: str, graph_id: str) -> bool:
    """Whether a module's path is the one of the graph, but for underscores that keep names apart.

    An id with a part that is empty or leads elsewhere, such as `billing/`, has no place: it fits `billing/*`, and
    would stand where `billing` does.
    """
    parts = graph_id.split("/")
    if not {"", ".", ".."}.isdisjoint(parts):
        return False
    name = path.removesuffix(".py").removesuffix("/__init__")  # a graph that has others below its name
    return [_folded(part) for part in name.split("/")] == [_folded(part) for part in parts]


def _folded(part: str) -> str:
    import unicodedata

    letters = unicodedata.normalize("NFKC", part)
    kept = (each if f"_{each}".isidentifier() else "_" if each.isascii() else f"u{ord(each):x}" for each in letters)
    return "".join(kept).strip("_")

"""What a key that may sign only some graphs may put its name to, and what a module says about itself.

Such a key may sign the module of a graph that it is for, in the place where that module belongs, and an `__init__.py`
that holds no code. The same applies to its lines in the manifest. A graph's id is taken from what is signed: from the
line of the manifest, or from the statements of the module; never from text in which a description could imitate them.

Programs import modules by name, and several ids can have one name: `team-a/x` and `team_a/x` both become `team_a.x`.
So the limits of a key must allow the id as well as the name, else a key for `team-a/*` could replace modules of
`team_a`.
"""

from __future__ import annotations

from graphwright_runtime.ids import is_id, module_name
from graphwright_runtime.trust.truststore import TrustedKey
from graphwright_runtime.trust.verification import REBUILD, Refusal, beyond, judge

_INIT = "__init__.py"


def beyond_limits(key: TrustedKey, path: str, graph: str, body: bytes | None) -> Refusal | None:
    """How a module at this path goes beyond the graphs that its key, or the key of its line, may sign.

    `graph` is the graph's id, empty for an `__init__.py`; `body` is the module's text, None where it is not at hand.
    """
    if key.unrestricted:
        return None
    advice = beyond(key)
    if not graph:
        if path.rpartition("/")[2] == _INIT and (body is None or only_words(body)):
            return None
        text = "the key that signed it may only sign graphs, and this code does not belong to one"
    elif not key.allows(graph):
        text = f"the key that signed it may not sign `{graph}`"
    elif not is_place_of(path, graph):
        text = f"the key that signed it may sign `{graph}`, but the module of that graph does not belong at {path}"
        advice = REBUILD
    elif not key.allows(name := module_name(graph).replace(".", "/")):
        text = (
            f"the key that signed it may sign `{graph}`, but not `{name}`, which is how this module is imported and "
            "could be another graph"
        )
        advice = f"add a pattern for `{name}` to `graphs` of this key in {key.file}, or sign with another key"
    else:
        return None
    return Refusal("not allowed", text, advice, str(key))


def against_module(key: TrustedKey, path: str, graph: str, body: bytes | None) -> Refusal | None:
    """What stands against a key whose signature of a module is right: it does not count, or goes beyond its limits."""
    return judge(key, graph or None) or beyond_limits(key, path, graph, body)


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
    """Whether a module's path is the one of the graph, which may be a package with other graphs below its name."""
    name = module_name(graph_id).replace(".", "/")
    return is_id(graph_id) and path in (f"{name}.py", f"{name}/__init__.py")

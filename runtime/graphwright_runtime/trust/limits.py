"""The limits of keys that may sign only some graphs.

Such a key may sign modules of its graphs, at the paths of these graphs, and an `__init__.py` without code. The same
applies to its lines in the manifest. The id of a graph is read from signed data: a line of the manifest, or the
statements of the module. It is never searched for in the text, where a description could imitate it.

Programs import modules by name, and several ids can have the same name: `team-a/x` and `team_a/x` both become
`team_a.x`. So the limits of a key must allow the id as well as the name. Otherwise, a key for `team-a/*` could replace
modules of `team_a`.
"""

from __future__ import annotations

from graphwright_runtime.ids import is_id, module_name
from graphwright_runtime.trust.truststore import TrustedKey
from graphwright_runtime.trust.verification import REBUILD, Refusal, check_key, not_allowed_advice

_INIT = "__init__.py"


def check_limits(key: TrustedKey, path: str, graph: str, body: bytes | None) -> Refusal | None:
    """Check that a key may sign a module at this path, or its line in the manifest; None if it may.

    `graph` is the graph's id, empty for an `__init__.py`. `body` is the module's text, None if only the line is known.
    """
    if key.unrestricted:
        return None
    advice = not_allowed_advice(key)
    if not graph:
        if path.rpartition("/")[2] == _INIT and (body is None or has_no_code(body)):
            return None
        text = "the key that signed it may only sign graphs, and this code does not belong to one"
    elif not key.allows(graph):
        text = f"the key that signed it may not sign `{graph}`"
    elif not is_path_of(path, graph):
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


def check_module_key(key: TrustedKey, path: str, graph: str, body: bytes | None) -> Refusal | None:
    """Check a key whose signature of a module is correct: that it is trusted, and may sign this module; None if so."""
    return check_key(key, graph or None) or check_limits(key, path, graph, body)


def has_no_code(body: bytes) -> bool:
    """Whether a module consists only of comments and constants."""
    import ast

    try:
        statements = ast.parse(body.decode()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in statements)


def constant(body: bytes, name: str) -> str | None:
    """The string that a module assigns to a name, exactly once and at top level; None if it does not."""
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
    """The graph id that a module declares; None if it declares none."""
    return constant(body, "GRAPH_ID")


def is_path_of(path: str, graph_id: str) -> bool:
    """Whether a path is one that the module of this graph can have: a module, or a package with other graphs in it."""
    name = module_name(graph_id).replace(".", "/")
    return is_id(graph_id) and path in (f"{name}.py", f"{name}/__init__.py")

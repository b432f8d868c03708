"""What the pieces of a module look like: only what is needed, in an order that can be read."""

from __future__ import annotations

import re

from cases.graphs import graph
from running import compile_text, loaded


def node(text: str, name: str) -> str:
    """The function of a node in the module that a graph compiles to."""
    found = re.search(rf"^async def {name}\(.*?(?=^\S)", compile_text(text) + "\nend", re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0].strip()


def test_an_action_that_assigns_nothing_and_leads_on() -> None:
    text = graph("start: a\nnodes:\n  a: {action: {item_id: shop/a}, next: b}\n  b: {type: return}\n")
    assert node(text, "a") == (
        'async def a(c: Cursor[object, Inputs]) -> Literal["b"]:\n    await c.call(_SHOP_A, {})\n    return "b"'
    )
    assert node(text, "b") == "async def b(c: Cursor[object, Inputs]) -> None:\n    c.finish()"


def test_constants_are_committed_in_place_unless_they_are_read() -> None:
    text = graph("start: a\nnodes:\n  a: {type: gate, assign: {x: 1, y: 2, z: '${state.x + 1}'}}\n")
    assert node(text, "a").splitlines()[1:] == [
        "    x = 1",
        "    z = add(x, 1)",
        '    c.commit({"x": x, "y": 2, "z": z})',
    ]


def test_null_parameters_are_left_out() -> None:
    text = graph("start: a\nnodes:\n  a: {action: {item_id: shop/a, params: {n: null, m: {k: null}, l: [null]}}}\n")
    assert 'c.call(_SHOP_A, {"m": {}, "l": [None]})' in node(text, "a")


def test_a_gate_that_cannot_fail_catches_nothing() -> None:
    text = graph("start: a\nnodes:\n  a: {type: gate, next: b, on_error: b}\n  b: {type: return}\n")
    assert "NodeError" not in compile_text(text)


def test_only_what_is_used_is_imported() -> None:
    code = compile_text(graph("start: a\nnodes:\n  a: {type: return}\n"))
    head = code[: code.index("__all__")]
    for name in ("Action", "NodeError", "Problems", "Retry", "text", "at"):
        assert f"    {name},\n" not in head


def test_locals_and_functions_do_not_shadow_what_they_use() -> None:
    config = """\
    start: text
    state: {at: {x: 1}, c: 2, state: 3}
    nodes:
      text: {type: gate, assign: {text: "n=${state.at.x}", at: "${state.at.x}", c: "${state.c}"}, next: at}
      at: {type: return, output: "${state.text} ${state.c}"}
    """
    code = compile_text(graph(config))
    assert "async def text_(" in code
    assert "async def at_(" in code
    assert 'text_ = text("n=", ' in code


def test_every_text_of_the_graph_is_harmless() -> None:
    evil = "\"\"\"\\\nimport os\nfrom os import system\n'''\u202e\x85#"
    text = graph(
        "start: a\nnodes:\n  a: {type: return, output: {evil: EVIL}}\n".replace("EVIL", repr_yaml(evil)),
        top=f"description: {repr_yaml(evil)}\n",
    ).replace('description: "a case from the field"\n', "")
    code = compile_text(text)
    assert code.isascii() or all(character.isprintable() or character == "\n" for character in code)
    with loaded(code) as module:
        assert "import os" in str(module.__doc__)
        assert not hasattr(module, "os")
        assert not hasattr(module, "system")


def repr_yaml(text: str) -> str:
    """A text as a double-quoted YAML scalar."""
    import json

    return json.dumps(text)


def test_keys_with_an_underscore_have_types_like_others() -> None:
    text = graph(
        "start: a\nnodes:\n  a: {action: {item_id: shop/a, params: {l: '${inputs._links.self}'}}, on_error: b}\n"
        "  b: {type: return, output: {e: '${state._last_error}'}}\n",
        inputs="_links: {type: object, required: [self], properties: {self: {type: string}}}\n",
    )
    with loaded(compile_text(text)) as made:
        assert made.Inputs.__annotations__["_links"].__forward_arg__ == "NotRequired[InputsLinks]"
        assert made.State.__annotations__["_last_error"].__forward_arg__ == "NotRequired[dict[str, str]]"

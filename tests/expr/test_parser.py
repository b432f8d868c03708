"""Templates and paths: what they parse to, what they refuse, and where the caret stands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright.expr.nodes import (
    Arithmetic,
    Expression,
    Fallback,
    Hole,
    ListOf,
    Literal,
    Negative,
    Path,
    Pipe,
    SyntaxFault,
)
from graphwright.expr.parser import BROKEN, MAX_DEPTH, MAX_OPERANDS, ParsedTemplate, parse_path, parse_template


def shown(expression: Expression) -> str:
    """An expression with every bracket written out."""
    match expression:
        case Literal(value):
            return repr(value)
        case Path(name, segments):
            return name + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in segments)
        case ListOf(items):
            return f"[{', '.join(map(shown, items))}]"
        case Negative(operand):
            return f"(- {shown(operand)})"
        case Arithmetic(first, operations):
            text = shown(first)
            for operation in operations:
                text = f"({text} {operation.operator} {shown(operation.operand)})"
            return text
        case Fallback(operands):
            return f"({' || '.join(map(shown, operands))})"
        case Pipe(name, operand, arguments):
            return f"{name}({', '.join(map(shown, (operand, *arguments)))})"


def whole(text: str) -> str:
    parsed = parse_template(text)
    assert parsed.faults == ()
    assert parsed.template.whole is not None
    return shown(parsed.template.whole)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("${state.x}", "state.x"),
        ("${ state.x }", "state.x"),
        ("${\n  state.x\n}", "state.x"),
        ("${state.rows.-1.0}", "state.rows.-1.0"),
        ("${state.rows[-1].id}", "state.rows[-1].id"),
        ("${state.rows[ 0 ][1]}", "state.rows[0][1]"),
        ("${state['first name'].x}", "state.first name.x"),
        ('${state["a]b}"]}', "state.a]b}"),
        ("${state.größe}", "state.größe"),
        ("${state.2nd-try}", "state.2nd-try"),
        ("${order-id}", "order-id"),
        ("${a -1}", "(a - 1)"),
        ("${a - 1}", "(a - 1)"),
        ("${a\t-b}", "(a - b)"),
        ("${5-3}", "(5 - 3)"),
        ("${5-a}", "(5 - a)"),
        ("${(a)-1}", "(a - 1)"),
        ("${a[0]-1}", "(a[0] - 1)"),
        ("${[1]-1}", "([1] - 1)"),
        ("${a-1}", "a-1"),
        ("${-a}", "(- a)"),
        ("${- -1}", "(- (- 1))"),
        ("${a + -b}", "(a + (- b))"),
        ("${-a * b}", "((- a) * b)"),
        ("${1 + 2 * 3 - 4}", "((1 + (2 * 3)) - 4)"),
        ("${1 - 2 - 3}", "((1 - 2) - 3)"),
        ("${8 / 4 % 3}", "((8 / 4) % 3)"),
        ("${(1 + 2) * 3}", "((1 + 2) * 3)"),
        ("${a || b + 1 || c}", "(a || (b + 1) || c)"),
        ("${a || b | upper}", "upper((a || b))"),
        ("${a | default('x') | upper}", "upper(default(a, 'x'))"),
        ("${a|upper}", "upper(a)"),
        ("${a | default(b || 0 | str)}", "default(a, str((b || 0)))"),
        ("${1.5e3}", "1500.0"),
        ("${1e5}", "100000.0"),
        ("${007}", "7"),
        ("${true}", "True"),
        ("${null}", "None"),
        ("${true-x}", "true-x"),
        ("${true.x}", "true.x"),
        ("${'}'}", "'}'"),
        (r"${'a\n\t\\\'\"\u00e9'}", repr("a\n\t\\'\"é")),
        (r"${'\ud83d\ude00'}", repr("😀")),
        ("${[1, 'x', [state.y]]}", "[1, 'x', [state.y]]"),
        ("${[]}", "[]"),
    ],
)
def test_expressions(text: str, tree: str) -> None:
    assert whole(text) == tree


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("plain $5 and {x}", ("plain $5 and {x}",)),
        ("$${x}", ("${x}",)),
        ("$$${x}", ("$${x}",)),
        ("$$$${x}", ("$$${x}",)),
        ("$$ ${a}$", ("$$ ", "a", "$")),
        ("${a}${b}", ("a", "b")),
        ("${a}\n", ("a", "\n")),
        ("$${a} ${b}", ("${a} ", "b")),
    ],
)
def test_parts_of_a_template(text: str, parts: tuple[str, ...]) -> None:
    parsed = parse_template(text)
    assert parsed.faults == ()
    assert tuple(shown(p.expression) if isinstance(p, Hole) else p for p in parsed.template.parts) == parts


@pytest.mark.parametrize(
    ("text", "caret", "said"),
    [
        ("${}", "${}", "empty"),
        ("x ${ }", "${ }", "empty"),
        ("team ${inputs.team", "${", "never closed"),
        ("${a ${b}", "${", "never closed"),
        ("${state.x | default('}", "'", "never closed"),
        ("${state.${x}}", "${", "cannot be nested"),
        ("${state.x && true}", "&&", "unexpected `&&`"),
        ("${state.x == 1}", "==", "unexpected `==`"),
        ("${state.x +}", "}", "expected a value"),
        ("${|| a}", "||", "expected a value"),
        ("${state..x}", ".", "expected a step"),
        ("${state.}", "}", "expected a step"),
        ("${state[*]}", "*", "expected a step"),
        ("${state [0]}", "[", "unexpected `[`"),
        ("${a- 1}", "1", "unexpected `1`"),
        ("${len(state.x)}", "(", "unexpected `(`"),
        ("${a | upper || b}", "||", "unexpected `||`"),
        ("${a | }", "}", "name of a pipe"),
        ("${(a}", "}", "expected `)`"),
        ("${[a, }", "}", "expected a value"),
        ("${[a b]}", "b", "expected `]`"),
        ("${'a}", "'", "never closed"),
        ("${a || {}}", "{", "expected a value"),
        ("${5x}", "x", "unexpected `x`"),
        ("${1e999}", "1e999", "too large"),
        (r"${'\q'}", r"\q", "not a valid escape"),
        (r"${'\ud800'}", r"'\ud800'", "surrogate"),
        ("${" + "9" * 5000 + "}", "9" * 5000, "too long"),
    ],
)
def test_syntax_faults(text: str, caret: str, said: str) -> None:
    (fault, *more) = parse_template(text).faults
    assert not more
    assert fault.code == "GW401"
    assert text[fault.start : fault.end] == caret
    assert said in fault.message


@pytest.mark.parametrize(
    ("argument", "advice"),
    [
        (" 0", "write the argument of a pipe in parentheses: `default(0)`"),
        (": 'x'", "write the argument of a pipe in parentheses: `default('x')`"),
        (" -1", "write the argument of a pipe in parentheses: `default(-1)`"),
        (" []", "write the argument of a pipe in parentheses: `default([…])`"),
        (" + 1", "put the pipe in parentheses: `(… | default) + …`"),
    ],
)
def test_an_argument_of_a_pipe_without_parentheses(argument: str, advice: str) -> None:
    (fault,) = parse_template(f"${{a | default{argument}}}").faults
    assert (fault.code, fault.help) == ("GW401", advice)


@pytest.mark.parametrize(
    ("text", "caret", "message", "advice"),
    [
        ("${a | uper}", "uper", "`uper` is not a pipe", "did you mean `upper`?"),
        ("${a | json(2)}", "json", "`json` takes no arguments, not 1", "write `| json`"),
        ("${a | default}", "default", "`default` takes exactly one argument, not 0", "write `default(…)`"),
        ("${a | default(1, 2)}", "default", "`default` takes exactly one argument, not 2", "write `default(…)`"),
        ("${a | frobnicate}", "frobnicate", "`frobnicate` is not a pipe", "pipes are `json`"),
    ],
)
def test_pipe_faults(text: str, caret: str, message: str, advice: str) -> None:
    (fault,) = parse_template(text).faults
    assert fault.code == "GW403"
    assert text[fault.start : fault.end] == caret
    assert fault.message == message
    assert fault.help is not None
    assert fault.help.startswith(advice)


def test_one_fault_a_hole_and_all_of_them() -> None:
    parsed = parse_template("${} ${a | uper | lowr} ${b &&} ${c}")
    assert [fault.code for fault in parsed.faults] == ["GW401", "GW403", "GW403", "GW401"]
    holes = [part for part in parsed.template.parts if isinstance(part, Hole)]
    assert [shown(hole.expression) for hole in holes] == [BROKEN, "lower(upper(a))", BROKEN, "c"]


def test_a_broken_hole_keeps_its_reads() -> None:
    parsed = parse_template("${state.x && inputs.y}")
    assert parsed.template.whole is not None
    assert shown(parsed.template.whole) == f"({BROKEN} || state.x || inputs.y || {BROKEN})"


def test_default_always_has_an_argument_in_the_tree() -> None:
    expression = parse_template("${a | default}").template.whole
    assert isinstance(expression, Pipe)
    assert len(expression.arguments) == 1


@pytest.mark.parametrize(
    "text",
    [
        "${" + "(" * 1000 + "a" + ")" * 1000 + "}",
        "${" + "[" * 1000 + "]" * 1000 + "}",
        "${" + "-" * 1000 + "1}",
        "${" + " + ".join(["a"] * 10_000) + "}",
        "${" + " || ".join(["a"] * 10_000) + "}",
        "${a" + " | upper" * 10_000 + "}",
        "${a" + " | default(a" * 1000 + ")" * 1000 + "}",
    ],
    ids=["brackets", "lists", "minus", "sum", "fallback", "pipes", "arguments"],
)
def test_excess_is_one_fault(text: str) -> None:
    (fault,) = parse_template(text).faults
    assert fault.code == "GW401"


def test_depth_up_to_the_limit_is_a_value() -> None:
    assert parse_template("${" + "(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH + "}").faults == ()
    assert parse_template("${" + "a + (" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1) + "}").faults == ()


@pytest.mark.parametrize("operators", ["+", "-", "+-", "*/%", "*+", "||"])
def test_a_chain_is_not_nesting(operators: str) -> None:
    def parsed(operands: int) -> ParsedTemplate:
        signs = [operators] if operators == "||" else list(operators)
        return parse_template("${a" + "".join(f" {signs[n % len(signs)]} a" for n in range(operands - 1)) + "}")

    assert parsed(MAX_DEPTH + 1).faults == ()
    assert parsed(MAX_OPERANDS).faults == ()
    (fault,) = parsed(2 * MAX_OPERANDS + 1).faults
    assert fault.message == f"more than {MAX_OPERANDS} operands in one chain of operators"


def test_paths_of_conditions() -> None:
    assert parse_path(" state.rows[0].id ") == Path("state", ("rows", 0, "id"), 1, 17)
    assert parse_path("total") == Path("total", (), 0, 5)


@pytest.mark.parametrize(
    ("text", "start", "code"),
    [
        ("state..x", 6, "GW401"),
        ("state.", 5, "GW401"),
        ("state.x | length", 8, "GW401"),
        ("state.x + 1", 8, "GW401"),
        ("", 0, "GW401"),
        ("9", 0, "GW401"),
        ("${state.x}", 0, "GW411"),
    ],
)
def test_what_is_no_path(text: str, start: int, code: str) -> None:
    faults = parse_path(text)
    assert isinstance(faults, tuple)
    (fault,) = faults
    assert (fault.start, fault.code) == (start, code)


def paths(expression: Expression) -> list[Path]:
    match expression:
        case Path():
            return [expression]
        case ListOf(inner) | Fallback(inner):
            return [path for part in inner for path in paths(part)]
        case Negative(operand):
            return paths(operand)
        case Arithmetic(first, operations):
            return [path for part in (first, *(each.operand for each in operations)) for path in paths(part)]
        case Pipe(operand=operand, arguments=arguments):
            return [path for part in (operand, *arguments) for path in paths(part)]
        case _:
            return []


_WORDS = "${ } $${ $ state.x a-b | || + - ( ) [ ] ' \" \\ . 0 1e9 json default , true x['y'] é {"
FRAGMENTS = st.sampled_from([" ", "\n", *_WORDS.split()])


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(FRAGMENTS, max_size=25).map("".join)))
def test_any_text_parses_or_says_why(text: str) -> None:
    parsed = parse_template(text)
    position = 0
    for part in parsed.template.parts:
        if isinstance(part, Hole):
            assert position <= part.start < part.end <= len(text)
            assert text.startswith("${", part.start)
            position = part.end
            for path in paths(part.expression):
                spelling = text[path.start : path.end]
                assert path.name == BROKEN or parse_path(spelling) == Path(path.name, path.segments, 0, len(spelling))
    for fault in parsed.faults:
        assert 0 <= fault.start < fault.end <= len(text)
        assert fault.message
    found = parse_path(text)
    assert isinstance(found, Path) or all(isinstance(fault, SyntaxFault) for fault in found)

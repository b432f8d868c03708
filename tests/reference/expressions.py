"""Templates and expressions: a recursive-descent parser that makes closures."""

from __future__ import annotations

import json
import math
import operator
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reference.observer import Path, Place, Watched, is_provided, under

Scope = Mapping[str, object]
Evaluate = Callable[[Scope], object]

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<name>[^\W\d][\w-]*)
    | (?P<sign>\|\||[-+*/%|()\[\],.])
    )""",
    re.VERBOSE,
)
_SEGMENT = re.compile(r"-?[\w-]+")
_INDEX = re.compile(r"""\[\s*(?:(?P<number>-?\d+)|(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))\s*\]""")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_WORDS = {"true": True, "false": False, "null": None}


class NodeFaultError(Exception):
    """What the language calls a node error."""


def interpolate(value: object, scope: Scope) -> object:
    """A YAML value with every template in it filled in; keys are plain text."""
    if isinstance(value, str):
        return fill(value, scope)
    if isinstance(value, list):
        return [interpolate(item, scope) for item in value]
    if isinstance(value, dict):
        return {key: interpolate(item, scope) for key, item in value.items()}
    return value


def fill(text: str, scope: Scope) -> object:
    """One string: the value itself where it is one template whole, else text."""
    parts = split(text)
    if len(parts) == 1 and not isinstance(parts[0], str):
        return parts[0](scope)
    return "".join(part if isinstance(part, str) else as_text(part(scope)) for part in parts)


def _told(text: str, start: int, part: Evaluate) -> Evaluate:
    """A part of a mixed text, with the observer told what it came to."""

    def evaluate(scope: Scope) -> object:
        value = part(scope)
        if isinstance(scope, Watched):
            scope.observer.shows(text, start, value)
        return value

    return evaluate


def split(text: str) -> list[str | Evaluate]:
    """Literal parts and expressions, in order; `$${` is a literal `${`."""
    parts: list[str | Evaluate] = []
    literal = ""
    position = 0
    while position < len(text):
        if text.startswith("$${", position):
            literal += "${"
            position += 3
        elif text.startswith("${", position):
            if literal:
                parts.append(literal)
            literal = ""
            parser = _Parser(text, position + 2)
            part, start = parser.expression(), position
            position = parser.close()
            parts.append(part if (start, position) == (0, len(text)) else _told(text, start, part))
        else:
            literal += text[position]
            position += 1
    if literal or not parts:
        parts.append(literal)
    return parts


def read_path(text: str, scope: Scope) -> object:
    """The value of a condition's `path`."""
    return _Parser(text, 0).path()(scope)


def as_text(value: object) -> str:
    """A value inside mixed text."""
    return "" if value is None else str(value)


@dataclass(frozen=True)
class PathRead:
    """Evaluates a path."""

    name: str
    steps: tuple[str | int, ...]

    def __call__(self, scope: Scope) -> object:
        value = step_into(scope.get(self.name), self.steps)
        if self.name == "state" and not self.steps and isinstance(value, dict):
            value = {key: item for key, item in value.items() if key not in ("inputs", "step_count")}
        if isinstance(scope, Watched):
            scope.observer.reads((self.name, self.steps), value, scope)
        return value


class _Parser:
    """Parses one expression from a position of a text."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position

    def close(self) -> int:
        """Behind the closing brace."""
        match = re.compile(r"\s*\}").match(self.text, self.position)
        assert match is not None, f"unclosed template in {self.text!r} at {self.position}"
        return match.end()

    def expression(self) -> Evaluate:
        operands = [self._sum()]
        while self._sign("||"):
            operands.append(self._sum())
        value = _first_of(operands) if len(operands) > 1 else operands[0]
        while self._sign("|"):
            value = self._pipe(value)
        return value

    def _pipe(self, operand: Evaluate) -> Evaluate:
        name = self._take("name")
        arguments: list[Evaluate] = []
        if self._sign("("):
            arguments.append(self.expression())
            while self._sign(","):
                arguments.append(self.expression())
            assert self._sign(")")

        def evaluate(scope: Scope) -> object:
            inside = under(scope, provided=is_provided(scope) or name == "default")
            return apply_pipe(name, operand(inside), [argument(scope) for argument in arguments])

        return evaluate

    def _sum(self) -> Evaluate:
        start = self.position
        left = self._product()
        while (sign := self._sign("+", "-")) is not None:
            right = self._product()
            left = _binary(sign, left, right, (self.text, start, self.position))
        return left

    def _product(self) -> Evaluate:
        start = self.position
        left = self._unary()
        while (sign := self._sign("*", "/", "%")) is not None:
            right = self._unary()
            left = _binary(sign, left, right, (self.text, start, self.position))
        return left

    def _unary(self) -> Evaluate:
        if self._sign("-"):
            operand = self._unary()
            return lambda scope: -number(operand(under(scope, provided=False)))
        return self._primary()

    def _primary(self) -> Evaluate:
        if self._sign("("):
            inner = self.expression()
            assert self._sign(")")
            return inner
        if self._sign("["):
            return self._list()
        match = _TOKEN.match(self.text, self.position)
        assert match is not None, f"no expression in {self.text!r} at {self.position}"
        if match["name"] in _WORDS:
            self.position = match.end()
            return _constant(_WORDS[match["name"]])
        if match["name"]:
            return self.path()
        self.position = match.end()
        if match["string"]:
            return _constant(unescape(match["string"]))
        digits = match["number"]
        return _constant(int(digits) if digits.isdigit() else float(digits))

    def _list(self) -> Evaluate:
        items: list[Evaluate] = []
        while not self._sign("]"):
            if items:
                assert self._sign(",")
            items.append(self.expression())
        return lambda scope: [item(under(scope, provided=False)) for item in items]

    def path(self) -> PathRead:
        name = self._take("name")
        steps: list[str | int] = []
        while self.position < len(self.text) and self.text[self.position] in ".[":
            if self.text[self.position] == ".":
                match = _SEGMENT.match(self.text, self.position + 1)
                assert match is not None
                steps.append(match.group())
                self.position = match.end()
            else:
                match = _INDEX.match(self.text, self.position)
                assert match is not None
                steps.append(int(match["number"]) if match["number"] else unescape(match["string"]))
                self.position = match.end()
        return PathRead(name, tuple(steps))

    def _sign(self, *wanted: str) -> str | None:
        match = _TOKEN.match(self.text, self.position)
        if match is None or match["sign"] not in wanted:
            return None
        self.position = match.end()
        return match["sign"]

    def _take(self, kind: str) -> str:
        match = _TOKEN.match(self.text, self.position)
        assert match is not None, f"no {kind} in {self.text!r} at {self.position}"
        self.position = match.end()
        return match[kind]


def unescape(quoted: str) -> str:
    """The text of a string literal."""
    plain = {"n": "\n", "t": "\t"}
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else plain.get(m[2], m[2]), quoted[1:-1])


def step_into(value: object, steps: tuple[str | int, ...]) -> object:
    """A missing key, an index out of range, a step into a scalar: null."""
    for step in steps:
        if isinstance(value, dict):
            value = value.get(str(step)) if isinstance(step, str) else None
        elif isinstance(value, list) and re.fullmatch(r"-?\d+", str(step)):
            index = int(step)
            value = value[index] if -len(value) <= index < len(value) else None
        else:
            return None
    return value


def _constant(value: object) -> Evaluate:
    return lambda _: value


def _first_of(operands: list[Evaluate]) -> Evaluate:
    def evaluate(scope: Scope) -> object:
        before: tuple[Path, ...] = ()
        for operand in operands:
            last = operand is operands[-1]
            value = operand(under(scope, provided=is_provided(scope) or not last, instead=before))
            if value is not None:
                return value
            if isinstance(operand, PathRead):
                before += ((operand.name, operand.steps),)
        return None

    return evaluate


def _binary(sign: str, left: Evaluate, right: Evaluate, place: Place) -> Evaluate:
    def evaluate(scope: Scope) -> object:
        inside = under(scope, provided=False)
        a, b = left(inside), right(inside)
        if isinstance(scope, Watched):
            scope.observer.operates(sign, a, b, place)
        return arithmetic(sign, a, b)

    return evaluate


def number(value: object) -> int | float:
    """A number; booleans are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NodeFaultError(f"{value!r} is no number")
    return value


def arithmetic(sign: str, left: object, right: object) -> object:
    """One operator."""
    if sign == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right
    if sign == "+" and isinstance(left, list) and isinstance(right, list):
        return left + right
    a, b = number(left), number(right)
    try:
        return _finite(_ARITHMETIC[sign](a, b))
    except ArithmeticError as error:
        raise NodeFaultError(str(error)) from error


_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}


def _finite(value: float) -> float:
    """A number that JSON has."""
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError("not a finite number")
    return value


def apply_pipe(name: str, value: object, arguments: list[object]) -> object:
    """One pipe; all but `default` pass null through."""
    if name == "default":
        return arguments[0] if value is None else value
    if value is None:
        return None
    try:
        return _PIPES[name](value)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise NodeFaultError(f"{name}: {error}") from error


def _length(value: object) -> int:
    if not isinstance(value, str | list | dict):
        raise TypeError("has no length")
    return len(value)


def _int(value: object) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and value != int(value)):
        raise ValueError("no integer")
    if isinstance(value, str) and not re.fullmatch("[+-]?[0-9]+", value.strip()):
        raise ValueError("no decimal text")
    if not isinstance(value, str | int | float):
        raise TypeError("no integer")
    return int(value)


def _float(value: object) -> float:
    if isinstance(value, str) and not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", value.strip()):
        raise ValueError("no decimal text")
    return _finite(float(value if isinstance(value, str) else number(value)))


def _from_json(value: object) -> object:
    if not isinstance(value, str):
        return value
    return json.loads(value, parse_constant=_no_constant, parse_float=lambda text: _finite(float(text)))


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is not JSON")


def _end(value: object, index: int) -> object:
    if not isinstance(value, str | list):
        raise TypeError("neither list nor text")
    return value[index] if value else None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _word(value: object) -> str:
    """A text, or a number as text."""
    return _text(value if isinstance(value, str) else as_text(number(value)))


_PIPES: dict[str, Callable[[object], object]] = {
    "json": json.dumps,
    "from_json": _from_json,
    "length": _length,
    "keys": lambda value: list(value) if isinstance(value, dict) else [],
    "upper": lambda value: _word(value).upper(),
    "lower": lambda value: _word(value).lower(),
    "trim": lambda value: _word(value).strip(),
    "lines": lambda value: _word(value).splitlines(),
    "int": _int,
    "float": _float,
    "str": as_text,
    "first": lambda value: _end(value, 0),
    "last": lambda value: _end(value, -1),
    "quote": lambda value: shlex.quote(as_text(value)),
}

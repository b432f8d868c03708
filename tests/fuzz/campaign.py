"""Runs of the fuzzer: texts from seeds, each through one door, until the time is up."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fuzz.doors import DOORS
from fuzz.mutator import mutated

TESTS = Path(__file__).parents[1]
KINDS = (".yaml", ".py", ".toml", ".pem", ".json", ".env")
GOOD = "tool_type: graph\npermissions: []\nconfig: {start: a, nodes: {a: {type: return, output: 1}}}\n"


@dataclass(frozen=True, slots=True)
class Failure:
    """What a door did with a text, and the number that makes the same text again."""

    number: int
    door: str
    text: str
    error: Exception


def seeds() -> list[str]:
    """The graphs of the tests, and texts of every other kind that is read."""
    places = ("fuzz/seeds", "golden/modules", "advice/graphs", "mutation/graphs")
    files = sorted(file for place in places for file in (TESTS / place).rglob("*") if file.is_file())
    return [file.read_text("utf-8") for file in files if file.suffix in KINDS]


def texts(start: int) -> Iterator[tuple[int, Random, str]]:
    """Texts without end; each has a number, from which it can be made again."""
    sown = seeds()
    number = start
    while True:
        random = Random(number)
        yield number, random, mutated(random, sown)
        number += 1


def failures(start: int, *, seconds: float, most: int | None = None) -> Iterator[Failure]:
    """What goes wrong, for some seconds or `most` texts."""
    end = time.monotonic() + seconds
    for number, random, text in texts(start):
        if time.monotonic() > end or (most is not None and number >= start + most):
            return
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, contextlib.chdir(folder):
            Path("graphs").mkdir()
            Path("graphs/good.yaml").write_text(GOOD, "utf-8")
            Path("graphs/it.yaml").write_text(GOOD, "utf-8")
            Path("it.env").write_text("A=1\n", "utf-8")
            Path("inputs.json").write_text("{}", "utf-8")
            door = random.choice(DOORS)
            try:
                door(text, random)
            except Exception as error:
                yield Failure(number, door.__name__, text, error)

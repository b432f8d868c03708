"""The gates: what is not a module of ours is not written."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from graphwright.emit import gates
from graphwright.emit.errors import GateError
from graphwright.emit.gates import check_module

GOOD = """\
from __future__ import annotations

from graphwright_runtime.abi import Cursor


async def work(c: Cursor[object, object]) -> None:
    c.finish()
"""


def refusal(text: str, *functions: str) -> str:
    """Why a module is refused."""
    with pytest.raises(GateError) as caught:
        check_module(text.encode(), functions or ("work",), PurePosixPath("a/b.py"))
    return str(caught.value)


def test_a_good_module_passes() -> None:
    check_module(GOOD.encode(), ("work",), PurePosixPath("a/b.py"))


def test_a_module_that_does_not_compile() -> None:
    assert refusal(GOOD + "def (").startswith("a/b.py: it does not compile")


@pytest.mark.parametrize("line", ["import os", "from os import system", "from graphwright_runtime.abi import nothing"])
def test_imports_outside_of_the_boundary(line: str) -> None:
    assert "it imports" in refusal(GOOD.replace("annotations\n", f"annotations\n\n{line}\n", 1))


def test_imports_inside_functions() -> None:
    assert "inside a function" in refusal(GOOD.replace("c.finish()", "import os"))


def test_a_missing_or_doubled_function() -> None:
    assert "functions" in refusal(GOOD, "work", "rest")
    assert "functions" in refusal(GOOD + "\n\nasync def work(c: object) -> None:\n    pass\n")


@pytest.mark.parametrize("cookie", ["iso-8859-1", "unicode_escape", "utf-16", "no-such-codec"])
def test_the_bytes_count_as_python_reads_them(cookie: str) -> None:
    assert cookie in refusal(f"# a comment\n# of coding={cookie}\n{GOOD}")
    check_module(f"#\n#\n# of coding={cookie}\n{GOOD}".encode(), ("work",), PurePosixPath("a/b.py"))


def test_a_byte_order_mark_is_no_part_of_a_module() -> None:
    assert "utf-8-sig" in refusal(f"\ufeff{GOOD}")


@pytest.mark.parametrize("ending", ["", "def (", "\n\nasync def more() -> None:\n    import os\n"])
def test_large_modules_are_compiled_in_halves(ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "_LARGE", 100)
    names = [f"work_{number}" for number in range(20)]
    nodes = "".join(f"\n\n# a.yaml:1\nasync def {name}(c: object) -> None:\n    pass\n" for name in names)
    text = GOOD + nodes + ending
    if ending:
        assert refusal(text, "work", *names)
    else:
        check_module(text.encode(), ("work", *names), PurePosixPath("a/b.py"))

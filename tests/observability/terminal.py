"""A program on a real pseudo-terminal, and what a person would see there."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyte

_ROWS = 40


class Terminal:
    """`graphwright run …` (or another `command`) in a project, on a terminal with as many columns; standard output goes
    to a file.

    `written` is everything that was written to the terminal, in bytes.
    """

    def __init__(
        self, project: Path, columns: int, *arguments: str, env: dict[str, str] | None = None, command: str = "run"
    ) -> None:
        self._screen = pyte.Screen(columns, _ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._lock = threading.Lock()
        self.written = b""
        self._reader_done = threading.Event()
        self._out = project / "stdout"
        self._main, child = pty.openpty()
        self._set_size(columns)
        with self._out.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "graphwright", command, *arguments],
                cwd=project,
                stdin=child,
                stdout=out,
                stderr=child,
                env={**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **(env or {})},
                preexec_fn=lambda: _own_terminal(child),
            )
        os.close(child)
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def lines(self) -> list[str]:
        """The lines of the screen that are not empty."""
        with self._lock:
            return [line.rstrip() for line in self._screen.display if line.strip()]

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row, from 0."""
        with self._lock:
            return self._screen.cursor.x, self._screen.cursor.y

    @property
    def result(self) -> str:
        """What is on standard output."""
        return self._out.read_text("utf-8")

    def until(self, holds: Callable[[list[str]], bool], seconds: float = 30) -> list[str]:
        """The lines as soon as they are as wanted."""
        deadline = time.monotonic() + seconds
        while not holds(lines := self.lines):
            assert time.monotonic() < deadline, (lines, self.written)
            time.sleep(0.02)
        return lines

    def resize(self, columns: int) -> None:
        """Resize the window; long lines are cut off, as in xterm."""
        with self._lock:
            self._screen.resize(_ROWS, columns)
        self._set_size(columns)

    def press(self, keys: bytes) -> None:
        """Type text."""
        os.write(self._main, keys)

    def ended(self) -> int:
        """The exit code, when the program is over and everything that it wrote was read."""
        code = self.process.wait(60)
        self._reader_done.wait(10)
        return code

    def kill(self) -> None:
        """Make sure that it is over."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(10)

    def _set_size(self, columns: int) -> None:
        fcntl.ioctl(self._main, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, columns, 0, 0))

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._main, 4096)
            except OSError:
                data = b""
            if not data:
                self._reader_done.set()
                return
            with self._lock:
                self.written += data
                self._stream.feed(data)


def _own_terminal(descriptor: int) -> None:
    """In the child: a session of its own, whose terminal this is, so that Ctrl-C reaches it."""
    os.setsid()
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)

"""Ends the programs of a run whose process was killed: nothing else could.

A small shell, started with the first program, knows the process groups of those that run now. It reads from a pipe that
only this process can write to, so it notices when this process is gone, however it ended, and kills what is left.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import Final

#: Keeps the groups in a string, as ` 12 15 `; a group is removed when its program has ended.
_SCRIPT: Final = """\
trap '' HUP INT TERM
groups=" "
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups$group "; else groups="${groups%%" $group "*} ${groups#*" $group "}"; fi
done
for group in $groups; do kill -KILL "-$group"; done
"""

_lock: Final = threading.Lock()


class _Pipe:
    """The end of the pipe that this process writes to, and the process that it belongs to: a fork needs its own."""

    descriptor = -1
    owner = -1


def watch(group: int) -> None:
    """Kill a process group when this process is gone."""
    _tell(f"+ {group}\n")


def release(group: int) -> None:
    """The program that leads a group has ended; what it left running may go on."""
    _tell(f"- {group}\n")


def _tell(line: str) -> None:
    with _lock:
        if _Pipe.owner != os.getpid():
            _Pipe.descriptor, _Pipe.owner = _started(), os.getpid()
        if _Pipe.descriptor >= 0:
            try:
                os.write(_Pipe.descriptor, line.encode())
            except BrokenPipeError:  # somebody ended the shell
                os.close(_Pipe.descriptor)
                _Pipe.owner = -1


def _started() -> int:
    """Start the shell: the descriptor to write to, -1 if there is none."""
    if sys.platform == "win32":  # there are no process groups
        return -1
    reading, writing = os.pipe()
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    files = [(os.POSIX_SPAWN_DUP2, reading, 0), *quiet]
    try:
        os.posix_spawn("/bin/sh", ["sh", "-c", _SCRIPT], {}, file_actions=files, setpgroup=0)
    except OSError:
        os.close(writing)
        return -1
    finally:
        with contextlib.suppress(OSError):
            os.close(reading)
    return writing

"""Helpers for testing graphs: scripted tools, a frozen clock, faults, assertions, recording and replaying a run.

The rest of the runtime does not import this package, which needs neither pytest nor any other library.
"""

from graphwright_runtime.testing.assertions import RunAssertion, assert_run
from graphwright_runtime.testing.clock import SimulatedCrash
from graphwright_runtime.testing.faults import Crashes, Delayed, Fails
from graphwright_runtime.testing.host import FrozenHost
from graphwright_runtime.testing.recording import record
from graphwright_runtime.testing.replaying import ReplayDeviation, replay
from graphwright_runtime.testing.scripted import ScriptedTools, ToolCall
from graphwright_runtime.testing.threads import ScriptedThreads
from graphwright_runtime.testing.trial import run_scripted

__all__ = (
    "Crashes",
    "Delayed",
    "Fails",
    "FrozenHost",
    "ReplayDeviation",
    "RunAssertion",
    "ScriptedThreads",
    "ScriptedTools",
    "SimulatedCrash",
    "ToolCall",
    "assert_run",
    "record",
    "replay",
    "run_scripted",
)

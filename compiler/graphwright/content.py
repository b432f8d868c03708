"""Reading files: the runtime's function, for stages that must not import anything else from the runtime."""

from __future__ import annotations

from graphwright_runtime.content import content_of as content_of

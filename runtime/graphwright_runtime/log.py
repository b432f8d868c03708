"""The runtime's log. What is logged quotes tools and inputs, so nothing reaches it that cannot be seen or deceives."""

from __future__ import annotations

import logging
from typing import Final

from graphwright_runtime.visible import visible

log: Final = logging.getLogger("graphwright_runtime")


class _Visible(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        """Escape the message; every record passes."""
        record.msg, record.args = visible(record.getMessage()), None
        return True


log.addFilter(_Visible())

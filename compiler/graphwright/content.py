"""What files hold: the one reader, which is the runtime's, for the stages that know nothing else of it."""

from __future__ import annotations

from graphwright_runtime.content import content_of as content_of

"""What holds for every test.

Property tests try the same examples in every run, so that a red run means a change; GRAPHWRIGHT_FUZZ=1 makes them look
for new ones. No test reads or writes the keys and the trust of whoever runs it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("fixed", derandomize=True)
if not os.environ.get("GRAPHWRIGHT_FUZZ"):
    settings.load_profile("fixed")


@pytest.fixture(scope="session", autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home and a folder for the configuration of the user, and none of the variables that choose keys and trust."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("configuration")))
        for name in ("GRAPHWRIGHT_SIGNING_KEY", "GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_TRUST_TOOLS", "GRAPHWRIGHT_VERIFY"):
            patch.delenv(name, raising=False)
        yield

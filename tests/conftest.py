"""No test reads or writes the keys and the trust of whoever runs it; builds make a development key elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for the configuration of the user, and none of the variables that choose keys and trust."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("configuration")))
        for name in ("GRAPHWRIGHT_SIGNING_KEY", "GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_TRUST_TOOLS", "GRAPHWRIGHT_VERIFY"):
            patch.delenv(name, raising=False)
        yield

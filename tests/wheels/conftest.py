"""Wheels of this project, an environment that builds packages with them, and one that only runs packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from wheels.environments import BUILD_SYSTEMS, make_environment, make_wheels, once


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the wheels of the runtime and of the compiler."""
    return once(tmp_path_factory, "wheels", make_wheels)


@pytest.fixture(scope="session")
def builder(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Path:
    """An environment with the compiler and the build systems."""
    requirements = [*map(str, wheels.glob("*.whl")), *BUILD_SYSTEMS]
    return once(tmp_path_factory, "builder", lambda folder: make_environment(folder, requirements))


@pytest.fixture(scope="session")
def consumer(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Path:
    """An environment with the runtime alone."""
    requirements = [*wheels.glob("graphwright_runtime-*.whl")]
    return once(tmp_path_factory, "consumer", lambda folder: make_environment(folder, requirements))

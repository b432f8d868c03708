"""`graphwright doctor`: shows the configuration in effect and its origin."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from graphwright.checking.cache import cache_folder
from graphwright.cli.command import Parser
from graphwright.cli.console import Console
from graphwright.presence import is_folder
from graphwright.project.config import KEYS, TRUSTED, Config, ConfigError
from graphwright.project.projects import Project, Projects, absolute, shown

_EXAMPLES = """\
  graphwright doctor
  graphwright doctor graphs/report.yaml     the configuration and the id of one graph"""


def parser() -> Parser:
    """The options of the command."""
    description = "Show the configuration in effect, where it came from, and the installation."
    parser = Parser("doctor", "[PATH] [options]", description, _EXAMPLES)
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a file or folder (default: the current directory)"
    )
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Print settings, roots and versions."""
    path = absolute(options.path)
    projects = Projects()
    project = projects.of(path if is_folder(path) else path.parent)
    console.result("".join(f"{line}\n" for line in (*_installation(), *_project(project))))
    if not is_folder(path):
        source_file = projects.source_file(path, path.parent)
        console.result(f"graph id       {source_file.graph_id}\nsource root    {shown(source_file.root)}\n")
    from graphwright.checking.levels import verify

    try:
        verify(project.config)
    except ConfigError as error:
        console.message(f"graphwright: {error}\n")
        return 2
    return 0


def _installation() -> Iterator[str]:
    from graphwright import __version__

    yield f"graphwright    {__version__} ({Path(__file__).parents[1]})"
    yield f"python         {platform.python_version()} ({sys.executable})"
    yield f"cache          {cache_folder() or 'none: there is no home directory'}"


def _project(project: Project) -> Iterator[str]:
    config = project.config
    yield f"project        {project.folder}"
    yield f"configuration  {config.file or 'none: defaults'}"
    for root in project.roots:
        yield f"source root    {shown(root)}{'' if is_folder(root) else ' (does not exist)'}"
    for key in KEYS:
        origin = f"from {config.file.name}" if config.file and key in config.given else "default"
        yield f"{key:<15}{_setting(config, key)}  ({origin})"


def _setting(config: Config, key: str) -> str:
    """A setting in TOML syntax."""
    value = getattr(config, key.replace("-", "_"))
    if key == "trust":
        return ", ".join(f"{name} = {getattr(value, name)}" for name in TRUSTED)
    if key == "exclude":
        return ", ".join(("what version control ignores", *value))
    if key in ("rules", "per-file-rules"):
        return ", ".join(f"{name} = {level}" for name, level in value.items()) or "default"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, tuple) else str(value or "built in")

"""`graphwright sign`: signs existing files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.presence import is_folder
from graphwright.project.projects import Projects, absolute, shown
from graphwright.trust.audit import package_of, packages
from graphwright.trust.items import Signed, sign_file
from graphwright.trust.keys import PrivateKey, PrivateKeyError, own_keys, signing_key
from graphwright.trust.resign import Resigner
from graphwright_runtime.trust.truststore import TrustError, find_trust

_EXAMPLES = """\
  graphwright sign .ai/tools/tickets/list.py    a tool, a graph, a directive or knowledge
  graphwright sign generated                    all modules of a package, for example after `keys rotate`
  graphwright sign --key release generated      with a specific key"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser("sign", "PATH [PATH ...] [options]", "Sign files and packages of generated modules.", _EXAMPLES)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and generated packages")
    parser.add_argument("--key", metavar="KEY", help="the key to sign with: an id, the start of an id, or a name")
    parser.add_argument(
        "--force", action="store_true", help="also sign files that were changed or signed by someone else"
    )
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Sign, and return the exit code: 1 if something was not signed."""
    try:
        key = signing_key(options.key, lambda remark: console.remark(f"{remark}\n"))
        told = [_sign(Path(path), key, console.message, force=options.force) for path in options.paths]
    except (PrivateKeyError, TrustError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be signed: {error.strerror}") from error
    outcomes = [each for some in told for each in some]
    problems = [each for each in outcomes if each.problem is not None]
    for each in problems:
        console.message(f"{shown(each.path)}: not signed: {each.problem}\n")
    console.remark(f"{len(outcomes) - len(problems)} signed with the key {key}\n")
    return 1 if problems else 0


def _sign(path: Path, key: PrivateKey, say: Callable[[str], None], *, force: bool) -> list[Signed]:
    if is_folder(path):
        trust = find_trust(Projects().of(Path.cwd()).folder)
        own, signed = own_keys(key), []
        for folder in packages(path) or [path]:
            resigner = Resigner(folder, key, own, trust, partial(_from_sources, absolute(folder)))
            signed += resigner.sign(force=force, notify=lambda text: say(f"--force signs {text}\n"))
        return signed
    package = package_of(path)
    if package is not None and path.suffix == ".py":
        return [
            Signed(path, f"it belongs to the package {shown(package)}: sign the package, or run `graphwright build`")
        ]
    return [sign_file(path, key, force=force)]


def _from_sources(folder: Path) -> Mapping[str, bytes]:
    """The unsigned modules that a build would write into a folder; empty if a graph has an error."""
    from graphwright.checking.checker import check
    from graphwright.emit.errors import BuildError
    from graphwright.emit.python import PYTHON

    project = Projects().of_output(folder)
    roots = [str(root) for root in project.roots if is_folder(root)]
    report = check(roots, keep=True) if project.output == folder and roots else None
    if report is None or report.failed:
        return {}
    templates = None if project.config.templates is None else absolute(project.folder / project.config.templates)
    try:
        graphs = [each for each in report.graphs if each.source_file.project.output == folder]
        drafts = [PYTHON.draft(each.facts(), templates) for each in graphs]
        return {str(each.path): each.finish().encode() for each in drafts}
    except BuildError as error:
        raise UsageError(str(error)) from error

"""`graphwright verify`: verifies the signatures of generated modules, graphs and tools."""

from __future__ import annotations

import argparse
from pathlib import Path

from graphwright.building.publish import PROVENANCE, files, generated
from graphwright.checking.inspection import phrase
from graphwright.checking.report import Report
from graphwright.cli.command import Parser, UsageError
from graphwright.cli.console import Console
from graphwright.cli.reporting import FORMATS, show
from graphwright.content import content_of
from graphwright.diagnostic import Diagnostic
from graphwright.emit.python import PYTHON
from graphwright.presence import is_folder
from graphwright.project.projects import Project, Projects, absolute, shown
from graphwright.trust.audit import audit, package_of, packages
from graphwright.trust.items import item_id_of, purpose_of
from graphwright.trust.provenance import compiler_materials, differences, read_provenance
from graphwright.trust.sources import signed_fault, source_fault
from graphwright_runtime.trust.items import check_item
from graphwright_runtime.trust.limits import graph_id_of
from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.package import Found
from graphwright_runtime.trust.truststore import TrustError, TrustStore, find_trust
from graphwright_runtime.trust.verification import Refusal, Verified

_EXAMPLES = """\
  graphwright verify                      the output folder of this project
  graphwright verify generated src/flows  packages of generated modules
  graphwright verify graphs/report.yaml   a graph, a tool or a directive
  graphwright verify --provenance         also the provenance of the modules"""


def parser() -> Parser:
    """The options of the command."""
    parser = Parser(
        "verify", "[PATH ...] [options]", "Verify signatures of generated packages, graphs and tools.", _EXAMPLES
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="packages and files (default: the output folder)")
    parser.add_argument("--provenance", action="store_true", help="also verify the provenance of each module")
    parser.add_argument("--format", choices=FORMATS, default="text", help="the output format (default: text)")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """Verify, and return the exit code: 1 if something is not trusted."""
    project = Projects().of(Path.cwd())
    paths = [Path(path) for path in options.paths] or [project.folder / project.config.output]
    try:
        examiner = _Examiner(project, provenance=options.provenance)
        for path in paths:
            examiner.look(path)
    except TrustError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}") from error
    report = Report(tuple(sorted(examiner.found, key=lambda each: each.sort_key)), (), _text)
    show(report, Console(options.color, quiet=True), options.format)
    signers = ", ".join(sorted(examiner.signers))
    console.remark(
        f"{examiner.count} verified{f', signed by {signers}' if signers else ''}; {len(report.diagnostics)} rejected\n"
    )
    return 1 if report.diagnostics else 0


class _Examiner:
    """Verifies paths and collects problems.

    For each package, graph and tool, the trusted keys of its own project apply, because a folder may contain several
    projects. `project` is that of the working directory.
    """

    def __init__(self, project: Project, *, provenance: bool) -> None:
        self._projects = Projects()
        self._trusts: dict[Path, TrustStore] = {}
        self._trusted(project)
        self._output = project.output
        self._materials = compiler_materials() if provenance else None
        self.found: list[Diagnostic] = []
        self.signers: set[str] = set()
        self.count = 0

    def look(self, path: Path) -> None:
        """Verify a package, the packages below a folder, or one file."""
        if is_folder(path):
            self._folder(path)
            return
        package = package_of(path)
        if package is not None and path.suffix == ".py":
            self._package(package, only=path.absolute())
        else:
            self._item(path)

    def _folder(self, path: Path) -> None:
        inside = package_of(path / "any")
        below = packages(path) if inside is None or inside == path.absolute() else [inside]
        for folder in below:
            self._package(folder)
        if inside is None and (not below or absolute(path) == self._output):
            text = "there is no signed package in this folder"
            self._refuse(path, Refusal("unsigned", text, self._advice(path)))
        elif inside is None:
            for module in generated(path, files(path, PYTHON.ignored), PYTHON):
                if not any(folder in (path / module.path).parents for folder in below):
                    text = f"it is not listed in a {MANIFEST} in a folder above"
                    self._refuse(path / module.path, Refusal("unlisted", text, "run `graphwright build`"))

    def _advice(self, folder: Path) -> str:
        """The advice if a folder contains no package."""
        if absolute(folder) == self._output:
            return "run `graphwright build`"
        return "name the output folder of `graphwright build`, or the graphs and tools to verify"

    def _package(self, folder: Path, only: Path | None = None) -> None:
        project = self._projects.of_output(folder)
        trust = self._trusted(project)
        result = audit(folder, trust)
        for refused in result.refused:
            if only is None or refused.path.absolute() in (only, folder / MANIFEST):
                self._refuse(refused.path, refused.refusal)
        for module in result.verified:
            if only is None or module.path.absolute() == only:
                self._accept(str(module.signer))
                self._trace(module, project.folder, trust)

    def _item(self, path: Path) -> None:
        data, purpose = content_of(path), purpose_of(path)
        source_file = self._projects.source_file(path.absolute(), path.absolute().parent)
        trust = self._trusted(source_file.project)
        subject = source_file.graph_id if purpose == "source" else item_id_of(path)
        verdict = check_item(purpose, data, trust, subject=subject)
        if isinstance(verdict, Verified):
            self._accept(str(verdict.key))
        elif purpose == "source":
            fault = source_fault(data, shown(path), source_file.graph_id, "require", trust)
            self.found += phrase(fault) if fault is not None else ()
        else:
            self._refuse(path, verdict, purpose)

    def _trace(self, module: Found, project: Path, trust: TrustStore) -> None:
        """Report a problem if the module's provenance does not verify, or does not describe the current files."""
        if self._materials is None or graph_id_of(module.data) is None:
            return
        file = module.path.with_name(module.path.name + PROVENANCE)
        remake = "run `graphwright build --provenance`"
        if not file.is_file():
            self._refuse(module.path, Refusal("missing", "it has no provenance", remake))
            return
        said = read_provenance(content_of(file), trust)
        if isinstance(said, Refusal):
            self._refuse(file, said)
            return
        for difference in differences(said, module.data, module.graph, project, self._materials):
            self._refuse(module.path, Refusal("replaced", difference, remake))

    def _trusted(self, project: Project) -> TrustStore:
        """The trusted keys of a project. Raises TrustError."""
        if project.folder not in self._trusts:
            self._trusts[project.folder] = find_trust(project.folder)
        return self._trusts[project.folder]

    def _accept(self, signer: str) -> None:
        self.count += 1
        self.signers.add(signer)

    def _refuse(self, path: Path, refusal: Refusal, what: str = "module") -> None:
        what = {MANIFEST: "manifest"}.get(path.name, "package" if path.is_dir() else what)
        self.found += phrase(signed_fault(shown(path), refusal, what))


def _text(path: str) -> str:
    try:
        return content_of(Path(path)).decode("utf-8-sig", "replace")
    except OSError:
        return ""

"""The build command for setuptools, for projects whose pyproject.toml requires graphwright for their build.

setuptools calls `finalize` for every project that is built in an environment with graphwright, so this module imports
the compiler only when graphs are compiled.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ClassVar, Final

from setuptools import Command
from setuptools.command.sdist import sdist as Sdist  # noqa: N812
from setuptools.dist import Distribution
from setuptools.errors import BaseError

if TYPE_CHECKING:
    from graphwright.packaging.compiling import Package

#: The name of the command, which the entry point in `distutils.commands` has as well.
COMMAND: Final = "build_graphs"

_NAME: Final = re.compile(r"\s*([A-Za-z0-9._-]+)")


def finalize(dist: Distribution) -> None:
    """Add the command to the steps of `build`, and run it before `sdist`, if the build requires graphwright."""
    if not _requires_graphwright(Path("pyproject.toml")):
        return
    build, sdist = dist.get_command_class("build"), dist.get_command_class("sdist")
    steps, run_sdist = build.sub_commands, sdist.run
    if any(name == COMMAND for name, _ in steps):
        return

    def run(self: Sdist) -> None:
        _command(self.distribution).compile()
        run_sdist(self)

    dist.cmdclass["build"] = type("build", (build,), {"sub_commands": [(COMMAND, None), *steps]})
    dist.cmdclass["sdist"] = type("sdist", (sdist,), {"run": run})


def _requires_graphwright(file: Path) -> bool:
    try:
        system = tomllib.loads(file.read_text("utf-8")).get("build-system", {})
        names = [_NAME.match(each) for each in system.get("requires", ())]
    except (OSError, ValueError, AttributeError, TypeError):
        return False  # no such file, or one that setuptools rejects
    return any(name is not None and name[1].lower() == "graphwright" for name in names)


def _command(dist: Distribution) -> build_graphs:
    command = dist.get_command_obj(COMMAND)
    assert isinstance(command, build_graphs)
    command.ensure_finalized()
    return command


class build_graphs(Command):  # noqa: N801 - the name of the command
    """Compiles graphs into the output folder, and copies the modules to the build folder.

    For an editable install, modules stay in the output folder, and their packages are made importable from there.
    """

    description = "compile graphs to Python modules"
    user_options: ClassVar[list[tuple[str, str | None, str]]] = []
    editable_mode = False

    def initialize_options(self) -> None:
        """See `Command`."""
        self.build_lib = ""
        self._package: Package | None = None

    def finalize_options(self) -> None:
        """See `Command`."""
        self.build_lib = self.get_finalized_command("build_py").build_lib

    def run(self) -> None:
        """Compile the graphs, and copy the modules. Raises `BaseError`, which ends the build with one line."""
        package = self.compile()
        if self.editable_mode:
            return
        shutil.rmtree(Path(self.build_lib, *self._imported(package.output)), ignore_errors=True)
        for target, source in self.get_output_mapping().items():
            self.mkpath(str(Path(target).parent))
            self.copy_file(source, target, preserve_mode=False)

    def compile(self) -> Package:
        """Compile the graphs, and add their packages to those of the distribution. Raises `BaseError`."""
        from graphwright.packaging.compiling import PackagingError, compile_package

        if self._package is None:
            try:
                self._package = compile_package(Path.cwd())
            except PackagingError as error:
                raise BaseError(str(error)) from error
            self._declare(self._package)
        return self._package

    def get_source_files(self) -> list[str]:
        """What a source distribution contains: the modules, and the files to compile them again."""
        package = self._package
        return [] if package is None else [_relative(file) for file in (*package.files, *package.sources)]

    def get_outputs(self) -> list[str]:
        """The files in the build folder."""
        return list(self.get_output_mapping())

    def get_output_mapping(self) -> dict[str, str]:
        """The files in the build folder, with the files in the output folder that they are copies of."""
        return {} if self._package is None else dict(self._copies(self._package))

    def _copies(self, package: Package) -> Iterator[tuple[str, str]]:
        imported = self._imported(package.output)
        for file in package.files:
            yield str(Path(self.build_lib, *imported, file.relative_to(package.output))), _relative(file)

    def _imported(self, output: Path) -> tuple[str, ...]:
        """The parts of the name by which the output folder is imported."""
        return imported_name(PurePosixPath(_relative(output)), self.distribution.package_dir or {})

    def _declare(self, package: Package) -> None:
        """Add the packages of the modules to the distribution, which was read before they existed."""
        dist = self.distribution
        packages = dist.packages = [] if dist.packages is None else dist.packages
        name, home = self._imported(package.output), _relative(package.output)
        if name == PurePosixPath(home).parts:  # it may not be next to the other packages, such as those in `src`
            for mapping in (dist.package_dir, self.get_finalized_command("build_py").package_dir):
                if isinstance(mapping, dict):
                    mapping[".".join(name)] = home
        for folder in sorted({file.parent for file in package.files if file.suffix == ".py"}):
            dotted = ".".join((*name, *folder.relative_to(package.output).parts))
            if dotted not in packages:
                packages.append(dotted)


def imported_name(folder: PurePosixPath, package_dir: Mapping[str, str]) -> tuple[str, ...]:
    """The parts of the name by which a folder of a project is imported, given the `package_dir` of setuptools.

    `package_dir` maps packages to their folders; the package `""` has the folder of all top-level packages.
    """
    homes = [(PurePosixPath(home), package) for package, home in package_dir.items()]
    for home, package in sorted(homes, key=lambda each: len(each[0].parts), reverse=True):
        if home == folder or home in folder.parents:
            return (*filter(None, package.split(".")), *folder.relative_to(home).parts)
    return folder.parts


def _relative(file: Path) -> str:
    """A path relative to the project, which is the working directory, with `/`."""
    return file.relative_to(Path.cwd()).as_posix()

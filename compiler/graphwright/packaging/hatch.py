"""The build hook for hatchling, which `[tool.hatch.build.hooks.graphwright]` turns on.

It has no options of its own: `[tool.graphwright]` configures it, as it does `graphwright build`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

#: What hatchling itself reads from the table of any hook.
_OPTIONS = ("dependencies", "require-runtime-dependencies", "require-runtime-features", "enable-by-default")


class GraphwrightBuildHook(BuildHookInterface[BuilderConfig]):
    """Compiles the graphs of a project into its wheel and its source distribution."""

    PLUGIN_NAME = "graphwright"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the graphs, and add the files to the distribution that hatchling is about to build.

        `version` is the kind of wheel, `standard` or `editable`. Ends the build if a graph has an error.
        """
        from graphwright.packaging.compiling import PackagingError, compile_package

        for option in self.config:
            if option not in _OPTIONS:
                self.app.abort(
                    f"graphwright: `tool.hatch.build.hooks.graphwright` has no option `{option}`; the settings are "
                    "those of `tool.graphwright`"
                )
        root = Path(self.root).resolve()
        try:
            package = compile_package(root)
        except PackagingError as error:
            self.app.abort(f"graphwright: {error}")
        included = package.files if self.target_name == "wheel" else (*package.files, *package.sources)
        paths = {str(file): file.relative_to(root).as_posix() for file in included}
        if version != "editable":
            build_data["force_include"].update(paths)
        elif not self._is_importable(root, package.output):
            build_data["force_include_editable"].update(paths)

    def _is_importable(self, root: Path, output: Path) -> bool:
        """Whether an editable wheel makes the output folder importable where it is, without a copy of it."""
        config = self.build_config
        folders = [root / folder for folder in config.dev_mode_dirs] or [
            (root / package).parent for package in config.packages
        ]
        imported = config.get_distribution_path(str(output.relative_to(root)))
        return not folders or any(folder / imported == output for folder in folders)


@hookimpl
def hatch_register_build_hook() -> type[GraphwrightBuildHook]:
    """Tell hatchling of the hook."""
    return GraphwrightBuildHook

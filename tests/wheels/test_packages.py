"""Packages whose build compiles their graphs: what wheels and source distributions contain, and how builds fail."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest

from signing.packages import ALICE, MALLORY
from wheels.environments import make_empty, run, succeed
from wheels.projects import (
    CODE,
    GRAPH,
    MODULES,
    PYPROJECT,
    SETTINGS,
    Package,
    key_of,
    make_package,
    members,
    python_path,
    unpacked,
)

pytestmark = pytest.mark.slow

SIGNED = MODULES | {"graphwright.manifest"}


@pytest.fixture(params=PYPROJECT)
def package(request: pytest.FixtureRequest, builder: Path, tmp_path: Path) -> Package:
    """The source tree of a package, for each build system."""
    return make_package(tmp_path / "acme", request.param, builder)


def verifying(package: Package) -> dict[str, str]:
    """The variables by which a program imports only modules that the package's project trusts."""
    trusted = package.folder / ".graphwright" / "trust.toml"
    return {"GRAPHWRIGHT_VERIFY": "require:acme.graphs", "GRAPHWRIGHT_TRUST": str(trusted)}


def failure(package: Package, **variables: str) -> str:
    """What a build says that fails, without a traceback and without a wheel."""
    done = package.run("python", "-m", "build", "--no-isolation", "--wheel", **variables)
    assert done.returncode != 0
    assert "Traceback" not in done.stdout
    assert not list(package.folder.glob("dist/*.whl"))
    return " ".join(done.stdout.split())


def test_a_wheel_has_signed_modules_that_run_and_verify(package: Package, consumer: Path, tmp_path: Path) -> None:
    wheel, said = package.build("wheel", **key_of(ALICE))
    assert "not signed" not in said
    assert members(wheel, "acme/graphs").keys() == SIGNED
    assert members(wheel, "acme").keys() == {"__init__.py", *(f"graphs/{name}" for name in SIGNED)}
    installed = unpacked(wheel, tmp_path / "installed")
    trust = {
        "GRAPHWRIGHT_VERIFY": "require:acme.graphs",
        "GRAPHWRIGHT_TRUST": f"{package.folder}/.graphwright/trust.toml",
    }
    python = consumer / "bin" / "python"
    assert succeed(python, "-c", CODE, cwd=tmp_path, **trust, **python_path(installed)) == "hello world\n"
    module = installed / "acme" / "graphs" / "texts" / "hello.py"
    module.write_text(module.read_text("utf-8").replace("Greet", "Great"), "utf-8")
    refused = run(python, "-c", CODE, cwd=tmp_path, **trust, **python_path(installed))
    assert "VerificationError" in refused.stdout


def test_a_source_distribution_builds_without_the_key_that_signed_it(package: Package, tmp_path: Path) -> None:
    sdist, _ = package.build("sdist", **key_of(ALICE))
    shipped = members(sdist, "acme-1.0")
    assert {
        ".ai/tools/texts/hello.yaml",
        ".ai/tools/texts/greet.py",
        ".graphwright/trust.toml",
        "pyproject.toml",
        *(f"src/acme/graphs/{name}" for name in SIGNED),
    } <= shipped.keys()
    with tarfile.open(sdist) as tar:
        tar.extractall(tmp_path / "unpacked", filter="data")
    elsewhere = Package(tmp_path / "unpacked" / "acme-1.0", package.system, package.builder)
    wheel, said = elsewhere.build("wheel")
    assert "not signed" not in said
    assert members(wheel, "acme/graphs") == members(sdist, "acme-1.0/src/acme/graphs")
    again, _ = elsewhere.build("wheel", **key_of(MALLORY))
    assert members(again, "acme/graphs") == members(wheel, "acme/graphs"), "ALICE is trusted, so hers stay"


def test_without_a_key_nothing_is_signed_and_no_key_is_made(package: Package, tmp_path: Path) -> None:
    configuration = {"XDG_CONFIG_HOME": str(tmp_path / "configuration")}
    wheel, said = package.build("wheel", **configuration)
    assert "1 module is not signed: set GRAPHWRIGHT_SIGNING_KEY to sign it" in said
    assert members(wheel, "acme/graphs").keys() == MODULES | {"graphwright.modules"}
    assert not Path(configuration["XDG_CONFIG_HOME"]).exists()
    assert package.run("graphwright", "keys", "new", "mine", **configuration).returncode == 0
    again, said = package.build("wheel", **configuration)
    assert "is not signed" in said, "a key of the user does not sign what is installed"
    assert members(again, "acme/graphs") == members(wheel, "acme/graphs")


def test_a_project_that_does_not_sign(package: Package) -> None:
    package.configure(f"{SETTINGS}sign = false\n")
    wheel, said = package.build("wheel", **key_of(ALICE))
    assert "not signed" not in said
    assert members(wheel, "acme/graphs").keys() == MODULES | {"graphwright.modules"}


def test_what_is_up_to_date_is_not_touched(package: Package) -> None:
    package.build("wheel", **key_of(ALICE))
    for file in package.modules.rglob("*"):
        os.utime(file, (1, 1))
    package.build("wheel")
    assert {file.stat().st_mtime for file in package.modules.rglob("*.py")} == {1}


def test_a_graph_that_is_gone_is_not_shipped(package: Package) -> None:
    package.write(".ai/tools/texts/other.yaml", GRAPH)
    wheel, _ = package.build("wheel")
    assert "texts/other.py" in members(wheel, "acme/graphs")
    (package.folder / ".ai/tools/texts/other.yaml").unlink()
    wheel, _ = package.build("wheel")
    assert members(wheel, "acme/graphs").keys() == MODULES | {"graphwright.modules"}


def test_a_graph_in_error_fails_the_build_with_its_diagnostics(package: Package) -> None:
    package.graph.write_text(GRAPH.replace("next: done", "next: dnoe"), "utf-8")
    said = failure(package, **key_of(ALICE))
    assert "error[GW202]" in said
    assert "--> .ai/tools/texts/hello.yaml:14:13" in said
    assert "did you mean `done`?" in said
    assert "the graphs of this package were not compiled" in said
    assert not package.modules.exists()


def test_settings_that_cannot_be_used_fail_the_build_with_one_line(package: Package) -> None:
    package.configure(f"{SETTINGS}rots = []\n")
    assert "pyproject.toml: `tool.graphwright.rots` is not a known setting" in failure(package)
    package.configure(SETTINGS.replace("src/acme", "../elsewhere"))
    assert "is not below the folder of the package" in failure(package)
    package.configure()
    assert "GRAPHWRIGHT_SIGNING_KEY" in failure(package, GRAPHWRIGHT_SIGNING_KEY="nonsense")


def test_a_package_without_graphs_fails_instead_of_removing_its_modules(package: Package) -> None:
    package.build("wheel")
    package.graph.unlink()
    assert "there are no graphs in ." in failure(package)
    assert (package.modules / "texts" / "hello.py").exists()


@pytest.mark.parametrize("output", ["src/acme/graphs", "generated"])
def test_an_editable_install_follows_the_graphs(package: Package, output: str, tmp_path: Path) -> None:
    package.configure(SETTINGS.replace("src/acme/graphs", output))
    python = make_empty(tmp_path / "development", package.builder)
    pip = ("-m", "pip", "--python", python, "install", "-q", "--no-build-isolation", "--no-deps")
    done = package.run("python", *pip, "--editable", ".", **key_of(ALICE))
    assert done.returncode == 0, done.stdout
    code = CODE.replace("acme.graphs", output.removeprefix("src/").replace("/", "."))
    assert succeed(python, "-c", code, cwd=tmp_path) == "hello world\n"
    package.graph.write_text(GRAPH.replace("world", "moon"), "utf-8")
    if output == "generated" and package.system == "hatch":
        return  # hatchling copies a folder that is outside of the packages: another install brings it up to date
    assert package.run("graphwright", "build", **key_of(ALICE)).returncode == 0
    assert succeed(python, "-c", code, cwd=tmp_path) == "hello moon\n"


def test_an_output_folder_of_its_own(package: Package, consumer: Path, tmp_path: Path) -> None:
    """The default: `generated` next to the package."""
    package.configure("[tool.graphwright]\ntypecheck = false\n")
    wheel, _ = package.build("wheel", **key_of(ALICE))
    assert members(wheel, "generated").keys() == SIGNED
    installed = unpacked(wheel, tmp_path / "installed")
    code = CODE.replace("acme.graphs", "generated")
    assert succeed(consumer / "bin" / "python", "-c", code, cwd=tmp_path, **python_path(installed)) == "hello world\n"


def test_pip_builds_and_installs_it_in_an_environment_of_its_own(
    package: Package, wheels: Path, consumer: Path, tmp_path: Path
) -> None:
    """From the source distribution, with build isolation and with the type check."""
    package.configure(SETTINGS.replace("typecheck = false\n", ""))
    sdist, _ = package.build("sdist", **key_of(ALICE))
    python = make_empty(tmp_path / "clean", consumer)
    links = {"PIP_FIND_LINKS": " ".join((os.environ.get("PIP_FIND_LINKS", ""), str(wheels)))}
    pip = (consumer / "bin" / "python", "-m", "pip", "--python", python, "install", "-q")
    succeed(*pip, sdist, cwd=tmp_path, **links)
    assert succeed(python, "-c", CODE, cwd=tmp_path, **verifying(package)) == "hello world\n"


def test_pip_shows_what_is_wrong_with_a_graph(package: Package, tmp_path: Path) -> None:
    package.graph.write_text(GRAPH.replace("next: done", "next: dnoe"), "utf-8")
    python = make_empty(tmp_path / "development", package.builder)
    pip = ("-m", "pip", "--python", python, "install", "--no-build-isolation", "--no-deps")
    for arguments in (["."], ["--editable", "."]):
        done = package.run("python", *pip, *arguments)
        assert done.returncode != 0
        assert "error[GW202]" in done.stdout
        assert "the graphs of this package were not compiled" in done.stdout
        assert "Traceback" not in done.stdout


def test_an_option_that_the_hook_does_not_have(builder: Path, tmp_path: Path) -> None:
    package = make_package(tmp_path / "acme", "hatch", builder)
    file = package.folder / "pyproject.toml"
    file.write_text(f"{file.read_text('utf-8')}sing = true\n", "utf-8")
    assert "`tool.hatch.build.hooks.graphwright` has no option `sing`" in failure(package)

"""Ways to request verified imports: policies, the environment, child processes, pytest, single files."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from graphwright.trust.trustfile import add_key, set_field
from graphwright_runtime import loader
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.manifest import MANIFEST, Entry, signed_manifest
from graphwright_runtime.trust.package import open_package
from graphwright_runtime.trust.truststore import PROJECT_FILE, load_trust
from graphwright_runtime.trust.verification import Policy
from signing.packages import ALICE, EVIL, MALLORY, RUNTIME, Project, module_text, plant_bytecode, standard_modules

# --- policies and how verification begins -----------------------------------------------------------------------


def test_warn_says_so_and_runs_what_is_there(project: Project) -> None:
    project.module.write_text(EVIL)
    done = project.imports(policy="warn")
    assert done.stdout == "planted\n"
    assert "VerificationWarning: generated.billing.invoices" in done.stderr
    assert "it is not signed" in done.stderr


def test_warn_about_a_package_without_manifest(project: Project) -> None:
    (project.package / MANIFEST).unlink()
    done = project.imports(policy="warn")
    assert done.stdout == "clean\n"
    assert done.stderr.count("VerificationWarning") == 1


@pytest.mark.parametrize("text", ["requird:generated", "require", "require:no-name", "require:"])
def test_a_variable_that_says_nothing_sensible_ends_the_process(project: Project, text: str) -> None:
    done = project.python("print('ran')", GRAPHWRIGHT_VERIFY=text)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "GRAPHWRIGHT_VERIFY" in done.stderr


def test_the_variable_takes_more_than_one_package() -> None:
    assert loader.requested("require:a,b.c,warn:d") == {"a": "require", "b.c": "require", "d": "warn"}
    assert loader.requested("") == {}


def test_the_named_trust_file_counts_wherever_the_process_starts(project: Project, tmp_path: Path) -> None:
    code = f"import sys, os; sys.path.insert(0, {str(project.folder)!r}); import generated.billing.invoices"
    elsewhere = Project(
        tmp_path, {**project.environment, "PYTHONPATH": os.pathsep.join((str(project.folder / "site"), str(RUNTIME)))}
    )
    assert "is not trusted here" in elsewhere.python(code, GRAPHWRIGHT_VERIFY="require:generated").stderr
    trust = str(project.folder / PROJECT_FILE)
    done = elsewhere.python(code, GRAPHWRIGHT_VERIFY="require:generated", GRAPHWRIGHT_TRUST=trust)
    assert done.stdout == "clean\n"
    done = elsewhere.python(code, GRAPHWRIGHT_VERIFY="require:generated", GRAPHWRIGHT_TRUST=f"{trust}x")
    assert f"GRAPHWRIGHT_TRUST names the trust file {trust}x, which does not exist" in done.stderr


def test_installed_in_code(project: Project) -> None:
    code = "from graphwright_runtime import loader; loader.install('generated'); import generated.billing.invoices"
    assert project.python(code).stdout == "clean\n"
    project.module.write_text(EVIL)
    assert "VerificationError" in project.python(code).stderr


def test_installed_too_late(project: Project) -> None:
    code = """
import generated.billing.invoices
from graphwright_runtime import loader
loader.install('generated')
"""
    done = project.python(code)
    assert "was imported before it could be verified" in done.stderr


def test_the_stricter_policy_stays(project: Project) -> None:
    project.module.write_text(EVIL)
    code = """
from graphwright_runtime import loader
loader.install('generated', policy='warn')
import generated.billing.invoices
"""
    done = project.python(code, GRAPHWRIGHT_VERIFY="require:generated")
    assert done.stdout == ""
    assert "VerificationError" in done.stderr


def test_child_processes_are_never_told_of_another_trust_file(project: Project) -> None:
    code = """
import os
from graphwright_runtime import loader
loader.install("generated", trust="one.toml")
loader.install("other", trust="two.toml", inherit=False)
print(os.path.basename(os.environ["GRAPHWRIGHT_TRUST"]), os.environ["GRAPHWRIGHT_VERIFY"])
try:
    loader.install("more", trust="two.toml")
except ValueError as error:
    print(error)
"""
    told, refused = project.python(code).stdout.splitlines()
    assert told == "one.toml require:generated"
    assert "one.toml is already the trust file" in refused
    assert "inherit=False" in refused


def test_the_variable_counts_where_python_does_not_read_the_line_that_arms_it(project: Project) -> None:
    """With the runtime only on the path, or `-S`: the first import of the runtime does it, or says that it is late."""
    environment = {**os.environ, **project.environment, "GRAPHWRIGHT_VERIFY": "require:generated"}
    environment["PYTHONPATH"] = str(RUNTIME)
    text = module_text("invoices") + b"\nimport graphwright_runtime\n\nprint('went on')\n"
    project.publish({**standard_modules(), "billing/invoices.py": (text, "billing/invoices")})

    def started_bare(code: str) -> subprocess.CompletedProcess[str]:
        # PyNaCl lies in the folder that `-S` keeps Python from.
        paths = f"import sys; sys.path += {[path for path in sys.path if path.endswith('site-packages')]!r}\n"
        command = [sys.executable, "-S", "-c", paths + code]
        return subprocess.run(command, cwd=project.folder, env=environment, capture_output=True, text=True, timeout=60)

    assert started_bare("import graphwright_runtime.abi, generated.billing.invoices").stdout == "clean\nwent on\n"
    late = started_bare("import generated.billing.invoices")
    assert late.returncode == 1
    assert "went on" not in late.stdout
    assert "was imported before it could be verified" in late.stderr
    project.module.write_text(EVIL)
    assert "VerificationError" in started_bare("import graphwright_runtime.abi, generated.billing.invoices").stderr


def test_a_package_inside_another(project: Project) -> None:
    (project.folder / "app").mkdir()
    (project.folder / "app" / "__init__.py").touch()
    project.package.rename(project.folder / "app" / "generated")
    code = "import app.generated.billing.invoices"
    assert project.python(code, GRAPHWRIGHT_VERIFY="require:app.generated").stdout == "clean\n"
    (project.folder / "app" / "generated" / "billing" / "invoices.py").write_text(EVIL)
    assert "VerificationError" in project.python(code, GRAPHWRIGHT_VERIFY="require:app.generated").stderr


def test_a_module_run_as_a_program(project: Project) -> None:
    command = [sys.executable, "-m", "generated.billing.invoices"]
    environment = {
        **os.environ, **project.environment, "GRAPHWRIGHT_VERIFY": "require:generated",
        "PYTHONPATH": os.pathsep.join((str(project.folder / "site"), str(RUNTIME))),
    }  # fmt: skip
    plant_bytecode(project, Path(importlib.util.cache_from_source(str(project.module))))
    done = subprocess.run(command, cwd=project.folder, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "clean\n"


def test_tracebacks_show_the_source(project: Project) -> None:
    text = module_text("invoices") + b"\ndef run():\n    raise RuntimeError('on purpose')\n"
    project.publish({**standard_modules(), "billing/invoices.py": (text, "billing/invoices")})
    done = project.python("import generated.billing.invoices as m; m.run()", GRAPHWRIGHT_VERIFY="require:generated")
    assert "raise RuntimeError('on purpose')" in done.stderr
    assert str(project.module) in done.stderr


CHILD = """
import multiprocessing, sys
from graphwright_runtime import loader

def work(name):
    import importlib
    try:
        importlib.import_module("generated.billing.invoices")
    except ImportError as error:
        return type(error).__name__
    return "ran"

if __name__ == "__main__":
    {install}
    with multiprocessing.get_context({method!r}).Pool(1) as pool:
        print(pool.map(work, [0])[0])
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
@pytest.mark.parametrize("install", ["pass", "loader.install('generated')"], ids=["environment", "code"])
def test_child_processes_verify_too(project: Project, method: str, install: str) -> None:
    script = project.folder / "main.py"
    script.write_text(CHILD.format(method=method, install=install))
    environment = {
        **os.environ, **project.environment,
        "PYTHONPATH": os.pathsep.join((str(project.folder / "site"), str(RUNTIME))),
    }  # fmt: skip
    if install == "pass":
        environment["GRAPHWRIGHT_VERIFY"] = "require:generated"
    for text, answer in ((None, "clean\nran\n"), (EVIL, "VerificationError\n")):
        if text is not None:
            project.module.write_text(text)
        done = subprocess.run(
            [sys.executable, str(script)],
            cwd=project.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stdout == answer, done.stderr


def test_under_pytest(project: Project) -> None:
    """A test runner puts its own finder first, and rewrites modules that are called like tests."""
    named_like_a_test = (b"print('clean')\n\n\ndef test_one():\n    pass\n", "billing/test_flow")
    project.publish({**standard_modules(), "billing/test_flow.py": named_like_a_test})
    (project.folder / "test_app.py").write_text(
        "def test_it():\n    import generated.billing.invoices, generated.billing.test_flow\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-s",
        "-p",
        "no:cacheprovider",
        "-p",
        "graphwright_runtime.pytest_plugin",
    ]
    environment = {
        **os.environ, **project.environment, "GRAPHWRIGHT_VERIFY": "require:generated",
        "PYTHONPATH": os.pathsep.join((str(project.folder / "site"), str(RUNTIME))),
    }  # fmt: skip

    def outcome(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *arguments], cwd=project.folder, env=environment, capture_output=True, text=True, timeout=60
        )

    done = outcome("test_app.py", "generated/billing/test_flow.py")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("clean") == 2
    (project.package / "billing" / "test_flow.py").write_text(EVIL)
    done = outcome("test_app.py")
    assert "planted" not in done.stdout.replace("print('planted')", "")
    assert "VerificationError" in done.stdout


# --- one file -----------------------------------------------------------------------------------------------------


@pytest.fixture
def in_project(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The project, with this process in its folder."""
    monkeypatch.chdir(project.folder)
    return project


def test_one_file_of_a_package(in_project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    module = loader.load_verified(in_project.module)
    assert module.__name__ == "generated.billing.invoices"
    assert module.SAID[0] == "clean"
    assert capsys.readouterr().out == "clean\n"


def test_one_file_that_was_altered(in_project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    in_project.module.write_bytes(in_project.module.read_bytes().replace(b"clean", b"dirty"))
    with pytest.raises(loader.VerificationError, match="changed after it was signed") as caught:
        loader.load_verified(in_project.module)
    assert caught.value.path == str(in_project.module)
    assert caught.value.refusal is not None
    assert caught.value.refusal.reason == "altered"
    with pytest.warns(loader.VerificationWarning):
        loader.load_verified(in_project.module, policy="warn")
    assert capsys.readouterr().out == "dirty\n"


def test_one_file_without_a_package_must_say_which_graph_it_is(in_project: Project) -> None:
    lone = in_project.folder / "lone.py"
    lone.write_bytes(in_project.module.read_bytes())
    with pytest.raises(loader.VerificationError, match="in a folder above it"):
        loader.load_verified(lone)
    with pytest.raises(loader.VerificationError, match="it is the module of `billing/invoices`"):
        loader.load_verified(lone, graph_id="billing/refunds")
    assert loader.load_verified(lone, graph_id="billing/invoices").GRAPH_ID == "billing/invoices"


def test_a_manifest_signed_by_one_key_and_a_module_by_another(in_project: Project) -> None:
    """Both must be trusted; a re-signed module with the same text is the same module."""
    in_project.module.write_bytes(seal("module", module_text("invoices"), MALLORY))
    with pytest.raises(loader.VerificationError, match="is not trusted here"):
        loader.load_verified(in_project.module)
    add_key(in_project.folder / PROJECT_FILE, MALLORY.key, "mallory no more")
    assert loader.load_verified(in_project.module).GRAPH_ID == "billing/invoices"


def test_a_manifest_that_leaves_the_package_leads_nowhere(in_project: Project) -> None:
    outside = in_project.folder / "outside.py"
    outside.write_bytes(seal("module", EVIL.encode(), ALICE))
    entries = {"../outside.py": Entry.of(EVIL.encode())}
    (in_project.package / MANIFEST).write_bytes(signed_manifest(entries, {}, ALICE))
    with pytest.raises(loader.VerificationError, match="does not list it"):
        loader.load_verified(in_project.module)


def test_a_pin_counts_as_far_as_the_key_of_the_manifest_goes(in_project: Project) -> None:
    trust = in_project.folder / PROJECT_FILE
    entries = {"billing/invoices.py": Entry.of(in_project.module.read_bytes(), "billing/invoices")}
    pins = {"billing/pay": "1" * 64, "other/pay": "2" * 64, "knowledge:billing/rules": "3" * 64}
    (in_project.package / MANIFEST).write_bytes(signed_manifest(entries, pins, ALICE))

    def counted() -> set[str]:
        package = open_package(in_project.package, load_trust(trust))
        return {name for name in pins if package.pin(name) is not None}

    assert counted() == set(pins)
    set_field(trust, ALICE.key.id, "graphs", '["billing/*"]')
    assert counted() == {"billing/pay", "knowledge:billing/rules"}


def test_install_refuses_what_is_no_package_and_no_policy() -> None:
    with pytest.raises(ValueError, match="is not the name of a package"):
        loader.install("not-a-name")
    with pytest.raises(ValueError, match="not a policy"):
        loader.install("generated", policy=cast("Policy", "strict"))

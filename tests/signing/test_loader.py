"""Attacks on verified imports, each against a real process that imports from a package on disk."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import shutil
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path
from typing import cast

import pytest

from graphwright.trust.trustfile import add_key, end_key, revoke_key, set_field
from graphwright_runtime import loader
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.manifest import MANIFEST, Entry, render
from graphwright_runtime.trust.package import open_package
from graphwright_runtime.trust.truststore import PROJECT_FILE, load_trust
from graphwright_runtime.trust.verification import Policy
from signing.packages import ALICE, MALLORY, RUNTIME, Project, module_text, standard_modules

EVIL = "print('planted')\n"


def plant_bytecode(project: Project, target: Path) -> None:
    """Compile other code into `target`, with a header that makes Python trust it unseen."""
    evil = project.folder / "evil.py"
    evil.write_text(EVIL)
    target.parent.mkdir(exist_ok=True)
    py_compile.compile(str(evil), cfile=str(target), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


def test_a_signed_module_runs(project: Project) -> None:
    assert project.imports().stdout == "clean\n"


def test_without_the_variable_nothing_is_verified(project: Project) -> None:
    project.module.write_text(EVIL)
    assert project.python("import generated.billing.invoices").stdout == "planted\n"


@pytest.mark.parametrize("change", ["print('more')\n", "# more\n", "\n0"])
def test_an_altered_module(project: Project, change: str) -> None:
    project.module.write_text(project.module.read_text() + change)
    project.refuses("invoices.py", "changed after it was signed", f"[key {ALICE.key.id} (alice)]", "graphwright build")


def test_an_unsigned_module(project: Project) -> None:
    project.module.write_bytes(module_text("invoices"))
    project.refuses("invoices.py", "it is not signed")


def test_a_module_by_an_unknown_key(project: Project) -> None:
    project.publish(standard_modules(), MALLORY)
    project.refuses(MANIFEST, "a key that nobody here trusts", MALLORY.key.id, "graphwright keys trust", "trust.toml")


def test_a_revoked_key(project: Project) -> None:
    revoke_key(project.folder / PROJECT_FILE, ALICE.key.id)
    project.refuses("is revoked in", "trust.toml")


def test_a_key_past_its_last_day(project: Project) -> None:
    end_key(project.folder / PROJECT_FILE, ALICE.key.id, date(2020, 1, 31))
    project.refuses("was trusted until 2020-01-31")


def test_a_key_for_other_graphs(project: Project) -> None:
    set_field(project.folder / PROJECT_FILE, ALICE.key.id, "graphs", '["reports/*"]')
    project.refuses("may not sign `billing/invoices`", "or widen `graphs` of this one in", "trust.toml")


def test_a_manifest_of_another_version(project: Project) -> None:
    (project.package / MANIFEST).write_bytes(seal("manifest", b'{"version": 2}', ALICE))
    project.refuses(MANIFEST, "it is no manifest of modules: its version is not 1", "graphwright build")


def test_a_restricted_key_signs_its_graphs_and_no_code_beside_them(project: Project) -> None:
    set_field(project.folder / PROJECT_FILE, ALICE.key.id, "graphs", '["billing/*"]')
    assert project.imports().stdout == "clean\n"
    project.publish({**standard_modules(), "__init__.py": (b"print('beside')\n", "")})
    project.refuses("__init__.py", "may only sign graphs")


def test_a_restricted_key_cannot_put_a_graph_of_its_own_in_the_place_of_another(project: Project) -> None:
    add_key(project.folder / PROJECT_FILE, MALLORY.key, "mallory", graphs=("reports/*",))
    text = module_text("invoices", "planted")
    project.publish({"billing/invoices.py": (text, "billing/invoices")}, MALLORY)
    project.refuses("may not sign `billing/invoices`")
    project.publish({"billing/invoices.py": (text, "reports/count")}, MALLORY)
    project.refuses("may sign `reports/count`, whose module does not stand at billing/invoices.py")
    empty = dict.fromkeys(("__init__.py", "reports/__init__.py"), (b"", ""))
    graphs = {"reports/for_.py": (text, "reports/for"), "reports/a_b.py": (text, "reports/a-b")}
    project.publish({**empty, **graphs}, MALLORY)
    assert project.imports("generated.reports.for_").stdout == "planted\n"
    assert project.imports("generated.reports.a_b").stdout == "planted\n"


def test_forged_bytecode_in_the_cache(project: Project) -> None:
    plant_bytecode(project, Path(importlib.util.cache_from_source(str(project.module))))
    assert project.python("import generated.billing.invoices").stdout == "planted\n", "the attack works on plain Python"
    assert project.imports().stdout == "clean\n"


def test_bytecode_where_the_source_is_gone(project: Project) -> None:
    project.module.unlink()
    plant_bytecode(project, project.module.with_suffix(".pyc"))
    assert project.python("import generated.billing.invoices").stdout == "planted\n", "the attack works on plain Python"
    project.refuses("invoices.py", "it is missing, though it belongs to the package")


def test_bytecode_for_a_module_that_never_was(project: Project) -> None:
    plant_bytecode(project, project.package / "billing" / "extra.pyc")
    project.refuses("extra.pyc", "does not list it", name="generated.billing.extra")


def test_a_removed_module(project: Project) -> None:
    project.module.unlink()
    project.refuses("invoices.py", "it is missing")


@pytest.mark.parametrize("text", [EVIL.encode(), seal("module", EVIL.encode(), ALICE)], ids=["unsigned", "signed"])
def test_an_added_module(project: Project, text: bytes) -> None:
    (project.package / "billing" / "extra.py").write_bytes(text)
    project.refuses("extra.py", "does not list it", name="generated.billing.extra")


def test_an_init_that_was_added(project: Project) -> None:
    modules = {path: rest for path, rest in standard_modules().items() if path != "billing/__init__.py"}
    project.publish(modules)
    (project.package / "billing" / "__init__.py").unlink()
    assert project.imports().stdout == "clean\n", "a folder of modules without an __init__.py is a package too"
    (project.package / "billing" / "__init__.py").write_text(EVIL)
    project.refuses("__init__.py", "does not list it")


def test_a_module_that_is_nowhere_is_simply_not_found(project: Project) -> None:
    done = project.imports("generated.billing.nothing")
    assert "ModuleNotFoundError: No module named 'generated.billing.nothing'" in done.stderr


def test_a_module_rolled_back_to_its_older_self(project: Project) -> None:
    older = project.module.read_bytes()
    project.publish(
        {**standard_modules(), "billing/invoices.py": (module_text("invoices", "newer"), "billing/invoices")}
    )
    assert project.imports().stdout == "newer\n"
    project.module.write_bytes(older)
    project.refuses("invoices.py", "an older one, or another")


def test_a_module_passed_off_as_another(project: Project) -> None:
    shutil.copy(project.package / "billing" / "refunds.py", project.module)
    project.refuses("invoices.py", "an older one, or another")


def test_an_altered_manifest(project: Project) -> None:
    manifest = project.package / MANIFEST
    manifest.write_text(manifest.read_text().replace("billing/refunds.py", "billing/refundz.py"))
    project.refuses(MANIFEST, "changed after it was signed")


def test_a_manifest_taken_away(project: Project) -> None:
    (project.package / MANIFEST).unlink()
    project.refuses("generated", f"no {MANIFEST} is there")


def test_a_trust_file_inside_the_package_counts_for_nothing(project: Project) -> None:
    shutil.copytree(project.folder / ".graphwright", project.package / ".graphwright")
    trust = project.package / PROJECT_FILE
    add_key(trust, MALLORY.key, "mallory")
    project.publish(standard_modules(), MALLORY)
    project.refuses("a key that nobody here trusts")


def test_a_symbolic_link_to_other_code(project: Project) -> None:
    evil = project.folder / "evil.py"
    evil.write_text(EVIL)
    project.module.unlink()
    project.module.symlink_to(evil)
    project.refuses("invoices.py", "it is not signed")


def test_a_file_swapped_while_it_is_imported(project: Project) -> None:
    """What is verified is what runs: a swap between the two has nothing to act on."""
    code = f"""
import pathlib
from graphwright_runtime.trust import package
module = pathlib.Path({str(project.module)!r})
real = package.check
def swapping(*arguments, **options):
    verdict = real(*arguments, **options)
    if options.get("subject") == "billing/invoices":
        module.unlink(); module.write_text({EVIL!r})
    return verdict
package.check = swapping
import generated.billing.invoices
print(module.read_text(), end="")
"""
    done = project.python(code, GRAPHWRIGHT_VERIFY="require:generated")
    assert done.stdout == "clean\nprint('planted')\n"


def test_a_package_folder_swapped_for_an_older_release(project: Project) -> None:
    """The manifest that was read first counts for the whole process."""
    shutil.copytree(project.package, project.folder / "older")
    project.publish(
        {**standard_modules(), "billing/invoices.py": (module_text("invoices", "newer"), "billing/invoices")}
    )
    code = """
import os, generated
os.rename("generated", "newer"); os.rename("older", "generated")
import generated.billing.invoices
"""
    done = project.python(code, GRAPHWRIGHT_VERIFY="require:generated")
    assert done.stdout == ""
    assert "an older one, or another" in done.stderr


def test_a_zip_file_earlier_on_the_path(project: Project) -> None:
    archive = project.folder / "shadow.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for name in ("generated/__init__.py", "generated/billing/__init__.py", "generated/billing/invoices.py"):
            zipped.writestr(name, EVIL)
    code = f"import sys; sys.path.insert(0, {str(archive)!r}); import generated.billing.invoices"
    assert "planted" in project.python(code).stdout, "the attack works on plain Python"
    assert project.python(code, GRAPHWRIGHT_VERIFY="require:generated").stdout == "clean\n"


def test_a_folder_or_module_of_the_same_name_earlier_on_the_path(project: Project) -> None:
    shadow = project.folder / "shadow"
    (shadow / "generated" / "billing").mkdir(parents=True)
    for file in (
        "generated/__init__.py",
        "generated/billing/__init__.py",
        "generated/billing/invoices.py",
        "generated.py",
    ):
        (shadow / file).write_text(EVIL)
    code = f"import sys; sys.path.insert(0, {str(shadow)!r}); import generated.billing.invoices"
    assert "planted" in project.python(code).stdout, "the attack works on plain Python"
    assert project.python(code, GRAPHWRIGHT_VERIFY="require:generated").stdout == "clean\n"


def test_siblings_that_python_prefers(project: Project) -> None:
    """A package, and an extension module, come before a module of the same name: here they are not looked at."""
    (project.module.parent / "invoices").mkdir()
    (project.module.parent / "invoices" / "__init__.py").write_text(EVIL)
    (project.module.parent / "invoices.abi3.so").write_bytes(b"\x7fELF")
    assert project.python("import generated.billing.invoices").stdout == "planted\n", "the attack works on plain Python"
    assert project.imports().stdout == "clean\n"


def test_only_zipped_or_bare_packages(project: Project) -> None:
    shutil.rmtree(project.package)
    done = project.imports()
    assert "ModuleNotFoundError" in done.stderr
    assert MANIFEST in done.stderr
    project.module.parent.mkdir(parents=True)
    project.module.write_text(EVIL)
    project.refuses(f"no {MANIFEST} is there")


def test_an_encoding_declared_in_the_first_lines_changes_nothing(project: Project) -> None:
    text = b"# -*- coding: utf-7 -*-\nprint('clean')  # +AAo-print('planted')\n"
    project.publish({**standard_modules(), "billing/invoices.py": (text, "billing/invoices")})
    assert project.imports().stdout == "clean\n"


def test_line_endings_and_formatting_are_named(project: Project) -> None:
    text = project.module.read_bytes()
    project.module.write_bytes(text.replace(b"\n", b"\r\n"))
    project.refuses("its line endings or blanks at line ends were changed", ".gitattributes")
    project.module.write_bytes(text.replace(b'SAID = ("clean", (1, 2),', b"SAID = ('clean', (1, 2),"))
    project.refuses("formatting only", "keep formatters and hooks off")


def test_a_trust_file_that_everybody_may_write(project: Project) -> None:
    (project.folder / PROJECT_FILE).chmod(0o666)
    project.refuses("can be written by everybody", "chmod o-w")


def test_a_broken_trust_file(project: Project) -> None:
    (project.folder / PROJECT_FILE).write_text("[[keys]]\nid = 1\n")
    project.refuses("trust.toml", "`public` is missing")


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
    assert "nobody here trusts" in elsewhere.python(code, GRAPHWRIGHT_VERIFY="require:generated").stderr
    trust = str(project.folder / PROJECT_FILE)
    done = elsewhere.python(code, GRAPHWRIGHT_VERIFY="require:generated", GRAPHWRIGHT_TRUST=trust)
    assert done.stdout == "clean\n"


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
    assert "one.toml says whom to trust here already" in refused
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


WAYS = {
    "importlib.reload": "import importlib, generated.billing.invoices as module\nswap()\nimportlib.reload(module)",
    "importlib.import_module": (
        "import importlib\nswap()\nimportlib.import_module('..invoices', 'generated.billing.refunds')"
    ),
    "runpy.run_module": "import runpy\nswap()\nrunpy.run_module('generated.billing.invoices')",
    "pkgutil.walk_packages": (
        "import importlib, pkgutil, generated\nswap()\n"
        "for each in pkgutil.walk_packages(generated.__path__, 'generated.'):\n    importlib.import_module(each.name)"
    ),
    "pkgutil.resolve_name": "import pkgutil\nswap()\npkgutil.resolve_name('generated.billing.invoices:SAID')",
    "find_spec and exec_module": (
        "import importlib.util\nswap()\nspec = importlib.util.find_spec('generated.billing.invoices')\n"
        "spec.loader.exec_module(importlib.util.module_from_spec(spec))"
    ),
    "pickle": "import pickle\nswap()\npickle.loads(b'cgenerated.billing.invoices\\nSAID\\n.')",
    "relative import": "import generated.billing.refunds\nswap()\nexec('from . import invoices', "
    "{'__package__': 'generated.billing', '__name__': 'generated.billing.other'})",
    "caches of the path emptied": (
        "import sys, importlib, generated.billing\nswap()\nimportlib.invalidate_caches()\n"
        "sys.path_importer_cache.clear()\nimport generated.billing.invoices"
    ),
}


@pytest.mark.parametrize("way", list(WAYS))
def test_every_way_that_python_imports_by_name(project: Project, way: str) -> None:
    """Reloading and running included: whatever asks the import system is answered by the finder."""
    swap = f"""
import pathlib
def swap():
    pathlib.Path({str(project.module)!r}).write_text({EVIL!r})
"""
    code = f"{swap}{WAYS[way]}"
    assert "planted" in project.python(code).stdout, "the attack works on plain Python"
    done = project.python(code, GRAPHWRIGHT_VERIFY="require:generated")
    assert "planted" not in done.stdout
    assert "VerificationError: refused to import generated.billing.invoices" in done.stderr


def test_a_path_hook_is_not_asked(project: Project) -> None:
    """Whoever can add one runs code already; but tools do add them, for archives and caches of their own."""
    code = f"""
import importlib.machinery, importlib.util, sys
class Elsewhere:
    def find_spec(self, name, target=None):
        return importlib.util.spec_from_file_location(name, {str(project.folder / "evil.py")!r})
def hook(entry):
    if "generated" not in entry:
        raise ImportError
    return Elsewhere()
sys.path_hooks.insert(0, hook)
sys.path_importer_cache.clear()
import generated.billing.invoices
"""
    (project.folder / "evil.py").write_text(EVIL)
    assert "planted" in project.python(code).stdout, "the attack works on plain Python"
    assert project.python(code, GRAPHWRIGHT_VERIFY="require:generated").stdout == "clean\n"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("generated.billing.Invoices", "billing/Invoices.py"),
        ("generated.BILLING.invoices", "BILLING/invoices.py"),
        ("generated.billing.\N{CYRILLIC SMALL LETTER I}nvoices", "billing/\N{CYRILLIC SMALL LETTER I}nvoices.py"),
        ("generated.billing.__main__", "billing/__main__.py"),
        ("generated.conftest", "conftest.py"),
        ("generated.deep.er.module", "deep/er/module.py"),
    ],
)
def test_names_that_look_like_a_listed_one_are_not_it(project: Project, name: str, file: str) -> None:
    """On file systems that do not tell case apart, too: a name is compared with the manifest, not with a folder."""
    planted = project.package / file
    planted.parent.mkdir(parents=True, exist_ok=True)
    planted.write_text(EVIL)
    assert project.python(f"import {name}").stdout == "planted\n", "the attack works on plain Python"
    done = project.imports(name)
    assert done.stdout == ""
    assert "VerificationError" in done.stderr or "ModuleNotFoundError" in done.stderr


def test_a_name_in_another_normal_form_is_the_listed_module(project: Project) -> None:
    """Python reads `ｉnvoices` (a full-width letter) as `invoices`; a file of that spelling is never looked at."""
    name = "generated.billing.\N{FULLWIDTH LATIN SMALL LETTER I}nvoices"
    (project.module.parent / f"{name.rpartition('.')[2]}.py").write_text(EVIL)
    assert project.imports(name).stdout == "clean\n"


def test_files_beside_the_modules_have_no_say(project: Project) -> None:
    """`py.typed`, stubs, a configuration of some tool, a start-up file: nothing of it is read by an import."""
    for name in ("py.typed", "billing/invoices.pyi", "sitecustomize.py", "usercustomize.py", "evil.pth", "setup.py"):
        (project.package / name).write_text(EVIL)
    assert project.imports().stdout == "clean\n"


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
    with pytest.raises(loader.VerificationError, match="says that it belongs here"):
        loader.load_verified(lone)
    with pytest.raises(loader.VerificationError, match="it is the module of `billing/invoices`"):
        loader.load_verified(lone, graph_id="billing/refunds")
    assert loader.load_verified(lone, graph_id="billing/invoices").GRAPH_ID == "billing/invoices"


def test_a_manifest_signed_by_one_key_and_a_module_by_another(in_project: Project) -> None:
    """Both must be trusted; a re-signed module with the same text is the same module."""
    in_project.module.write_bytes(seal("module", module_text("invoices"), MALLORY))
    with pytest.raises(loader.VerificationError, match="nobody here trusts"):
        loader.load_verified(in_project.module)
    add_key(in_project.folder / PROJECT_FILE, MALLORY.key, "mallory no more")
    assert loader.load_verified(in_project.module).GRAPH_ID == "billing/invoices"


def test_a_manifest_that_leaves_the_package_leads_nowhere(in_project: Project) -> None:
    outside = in_project.folder / "outside.py"
    outside.write_bytes(seal("module", EVIL.encode(), ALICE))
    entries = {"../outside.py": Entry.of(EVIL.encode())}
    (in_project.package / MANIFEST).write_bytes(seal("manifest", render(entries), ALICE))
    with pytest.raises(loader.VerificationError, match="does not list it"):
        loader.load_verified(in_project.module)


def test_a_pin_counts_as_far_as_the_key_of_the_manifest_goes(in_project: Project) -> None:
    trust = in_project.folder / PROJECT_FILE
    entries = {"billing/invoices.py": Entry.of(in_project.module.read_bytes(), "billing/invoices")}
    pins = {"billing/pay": "1" * 64, "other/pay": "2" * 64, "knowledge:billing/rules": "3" * 64}
    (in_project.package / MANIFEST).write_bytes(seal("manifest", render(entries, pins), ALICE))

    def counted() -> set[str]:
        package = open_package(in_project.package, load_trust(trust))
        return {name for name in pins if package.pin(name) is not None}

    assert counted() == set(pins)
    set_field(trust, ALICE.key.id, "graphs", '["billing/*"]')
    assert counted() == {"billing/pay", "knowledge:billing/rules"}


def test_install_refuses_what_is_no_package_and_no_policy() -> None:
    with pytest.raises(ValueError, match="no name of a package"):
        loader.install("not-a-name")
    with pytest.raises(ValueError, match="no policy"):
        loader.install("generated", policy=cast("Policy", "strict"))

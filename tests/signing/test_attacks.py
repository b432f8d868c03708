"""Attacks on verified imports, each against a real process that imports from a package on disk."""

from __future__ import annotations

import importlib.util
import shutil
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from graphwright.trust.trustfile import add_key, end_key, revoke_key, set_field
from graphwright_runtime.trust.header import seal
from graphwright_runtime.trust.manifest import MANIFEST, Entry, Subject, parse, render, signed_manifest
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, EVIL, MALLORY, Project, module_text, plant_bytecode, standard_modules


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
    project.refuses("__init__.py", "a key that is not trusted here", MALLORY.key.id, "keys trust", "trust.toml")


def test_a_module_listed_by_an_unknown_key(project: Project) -> None:
    """The module is genuine, but no trusted key confirms that it belongs here now."""
    entries = {
        path: Entry.of((project.package / path).read_bytes(), graph) for path, (_, graph) in standard_modules().items()
    }
    (project.package / MANIFEST).write_bytes(signed_manifest(entries, {}, MALLORY))
    project.refuses(MANIFEST, "its line for __init__.py is not valid", "a key that is not trusted here")


def test_a_revoked_key(project: Project) -> None:
    revoke_key(project.folder / PROJECT_FILE, ALICE.key.id)
    project.refuses("is revoked in", "trust.toml")


def test_a_key_past_its_last_day(project: Project) -> None:
    end_key(project.folder / PROJECT_FILE, ALICE.key.id, date(2020, 1, 31))
    project.refuses("was trusted until 2020-01-31")


def test_a_key_for_other_graphs(project: Project) -> None:
    set_field(project.folder / PROJECT_FILE, ALICE.key.id, "graphs", '["reports/*"]')
    project.refuses("may sign reports/*, not `billing/invoices`", "or extend `graphs` of this key in", "trust.toml")


def test_a_manifest_of_another_version(project: Project) -> None:
    (project.package / MANIFEST).write_bytes(b"# graphwright manifest 3\n")
    project.refuses(MANIFEST, "it is not a manifest of this version of graphwright", "graphwright build")


def test_a_manifest_with_conflict_markers(project: Project) -> None:
    manifest = project.package / MANIFEST
    manifest.write_bytes(b"<<<<<<< HEAD\n" + manifest.read_bytes() + b"=======\n>>>>>>> theirs\n")
    project.refuses(MANIFEST, "it contains merge conflict markers", "run `graphwright build`")


def test_a_module_with_conflict_markers(project: Project) -> None:
    text = project.module.read_bytes()
    project.module.write_bytes(text.replace(b"print(", b"<<<<<<< HEAD\nprint(") + b"=======\n>>>>>>> theirs\n")
    project.refuses("invoices.py", "it contains merge conflict markers", "run `graphwright build`")


def test_a_restricted_key_signs_its_graphs_and_no_code_beside_them(project: Project) -> None:
    set_field(project.folder / PROJECT_FILE, ALICE.key.id, "graphs", '["billing/*"]')
    assert project.imports().stdout == "clean\n"
    project.publish({**standard_modules(), "__init__.py": (b"print('beside')\n", "")})
    project.refuses("__init__.py", "may only sign graphs")


def test_a_restricted_key_cannot_put_a_graph_of_its_own_in_the_place_of_another(project: Project) -> None:
    add_key(project.folder / PROJECT_FILE, MALLORY.key, "mallory", graphs=("reports/*",))
    text = module_text("invoices", "planted")
    empty = dict.fromkeys(("__init__.py", "billing/__init__.py", "reports/__init__.py"), (b"", ""))
    project.publish({**empty, "billing/invoices.py": (text, "billing/invoices")}, MALLORY)
    project.refuses("may sign reports/*, not `billing/invoices`")
    project.publish({**empty, "billing/invoices.py": (text, "reports/count")}, MALLORY)
    project.refuses("may sign `reports/count`, but the module of that graph does not belong at billing/invoices.py")
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
    project.refuses("invoices.py", "it is missing from the package")


def test_bytecode_for_a_module_that_never_was(project: Project) -> None:
    plant_bytecode(project, project.package / "billing" / "extra.pyc")
    project.refuses("extra.pyc", "does not list it", name="generated.billing.extra")


def test_a_removed_module(project: Project) -> None:
    project.module.unlink()
    project.refuses("invoices.py", "it is missing")


@pytest.mark.parametrize("text", [EVIL.encode(), seal("module", EVIL.encode(), ALICE)], ids=["unsigned", "signed"])
def test_an_added_module(project: Project, text: bytes) -> None:
    (project.package / "billing" / "extra.py").write_bytes(text)
    project.refuses("extra.py", "does not list it", "; delete it", name="generated.billing.extra")


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
    project.refuses("invoices.py", "an older version, or another")


def test_a_module_passed_off_as_another(project: Project) -> None:
    shutil.copy(project.package / "billing" / "refunds.py", project.module)
    project.refuses("invoices.py", "an older version, or another")


@pytest.mark.parametrize(
    ("old", "new"), [("billing/invoices", "billing/invoicez"), ('"sha256": "', '"sha256": "0'), ('"seal"', '"seel"')]
)
def test_an_altered_manifest(project: Project, old: str, new: str) -> None:
    manifest = project.package / MANIFEST
    changed = [
        line.replace(old, new, 1) if "invoices.py" in line else line for line in manifest.read_text().split("\n")
    ]
    manifest.write_text("\n".join(changed))
    assert project.imports("generated.billing.refunds").stdout in ("refunds\n", "")
    project.refuses("generated/graphwright.manifest" if old != "billing/invoices" else "does not list it")


def test_a_line_of_a_manifest_passed_off_as_another(project: Project) -> None:
    """Line and module of `refunds`, both genuine, under the name of `invoices`."""
    manifest = project.package / MANIFEST
    genuine = parse(manifest.read_bytes())
    line = genuine.lines["module", "billing/refunds.py"]
    forged = replace(line, payload=line.payload.replace(b"refunds.py", b"invoices.py"))
    manifest.write_bytes(render({**genuine.lines, ("module", "billing/invoices.py"): forged}))
    shutil.copy(project.package / "billing" / "refunds.py", project.module)
    project.refuses("its line for billing/invoices.py is not valid: it was changed after it was signed")


def test_a_module_taken_off_the_list(project: Project) -> None:
    manifest = project.package / MANIFEST
    lines = dict(parse(manifest.read_bytes()).lines)
    del lines["module", "billing/invoices.py"]
    manifest.write_bytes(render(lines))
    project.refuses("invoices.py", "does not list it")


def test_what_a_line_of_its_own_lets_through(project: Project) -> None:
    """The price of merging without a conflict, as docs/security.md says: one module with its line can go back alone."""
    older = {name: (project.package / name).read_bytes() for name in ("billing/invoices.py", MANIFEST)}
    newer = {path: (text.replace(b"clean", b"newer"), graph) for path, (text, graph) in standard_modules().items()}
    project.publish(newer)
    project.module.write_bytes(older["billing/invoices.py"])
    project.refuses("invoices.py", "an older version, or another")
    manifest = project.package / MANIFEST
    subject: Subject = ("module", "billing/invoices.py")
    manifest.write_bytes(render({**parse(manifest.read_bytes()).lines, subject: parse(older[MANIFEST]).lines[subject]}))
    assert project.imports().stdout == "clean\n"


def test_a_manifest_taken_away(project: Project) -> None:
    (project.package / MANIFEST).unlink()
    project.refuses("generated", f"there is no {MANIFEST}")


def test_a_trust_file_inside_the_package_counts_for_nothing(project: Project) -> None:
    shutil.copytree(project.folder / ".graphwright", project.package / ".graphwright")
    trust = project.package / PROJECT_FILE
    add_key(trust, MALLORY.key, "mallory")
    project.publish(standard_modules(), MALLORY)
    project.refuses("a key that is not trusted here")


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
    assert "an older version, or another" in done.stderr


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
    project.refuses(f"there is no {MANIFEST}")


def test_line_endings_and_formatting_are_named(project: Project) -> None:
    text = project.module.read_bytes()
    project.module.write_bytes(text.replace(b"\n", b"\r\n"))
    project.refuses("only its line endings or trailing whitespace were changed", ".gitattributes")
    project.module.write_bytes(text.replace(b'SAID = ("clean", (1, 2),', b"SAID = ('clean', (1, 2),"))
    project.refuses("formatting only", "exclude the folder from formatters and hooks")


def test_a_trust_file_that_everybody_may_write(project: Project) -> None:
    (project.folder / PROJECT_FILE).chmod(0o666)
    done = project.imports()
    assert (done.stdout, done.returncode) == ("", 1)
    assert "is world-writable; review it, then run `chmod o-w" in done.stderr


def test_a_broken_trust_file(project: Project) -> None:
    (project.folder / PROJECT_FILE).write_text("[[keys]]\nid = 1\n")
    done = project.imports()
    assert (done.stdout, done.returncode) == ("", 1)
    assert "trust.toml: key 1: `public` is missing" in done.stderr


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

"""Under `require` not one statement runs, nor does one signature count, before verification stands.

Everything that verifying needs is imported before anything of a project can be found: modules of these names, planted
where Python looks first, are never run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.trust.trustfile import set_field
from graphwright_runtime.trust.header import digest, seal
from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.truststore import PROJECT_FILE
from signing.packages import ALICE, EVIL, MALLORY, RUNTIME, Project, standard_modules

INNER = """\
version: "1.0.0"
tool_type: graph
permissions: []
config:
  start: done
  nodes:
    done: {type: return, output: "from inside"}
"""

#: What verification imports; some of it late, once the script's folder stands in front of everything else.
NAMES = ("tomllib", "_cffi_backend", "ast", "datetime", "unicodedata", "pwd", "tempfile", "linecache", "hashlib")

#: A `nacl` that accepts every signature.
FAKE = {
    "nacl/__init__.py": "print('planted')\n",
    "nacl/bindings.py": "def crypto_sign_open(signed, key):\n    return signed[64:]\ncrypto_sign = None\n",
    "nacl/exceptions.py": "class BadSignatureError(Exception): ...\n",
}


def plant(folder: Path) -> None:
    """Put modules into a folder that verification would import from it, were it found first."""
    for name in NAMES:
        (folder / f"{name}.py").write_text(EVIL)
    for path, text in FAKE.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)


def forged(project: Project) -> None:
    """Change a module and the manifest, and keep the key's id: no signature is right any more."""
    project.publish(standard_modules(), MALLORY)
    for file in (project.package / MANIFEST, *project.package.rglob("*.py")):
        text = file.read_text().replace(MALLORY.key.id, ALICE.key.id, 1)
        file.write_text(text)


def application(project: Project, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `app/main.py` as people do: its folder then is the first that Python looks in."""
    main = project.folder / "app" / "main.py"
    main.write_text(code)
    path = os.pathsep.join((str(project.folder / "site"), str(RUNTIME), str(project.folder)))
    environment = {**os.environ, "PYTHONPATH": path, **variables}
    command = [sys.executable, str(main)]
    return subprocess.run(
        command, cwd=project.folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def app(project: Project) -> Project:
    """A project with an application in whose folder an attacker could write."""
    (project.folder / "app").mkdir()
    plant(project.folder / "app")
    return project


def test_the_folder_of_the_script_cannot_replace_what_verifies(app: Project) -> None:
    done = application(app, "import generated.billing.invoices", GRAPHWRIGHT_VERIFY="require:generated")
    assert (done.stdout, done.returncode) == ("clean\n", 0), done.stderr
    forged(app)
    done = application(app, "import generated.billing.invoices", GRAPHWRIGHT_VERIFY="require:generated")
    assert done.stdout == ""
    assert "its signature was not made by that key" in done.stderr


def test_nor_while_a_misspelled_name_is_refused(app: Project) -> None:
    (app.folder / "difflib.py").write_text(EVIL)
    done = application(app, "import generated.billing.invoices", GRAPHWRIGHT_VERIFY="require:generatd")
    assert (done.stdout, done.returncode) == ("", 1)
    assert "did you mean `generated`?" in done.stderr


def test_nor_where_the_program_switches_verification_on_itself(app: Project) -> None:
    code = 'from graphwright_runtime import loader\nloader.install("generated")\nimport generated.billing.invoices'
    for name in set(NAMES) - {"tomllib", "_cffi_backend"}:  # what importing the loader takes, the program finds
        (app.folder / "app" / f"{name}.py").unlink()
    forged(app)
    done = application(app, code)
    assert done.stdout == ""
    assert "its signature was not made by that key" in done.stderr


def test_nor_for_tools(app: Project) -> None:
    tool = app.folder / ".ai" / "tools" / "greet.py"
    tool.parent.mkdir(parents=True)
    header = f"# graphwright:signed:{'0' * 64}:{'A' * 86}:{ALICE.key.id}\n"
    text = "def execute(params, project_path):\n    print('planted')\n    return {}\n"
    tool.write_text(header.replace("0" * 64, digest(text.encode())) + text)
    code = (
        "from pathlib import Path\nfrom graphwright_runtime.toolbox import Toolbox\n"
        "from graphwright_runtime.graph import dynamic\n"
        "Toolbox().find(dynamic('execute', 'tool', 'greet'), Path.cwd(), None)"
    )
    done = application(app, code, GRAPHWRIGHT_TRUST_TOOLS="require")
    assert "planted" not in done.stdout
    assert "its signature was not made by that key" in done.stderr


@pytest.mark.parametrize("prepare", ["accepted", "altered", "missing", "limited", "elsewhere", "unlisted"])
@pytest.mark.parametrize("policy", ["require", "warn"])
def test_verifying_imports_nothing_late(project: Project, prepare: str, policy: str) -> None:
    """Whatever it comes to: no module is looked for once the first one of the package is."""
    if prepare == "altered":
        project.module.write_text(project.module.read_text() + "# more\n")
    elif prepare == "missing":
        project.module.unlink()
    elif prepare == "unlisted":
        (project.package / "billing" / "__init__.py").write_text(EVIL)
    elif prepare in ("limited", "elsewhere"):
        graphs = '["billing/*"]' if prepare == "limited" else '["reports/*"]'
        set_field(project.folder / PROJECT_FILE, ALICE.key.id, "graphs", graphs)
    code = """
import sys
class Listener:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] != "generated":
            print("late:", name)
sys.meta_path.insert(0, Listener())
try:
    import generated.billing.invoices
except ImportError:
    pass
"""
    done = project.python(code, GRAPHWRIGHT_VERIFY=f"{policy}:generated")
    assert done.returncode == 0, done.stderr
    assert "late:" not in done.stdout


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a signed module, which insists on signatures."""
    folder = tmp_path / "real"
    (folder / ".ai" / "tools").mkdir(parents=True)
    (folder / ".ai" / "tools" / "inner.yaml").write_text(INNER)
    (folder / "graphwright.toml").write_text('[trust]\nmodules = "require"\n')
    monkeypatch.chdir(folder)
    assert graphwright("build", "--no-typecheck").code == 0
    return folder


def run(target: str) -> subprocess.CompletedProcess[str]:
    """`graphwright run` as its script does it: with no folder of ours on the search path."""
    command = [sys.executable, "-P", "-m", "graphwright", "run", "-q", target]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("lost", ["nothing", "__init__.py", MANIFEST, "both"])
@pytest.mark.parametrize("target", ["generated/inner.py", "generated.inner"])
def test_running_a_file_puts_no_folder_in_front(built: Path, lost: str, target: str) -> None:
    for name in ("__init__.py", MANIFEST) if lost == "both" else (lost,):
        (built / "generated" / name).unlink(missing_ok=True)
    plant(built / "generated")
    plant(built)
    done = run(target)
    assert "planted" not in done.stdout + done.stderr
    if lost == "nothing":
        assert json.loads(done.stdout)["output"] == "from inside", done.stderr
    else:
        assert (done.returncode, done.stdout) == (2, "")


def test_a_link_to_another_project_is_judged_here(built: Path, tmp_path: Path) -> None:
    """What it leads to may lie in a project that asks for no signatures."""
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(built / "generated", elsewhere / "generated")
    (elsewhere / "graphwright.toml").write_text('[trust]\nmodules = "off"\n')
    module = elsewhere / "generated" / "inner.py"
    module.write_text(module.read_text().replace("from inside", "from elsewhere"))
    (built / "generated" / "inner.py").unlink()
    (built / "generated" / "inner.py").symlink_to(module)
    done = run("generated/inner.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "changed after it was signed" in done.stderr


@pytest.mark.parametrize("link", ["link", "elsewhere/generated"])
def test_a_link_to_the_package_takes_its_project_along(built: Path, tmp_path: Path, link: str) -> None:
    """Whoever follows a link from a project that asks for nothing still runs only what this one lets run."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "graphwright.toml").write_text('[trust]\nmodules = "off"\n')
    (tmp_path / link).symlink_to(built / "generated")
    module = built / "generated" / "inner.py"
    module.write_text(module.read_text().replace("from inside", "from elsewhere"))
    done = run(str(tmp_path / link / "inner.py"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "changed after it was signed" in done.stderr


@pytest.mark.parametrize("target", [".generated.inner", "generated..inner", "generated.in-ner", "generated."])
def test_what_names_no_module_is_one_line(built: Path, target: str) -> None:
    done = run(target)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr


def test_a_package_inside_the_package_is_not_one(built: Path) -> None:
    """A folder of modules with a manifest of its own, and a configuration that calls it the output of a project."""
    inside = built / "generated" / "more"
    shutil.copytree(built / "generated", inside)
    (built / "generated" / "graphwright.toml").write_text('output = "more"\n[trust]\nmodules = "off"\n')
    (inside / "inner.py").write_text((inside / "inner.py").read_text().replace("from inside", "from elsewhere"))
    done = run("generated/more/inner.py")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("name", ["json", "nacl", "tomllib"])
def test_python_dash_m_does_not_take_modules_from_the_working_folder(built: Path, name: str) -> None:
    (built / f"{name}.py").write_text(EVIL)
    command = [sys.executable, "-m", "graphwright", "run", "-q", "generated/inner.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert json.loads(done.stdout)["output"] == "from inside", done.stderr


def test_what_was_signed_for_a_tool_is_still_no_module(project: Project) -> None:
    project.module.write_bytes(seal("tool", EVIL.encode(), ALICE))
    project.refuses("its signature was not made by that key")

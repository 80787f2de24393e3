"""What is installed with which extra, and what a release is made of."""

import importlib.util
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import quepu
from quepu.conformance.generate import DATA as CASES
from quepu.errors import EXTRAS, MissingExtra, missing_extra, needs
from quepu.fast.nearest.gain_files import FOLDER
from quepu.fast.universe.classed_cache import _FOLDER

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CODE = """
import sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Gone())
"""


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without(code: str, *names: str) -> subprocess.CompletedProcess[str]:
    text = CODE.format(names=names or tuple(EXTRAS)) + code
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)


def test_the_core_needs_nothing():
    assert PROJECT["dependencies"] == []
    code = "import quepu, quepu.table, quepu.match, quepu.json_lines.answers\n"
    code += "hand = '123m456p789sCCEE'\nquepu.book('guobiao').having(minimum=2)\n"
    code += "print(quepu.score(hand + '+E', 'guobiao').points, quepu.waits(hand, 'guobiao').missing)"
    done = without(code)
    assert (done.stdout.split(), done.stderr) == (["20", "1"], "")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("import quepu; quepu.score_many(['x'])", "quepu[batch]"),
        ("import quepu.lab", "quepu[lab]"),
        ("import quepu.rl", "quepu[rl]"),
        ("from quepu.bots import make_bot; make_bot('gain')", "quepu[batch]"),
        ("from quepu.bots import make_bot; make_bot('people')", "quepu[batch]"),
        ("import quepu.server", "quepu[server]"),
    ],
)
def test_what_lacks_an_extra_names_it(code, sentence):
    last = without(code).stderr.splitlines()[-1]
    assert last.startswith("quepu.errors.MissingExtra") and f"pip install '{sentence}'" in last


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        (["data", "-n", "1"], "rl"), (["simulate", "-n", "1", "-b", "gain,gain,plain,plain"], "batch"),
        (["lab", "rarity", "canton"], "lab"), (["bot"], "batch"), (["stats", "."], "server"), (["serve"], "server"),
        *(pytest.param(line, extra, marks=pytest.mark.long) for line, extra in (
            (["waits", "123m456p789sCCEE", "--payable"], "batch"), (["match", "--names", "a,b,c,d"], "server"),
            (["roster", "x.json"], "server"), (["admin", "rooms"], "server"),
        )),
    ],
)  # fmt: skip
def test_each_command_names_what_it_lacks_beside_the_command_line(line, extra, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gone = [name for name in EXTRAS if EXTRAS[name] != "cli"]
    done = without(f"from quepu.cli import main; main({line!r})", *gone)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"pip install 'quepu[{extra}]'" in done.stderr


def test_simple_bots_play_with_the_command_line_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = ["simulate", "-n", "1", "-b", "plain,plain,random,random", "--json"]
    done = without(f"from quepu.cli import main; main({line!r})", *(name for name in EXTRAS if EXTRAS[name] != "cli"))
    assert done.returncode == 0 and json.loads(done.stdout)["hands"] == 1


@pytest.mark.parametrize("names", [(), ("rich",)])
@pytest.mark.parametrize(
    ("line", "extra"),
    [
        (["score", "123m456p789sCCEE+E"], "cli"), (["--lang", "en", "serve"], "server"),
        *(pytest.param(line, extra, marks=pytest.mark.long) for line, extra in (
            (["serve"], "server"), (["admin", "rooms"], "server"), (["lab", "rarity", "guobiao"], "lab"),
            (["simulate", "-n", "1"], "cli"),
        )),
    ],
)  # fmt: skip
def test_the_command_line_names_its_extra(line, extra, names):
    done = without(f"from quepu.cli import main; main({line!r})", *names, *(() if extra == "cli" else ("click",)))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and f"pip install 'quepu[{extra}]'" in done.stderr


def test_every_module_of_an_extra_belongs_to_one_that_is_there():
    assert set(EXTRAS.values()) <= set(PROJECT["optional-dependencies"])
    assert missing_extra("nothing.of.that") is None and missing_extra(None) is None
    needs("nothing")
    with pytest.raises(MissingExtra):
        raise missing_extra("numpy.core")


def test_the_lowest_versions_are_those_of_the_project():
    pins = dict(pin.split("==") for pin in script("bounds").lowest(["server"]))
    assert {"click", "numpy", "fastapi", "sqlalchemy", "uvicorn"} <= set(pins)
    assert all(re.fullmatch(r"[\d.]+", version) for version in pins.values())


def test_the_page_of_the_package_has_no_relative_link():
    dist = script("dist")
    text = (ROOT / "README.en.md").read_text(encoding="utf-8")
    assert dist.LINK.search(text)
    made = dist.absolute(text, "https://host.example/who/quepu")
    assert not dist.LINK.search(made)
    assert "(https://host.example/who/quepu/blob/main/docs/design.md)" in made
    assert not dist.LINK.search(dist.absolute(text, ""))


def test_what_is_apart_is_installed_by_extras(tmp_path):
    dist = script("dist")
    for folders, _, _ in dist.APART.values():
        for folder in folders:
            (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"), "utf-8")
    dist.parted(tmp_path, "1.2.3")
    made = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]
    for name, (folders, extra, _) in dist.APART.items():
        changed = [each for each, needed in made["optional-dependencies"].items() if f"{name}==1.2.3" in needed]
        assert changed == [extra]
        assert not any((tmp_path / folder).exists() for folder in folders)


def test_the_tables_that_can_be_computed_again_are_apart():
    homes = {folder.relative_to(ROOT) for folder in (_FOLDER, FOLDER, CASES)}
    assert set(script("dist").APART["quepu-data"].folders) == homes


def test_a_core_wheel_that_is_too_large_or_has_the_files_of_another_is_refused(tmp_path, monkeypatch):
    dist = script("dist")

    def wheel(**files: bytes) -> Path:
        with zipfile.ZipFile(tmp_path / "quepu-1.whl", "w") as made:
            for name, data in files.items():
                made.writestr(f"quepu/{name}", data)
        return tmp_path / "quepu-1.whl"

    good = wheel(**{"tiles.py": bytes(1000), "data/usual.json": bytes(500)})
    monkeypatch.setattr(dist, "MOST_BYTES", good.stat().st_size)
    dist.check_core(good)
    with pytest.raises(SystemExit, match=r"1 files that belong to another wheel, such as quepu/data/gains/x\.xz"):
        dist.check_core(wheel(**{"data/gains/x.xz": b"", "tiles.py": b""}))
    with pytest.raises(SystemExit, match=r"is the limit; its largest files are quepu/tiles\.py \(1,001\)"):
        dist.check_core(wheel(**{"tiles.py": bytes(1001), "data/usual.json": bytes(500)}))


def test_the_core_wheel_of_this_checkout_can_be_released(tmp_path):
    dist = script("dist")
    dist.copied(tmp_path / "source")
    wheel = dist.core_wheel(tmp_path / "source", "1.2.3", tmp_path / "dist")
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (archive.read(name) for name in archive.namelist() if name.endswith("/METADATA"))
    needed = message_from_bytes(metadata).get_all("Requires-Dist", [])
    assert "quepu-data==1.2.3; extra == 'batch'" in needed and "quepu-web==1.2.3; extra == 'server'" in needed


def test_the_core_works_without_the_tables(tmp_path):
    """Scores are found the slower way; who waits for a table is told which package has it."""
    shutil.copytree(ROOT / "src/quepu", tmp_path / "quepu", ignore=shutil.ignore_patterns("__pycache__"))
    for folders, _, _ in script("dist").APART.values():
        for folder in folders:
            shutil.rmtree(tmp_path / folder.relative_to("src"), ignore_errors=True)
    code = "import quepu; from quepu.cli.screen import note_tables; hand = '123m456p789sCCEE+E'\n"
    code += "print(*(quepu.score_many([hand], id).points[0] - quepu.score(hand, id).points for id in quepu.books()))\n"
    code += "note_tables(quepu.book('guobiao'))\nfrom quepu.cli import run\n"
    code += "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    assert run(['books']) == 0\n"
    code += "assert run(['conformance', 'guobiao']) == 2\n"
    code += (
        "assert [run([command, *more]) for command, *more in (['serve'], ['admin', 'accounts'], ['mcp'])] == [1, 1, 1]"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "QUEPU_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
    )
    assert set(done.stdout.split()) == {"0"}, done.stderr
    assert done.stderr.count(f"pip install quepu-data=={quepu.__version__}") == 2, done.stderr
    assert "这里需要 quepu.server：pip install 'quepu[server]'" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_the_libraries_in_the_browser_are_named_with_their_licences(tmp_path, monkeypatch):
    dist = script("dist")
    device = tmp_path / dist.STATIC / "device"
    device.mkdir(parents=True)
    with zipfile.ZipFile(device / "libraries-0.zip", "w") as made:
        made.writestr(
            "one-1.0.dist-info/METADATA", "Name: one\nVersion: 1.0\nClassifier: License :: OSI :: MIT License\n"
        )
        made.writestr("one-1.0.dist-info/licenses/LICENSE", "may be used")
        made.writestr("one/code.py", "")
    monkeypatch.setattr(dist, "ROOT", tmp_path)
    (found,) = dist.on_device()
    assert (found[0]["Name"], dist.licence_of(found[0]), found[1]) == ("one", "MIT License", "may be used")


def test_the_version_has_one_home():
    assert script("dist").version() == quepu.__version__
    assert "version" in PROJECT["dynamic"] and "version" not in PROJECT
    assert json.loads((ROOT / "web/package.json").read_text("utf-8"))["private"]


def test_the_page_of_the_package_installs_by_name_and_has_absolute_links() -> None:
    """Who reads it there has no checkout."""
    dist = runpy.run_path(str(ROOT / ".ci" / "dist.py"))
    readme = (ROOT / "README.en.md").read_text(encoding="utf-8")
    page = dist["absolute"](dist["installed_from_index"](readme), "https://example.org/quepu")
    assert re.search(r"pip install 'quepu\[server\]'.*\nquepu serve", page)
    assert "make run" not in page and "'.[" not in page and page.count("```") % 2 == 0
    assert page.count("## Quick start") == page.count("import quepu") == 1
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert len(links) > 8 and all(link.startswith("https://") for link in links)
    assert not re.search(r'(src|srcset)="(?!https://)', page)
    assert page.count("/raw/main/docs/pictures/") == readme.count("<picture>")
    with pytest.raises(SystemExit, match="## Quick start"):
        dist["installed_from_index"](readme.replace("## Quick start", "## Start"))


@pytest.mark.parametrize("extra", script("bounds").CHECKS)
def test_what_an_installed_wheel_is_asked_is_true_of_this_tree(extra):
    """`make bounds` asks the same of the wheels, and runs too rarely to notice that a function was renamed."""
    asked = script("bounds").CHECKS[extra]
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")

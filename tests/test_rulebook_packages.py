"""Rulebooks from installed packages: found everywhere, and skipped with a reason where they cannot be used."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from quepu.cli.new_book import ARITHMETICS, make
from quepu.errors import HandError
from quepu.hands.hand import Luck
from quepu.rules.packages import CONTRACT
from quepu.rules.play_rules import Ending, SeatWin
from tests.cli.run import outside
from tests.rulebook_contract import RECORD, surface

ROOT = Path(__file__).parents[1]
GOOD = """
from tests.tuidaohu import BOOK as SMALL
from dataclasses import replace
QUEPU_RULEBOOKS = "1.0"
BOOKS = (replace(SMALL, id={id!r}, aliases=({aliases})),)
"""
ROWS = """
from tests.tuidaohu import BOOK as SMALL
from dataclasses import replace
from quepu.rules.row import Fan
QUEPU_RULEBOOKS = "1.0"
BAD = Fan("坏", 1, "番", "坏。", lambda h: h.nothing, "bad")
BOOKS = (replace(SMALL, id="rows", fans=(*SMALL.fans, BAD)),)
"""


def install(site: Path, module: str, name: str, text: str) -> None:
    """Put a package where Python finds it, as an installer does."""
    site.joinpath(f"{module}.py").write_text(text, encoding="utf-8")
    info = site / f"{module}-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    info.joinpath("entry_points.txt").write_text(f"[quepu.rulebooks]\n{name} = {module}\n", encoding="utf-8")


def path(*folders: Path) -> str:
    return os.pathsep.join(map(str, (*folders, ROOT / "src", ROOT)))


def test_a_package_is_listed_and_scored_and_broken_ones_are_skipped_with_a_reason(tmp_path: Path) -> None:
    install(tmp_path, "good_book", "harbour", GOOD.format(id="harbour", aliases="'港口',"))
    install(tmp_path, "broken_book", "broken", "import nothing_of_that_name")
    install(tmp_path, "taken_book", "canton", GOOD.format(id="canton", aliases=""))
    install(tmp_path, "alias_book", "other", GOOD.format(id="other", aliases="'国标',"))
    install(tmp_path, "old_book", "old", GOOD.format(id="old", aliases="").replace("1.0", "0.9"))
    install(tmp_path, "newer_book", "newer", GOOD.format(id="newer", aliases="").replace("1.0", "1.99"))
    install(tmp_path, "silent_book", "silent", "BOOKS = ()")
    install(tmp_path, "empty_book", "empty", 'QUEPU_RULEBOOKS = "1.0"\nBOOKS = 5')
    install(tmp_path, "rows_book", "rows", ROWS)
    install(tmp_path, "odd_book", "Odd_Name", GOOD.format(id="Odd_Name", aliases=""))
    told = outside("books", "--json", PYTHONPATH=path(tmp_path), QUEPU_LANG="en")
    assert told.code == 0, told.err
    listed = [one["id"] for one in json.loads(told.out)]
    assert listed[-1] == "harbour"
    assert len(listed) == 8
    for name, why in {
        "broken": "cannot be imported (ModuleNotFoundError",
        "canton": "there is a rulebook of this id already",
        "other": "its alias '国标' belongs to another rulebook",
        "old": "it is written for contract 0.9; here it is 1.2, and versions before 1.0 are no longer supported",
        "newer": "it is written for contract 1.99; here it is 1.2: it needs a newer quepu",
        "silent": "it does not say its contract",
        "empty": "has no Rulebook with the id empty",
        "rows": "its rows cannot be worked out (AttributeError",
        "Odd_Name": "its id must be small letters",
    }.items():
        assert any(name in line and why in line for line in told.err.splitlines()), (name, told.err)
    assert "Traceback" not in told.err
    for rules in ("harbour", "港口"):
        scored = outside("score", "111m222m333m444m5m+5m", "-r", rules, "--json", PYTHONPATH=path(tmp_path))
        assert json.loads(scored.out)["points"] == 7, scored.err
    house = tmp_path / "house.toml"
    house.write_text('base = "harbour"\n[values]\n"碰碰胡" = 5\n', encoding="utf-8")
    scored = outside("score", "111m222m333m444m5m+5m", "-r", str(house), "--json", PYTHONPATH=path(tmp_path))
    assert json.loads(scored.out)["points"] == 10, scored.err


def as_installed(folder: Path, name: str, site: Path) -> None:
    """Copy a package where Python finds it, with what an installer writes beside it."""
    module = f"quepu_{name}"
    shutil.copytree(folder / "src" / module, site / module)
    info = site / f"{module}-0.1.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: quepu-{name}\nVersion: 0.1\n", encoding="utf-8")
    points = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    lines = [f"{key} = {value}" for key, value in points["quepu.rulebooks"].items()]
    info.joinpath("entry_points.txt").write_text("\n".join(["[quepu.rulebooks]", *lines, ""]), encoding="utf-8")


def own_tests(folder: Path, site: Path) -> None:
    """Run the tests of a package."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / "tests")],
        capture_output=True, text=True, check=False, cwd=folder, env={**os.environ, "PYTHONPATH": path(site)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout


@pytest.mark.parametrize(
    "arithmetic",
    [pytest.param(one, marks=[pytest.mark.long] if one in ("product", "residue") else []) for one in ARITHMETICS],
)
def test_a_new_package_runs_its_own_tests_and_is_found(arithmetic: str, tmp_path: Path) -> None:
    made = make("river", tmp_path, arithmetic)
    assert {file.name for file in made} >= {"pyproject.toml", "README.md", "__init__.py", "test_book.py"}
    folder, site = tmp_path / "quepu-river", tmp_path / "site"
    as_installed(folder, "river", site)
    own_tests(folder, site)
    told = outside("books", "river", PYTHONPATH=path(site))
    assert told.code == 0, told.err
    with pytest.raises(HandError, match="已经有"):
        make("river", tmp_path)
    for wrong in ("River", "9x", "a b", "../x", "canton"):
        with pytest.raises(HandError):
            make(wrong, tmp_path)
    with pytest.raises(HandError, match="additive, product, residue, custom"):
        make("lake", tmp_path, "other")


EXAMPLES = ROOT / "examples" / "packages"


@pytest.mark.parametrize(
    ("name", "hand", "points"),
    [
        ("sichuan", "111m222m333m999m5m+5m", 8),
        pytest.param("hongkong", "123456m678mCCC9m+9m", 5, marks=pytest.mark.long),
    ],
)
def test_the_packages_among_the_examples_pass_their_tests_and_score(
    name: str, hand: str, points: int, tmp_path: Path
) -> None:
    as_installed(EXAMPLES / f"quepu-{name}", name, tmp_path)
    own_tests(EXAMPLES / f"quepu-{name}", tmp_path)
    scored = outside("score", hand, "-r", name, "--json", PYTHONPATH=path(tmp_path))
    assert json.loads(scored.out)["points"] == points, scored.err


@pytest.mark.long
@pytest.mark.parametrize("name", ["sichuan", "hongkong"])
def test_the_packages_among_the_examples_are_listed_played_and_counted(name: str, tmp_path: Path) -> None:
    as_installed(EXAMPLES / f"quepu-{name}", name, tmp_path)
    played = outside("simulate", "-r", name, "-n", "3", "--seed", "1", "--json", PYTHONPATH=path(tmp_path))
    assert played.code == 0, played.err
    assert outside("books", PYTHONPATH=path(tmp_path)).out.count(name) == 1
    if name == "sichuan":
        counted = outside("lab", "rarity", name, "--json", PYTHONPATH=path(tmp_path))
        assert json.loads(counted.out)["facts"]["hands"] == 6_122_151, counted.err
        told = outside("lab", "settle", name, "A1", PYTHONPATH=path(tmp_path), QUEPU_LANG="en")
        assert told.code == 2
        assert "has no ruling with readings to choose from" in told.err


def test_the_contract_that_is_documented_is_the_one_that_is_asked_for() -> None:
    text = (ROOT / "docs" / "reference" / "rulebook-api.md").read_text(encoding="utf-8")
    said = f"{CONTRACT[0]}.{CONTRACT[1]}"
    assert f"Version {said} of" in text
    assert f'QUEPU_RULEBOOKS = "{said}"' in text
    assert f"- **{said}**" in text.partition("## Versions")[2]


def test_every_name_of_the_contract_is_recorded_with_its_version() -> None:
    """A name that is gone needs a higher major version and a new name a higher minor one; then write the file again."""
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    now = surface()
    assert recorded["version"] == ".".join(map(str, CONTRACT))
    assert recorded["names"].keys() == now.keys()
    for name, parts in now.items():
        assert recorded["names"][name] == parts, name


def test_a_package_of_an_older_minor_version_still_settles() -> None:
    """Version 1.0 had one winner, whose facts were fields of the ending."""
    win = SeatWin(2, 7, (0, 1, 0, 0), int(Luck.KONG_DRAW))
    ending = Ending((win,), discarder=1)
    with pytest.warns(DeprecationWarning, match="Ending.first.seat"):
        assert ending.winner == 2
    with pytest.warns(DeprecationWarning, match="since version 1.1"):
        assert (ending.points, ending.supplied, ending.luck, ending.score) == (
            7,
            (0, 1, 0, 0),
            int(Luck.KONG_DRAW),
            None,
        )
    with pytest.warns(DeprecationWarning, match="Ending.winner is deprecated"):
        assert Ending().winner is None


SERVED = """
import sys
from pathlib import Path
from starlette.testclient import TestClient
from quepu.server.app import Settings, create_app
patient = dict.fromkeys(("work_cpu", "work_wall", "workshop_cpu", "workshop_wall"), 600.0)
with TestClient(create_app(Settings(data=Path(sys.argv[1]), **patient))) as client:
    ids = [one["id"] for one in client.get("/api/books").json()]
    page = client.get("/api/books/sichuan").json()
    scored = client.post("/api/score", json={"rules": "sichuan", "hand": "111m222m333m444m5m+5m"}).json()
    course = client.post("/api/practice/course", json={"rules": "sichuan"}).json()
    print("sichuan" in ids, len(page["fans"]) > 3, scored["points"])
    print(any(one["key"] == "payment" for one in course["lessons"]))
"""
COUNTED = """
    draft = {"house": 'base = "sichuan"\\nminimum = 2\\n', "state": "open-discard"}
    effects = client.post("/api/workshop/effects", json=draft)
    print(effects.status_code, effects.json()["summary"]["hands"])
"""


@pytest.mark.parametrize("counted", [False, pytest.param(True, marks=pytest.mark.long)])
def test_an_installed_package_is_served(counted: bool, tmp_path: Path) -> None:
    as_installed(ROOT / "examples" / "packages" / "quepu-sichuan", "sichuan", tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", SERVED + COUNTED * counted, str(tmp_path / "data")],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path(tmp_path)},
    )  # fmt: skip
    assert done.stdout.split() == ["True", "True", "8", "True", *["200", "5237550"] * counted], done.stderr


def test_the_files_for_use_without_a_server_have_installed_packages(tmp_path: Path) -> None:
    as_installed(ROOT / "examples" / "packages" / "quepu-sichuan", "sichuan", tmp_path)
    code = "import runpy; print(*(name for name, _ in runpy.run_path('web/device/bundle.py')['own']()), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT,
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path(tmp_path)},
    )  # fmt: skip
    names = done.stdout.splitlines()
    assert {"quepu_sichuan/__init__.py", "quepu_sichuan-0.1.dist-info/entry_points.txt", "quepu/errors.py"} <= {
        *names
    }, done.stderr

"""What a command of one hand does not wait for: modules that it has no use for, tables of all hands."""

import subprocess
import sys

import pytest

HAND = "123m456p789sCCEE+E"
HEAVY = {
    "numpy", "fastapi", "pydantic", "sqlalchemy", "tomllib", "asyncio", "importlib.resources",
    "quepu.rulebooks.pickles", "quepu.rulebooks.house_rules", "quepu.rules.play_rules", "quepu.server", "quepu.table",
}  # fmt: skip
CORE = HEAVY | {"rich", "click", "json", "hashlib", "random", "pickle", "platformdirs"}
CLI = "from quepu.cli import run; run(sys.argv[1:])"
CASES = {
    "import": ("import quepu", 12, CORE | {"quepu.hands", "quepu.rulebooks"}),
    "library": (f"import quepu; quepu.score({HAND!r}, 'guobiao').points", 53, CORE),
    "score": (CLI, 68, HEAVY | {"click", "rich.console", "rich.text", "rich.table"}),
}
"""What runs, the most modules of quepu it may import, and those that it must not."""


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_imported_that_is_not_used(name):
    code, most, never = CASES[name]
    lines = f"import sys\nsys.stdout = open({'/dev/null' if sys.platform != 'win32' else 'nul'!r}, 'w')\n{code}\n"
    lines += "sys.stderr.write(' '.join(sys.modules))"
    arguments = ["score", HAND, "-r", "guobiao"] if name == "score" else []
    done = subprocess.run([sys.executable, "-c", lines, *arguments], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert loaded & never == set()
    assert len([module for module in loaded if module.startswith("quepu")]) <= most


def test_one_hand_takes_apart_only_its_own_suits():
    code = f"import quepu; quepu.score({HAND!r}, 'guobiao'); from quepu.hands import suit_tables as t\n"
    code += "print(t.suit_splits.cache_info().currsize, len(t.suit_apart) + len(t.honour_apart) < 100)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "True"]


def test_suits_are_taken_apart_alike_one_by_one_and_all_at_once():
    from quepu.hands import suit_tables as tables

    for whole, ranks in ((tables.suit_splits(), 9), (tables.honour_splits(), 7)):
        listed = sorted(whole)[:: 7 if ranks == 9 else 1]
        assert all(tables._splits_of(key, ranks) == whole[key] for key in listed)
        others = range(0, 5**ranks, 997 if ranks == 9 else 31)
        assert all(tables._splits_of(key, ranks) == whole.get(key, ()) for key in others)
    filled = tables._Apart(9)
    keys = range(0, 5**9, 1009)
    assert [filled[key] for key in keys] == [tables.suit_splits().get(key, ()) for key in keys]
    assert filled.keys() == tables.suit_splits().keys()

"""Generated tables in git are as the manifest says and stay small; nothing that is tracked is ignored."""

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from quepu.arena import usual
from quepu.conformance import generate
from quepu.fast.nearest import ship
from quepu.fast.universe import classed_cache

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def manifest():
    spec = importlib.util.spec_from_file_location("manifest", ROOT / ".ci" / "manifest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_generated_table_is_as_the_manifest_says(manifest):
    found = manifest.entries()
    assert manifest.differing(found) == [], "run: python .ci/manifest.py --write"
    assert manifest.MANIFEST.read_text("utf-8") == manifest.text(found)
    assert sum(entry["bytes"] for entry in found.values()) <= manifest.MOST


def test_a_changed_table_is_named(manifest):
    found = manifest.entries()
    name = next(iter(found))
    assert manifest.differing(found | {name: found[name] | {"bytes": 0}}) == [name]
    assert manifest.differing({one: entry for one, entry in found.items() if one != name}) == [name]


def test_no_file_is_both_tracked_and_ignored():
    git = ["git", "-C", str(ROOT), "ls-files", "-ci", "--exclude-standard"]
    listed = subprocess.run(git, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    assert listed.stdout == ""


@pytest.mark.parametrize("arguments", [["--help"], ["--check"], ["nonsense"]])
@pytest.mark.parametrize("maker", [usual, generate, ship, classed_cache])
def test_makers_of_data_refuse_arguments_before_they_touch_a_file(
    maker: ModuleType, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for change in ("write_bytes", "write_text", "unlink", "mkdir"):
        monkeypatch.setattr(Path, change, lambda *_, **__: pytest.fail("a file was touched"))
    with pytest.raises(SystemExit) as ended:
        maker.main(arguments)
    said = capsys.readouterr()
    assert ended.value.code == (0 if arguments == ["--help"] else 2)
    assert (said.out if arguments == ["--help"] else said.err).startswith(f"usage: python -m {maker.__name__} ")
    assert arguments == ["--help"] or arguments[0] in said.err

"""Tables of gains that the package carries: those of the books as they are, and read like any other."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from quepu.fast.nearest import preferences
from quepu.fast.nearest.gain_files import FOLDER, GainCase, cases, gains_file, is_shipped, shipped_file, unbuilt
from quepu.fast.nearest.gain_packing import differences, pack, unpack
from quepu.fast.nearest.payments import gains, load_stored, whole
from quepu.fast.nearest.preferences import feature_classes
from quepu.fast.universe.standard_hands import MELD_SETS
from quepu.rulebooks import book, book_ids
from quepu.rulebooks.house_rules import book_of
from quepu.tiles import KINDS

MOST = 2 << 20
"""Bytes of a book's tables, and of what all share."""


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    return tmp_path


def test_every_book_as_it_is_now_is_shipped_and_nothing_else() -> None:
    left = set(FOLDER.iterdir())
    for name in book_ids():
        mine = {shipped_file(book(name), case) for case in cases(book(name))}
        assert is_shipped(book(name)), f"{name} has changed: python -m quepu.fast.nearest.ship"
        assert sum(file.stat().st_size for file in mine) <= MOST
        left -= mine
    assert len(left) == 4
    assert sum(file.stat().st_size for file in left) <= MOST


def test_a_shipped_table_is_read_as_if_it_had_been_built(empty: Path) -> None:
    rules, case = book("canton"), GainCase(closed=False, double_wind=True)
    found = load_stored(rules, case)
    assert found is not None
    assert found.shape == (KINDS * MELD_SETS,)
    assert 0.1 < (found > 0).mean() < 1
    single = load_stored(rules, GainCase(closed=False, double_wind=False))
    assert single is not None
    assert 0 < (found != single).mean() < 0.5  # hands without a wind are worth the same
    assert len(unbuilt(rules)) == 2
    gains_file(rules, case).unlink()  # what is open stays as it is
    gains_file(rules, case).write_bytes(b"\x93NUMPY cut short")
    again = load_stored(rules, case)
    assert again is not None
    assert np.array_equal(again, found)


def test_house_rules_take_no_table_of_another(empty: Path) -> None:
    rules = book_of("", 'base = "canton"\nminimum = 2\nid = "ours"')
    assert not is_shipped(rules)
    assert load_stored(rules, GainCase(closed=True, double_wind=False)) is None


def test_where_no_folder_can_be_written_the_table_is_there_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path / "file"))
    found = load_stored(book("lingque-29"), GainCase(closed=True, double_wind=False))
    assert found is not None
    assert found.shape == (KINDS * MELD_SETS,)


def test_no_loop_is_compiled_for_features_that_are_shipped(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[Path] = []
    monkeypatch.setattr(preferences, "compile_loops", lambda _: compiled.append(empty))
    preferences.compile_features()
    assert not compiled
    monkeypatch.setattr(preferences, "FOLDER", empty)  # nothing is shipped there
    preferences.compile_features()
    assert compiled


def test_any_table_comes_back_from_its_packed_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    one = np.zeros(KINDS * MELD_SETS, np.uint16)  # full of random numbers it would take ten seconds to pack
    places = np.unique([0, 1, one.size - 1, *rng.integers(0, one.size, 20_000)])
    one[places] = rng.integers(0, 1 << 16, places.size, np.uint16)
    one[places[:3]] = 0xFFFF, 1, 0xFFFF
    other = one.copy()
    other[places[::100]] += 1
    (tmp_path / "one.xz").write_bytes(pack(differences(one)))
    packed = pack(differences(other), "one.xz", differences(one))
    (tmp_path / "other.xz").write_bytes(packed)
    assert len(packed) < (tmp_path / "one.xz").stat().st_size / 5
    for name, table in (("one", one), ("other", other)):
        found = unpack(tmp_path / f"{name}.xz")
        assert found is not None
        assert np.array_equal(found, table)


def test_a_file_that_is_broken_or_lacks_its_base_gives_no_table(tmp_path: Path) -> None:
    table = np.zeros(KINDS * MELD_SETS, np.uint16)
    data = pack(differences(table), "gone.xz", table)
    for name, content in (("cut.xz", data[:-9]), ("lost.xz", data), ("short.xz", lzma.compress(b"\n1234"))):
        (tmp_path / name).write_bytes(content)
        assert unpack(tmp_path / name) is None
    assert unpack(tmp_path / "missing.xz") is None


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", book_ids())
def test_shipped_tables_are_those_that_would_be_built(name: str, empty: Path) -> None:
    for case in cases(book(name)):
        found = load_stored(book(name), case)
        assert found is not None
        assert np.array_equal(found, whole(gains(book(name), case))), case


@pytest.mark.slow
def test_shipped_features_are_those_that_would_be_found(empty: Path) -> None:
    for double_wind in (False, True):
        feature_classes.cache_clear()
        found, made = feature_classes(double_wind), preferences._feature_classes(double_wind)
        assert np.array_equal(found.numbers, made.numbers)
        assert np.array_equal(found.features, made.features)
    feature_classes.cache_clear()

"""Totals that are shipped are those that the search finds, and every file belongs to a book."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from quepu.batch import Engine, from_hands
from quepu.fast.weighing import residue_totals as totals
from quepu.fast.weighing.residue import Accreted
from quepu.rulebooks import book, book_ids
from quepu.rules.arithmetic import Accreting
from quepu.scoring.samples import wins

ACCRETING = [rules for rules in map(book, book_ids()) if isinstance(rules.arithmetic, Accreting)]


def part_of(rules: object) -> Accreted:
    made = Accreted.of(rules)  # type: ignore[arg-type]
    assert made is not None
    return made


def test_each_file_is_of_a_book() -> None:
    files = {totals.shipped_file(part_of(rules).totals_found.digest) for rules in ACCRETING}
    assert files
    assert {path for path in files if path.is_file()} == files == set(totals._FOLDER.glob("*.npz"))


def test_shipped_totals_are_those_of_the_search(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    for rules in ACCRETING:
        found = Engine(rules)._read(from_hands(list(wins(rules, 400, 83))))
        with_file, without = part_of(rules), part_of(rules)
        words = with_file.words(found.h, len(found.of))
        loaded = with_file.totals_found.table.copy()
        assert np.count_nonzero(loaded[:, 0]) > 50_000
        quick = with_file.sums_of_words(words)
        assert 10 * np.count_nonzero(with_file.totals_found.table[:, 0] != loaded[:, 0]) < np.count_nonzero(quick)
        monkeypatch.setattr(totals, "_FOLDER", tmp_path)
        assert not without.totals_found.table.any()
        assert np.array_equal(quick, without.sums_of_words(words))
        monkeypatch.undo()


def test_all_places_of_a_hash_are_found_again() -> None:
    table = totals.TotalsTable("none of any book")
    marks = np.array([5 + k * totals.PLACES for k in range(5)] + [9], np.int64)
    table.put(marks, np.arange(1, 7))
    at = table.table[table.places(marks)]
    assert (at[:, 0] == marks).tolist() == [True, True, True, True, False, True]  # the fifth has no place
    assert at[:4, 1].tolist() == [1, 2, 3, 4]
    assert at[5, 1] == 6


def test_other_shipped_totals_take_the_place_of_saved_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr(totals, "_FOLDER", tmp_path)
    before = totals.TotalsTable("some rows")
    before.put(np.array([4], np.int64), np.array([1], np.int64))
    before.save(totals._SAVED_FROM)
    assert totals.TotalsTable("some rows").table.any()
    totals.ship("some rows", np.array([8, 12], np.int64), np.array([2, 3], np.int64))
    after = totals.TotalsTable("some rows").table
    assert sorted(after[after[:, 0] != 0, 0].tolist()) == [8, 12]

"""The figures of the benchmarks: how they are read, compared and shown. Nothing is measured here."""

import importlib
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(BENCH))
    yield importlib.import_module("record")
    for name in ("record", "rows"):
        sys.modules.pop(name, None)


STAMP = {"date": "2026-11-22", "commit": "abc", "load": 1.5, "cores": 2}


@pytest.mark.parametrize(
    ("figure", "value", "better"),
    [
        ("12.5 µs (80,000/s)", 12.5e-6, "less"),
        ("0.25 s", 0.25, "less"),
        ("1,200 hands/s", 1200, "more"),
        ("3.1 ms", 0.0031, "less"),
        ("–", None, "less"),
    ],
)
def test_a_figure_is_a_number(record, figure, value, better):
    assert record.parsed(figure) == (pytest.approx(value) if value else None, better)


def test_a_peer_is_a_ratio(record):
    assert record.compared("4.2 × PyMahjongGB in the same run; totals differ on 0") == (4.2, "PyMahjongGB")
    assert record.compared("3.6 × `mahjong`") == (3.6, "mahjong")
    assert record.compared("0.43 s on the wall") == (None, "")


def test_a_fifth_worse_is_a_drop(record):
    from rows import Row

    def lines(*rows):
        return record.entries("s", [Row(*row) for row in rows], STAMP)

    before = lines(("a", "10 µs"), ("b", "100/s"), ("c", "9 µs", "4.0 × peer"), ("d", "1 s"))
    same = lines(("a", "12 µs"), ("b", "81/s"), ("c", "90 µs", "3.3 × peer"), ("e", "9 s"))
    worse = lines(("a", "13 µs"), ("b", "79/s"), ("c", "1 µs", "3.1 × peer"))
    assert record.drops(same, before) == []
    assert [line.split(":")[1].strip() for line in record.drops(worse, before)] == ["a", "b", "c"]


def test_the_table_is_short_and_of_the_newest(record):
    from rows import Row

    rows = [Row(f"thing {i}", f"{i + 1} µs") for i in range(140)] + [Row("peered", "1 µs", "2 × peer")]
    old = record.entries("s", [Row("peered", "3 µs", "1 × peer")], STAMP)
    page = record.page([*old, *record.entries("s", rows, STAMP)])
    table = [line for line in page.splitlines() if line.startswith("| s:")]
    assert len(table) == record.MOST_ROWS
    assert table[0] == "| s: peered | 1 µs | peer | 2 × | abc | 2026-11-22 | 1.5 / 2 |"
    assert "<polyline" in record.trend([*old, *record.entries("s", rows, STAMP)])


def test_what_lies_in_the_repository_is_of_its_history(record):
    lines = record.history()
    assert lines and record.RESULTS.read_text(encoding="utf-8") == record.page(lines)
    assert record.TREND.read_text(encoding="utf-8") == record.trend(lines)

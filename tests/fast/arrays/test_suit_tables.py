"""Tables of a suit: read from their file, built where there is none to be read. Tables from hashes to numbers."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

from quepu.fast.arrays.suit_tables import Lane, cached_lane, honours
from quepu.fast.compiled import reading_loops, suit_arrays
from quepu.fast.universe.classes import Index


def same(one: Lane, other: Lane) -> bool:
    names = ("first", "number", "levels", "code")
    pairs = [*zip(one.arrays, other.arrays, strict=True), *((getattr(one, n), getattr(other, n)) for n in names)]
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


def test_a_file_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honours()  # whose own file stays elsewhere
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    old = tmp_path / "z-0123.tables"
    old.write_bytes(b"")
    os.utime(old, (time.time() - 1e6,) * 2)
    built: list[int] = []

    def build() -> Lane:
        built.append(1)
        return honours()

    first, again = (cached_lane("z", 7, build) for _ in range(2))
    assert built == [1]
    assert same(first, again)
    (file,) = tmp_path.iterdir()  # the old one is gone
    for damage in (b"", file.read_bytes()[:100_000], b"\x93NUMPY" + bytes(200)):
        file.write_bytes(damage)
        assert same(cached_lane("z", 7, build), first)
    assert len(built) == 4


def test_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path / "file"))
    assert same(cached_lane("z", 7, honours), honours())


def test_tables_of_the_loops_are_read_as_they_were_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    made = suit_arrays._make_tables()
    read = suit_arrays._tables.__wrapped__
    for _ in range(2):
        for one, other in zip(read(), made, strict=True):
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)
            assert one.flags.carray
        file = next(tmp_path.glob("lookup-loops-*"))
        file.write_bytes(file.read_bytes()[:100_000])
    key = sum(5**rank for rank in (0, 1, 2, 4, 4))  # 12355: complete, with its pair
    assert made.lookup[key, 1] >> reading_loops.ENTRY_CODE & 31 == 1
    assert made.numbered[key] > 0 == made.numbered[key + 5**8]


def test_hashes_of_one_slot_keep_their_numbers() -> None:
    rng = np.random.default_rng(5)
    same = rng.integers(0, 1 << 40, 60).astype(np.uint64) | np.uint64(0xFFFF << 48)  # the last slot of all
    hashes = np.unique(np.concatenate([same, rng.integers(0, 1 << 63, 50_000).astype(np.uint64)]))
    rng.shuffle(hashes)
    index = Index()
    for some in np.split(hashes, [3, 20, 30_000]):
        assert (index.find(some) == -1).all()
        index.add(some)
    assert index.find(hashes).tolist() == list(range(len(hashes)))
    assert (index.find(hashes ^ np.uint64(1 << 45)) == -1).all()

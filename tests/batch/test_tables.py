"""The tables of a suit are read from their file as they were written, and built where there is none to be read."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

from quepu.batch.tables import Lane, cached_lane, honours


def same(one: Lane, other: Lane) -> bool:
    names = ("first", "number", "levels", "waits", "pair_waits", "code", "tiles")
    pairs = [*zip(one.arrays, other.arrays, strict=True), *((getattr(one, n), getattr(other, n)) for n in names)]
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


def test_a_file_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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

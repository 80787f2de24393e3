"""What is kept between runs: whole or not at all, under its own source only, and not for ever."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from quepu.fast import result_cache
from quepu.fast.nearest.gain_files import GainCase, gains_file
from quepu.fast.nearest.payments import table
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import book_of

DAYS = 24 * 3600


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    return tmp_path


def path(what: str = "table", suffix: str = ".npy") -> Path:
    return result_cache.cache_path(what, book("canton"), "closed", suffix)


def test_another_source_has_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    old = path()
    monkeypatch.setattr(result_cache, "source_print", lambda: "0" * 12)
    assert path() != old


def test_what_other_sources_left_goes_after_a_week(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_cache, "source_print", lambda: "0" * 12)
    old, other_case, other_suffix = path(), path("else"), path(suffix=".npz")
    monkeypatch.setattr(result_cache, "source_print", lambda: "1" * 12)
    young = path()
    monkeypatch.undo()
    monkeypatch.setenv("QUEPU_CACHE", str(folder))
    for file, age in ((old, 8), (other_case, 8), (other_suffix, 8), (young, 6)):
        file.write_bytes(b"")
        os.utime(file, (time.time() - age * DAYS,) * 2)
    result_cache.store(path(), lambda file: file.write(b"new"))
    assert set(folder.iterdir()) == {path(), other_case, other_suffix, young}
    assert path().read_bytes() == b"new"


def test_half_a_file_is_never_there(folder: Path) -> None:
    def full(file: object) -> None:
        raise OSError(28, "No space left on device")

    result_cache.store(path(), full)
    assert not list(folder.iterdir())
    folder.rmdir()
    folder.write_text("no folder")
    result_cache.store(path(), lambda file: file.write(b"new"))  # costs the next run some seconds, nothing else
    assert folder.read_text() == "no folder"


def test_a_torn_table_is_made_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, case = book_of("", 'base = "canton"\nminimum = 2\nid = "torn"'), GainCase(closed=True, double_wind=False)
    made = np.arange(5, dtype=np.uint16)

    def parts(*_: object) -> Iterator[float]:
        yield 0.5
        return made

    monkeypatch.setattr("quepu.fast.nearest.payments.gains", parts)
    gains_file(rules, case).parent.mkdir()
    for torn in (b"", b"\x93NUMPY", b"broken"):
        gains_file(rules, case).write_bytes(torn)
        assert np.array_equal(table(rules, case), made)
    monkeypatch.setattr("quepu.fast.nearest.payments.gains", None)  # a second call must not get here
    assert np.array_equal(table(rules, case), made)

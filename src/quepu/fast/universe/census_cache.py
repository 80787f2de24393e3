"""Censuses cached on disk, so that a second query about the same book costs nothing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from quepu.fast import result_cache
from quepu.fast.processes import spread
from quepu.fast.universe.census import Census, Progress, Tallied, take
from quepu.fast.universe.classed_cache import classed_for, prepare
from quepu.fast.universe.revised_classes import FiguredClasses
from quepu.fast.universe.standard_hands import HandState
from quepu.fast.universe.valued import census_of, valued
from quepu.rules.rulebook import Rulebook

T = TypeVar("T")


_FIELDS = ("points", "bonus", "counts", "holds", "examples")


def census_file(book: Rulebook, state: HandState, specials: bool) -> Path:
    """The file a census is cached in."""
    return result_cache.cache_path("census", book, state.key + ("" if specials else "-standard"), ".npz")


def census(
    book: Rulebook, state: HandState, *, specials: bool = True, progress: Progress | None = None, use_cache: bool = True
) -> Census:
    """The census of a book in a state, from disk if taken before; a house rule's from the classes of its book.

    So is one in which each tile is the last in turn: counting it hand by hand takes a minute or more.
    """
    if specials and use_cache and (book.base or state.each):
        return census_of(valued(book, classed_for((book,), state, progress)))
    path = census_file(book, state, specials)
    found = _read(path, book, state) if use_cache else None
    if found is None:
        found = take(book, state, specials=specials, progress=progress, classes=FiguredClasses(book))
        if use_cache:
            _write(path, found)
    return found


def prepare_censuses(book: Rulebook, states: Sequence[HandState], jobs: int, cluster: str = "") -> None:
    """Take those of these censuses that are not on disk at once, on so many processes or on a Dask cluster.

    Raises:
        HandError: unknown cluster.
    """
    counted = [state for state in states if not book.base and not state.each]
    prepare((book,), [state for state in states if state not in counted], jobs)  # those come from classes
    missing = [state for state in counted if not census_file(book, state, specials=True).is_file()]
    if not missing or (not cluster and min(jobs, len(missing)) < 2):
        return
    for at, data in spread(_taken, [(book, state) for state in missing], jobs, cluster):
        result_cache.store(census_file(book, missing[at], specials=True), partial(_put, data))


def _put(data: bytes, file: Any) -> None:
    file.write(data)


def _taken(book: Rulebook, state: HandState) -> bytes:
    """A census as the bytes of its file, wherever it is taken."""
    out = io.BytesIO()
    _pack(take(book, state, classes=FiguredClasses(book)), out)
    return out.getvalue()


def _write(path: Path, found: Census) -> None:
    result_cache.store(path, lambda file: _pack(found, file))


def _pack(found: Census, file: Any) -> None:
    arrays: dict[str, Any] = {name: getattr(found, name) for name in _FIELDS}
    arrays |= {f"part {name}": column for name, column in found.parts.items()}
    arrays["left_out"] = np.array(found.left_out, np.str_)
    parts = {"standard": found.standard, "overlapping": found.overlapping}
    parts |= {f"shape {shape}": part for shape, part in found.special.items()}
    for name, part in parts.items():
        for column in Tallied.__dataclass_fields__:
            arrays[f"{name}/{column}"] = getattr(part, column)
    np.savez_compressed(file, **arrays)


def _read(path: Path, book: Rulebook, state: HandState) -> Census | None:
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None

    def part(name: str) -> Tallied:
        return Tallied(*(arrays[f"{name}/{column}"] for column in Tallied.__dataclass_fields__))

    special = {name.split("/")[0][6:]: None for name in arrays if name.startswith("shape ")}
    return Census(
        book,
        state,
        parts={name[5:]: column for name, column in arrays.items() if name.startswith("part ")},
        **{name: arrays[name] for name in _FIELDS},
        standard=part("standard"),
        special={shape: part(f"shape {shape}") for shape in special},
        left_out=tuple(arrays["left_out"].tolist()),
        overlapping=part("overlapping"),
    )

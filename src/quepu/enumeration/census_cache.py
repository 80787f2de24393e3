"""Censuses cached on disk, so that a second query about the same book costs nothing."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from quepu.enumeration import result_cache
from quepu.enumeration.census import Census, Progress, Tallied, take
from quepu.enumeration.classed_cache import classed_for
from quepu.enumeration.universe import HandState
from quepu.enumeration.valued import census_of, valued
from quepu.rules.rulebook import Rulebook

_FIELDS = ("points", "bonus", "counts", "holds", "examples")


def census_file(book: Rulebook, state: HandState, specials: bool) -> Path:
    """The file a census is cached in."""
    return result_cache.cache_path("census", book, state.key + ("" if specials else "-standard"), ".npz")


def census(
    book: Rulebook, state: HandState, *, specials: bool = True, progress: Progress | None = None, use_cache: bool = True
) -> Census:
    """The census of a book in a state, from disk if taken before; a house rule's from the classes of its book."""
    if book.base and specials and use_cache and not state.each:
        return census_of(valued(book, classed_for((book,), state, progress)))  # a house rule: its conditions are known
    path = census_file(book, state, specials)
    found = _read(path, book, state) if use_cache else None
    if found is None:
        found = take(book, state, specials=specials, progress=progress)
        if use_cache:
            _write(path, found)
    return found


def _write(path: Path, found: Census) -> None:
    arrays: dict[str, Any] = {name: getattr(found, name) for name in _FIELDS}
    arrays |= {f"part {name}": column for name, column in found.parts.items()}
    arrays["left_out"] = np.array(found.left_out, np.str_)
    parts = {"standard": found.standard, "overlapping": found.overlapping}
    parts |= {f"shape {shape}": part for shape, part in found.special.items()}
    for name, part in parts.items():
        for column in Tallied.__dataclass_fields__:
            arrays[f"{name}/{column}"] = getattr(part, column)
    result_cache.store(path, lambda file: np.savez_compressed(file, **arrays))


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

"""Censuses kept on disk, so that a second question about the same book costs nothing."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from quepu.lab import kept
from quepu.lab.census import Census, Progress, Tallied, take
from quepu.lab.universe import State
from quepu.rulebook import Rulebook

_KEPT = ("points", "bonus", "counts", "holds", "examples")


def kept_at(book: Rulebook, state: State, specials: bool) -> Path:
    """The file a census is kept in."""
    return kept.kept_at("census", book, state.key + ("" if specials else "-standard"), ".npz")


def census(
    book: Rulebook, state: State, *, specials: bool = True, progress: Progress | None = None, keep: bool = True
) -> Census:
    """The census of a book in a state, from disk if it was taken before."""
    path = kept_at(book, state, specials)
    found = _read(path, book, state) if keep else None
    if found is None:
        found = take(book, state, specials=specials, progress=progress)
        if keep:
            _write(path, found)
    return found


def _write(path: Path, found: Census) -> None:
    arrays: dict[str, Any] = {name: getattr(found, name) for name in _KEPT}
    arrays |= {f"part {name}": column for name, column in found.parts.items()}
    arrays["left_out"] = np.array(found.left_out, np.str_)
    parts = {"standard": found.standard, "overlapping": found.overlapping}
    parts |= {f"shape {shape}": part for shape, part in found.special.items()}
    for name, part in parts.items():
        for column in Tallied.__dataclass_fields__:
            arrays[f"{name}/{column}"] = getattr(part, column)
    kept.keep(path, lambda file: np.savez_compressed(file, **arrays))


def _read(path: Path, book: Rulebook, state: State) -> Census | None:
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
        **{name: arrays[name] for name in _KEPT},
        standard=part("standard"),
        special={shape: part(f"shape {shape}") for shape in special},
        left_out=tuple(arrays["left_out"].tolist()),
        overlapping=part("overlapping"),
    )

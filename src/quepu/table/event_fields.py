"""The JSON fields of events: the key of each, and how it is written and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from quepu.table.actions import TILE_NUMBER
from quepu.table.wall import TILE_NAMES
from quepu.tiles import WINDS


def _wind(seat: Any) -> int:
    if not isinstance(seat, str) or len(seat) != 1:
        raise ValueError(seat)
    return WINDS.index(seat)


def _true(value: Any) -> bool:
    return value is True


def _dice(values: Any) -> tuple[int, ...]:
    return tuple(int(die) for die in values)


def _tiles(text: str) -> tuple[int, ...]:
    found, at = [], 0
    while at < len(text):
        step = 2 if text[at].isdigit() else 1
        found.append(TILE_NUMBER[text[at : at + step]])
        at += step
    return tuple(found)


_Codec = tuple[str, Callable[[Any], Any], Callable[[Any], Any]]
FIELDS: dict[str, _Codec] = {
    "seat": ("seat", WINDS.__getitem__, _wind),
    "tile": ("tile", TILE_NAMES.__getitem__, TILE_NUMBER.__getitem__),
    "low": ("low", TILE_NAMES.__getitem__, TILE_NUMBER.__getitem__),
    "giver": ("from", WINDS.__getitem__, _wind),
    "as_drawn": ("drawn", bool, _true),
    "declares": ("ready", bool, _true),
    "dice": ("dice", list, _dice),
    "tiles": ("tiles", lambda tiles: "".join(map(TILE_NAMES.__getitem__, tiles)), _tiles),
}
"""For each field, in JSON order: its key, its writer, its reader."""
KEYS = tuple(key for key, _, _ in FIELDS.values())
"""Every key that any event uses."""


_Codecs = tuple[tuple[str, str, Callable[[Any], Any], Callable[[Any], Any]], ...]
_CODECS: dict[type, _Codecs] = {}


def codecs_of(kind: type) -> _Codecs:
    """Return the fields of a class of events, in JSON order: name, key, writer, reader."""
    if kind not in _CODECS:
        own = {field.name for field in fields(kind)}
        _CODECS[kind] = tuple((name, *codec) for name, codec in FIELDS.items() if name in own)
    return _CODECS[kind]

"""The keywords of `quepu.score` for many hands at once: texts in their circumstances, or columns beside an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from quepu.errors import Error, HandError
from quepu.hands.hand import Hand, Luck, flower_plane
from quepu.hands.notation import parse
from quepu.rules.circumstances import luck_of, refuse_beside_hand, situate
from quepu.rules.rulebook import Rulebook
from quepu.rules.winds_and_flowers import flower_numbers, wind


def arguments(
    hands: Any, book: Rulebook, settings: Mapping[str, Any], beside: Mapping[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """Hands and columns for `quepu.fast.scores.score_many`, of what `quepu.score_many` was given.

    `settings` has seat, round, self_draw, circumstances and flowers, as `quepu.score` takes them or as columns;
    `beside` the columns that only an array has.

    Raises:
        HandError: something that cannot go with hands of this kind.
        UnknownName: no such wind, circumstance or flower.
    """
    given = {name: value for name, value in beside.items() if value is not None}
    if isinstance(hands, np.ndarray):
        return hands, given | _columns(book, settings, given.get("luck"))
    for name in given:
        raise HandError(
            f"{name} 只与牌张数组同用；文字与 Hand 自己说明一切。",
            f"{name} goes with an array of counts: text and Hands say all of it themselves.",
        )
    if isinstance(hands, (str, Hand)) or not isinstance(hands, Iterable):
        return hands, {}
    if all(value is None or value is False or _empty(value) for value in settings.values()):
        return hands, {}
    whole = {**settings, "seat": _or_east(settings["seat"]), "round": _or_east(settings["round"])}
    situate(Hand(()), book, **{**whole, "circumstances": ()})  # what is wrong with all of them is no row's error
    luck_of(whole["circumstances"], book)
    return [_situated(hand, book, whole) for hand in hands], {}


def _empty(value: Any) -> bool:
    return isinstance(value, (tuple, list, str)) and not value


def _or_east(value: Any) -> Any:
    return "E" if value is None else value


def _situated(hand: Any, book: Rulebook, settings: Mapping[str, Any]) -> Any:
    """A text in its circumstances; what cannot be is the error of its row."""
    if isinstance(hand, Hand):
        refuse_beside_hand({name: value for name, value in settings.items() if value != "E"})
    if not isinstance(hand, str):
        return hand
    try:
        return situate(parse(hand), book, **settings)
    except Error as error:
        return error


def _columns(book: Rulebook, settings: Mapping[str, Any], luck: Any) -> dict[str, Any]:
    """The columns of what surrounds the hands of an array."""
    made: dict[str, Any] = {}
    for name in ("seat", "round"):
        value = settings[name]
        if value is not None:
            made[name] = wind(value) if isinstance(value, str) else value
    bits = int(Luck.SELF_DRAW) if settings["self_draw"] else 0
    for _, more in luck_of(settings["circumstances"], book):
        bits |= more
    if bits or luck is not None:
        made["luck"] = bits if luck is None else np.bitwise_or(luck, bits)
    flowers = settings["flowers"]
    if isinstance(flowers, str) or (isinstance(flowers, (tuple, list)) and any(isinstance(f, str) for f in flowers)):
        made["flowers"] = flower_plane(flower_numbers(flowers))
    elif not _empty(flowers):
        made["flowers"] = flowers
    return made

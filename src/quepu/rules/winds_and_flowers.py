"""Winds and flowers as users name them."""

from __future__ import annotations

from typing import Any, Final

from quepu.errors import HandError, UnknownName
from quepu.folding import fold
from quepu.hands.hand import FLOWER_NUMBER
from quepu.tiles import EAST, FLOWERS, FLOWERS_ENGLISH, WINDS

_SEATS: Final = {
    writing: EAST + i
    for i, writings in enumerate(("E e 东 東 east", "S s 南 south", "W w 西 west", "N n 北 north"))
    for writing in writings.split()
}


def wind(text: Any) -> int:
    """The kind (27-30) of a wind: E S W N, 东南西北 in either script, or the English word.

    Raises:
        UnknownName: it is none.
    """
    key = text.strip() if isinstance(text, str) else text
    found = _SEATS.get(key) or _SEATS.get(key.lower()) if isinstance(key, str) else None
    if found is None:
        raise UnknownName(
            f"没有“{text}”这个风位，可用：东南西北或 E S W N。", f"no wind {text!r}; there are: {', '.join(WINDS)}."
        )
    return found


def flower_numbers(flowers: Any) -> tuple[int, ...] | int:
    """Flowers as numbers 0-7, or a bare count: from a list of names, a string of them (春夏 or 春,夏 or 2), a number.

    Raises:
        UnknownName: no such flower.
        HandError: more than eight, or one twice.
    """
    if isinstance(flowers, str):
        text = flowers.strip()
        if text.isdecimal() and len(text) <= 4:
            flowers = int(text)
        elif text.isascii():
            flowers = text.replace(",", " ").split()
        else:
            flowers = [char for char in text if char not in " ,，、"]
    if flowers is None:
        return ()
    if isinstance(flowers, int) and not isinstance(flowers, bool):
        if not 0 <= flowers <= 8:
            raise HandError(f"花牌有 0 到 8 张，写了 {flowers}。", f"there are 0 to 8 flowers, not {flowers}.")
        return flowers
    if not isinstance(flowers, (list, tuple, set, frozenset)):
        raise HandError("flowers 应是花名的列表或张数。", "flowers must be a list of names or a number.")
    return tuple(sorted(_distinct([_flower(name) for name in flowers])))


def _flower(name: object) -> int:
    if isinstance(name, str):
        text = fold(name)
        if text in FLOWER_NUMBER:
            return FLOWER_NUMBER[text]
        if text in FLOWERS_ENGLISH:
            return FLOWERS_ENGLISH.index(text)
        if len(text) == 1 and 0x1F022 <= ord(text) <= 0x1F029:
            return (ord(text) - 0x1F01E) % 8  # 梅 is U+1F022, 春 is U+1F026
    raise UnknownName(
        f"没有“{name}”这张花牌，可用：{''.join(FLOWERS)}。",
        f"no flower {str(name)!r}; there are: {', '.join(FLOWERS_ENGLISH)}.",
    )


def _distinct(numbers: list[int]) -> list[int]:
    for number in numbers:
        if numbers.count(number) > 1:
            raise HandError(f"花牌{FLOWERS[number]}写了两次。", f"the flower {FLOWERS_ENGLISH[number]} is given twice.")
    return numbers

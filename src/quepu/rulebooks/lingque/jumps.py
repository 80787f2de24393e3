"""复合跳翻: the fan added for the two highest fans of different classes, as a formula in f0 and f1 or as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from quepu.errors import Error, OverlayError

_USUAL: Final = "f1*f1 > 2*f0"
_MOST: Final = 12
"""翻 of a single fan up to which a jump is tried."""
_MOST_ADDED: Final = 30
_MOST_PAIRS: Final = 100


class Jump:
    """Fan that the highest fan of another class, f1, adds to the highest fan, f0. Its text tells it from others."""

    def __init__(self, text: str, added: Callable[[int, int], int]) -> None:
        self.text = text
        self._added = cache(added)

    def __call__(self, f0: int, f1: int) -> int:
        """Return the fan added."""
        return self._added(f0, f1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Jump) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


USUAL_JUMP: Final = Jump(_USUAL, lambda f0, f1: int(f1 * f1 > 2 * f0))


def read_jump(given: object) -> Jump:
    """Read a jump: a formula of f0 and f1 (a truth adds 1, a number itself), or pairs [f0, f1] that add 1, or [f0, f1, n].

    Raises:
        OverlayError: it is neither, or adds less than nothing or far too much.
    """
    if given == _USUAL:
        return USUAL_JUMP
    jump = _of_formula(given) if isinstance(given, str) else _of_pairs(given)
    for f0 in range(_MOST + 1):
        for f1 in range(f0 + 1):
            if not 0 <= jump(f0, f1) <= _MOST_ADDED:
                raise OverlayError(
                    f"jump 在 f0 = {f0}、f1 = {f1} 时加 {jump(f0, f1)} 翻，应在 0 到 {_MOST_ADDED} 之间。",
                    f"jump adds {jump(f0, f1)} for f0 = {f0} and f1 = {f1}; it must be 0 to {_MOST_ADDED}.",
                )
    return jump


def _of_formula(text: str) -> Jump:
    from quepu.rules.formula import parse_numbers

    try:
        run = parse_numbers(text, ("f0", "f1"))
    except Error as error:
        at = (error.at or 0) + 1
        raise OverlayError(
            f"jump 的公式第 {at} 个字符：{error.text.zh}", f"formula of jump, character {at}: {error.text.en}"
        ) from None
    return Jump(text, lambda f0, f1: run({"f0": f0, "f1": f1}))


def _of_pairs(given: Any) -> Jump:
    fits = isinstance(given, list) and len(given) <= _MOST_PAIRS
    if not fits or not all(
        isinstance(one, list) and 2 <= len(one) <= 3 and all(type(n) is int for n in one) and one[1] <= one[0]
        for one in given
    ):
        raise OverlayError(
            f"jump 应是一个公式（如 {_USUAL}），或一张表 [[f0, f1], …]，f0 是较大的；第三个数是加几翻。",
            f"jump must be a formula (as {_USUAL}) or a table [[f0, f1], …], f0 the larger; a third number is the fan "
            "added.",
        )
    table: Mapping[tuple[int, int], int] = {(one[0], one[1]): one[2] if len(one) > 2 else 1 for one in given}
    return Jump(repr(sorted(table.items())), lambda f0, f1: table.get((f0, f1), 0))

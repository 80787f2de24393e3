"""The filter language of the explorer: terms of a name, a sign and a value, all of which must hold.

    shown>=2 turn>=10 early=4m tile=1m

A term is typed and becomes a condition with its values apart, so nothing that a user writes is part of a query's text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from quepu import rulebooks
from quepu.errors import Error, HandError, Text, UnknownName, join_list, near_names
from quepu.explorer.rows import BITS, HALF
from quepu.folding import fold
from quepu.hands.notation import tiles
from quepu.tiles import EAST, KINDS, NAMES, RED, WINDS

_TERM = re.compile(r"([^\s<>=!]+)\s*(<=|>=|!=|=|<|>)\s*([^\s<>=!]+)")
_SIGNS: Final = {"=": "=", "!=": "<>", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
_MOST = 20
GROUPS: Final = ("turn", "tile", "melds", "left", "rules", "player", "seat", "shown")
"""What answers may be grouped by; `shown` needs a term about an opponent."""


class Condition(NamedTuple):
    """A condition in SQL with its values; `{by}` in it stands for an opponent's number."""

    sql: str
    values: tuple[Any, ...] = ()
    opponent: bool = False


class Filter(NamedTuple):
    """Conditions that must all hold, and the terms as they were written."""

    terms: tuple[str, ...]
    conditions: tuple[Condition, ...]
    held: Counter[int]
    """Tiles that the hand must hold, if there are no other terms about it."""

    @property
    def opponent(self) -> bool:
        """Whether it is about an opponent, so that a discard is a case for each of three."""
        return any(one.opponent for one in self.conditions)


def _count(kind: int) -> str:
    """Return the SQL of the copies of a kind in the hand."""
    column, at = ("low", kind) if kind < HALF else ("high", kind - HALF)
    return f"(({column} >> {BITS * at}) & {(1 << BITS) - 1})"


def _sum(kinds: range | tuple[int, ...]) -> str:
    return "(" + " + ".join(_count(kind) for kind in kinds) + ")"


def _number(sql: str, opponent: bool = False) -> Callable[[str, str], Condition]:
    def condition(sign: str, value: str) -> Condition:
        digits = value.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise HandError(f"应是整数，不是“{value}”。", f"expected a whole number, not {value!r}.")
        return Condition(f"{sql} {_SIGNS[sign]} ?", (int(value),), opponent)

    return condition


def _kinds(value: str) -> list[int]:
    try:
        found = [kind for part in re.split("[,，/]", value) for kind in tiles(part)]
    except Error as wrong:
        raise HandError(f"不是牌：{wrong.text.zh}", f"not a tile: {wrong.text.en}") from None
    if not found or max(found) >= KINDS:
        raise HandError(f"应是牌，不是“{value}”。", f"expected tiles, not {value!r}.")
    return found


def _tile(sign: str, value: str) -> Condition:
    _equal(sign)
    found = sorted(set(_kinds(value)))
    marks = ", ".join("?" * len(found))
    return Condition(f"tile {'NOT IN' if sign == '!=' else 'IN'} ({marks})", tuple(found))


def _in_mask(column: str) -> Callable[[str, str], Condition]:
    def condition(sign: str, value: str) -> Condition:
        _equal(sign)
        mask = sum({1 << kind for kind in _kinds(value)})
        return Condition(f"({column} & ?) {'<>' if sign == '!=' else '='} ?", (mask, mask), True)

    return condition


def _holds(sign: str, value: str) -> Condition:
    _equal(sign)
    wanted = Counter(_kinds(value))
    if max(wanted.values()) > 4:
        kind = max(wanted, key=wanted.__getitem__)
        raise HandError(f"{NAMES[kind]} 只有四张。", f"there are only four copies of {NAMES[kind]}.")
    held = " AND ".join(f"{_count(kind)} >= ?" for kind in wanted)
    return Condition(f"NOT ({held})" if sign == "!=" else held, tuple(wanted.values()))


_YES: Final = {"yes": True, "no": False, "是": True, "否": False, "true": True, "false": False}


def _truth(column: str) -> Callable[[str, str], Condition]:
    def condition(sign: str, value: str) -> Condition:
        _equal(sign)
        if fold(value) not in _YES:
            raise HandError(f"应是 yes 或 no，不是“{value}”。", f"expected yes or no, not {value!r}.")
        return Condition(f"{column} {_SIGNS[sign]} ?", (_YES[fold(value)],))

    return condition


def _seat(sign: str, value: str) -> Condition:
    _equal(sign)
    if len(value) != 1 or value.upper() not in WINDS:
        raise HandError(f"应是 E S W N，不是“{value}”。", f"expected E, S, W or N, not {value!r}.")
    return Condition(f"seat {_SIGNS[sign]} ?", (WINDS.index(value.upper()),))


def _rules(sign: str, value: str) -> Condition:
    _equal(sign)
    return Condition(f"rules {_SIGNS[sign]} ?", (rulebooks.book(value).id,))


def _text(column: str) -> Callable[[str, str], Condition]:
    def condition(sign: str, value: str) -> Condition:
        _equal(sign)
        return Condition(f"{column} {_SIGNS[sign]} ?", (value,))

    return condition


def _equal(sign: str) -> None:
    if sign not in ("=", "!="):
        raise HandError(f"这一项只能用 = 或 !=，不能用 {sign}。", f"this takes = or !=, not {sign}.")


class Name(NamedTuple):
    """A name of the language: in Chinese, in words, and how a term with it is read."""

    zh: str
    text: Text
    read: Callable[[str, str], Condition]


DRAGON_KINDS: Final = tuple(range(RED, KINDS))
NAMES_OF: Final[dict[str, Name]] = {
    "rules": Name("规则", Text("规则", "the rulebook"), _rules),
    "player": Name("玩家", Text("打这张的人", "the player who discards"), _text("player")),
    "seat": Name("座位", Text("座位", "the seat"), _seat),
    "turn": Name("巡", Text("第几张打出的牌", "the number of the discard"), _number("turn")),
    "left": Name("余牌", Text("牌墙还剩几张", "tiles left in the wall"), _number('"left"')),
    "tile": Name("打", Text("打的牌", "the discard: one of these tiles"), _tile),
    "drawn": Name("摸切", Text("打的是不是刚摸的牌", "whether it is the tile just drawn"), _truth("as_drawn")),
    "melds": Name("副露", Text("自己亮出几副", "own melds"), _number("melds")),
    "holds": Name("持有", Text("手里有这些牌", "tiles held, such as CCC"), _holds),
    "dragons": Name("三元牌", Text("手里几张箭牌", "dragons held"), _number(_sum(DRAGON_KINDS))),
    "winds": Name("风牌", Text("手里几张风牌", "winds held"), _number(_sum(range(EAST, RED)))),
    "shown": Name("亮出", Text("对手亮出几副", "melds of the opponent"), _number("shown{by}", True)),
    "early": Name(
        "早打", Text("对手前六张里打过", "tiles among the opponent's first six discards"), _in_mask("early{by}")
    ),
    "river": Name("打过", Text("对手打过", "tiles that the opponent has discarded"), _in_mask("river{by}")),
    "won": Name("和了", Text("这一局后来和了没有", "whether the seat won the hand later"), _truth("won")),
}


def read(text: str) -> Filter:
    """Read a filter.

    Raises:
        Error: a term cannot be read, with the term.
    """
    rest = _TERM.sub(" ", text)
    if extra := re.sub(r"[\s,，;；]+", " ", rest).strip():
        raise HandError(
            f"读不懂“{extra[:40]}”：每一项是名称、符号、值，如 turn>=10。",
            f"cannot read {extra[:40]!r}: a term is a name, a sign and a value, such as turn>=10.",
        )
    found = _TERM.findall(text)
    if len(found) > _MOST:
        raise HandError(f"最多 {_MOST} 项。", f"at most {_MOST} terms.")
    known = {fold(word): key for key, name in NAMES_OF.items() for word in (key, name.zh)}
    terms, conditions = [], []
    held: Counter[int] = Counter()
    for word, sign, written in found:
        key, value = known.get(fold(word)), written.strip(",，;；")
        if key is None:
            near = near_names(word, known, most=3)
            listed = join_list(near or NAMES_OF)
            raise UnknownName(f"没有“{word}”这一项，可用：{listed.zh}。", f"no term {word!r}; there are: {listed.en}.")
        try:
            conditions.append(NAMES_OF[key].read(sign, value))
        except Error as wrong:
            zh, en = wrong.text
            raise HandError(f"{word}{sign}{value}：{zh}", f"{word}{sign}{value}: {en}") from None
        if key == "holds" and sign == "=":
            held |= Counter(_kinds(value))
        terms.append(f"{key}{sign}{value}")
    return Filter(tuple(terms), tuple(conditions), held)

"""Try a condition from outside quepu: one hand and a million hands must get the same answer.

A condition is first run on symbols that know their kind (a truth, a number, a plane). That finds what Python and
arrays do differently, such as `and` or a sum of truths, without a hand on which it shows. Then it is asked about sample
hands one at a time and, where numpy is installed, about all of them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from itertools import cycle
from operator import index
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from quepu.errors import OverlayError, Text
from quepu.hands.hand import Luck
from quepu.hands.notation import parse
from quepu.hands.planes import ALL_TILES, Condition, Planes, reads
from quepu.rules.row import ALL, EACH, MOST_OFTEN, Fan
from quepu.rules.symbols import COMPARISONS, Branching, Symbol, Symbols
from quepu.rules.winds_and_flowers import flower_numbers, wind
from quepu.shapes.readings import readings
from quepu.tiles import EAST, NORTH, SOUTH, WEST

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook


class _Kind(Enum):
    TRUTH, NUMBER, PLANE = range(3)


class _Facts(NamedTuple):
    """Facts about a value: its kind, whether it may be negative, its possible bits and size."""

    kind: _Kind
    negative: bool = False
    bits: int = -1
    size: int = 1


class _UnlikeArrays(TypeError):
    """Arithmetic that an array refuses or does differently."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(zh)
        self.text = Text(zh, en)


_BRANCHES: Final = Text(
    "用了 and、or、not、if 或连写的比较，不能一次问许多手牌：请用 &、|、== 0，每个比较加括号",
    "it uses and, or, not, if or a chained comparison, which cannot be asked about many hands at once: "
    "use &, | and == 0, with each comparison in brackets",
)
_SETS: Final = 4
_OF_GROUPS: Final = (frozenset({"c1", "c2", "c3", "c4"}), frozenset({"p", "pc", "k", "pair"}))
"""The planes that a fan of several groups may read, so that arrays can identify its groups."""
_HANDS: Final = (
    "123m456p789sCCEE+E", "111m444p777s9s(EEE)+9s", "2233445566778m+8m", "19m19p19sESWNCFP+1m",
    "147m258p369sESWN+C", "147m258p369sEEE5p+5p", "[1111m][9999p][EEEE][CCCC]5s+5s", "(1111m)(2222m)(3333m)(4444m)C+C",
    "1112345678999m+5m", "123123123123m9m+9m", "(123m)(123m)(123m)234p5s+5s", "222333444666s8s+8s",
    "1122334455667p+7p", "EEESSSWWWNNNC+C", "CCCFFFPP123m99s+P", "234m234p234s567s5m+5m", "1m1m9m9m1p1p9p9p1s1s9s9sE+E",
    "2m2m2m2m4p4p4p4p6s6s6s6sE+E", "345m45p345s567p55s+6p", "12m456m789p111s99s+3m",
    "(123m)(123m)(123m)(123m)5s+5s", "34m456p789sEE(2222m)+5m",
)  # fmt: skip
_LUCKS: Final = (0, *Luck, Luck.SELF_DRAW | Luck.LAST_DRAW | Luck.KONG_DRAW)
_FLOWERS: Final[tuple[tuple[int, ...] | int, ...]] = ((), (0, 4), (0, 1, 2, 3, 4, 5, 6, 7), 3, (7,))
_WINDS: Final = (EAST, SOUTH, WEST, NORTH)
"""Lists of lengths without a common divisor, so that all their combinations come."""
_EXTREMES: Final = tuple(("", Planes(*[plane] * len(Planes._fields))) for plane in (0, 1, ALL_TILES))
"""Planes of no hand: empty and full."""


def try_conditions(fan: Fan, *, by_groups: bool = False) -> None:
    """Refuse a fan whose conditions give different answers for one hand and for many.

    `by_groups`: it also matters in the book which groups a fan is made of.

    Raises:
        OverlayError: naming the fan.
    """
    if fan.joins:
        _refuse(
            fan,
            "关联几副牌的番种（joins）不能另加，条件也不能改",
            "a fan that relates sets to each other (joins) cannot be added, nor can its condition be changed",
        )
    _try(fan, fan.when, of_places=fan.of == EACH)
    if by_groups and fan.of > ALL:
        refuse_unclear_groups(fan)
    if fan.on is not None:
        _try(fan, fan.on, of_places=True)


def refuse_unclear_groups(fan: Fan) -> None:
    """Refuse a fan of some groups if arrays cannot tell which groups make it.

    Raises:
        OverlayError: naming the fan.
    """
    if not _groups_are_clear(fan):
        chows, pungs = (" ".join(sorted(planes)) for planes in _OF_GROUPS)
        _refuse(
            fan,
            f"由 {fan.of} 副组成（of={fan.of}）的条件只能看 {chows}，或只看 {pungs}；看别的请用 of=ALL",
            f"the condition of a fan of {fan.of} sets (of={fan.of}) may look at {chows} alone or at {pungs} alone; use "
            "of=ALL to look at more",
        )


def _groups_are_clear(fan: Fan) -> bool:
    """Return whether arrays can identify the groups that make a fan."""
    if fan.of >= _SETS and "pair" not in fan.reads:
        return True
    return any(frozenset() < fan.reads - {"seat"} <= planes for planes in _OF_GROUPS)


def _refuse(fan: Fan, zh: str, en: str) -> NoReturn:
    raise OverlayError(f"番种“{fan.name}”：{zh}。", f"fan {fan.name!r}: {en}.") from None


def _try(fan: Fan, when: Condition, *, of_places: bool) -> None:
    try:
        reads(when)
        _check_kind(fan, _Kinds().result(when), of_places)
        _compare(fan, when, of_places)
    except _UnlikeArrays as error:
        _refuse(fan, *error.text)
    except Branching:
        _refuse(fan, *_BRANCHES)
    except OverlayError:
        raise
    except Exception as error:  # noqa: BLE001 - a condition is anybody's code and may raise anything
        _refuse(
            fan,
            f"条件无法计算（{type(error).__name__}：{error}）",
            f"its condition cannot be worked out ({type(error).__name__}: {error})",
        )


def _check_kind(fan: Fan, found: _Facts, of_places: bool) -> None:
    kind, negative, bits, _ = found
    if of_places and kind is not _Kind.PLANE:
        _refuse(
            fan,
            "of=EACH 的条件和 on 应给出各处所在的牌",
            "a condition of EACH, or `on`, must give the plane of its places",
        )
    if not of_places and kind is _Kind.PLANE:
        _refuse(
            fan,
            "条件给出的是一组牌，应是真假或次数：请写 (…) != 0 或 count(…)",
            "its condition gives a set of tiles, but must be a truth or a number of times: write (…) != 0 or count(…)",
        )
    if of_places and bits & ~ALL_TILES:
        _refuse(
            fan,
            "条件给出的各处可能不是牌：请在最后加 & ALL_TILES",
            "its condition may give places that are not tiles: end it with & ALL_TILES",
        )
    if negative:
        _refuse(
            fan,
            "条件给出的次数可能小于 0：请写成 n * (n > 0)",
            "its condition may give a number below 0: write n * (n > 0)",
        )


class _Kinds(Symbols):
    """Symbols that are never folded and know their kind; operations that arrays do differently are refused."""

    def __init__(self) -> None:
        super().__init__()
        self._facts: dict[Symbol, _Facts] = {}

    def result(self, when: Condition) -> _Facts:
        """Return facts about the results of a condition."""
        found = when(self.planes)
        if not isinstance(found, Symbol) and not hasattr(found, "__index__"):
            raise _UnlikeArrays(
                f"条件给出 {found!r}，应是真假或次数",
                f"its condition gives {found!r}, but must be a truth or a number of times",
            )
        facts = self._of(found if isinstance(found, Symbol) else self._constant(found))
        if facts.size >= _LARGEST:
            raise _UnlikeArrays(*_TOO_LARGE)
        return facts

    def make(self, op: str, *parts: Any) -> Symbol:
        """Record an operation as it is written."""
        made = self._intern(op, tuple([x if isinstance(x, Symbol) else self._constant(x) for x in parts]))
        self._of(made)
        return made

    def _constant(self, value: Any) -> Symbol:
        if not isinstance(value, bool):
            return self.const(index(value))
        made = self._intern("truth", (value,))
        self._facts[made] = _Facts(_Kind.TRUTH, bits=1)
        return made

    def _of(self, x: Symbol) -> _Facts:
        if x not in self._facts:
            self._facts[x] = self._evaluate(x)
        return self._facts[x]

    def _evaluate(self, x: Symbol) -> _Facts:
        if x.op == "plane":
            bits = _NO_TILES.get(x.leaf, ALL_TILES)
            return _Facts(_Kind.PLANE, False, bits, bits)
        if x.op == "const":
            return _Facts(_Kind.NUMBER, x.leaf < 0, x.leaf, abs(x.leaf))
        some = [self._of(a) for a in x.args]
        if x.op in (*COMPARISONS, "count", ">>") and max(one.size for one in some) >= _LARGEST:
            raise _UnlikeArrays(*_TOO_LARGE)
        if x.op in COMPARISONS:
            return _Facts(_Kind.TRUTH, bits=1)
        truths = all(one.kind is _Kind.TRUTH for one in some)
        if truths and x.op in "&|^*":
            return _Facts(_Kind.TRUTH, bits=1)
        if truths or (x.op == "-" and some[1].kind is _Kind.TRUTH and x.args[0].op == "const"):
            raise _UnlikeArrays(
                f"条件对真假用了 {x.op}，一手牌与许多手牌结果不同：请先乘 1，如 (h.p != 0) * 1",
                f"its condition uses {x.op} on truths, which comes out differently for one hand and for many: multiply "
                "them by 1 first, as in (h.p != 0) * 1",
            )
        if x.op == "count":
            (of,) = some
            return _Facts(_Kind.NUMBER, size=_BITS if of.bits < 0 else of.bits.bit_count())
        return _combine(x, some)._replace(size=_size(x, some))


_NO_TILES: Final = {"form": 0xFFFF, "place": 0xFF, "luck": (1 << 24) - 1, "flowers": 0xFFFF}
"""Planes of other things than tiles, with their largest values."""
_BITS: Final = 64
_LARGEST: Final = 1 << _BITS - 1
_UNBOUNDED: Final = 2 * _LARGEST
_TOO_LARGE: Final = Text(
    "条件会算出超过 63 位的数，许多手牌一起问时要溢出：请先用 & 截短",
    "its condition may work out numbers beyond 63 bits, which overflow for many hands: mask them with & first",
)


def _size(x: Symbol, some: Sequence[_Facts]) -> int:
    """Return the largest absolute value of an operation; infinity if it is unbounded."""
    sizes = [one.size for one in some]
    if x.op == "&":
        return min([one.size for one in some if not one.negative], default=max(sizes) + 1)
    if x.op in "|^~":
        return (1 << max(sizes).bit_length()) - 1 + any(one.negative for one in some)
    first, last = sizes
    if x.op == "*":
        return min(first * last, _UNBOUNDED)
    if x.op == "<<":
        return _UNBOUNDED if some[1].negative or last >= _BITS else first << last
    return first if x.op == ">>" else first + last


def _find_shift(x: Symbol) -> int | None:
    """Return by how many bits a shift moves, or None if it may be other than 0 to 63."""
    _, by = x.args
    return by.leaf if by.op == "const" and 0 <= by.leaf < _BITS else None


def _combine(x: Symbol, some: Sequence[_Facts]) -> _Facts:
    """Return facts about the result of an operation on numbers and planes."""
    first, last = some[0], some[-1]
    kind = _Kind.PLANE if _Kind.PLANE in (first.kind, last.kind) else _Kind.NUMBER
    negative = first.negative or last.negative
    if x.op == "&":
        return _Facts(kind, first.negative and last.negative, first.bits & last.bits)
    if x.op in "|^":
        return _Facts(kind, negative, first.bits | last.bits)
    if x.op in ("<<", ">>"):
        by = _find_shift(x)
        bits = -1 if by is None or first.bits < 0 else first.bits << by if x.op == "<<" else first.bits >> by
        return _Facts(_Kind.NUMBER if first.kind is _Kind.TRUTH else first.kind, first.negative, bits)
    if x.op == "*":
        a, b = x.args
        bits = last.bits if first.kind is _Kind.TRUTH else first.bits if last.kind is _Kind.TRUTH else -1
        return _Facts(kind, negative and not (_positive_part(a, b) or _positive_part(b, a)), bits)
    return _Facts(kind, negative or not (x.op == "+" or _counts_past_first(x)))


def _counts_past_first(x: Symbol) -> bool:
    """Return whether a difference is a count without the first of them: count(a | b) - (a != 0)."""
    if x.op != "-" or [a.op for a in x.args] != ["count", "!="]:
        return False
    more, less = x.args
    if less.args[1].op != "const" or less.args[1].leaf != 0:
        return False
    parts = list(more.args)
    while parts:
        part = parts.pop()
        if part is less.args[0]:
            return True
        parts += part.args if part.op == "|" else ()
    return False


def _positive_part(x: Symbol, where: Symbol) -> bool:
    """Return whether `where` keeps only the positive part of a difference: (a - b) * (a > b), n * (n > 0)."""
    if where.op not in ("<", "<=", ">", ">="):
        return False
    more, less = where.args if where.op[0] == ">" else where.args[::-1]
    if x is more and less.op == "const" and less.leaf >= 0:
        return True
    return bool(x.op == "-" and x.args[0] is more and x.args[1] is less)


def _compare(fan: Fan, when: Condition, of_places: bool) -> None:
    """Evaluate a condition on sample hands one by one and together, and compare."""
    alone = [(text, index(when(h))) for text, h in (*_named_samples(), *_EXTREMES)]
    for text, n in alone:
        if text and not of_places and n > MOST_OFTEN:
            _refuse(
                fan,
                f"条件对 {text} 给出 {n} 次，最多 {MOST_OFTEN} 次",
                f"its condition holds {n} times in {text}; {MOST_OFTEN} times is the most",
            )
    for (text, one), many in zip(alone, _together(when), strict=False):
        if one != many:
            where = (f"对 {text} ", f" of {text}") if text else ("", "")
            _refuse(
                fan,
                f"条件{where[0]}单独问得 {one}，与许多手牌一起问得 {many}",
                f"its condition gives {one}{where[1]} alone and {many} among many hands",
            )


def _together(when: Condition) -> list[int]:
    """Return the results for all samples in one call on arrays; [] without numpy."""
    try:
        import numpy as np
    except ImportError:
        return []
    rows = np.array([h for _, h in (*_named_samples(), *_EXTREMES)], np.int64)
    with np.errstate(all="ignore"):
        found = np.asarray(when(Planes(*rows.T)))
        answers: list[int] = np.broadcast_to(found, (len(rows),)).astype(np.int64).tolist()
    return answers


def tell_apart(one: Condition, other: Condition, books: Sequence[Rulebook]) -> bool:
    """Whether two conditions hold otherwise in some sample hand, or one that (nearly) shows a fan of a book."""
    hands = [h for _, h in _named_samples()]
    for book in books:
        hands += shown_hands(book)
    return any(index(one(h)) != index(other(h)) for h in hands)


def shown_hands(book: Rulebook) -> list[Planes]:
    """Readings of the hands that show a fan of the book, and of those that almost do."""
    found: list[Planes] | None = book.notes.get("shown hands")
    if found is None:
        found = []
        for fan in book.fans:
            for shown in filter(None, (fan.example, fan.near_miss)):
                hand = parse(shown.hand)
                luck = int(Luck.SELF_DRAW) * shown.self_draw
                for name in shown.circumstances:
                    luck |= int(book.circumstances.get(book.near.get(name, name), 0))
                flowers = flower_numbers(shown.flowers)
                hand = hand._replace(luck=luck, seat=wind(shown.seat), round=wind(shown.round), flowers=flowers)
                found += [reading.h for reading in readings(hand, book.shapes)]
        book.notes["shown hands"] = found
    return found


@lru_cache(1)
def _named_samples() -> tuple[tuple[str, Planes], ...]:
    """Return readings of hands of every kind, with luck and flowers, each with the text of its hand."""
    found = []
    shapes = ("standard", "any_pairs", "orphans", "loose", "knitted")
    lucks, flowers, seats, rounds = cycle(_LUCKS), cycle(_FLOWERS), cycle(_WINDS), cycle(_WINDS)
    for text in _HANDS:
        hand = parse(text)._replace(round=next(rounds))
        for _ in range(3):
            situated = hand._replace(luck=int(next(lucks)), flowers=next(flowers), seat=next(seats))
            found += [(text, reading.h) for reading in readings(situated, shapes)]
    return tuple(found)

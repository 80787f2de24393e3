"""Find a hand with some fans, without others, of given points; or prove that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import HandError, Text, many
from quepu.fast.universe.census import PUNGS
from quepu.fast.universe.classed import OVERLAPPING
from quepu.fast.universe.classed_cache import classed_for
from quepu.fast.universe.collected import Several
from quepu.fast.universe.standard_hands import HandState
from quepu.fast.universe.valued import Valued, valued
from quepu.hands.hand import Hand
from quepu.hands.notation import tiles_text
from quepu.hands.planes import Planes
from quepu.lab.captions import exactly, fan_words
from quepu.lab.hand_text import reading_text
from quepu.lab.nearest_hand import Nearest, nearest
from quepu.lab.sheet import Sheet, SheetColumn, format_value
from quepu.rules.rulebook import Rulebook

Array = NDArray[Any]


class FoundHand(NamedTuple):
    """A found hand: its groups, points, fans that count, and the number of such kinds of hands.

    Examples:
        >>> import quepu
        >>> from quepu.lab.states import state
        >>> found = find_hands(quepu.book("guobiao-mcr"), state("closed-discard"), fans=["清一色", "碰碰和"])
        >>> found.examples[0]
        FoundHand(text='222m 333m 555m 666m 11m', points=48, fans=('清一色', '三暗刻', '碰碰和', '门前清'), hands=107)
    """

    text: str
    points: int
    fans: tuple[str, ...]
    hands: int


class Found(NamedTuple):
    """The exact number of matching winning hands of the state, and examples, the fewest points first.

    Examples:
        >>> import quepu
        >>> from quepu.lab.states import state
        >>> find_hands(quepu.book("guobiao-mcr"), state("closed-discard"), fans=["清一色", "五门齐"])
        Found(hands=0, examples=())
    """

    hands: int
    examples: tuple[FoundHand, ...]


class Wanted(NamedTuple):
    """A wanted hand: fans that count, fans that do not, at least and at most this many points.

    Examples:
        >>> Wanted(("清一色",), without=("七对",), least=30)
        Wanted(fans=('清一色',), without=('七对',), least=30, most=None)
    """

    fans: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None

    def classes(self, under: Valued) -> Array:
        """Return the book's classes that match: bool.

        Raises:
            UnknownName: the book has no such fan.
        """
        book, counts, points = under.book, under.classes.counts, under.classes.points
        rows, others = ([book.index[book.fan(name).name] for name in names] for names in (self.fans, self.without))
        wanted = (counts[:, rows] > 0).all(axis=1) & ~(counts[:, others] > 0).any(axis=1) & (points >= self.least)
        return wanted if self.most is None else wanted & (points <= self.most)


def find_nearest(book: Rulebook, state: HandState, wanted: Wanted, hand: Hand, examples: int = 5) -> Nearest:
    """Find the wanted hands of a state that are the fewest tiles away from this one; melds on the table stay.

        >>> import quepu
        >>> from quepu.lab.states import state
        >>> book, hand = quepu.book("guobiao-mcr"), quepu.parse("123456m1122s789m+9m")
        >>> find_nearest(book, state("closed-discard"), Wanted(("清一色",)), hand, 1).away
        4

    Raises:
        UnknownName: the book has no such fan.
        HandError: more tiles than a hand has, or a state in which each tile is the last in turn.
    """
    if state.each:
        raise HandError(
            f"“{state.text.zh}”里不能找最近的和牌：请换一种和牌。",
            f"no nearest hand is found in “{state.text.en}”: choose another state.",
        )
    under = valued(book, classed_for((book,), state))
    return nearest(under, wanted.classes(under), hand, examples)


def find_hands(
    book: Rulebook, state: HandState, *, fans: Sequence[str] = (), without: Sequence[str] = (), least: int = 0,
    most: int | None = None, examples: int = 10,
) -> Found:  # fmt: skip
    """Find every winning hand of a state whose best counting has all of `fans` and none of `without`.

        >>> import quepu
        >>> from quepu.lab.states import state
        >>> find_hands(quepu.book("guobiao-mcr"), state("closed-discard"), fans=["清一色", "碰碰和"]).hands
        1800

    The search is exhaustive, so that a `hands` of 0 proves that there is none.

    Raises:
        UnknownName: the book has no such fan.
    """
    under = valued(book, classed_for((book,), state))
    wanted, points = Wanted(tuple(fans), tuple(without), least, most).classes(under), under.classes.points
    number, hands, readings = _hands(under)
    fits = wanted[number]
    total = np.zeros(len(points), np.int64)
    np.add.at(total, number[fits], hands[fits])
    at = np.flatnonzero(fits & (hands > 0))
    _, first = np.unique(number[at], return_index=True)
    at = at[first]
    at = at[np.lexsort((-total[number[at]], points[number[at]]))][:examples]
    return Found(
        int(total.sum()),
        tuple(
            FoundHand(
                reading_text(Planes(*readings[i].tolist())),
                int(points[number[i]]),
                tuple(book.fans[c.row].name for c in under.classes.tallies[number[i]].counted),
                int(total[number[i]]),
            )
            for i in at.tolist()
        ),
    )


def _hands(under: Valued) -> tuple[Array, Array, Array]:
    """Return kinds of hands by their best reading: the book's class, how many (negative if subtracted), a reading."""
    columns: list[tuple[Array, ...]] = []
    for name, part in under.classed.parts.items():
        sign = -1 if name == OVERLAPPING else 1
        code = part.single[:, 0] // PUNGS
        columns.append((under.number[code], sign * part.single[:, 1], under.classed.examples[code]))
        several: Several = part.several
        best = under.best(several)
        columns.append((under.number[several.code[best] // PUNGS], sign * several.hands, several.examples[best]))
    number, hands, examples = (np.concatenate(column) for column in zip(*columns, strict=True))
    return number, hands, examples


def nearest_sheet(book: Rulebook, state: HandState, hand: Hand, found: Nearest) -> Sheet:
    """Tabulate the nearest hands: which tiles to give away, and which to get.

    Examples:
        >>> import quepu
        >>> from quepu.lab.states import state
        >>> book, closed = quepu.book("guobiao-mcr"), state("closed-discard")
        >>> hand = quepu.parse("123456m1122s789m+9m")
        >>> found = find_nearest(book, closed, Wanted(("清一色",)), hand, 1)
        >>> nearest_sheet(book, closed, hand, found).rows[0][2:4]
        ('1122s', '1139m')
    """
    columns = (
        SheetColumn("example", Text("牌例", "example")),
        SheetColumn("points", Text("点数", "points"), "int"),
        SheetColumn("out", Text("换出", "give")),
        SheetColumn("into", Text("换入", "get")),
        SheetColumn("fans", Text("番种", "fans"), "fans"),
    )
    rows = [
        (one.text, one.points, tiles_text(one.out), tiles_text(one.into), "、".join(one.fans)) for one in found.examples
    ]
    n = format_value(found.hands, "int")
    line = Text(
        f"最近的差 {found.away} 张，共 {n} 种",
        f"the nearest hands are {many(found.away or 0, 'tile')} away; there are {n}",
    )
    if found.away is None:
        line = _none_in(state)
    title = Text(f"{book.title.zh}：离 {hand} 最近的和牌", f"{book.title.en}: winning hands nearest to {hand}")
    facts = {"away": found.away, "hands": found.hands}
    return Sheet("nearest", title, exactly(book, state), columns, rows, facts, [line], words=fan_words(book))


def _none_in(state: HandState) -> Text:
    return Text(
        f"没有这样的和牌：“{state.text.zh}”的和牌已全部查过。",
        f"no such hand: every winning hand was checked ({state.text.en}).",
    )


def find_sheet(book: Rulebook, state: HandState, found: Found) -> Sheet:
    """Tabulate the found hands, one of each kind.

    Examples:
        >>> import quepu
        >>> from quepu.lab.states import state
        >>> book, closed = quepu.book("guobiao-mcr"), state("closed-discard")
        >>> find_sheet(book, closed, find_hands(book, closed, fans=["清一色", "碰碰和"], examples=1)).rows
        [(48, 107, '222m 333m 555m 666m 11m', '清一色、三暗刻、碰碰和、门前清')]
    """
    columns = (
        SheetColumn("points", Text("点数", "points"), "int"),
        SheetColumn("hands", Text("同类", "such hands"), "int"),
        SheetColumn("example", Text("牌例", "example")),
        SheetColumn("fans", Text("番种", "fans"), "fans"),
    )
    rows = [(one.points, one.hands, one.text, "、".join(one.fans)) for one in found.examples]
    n = format_value(found.hands, "int")
    line = Text(f"共 {n} 种和牌符合要求", f"{n} winning hands match")
    if not found.hands:
        line = _none_in(state)
    title = Text(f"{book.title.zh}：找一副牌（{state.text.zh}）", f"{book.title.en}: find a hand ({state.text.en})")
    return Sheet(
        "find", title, exactly(book, state), columns, rows, {"hands": found.hands}, [line], words=fan_words(book)
    )

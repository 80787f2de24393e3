"""国标's arithmetic: its five principles, from what holds in one reading to the points it is worth.

- 不重复: a fan that another one brings with it is not counted again: `drops` of the rows, by name. A row that counts
  once for each place (幺九刻 …) loses only the places that the dropping fan covers (`on`).
- 不拆移, 不得相同, 就高不就低, 套算一次 govern the fans that relate sets to each other (`joins`): see `forest`.
- What comes to nothing at all is worth 无番和. 花牌 stands beside the points.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.occurrences import Parts, occurrences, planes_of
from quepu.planes import SUIT_TILES, WINDS, Condition, Planes, count
from quepu.readings import CHOW, PUNG, Group
from quepu.rulebook import EACH, Counted, Dropped, Hits, Rulebook, Tally
from quepu.tiles import kinds_of

_MEMO_MOST = 1 << 15


class Edge(NamedTuple):
    """One occurrence of a fan that relates sets: what it is worth, its row, and the sets as a mask."""

    value: int
    row: int
    sets: int


def forest(edges: list[Edge]) -> tuple[list[Edge], list[Edge]]:
    """套算一次: which occurrences count, and which do not.

    Sets are points and each occurrence an edge between two, three or four of them. Dearest first (就高不就低; among
    equals in the book's order), an edge counts if it joins what is not joined yet: what is combined is never taken
    apart again (不拆移), and each set not yet combined is combined once with those that are (套算一次). So what
    counts is a forest. A test shows on every set of sets there is that this choice is the dearest legal one and that
    不得相同 then holds by itself.
    """
    chosen: list[Edge] = []
    refused: list[Edge] = []
    islands: list[int] = []  # sets joined so far, as masks that never overlap
    for edge in sorted(edges, key=lambda e: (-e.value, e.row, e.sets)):
        touched = [island for island in islands if island & edge.sets]
        if any((island & edge.sets).bit_count() > 1 for island in touched):
            refused.append(edge)
            continue
        chosen.append(edge)
        islands = [island for island in islands if not island & edge.sets] + [edge.sets | sum(touched) & ~edge.sets]
    return chosen, refused


def sets_of(chows: tuple[int, int, int, int], pungs: int) -> tuple[Group, ...]:
    """The sets on these planes, as groups: chows as often as they stand there, then pungs."""
    starts = sorted(kind for plane in chows for kind in kinds_of(plane))
    return tuple(Group(CHOW, kind) for kind in starts) + tuple(Group(PUNG, kind) for kind in kinds_of(pungs))


class _Joined(NamedTuple):
    """What the fans that relate sets come to for some sets."""

    points: int
    counted: tuple[Counted, ...]
    dropped: tuple[Dropped, ...]
    steps: tuple[Text, ...]


_NOTHING = _Joined(0, (), (), ())
_CHOW_KEY: Callable[[Planes], Any] = attrgetter("c1", "c2", "c3", "c4")


class _Plan:
    """A book's rows made ready for adding up."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book  # kept, so that its id stays its own
        fans = book.fans
        self.values: list[int] = [fan.value for fan in fans]
        self.worth = [{"fan": value} for value in self.values]
        self.drops = book.drops
        self.joins = sum(1 << i for i, fan in enumerate(fans) if fan.joins)
        self.pung_joins = sum(1 << i for i, fan in enumerate(fans) if fan.joins and "p" in fan.reads)
        self.chow_joins = self.joins & ~self.pung_joins
        self.each = [fan.of == EACH for fan in fans]
        self.beside = [bool(fan.extra.get("beside")) for fan in fans]
        self.when_nothing = next((i for i, fan in enumerate(fans) if fan.extra.get("when_nothing")), None)
        self.joined: dict[Any, _Joined] = {}
        self._counted: dict[tuple[int, int], Counted] = {}
        self._dropped: dict[tuple[int, int], Dropped] = {}

    def counted(self, row: int, times: int) -> Counted:
        found = self._counted.get((row, times))
        if found is None:
            found = self._counted[row, times] = Counted(row, times, self.worth[row])
        return found

    def dropped(self, row: int, hits: Hits) -> Dropped:
        by = min(i for i, _ in hits if self.drops[i] >> row & 1)
        found = self._dropped.get((row, by))
        if found is None:
            name, english = self.book.fans[by].name, self.book.fans[by].english
            why = Text(f"不重复：已含于{name}", f"not repeated: it comes with {english}")
            found = self._dropped[row, by] = Dropped(row, by, why)
        return found

    def places_left(self, row: int, places: int, hits: Hits, h: Planes) -> int:
        """The places of a row that counts each of them, less those that the fans dropping it cover."""
        for i, n in hits:
            if self.drops[i] >> row & 1:
                on = self.book.fans[i].on
                places &= ~(on(h) if on else n if self.each[i] else -1)
        return places

    def join(self, rows: int, h: Planes, chows: bool) -> _Joined:
        """What these rows come to by 套算一次; they hold in `h` and relate its chows, or its pungs."""
        key = (rows, *_CHOW_KEY(h)) if chows else (rows, h.p & SUIT_TILES)
        found = self.joined.get(key)
        if found is None:
            if len(self.joined) >= _MEMO_MOST:
                self.joined.clear()
            sets = sets_of(_CHOW_KEY(h), 0) if chows else sets_of((0, 0, 0, 0), h.p & SUIT_TILES)
            found = self.joined[key] = self._join(rows, sets, h)
        return found

    def _join(self, rows: int, sets: tuple[Group, ...], h: Planes) -> _Joined:
        parts = Parts(sets, planes_of(sets, h))
        fans = self.book.fans
        edges = [
            Edge(self.values[i], i, mask)
            for i in range(len(fans))
            if rows >> i & 1
            for mask in occurrences(fans[i], parts)
        ]
        chosen, refused = forest(edges)

        def said(edge: Edge) -> str:
            return " ".join(group.text() for group in parts.named(edge.sets))

        counted = []
        for row in sorted({edge.row for edge in chosen}):
            where = [said(edge) for edge in chosen if edge.row == row]
            counted.append(Counted(row, len(where), self.worth[row], Text("；".join(where), "; ".join(where))))
        dropped = []
        for row in sorted({edge.row for edge in refused}):
            edge = next(edge for edge in refused if edge.row == row)
            within = next((e for e in chosen if e.sets & edge.sets == edge.sets and e.row != row), None)
            if within is None:
                why = Text(f"套算一次：{said(edge)} 已相连", f"combined once: {said(edge)} are already joined")
            else:
                name, english = fans[within.row].name, fans[within.row].english
                mine = said(edge)
                why = Text(f"不拆移：{mine} 已组成{name}", f"not taken apart: {mine} already make {english}")
            dropped.append(Dropped(row, within.row if within else None, why))
        step = Text(
            "套算：" + "，".join(f"{fans[e.row].name}（{said(e)}）" for e in chosen),
            "Combined: " + ", ".join(f"{fans[e.row].english} ({said(e)})" for e in chosen),
        )
        return _Joined(sum(e.value for e in chosen), tuple(counted), tuple(dropped), (step,))


class Principles:
    """国标's way from the fans that hold to points: 不重复, 不拆移, 不得相同, 就高不就低, 套算一次."""

    reads: tuple[str, ...] = ("c1", "c2", "c3", "c4", "p")
    decides: tuple[
        Condition, ...
    ] = (  # 套算 depends only on how many couples each join relates; places only on what `on` may cover
        lambda h: count(h.p & WINDS),
        lambda h: count(h.p & (h.seat | h.round)),
    )

    def __init__(self) -> None:
        self._plans: dict[int, _Plan] = {}

    def combine(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """The points of one reading (seed 003, 计分原则 1-5)."""
        plan = self._plans.get(id(book))
        if plan is None:
            plan = self._plans[id(book)] = _Plan(book)
        live = gone = 0
        for i, _ in hits:
            live |= 1 << i
            gone |= plan.drops[i]
        points = bonus = 0
        counted: list[Counted] = []
        dropped: list[Dropped] = []
        for i, n in hits:
            if gone >> i & 1:
                left = plan.places_left(i, n, hits, h) if plan.each[i] else 0
                if left != n:
                    dropped.append(plan.dropped(i, hits))
                if not left:
                    continue
                n = left  # noqa: PLW2901 - the places that still count
            elif plan.joins >> i & 1:
                continue
            times = n.bit_count() if plan.each[i] else n
            if plan.beside[i]:
                bonus += times * plan.values[i]
            else:
                points += times * plan.values[i]
            counted.append(plan.counted(i, times))
        live &= ~gone
        chows = plan.join(live & plan.chow_joins, h, True) if live & plan.chow_joins else _NOTHING
        pungs = plan.join(live & plan.pung_joins, h, False) if live & plan.pung_joins else _NOTHING
        points += chows.points + pungs.points
        counted += chows.counted
        counted += pungs.counted
        if not points and plan.when_nothing is not None:
            points = plan.values[plan.when_nothing]
            counted.append(plan.counted(plan.when_nothing, 1))
        counted.sort()
        sums = "+".join(
            str(plan.values[row]) if times == 1 else f"{plan.values[row]}×{times}"
            for row, times, _, _ in counted
            if not plan.beside[row]
        )
        how = Text(f"{sums}={points} 番", f"{sums} = {points} fan")
        return Tally(
            points,
            {"fan": points},
            tuple(counted),
            (*dropped, *chows.dropped, *pungs.dropped),
            how,
            chows.steps + pungs.steps,
            bonus,
        )

"""国标's arithmetic: its five principles, from what holds in one reading to the points it is worth.

- 不重复: a fan that another one brings with it is not counted again: `drops` of the rows, by name. A row that counts
  once for each place (幺九刻 …) loses only the places that the dropping fan covers (`on`).
- 不拆移, 不得相同, 就高不就低, 套算一次 govern the fans that relate sets to each other (`joins`): see `forest`.
- What comes to nothing at all is worth 无番和. 花牌 stands beside the points.

What a reading is worth follows from its hits alone (a relation of two sets holds as often as there are such pairs of
sets), so tallies are remembered by them; which sets a fan relates is worked out when somebody asks (`told`).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.occurrences import Parts, occurrences, planes_of
from quepu.planes import SUIT_TILES, WINDS, Condition, Planes, count
from quepu.rulebook import EACH, Counted, Dropped, Hits, Pays, Rulebook, Tally
from quepu.tiles import kinds_of
from quepu.win import CHOW, PUNG, Group


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
    """What the fans that relate sets come to."""

    points: int
    counted: tuple[Counted, ...]
    dropped: tuple[Dropped, ...]
    steps: tuple[Text, ...] = ()


_NOTHING = _Joined(0, (), ())
_CHOWS: Callable[[Planes], Any] = attrgetter("c1", "c2", "c3", "c4")


class _Plan:
    """A book's rows made ready for adding up."""

    def __init__(self, book: Rulebook) -> None:
        fans = self.fans = book.fans
        self.values: list[int] = [fan.value for fan in fans]
        self.worth = [{"fan": value} for value in self.values]
        self.drops = book.drops
        self.joins = sum(1 << i for i, fan in enumerate(fans) if fan.joins)
        self.about_pungs = sum(1 << i for i, fan in enumerate(fans) if fan.joins and "p" in fan.reads)
        self.each = [fan.of == EACH for fan in fans]
        self.beside = [bool(fan.extra.get("beside")) for fan in fans]
        self.when_nothing = next((i for i, fan in enumerate(fans) if fan.extra.get("when_nothing")), None)
        self._joined: dict[Hits, _Joined] = {}
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
            name, english = self.fans[by].name, self.fans[by].english
            why = Text(f"不重复：已含于{name}", f"not repeated: it comes with {english}")
            found = self._dropped[row, by] = Dropped(row, by, why)
        return found

    def places_left(self, row: int, places: int, hits: Hits, h: Planes) -> int:
        """The places of a row that counts each of them, less those that the fans dropping it cover."""
        for i, n in hits:
            if self.drops[i] >> row & 1:
                on = self.fans[i].on
                places &= ~(on(h) if on else n if self.each[i] else -1)
        return places

    def join(self, live: Hits, h: Planes) -> _Joined:
        """What these hits of relating rows come to by 套算一次; all of them relate chows, or all of them pungs."""
        if len(live) == 1 and live[0][1] == 1:
            row = live[0][0]
            return _Joined(self.values[row], (self.counted(row, 1),), ())
        found = self._joined.get(live)
        if found is None:
            chosen, _, _ = self._forest(live, h)
            rows = [edge.row for edge in chosen]
            counted = tuple(self.counted(row, rows.count(row)) for row in sorted(set(rows)))
            why = Text("套算一次：这几副牌已经组合", "combined once: its sets are joined already")
            dropped = tuple(Dropped(row, None, why) for row, _ in live if row not in rows)
            found = self._joined[live] = _Joined(sum(edge.value for edge in chosen), counted, dropped)
        return found

    def told(self, live: Hits, h: Planes) -> _Joined:
        """As `join`, with the sets that each fan relates."""
        chosen, refused, parts = self._forest(live, h)

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
            mine = said(edge)
            if within is None:
                why = Text(f"套算一次：{mine} 已相连", f"combined once: {mine} are already joined")
            else:
                name, english = self.fans[within.row].name, self.fans[within.row].english
                why = Text(f"不拆移：{mine} 已组成{name}", f"not taken apart: {mine} already make {english}")
            dropped.append(Dropped(row, within.row if within else None, why))
        step = Text(
            "套算：" + "，".join(f"{self.fans[e.row].name}（{said(e)}）" for e in chosen),
            "Combined: " + ", ".join(f"{self.fans[e.row].english} ({said(e)})" for e in chosen),
        )
        return _Joined(sum(e.value for e in chosen), tuple(counted), tuple(dropped), (step,))

    def _forest(self, live: Hits, h: Planes) -> tuple[list[Edge], list[Edge], Parts]:
        pungs = self.about_pungs >> live[0][0] & 1
        sets = sets_of((0, 0, 0, 0), h.p & SUIT_TILES) if pungs else sets_of(_CHOWS(h), 0)
        parts = Parts(sets, planes_of(sets, h))
        edges = [Edge(self.values[i], i, mask) for i, _ in live for mask in occurrences(self.fans[i], parts)]
        return *forest(edges), parts


class Principles:
    """国标's way from the fans that hold to points: 不重复, 不拆移, 不得相同, 就高不就低, 套算一次."""

    reads: tuple[str, ...] = ()
    decides: tuple[Condition, ...] = (lambda h: count(h.p & WINDS), lambda h: count(h.p & (h.seat | h.round)))
    """What settles points and fans beside how often each row holds: how many places the wind rows may cover."""

    adds_up = True

    def joined(self, book: Rulebook, live: Hits, h: Planes) -> tuple[int, tuple[tuple[int, int], ...]]:
        """What relating rows that hold, and that no other row drops, come to: points, and how often each counts."""
        plan = _plan(book)
        pungs = tuple(hit for hit in live if plan.about_pungs >> hit[0] & 1)
        found = [plan.join(hits, h) for hits in (pungs, tuple(hit for hit in live if hit not in pungs)) if hits]
        return sum(x.points for x in found), tuple((c.row, c.times) for x in found for c in x.counted)

    def beside(self, book: Rulebook) -> tuple[int, ...]:
        """The rows whose worth does not help to reach the minimum: 花牌."""
        return tuple(i for i, is_beside in enumerate(_plan(book).beside) if is_beside)

    def when_nothing(self, book: Rulebook) -> int | None:
        """The row that counts where nothing else does: 无番和."""
        return _plan(book).when_nothing

    def kept_out(self, book: Rulebook) -> tuple[int, ...]:
        """For each row, the rows it keeps out."""
        return book.drops

    def freed(self, book: Rulebook) -> dict[int, int]:
        """Nothing counts again because its dropper is dropped."""
        return {}

    def pays(self, book: Rulebook, row: int) -> Pays:
        """Each time a row holds is worth the same."""
        return Pays(_plan(book).values[row])

    def combine(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """The points of one reading (seed 003, 计分原则 1-5)."""
        plan = _plan(book)
        return self._combine(plan, hits, h, plan.join)

    def told(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """The same tally with the sets that each relating fan joins, and the steps of 套算一次."""
        plan = _plan(book)
        return self._combine(plan, hits, h, plan.told)

    @staticmethod
    def _combine(plan: _Plan, hits: Hits, h: Planes, join: Callable[[Hits, Planes], _Joined]) -> Tally:
        gone = 0
        for i, _ in hits:
            gone |= plan.drops[i]
        points = bonus = 0
        counted: list[Counted] = []
        dropped: list[Dropped] = []
        chows: Hits = ()
        pungs: Hits = ()
        for i, n in hits:
            if gone >> i & 1:
                left = plan.places_left(i, n, hits, h) if plan.each[i] else 0
                if left != n:
                    dropped.append(plan.dropped(i, hits))
                if not left:
                    continue
                n = left  # noqa: PLW2901 - the places that still count
            elif plan.joins >> i & 1:
                if plan.about_pungs >> i & 1:
                    pungs += ((i, n),)
                else:
                    chows += ((i, n),)
                continue
            times = n.bit_count() if plan.each[i] else n
            if plan.beside[i]:
                bonus += times * plan.values[i]
            else:
                points += times * plan.values[i]
            counted.append(plan.counted(i, times))
        by_chows = join(chows, h) if chows else _NOTHING
        by_pungs = join(pungs, h) if pungs else _NOTHING
        points += by_chows.points + by_pungs.points
        counted += by_chows.counted
        counted += by_pungs.counted
        if not points and plan.when_nothing is not None:
            points = plan.values[plan.when_nothing]
            counted.append(plan.counted(plan.when_nothing, 1))
        counted.sort()
        sums = "+".join([
            str(plan.values[row]) if times == 1 else f"{plan.values[row]}×{times}"
            for row, times, _, _ in counted
            if not plan.beside[row]
        ])  # fmt: skip
        return Tally(
            points,
            {"fan": points},
            tuple(counted),
            (*dropped, *by_chows.dropped, *by_pungs.dropped),
            Text(f"{sums}={points} 番", f"{sums} = {points} fan"),
            by_chows.steps + by_pungs.steps,
            bonus,
        )


def _plan(book: Rulebook) -> _Plan:
    plan: _Plan | None = book.notes.get("plan")
    if plan is None:
        plan = book.notes["plan"] = _Plan(book)
    return plan

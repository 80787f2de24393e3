"""国标's arithmetic: its five principles, from the fans that hold in a reading to its points.

- 不重复: a fan that another one brings with it is not counted again: `drops` of the rows, by name. A row that counts
  once for each place (幺九刻 …) loses only the places that the dropping fan covers (`on`).
- 不拆移, 不得相同, 就高不就低, 套算一次 govern the fans that relate sets to each other (`joins`): see `forest`.
- A hand without any fan is worth 无番和. 花牌 stands outside the points.

How the sets of a reading relate is worked out from its chows, or from its pungs: no relating row looks at anything
else. They are a part of its `GuobiaoSituation` where more than one relation holds. Which sets a fan relates is computed
on demand (`explained`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from quepu.errors import Text
from quepu.hands.planes import SUIT_TILES, WINDS, Planes, count
from quepu.hands.win import CHOW, PUNG, Group
from quepu.rulebooks.guobiao.row import GuobiaoExtra
from quepu.rules.arithmetic import NO_LIMIT, AdditiveFigures, Counted, Deciding, Dropped, Hits, Pays, Tally
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Correction, Rulebook, was
from quepu.scoring.occurrences import Parts, occurrences, planes_of
from quepu.tiles import kinds_of


class Edge(NamedTuple):
    """One occurrence of a fan that relates sets: its value, its row, and the sets as a mask."""

    value: int
    row: int
    sets: int


def forest(edges: list[Edge]) -> tuple[list[Edge], list[Edge]]:
    """套算一次: split occurrences into those that count and those that do not.

    Sets are points and each occurrence an edge between two, three or four of them. Highest first (就高不就低; among
    equals in the book's order), an edge counts if it joins sets that are not joined yet: combined sets are never
    separated again (不拆移), and each set not yet combined is combined once with those that are (套算一次). So the
    counted edges form a forest. A test checks on every possible combination of sets that this choice is the
    highest-scoring legal one and that 不得相同 then holds by itself.
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


class Sets(NamedTuple):
    """Sets of a reading that may be related: its chows on four planes, or its pungs of suits on one; (): not needed."""

    chows: tuple[int, ...] = ()
    pungs: tuple[int, ...] = ()

    def groups(self) -> tuple[Group, ...]:
        """Return the sets as groups: each chow as often as it occurs, then the pungs."""
        starts = sorted(kind for plane in self.chows for kind in kinds_of(plane))
        pungs = [Group(PUNG, kind) for plane in self.pungs for kind in kinds_of(plane)]
        return (*(Group(CHOW, kind) for kind in starts), *pungs)


class _Joined(NamedTuple):
    """The sum of the fans that relate sets."""

    points: int
    counted: tuple[Counted, ...]
    dropped: tuple[Dropped, ...]
    steps: tuple[Text, ...] = ()


class GuobiaoSituation(NamedTuple):
    """Everything that a tally depends on."""

    hits: Hits
    covers: tuple[int, ...]
    """The places that a row covers, for each row that holds and defines them (`Fan.on`), in the order of the hits."""
    chows: Sets
    """The chows, if they matter: a single relation counts whatever the sets."""
    pungs: Sets
    """The same for pungs."""


_NO_SETS = Sets()
_NO_PLANES = Planes(*(0 for _ in Planes._fields))
_NOTHING = _Joined(0, (), ())
_NEW_FANS = "new_fans_capped"
"""The setting of a book with fans of a house: each counts `Fan.most` times at most; the book's own hold no more often.
"""


class _Plan:
    """A book's rows prepared for adding up."""

    def __init__(self, book: Rulebook) -> None:
        fans = self.fans = book.fans
        self.values: list[int] = [fan.value for fan in fans]
        self.most = [fan.most if book.settings.get(_NEW_FANS) else NO_LIMIT for fan in fans]
        self.parts = [{"fan": value} for value in self.values]
        self.drops = book.drops
        self.joins = sum(1 << i for i, fan in enumerate(fans) if fan.joins)
        self.about_pungs = sum(1 << i for i, fan in enumerate(fans) if fan.joins and "p" in fan.reads)
        self.covering = sum(1 << i for i, fan in enumerate(fans) if fan.on is not None)
        self.plain = [not (self.joins | self.covering) >> i & 1 for i in range(len(fans))]
        self.each = [fan.of == EACH for fan in fans]
        self.on_pungs = [fan.of == EACH and "p" in fan.reads for fan in fans]
        self.beside = [fan.own(GuobiaoExtra).beside for fan in fans]
        self.when_nothing = next((i for i, fan in enumerate(fans) if fan.own(GuobiaoExtra).when_nothing), None)
        self._joined: dict[tuple[Hits, Sets], _Joined] = {}
        self._counted: dict[tuple[int, int], Counted] = {}
        self._dropped: dict[tuple[int, int], Dropped] = {}

    def count_row(self, row: int, times: int) -> Counted:
        found = self._counted.get((row, times))
        if found is None:
            found = self._counted[row, times] = Counted(row, times, self.parts[row])
        return found

    def drop_row(self, row: int, by: int) -> Dropped:
        found = self._dropped.get((row, by))
        if found is None:
            name, english = self.fans[by].name, self.fans[by].english
            why = Text(f"不重复：已含于{name}", f"not repeated: it comes with {english}")
            found = self._dropped[row, by] = Dropped(row, by, why)
        return found

    def list_dropped_places(self, row: int, places: int, at: GuobiaoSituation) -> list[Dropped]:
        """List the rows that drop places of a row, each with those that no earlier row drops."""
        found = []
        for by, on in self._yield_covered(at):
            mine = places & on if self.drops[by] >> row & 1 else 0
            if mine:
                places &= ~mine
                sets = [Group(PUNG, kind) for kind in kinds_of(mine)]
                name, english = self.fans[by].name, self.fans[by].english
                where = Text("、".join(one.spoken() for one in sets), " ".join(one.text() for one in sets))
                why = Text(f"不重复：{where.zh}已含于{name}", f"not repeated: {where.en} comes with {english}")
                found.append(Dropped(row, by, why))
        return found

    def _yield_covered(self, at: GuobiaoSituation) -> Iterator[tuple[int, int]]:
        """Yield each row that holds, and the places where it drops others."""
        covers = iter(at.covers)
        for i, n in at.hits:
            yield i, next(covers) if self.covering >> i & 1 else n if self.each[i] else -1

    def situation(self, hits: Hits, h: Planes) -> GuobiaoSituation:
        """Return everything about a reading that its tally depends on."""
        covers: tuple[int, ...] = ()
        chows = pungs = 0
        for i, n in hits:
            if self.plain[i]:
                continue
            bit = 1 << i
            if self.joins & bit:
                if self.about_pungs & bit:
                    pungs += n
                else:
                    chows += n
            if self.covering & bit and (on := self.fans[i].on) is not None:
                covers += (on(h),)
        return GuobiaoSituation(
            hits, covers, _chows(h) if chows > 1 else _NO_SETS, _pungs(h) if pungs > 1 else _NO_SETS
        )

    def places_left(self, row: int, places: int, at: GuobiaoSituation) -> int:
        """Return the places of a row that counts each of them, less those covered by the fans that drop it."""
        for by, on in self._yield_covered(at):
            if self.drops[by] >> row & 1:
                places &= ~on
        return places

    def join(self, live: Hits, sets: Sets) -> _Joined:
        """Return the value of these hits of relating rows by 套算一次; all relate chows, or all relate pungs.

        sets: those of the reading; none for a single relation, which always counts.
        """
        if len(live) == 1 and live[0][1] == 1:
            row = live[0][0]
            return _Joined(self.values[row], (self.count_row(row, 1),), ())
        found = self._joined.get((live, sets))
        if found is None:
            chosen, _, _ = self._forest(live, sets)
            rows = [edge.row for edge in chosen]
            counted = tuple(self.count_row(row, rows.count(row)) for row in sorted(set(rows)))
            why = Text("套算一次：这几副牌已经组合", "combined once: its sets are joined already")
            dropped = tuple(Dropped(row, None, why) for row, _ in live if row not in rows)
            found = self._joined[live, sets] = _Joined(sum(edge.value for edge in chosen), counted, dropped)
        return found

    def explain_join(self, live: Hits, sets: Sets) -> _Joined:
        """Return the result of `join` with the sets that each fan relates; `sets` is needed even for one relation."""
        chosen, refused, parts = self._forest(live, sets)

        def edge_text(edge: Edge) -> Text:
            named = parts.list_groups(edge.sets)
            return Text("、".join(one.spoken() for one in named), " ".join(one.text() for one in named))

        counted = []
        for row in sorted({edge.row for edge in chosen}):
            places = tuple(
                tuple((group.kind, group.tile) for group in parts.list_groups(edge.sets))
                for edge in chosen
                if edge.row == row
            )
            counted.append(Counted(row, len(places), self.parts[row], None, places))
        dropped = []
        for row in sorted({edge.row for edge in refused}):
            edge = next(edge for edge in refused if edge.row == row)
            within = next((e for e in chosen if e.sets & edge.sets == edge.sets and e.row != row), None)
            mine = edge_text(edge)
            if within is None:
                why = Text(f"套算一次：{mine.zh}已相连", f"combined once: {mine.en} are already joined")
            else:
                name, english = self.fans[within.row].name, self.fans[within.row].english
                why = Text(f"不拆移：{mine.zh}已组成{name}", f"not taken apart: {mine.en} already make {english}")
            dropped.append(Dropped(row, within.row if within else None, why))
        step = Text(
            "套算：" + "，".join(f"{self.fans[e.row].name}（{edge_text(e).zh}）" for e in chosen),
            "Combined: " + ", ".join(f"{self.fans[e.row].english} ({edge_text(e).en})" for e in chosen),
        )
        return _Joined(sum(e.value for e in chosen), tuple(counted), tuple(dropped), (step,))

    def _forest(self, live: Hits, sets: Sets) -> tuple[list[Edge], list[Edge], Parts]:
        groups = sets.groups()
        parts = Parts(groups, planes_of(groups, _NO_PLANES))
        edges = [Edge(self.values[i], i, mask) for i, _ in live for mask in occurrences(self.fans[i], parts)]
        return *forest(edges), parts


def _chows(h: Planes) -> Sets:
    return Sets(chows=(h.c1, h.c2, h.c3, h.c4))


def _pungs(h: Planes) -> Sets:
    return Sets(pungs=(h.p & SUIT_TILES,))


class Principles:
    """国标's way from fans to points: 不重复, 不拆移, 不得相同, 就高不就低, 套算一次."""

    reads: tuple[str, ...] = ()
    new_fans: Mapping[str, object] = {_NEW_FANS: True}
    decides = Deciding((lambda h: count(h.p & WINDS), lambda h: count(h.p & (h.seat | h.round))))
    """How many places the wind rows may cover."""

    def general_rule(self, book: Rulebook, strong: Fan, weak: Fan) -> Text | None:
        """Return the principle 不重复."""
        return Text(
            "不重复原则：必然同时成立的番种不再计。",
            "the principle of not repeating: a fan that always comes with another is not counted.",
        )

    def joined(self, book: Rulebook, live: Hits, h: Planes) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return the value of relating rows that hold and are not dropped: points, and how often each counts."""
        plan = _plan(book)
        pungs = tuple(hit for hit in live if plan.about_pungs >> hit[0] & 1)
        chows = tuple(hit for hit in live if hit not in pungs)
        found = [plan.join(hits, sets) for hits, sets in ((pungs, _pungs(h)), (chows, _chows(h))) if hits]
        return sum(x.points for x in found), tuple((c.row, c.times) for x in found for c in x.counted)

    def additive_figures(self, book: Rulebook) -> AdditiveFigures:
        """Return the figures: a row counts the same each time, up to its `most`; 花牌 is outside the points."""
        plan = _plan(book)
        beside = frozenset(i for i, is_beside in enumerate(plan.beside) if is_beside)
        pays = tuple(map(Pays, plan.values, plan.most))
        return AdditiveFigures(book.drops, pays, beside, plan.when_nothing, by_places=True)

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> GuobiaoSituation:
        """Return the rows that hold, the places they cover, and the sets that are related more than once."""
        return _plan(book).situation(hits, h)

    def combine(self, book: Rulebook, at: GuobiaoSituation) -> Tally:
        """Return the tally of a situation (seed 003, 计分原则 1-5)."""
        plan = _plan(book)
        return self._combine(plan, at, plan.join, explaining=False)

    def explain_tally(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """Return the same tally with the sets that each relating fan joins, and the steps of 套算一次."""
        plan = _plan(book)
        at = plan.situation(hits, h)._replace(chows=_chows(h), pungs=_pungs(h))
        return self._combine(plan, at, plan.explain_join, explaining=True)

    def list_counted(self, book: Rulebook, counts: Iterable[tuple[int, int]]) -> list[Counted]:
        """Return the lines of rows that count so often: in the book's order, each worth the same every time."""
        plan = _plan(book)
        return [plan.count_row(row, times) for row, times in counts]

    @staticmethod
    def _combine(
        plan: _Plan, at: GuobiaoSituation, join: Callable[[Hits, Sets], _Joined], *, explaining: bool
    ) -> Tally:
        hits = at.hits
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
                left = plan.places_left(i, n, at) if plan.each[i] else 0
                if left != n:
                    why = plan.list_dropped_places(i, n, at) if explaining and plan.on_pungs[i] else ()
                    if left or len(why) > 1:
                        dropped += why
                    else:
                        dropped.append(plan.drop_row(i, min(by for by, _ in hits if plan.drops[by] >> i & 1)))
                if not left:
                    continue
                n = left  # noqa: PLW2901 - the places that still count
            elif plan.joins >> i & 1:
                if plan.about_pungs >> i & 1:
                    pungs += ((i, n),)
                else:
                    chows += ((i, n),)
                continue
            times = min(n.bit_count() if plan.each[i] else n, plan.most[i])
            if plan.beside[i]:
                bonus += times * plan.values[i]
            else:
                points += times * plan.values[i]
            line = plan.count_row(i, times)
            if explaining and plan.on_pungs[i]:
                line = line._replace(places=tuple(((PUNG, kind),) for kind in kinds_of(n))[:times])
            counted.append(line)
        by_chows = join(chows, at.chows) if chows else _NOTHING
        by_pungs = join(pungs, at.pungs) if pungs else _NOTHING
        points += by_chows.points + by_pungs.points
        counted += by_chows.counted
        counted += by_pungs.counted
        if not points and plan.when_nothing is not None:
            points = plan.values[plan.when_nothing]
            counted.append(plan.count_row(plan.when_nothing, 1))
        counted.sort()
        sums = "+".join([
            str(plan.values[row]) if times == 1 else f"{plan.values[row]}×{times}"
            for row, times, *_ in counted
            if not plan.beside[row]
        ])  # fmt: skip
        return Tally(
            points,
            {"fan": points},
            tuple(counted),
            tuple(sorted((*dropped, *by_chows.dropped, *by_pungs.dropped))),
            Text(f"{sums}={points} 番", f"{sums} = {points} points") if sums != str(points) else _write_points(points),
            by_chows.steps + by_pungs.steps,
            bonus,
        )


def _write_points(points: int) -> Text:
    return Text(f"{points} 番", "1 point" if points == 1 else f"{points} points")


def _plan(book: Rulebook) -> _Plan:
    plan: _Plan | None = book.notes.get("plan")
    if plan is None:
        plan = book.notes["plan"] = _Plan(book)
    return plan


MOST_TIMES = Correction(
    "2026-11-29",
    Text(
        "自定番种最多计 most 次（不写为一次），此前成立几次就计几次；书中各番不变。",
        "A fan added by a house counts `most` times at most (once unless stated); it counted as often as it held. No fan "
        "of the book changes.",
    ),
    was(settings={_NEW_FANS: False}),
)
"""A correction of every book of the family."""

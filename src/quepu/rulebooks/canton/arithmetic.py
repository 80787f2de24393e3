"""The arithmetic of 广东: every pattern that holds counts, except those that another one names or implies.

R1: a pattern excludes those that the seed states and those that its definition implies; an excluded pattern still
excludes those it implies. R2: a pattern that is only implied stays if it is worth more than the pattern that implies
it.
"""

from __future__ import annotations

from collections.abc import Mapping

from quepu.errors import Text
from quepu.hands.planes import Condition, Planes, only, ranks
from quepu.rulebooks.canton.row import SHAPE, CantonExtra
from quepu.rules.arithmetic import AdditiveFigures, Counted, Deciding, Dropped, Hits, Pays, Tally
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Rulebook


class DropPlan:
    """A book's rows prepared for adding up: which rows they exclude, as masks over row numbers."""

    def __init__(self, book: Rulebook) -> None:
        rows = self.rows = book.fans
        self.drops: list[int] = []  # per row, by R1 and R2; every pattern of tiles excludes 鸡糊
        self.stated: list[int] = []  # per row, the part stated by the seed
        self.higher: list[int] = []  # per row, the implied rows that R2 keeps
        self.frees: list[tuple[int, int]] = []  # a row, and the rows it still excludes when it is excluded itself
        self.only_with: list[tuple[int, int, int]] = []  # a row, another, and the rows it excludes only with that one
        self.plain = sum(1 << i for i, row in enumerate(rows) if row.own(CantonExtra).plain)  # 鸡糊
        self.beside = 0  # rows that do not count towards the minimum
        for i, row in enumerate(rows):
            own = row.own(CantonExtra)
            implied = [book.index[name] for name in row.implied if name in book.index]
            higher = sum(1 << j for j in implied if rows[j].value > row.value)
            more_than_plain = row.category == SHAPE and not own.plain
            self.drops.append(book.drops[i] & ~higher | (self.plain if more_than_plain else 0))
            self.stated.append(book.drops[i] & ~sum(1 << j for j in implied))
            self.higher.append(higher)
            if own.frees:
                freed = sum(1 << book.index[name] for name in own.frees if name in book.index)
                self.frees.append((i, self.drops[i] & ~freed))
            for name, other in (own.only_with or {}).items():
                if name in row.implied and {name, other} <= book.index.keys():
                    self.only_with.append((i, book.index[other], 1 << book.index[name]))
            if own.beside and not book.settings.get("minimum_of_all"):
                self.beside |= 1 << i
        self.mark = 1 << len(rows)  # flags a row that excludes some rows only beside another
        self.always = list(self.drops)
        for i, _, mask in self.only_with:
            self.always[i] = self.always[i] & ~mask | self.mark
        self.freeing = sum(1 << i for i, _ in self.frees)
        self._counted: dict[tuple[int, int], tuple[int, int, Counted]] = {}
        self._parts: dict[int, dict[str, int]] = {}
        self.called = [_of(CALLED, row) for row in rows]
        self.made_of = [_of(MADE_OF, row) for row in rows]

    def find_excluded(self, hits: Hits) -> int:
        """Return the rows that must not count, as a mask, whether they hold or not."""
        out, drops = 0, self.always
        for i, _ in hits:
            out |= drops[i]
        if out & self.freeing:
            less = {row: freed for row, freed in self.frees if out >> row & 1}
            out = 0
            for i, _ in hits:
                out |= less.get(i, drops[i])
        if out & self.mark:
            out ^= self.mark
            held = {i for i, _ in hits}
            for row, other, mask in self.only_with:
                if row in held and other in held:
                    out |= mask
        return out

    def count_row(self, hit: tuple[int, int]) -> tuple[int, int, Counted]:
        """Return a row's negated contribution for its count (or places), its number and its line.

        In this order sorting puts the highest first.
        """
        found = self._counted.get(hit)
        if found is None:
            row, n = hit
            fan = self.rows[row]
            times = min(n.bit_count() if fan.of == EACH else n, fan.most)
            value, line = _count(row, fan, times)
            found = self._counted[hit] = (-value, row, line)
        return found

    def parts(self, points: int) -> dict[str, int]:
        """Return the sum under the book's name for it."""
        found = self._parts.get(points)
        if found is None:
            found = self._parts[points] = {"fan": points}
        return found

    def how(self, points: int, bonus: int, counted: tuple[Counted, ...]) -> Text:
        """Return the sum in words, with the part beside the minimum at the end."""
        sums = "+".join([
            str(c.value["fan"]) if c.times == 1 else f"{c.value['fan']}×{c.times}"
            for c in counted
            if not self.beside >> c.row & 1
        ])  # fmt: skip
        sums = f"{sums}=" if sums not in ("", str(points)) else ""
        if not bonus:
            return Text(f"{sums}{points} 番", f"{sums}{points} fan")
        beside = [self.rows[c.row] for c in counted if self.beside >> c.row & 1]
        zh = "、".join(row.name for row in beside)
        en = ", ".join(row.english for row in beside)
        return Text(
            f"{sums}{points} 番，另加{zh} {bonus} 番，共 {points + bonus} 番",
            f"{sums}{points} fan, and {bonus} for {en}: {points + bonus} in all",
        )


def _of(words: Mapping[str, Parts], row: Fan) -> Parts | None:
    """Return the words about a row, which may have been renamed."""
    return next((words[name] for name in (row.name, *row.aliases) if name in words), None)


def _count(row: int, fan: Fan, times: int) -> tuple[int, Counted]:
    each_more = fan.own(CantonExtra).each_more
    if each_more is None:  # each time is worth the same
        return int(fan.value) * times, Counted(row, times, {"fan": int(fan.value)})
    more = each_more * (times - 1)
    value = int(fan.value) + more
    note = Text(f"全不靠，{fan.value}＋{more}", f"all different: {fan.value} + {more}") if more else None
    return value, Counted(row, 1, {"fan": value}, note)


def plan_of(book: Rulebook) -> DropPlan:
    """Return the book's plan, built once; a house rule that changes a value also changes R2."""
    plan: DropPlan | None = book.notes.get("plan")
    if plan is None:
        plan = book.notes["plan"] = DropPlan(book)
    return plan


class Fans:
    """The arithmetic of the book (see the module)."""

    reads: tuple[str, ...] = ()
    decides = Deciding()  # how often each row holds decides everything

    def general_rule(self, book: Rulebook, strong: Fan, weak: Fan) -> Text | None:
        """Return the sentence about patterns that must come with another."""
        return Text(
            "书上说，必然附带的牌型不另计。", "the book says that a pattern that must come with another is not counted."
        )

    def additive_figures(self, book: Rulebook) -> AdditiveFigures:
        """Return the figures: exclusions by R1 and R2; some rows count further times for another value."""
        plan = plan_of(book)
        return AdditiveFigures(
            tuple(plan.drops),
            tuple(Pays(fan.value, fan.most, fan.own(CantonExtra).each_more) for fan in book.fans),
            frozenset(i for i in range(len(book.fans)) if plan.beside >> i & 1),
            freed={i: plan.drops[i] & ~less for i, less in plan.frees},
            only_with={(row, mask.bit_length() - 1): other for row, other, mask in plan.only_with},
        )

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> Hits:
        """Return which rows hold, and how often; the tally depends on nothing else."""
        return hits

    def combine(self, book: Rulebook, hits: Hits) -> Tally:
        """Exclude by name and add up the rest, highest first; flowers and the dealer's fan stay outside the minimum."""
        plan = plan_of(book)
        out, beside = plan.find_excluded(hits), plan.beside
        points = bonus = 0
        valued = [plan.count_row(hit) for hit in hits if not out >> hit[0] & 1]
        for less, i, _ in valued:
            if beside >> i & 1:
                bonus -= less
            else:
                points -= less
        valued.sort()
        counted = tuple([line for _, _, line in valued])
        return Tally(points, plan.parts(points), counted, (), plan.how(points, bonus, counted), (), bonus)

    def explain_tally(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """Return the same tally with every excluded row and its excluder, and the rows that R2 kept."""
        plan = plan_of(book)
        tally = self.combine(book, hits)
        out = plan.find_excluded(hits)
        dropped = tuple(self._why(plan, hits, i, out, h) for i, _ in hits if out >> i & 1)
        held = sum(1 << i for i, _ in hits)
        counted = []
        for c in tally.counted:
            staying = plan.higher[c.row] & held & ~out
            if staying:
                names = "、".join(row.name for i, row in enumerate(plan.rows) if staying >> i & 1)
                english = ", ".join(row.english for i, row in enumerate(plan.rows) if staying >> i & 1)
                note = Text(
                    f"含于此的{names}番数更高，照计", f"{english}, which comes with it, is worth more and counts"
                )
                c = c._replace(note=note)  # noqa: PLW2901  # the same line with its reason
            elif c.note is None and plan.made_of[c.row]:
                c = c._replace(note=text_for(plan.made_of[c.row], h))  # noqa: PLW2901
            counted.append(c._replace(called=text_for(plan.called[c.row], h)))
        return tally._replace(counted=tuple(counted), dropped=dropped)

    def _why(self, plan: DropPlan, hits: Hits, i: int, out: int, h: Planes) -> Dropped:
        """Return the reason why a row is excluded: counted rows before excluded ones, stated before implied."""
        row = plan.rows[i]
        if plan.plain >> i & 1 and not any("*" in plan.rows[j].drops for j, _ in hits):
            return Dropped(i, None, Text("另有牌型，不算鸡糊", "there is another pattern of tiles"))
        for staying in (0, 1):
            for masks in (plan.stated, plan.drops):
                for j, _ in hits:
                    if masks[j] >> i & 1 and out >> j & 1 == staying:
                        return Dropped(i, j, self._by(plan, row, j, h, stated=masks is plan.stated))
        raise AssertionError(f"nothing keeps {row.name} out")

    @staticmethod
    def _by(plan: DropPlan, row: Fan, j: int, h: Planes, *, stated: bool) -> Text:
        by = plan.rows[j]
        name = text_for(plan.called[j], h) or Text(by.name, by.english)
        if "*" in by.drops:
            return Text(f"{name.zh}单独计番", f"{name.en} counts alone")
        if stated:
            return Text(f"{name.zh}不计{row.name}", f"{name.en} says it does not add {row.english}")
        return Text(f"含于{name.zh}", f"{row.english} comes with {name.en}")


Parts = tuple[tuple[Text, Condition], ...]

CALLED: Mapping[str, Parts] = {
    "全大/全中/全小": (
        (Text("全大", "only 789"), lambda h: only(h, ranks("789"))),
        (Text("全中", "only 456"), lambda h: only(h, ranks("456"))),
        (Text("全小", "only 123"), lambda h: only(h, ranks("123"))),
    ),
}
"""Rows that stand for several patterns: the name of each."""

MADE_OF: Mapping[str, Parts] = {
    "风牌": (
        (Text("门风", "seat wind"), lambda h: (h.p & h.seat) != 0),
        (Text("圈风", "round wind"), lambda h: (h.p & h.round) != 0),
    ),
}
"""Rows that count once for each of several things: which they are."""


def text_for(parts: Parts | None, h: Planes) -> Text | None:
    """Join the texts that apply; return None if none does."""
    found = [text for text, holds in parts or () if holds(h)]
    if not found:
        return None
    return Text("、".join(text.zh for text in found), " and ".join(text.en for text in found))

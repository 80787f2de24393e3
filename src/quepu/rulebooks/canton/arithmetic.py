"""How 广东 adds up: every pattern that holds counts, but those that another one names or brings along.

R1: a pattern keeps out what the seed states and what its definition implies; a pattern that is itself kept out still
keeps out what it implies. R2: what is only implied stays when it is worth more than the pattern that implies it.
"""

from __future__ import annotations

from quepu.errors import Text
from quepu.planes import Condition, Planes
from quepu.rulebook import EACH, Counted, Dropped, Fan, Hits, Pays, Rulebook, Tally
from quepu.rulebooks.canton.row import SHAPE


class Plan:
    """A book's rows made ready for adding up: what they keep out, as masks over row numbers."""

    def __init__(self, book: Rulebook) -> None:
        rows = self.rows = book.fans
        self.drops: list[int] = []  # for each row, by R1 and R2; every pattern of tiles keeps 鸡糊 out
        self.stated: list[int] = []  # for each row, the part the seed states
        self.dearer: list[int] = []  # for each row, what it implies and R2 keeps
        self.frees: list[tuple[int, int]] = []  # a row, and what it keeps out no longer once it is kept out itself
        self.plain = sum(1 << i for i, row in enumerate(rows) if "plain" in row.extra)  # 鸡糊
        self.beside = 0  # rows that do not count towards the minimum
        for i, row in enumerate(rows):
            implied = [book.index[name] for name in row.extra.get("implied", ()) if name in book.index]
            dearer = sum(1 << j for j in implied if rows[j].value > row.value)
            more_than_plain = row.category == SHAPE and "plain" not in row.extra
            self.drops.append(book.drops[i] & ~dearer | (self.plain if more_than_plain else 0))
            self.stated.append(book.drops[i] & ~sum(1 << j for j in implied))
            self.dearer.append(dearer)
            if "frees" in row.extra:
                freed = sum(1 << book.index[name] for name in row.extra["frees"] if name in book.index)
                self.frees.append((i, self.drops[i] & ~freed))
            if "beside" in row.extra:
                self.beside |= 1 << i
        self.freeing = sum(1 << i for i, _ in self.frees)
        self._counted: dict[tuple[int, int], tuple[int, int, Counted]] = {}
        self._parts: dict[int, dict[str, int]] = {}
        self._how: dict[tuple[int, int, int], Text] = {}

    def kept_out(self, hits: Hits) -> int:
        """The rows that must not count, as a mask, whether they hold or not."""
        out, drops = 0, self.drops
        for i, _ in hits:
            out |= drops[i]
        if out & self.freeing:
            for row, less in self.frees:
                if out >> row & 1 and any(i == row for i, _ in hits):
                    out = less
                    for i, _ in hits:
                        if i != row:
                            out |= drops[i]
        return out

    def counted(self, hit: tuple[int, int]) -> tuple[int, int, Counted]:
        """Of a row that holds so often (or at such places): less than nothing what it adds, its number, its line.

        In this order sorting puts the dearest first.
        """
        found = self._counted.get(hit)
        if found is None:
            row, n = hit
            fan = self.rows[row]
            times = min(n.bit_count() if fan.of == EACH else n, fan.most)
            value, told = _counted(row, fan, times)
            found = self._counted[hit] = (-value, row, told)
        return found

    def parts(self, points: int) -> dict[str, int]:
        """The sum as the book speaks of it."""
        found = self._parts.get(points)
        if found is None:
            found = self._parts[points] = {"fan": points}
        return found

    def how(self, points: int, bonus: int, counts: int) -> Text:
        """The sum in words; `counts` are the rows that count beside the minimum, as a mask."""
        found = self._how.get((points, bonus, counts))
        if found is None:
            found = Text(f"{points} 番", f"{points} fan")
            if bonus:
                beside = [row for i, row in enumerate(self.rows) if counts >> i & 1]
                zh = "、".join(row.name for row in beside)
                en = ", ".join(row.english for row in beside)
                found = Text(
                    f"{points} 番，另加{zh} {bonus} 番，共 {points + bonus} 番",
                    f"{points} fan, and {bonus} for {en}: {points + bonus} in all",
                )
            self._how[points, bonus, counts] = found
        return found


def _counted(row: int, fan: Fan, times: int) -> tuple[int, Counted]:
    if "each_more" not in fan.extra:  # each time is worth the same
        return int(fan.value) * times, Counted(row, times, {"fan": int(fan.value)})
    more = int(fan.extra["each_more"]) * (times - 1)
    value = int(fan.value) + more
    note = Text(f"全不靠，{fan.value}＋{more}", f"all different: {fan.value} + {more}") if more else None
    return value, Counted(row, 1, {"fan": value}, note)


def plan_of(book: Rulebook) -> Plan:
    """The book's plan, made once; a house rule that changes a value changes R2 with it."""
    plan: Plan | None = book.notes.get("plan")
    if plan is None:
        plan = book.notes["plan"] = Plan(book)
    return plan


class Fans:
    """The arithmetic of the book (see the module)."""

    reads: tuple[str, ...] = ()
    decides: tuple[Condition, ...] = ()  # how often each row holds settles everything

    remembers = True
    adds_up = True

    def beside(self, book: Rulebook) -> tuple[int, ...]:
        """The rows whose worth does not help to reach the minimum: flowers, the dealer."""
        return tuple(i for i in range(len(book.fans)) if plan_of(book).beside >> i & 1)

    def when_nothing(self, book: Rulebook) -> int | None:  # no book of this family has one
        """No row counts because nothing else does."""
        return None

    def joined(self, book: Rulebook, live: Hits, h: Planes) -> tuple[int, tuple[tuple[int, int], ...]]:
        """No rows are settled together."""
        return 0, ()

    def kept_out(self, book: Rulebook) -> tuple[int, ...]:
        """For each row, the rows it keeps out by R1 and R2; every pattern of tiles keeps 鸡糊 out."""
        return tuple(plan_of(book).drops)

    def freed(self, book: Rulebook) -> dict[int, int]:
        """Rows that, kept out themselves, let some of theirs count."""
        plan = plan_of(book)
        return {i: plan.drops[i] & ~less for i, less in plan.frees}

    def pays(self, book: Rulebook, row: int) -> Pays:
        """Each time a row holds is worth the same, but where the book says what each further time is worth."""
        fan = book.fans[row]
        return Pays(fan.value, fan.most, fan.extra.get("each_more"))

    def combine(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:  # the hits say it all
        """Drop by name, add up the rest, dearest first; flowers and the dealer's fan come beside the minimum."""
        plan = plan_of(book)
        out, beside = plan.kept_out(hits), plan.beside
        points = bonus = extras = 0
        valued = [plan.counted(hit) for hit in hits if not out >> hit[0] & 1]
        for less, i, _ in valued:
            if beside >> i & 1:
                bonus -= less
                extras |= 1 << i
            else:
                points -= less
        valued.sort()
        counted = tuple([told for _, _, told in valued])
        return Tally(points, plan.parts(points), counted, (), plan.how(points, bonus, extras), (), bonus)

    def told(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """The same tally with what was kept out and by what, and what R2 let stay."""
        plan = plan_of(book)
        tally = self.combine(book, hits, h)
        out = plan.kept_out(hits)
        dropped = tuple(self._why(plan, hits, i, out) for i, _ in hits if out >> i & 1)
        held = sum(1 << i for i, _ in hits)
        counted = []
        for c in tally.counted:
            kept = plan.dearer[c.row] & held & ~out
            if kept:
                names = "、".join(row.name for i, row in enumerate(plan.rows) if kept >> i & 1)
                english = ", ".join(row.english for i, row in enumerate(plan.rows) if kept >> i & 1)
                note = Text(f"必然带有的{names}番数更高，照计", f"{english}, always with it, is worth more and counts")
                c = c._replace(note=note)  # noqa: PLW2901  # the same line with its reason
            counted.append(c)
        return tally._replace(counted=tuple(counted), dropped=dropped)

    @staticmethod
    def _why(plan: Plan, hits: Hits, i: int, out: int) -> Dropped:
        """By what a row is kept out: by what counts rather than what is kept out itself, stated rather than implied."""
        row = plan.rows[i]
        if plan.plain >> i & 1 and not any("*" in plan.rows[j].drops for j, _ in hits):
            return Dropped(i, None, Text("另有牌型，不算鸡糊", "there is another pattern of tiles"))
        for kept in (0, 1):
            for masks, zh, en in (
                (plan.stated, "不计", "says it does not add"),
                (plan.drops, "必然带有", "always brings along"),
            ):
                for j, _ in hits:
                    if masks[j] >> i & 1 and out >> j & 1 == kept:
                        by = plan.rows[j]
                        if "*" in by.drops:
                            return Dropped(i, j, Text(f"{by.name}单独计番", f"{by.english} counts alone"))
                        return Dropped(i, j, Text(f"{by.name}{zh}{row.name}", f"{by.english} {en} {row.english}"))
        raise AssertionError(f"nothing keeps {row.name} out")

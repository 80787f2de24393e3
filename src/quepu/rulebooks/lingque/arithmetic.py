"""灵雀's arithmetic: Σ副 × 翻, where 翻 is the highest single fan and up to two jumps (复合跳翻, 门清跳翻)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, Final, NamedTuple

from quepu.errors import Text, many
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes
from quepu.rulebooks.lingque.jumps import USUAL_JUMP, Jump, read_jump
from quepu.rulebooks.lingque.mirrors import mirror_remark
from quepu.rulebooks.lingque.row import FuFan, LingqueExtra
from quepu.rulebooks.lingque.steps import steps
from quepu.rules.arithmetic import MOST_TIMES, Counted, Deciding, Dropped, Hits, ProductFigures, RowFigures, Tally
from quepu.rules.parts import Option
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Rulebook

_CLOSED = int(Luck.CLOSED)


class HeldRow(NamedTuple):
    """A row that holds: its number, how often it counts, its value, and whether it is a pung that merges (番牌)."""

    row: int
    times: int
    value: FuFan
    pung: bool = False


class Counting(NamedTuple):
    """A legal counting: points = fu × fan; f0 and f1 are the highest single 翻 of the two highest categories."""

    points: int
    fu: int
    fan: int
    f0: int
    f1: int


class FuTimesFan:
    """Computes the best legal counting of the fans that hold in one reading.

    不计 (drops) are compulsory while the stronger fan counts; among 互斥 (conflicts) every choice is tried and the
    highest taken, the first in the book's order among equals. Source: 二甲 and 二乙 of either edition.
    """

    reads: tuple[str, ...] = ("luck",)
    decides = Deciding((lambda h: h.luck & _CLOSED,))
    not_summed: tuple[str, ...] = ("fan",)

    def __init__(self, jump: Jump = USUAL_JUMP, closed_jump: int = 1, *, merges: bool = True) -> None:
        self.jump = jump
        self.closed_jump = closed_jump
        """门清跳翻: fan added where nothing was claimed."""
        self.merges = merges
        """Whether the pungs of 番牌 are one fan of their number."""

    @property
    def figures(self) -> tuple[object, ...]:
        """Figures that differ from those of both editions, as plain data; none where nothing does."""
        usual = (self.jump, self.closed_jump, self.merges) == (USUAL_JUMP, 1, True)
        return () if usual else (self.jump.text, self.closed_jump, self.merges)

    def having(
        self, jump: Jump | None = None, closed_jump: int | None = None, merges: bool | None = None
    ) -> FuTimesFan:
        """The same with another jump, or with 番牌 apart."""
        return FuTimesFan(
            self.jump if jump is None else jump,
            self.closed_jump if closed_jump is None else closed_jump,
            merges=self.merges if merges is None else merges,
        )

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> int:
        """Return 门清, and how often each row holds (up to 7 times), as one number: bit 0, then three bits per row."""
        each = _plan(book).each
        held = h.luck & _CLOSED and 1
        for row, n in hits:
            times = n.bit_count() if each[row] else n
            held |= (times if times < MOST_TIMES else MOST_TIMES) << 3 * row + 1
        return held

    def combine(self, book: Rulebook, held: int) -> Tally:
        """Return the tally of a situation; its steps are left to `explain_tally`."""
        return self._best(_plan(book), held)[0]

    def explain_tally(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """Return the same tally with its steps and the reasons for a mirror in words."""
        held = self.situation(book, hits, h)
        tally, taken, counting = self._best(_plan(book), held)
        counted = tuple(one._replace(note=mirror_remark(book.fans[one.row], h)) for one in tally.counted)
        closed = self.closed_jump * (held & 1)
        return tally._replace(counted=counted, steps=steps(book, taken, counting, closed, self.jump))

    def product_figures(self, book: Rulebook) -> ProductFigures:
        """Return the same arithmetic as figures; 番牌 are the fans that merge."""
        plan = _plan(book)
        names = list(dict.fromkeys(fan.category for fan in book.fans))
        return ProductFigures(
            tuple(
                tuple(_figures(plan, row, times) for times in range(MOST_TIMES + 1)) for row in range(len(book.fans))
            ),
            tuple(names.index(fan.category) for fan in book.fans),
            book.drops,
            book.conflicts,
            self.decides.conditions[0],
            self.factor,
        )

    def general_rule(self, book: Rulebook, strong: Fan, weak: Fan) -> Text | None:
        """Return the sentence about sufficient conditions; since the 29th edition it is about 1 翻 and one class."""
        if book.edition == "26":
            return Text(
                "书上说，充分条件计时，后者不得参与计分。",
                "the book says that a fan is not counted beside one that is sufficient for it.",
            )
        if weak.value.fan != 1 and strong.category != weak.category:
            return None
        return Text(
            "书上说，充分条件计时，1 翻的或同类的后者不得参与计分。",
            "the book says that a fan of 1 翻, or of the same category, is not counted beside one that is sufficient for it.",
        )

    def factor(self, closed: bool, f0: int, f1: int) -> int:
        """翻: the highest single fan and the two jumps."""
        return f0 + self.jump(f0, f1) + self.closed_jump * closed

    def _best(self, plan: _Plan, held: int) -> tuple[Tally, tuple[HeldRow, ...], Counting]:
        lines = plan.lines(held)
        top, taken = best(plan.book, lines, bool(held & 1))
        parts, how = plan.sums(top)
        counted = tuple([plan.to_counted(x) for x in taken])
        dropped = plan.left_out(lines, taken) if len(taken) < len(lines) else ()
        return Tally(top.points, parts, counted, dropped, how), taken, top


# ---- which fans count


def best(book: Rulebook, lines: list[HeldRow], closed: bool) -> tuple[Counting, tuple[HeldRow, ...]]:
    """Return the highest legal counting of these lines (in the book's order) and its value."""
    top = Counting(-1, 0, 0, 0, 0)
    taken: tuple[HeldRow, ...] = ()
    for chosen in choices(book, [x.row for x in lines]):
        counted = tuple([x for x in lines if chosen >> x.row & 1])
        counting = weigh(book, counted, closed)
        if counting.points > top.points:
            top, taken = counting, counted
    return top, taken


def choices(book: Rulebook, rows: list[int]) -> list[int]:
    """List every legal set of these rows to count, as masks: larger sets first, then the book's order."""
    drops, conflicts = book.drops, book.conflicts
    held = 0
    for row in rows:
        held |= 1 << row
    contested = [row for row in rows if conflicts[row] & held]
    if not contested:
        return [settle_drops(drops, rows, held)]
    free = held & ~sum(1 << row for row in contested)
    found: dict[int, None] = {}
    for size in range(len(contested), -1, -1):
        for some in combinations(contested, size):
            mask = sum(1 << row for row in some)
            if any(conflicts[row] & mask for row in some):
                continue
            counted = settle_drops(drops, rows, free | mask)
            # a fan may stay out only if a counted one excludes it
            dropped = _dropped_by(drops, rows, counted)
            if all(mask >> row & 1 or conflicts[row] & counted or dropped >> row & 1 for row in contested):
                found[counted] = None
    return list(found)


def settle_drops(drops: tuple[int, ...], rows: list[int], held: int) -> int:
    """Return the rows left after every counted fan has excluded the rows it drops; excluded fans exclude nothing."""
    counted = held
    for _ in rows:
        left = held & ~_dropped_by(drops, rows, counted)
        if left == counted:
            break
        counted = left
    return counted


def _dropped_by(drops: tuple[int, ...], rows: list[int], counted: int) -> int:
    out = 0
    for row in rows:
        if counted >> row & 1:
            out |= drops[row]
    return out


# ---- their value


def weigh(book: Rulebook, counted: Iterable[HeldRow], closed: bool) -> Counting:
    """Σ副 × (f0 + [f1² > 2 f0] + [closed]); 番牌 are one fan of as many 翻 as they have pungs (二乙)."""
    fans = book.fans
    fu = merged = 0
    classes: dict[str, int] = {}
    for row, times, (one, single), pung in counted:
        fu += one * times
        if pung:
            merged += 1
            single = max(single, merged)  # noqa: PLW2901 - the merged fan's 翻 stands for this row's
        category = fans[row].category
        if single > classes.get(category, 0):
            classes[category] = single
    f0, f1 = two_highest(classes)
    fan = own_arithmetic(book).factor(closed, f0, f1)
    return Counting(fu * fan, fu, fan, f0, f1)


def own_arithmetic(book: Rulebook) -> FuTimesFan:
    """The arithmetic of a book of 灵雀.

    Raises:
        TypeError: the book is of another family.
    """
    if not isinstance(book.arithmetic, FuTimesFan):
        raise TypeError(book.id)
    return book.arithmetic


def two_highest(classes: Mapping[str, int]) -> tuple[int, int]:
    """Return the highest single 翻 of the highest category and of the next: equal if two categories tie."""
    f0 = f1 = 0
    for fan in classes.values():
        if fan > f0:
            f0, f1 = fan, f0
        elif fan > f1:
            f1 = fan
    return f0, f1


# ---- the parts of a book's tallies


class _Plan:
    """A plan computed once per book: the small parts that tallies share."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.each = [fan.of == EACH for fan in book.fans]
        self.merges = own_arithmetic(book).merges
        self._counted: dict[HeldRow, Counted] = {}
        self._dropped: dict[tuple[int, int | None], Dropped] = {}
        self._sums: dict[tuple[int, int], tuple[Mapping[str, int], Text]] = {}
        self._lines: dict[tuple[int, int], HeldRow] = {}

    def lines(self, held: int) -> list[HeldRow]:
        """List the rows that hold in a situation, in the book's order."""
        made_before = self._lines
        held >>= 1
        made = []
        row = 0
        while held:
            times = held & MOST_TIMES
            if times:
                made.append(made_before.get((row, times)) or self.line(row, times))
            held >>= 3
            row += 1
        return made

    def line(self, row: int, times: int) -> HeldRow:
        """Return a row's value if it counts; for 番牌, 2 means pung and 1 means pair."""
        fan = self.book.fans[row]
        pair = fan.own(LingqueExtra).pair
        if pair is None:
            line = HeldRow(row, min(times, fan.most), fan.value)
        else:
            line = HeldRow(row, 1, fan.value, self.merges) if times == 2 else HeldRow(row, 1, pair)
        self._lines[row, times] = line
        return line

    def to_counted(self, x: HeldRow) -> Counted:
        """Return the line in the form of a tally."""
        found = self._counted.get(x)
        if found is None:
            found = self._counted[x] = Counted(x.row, x.times, x.value._asdict())
        return found

    def sums(self, counting: Counting) -> tuple[Mapping[str, int], Text]:
        """Return 副 and 翻, as numbers and in words."""
        key = (counting.fu, counting.fan)
        found = self._sums.get(key)
        if found is None:
            fu, fan = key
            text = Text(f"{fu} 副 {fan} 翻 {fu * fan} 点", f"{fu} fu × {fan} fan = {many(fu * fan, 'point')}")
            found = self._sums[key] = ({"fu": fu, "fan": fan}, text)
        return found

    def left_out(self, lines: list[HeldRow], taken: tuple[HeldRow, ...]) -> tuple[Dropped, ...]:
        """Return every line that does not count, and the counted row that excludes it."""
        drops, conflicts = self.book.drops, self.book.conflicts
        counted = [x.row for x in taken]
        out = []
        for x in lines:
            row = x.row
            if row in counted:
                continue
            by = next((y for y in counted if drops[y] >> row & 1), None)
            if by is None:
                by = next((y for y in counted if conflicts[y] >> row & 1), None)
            found = self._dropped.get((row, by))
            if found is None:
                found = self._dropped[row, by] = Dropped(row, by, self._why(row, by))
            out.append(found)
        return tuple(out)

    def _why(self, row: int, by: int | None) -> Text:
        if by is None:  # cannot happen: a fan stays out only if a counted one excludes it
            return Text("不计", "not counted")
        fan, other = self.book.fans[row], self.book.fans[by]
        if not self.book.drops[by] >> row & 1:
            return Text(f"与{other.name}互斥，择其一计", f"excludes {other.english}: only one of them counts")
        if fan.name in other.implied:
            return Text(
                f"{other.name}必然满足{fan.name}，按“充分条件”的通则不计",
                f"{other.english} always implies it: not counted, by the general sentence about implied fans",
            )
        return Text(f"{other.name}不计{fan.name}", f"not counted beside {other.english}")


def _figures(plan: _Plan, row: int, times: int) -> RowFigures:
    if not times:
        return RowFigures(0, 0, False, 0)
    held = plan.line(row, times)
    return RowFigures(held.value.fu * held.times, held.value.fan, held.pung, held.times)


def _plan(book: Rulebook) -> _Plan:
    found: _Plan | None = book.notes.get("plan")
    if found is None:
        found = book.notes["plan"] = _Plan(book)
    return found


def lines_of(book: Rulebook, situation: int) -> list[HeldRow]:
    """Return the rows that hold as lines in the book's order."""
    return _plan(book).lines(situation)


def _with(book: Rulebook, choice: Any, key: str) -> Rulebook:
    change: dict[str, Any] = {key: read_jump(choice) if key == "jump" else choice}
    return replace(book, arithmetic=own_arithmetic(book).having(**change))


def _option(key: str, text: Text, choices: tuple[Any, ...], **more: Any) -> Option:
    return Option(key, text, choices, partial(_with, key=key), **more)


OPTIONS: Final = (
    _option(
        "jump",
        Text(
            "复合跳翻：单番翻数最大者 f0、不同类的最大者 f1 何时另加 1 翻",
            "compound jump: when the highest fan f0 and the highest of another class, f1, add 1 fan",
        ),
        (USUAL_JUMP.text,),
        free=read_jump,
        words=(Text("f1² 大于 2f0 时", "when f1² is more than 2 f0"),),
    ),
    _option(
        "closed_jump",
        Text("门清跳翻：没有吃、碰、明杠时加几翻", "concealed jump: fan added where nothing was claimed"),
        (1, 0),
        between=(0, 5),
    ),
    _option(
        "merges",
        Text("番牌刻子合并为一个番种", "pungs of 番牌 merge into one fan"),
        (True, False),
    ),
)

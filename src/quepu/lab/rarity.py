"""The rarity of each fan, and the points of hands that count it: exact numbers over every winning hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log2

import numpy as np

from quepu.errors import Text, join_list
from quepu.fast.universe.census import Census
from quepu.fast.universe.each_tile import WON
from quepu.lab.captions import by_tile, fan_words, hands_column, sets_column, source, state_words
from quepu.lab.hand_text import reading_text
from quepu.lab.sheet import Sheet, SheetColumn, format_value
from quepu.rules.rulebook import Rulebook


@dataclass(frozen=True)
class Rarity:
    """One fan in one state.

        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> first = rarity(counted)[0]
        >>> first.name, first.hands, first.least, first.example
        ('大四喜', 30, 112, 'EEE SSS WWW NNN 22m')

    Attributes: name: the fan. holding: decomposed hands in which its condition holds. readings: decomposed hands that
    count it. hands: distinct hands whose best reading counts it. sets: physical tile sets that are those hands. share:
    `sets` among the physical tile sets of all winning hands. least: fewest points of a hand that counts it, without
    bonus fans; None if none does. most: most points of such a hand. example: a cheapest such hand.
    """

    name: str
    holding: int
    readings: int
    hands: int
    sets: int
    share: float
    least: int | None
    most: int | None
    example: str | None

    @property
    def bits(self) -> float | None:
        """-log2 of the share."""
        return -log2(self.share) if self.share else None


@dataclass(frozen=True)
class Totals:
    """All winning hands of a census.

    Examples:
        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> totals(counted)
        Totals(readings=28009420, hands=27919573, sets=13257769189488)
    """

    readings: int
    hands: int
    sets: int


def totals(census: Census) -> Totals:
    """Count readings, hands and physical tile sets.

    Examples:
        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> totals(counted).hands
        27919573
    """
    whole = census.whole
    return Totals(int(whole.readings.sum()), int(whole.hands.sum()), int(whole.sets.sum()))


def rarity(census: Census) -> list[Rarity]:
    """Return every fan of the book, in its order.

    Examples:
        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> rarest = min((one for one in rarity(counted) if one.sets), key=lambda one: one.share)
        >>> rarest.name, rarest.sets
        ('一色四同顺', 3906)
    """
    whole, all_of_them = census.whole, totals(census)
    readings, hands, sets = (whole.by_class(name) for name in ("readings", "hands", "sets"))
    counted, held = np.ascontiguousarray(census.counts.T) > 0, np.ascontiguousarray(census.holds.T)  # by fan
    found = []
    for row, fan in enumerate(census.book.fans):
        counts = counted[row]
        best = np.flatnonzero(counts & (hands > 0))
        least = most = example = None
        if best.size:
            points = census.points[best]
            least, most = int(points.min()), int(points.max())
            example = reading_text(census.example(int(best[points.argmin()])))
        weight = int(sets[counts].sum())
        found.append(
            Rarity(
                fan.name,
                int(readings[held[row]].sum()),
                int(readings[counts].sum()),
                int(hands[counts].sum()),
                weight,
                weight / all_of_them.sets,
                least,
                most,
                example,
            )
        )
    return found


@dataclass(frozen=True)
class Least:
    """The cheapest hand that counts a fan, over several states.

    Examples:
        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> least_points(counted.book, [counted])[0]
        Least(name='大四喜', points=112, state='closed-discard', example='EEE SSS WWW NNN 22m')
    """

    name: str
    points: int | None
    state: str | None
    example: str | None


def least_points(book: Rulebook, censuses: Iterable[Census]) -> list[Least]:
    """Return, for every fan, the fewest points of a reading that counts it, over these states: 灵雀's 附录.

        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> [one.points for one in least_points(counted.book, [counted])][:3]
        [112, 93, 91]

    Every reading counts, even if another reading of the same tiles would be worth more.
    """
    found: dict[int, Least] = {}
    for census in censuses:
        taken = census.whole.by_class("readings") > 0
        for row, fan in enumerate(book.fans):
            at = np.flatnonzero((census.counts[:, row] > 0) & taken)
            if not at.size:
                continue
            cheapest = int(at[census.points[at].argmin()])
            points = int(census.points[cheapest])
            before = found.get(row)
            if before is None or before.points is None or points < before.points:
                found[row] = Least(fan.name, points, census.state.key, reading_text(census.example(cheapest)))
    return [found.get(row, Least(fan.name, None, None, None)) for row, fan in enumerate(book.fans)]


def rarity_sheet(census: Census) -> Sheet:
    """Tabulate all fans of a census.

    Examples:
        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> sheet = rarity_sheet(counted)
        >>> sheet.title.en, [column.key for column in sheet.columns][:4]
        ('MCR (online platforms): rarity of fans', ['fan', 'holding', 'readings', 'hands'])
    """
    all_of_them = totals(census)
    rows = [
        (r.name, r.holding, r.readings, r.hands, r.sets, r.share, r.bits, r.least, r.most, r.example)
        for r in rarity(census)
    ]
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("holding", Text("拆解中成立", "readings holding"), "int"),
        SheetColumn("readings", Text("拆解中计入", "readings counting"), "int"),
        hands_column(census.state),
        sets_column(census.state),
        SheetColumn("share", Text("占比", "share"), "share"),
        SheetColumn("bits", Text("比特", "bits"), "number"),
        SheetColumn("least", Text("最小点数", "least points"), "int"),
        SheetColumn("most", Text("最大点数", "most points"), "int"),
        SheetColumn("example", Text("最小牌例", "cheapest example")),
    )
    facts = {"readings": all_of_them.readings, "hands": all_of_them.hands, "sets": all_of_them.sets}
    by = by_tile(census.state)
    line = Text(
        f"共 {format_value(all_of_them.readings, 'int')} 种拆解，{format_value(all_of_them.hands, 'int')} 种和牌，"
        f"{format_value(all_of_them.sets, 'int')} 组实体牌{by.zh}",
        f"{format_value(all_of_them.readings, 'int')} readings, {format_value(all_of_them.hands, 'int')} hands, "
        f"{format_value(all_of_them.sets, 'int')} physical tile sets{by.en}",
    )
    title = Text(f"{census.book.title.zh}：番种稀有度", f"{census.book.title.en}: rarity of fans")
    brief = ("fan", "hands", "share", "bits", "least", "most", "example")
    return Sheet(
        "rarity", title, source(census), columns, rows, facts, [line], brief=brief, words=fan_words(census.book)
    )


def won_sheet(census: Census) -> Sheet:
    """Tabulate the fans about the winning tile, for a census that names it: waits, 暗刻, 九莲宝灯.

    Examples:
        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> [row[0] for row in won_sheet(counted).rows]
        ['九莲宝灯', '四暗刻', '三暗刻', '不求人', '和绝张', '双暗刻', '边张', '嵌张', '单钓将']
    """
    sheet = rarity_sheet(census)
    book = census.book
    sheet.rows = [row for row in sheet.rows if not book.fan(row[0]).reads.isdisjoint(WON)]
    sheet.key = "won"
    sheet.title = Text(f"{book.title.zh}：看和张的番种", f"{book.title.en}: fans about the winning tile")
    return sheet


def least_sheet(book: Rulebook, censuses: list[Census]) -> Sheet:
    """Tabulate the cheapest hand that counts each fan.

    Examples:
        >>> import quepu
        >>> from quepu.fast.universe.valued import census
        >>> from quepu.lab.states import state
        >>> counted = census(quepu.book("guobiao-mcr"), state("closed-discard"))
        >>> least_sheet(counted.book, [counted]).rows[0]
        ('大四喜', 112, 'closed-discard', 'EEE SSS WWW NNN 22m')
    """
    rows = [(x.name, x.points, x.state, x.example) for x in least_points(book, censuses)]
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("least", Text("最小点数", "least points"), "int"),
        SheetColumn("state", Text("状态", "state"), "word"),
        SheetColumn("example", Text("牌例", "example")),
    )
    states = join_list(census.state.text for census in censuses)
    where = Text(
        f"quepu lab · {book.id} {book.fingerprint} · {len(censuses)} 种状态：{states.zh}",
        f"quepu lab · {book.id} {book.fingerprint} · states: {states.en}",
    )
    title = Text(f"{book.title.zh}：含各番种的最小点数", f"{book.title.en}: least points of a hand with each fan")
    facts = {"unit": {"zh": book.unit.zh, "en": book.unit.en}}
    return Sheet("least", title, where, columns, rows, facts, words=fan_words(book) | state_words(*censuses))

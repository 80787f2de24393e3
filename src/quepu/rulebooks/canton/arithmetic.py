"""How 广东 adds up: every pattern that holds counts, but those that another one names or brings along.

R1: a pattern keeps out what the seed states and what its definition implies; a pattern that is itself kept out still
keeps out what it implies. R2: what is only implied stays when it is worth more than the pattern that implies it.
"""

from __future__ import annotations

from typing import NamedTuple

from quepu.errors import Text
from quepu.planes import Planes
from quepu.rulebook import EACH, Counted, Dropped, Fan, Hits, Rulebook, Tally
from quepu.rulebooks.canton.row import SHAPE


class Masks(NamedTuple):
    """What the rows keep out, as masks over row numbers."""

    drops: tuple[int, ...]  # for each row, R1 and R2
    stated: tuple[int, ...]  # for each row, the part the seed states
    dearer: tuple[int, ...]  # for each row, what it implies and R2 keeps
    frees: tuple[tuple[int, int], ...]  # (row, rows that it no longer keeps out once it is kept out itself)
    shapes: int  # the rows whose presence makes a hand more than 鸡糊
    plain: int  # 鸡糊
    beside: int  # rows that do not count towards the minimum


_known: dict[int, tuple[tuple[Fan, ...], Masks]] = {}  # by identity of the rows, which are kept so that it holds


def masks(book: Rulebook) -> Masks:
    """The masks of a book; a house rule that changes a value changes R2 with it."""
    found = _known.get(id(book.fans))
    if found is None:
        if len(_known) >= 64:
            _known.clear()
        found = _known[id(book.fans)] = (book.fans, _masks(book))
    return found[1]


def _masks(book: Rulebook) -> Masks:
    rows = book.fans
    drops, stated, dearer_masks, frees = [], [], [], []
    shapes = plain = beside = 0
    for i, row in enumerate(rows):
        implied = [book.index[name] for name in row.extra.get("implied", ()) if name in book.index]
        dearer = sum(1 << j for j in implied if rows[j].value > row.value)
        drops.append(book.drops[i] & ~dearer)
        stated.append(book.drops[i] & ~sum(1 << j for j in implied))
        dearer_masks.append(dearer)
        if "frees" in row.extra:
            frees.append((i, sum(1 << book.index[name] for name in row.extra["frees"] if name in book.index)))
        if "plain" in row.extra:
            plain |= 1 << i
        elif row.category == SHAPE:
            shapes |= 1 << i
        if "beside" in row.extra:
            beside |= 1 << i
    return Masks(tuple(drops), tuple(stated), tuple(dearer_masks), tuple(frees), shapes, plain, beside)


def worth(row: Fan, times: int) -> int:
    """What a row adds when it holds so many times; 十三不搭 adds five more when it is a full 全不靠."""
    if "each_more" in row.extra:
        return int(row.value) + int(row.extra["each_more"]) * (times - 1)
    return int(row.value) * times


class Fans:
    """The arithmetic of the book (see the module)."""

    reads: tuple[str, ...] = ()

    def combine(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:  # the hits say it all
        """Drop by name, add up the rest; flowers and the dealer's fan come beside the minimum."""
        rows, m = book.fans, masks(book)
        held = 0
        for i, _ in hits:
            held |= 1 << i
        out = 0
        for i, _ in hits:
            out |= m.drops[i]
        for i, freed in m.frees:
            if out >> i & 1 and held >> i & 1:
                out = self._without(m, held, i, freed)
        if held & m.shapes:
            out |= m.plain
        points = bonus = 0
        counted, dropped = [], []
        for i, n in hits:
            row = rows[i]
            if out >> i & 1:
                dropped.append(self._why(rows, m, hits, i))
                continue
            times = min(n.bit_count() if row.of == EACH else n, row.most)
            value = worth(row, times)
            if m.beside >> i & 1:
                bonus += value
            else:
                points += value
            note = None
            if "each_more" in row.extra:
                times, each = 1, value
                if value > row.value:
                    note = Text(
                        f"全不靠，{row.value}＋{value - row.value}", f"all different: {row.value} + {value - row.value}"
                    )
            else:
                each = int(row.value)
            brought = m.dearer[i] & held & ~out
            if brought:
                kept = "、".join(rows[j].name for j in range(len(rows)) if brought >> j & 1)
                note = Text(
                    f"{kept}虽必然并存，番数更高，照计", f"{kept} always comes along but is worth more, so it counts"
                )
            counted.append(Counted(i, times, {"fan": each}, note))
        counted.sort(key=lambda c: (-c.value["fan"] * c.times, c.row))
        return Tally(
            points, {"fan": points}, tuple(counted), tuple(dropped), _how(book, counted, points, bonus), (), bonus
        )

    def _without(self, m: Masks, held: int, row: int, freed: int) -> int:
        """What is kept out when `row`, being kept out, no longer keeps out `freed`."""
        out = 0
        for i in range(len(m.drops)):
            if held >> i & 1:
                out |= m.drops[i] & ~freed if i == row else m.drops[i]
        return out

    def _why(self, rows: tuple[Fan, ...], m: Masks, hits: Hits, i: int) -> Dropped:
        name = rows[i].name
        for j, _ in hits:
            if m.stated[j] >> i & 1:
                by = rows[j].name
                return Dropped(i, j, Text(f"{by}不计{name}", f"{by} says that {name} is not added"))
        for j, _ in hits:
            if m.drops[j] >> i & 1:
                by = rows[j].name
                return Dropped(i, j, Text(f"{by}必然带有{name}", f"{by} always brings {name} along"))
        return Dropped(i, None, Text("另有牌型，不算鸡糊", "there is another pattern"))


def _how(book: Rulebook, counted: list[Counted], points: int, bonus: int) -> Text:
    if not bonus:
        return Text(f"{points} 番", f"{points} fan")
    beside = [book.fans[c.row] for c in counted if "beside" in book.fans[c.row].extra]
    zh = "、".join(row.name for row in beside)
    en = ", ".join(row.english for row in beside)
    return Text(
        f"{points} 番，另加{zh} {bonus} 番，共 {points + bonus} 番",
        f"{points} fan, and {bonus} for {en}: {points + bonus} in all",
    )

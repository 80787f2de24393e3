"""玉雀's arithmetic: the groups of the fans that hold, their values (`accretion`), p = f^2, and 报番 in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from quepu.errors import Text, many
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes
from quepu.hands.win import CHOW, PAIR, PUNG, Group
from quepu.rulebooks.yuque.accretion import Available, ResidueCounting, ResidueFan, ResidueTables, add_up, count
from quepu.rulebooks.yuque.point_fractions import half_even, points, print_value, sum_of
from quepu.rulebooks.yuque.residues import entries, stem
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.rules.arithmetic import Counted, Deciding, Dropped, Hits, Place, ResidueFigures, Tally
from quepu.rules.row import ALL, Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.occurrences import Parts, occurrences
from quepu.tiles import BIT, kinds_of

_CHOWS = ("c1", "c2", "c3", "c4")
_PUNGS = ("p", "pair", "pc", "k", "seat")
_SELF_DRAW = int(Luck.SELF_DRAW)
_MOST = 1 << 16
_NO_PLANES = Planes(*[0] * len(Planes._fields))

Places = tuple[Available, ...]


class Accretion:
    """Fans are added by priority, each keeping the share that earlier ones leave; the total squared is the points.

    `residues` are d(a, b) by (a, b); an earlier revision of the book may have had others.
    """

    reads: tuple[str, ...] = (*_CHOWS, *_PUNGS, "luck")
    decides = Deciding(
        (lambda h: h.luck & _SELF_DRAW,), by_groups=True
    )  # the places of the fans and this decide everything

    def __init__(self, residues: Mapping[tuple[str, str], int] | None = None, *, fewest: bool = True) -> None:
        self.residues = {pair: d for pair, (d, _) in entries().items()} if residues is None else residues
        self.fewest = fewest
        """Whether the fewest fans win among equal totals."""

    @property
    def figures(self) -> list[tuple[str, str, int]]:
        """Return the residues as plain data, and how equal totals are ordered."""
        return [*sorted((a, b, d) for (a, b), d in self.residues.items()), ("", "fewest", self.fewest)]

    def having(self, residues: Mapping[tuple[str, str], int] | None = None, *, fewest: bool | None = None) -> Accretion:
        """Return the same arithmetic with other residues d(a, b), or another choice among equal totals."""
        return Accretion({**self.residues, **(residues or {})}, fewest=self.fewest if fewest is None else fewest)

    print_value = staticmethod(print_value)

    def situation(self, book: Rulebook, hits: Hits, h: Planes) -> YuqueSituation:
        """Return the groups of everything that holds, and the groups on which 番刻 may be counted."""
        return self._engine(book).situation(hits, h)

    def combine(self, book: Rulebook, at: YuqueSituation) -> Tally:
        """Return the best legal counting of a situation, announced as in the book."""
        return self._engine(book).tally(at)

    def explain_tally(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """Return the same tally with notes on ambiguous groups and on 番刻."""
        return self._engine(book).explain_tally(hits, h)

    def residue_figures(self, book: Rulebook) -> ResidueFigures:
        """Return the same arithmetic as figures."""
        tables = self._engine(book).tables
        return ResidueFigures(
            tuple((whole, cut) for whole, cut in tables.points),
            tuple(map(tuple, tables.remaining)),
            tuple(tables.groups),
            tuple(tables.apart),
            tuple(tables.priority),
            tuple(tables.serves),
            tuple(tables.values),
            tables.fanke,
            tables.fanke_value,
            self.fewest,
            points,
            tables.order,
        )

    def general_rule(self, book: Rulebook, strong: Fan, weak: Fan) -> Text | None:
        """Return the sentence that fans counted together do not contain each other."""
        return Text(
            "书上说，所计番种两两不包含。", "the book says that of two fans counted neither contains the other."
        )

    def residue_names(self, book: Rulebook) -> dict[str, int]:
        """Return the names by which residues go, those of variants without their ends, and how many groups each has."""
        return {stem(fan.name): fan.own(YuqueExtra).groups for fan in book.fans}

    def residues_of(self, book: Rulebook) -> dict[tuple[str, str], int]:
        """Return the residues of a book: the matrix, with the changes of a house."""
        found = dict(self.residues)
        for a, b, left in book.settings.get("residues", ()):
            found.pop((a, b), None)
            if left >= 0:
                found[a, b] = left
        return found

    def _engine(self, book: Rulebook) -> _Engine:
        engine: _Engine | None = book.notes.get("engine")
        if engine is None:
            engine = book.notes["engine"] = _Engine(book, self.residues_of(book), self.fewest)
        return engine


class YuqueSituation(NamedTuple):
    """Everything that a tally depends on."""

    places: Places  # in the order of the rows
    pungs: int  # the groups that are pungs or kongs, as a mask
    drawn: bool


class _Engine:
    """A book's tables and caches."""

    def __init__(self, book: Rulebook, residues: Mapping[tuple[str, str], int], fewest: bool) -> None:
        self.book = book
        self.fewest = fewest
        self.tables = ResidueTables(book, residues)
        of_groups = [i for i, fan in enumerate(book.fans) if fan.of != ALL and i != self.tables.fanke]  # 番刻 go last
        self.chow_rows = [i for i in of_groups if book.fans[i].reads <= set(_CHOWS)]
        self.pung_rows = [i for i in of_groups if book.fans[i].reads <= set(_PUNGS)]
        self.mixed_rows = frozenset(of_groups) - set(self.chow_rows) - set(self.pung_rows)
        self.whole_rows = frozenset(i for i, fan in enumerate(book.fans) if fan.of == ALL)
        self._chows: dict[tuple[int, ...], Places] = {}
        self._pungs: dict[tuple[int, ...], Places] = {}

    def situation(self, hits: Hits, h: Planes) -> YuqueSituation:
        """Return the places of everything that holds, looked up by sets of chows and of pungs (with the pair)."""
        seen = h[:4]
        chows = self._chows.get(seen)
        if chows is None:
            chows = self._chows[seen] = self._find_places(self.chow_rows, _only(_CHOWS, seen))
        before = h.c1.bit_count() + h.c2.bit_count() + h.c3.bit_count() + h.c4.bit_count()
        after = h.p.bit_count()
        key = (h.p, h.pair, h.pc, h.k, h.seat, before)
        pungs = self._pungs.get(key)
        if pungs is None:
            if len(self._pungs) >= _MOST:
                self._pungs.clear()
            pungs = self._pungs[key] = self._find_places(self.pung_rows, _only(_PUNGS, key[:-1]), before)
        places = list(chows + pungs)
        parts = None
        for i, _ in hits:
            if i in self.whole_rows:
                places.append((i, ((1 << before + after + h.pair.bit_count()) - 1,)))
            elif i in self.mixed_rows:
                parts = parts or Parts(_groups(h), h)
                masks = occurrences(self.book.fans[i], parts)
                if masks:  # a new fan may hold on the whole hand but on no subset of its groups
                    places.append((i, masks))
        places.sort()
        return YuqueSituation(tuple(places), ((1 << after) - 1) << before, h.luck & _SELF_DRAW != 0)

    def _find_places(self, rows: list[int], h: Planes, before: int = 0) -> Places:
        """Return the places of these rows on the groups of these planes; `before` groups of the hand come first."""
        parts = Parts(_groups(h), h)
        found = ((i, occurrences(self.book.fans[i], parts)) for i in rows)
        return tuple((i, tuple(m << before for m in masks)) for i, masks in found if masks)

    def tally(self, at: YuqueSituation) -> Tally:
        """Return the best counting in words."""
        return self._tally(count(self.tables, at.places, at.pungs, self.fewest), at)

    def explain_tally(self, hits: Hits, h: Planes) -> Tally:
        """Return the tally with the groups that each fan was counted on."""
        at, groups = self.situation(hits, h), _groups(h)
        counting = count(self.tables, at.places, at.pungs, self.fewest)
        masks = {line.row: [line.mask] for line in counting.lines if self.book.fans[line.row].of != ALL}
        if self.tables.fanke is not None:
            masks[self.tables.fanke] = [1 << i for i in range(len(groups)) if counting.fanke >> i & 1]
        tally = self._tally(counting, at)
        counted = (
            c._replace(places=tuple(_place(mask, groups) for mask in masks[c.row])) if c.row in masks else c
            for c in tally.counted
        )
        return tally._replace(counted=tuple(counted))

    # ---- in words

    def _tally(self, counting: ResidueCounting, at: YuqueSituation) -> Tally:
        counted = [Counted(line.row, 1, {"fan": line.added}, self._note(line, counting)) for line in counting.lines]
        n = counting.fanke.bit_count()
        if n and self.tables.fanke is not None:
            counted.append(Counted(self.tables.fanke, n, {"fan": self.tables.fanke_value}))
        fan, paid = counting.total, points(counting.total)
        return Tally(
            paid,
            {"fan": fan},
            tuple(counted),
            tuple(self._left_out(counting, at)),
            Text(f"{fan} 番 {paid} 点", f"{fan} fan, {many(paid, 'point')}"),
            (self._announce(counted, n), self._ending(fan, at.drawn)),
        )

    def _note(self, line: ResidueFan, counting: ResidueCounting) -> Text | None:
        own = self.book.fans[line.row].own(YuqueExtra)
        if line.by is None and not own.off and not (own.cut and counting.fanke):
            return None
        return self._residue(line.row, line.remaining, line.by, bool(counting.fanke))

    def _residue(self, row: int, remaining: int, by: int | None, with_fanke: bool) -> Text:
        """Return a fan's contribution as a sum, and the fan that reduced it."""
        added = sum_of(self.book.fans[row], remaining, with_fanke)
        if by is None:
            return added
        before, left = self.book.fans[by], f"{remaining}/{self.tables.groups[row]}"
        return Text(
            f"对“{before.name}”的剩余数 {left}：{added.zh}", f"residue {left} after {before.english}: {added.en}"
        )

    def _nothing(self, row: int, masks: tuple[int, ...], counting: ResidueCounting) -> Text:
        """Say why a fan that is not excluded does not count: its own sum, or the loss it would cause to others."""
        fans, mine = self.book.fans, [(line.row, line.mask) for line in counting.lines]
        tries = [add_up(self.tables, [*mine, (row, mask)], bool(counting.fanke)) for mask in masks]
        lines = max(tries, key=lambda lines: sum(line.added for line in lines))
        line = next(line for line in lines if line.row == row)
        if not line.added:
            why = self._residue(row, line.remaining, line.by, bool(counting.fanke))
            return Text(f"{why.zh}，不增番", f"{why.en}: nothing")
        before = {line.row: line.added for line in counting.lines}
        less = [other for other in lines if other.row != row and other.added < before[other.row]]
        zh = "、".join(f"“{fans[x.row].name}”由 {before[x.row]} 减为 {x.added}" for x in less)
        en = ", ".join(f"{fans[x.row].english} falls from {before[x.row]} to {x.added}" for x in less)
        return Text(f"若计 {line.added}，{zh}，总番不增", f"counted as {line.added}, {en}: no more in all")

    def _left_out(self, counting: ResidueCounting, at: YuqueSituation) -> list[Dropped]:
        fans = self.book.fans
        rows = {line.row for line in counting.lines}
        found = []
        for i, masks in at.places:
            if i in rows:
                continue
            by = next((line.row for line in counting.lines if self.tables.apart[i] >> line.row & 1), None)
            if by is None:
                why = self._nothing(i, masks, counting)
            elif self.book.drops[by] >> i & 1:
                why = Text(f"含于“{fans[by].name}”", f"contained in {fans[by].english}")
            elif self.book.drops[i] >> by & 1:
                why = Text(f"改计其所含的“{fans[by].name}”更高", f"its part {fans[by].english} is worth more")
            else:
                why = Text(f"与“{fans[by].name}”排斥", f"excluded by {fans[by].english}")
            found.append(Dropped(i, by, why))
        serving = any(self.tables.serves[line.row] and line.mask & at.pungs for line in counting.lines)
        if self.tables.fanke is not None and serving and not counting.fanke:
            found.append(Dropped(self.tables.fanke, None, Text("计番刻并不更高", "counting them is worth no more")))
        return found

    def _announce(self, counted: list[Counted], n: int) -> Text:
        """报番: list every fan in the order added with its contribution, 番刻 last with their number."""
        zh, en = [], []
        for c in counted:
            fan = self.book.fans[c.row]
            if c.row == self.tables.fanke:
                zh.append(f"{fan.name}({n} 副) {n * self.tables.fanke_value}")
                en.append(f"{fan.english} ({n}) {n * self.tables.fanke_value}")
            else:
                zh.append(f"{fan.name} {c.value['fan']}")
                en.append(f"{fan.english} {c.value['fan']}")
        if not counted:
            return Text("报番：无番", "announced: no fan")
        return Text("报番：" + "；".join(zh), "announced: " + "; ".join(en))

    def _ending(self, fan: int, drawn: bool) -> Text:
        """Return the winner's points and the loss of each other player, or the discarder; losses of 0 are left out."""
        p = points(fan)
        if not drawn:
            won, lost = p, half_even(p, 2)
        elif self.book.settings.get("self_draw") == "winner_gains":
            won, lost = half_even(7 * p, 6), 0
        else:
            won, lost = p, half_even(p, 6)
        end = f" · {lost}" if lost else ""
        return Text(
            f"{fan} 番{'自摸' if drawn else '铳和'} {won}{end}（点）",
            f"{fan} fan {'by self-draw' if drawn else 'on a discard'}: {won}{end} points",
        )


def _place(mask: int, groups: tuple[Group, ...]) -> Place:
    return tuple((group.kind, group.tile) for i, group in enumerate(groups) if mask >> i & 1)


def _only(names: tuple[str, ...], seen: Iterable[int]) -> Planes:
    """Return these planes with all others empty."""
    return _NO_PLANES._replace(**dict(zip(names, seen, strict=True)))


def _groups(h: Planes) -> tuple[Group, ...]:
    """Return the chows, pungs and pair of a reading, in a fixed order that depends only on the planes."""
    chows = sorted((kind, n) for n, plane in enumerate(h[:4]) for kind in kinds_of(plane))
    return (
        *(Group(CHOW, kind, exposed=bool(h[4 + n] & BIT[kind])) for kind, n in chows),
        *(Group(PUNG, kind, *_state(h, BIT[kind])) for kind in kinds_of(h.p)),
        *(Group(PAIR, kind) for kind in kinds_of(h.pair)),
    )


def _state(h: Planes, bit: int) -> tuple[bool, bool, bool]:
    """Return whether a pung is exposed, is a kong, and (if neither melded nor concealed) was finished by a discard."""
    return bool(h.xp & bit), bool(h.k & bit), not (h.xp | h.pc) & bit

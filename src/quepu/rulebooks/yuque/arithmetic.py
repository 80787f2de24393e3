"""玉雀's arithmetic: where the fans that hold lie, what they add (`accretion`), p = f^2, and the 报番 in words."""

from __future__ import annotations

from typing import NamedTuple

from quepu.errors import Text
from quepu.hand import Luck
from quepu.occurrences import Parts, occurrences
from quepu.planes import Condition, Planes
from quepu.rulebook import ALL, Counted, Dropped, Hits, Rulebook, Tally
from quepu.rulebooks.yuque.accretion import Available, Counting, Line, Tables, count
from quepu.rulebooks.yuque.payments import half_even, points
from quepu.tiles import BIT, kinds_of
from quepu.win import CHOW, PAIR, PUNG, Group

_CHOWS = ("c1", "c2", "c3", "c4")
_PUNGS = ("p", "pair", "pc", "k", "seat")
_SELF_DRAW = int(Luck.SELF_DRAW)
_MOST = 1 << 16

Places = tuple[Available, ...]


class Accretion:
    """Fans are added by priority, each keeping what the earlier ones leave of it; the total squared is the points."""

    reads: tuple[str, ...] = (*_CHOWS, *_PUNGS, "luck")
    by_groups = True  # where the fans lie and these settle everything: see `quepu.batch.classes.asked`
    decides: tuple[Condition, ...] = (lambda h: h.luck & _SELF_DRAW,)

    def __init__(self) -> None:
        self._engines: dict[int, tuple[Rulebook, _Engine]] = {}

    def combine(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """The best legal counting of one reading, announced as the book does."""
        return self._engine(book).tally(hits, h)

    def told(self, book: Rulebook, hits: Hits, h: Planes) -> Tally:
        """The same, with notes that say which groups a fan was taken on where it could lie on several, and 番刻."""
        return self._engine(book).told(hits, h)

    def _engine(self, book: Rulebook) -> _Engine:
        found = self._engines.get(id(book))
        if found is None:
            if len(self._engines) >= 32:
                self._engines.clear()
            found = self._engines[id(book)] = (book, _Engine(book))
        return found[1]


class _Situation(NamedTuple):
    """All that a tally depends on."""

    hits: Hits
    chows: Places
    pungs: Places
    mixed: Places
    drawn: int


class _Engine:
    """One book's tables and memos."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.tables = Tables(book)
        of_groups = [i for i, fan in enumerate(book.fans) if fan.of != ALL and i != self.tables.fanke]  # 番刻 go last
        self.chow_rows = frozenset(i for i in of_groups if book.fans[i].reads <= set(_CHOWS))
        self.pung_rows = frozenset(i for i in of_groups if book.fans[i].reads <= set(_PUNGS))
        self.mixed_rows = frozenset(of_groups) - self.chow_rows - self.pung_rows
        self._chows: dict[tuple[int, ...], Places] = {}
        self._pungs: dict[tuple[int, ...], Places] = {}
        self._tallies: dict[_Situation, Tally] = {}

    def tally(self, hits: Hits, h: Planes) -> Tally:
        key = _Situation(hits, *self._places(hits, h), h.luck & _SELF_DRAW)
        found = self._tallies.get(key)
        if found is None:
            if len(self._tallies) >= _MOST:
                self._tallies.clear()
            found = self._tallies[key] = self._told(self.count(hits, h), hits, h)
        return found

    def told(self, hits: Hits, h: Planes) -> Tally:
        """The tally with the groups in its notes."""
        tally, counting, groups = self.tally(hits, h), self.count(hits, h), _groups(h)
        choices = {row: len(masks) for places in self._places(hits, h) for row, masks in places}
        notes = {line.row: line.mask for line in counting.lines if choices.get(line.row, 1) > 1}
        if self.tables.fanke is not None and counting.fanke != _pungs(groups):
            notes[self.tables.fanke] = counting.fanke
        counted = []
        for c in tally.counted:
            if c.row in notes:
                on = " ".join(group.text() for i, group in enumerate(groups) if notes[c.row] >> i & 1)
                before = c.note or Text("", "")
                note = Text("；".join(filter(None, (on, before.zh))), "; ".join(filter(None, (on, before.en))))
                c = c._replace(note=note)  # noqa: PLW2901  # the same line, said in full
            counted.append(c)
        return tally._replace(counted=tuple(counted))

    def count(self, hits: Hits, h: Planes) -> Counting:
        """Where everything that holds lies, and the best way to count it."""
        chows, pungs, mixed = self._places(hits, h)
        groups = _groups(h)
        whole = tuple((i, ((1 << len(groups)) - 1,)) for i, _ in hits if self.book.fans[i].of == ALL)
        return count(self.tables, (*chows, *pungs, *mixed, *whole), _pungs(groups))

    def _places(self, hits: Hits, h: Planes) -> tuple[Places, Places, Places]:
        """Where the fans of chows alone, of pungs (and the pair) alone, and of both lie; few sets of each come up."""
        chow_key = h[:4]
        chows = self._chows.get(chow_key)
        if chows is None:
            groups = [group for group in _groups(h) if group.kind == CHOW]
            chows = self._chows[chow_key] = self._lie(self.chow_rows, hits, Parts(groups, h), 0)
        pung_key = (h.p, h.pair, h.pc, h.k, h.seat)
        pungs = self._pungs.get(pung_key)
        if pungs is None:
            if len(self._pungs) >= _MOST:
                self._pungs.clear()
            groups = [group for group in _groups(h) if group.kind != CHOW]
            before = sum(plane.bit_count() for plane in chow_key)
            pungs = self._pungs[pung_key] = self._lie(self.pung_rows, hits, Parts(groups, h), before)
        if any(i in self.mixed_rows for i, _ in hits):
            return chows, pungs, self._lie(self.mixed_rows, hits, Parts(_groups(h), h), 0)
        return chows, pungs, ()

    def _lie(self, rows: frozenset[int], hits: Hits, parts: Parts, before: int) -> Places:
        """The places of these rows among some of the groups; `before` groups of the hand stand before them."""
        fans = self.book.fans
        return tuple((i, tuple(m << before for m in occurrences(fans[i], parts))) for i, _ in hits if i in rows)

    # ---- in words

    def _told(self, counting: Counting, hits: Hits, h: Planes) -> Tally:
        counted = [Counted(line.row, 1, {"fan": line.added}, self._note(line, counting)) for line in counting.lines]
        n = counting.fanke.bit_count()
        if n and self.tables.fanke is not None:
            counted.append(Counted(self.tables.fanke, n, {"fan": self.tables.fanke_value}))
        fan, worth = counting.total, points(counting.total)
        return Tally(
            worth,
            {"fan": fan},
            tuple(counted),
            tuple(self._left_out(counting, hits, _pungs(_groups(h)))),
            Text(f"{fan} 番 {worth} 点", f"{fan} fan, {worth} points"),
            (self._announced(counted, n), self._ending(fan, bool(h.luck & _SELF_DRAW))),
        )

    def _note(self, line: Line, counting: Counting) -> Text | None:
        fan = self.book.fans[line.row]
        groups, cut, off = self.tables.groups[line.row], fan.extra.get("cut", 0), fan.extra.get("off", 0)
        if not counting.fanke:
            cut = 0
        if line.by is None and not cut and not off:
            return None
        value = f"({fan.value}-{cut})" if cut else f"{fan.value}"
        times = f"×{line.kept}/{groups}" if line.kept < groups else ""
        if cut and not times:
            value = value[1:-1]
        sum_ = f"{value}{times}{f'-{off}' if off else ''}={line.added}"
        if line.by is None:
            return Text(sum_, sum_)
        by = self.book.fans[line.by]
        return Text(
            f"对“{by.name}”的剩余数 {line.kept}/{groups}：{sum_}",
            f"residue {line.kept}/{groups} after {by.english}: {sum_}",
        )

    def _left_out(self, counting: Counting, hits: Hits, pungs: int) -> list[Dropped]:
        fans = self.book.fans
        rows = {line.row for line in counting.lines}
        found = []
        for i, _ in sorted(hits):
            if i in rows or i == self.tables.fanke:
                continue
            by = next((line.row for line in counting.lines if self.tables.apart[i] >> line.row & 1), None)
            if by is None:
                why = Text("计入也不增番", "counting it adds nothing")
            elif self.book.drops[by] >> i & 1:
                why = Text(f"含于“{fans[by].name}”", f"contained in {fans[by].english}")
            elif self.book.drops[i] >> by & 1:
                why = Text(f"改计其所含的“{fans[by].name}”更高", f"its part {fans[by].english} is worth more")
            else:
                why = Text(f"与“{fans[by].name}”排斥", f"excluded by {fans[by].english}")
            found.append(Dropped(i, by, why))
        serving = any(self.tables.serves[line.row] and line.mask & pungs for line in counting.lines)
        if self.tables.fanke is not None and serving and not counting.fanke:
            found.append(Dropped(self.tables.fanke, None, Text("计番刻并不更高", "counting them is worth no more")))
        return found

    def _announced(self, counted: list[Counted], n: int) -> Text:
        """报番: every fan in the order added with what it adds, 番刻 last with their number."""
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
        """The winner's points and what each of the others, or the discarder, loses; a loss of 0 is left out."""
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
            f"{fan} fan {'by self-draw' if drawn else 'by discard'}: {won}{end} points",
        )


def _groups(h: Planes) -> tuple[Group, ...]:
    """Chows, pungs, pair of a reading, in a fixed order that depends on the planes alone."""
    chows = sorted((kind, n) for n, plane in enumerate(h[:4]) for kind in kinds_of(plane))
    return (
        *(Group(CHOW, kind, exposed=bool(h[4 + n] & BIT[kind])) for kind, n in chows),
        *(Group(PUNG, kind, *_state(h, BIT[kind])) for kind in kinds_of(h.p)),
        *(Group(PAIR, kind) for kind in kinds_of(h.pair)),
    )


def _pungs(groups: tuple[Group, ...]) -> int:
    return sum(1 << i for i, group in enumerate(groups) if group.kind == PUNG)


def _state(h: Planes, bit: int) -> tuple[bool, bool, bool]:
    """Whether a pung is exposed, a kong, and (being neither melded nor concealed) finished by a discard."""
    return bool(h.xp & bit), bool(h.k & bit), not (h.xp | h.pc) & bit

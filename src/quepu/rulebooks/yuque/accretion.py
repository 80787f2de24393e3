"""叠加: which fans to count, on which groups, with 番刻 or without, and in which order. An exact bounded search.

The book adds fans by priority. A fan keeps its residue R, the least d/h over the fans already counted that share a
group with it. Within one priority, the order with the lowest total is taken; over everything else (which fans, which
groups, 番刻 counted or not), the player takes the highest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from quepu.rulebooks.yuque.accidents import FANKE
from quepu.rulebooks.yuque.point_fractions import half_even
from quepu.rulebooks.yuque.residues import stem
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.rules.arithmetic import AS_WRITTEN, HIGHEST, LOWEST
from quepu.rules.rulebook import Rulebook

Available = tuple[int, tuple[int, ...]]
"""A fan that holds: its row, and the masks of groups it may use (one of them is chosen)."""


class ResidueFan(NamedTuple):
    """A counted fan: its row and groups, d of its h groups kept, because of which row, and its contribution."""

    row: int
    mask: int
    remaining: int
    by: int | None
    added: int


class ResidueCounting(NamedTuple):
    """A way to count a hand: the total, the fans in the order added, and the pungs counted as 番刻 (0: none)."""

    total: int
    lines: tuple[ResidueFan, ...]
    fanke: int


class ResidueTables:
    """Lookup tables of the search: points of each fan by residue, residues, and which fans are compatible."""

    def __init__(self, book: Rulebook, residues: Mapping[tuple[str, str], int]) -> None:
        fans = book.fans
        self.order = str(book.settings.get("order", LOWEST))
        """The order inside one priority: see `ResidueFigures`."""
        self.fanke = book.index.get(FANKE)
        self.fanke_value: int = fans[self.fanke].value if self.fanke is not None else 0
        own = [fan.own(YuqueExtra) for fan in fans]
        self.values: list[int] = [fan.value for fan in fans]
        self.groups: list[int] = [columns.groups for columns in own]
        self.priority: list[int] = [columns.priority for columns in own]
        self.serves = [columns.serves for columns in own]
        self.points: list[tuple[tuple[int, ...], ...]] = [
            tuple(
                tuple(self._add(fan.value - cut, remaining, h) - columns.off for remaining in range(h + 1))
                for cut in (0, columns.cut)
            )
            for fan, columns, h in zip(fans, own, self.groups, strict=True)
        ]
        """points[row][with 番刻][groups kept]"""
        # a renamed row still goes by the book's own name, which stays its alias
        names = [self._names(fan.name, fan.aliases) for fan in fans]
        self.remaining = [
            [self._remaining(residues, a, b, h) for b, h in zip(names, self.groups, strict=True)] for a in names
        ]
        """remaining[a][b]: the groups of b left after a, if they share one"""
        self.apart = [book.drops[i] | book.conflicts[i] for i in range(len(fans))]
        for i, mask in enumerate(book.drops):
            for j in range(len(fans)):
                if mask >> j & 1:
                    self.apart[j] |= 1 << i
        """apart[row]: rows that cannot be counted beside it (排斥, or one contains the other)"""

    @staticmethod
    def _add(value: int, remaining: int, groups: int) -> int:
        return half_even(value * remaining, groups) if groups else value

    @staticmethod
    def _names(name: str, aliases: tuple[str, ...]) -> tuple[str, ...]:
        return (name, *aliases)

    @staticmethod
    def _remaining(residues: Mapping[tuple[str, str], int], a: tuple[str, ...], b: tuple[str, ...], groups: int) -> int:
        found = [d for x in a for y in b if (d := residues.get((stem(x), stem(y)))) is not None]
        return min(found, default=groups)


def count(tables: ResidueTables, available: Iterable[Available], pungs: int, fewest: bool = True) -> ResidueCounting:
    """Return the best way to count these fans; `pungs` masks the groups that are pungs or kongs.

    Among equal totals: the one with 番刻, then the fewest fans that add nothing, then (if `fewest`) the fewest fans,
    then the larger fans.
    """
    available = sorted((a for a in available if a[0] != tables.fanke), key=lambda a: (tables.priority[a[0]], a[0]))
    best: tuple[tuple[int, bool, int, int, list[int]], ResidueCounting] | None = None
    for with_fanke in (True, False) if pungs and tables.fanke is not None else (False,):
        for total, lines, fanke in _Search(tables, available, pungs, with_fanke, best[0][0] if best else -1):
            if with_fanke and not fanke:
                continue
            zeros = sum(line.added == 0 for line in lines)
            few = -len(lines) if fewest else 0
            key = (total, with_fanke, -zeros, few, sorted((tables.values[line.row] for line in lines), reverse=True))
            if best is None or key > best[0]:
                best = (key, ResidueCounting(total, lines, fanke))
    return best[1] if best else ResidueCounting(0, (), 0)


def add_up(tables: ResidueTables, chosen: Iterable[tuple[int, int]], with_fanke: bool) -> tuple[ResidueFan, ...]:
    """Add up these fans (row, groups) level by level, within one priority in the lowest order."""
    search = _Search(tables, [], 0, with_fanke, -1)
    levels: dict[int, list[tuple[int, int]]] = {}
    for row, mask in sorted(chosen):
        levels.setdefault(tables.priority[row], []).append((row, mask))
    lines: tuple[ResidueFan, ...] = ()
    for _, level in sorted(levels.items()):
        lines += search.lowest(tuple(level), lines)[1]
    return lines


Found = tuple[int, tuple[ResidueFan, ...], int]
"""A whole counting: its total, the fans, the pungs that are 番刻."""


class _Search:
    """Searches every counting that may still be the best."""

    def __init__(
        self, tables: ResidueTables, available: list[Available], pungs: int, with_fanke: bool, reached: int
    ) -> None:
        self.tables = tables
        self.with_fanke = with_fanke
        self.pungs = pungs if with_fanke else 0
        self.reached = reached
        levels: dict[int, list[Available]] = {}
        for entry in available:
            levels.setdefault(tables.priority[entry[0]], []).append(entry)
        self.levels = list(levels.values())
        self.free = self._free(available)
        self.ahead = [[entry for level in self.levels[i:] for entry in level] for i in range(len(self.levels) + 1)]

    def _free(self, available: list[Available]) -> int:
        """Return fans that can only help: compatible with all, always adding, and not changing any residue."""
        tables, free = self.tables, 0
        rows = [row for row, _ in available]
        for row in rows:
            least = min(tables.remaining[other][row] for other in rows)
            if tables.points[row][self.with_fanke][least] > 0 and all(
                not tables.apart[row] >> other & 1 and tables.remaining[row][other] >= tables.groups[other]
                for other in rows
            ):
                free |= 1 << row
        return free

    def __iter__(self) -> Iterator[Found]:
        return self._from(0, (), 0, 0, 0)

    def _from(self, at: int, lines: tuple[ResidueFan, ...], taken: int, total: int, serving: int) -> Iterator[Found]:
        if total + self._ahead(at, lines, taken, serving) < self.reached:
            return
        if at == len(self.levels):
            fanke = serving & self.pungs
            total += self.tables.fanke_value * fanke.bit_count()
            self.reached = max(self.reached, total)
            yield total, lines, fanke
            return
        for chosen in self._choices(self.levels[at], 0, taken):
            added, more = self.lowest(chosen, lines)
            rows, served = taken, serving
            for row, mask in chosen:
                rows |= 1 << row
                served |= mask * self.tables.serves[row]
            yield from self._from(at + 1, lines + more, rows, total + added, served)

    def _ahead(self, at: int, lines: tuple[ResidueFan, ...], taken: int, serving: int) -> int:
        """Return an upper bound on the points still available from level `at` on, and from 番刻."""
        tables, most = self.tables, 0
        for row, masks in self.ahead[at]:
            if tables.apart[row] & taken:
                continue
            here = 0
            for mask in masks:
                least = tables.groups[row]
                for line in lines:
                    d = tables.remaining[line.row][row]
                    if d < least and line.mask & mask:
                        least = d
                here = max(here, tables.points[row][self.with_fanke][least])
                if tables.serves[row]:
                    serving |= mask
            most += here
        return most + tables.fanke_value * (serving & self.pungs).bit_count()

    def _choices(self, level: list[Available], j: int, taken: int) -> Iterator[tuple[tuple[int, int], ...]]:
        """Yield every set of compatible fans of a level, each with its groups; the largest first."""
        if j == len(level):
            yield ()
            return
        row, masks = level[j]
        allowed = not self.tables.apart[row] & taken
        if allowed:
            for mask in masks:
                for rest in self._choices(level, j + 1, taken | 1 << row):
                    yield ((row, mask), *rest)
        if not (allowed and self.free >> row & 1):
            yield from self._choices(level, j + 1, taken)

    def lowest(
        self, chosen: tuple[tuple[int, int], ...], before: tuple[ResidueFan, ...]
    ) -> tuple[int, tuple[ResidueFan, ...]]:
        """Return the order within one priority that adds least; among equals the book's own order."""
        tables, remaining, points = self.tables, self.tables.remaining, self.tables.points
        start: list[tuple[int, int | None]] = []
        for row, mask in chosen:
            least, by = tables.groups[row], None
            for line in before:
                d = remaining[line.row][row]
                if d < least and line.mask & mask:
                    least, by = d, line.row
            start.append((least, by))
        fixed = all(
            remaining[a][b] >= start[j][0] or not mask & other
            for j, (b, mask) in enumerate(chosen)
            for a, other in chosen
            if a != b
        )
        if fixed:
            order = [
                ResidueFan(row, mask, d, by, points[row][self.with_fanke][d])
                for (row, mask), (d, by) in zip(chosen, start, strict=True)
            ]
            return sum(line.added for line in order), tuple(order)
        sign = -1 if tables.order == HIGHEST else 1
        best: dict[int, tuple[int, tuple[ResidueFan, ...]]] = {0: (0, ())}
        for some in range(1, 1 << len(chosen)):
            for j in reversed(range(len(chosen))):
                if not some >> j & 1:
                    continue
                (row, mask), (least, by) = chosen[j], start[j]
                total, order_so_far = best[some ^ 1 << j]
                for line in order_so_far:
                    d = remaining[line.row][row]
                    if d < least and line.mask & mask:
                        least, by = d, line.row
                added = points[row][self.with_fanke][least]
                if tables.order == AS_WRITTEN and some >> j > 1:
                    continue  # only the last of them comes last
                better = some not in best or (total + added - best[some][0]) * sign < 0
                if better:
                    best[some] = (total + added, (*order_so_far, ResidueFan(row, mask, least, by, added)))
        return best[(1 << len(chosen)) - 1]

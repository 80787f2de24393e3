"""Search for schedules that algebra does not build: absences, teams, rounds already played, players who rest.

A tabu search after the social golfer problem: while two people meet more often than necessary, one of them swaps places
with the player in that round who makes meetings most even, and cannot swap back at once.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_REST: Final = 6  # a rest more than one's share weighs as much as six meetings
_THREE: Final = 2  # and a table of three, two
_MOST_OFFERS: Final = 80
_TENURE: Final = 8
_PATIENCE: Final = 5000  # steps without an improvement

TableSizes = Sequence[int]


class OpenRound(NamedTuple):
    """A round to be filled: the players present, and the size of each table; the remaining players rest."""

    present: Sequence[int]
    sizes: TableSizes


class Filled(NamedTuple):
    """A filled round: its tables, and the players who rest."""

    tables: list[list[int]]
    resting: list[int]


class Search:
    """Players are numbers; `before` holds how often two of them have met, `apart` who should not meet at all."""

    def __init__(
        self,
        players: int,
        rounds: Sequence[OpenRound],
        *,
        before: Mapping[tuple[int, int], int],
        apart: Mapping[tuple[int, int], int],
        rests: Sequence[int],
        rng: random.Random,
    ) -> None:
        self._rng = rng
        self._met = [[0] * players for _ in range(players)]
        for pairs in (before, apart):
            for (one, other), times in pairs.items():
                for a, b in ((one, other), (other, one)):
                    self._met[a][b] += times
        self._rests = list(rests)
        self._threes = [0] * players
        self._rounds: list[list[list[int]]] = []  # a round: tables, and as last row the players who rest
        self._sizes = [list(one.sizes) for one in rounds]
        self._where: list[dict[int, int]] = []
        for open_round in rounds:
            self._fill(open_round)

    def run(self, steps: int) -> list[Filled]:
        """Return the most even rounds found within this many steps; earlier if no two players meet twice."""
        best, found = self._cost(), self._copy()
        tabu: dict[tuple[int, int, int], int] = {}
        better = 0
        for step in range(steps):
            crowded = self._list_crowded()
            if not crowded or step - better > _PATIENCE:
                break
            moves = self._moves(self._rng.choice(crowded))
            allowed = [move for move in moves if tabu.get(move[1:], -1) < step or move[0] < best - self._now]
            if not allowed:
                continue
            least = min(move[0] for move in allowed)
            change, at, one, other = self._rng.choice([move for move in allowed if move[0] == least])
            self._swap(at, one, other)
            self._now += change
            tabu[at, min(one, other), max(one, other)] = step + _TENURE + self._rng.randrange(_TENURE)
            if self._now < best:
                best, found, better = self._now, self._copy(), step
        return found

    def _fill(self, one: OpenRound) -> None:
        """Seat a round: those who have rested least rest, the others sit where they have met fewest."""
        order = list(one.present)
        self._rng.shuffle(order)
        left = len(order) - sum(one.sizes)
        resting = sorted(order, key=lambda player: self._rests[player])[:left]
        tables: list[list[int]] = [[] for _ in one.sizes]
        for player in order:
            if player in resting:
                continue
            met = self._met[player]
            open_ = [i for i, table in enumerate(tables) if len(table) < one.sizes[i]]
            tables[min(open_, key=lambda i: (sum(met[other] ** 2 for other in tables[i]), -len(tables[i])))].append(
                player
            )
        for player in resting:
            self._rests[player] += 1
        for table in tables:
            self._count(table, 1)
        self._rounds.append([*tables, resting])
        self._where.append({player: i for i, table in enumerate([*tables, resting]) for player in table})

    def _count(self, table: Sequence[int], by: int) -> None:
        for a in table:
            if len(table) == 3:
                self._threes[a] += by
            for b in table:
                if a != b:
                    self._met[a][b] += by

    def _cost(self) -> int:
        pairs = sum(self._pair(a, b) for a in range(len(self._met)) for b in range(a))
        self._now = pairs + sum(_REST * n * n for n in self._rests) + sum(_THREE * n * n for n in self._threes)
        return self._now

    def _pair(self, a: int, b: int) -> int:
        times = self._met[a][b]
        return times * (times - 1)

    def _list_crowded(self) -> list[tuple[int, int, int]]:
        """List pairs that meet in an open round and more than once overall, with the round; else uneven rests."""
        found = [
            (at, a, b)
            for at, tables in enumerate(self._rounds)
            for table in tables[:-1]
            for i, a in enumerate(table)
            for b in table[:i]
            if self._met[a][b] > 1
        ]
        if found:
            return found
        uneven: list[tuple[int, int, int]] = []
        for at, tables in enumerate(self._rounds):
            sitting = [player for table in tables[:-1] for player in table]
            if tables[-1] and sitting:
                least = min(self._rests[player] for player in sitting)
                uneven += [(at, player, player) for player in tables[-1] if self._rests[player] > least + 1]
        return uneven

    def _moves(self, pair: tuple[int, int, int]) -> list[tuple[int, int, int, int]]:
        at, a, b = pair
        one = a if self._rng.random() < 0.5 else b
        home = self._where[at][one]
        others = [player for player, table in self._where[at].items() if table != home]
        if len(others) > _MOST_OFFERS:
            others = self._rng.sample(others, _MOST_OFFERS)
        return [(self._change(at, one, other), at, min(one, other), max(one, other)) for other in others]

    def _change(self, at: int, one: int, other: int) -> int:
        """Return the change in cost if these two players of different tables swap places."""
        change = 0
        tables, sizes = self._rounds[at], self._sizes[at]
        for player, incoming in ((one, other), (other, one)):
            home = self._where[at][player]
            if home == len(sizes):  # the row of players who rest
                change += _REST * (2 * self._rests[incoming] + 1 - 2 * self._rests[player] + 1)
                continue
            mine, theirs = self._met[player], self._met[incoming]
            for mate in tables[home]:
                if mate != player:
                    change += 2 * theirs[mate] - 2 * (mine[mate] - 1)
            if sizes[home] == 3:
                change += _THREE * (2 * self._threes[incoming] + 1 - 2 * self._threes[player] + 1)
        return change

    def _swap(self, at: int, one: int, other: int) -> None:
        tables, where = self._rounds[at], self._where[at]
        for player in (one, other):
            self._enter(tables, where[player], at, -1, player)
        i, j = where[one], where[other]
        tables[i][tables[i].index(one)] = other
        tables[j][tables[j].index(other)] = one
        where[one], where[other] = j, i
        for player in (one, other):
            self._enter(tables, where[player], at, 1, player)

    def _enter(self, tables: list[list[int]], i: int, at: int, by: int, player: int) -> None:
        if i == len(self._sizes[at]):
            self._rests[player] += by
            return
        if self._sizes[at][i] == 3:
            self._threes[player] += by
        for mate in tables[i]:
            if mate != player:
                self._met[player][mate] += by
                self._met[mate][player] += by

    def _copy(self) -> list[Filled]:
        return [Filled([list(table) for table in tables[:-1]], list(tables[-1])) for tables in self._rounds]

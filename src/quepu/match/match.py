"""A match: hands and penalties in order, and everything that follows from them.

A match is a value made of its records; leaving one out (undo) or putting another in its place (correct) and folding
again gives totals, seats, dealer and standings anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt, tanh
from typing import NamedTuple

from quepu.errors import Error
from quepu.match import penalties
from quepu.match.penalties import Penalty
from quepu.match.seats import ORIGIN, Place, following
from quepu.match.settle import Settlement, settle, summed
from quepu.play_rules import SEATS, Ending, PlayRules, play_rules
from quepu.rulebook import Rulebook


class MatchError(Error):
    """Something that does not fit the match: no such record, a match that is over, players that are none."""


class Reseat(NamedTuple):
    """Seats drawn anew before a round (摸风、掷骰): who begins it at East, South, West and North."""

    start: tuple[int, int, int, int]


Entry = Ending | Penalty | Reseat


class Hand(NamedTuple):
    """A hand that was played: where, how it ended, the flows, and what each player won or lost."""

    number: int  # from 1
    place: Place
    ending: Ending
    settlement: Settlement
    players: tuple[int, int, int, int]


class Standing(NamedTuple):
    """A line of the standings; players with equal totals share a rank."""

    rank: int
    player: int
    name: str
    total: int


class _State(NamedTuple):
    place: Place
    hands: tuple[Hand, ...]
    totals: tuple[int, int, int, int]
    pool: int
    over: bool


@dataclass(frozen=True)
class Match:
    """Four players, a book, and what happened so far.

    `rounds` of None is the book's own number. `ranked`: the match is about rank, so that a book with extra rounds
    (玉雀) plays them. `first` is where it begins, for a hand that was taken out of a longer match.
    """

    book: Rulebook
    names: tuple[str, str, str, str] = ("甲", "乙", "丙", "丁")
    rounds: int | None = None
    ranked: bool = False
    entries: tuple[Entry, ...] = ()
    first: Place = ORIGIN

    def __post_init__(self) -> None:
        if len(self.names) != SEATS or len(set(self.names)) != SEATS or not all(self.names):
            raise MatchError("要四个不同的名字。", "four different names are needed.")
        if self.rounds is not None and self.rounds < 1:
            raise MatchError("至少打一圈。", "at least one round is played.")
        first = self.first
        if (
            first.round < 1
            or first.dealership not in range(SEATS)
            or first.repeat < 0
            or sorted(first.start) != [0, 1, 2, 3]
        ):
            raise MatchError("这不是一局的位置。", "this is no place where a match could begin.")

    @cached_property
    def rules(self) -> PlayRules:
        """What the book says about matches."""
        return play_rules(self.book)

    @cached_property
    def _state(self) -> _State:
        rules = self.rules
        begin = rules.match.start
        hands: list[Hand] = []
        place, pool, over = self.first, 0, False
        totals = [begin] * SEATS
        for entry in self.entries:
            if isinstance(entry, Reseat):
                place = place._replace(start=entry.start)
                continue
            if isinstance(entry, Penalty):
                flows = penalties.flows(rules, entry, place.seats.index(entry.player))
                settlement = summed(flows, zero_sum=False)
                pool += settlement.pool
                for at, player in enumerate(place.seats):
                    totals[player] += settlement.seats[at]
                continue
            settlement = settle(entry, self.book, rules)
            gains = [0] * SEATS
            for at, player in enumerate(place.seats):
                gains[player] = settlement.seats[at]
                totals[player] += settlement.seats[at]
            pool += settlement.pool
            hands.append(Hand(len(hands) + 1, place, entry, settlement, (gains[0], gains[1], gains[2], gains[3])))
            after = following(rules.match, place, entry)
            if after.round > place.round:
                over = not self._goes_on(place.round, totals)
            place = after
        return _State(place, tuple(hands), (totals[0], totals[1], totals[2], totals[3]), pool, over)

    def _goes_on(self, round: int, totals: Sequence[int]) -> bool:
        rules = self.rules.match
        if round < (self.rounds or rules.rounds):
            return True
        return self.ranked and rules.another_round is not None and rules.another_round(round, totals)

    @property
    def place(self) -> Place:
        """Where the next hand stands."""
        return self._state.place

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hands played."""
        return self._state.hands

    @property
    def totals(self) -> tuple[int, int, int, int]:
        """Each player's points."""
        return self._state.totals

    @property
    def pool(self) -> int:
        """What the common pool has gained (below zero: paid out)."""
        return self._state.pool

    @property
    def over(self) -> bool:
        """Whether the last round has been played."""
        return self._state.over

    def standings(self) -> tuple[Standing, ...]:
        """The players, best first."""
        totals = self.totals
        order = sorted(range(SEATS), key=lambda player: (-totals[player], player))
        return tuple(
            Standing(1 + sum(t > totals[player] for t in totals), player, self.names[player], totals[player])
            for player in order
        )

    # ---- what happens

    def played(self, ending: Ending) -> Match:
        """The match after one more hand.

        Raises:
            MatchError: the match is over.
            SettleError: the ending cannot be.
        """
        if self.over:
            raise MatchError("这一场已经打完了。", "this match is over.")
        return self._with((*self.entries, ending))

    def penalised(self, penalty: Penalty) -> Match:
        """The match after a fault of one player.

        Raises:
            UnknownName: the book has no such fault.
            MatchError: there is no such player.
        """
        if penalty.player not in range(SEATS):
            raise MatchError(f"没有第 {penalty.player} 位玩家。", f"there is no player {penalty.player}.")
        return self._with((*self.entries, penalty))

    def revoked(self, index: int) -> Match:
        """The match with the penalty at `entries[index]` taken back.

        Raises:
            MatchError: there is no penalty there.
        """
        entry = self.entries[index] if 0 <= index < len(self.entries) else None
        if not isinstance(entry, Penalty):
            raise MatchError(f"第 {index + 1} 条记录不是罚分。", f"record {index + 1} is no penalty.")
        return self.corrected(index, entry._replace(revoked=True))

    def reseated(self, start: tuple[int, int, int, int]) -> Match:
        """The match with the seats of the round about to begin drawn anew.

        Raises:
            MatchError: a round has begun, or these are not the four players.
        """
        if sorted(start) != list(range(SEATS)):
            raise MatchError("座位应是四位玩家各一次。", "seats name each of the four players once.")
        if self.place.dealership or self.place.repeat:
            raise MatchError("一圈之中不换座位。", "seats change only before a round.")
        return self._with((*self.entries, Reseat(start)))

    def corrected(self, index: int, entry: Entry) -> Match:
        """The match with another record in the place of `entries[index]`; all after it is worked out anew.

        Raises:
            MatchError: there is no such record.
        """
        if not 0 <= index < len(self.entries):
            raise MatchError(f"没有第 {index + 1} 条记录。", f"there is no record {index + 1}.")
        return self._with((*self.entries[:index], entry, *self.entries[index + 1 :]))

    def undone(self, index: int = -1) -> Match:
        """The match without one record, the last one unless told otherwise.

        Raises:
            MatchError: there is no such record.
        """
        at = index if index >= 0 else len(self.entries) + index
        if not 0 <= at < len(self.entries):
            raise MatchError("没有可以撤销的记录。", "there is nothing to undo.")
        return self._with((*self.entries[:at], *self.entries[at + 1 :]))

    def _with(self, entries: Iterable[Entry]) -> Match:
        made = Match(self.book, self.names, self.rounds, self.ranked, tuple(entries), self.first)
        _ = made._state  # refuses what cannot be
        return made


def reduced(
    totals: Sequence[int],
    *,
    alpha: float = 1.0,
    scale: float = 480.0,
    n: float | None = None,
    printed_sign: bool = False,
) -> tuple[float, ...]:
    """约化分数 (v26): S_i = α Σ_j tanh((s_i - s_j) / (T0 √n)).

    `n` is the number of hands played where the caller knows it ("α 为与对局数有关的参数"; the seed leaves n
    open and calls it 家), the number of players if None. The seed prints s_j - s_i, which gives the winner
    a negative score; `printed_sign` computes that.
    """
    size = scale * sqrt(len(totals) if n is None else n)
    if size <= 0:
        raise MatchError("T0 和 n 应大于零。", "T0 and n are above zero.")
    sign = -alpha if printed_sign else alpha
    return tuple(sign * sum(tanh((own - other) / size) for other in totals) for own in totals)

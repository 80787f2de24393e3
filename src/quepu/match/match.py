"""A match: hands and penalties in order, and everything derived from them.

A match is an immutable value built from its records. Undo leaves one out, correction replaces one; folding the records
again then gives new totals, seats, dealer and standings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import sqrt, tanh
from typing import Any, NamedTuple

from quepu.errors import Error, many
from quepu.match import penalties
from quepu.match.penalties import Penalty
from quepu.match.seats import ORIGIN, RoundPosition, following
from quepu.match.settle import Settlement, add_up, settle
from quepu.rules.play_rules import SEATS, Ending, Payment, PlayRules, play_rules
from quepu.rules.rulebook import Rulebook

MOST_ROUNDS = 1000
"""The number of rounds of the longest match."""
MOST_ENTRIES = 10_000
"""The number of records of the longest match: hands, penalties and new seat draws."""


class MatchError(Error):
    """A record that does not fit the match: it does not exist, the match is over, or the players are invalid."""


class Reseat(NamedTuple):
    """New seats drawn before a round (摸风、掷骰): who begins it at East, South, West and North."""

    start: tuple[int, int, int, int]


class Recorded(NamedTuple):
    """A hand or a fault as it was settled when it was played, whatever the book says now.

    `payments` go by the seats of `place`, where the record stands (None: where the match is). `totals` are each
    player's points after it, if they were recorded.
    """

    entry: Ending | Penalty
    payments: tuple[Payment, ...]
    place: RoundPosition | None = None
    totals: tuple[int, int, int, int] | None = None


Entry = Ending | Penalty | Reseat | Recorded


class MatchHand(NamedTuple):
    """A hand that was played: where, how it ended, the payments, and each player's gain or loss.

    Examples:
        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> first = played.hands[0]
        >>> first.place.name, first.ending.winners[0].points, first.players
        ('E1', 13, (-8, -21, 37, -8))
    """

    number: int  # from 1
    place: RoundPosition
    ending: Ending
    settlement: Settlement
    players: tuple[int, int, int, int]


class Standing(NamedTuple):
    """A line of the standings; players with equal totals share a rank.

    Examples:
        >>> import quepu
        >>> match = quepu.Match(quepu.book("guobiao"), ("A", "B", "C", "D"))
        >>> match.penalise(quepu.match.Penalty(0, "相公", 8)).standings()[-1]
        Standing(rank=4, player=0, name='A', total=-8)
    """

    rank: int
    player: int
    name: str
    total: int


class _State(NamedTuple):
    place: RoundPosition
    hands: tuple[MatchHand, ...]
    totals: tuple[int, int, int, int]
    pool: int
    over: bool
    faults: tuple[tuple[int, str], ...] = ()  # the player and fault of each penalty that stands


@dataclass(frozen=True)
class Match:
    """Four players, a book and the records so far.

        >>> import quepu
        >>> match = quepu.Match(quepu.book("guobiao"), ("A", "B", "C", "D"))
        >>> match.totals, match.over
        ((0, 0, 0, 0), False)

    `rounds` of None is the book's own number. `ranked`: the match is about rank, so that a book with extra rounds
    (玉雀) plays them. `first` is where it begins, for a hand taken from a longer match. `ended`: it was over when it
    was played, even if the book now prescribes another length.
    """

    book: Rulebook
    names: tuple[str, str, str, str] = ("甲", "乙", "丙", "丁")
    rounds: int | None = None
    ranked: bool = False
    entries: tuple[Entry, ...] = ()
    first: RoundPosition = ORIGIN
    ended: bool = False

    def __post_init__(self) -> None:
        if len(self.names) != SEATS or len(set(self.names)) != SEATS or not all(self.names):
            raise MatchError("要四个不同的名字。", "four different names are needed.")
        if self.rounds is not None and not 1 <= self.rounds <= MOST_ROUNDS:
            raise MatchError(f"至少打一圈，至多 {MOST_ROUNDS} 圈。", f"a match has 1 to {MOST_ROUNDS} rounds.")
        first = self.first
        if (
            first.round < 1
            or first.dealership not in range(SEATS)
            or first.repeat < 0
            or sorted(first.start) != [0, 1, 2, 3]
        ):
            raise MatchError("这不是一局的位置。", "a match cannot start at this position.")

    def __reduce__(self) -> tuple[Any, ...]:
        return Match, tuple(getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        line = ", ".join(map("{} {:+d}".format, self.names, self.totals))
        return f"Match({self.book.id!r}: {many(len(self.hands), 'hand')}, {line})"

    def _repr_html_(self) -> str:
        from quepu.match.words import match_html

        return match_html(self)

    @cached_property
    def rules(self) -> PlayRules:
        """The book's rules about matches."""
        return play_rules(self.book)

    @cached_property
    def _state(self) -> _State:
        begin = self.rules.match.start
        state = _State(self.first, (), (begin, begin, begin, begin), 0, False)
        for entry in self.entries:
            state = self._after(state, entry)
        return state

    def _after(self, state: _State, entry: Entry) -> _State:
        """Return the state after one more record.

        Raises:
            Error: the record is impossible.
        """
        rules, place, then = self.rules, state.place, None
        if isinstance(entry, Recorded):
            then, entry = entry, entry.entry
            place = then.place or place
        if isinstance(entry, Reseat):
            return state._replace(place=place._replace(start=entry.start))
        if isinstance(entry, Penalty):
            flows = self._penalty_flows(state, entry) if then is None else () if entry.revoked else then.payments
            settlement = add_up(flows, zero_sum=False)
            totals, _ = _add_settlement(state.totals, place, settlement)
            faults = state.faults
            if not entry.revoked:
                faults += ((entry.player, penalties.key_of(rules, entry.fault)),)
            return state._replace(totals=totals, pool=state.pool + settlement.pool, faults=faults)
        settlement = settle(entry, self.book, rules) if then is None else add_up(then.payments, zero_sum=False)
        totals, gains = _add_settlement(state.totals, place, settlement)
        if then is not None and then.totals is not None:
            totals = then.totals
        hand = MatchHand(len(state.hands) + 1, place, entry, settlement, gains)
        after, over = following(rules.match, place, entry), state.over
        if after.round > place.round:
            over = not self._goes_on(place.round, totals)
        return state._replace(
            place=after, hands=(*state.hands, hand), totals=totals, pool=state.pool + settlement.pool, over=over
        )

    def _penalty_flows(self, state: _State, penalty: Penalty) -> tuple[Payment, ...]:
        before = state.faults.count((penalty.player, penalties.key_of(self.rules, penalty.fault)))
        return penalties.flows(self.rules, penalty, state.place.seats, before)

    def penalty_flows(self, penalty: Penalty) -> tuple[Payment, ...]:
        """Return the payments for a penalty now, after the earlier faults.

        Raises:
            Error: the book has no such fault, or the payee is missing.
        """
        return self._penalty_flows(self._state, penalty)

    def _goes_on(self, round: int, totals: Sequence[int]) -> bool:
        rules = self.rules.match
        if round < (self.rounds or rules.rounds):
            return True
        return self.ranked and rules.another_round is not None and rules.another_round(round, totals)

    @property
    def place(self) -> RoundPosition:
        """The place of the next hand."""
        return self._state.place

    @property
    def hands(self) -> tuple[MatchHand, ...]:
        """The hands played."""
        return self._state.hands

    @property
    def totals(self) -> tuple[int, int, int, int]:
        """Each player's points."""
        return self._state.totals

    @property
    def pool(self) -> int:
        """Points that the common pool has gained (below zero: paid out)."""
        return self._state.pool

    @property
    def over(self) -> bool:
        """Whether the last round has been played."""
        return self.ended or self._state.over

    def standings(self) -> tuple[Standing, ...]:
        """The players, best first."""
        totals = self.totals
        order = sorted(range(SEATS), key=lambda player: (-totals[player], player))
        return tuple(
            Standing(1 + sum(t > totals[player] for t in totals), player, self.names[player], totals[player])
            for player in order
        )

    def standard_points(self) -> tuple[float, ...]:
        """Each player's standard points (标准分) by the totals, penalties included; empty if the book has none."""
        return share_place_values(self.totals, self.rules.match.standard)

    # ---- events

    def add_hand(self, ending: Ending) -> Match:
        """Return the match after one more hand.

        Raises:
            MatchError: the match is over.
            SettleError: the ending is impossible.
        """
        if self.over:
            raise MatchError("这一场已经打完了。", "this match is over.")
        return self._and(ending)

    def add_recorded(self, entry: Recorded) -> Match:
        """Return the match after one more hand or fault that was settled earlier: it is not recalculated or checked.

        Raises:
            SettleError: a payment is invalid. MatchError: the fault belongs to no player.
        """
        if isinstance(entry.entry, Penalty) and entry.entry.player not in range(SEATS):
            raise MatchError(f"没有第 {entry.entry.player} 位玩家。", f"there is no player {entry.entry.player}.")
        return self._and(entry)

    def penalise(self, penalty: Penalty) -> Match:
        """Return the match after a fault of one player.

        Raises:
            UnknownName: the book has no such fault.
            MatchError: the player does not exist.
        """
        if penalty.player not in range(SEATS):
            raise MatchError(f"没有第 {penalty.player} 位玩家。", f"there is no player {penalty.player}.")
        return self._and(penalty)

    def revoke(self, index: int) -> Match:
        """Return the match with the penalty at `entries[index]` taken back.

        Raises:
            MatchError: the entry is not a penalty.
        """
        entry = self.entries[index] if 0 <= index < len(self.entries) else None
        fault = entry.entry if isinstance(entry, Recorded) else entry
        if not isinstance(fault, Penalty):
            raise MatchError(f"第 {index + 1} 条记录不是罚分。", f"record {index + 1} is not a penalty.")
        fault = fault._replace(revoked=True)
        return self.correct(index, entry._replace(entry=fault) if isinstance(entry, Recorded) else fault)

    def reseat(self, start: tuple[int, int, int, int]) -> Match:
        """Return the match with new seats for the round about to begin.

        Raises:
            MatchError: the round has begun, or these are not the four players.
        """
        if sorted(start) != list(range(SEATS)):
            raise MatchError("座位应是四位玩家各一次。", "seats must name each of the four players once.")
        if self.place.dealership or self.place.repeat:
            raise MatchError("一圈之中不换座位。", "seats change only before a round.")
        return self._and(Reseat(start))

    def correct(self, index: int, entry: Entry) -> Match:
        """Return the match with `entries[index]` replaced; everything after it is recalculated.

        Raises:
            MatchError: the record does not exist.
        """
        if not 0 <= index < len(self.entries):
            raise MatchError(f"没有第 {index + 1} 条记录。", f"there is no record {index + 1}.")
        return self._with((*self.entries[:index], entry, *self.entries[index + 1 :]))

    def undone(self, index: int = -1) -> Match:
        """Return the match without one record, by default the last one.

        Raises:
            MatchError: the record does not exist.
        """
        at = index if index >= 0 else len(self.entries) + index
        if not 0 <= at < len(self.entries):
            raise MatchError("没有可以撤销的记录。", "there is nothing to undo.")
        return self._with((*self.entries[:at], *self.entries[at + 1 :]))

    def rename(self, names: tuple[str, str, str, str]) -> Match:
        """Return the match with other names; nothing is recalculated.

        Raises:
            MatchError: these are not four different names.
        """
        made = replace(self, names=names)
        made.__dict__["_state"] = self._state
        return made

    def _and(self, entry: Entry) -> Match:
        """Return the match with one more record; earlier results are not recalculated."""
        if len(self.entries) >= MOST_ENTRIES:
            raise MatchError(f"一场最多 {MOST_ENTRIES} 条记录。", f"a match has at most {MOST_ENTRIES} records.")
        state = self._after(self._state, entry)  # raises if the record is impossible
        made = replace(self, entries=(*self.entries, entry))
        made.__dict__["_state"] = state
        return made

    def _with(self, entries: Iterable[Entry]) -> Match:
        made = replace(self, entries=tuple(entries))
        _ = made._state  # raises if the record is impossible
        return made


def _add_settlement(
    totals: tuple[int, int, int, int], place: RoundPosition, settlement: Settlement
) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
    """Return each player's total after a settlement by seats, and the player's gain."""
    seats = place.seats
    a, b, c, d = (settlement.seats[seats.index(player)] for player in range(SEATS))
    return (totals[0] + a, totals[1] + b, totals[2] + c, totals[3] + d), (a, b, c, d)


def reduce_scores(
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
        raise MatchError("T0 和 n 应大于零。", "T0 and n must be above zero.")
    sign = -alpha if printed_sign else alpha
    return tuple(sign * sum(tanh((own - other) / size) for other in totals) for own in totals)


def share_place_values(totals: Sequence[int], places: Sequence[int]) -> tuple[float, ...]:
    """Return each player's share of the values of the places, best total first; equal totals share their places."""
    if not places:
        return ()
    got = []
    for total in totals:
        first = sum(other > total for other in totals)
        tied = sum(other == total for other in totals)
        got.append(sum(places[first : first + tied]) / tied)
    return tuple(got)

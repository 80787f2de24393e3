"""A hand or a match being played by numbers: who acts, what they see and may do, what it came to.

The environments (`env`, `parallel`, `vector`) are made of it. An episode begins from a seed, a wall, a table that
stands somewhere, or a log (`Start`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quepu.errors import near_names
from quepu.match import Match, Replay, read_log
from quepu.match.seats import ORIGIN
from quepu.match.settle import settle
from quepu.match.starts import StartError, start_in
from quepu.rl import action_numbers
from quepu.rl.encodings import Array, EncodingName, Writer, encoding_of
from quepu.rl.rewards import Four, HandOutcome, Reward, RewardName, reward_of
from quepu.rulebooks import named
from quepu.rules.play_rules import Ending, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table, Wall, make_wall
from quepu.table.sampling import sample_table
from quepu.table.wall import check_wall
from quepu.tiles import TileSet


class Terms(NamedTuple):
    """Terms of play and of what is shown, the same for every episode of an environment.

    `rounds` 0: an episode is one hand; else a match of so many rounds. `flowers` None plays the book's own set.
    """

    book: Rulebook
    tiles: TileSet
    encoding: EncodingName = "counts"
    reward: RewardName | Reward = "points"
    rounds: int = 0

    @classmethod
    def of(
        cls,
        rules: str | Rulebook,
        flowers: bool | None = None,
        encoding: EncodingName = "counts",
        reward: RewardName | Reward = "points",
        match: bool | int = False,
    ) -> Terms:
        """From what a user gives: an id, alias, TOML file or Rulebook; `match` True plays the book's own rounds.

        Raises:
            UnknownName: there is no such book, encoding or reward.
        """
        book = rules if isinstance(rules, Rulebook) else named(rules)
        own = play_rules(book)
        encoding_of(encoding)
        reward_of(reward)
        rounds = own.match.rounds if match is True else int(match)
        return cls(book, own.table.tiles.with_flowers(flowers), encoding, reward, rounds)


class Start(NamedTuple):
    """The start of an episode, as `reset(options=…)` takes it.

    `round` is the round wind of a hand from a seed; `wall` deals that wall; `table` plays on from a copy of it; `log`
    (a file, its text or a Replay) from the given `hand` (from 1) after so many `steps`; `scores` are the seats' points
    before.
    """

    round: int = 0
    wall: Wall | None = None
    table: Table | None = None
    log: str | Path | Replay | None = None
    hand: int = 1
    steps: int = 0
    scores: tuple[int, int, int, int] = (0, 0, 0, 0)

    @classmethod
    def of(cls, options: Mapping[str, Any] | None) -> Start:
        """From a mapping; names that are like none of these are left alone.

        Raises:
            StartError: a name is nearly one of these, two of them contradict each other, or round is no wind.
        """
        given = dict(options or {})
        fields = dict(zip(cls._fields, cls._fields, strict=True))
        for name in [name for name in given if name not in cls._fields]:
            del given[name]  # a wrapper's own, unless it looks like one of ours
            if near_names(name, fields, cutoff=0.7):
                listed = ", ".join(cls._fields)
                raise StartError(
                    f"reset 没有选项“{name}”，可用：{listed}。", f"reset has no option {name!r}, but: {listed}."
                )
        made = cls(**given)
        if not isinstance(made.round, int) or made.round not in range(4):
            raise StartError(
                f"round 是 0 东 … 3 北，不是 {made.round!r}。", f"round is 0 East … 3 North, not {made.round!r}."
            )
        if sum(one is not None for one in (made.wall, made.table, made.log)) > 1:
            raise StartError("wall、table、log 只能给一个。", "only one of wall, table and log can be given.")
        return made


class Episode:
    """See the module. Players are 0-3; in a hand alone player and seat are the same."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._encoding = encoding_of(terms.encoding)
        self._reward = reward_of(terms.reward)
        self.seed: int | None = None
        self.dealt = 0
        """Walls of the seed that were dealt."""
        self.begun = False
        self.over = True

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_encoding", "_reward", "_writer", "_next")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._encoding, self._reward = encoding_of(self.terms.encoding), reward_of(self.terms.reward)
        if self.begun:
            self._write_from_here()

    def _value(self) -> tuple[Any, ...]:
        if not self.begun:
            return self.terms, self.seed, self.dealt
        return self.terms, self.seed, self.dealt, self.table, self.place, self.scores, self.over

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, Episode) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.terms)  # what never changes

    def copy(self) -> Episode:
        """An episode of its own that stands where this one does."""
        made = object.__new__(Episode)
        made.__dict__.update(vars(self))
        if self.begun:
            made.table = self.table.copy()
            made._write_from_here()
        return made

    # ---- the beginning

    def begin(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal: the wall of `seed`, then of each following hand of that seed, unless `options` say otherwise.

        Raises:
            StartError: the options contradict each other or the book.
            Error: the log or the wall cannot be read or played.
        """
        start = Start.of(options)
        if seed is not None or self.seed is None:
            self.seed = seed if seed is not None else random.SystemRandom().randrange(1 << 31)
            self.dealt = 0
        self._match: Match | None = None
        if self.terms.rounds:
            self._match = Match(self.terms.book, rounds=self.terms.rounds)
        self.place = self._match.place if self._match is not None else ORIGIN._replace(round=start.round + 1)
        self.scores = start.scores
        if start.log is not None:
            table = self._from_log(start)
        elif start.table is not None:
            table = start.table.copy()
            if table.book != self.terms.book or table.over:
                raise StartError(
                    "这张牌桌是别的规则，或已打完。", "this table is of another book, or the hand on it is over."
                )
        elif start.wall is not None:
            table = self._table(check_wall(start.wall, self.terms.tiles))
        else:
            table = self._next_table()
        self.table = table
        self.begun, self.over = True, False
        self._write_from_here()

    def _next_table(self) -> Table:
        assert self.seed is not None  # noqa: S101  # `begin` gave one
        wall = make_wall(self.seed, self.dealt, self.terms.tiles)
        self.dealt += 1
        return self._table(wall)

    def _table(self, wall: Wall) -> Table:
        return Table(self.terms.book, wall, round=self.place.round_wind)

    def _from_log(self, start: Start) -> Table:
        """The table of a log's hand, and what the match was before it."""
        log = start.log
        if not isinstance(log, Replay):
            assert log is not None  # noqa: S101  # the caller looked
            text = log.read_text("utf-8") if isinstance(log, Path) else log
            if isinstance(log, str) and not log.lstrip().startswith("{"):
                text = Path(log).read_text("utf-8")
            log = read_log(text.splitlines(), unfinished=True)
        if log.book != self.terms.book:
            raise StartError(
                f"牌谱是{log.book.title.zh}的。", f"the log is of {log.book.title.en}, the environment of another book."
            )
        table, place, totals = start_in(log, start.hand, start.steps)
        self.place = place
        self.scores = tuple(totals[player] for player in place.seats)  # type: ignore[assignment]
        if self._match is not None:
            self._match = Match(self.terms.book, rounds=self.terms.rounds, first=place)
            self._carried = totals
        return table

    _carried: tuple[int, int, int, int] = (0, 0, 0, 0)

    def _write_from_here(self) -> None:
        place = (self.place.round, self.place.dealership, self.place.repeat)
        self._writer: Writer = self._encoding.writer(self.table, self.scores, place)
        self._next: tuple[list[int], Sequence[Action]] | None = None

    # ---- playing

    @property
    def seats(self) -> tuple[int, int, int, int]:
        """The player at East, South, West and North."""
        return self.place.seats if self._match is not None else (0, 1, 2, 3)

    def seat_of(self, player: int) -> int:
        """Return where a player sits."""
        return player if self._match is None else self.place.seats.index(player)

    @property
    def acting(self) -> int:
        """The player whose action comes next."""
        seat = self.table.to_act[0]
        return seat if self._match is None else self.place.seats[seat]

    def options(self, player: int | None = None) -> dict[int, Action]:
        """Return what a player may do now, by number; None: whoever acts next."""
        return action_numbers.numbered(self._numbered(player)[1])

    def _numbered(self, player: int | None) -> tuple[list[int], Sequence[Action]]:
        """Numbers of what a player may do, and the actions; for whoever acts next worked out once."""
        if player is not None:
            options = self.table.options(self.seat_of(player))
            return action_numbers.numbers(options), options
        if self._next is None:
            options = self.table.options(self.table.to_act[0])
            self._next = action_numbers.numbers(options), options
        return self._next

    def mask(self, player: int | None = None, out: Array | None = None) -> Array:
        """Ones where a player may act so now: int8 [153]."""
        numbers: Sequence[int] = () if self.over else self._numbered(player)[0]
        bits = bytearray(action_numbers.COUNT)
        for number in numbers:
            bits[number] = 1
        mask: Array = np.frombuffer(bits, np.int8)
        if out is None:
            return mask
        out[:] = mask
        return out

    def observe(self, player: int, out: Array | None = None) -> Array:
        """Return what a player sees now."""
        return self._writer.observe(self.seat_of(player), out)

    def step(self, number: int, player: int | None = None) -> tuple[HandOutcome, Four] | None:
        """Let a player (None: whoever acts next) do something; how the hand ended with the reward, if it did.

        Raises:
            ValueError: the action is masked.
        """
        numbers, options = self._numbered(player)
        if number not in numbers:
            raise ValueError(f"action {number} is not allowed: see action_mask")
        chosen = options[numbers.index(number)]
        return self._act(chosen, self.table.to_act[0] if player is None else self.seat_of(player))

    def act(self, action: Action, player: int) -> tuple[HandOutcome, Four] | None:
        """The same by an action of the table.

        Raises:
            NotAllowed: it is none of the player's options.
        """
        return self._act(action, self.seat_of(player))

    def _act(self, action: Action, seat: int) -> tuple[HandOutcome, Four] | None:
        self._next = None
        self.table.step(seat, action)
        ending = self.table.ending
        if ending is None:
            self._writer.follow()
            return None
        return self._ended(ending)

    def _ended(self, ending: Ending) -> tuple[HandOutcome, Four]:
        self._writer.follow()
        table, place = self.table, self.place
        if self._match is None:
            settled = settle(ending, self.terms.book, table.rules).seats
            totals = tuple(a + b for a, b in zip(self.scores, settled, strict=True))
            outcome = HandOutcome(ending, settled, totals, ORIGIN._replace(round=place.round), True, table)  # type: ignore[arg-type]
        else:
            self._match = self._match.played(ending)
            hand = self._match.hands[-1]
            totals = tuple(a + b for a, b in zip(self._match.totals, self._carried, strict=True))
            outcome = HandOutcome(ending, hand.players, totals, place, self._match.over, table)  # type: ignore[arg-type]
        self.over = outcome.over
        reward = self._reward(outcome)
        if not self.over and self._match is not None:
            self.place = self._match.place
            self.scores = tuple(totals[player] for player in self.place.seats)  # type: ignore[assignment]
            self.table = self._next_table()
            self._write_from_here()
        return outcome, reward

    # ---- search

    def sampled(self, player: int, seed: int) -> Episode:
        """A copy in which what the player cannot see lies otherwise, as it also might: other hands and wall.

        Raises:
            Error: the hand is over, or others are to answer and the player is not (so he does not know of it).
        """
        made = object.__new__(Episode)
        made.__dict__.update(vars(self))
        made.table = sample_table(self.table, self.seat_of(player), seed)
        made._write_from_here()
        return made

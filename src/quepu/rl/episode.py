"""Play a hand or a match by action numbers, with the observations, legal actions and results of the players.

The environments (`env`, `parallel`, `vector`) are built on it. An episode starts from a seed, a wall, a table at any
point, or a log (`Start`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict

import numpy as np

from quepu.errors import cannot_read
from quepu.match import Match, Replay, read_log
from quepu.match.seats import ORIGIN, RoundPosition
from quepu.match.settle import settle
from quepu.match.starts import LogStart, StartError, start_in
from quepu.rl import action_numbers
from quepu.rl.encodings import Array, EncodingName, encoding_of
from quepu.rl.episode_start import Start, check_seed, check_whole
from quepu.rl.rewards import Four, HandOutcome, Reward, RewardName, reward_of
from quepu.rl.writer import TableWriter
from quepu.rulebooks import find_book
from quepu.rules.play_rules import Ending, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table, Wall, make_wall
from quepu.table.sampling import sample_table
from quepu.table.wall import check_wall
from quepu.tiles import TileSet


class TermOptions(TypedDict, total=False):
    """Options that every environment takes by name."""

    encoding: EncodingName
    """"counts" (the default), "planes" or "tokens"."""
    reward: RewardName | Reward
    """"points" (of each hand; the default), "rank" (at the end), or a function of `HandOutcome`."""
    match: bool | int
    """An episode is a match of so many rounds (True: the book's own), or a hand (False, the default)."""


DEFAULT_TERMS: Final = TermOptions(encoding="counts", reward="points", match=False)


class Terms(NamedTuple):
    """Terms of play and of observations, the same for every episode of an environment.

    `rounds` 0: an episode is one hand; otherwise a match of that many rounds. `flowers` None: rulebook default.
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
        """Make terms from an id, alias, TOML file or Rulebook.

        Raises:
            UnknownName: the book, encoding or reward does not exist.
            StartError: flowers or match is invalid.
        """
        book = rules if isinstance(rules, Rulebook) else find_book(rules)
        own = play_rules(book)
        encoding_of(encoding)
        reward_of(reward)
        if flowers not in (None, True, False):
            raise StartError(
                f"flowers 是 True、False 或 None，不是 {flowers!r}。",
                f"flowers is True, False or None, not {flowers!r}.",
            )
        if isinstance(match, bool | np.bool_):
            rounds = own.match.rounds if match else 0
        else:
            rounds = check_whole(match, "match")
            if rounds < 0:
                raise StartError(f"match 不能是 {rounds} 圈。", f"match cannot be {rounds} rounds.")
        return cls(book, own.table.tiles.with_flowers(flowers), encoding, reward, rounds)


def _for_players_as_they_sit(place: RoundPosition) -> RoundPosition:
    """The same place in a hand alone, where players are called as their seats."""
    a, b, c, d = ((player - place.dealership) % 4 for player in range(4))
    return place._replace(start=(a, b, c, d))


class Episode:
    """See the module. Players are 0-3; in a hand alone player and seat are the same."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._reward = reward_of(terms.reward)
        self.seed: int | None = None
        self.dealt = 0
        """Walls of the seed that were dealt."""
        self.begun = False
        self.over = True

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_reward", "_writer", "_options")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reward = reward_of(self.terms.reward)
        if self.begun:
            self._write_from_here()

    def _value(self) -> tuple[Any, ...]:
        if not self.begun:
            return self.terms, self.seed, self.dealt
        return self.terms, self.seed, self.dealt, self.table, self.place, self.scores, self.over, self._first

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, Episode) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.terms)  # the immutable part

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
        place, before = ORIGIN, (0, 0, 0, 0)
        match = Match(self.terms.book, rounds=self.terms.rounds) if self.terms.rounds else None
        if match is not None:
            place, before = match.place, match.totals
            if start.round:
                raise StartError(
                    "比赛从东圈打起：round 只用于一局。",
                    "a match begins in the East round: give round only for a single hand.",
                )
        else:
            place = ORIGIN._replace(round=start.round + 1)
        table = None
        if start.log is not None:
            table, place, before = self._from_log(start)
        elif start.table is not None:
            table = start.table.copy()
            place = ORIGIN._replace(round=table.board.round + 1)
            if table.book != self.terms.book or table.over:
                raise StartError(
                    "这张牌桌是别的规则，或已打完。", "this table is of another book, or the hand on it is over."
                )
        elif start.wall is not None:
            table = self._table(check_wall(start.wall, self.terms.tiles), place)
        # nothing is changed before all that can be refused was looked at
        if seed is not None or self.seed is None:
            self.seed = check_seed(seed) if seed is not None else random.SystemRandom().randrange(1 << 31)
            self.dealt = 0
        if match is not None:
            match = Match(self.terms.book, rounds=self.terms.rounds, first=place)
            if start.scores is not None:
                before = _of_players(start.scores, place)
            a, b, c, d = (mine - begun for mine, begun in zip(before, match.totals, strict=True))
            self._carried = a, b, c, d
            self.scores = _of_seats(before, place)
        else:
            self.scores = start.scores or _of_seats(before, place)
            place = _for_players_as_they_sit(place)
        self._match, self.place, self._first = match, place, None
        self.table = self._next_table() if table is None else table
        self.begun, self.over = True, False
        self._write_from_here()

    def _next_table(self) -> Table:
        assert self.seed is not None  # noqa: S101  # `begin` gave one
        wall = make_wall(self.seed, self.dealt, self.terms.tiles)
        self.dealt += 1
        return self._table(wall, self.place)

    def _table(self, wall: Wall, place: RoundPosition) -> Table:
        return Table(self.terms.book, wall, round=place.round_wind)

    def _from_log(self, start: Start) -> LogStart:
        """Return the table of a log's hand, and the match before it."""
        log = start.log
        if not isinstance(log, Replay):
            assert log is not None  # noqa: S101  # the caller looked
            text = log.removeprefix("\ufeff") if isinstance(log, str) else ""
            if not text.lstrip().startswith("{"):
                try:
                    text = Path(log).read_text("utf-8-sig")
                except OSError as wrong:
                    raise cannot_read(log, wrong) from None
                except (UnicodeDecodeError, ValueError):
                    raise StartError(f"{log} 不是牌谱。", f"{log} is not a log.") from None
            log = read_log(text.splitlines(), unfinished=True)
            mine = log.header.get("fingerprint"), log.header.get("rules")
            if log.book != self.terms.book and (
                mine[0] == self.terms.book.fingerprint or mine[1] == self.terms.book.id
            ):
                log = read_log(text.splitlines(), self.terms.book, unfinished=True)  # house rules are in no registry
        if log.book != self.terms.book:
            raise StartError(
                f"牌谱是{log.book.title.zh}的，环境是另一本规则的。",
                f"the log is of {log.book.title.en}, but the environment has another rulebook.",
            )
        return start_in(log, start.hand, start.steps)

    _carried: tuple[int, int, int, int] = (0, 0, 0, 0)
    """The points of each player before the episode, beside those that a match begins with."""

    def _write_from_here(self) -> None:
        place = (self.place.round, self.place.dealership, self.place.repeat)
        self._writer = TableWriter(self.terms.encoding, self.table, self.scores, place)
        self._options: tuple[list[int], Sequence[Action]] | None = None

    # ---- playing

    @property
    def seats(self) -> tuple[int, int, int, int]:
        """The player at East, South, West and North."""
        return self.place.seats

    def seat_of(self, player: int) -> int:
        """Return where a player sits."""
        return player if self._match is None else self.place.seats.index(player)

    @property
    def acting(self) -> int:
        """The player whose action comes next."""
        seat = self.table.to_act[0] if self._first is None else self._first
        return seat if self._match is None else self.place.seats[seat]

    _first: int | None = None
    """The seat that answers before the others of whom an answer is awaited; None: they answer in their order."""

    @property
    def _acting_seat(self) -> int:
        return self.table.to_act[0] if self._first is None else self._first

    def options(self, player: int | None = None) -> dict[int, Action]:
        """Return a player's legal actions by number; None: the next player to act."""
        return action_numbers.number_options(self._number_actions(player)[1])

    def _number_actions(self, player: int | None) -> tuple[list[int], Sequence[Action]]:
        """Return the numbers of a player's legal actions, and the actions; cached for the next player to act."""
        if player is not None:
            options = self.table.options(self.seat_of(player))
            return action_numbers.numbers(options), options
        if self._options is None:
            options = self.table.options(self.table.to_act[0] if self._first is None else self._first)
            self._options = action_numbers.numbers(options), options
        return self._options

    def allows(self, number: int) -> bool:
        """Return whether the action of this number is legal for the next player to act."""
        return not self.over and number in self._number_actions(None)[0]

    def mask(self, player: int | None = None, out: Array | None = None) -> Array:
        """Ones where a player may act so now: int8 [153]."""
        numbers: Sequence[int] = () if self.over else self._number_actions(player)[0]
        bits = bytearray(action_numbers.COUNT)
        for number in numbers:
            bits[number] = 1
        mask: Array = np.frombuffer(bits, np.int8)
        if out is None:
            return mask
        out[:] = mask
        return out

    def observe(self, player: int, out: Array | None = None) -> Array:
        """Return the observation of a player."""
        return self._writer.observe(player if self._match is None else self.place.seats.index(player), out)

    def step(self, number: int, player: int | None = None) -> tuple[HandOutcome, Four] | None:
        """Let a player (None: whoever acts next) do something; how the hand ended with the reward, if it did.

        Raises:
            ValueError: the action is masked.
        """
        numbers, options = (None if player is not None else self._options) or self._number_actions(player)
        if number not in numbers:
            raise ValueError(f"action {number} is not allowed: choose one that action_mask allows")
        chosen = options[numbers.index(number)]
        return self._act(chosen, self._acting_seat if player is None else self.seat_of(player))

    def act(self, action: Action, player: int) -> tuple[HandOutcome, Four] | None:
        """The same by an action of the table.

        Raises:
            NotAllowed: it is none of the player's options.
        """
        return self._act(action, self.seat_of(player))

    def _act(self, action: Action, seat: int) -> tuple[HandOutcome, Four] | None:
        self._options = self._first = None
        self.table.step(seat, action)
        ending = self.table.ending
        return None if ending is None else self._end(ending)

    def _end(self, ending: Ending) -> tuple[HandOutcome, Four]:
        table, place = self.table, self.place
        if self._match is None:
            settled = settle(ending, self.terms.book, table.rules).seats
            totals = tuple(a + b for a, b in zip(self.scores, settled, strict=True))
            outcome = HandOutcome(ending, settled, totals, place, True, table)  # type: ignore[arg-type]
        else:
            self._match = self._match.add_hand(ending)
            hand = self._match.hands[-1]
            totals = tuple(a + b for a, b in zip(self._match.totals, self._carried, strict=True))
            outcome = HandOutcome(ending, hand.players, totals, place, self._match.over, table)  # type: ignore[arg-type]
        self.over = outcome.over
        reward = self._reward(outcome)
        if not self.over and self._match is not None:
            self.place = self._match.place
            self.scores = _of_seats(totals, self.place)  # type: ignore[arg-type]
            self.table = self._next_table()
            self._write_from_here()
        return outcome, reward

    # ---- search

    def sampled(self, player: int, seed: int) -> Episode:
        """Return a copy with the tiles hidden from the player dealt at random: other hands and another wall.

        Raises:
            Error: the hand is over, or others are to answer and the player is not (so he does not know of it).
        """
        seat = self.seat_of(player)
        made = object.__new__(Episode)
        made.__dict__.update(vars(self))
        made.table = sample_table(self.table, seat, seed)
        # with other tiles others may have to answer too: whoever acts here acts there
        made._first = seat if seat == self._acting_seat and seat in made.table.to_act else None
        made._write_from_here()
        return made


def _of_players(scores: tuple[int, int, int, int], place: RoundPosition) -> tuple[int, int, int, int]:
    """Points by seat, turned into points by player."""
    a, b, c, d = (scores[place.seats.index(player)] for player in range(4))
    return a, b, c, d


def _of_seats(totals: tuple[int, int, int, int], place: RoundPosition) -> tuple[int, int, int, int]:
    """Points by player, turned into points by seat."""
    a, b, c, d = (totals[player] for player in place.seats)
    return a, b, c, d

"""The tables of a vector environment, of plain Python or compiled (the extra `fast`), number for number alike."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from quepu.bots.protocol import Bot, BotMaker, make_bot
from quepu.fast.tables import code, columns
from quepu.fast.tables.fast_tables import NUMBERED, OUTSIDE
from quepu.fast.tables.stepped import BOTS, SteppedTables
from quepu.match.seats import ORIGIN
from quepu.match.settle import settle
from quepu.match.starts import StartError
from quepu.rl import action_numbers, loops, tokens, writer
from quepu.rl.encodings import Array
from quepu.rl.episode import Episode, Terms
from quepu.rl.rewards import HandOutcome, reward_of
from quepu.table import make_wall
from quepu.table.actions import ActionKind
from quepu.table.wall import WallPlan

OTHER_SEATS = 3
Bots = tuple[BotMaker, ...] | None


class Tables(Protocol):
    """N tables, each of which stops where a learner is to act."""

    @property
    def begun(self) -> bool:
        """Whether hands were dealt."""

    def begin(self, i: int, seed: int | None, options: dict[str, Any] | None) -> None:
        """Begin an episode at table i; bots have not acted yet."""

    def go_on(self, some: Iterable[int], gains: Array) -> dict[int, HandOutcome]:
        """Let bots act at some tables; return how episodes ended there, and add the rewards to `gains`."""

    def act(self, actions: Array, some: Sequence[int], gains: Array) -> dict[int, HandOutcome]:
        """Let the learners of some tables act, then go on.

        Raises:
            ValueError: an action is not allowed; then nothing was done at any table.
        """

    def show(self, seen: Array, mask: Array, players: Array) -> None:
        """Write the observation and legal actions of each learner to act, and the learner's number."""

    def show_end(self, i: int, player: int, seen: Array) -> None:
        """Write a player's observation at table i after the end of an episode."""


def bot_seed(seed: int, number: int, step: int) -> int:
    """Return the seed (int64) of the bot `step` places after the learner in a table's episode of this number."""
    return (seed * 1_000_003 + number * 4 + step) % (1 << 63)


def refuse_action(action: int) -> ValueError:
    """Return the error of an action that is masked."""
    return ValueError(f"action {action} is not allowed: choose one that action_mask allows")


class PlainTables:
    """Tables of plain Python: every option, bot and start there is.

    `seat` is the learner's player number among bots; None: another one each episode.
    """

    def __init__(self, terms: Terms, n: int, bots: Bots, seat: int | None = None) -> None:
        self.bots, self.seat = bots, seat
        self.episodes = [Episode(terms) for _ in range(n)]
        self._number = [0] * n
        self._seats: list[dict[int, Bot]] = [{} for _ in range(n)]
        self._met: list[Any] = [None] * n

    @property
    def begun(self) -> bool:
        """Whether hands were dealt."""
        return self.episodes[0].begun

    def begin(self, i: int, seed: int | None, options: dict[str, Any] | None) -> None:
        """Begin an episode at table i."""
        self.episodes[i].begin(seed, options)
        if seed is not None:
            self._number[i] = 0
        self._number[i] += 1
        number, own = self._number[i], self.episodes[i].seed or 0
        learner = number if self.seat is None else self.seat
        self._seats[i] = {
            (learner + step) % 4: make_bot(level, bot_seed(own, number, step))
            for step, level in enumerate(self.bots or (), 1)
        }
        self._met[i] = None

    def go_on(self, some: Iterable[int], gains: Array) -> dict[int, HandOutcome]:
        """Let bots act at some tables."""
        if self.bots is None:
            return {}
        played = ((i, self._play_bots(i, gains[i])) for i in some)
        return {i: outcome for i, outcome in played if outcome is not None}

    def _play_bots(self, i: int, gains: Array) -> HandOutcome | None:
        episode, bots = self.episodes[i], self._seats[i]
        while episode.acting in bots:
            table = episode.table
            if self._met[i] is not table:
                self._met[i] = table
                for player, bot in bots.items():
                    bot.begin(table.book, episode.seat_of(player))
            player, seat = episode.acting, table.to_act[0]
            ended = episode.act(bots[player].act(table.view(seat), table.options(seat)), player)
            if ended is not None:
                gains += ended[1]
                if ended[0].over:
                    return ended[0]
        return None

    def act(self, actions: Array, some: Sequence[int], gains: Array) -> dict[int, HandOutcome]:
        """Let the learners of some tables act, then go on."""
        given: list[int] = actions.tolist()
        for i in some:
            if not self.episodes[i].allows(given[i]):
                raise refuse_action(given[i])
        over: dict[int, HandOutcome] = {}
        for i in some:
            ended = self.episodes[i].step(given[i])
            if ended is not None:
                gains[i] += ended[1]
                if ended[0].over:
                    over[i] = ended[0]
        return over | self.go_on([i for i in some if i not in over], gains)

    def show(self, seen: Array, mask: Array, players: Array) -> None:
        """Write the observation and legal actions of each learner to act."""
        for i, episode in enumerate(self.episodes):
            if episode.over:
                seen[i] = mask[i] = 0
            else:
                players[i] = player = episode.acting
                episode.observe(player, seen[i])
                episode.mask(None, mask[i])

    def show_end(self, i: int, player: int, seen: Array) -> None:
        """Write a player's observation at table i after the end of an episode."""
        self.episodes[i].observe(player, seen)


_DOES = (
    ActionKind.DISCARD, ActionKind.DISCARD, ActionKind.WIN, ActionKind.CHOW, ActionKind.PUNG, ActionKind.KONG,
    ActionKind.ADDED, ActionKind.CONCEALED, ActionKind.FLOWER, ActionKind.READY, ActionKind.PASS,
)  # fmt: skip
_ACTIONS = np.array([tokens.ACTION_CODES[do] for do in _DOES], np.int64)
"""The number in a token of each action of the loop."""


def lacking(terms: Terms, bots: Bots) -> StartError | None:
    """Return the reason why compiled tables cannot be used, or None."""
    if bots is not None and not all(isinstance(one, str) and one in BOTS for one in bots):
        names = ", ".join(BOTS)
        return StartError(f"编译的牌桌上机器人是：{names}。", f"bots at compiled tables are: {names}.")
    if terms.rounds:
        return StartError("编译的牌桌只打一局。", "compiled tables play single hands.")
    if not isinstance(terms.reward, str):
        return StartError("编译的牌桌，奖励是 points 或 rank。", "rewards of compiled tables are points or rank.")
    return None


def is_compiled(terms: Terms) -> bool:
    """Return whether compiled tables for this book are in the cache, so that they start at once."""
    if not writer.loops_there(terms.encoding) or code.missing(terms.book) is not None:
        return False
    return code.compiled_before(terms.book, with_gain=False)


class CompiledTables:
    """The same compiled: hands from seeds, the bots of `BOTS`; `seat` as in `PlainTables`.

    Raises:
        HandError: numba is not installed, or the book has shapes that the loop does not know.
    """

    def __init__(self, terms: Terms, n: int, bots: Bots, seat: int | None = None) -> None:
        self.terms, self.bots, self.seat = terms, bots, seat
        self._reward = reward_of(terms.reward)
        self._tables = SteppedTables(terms.book, n, len(terms.tiles.tiles))
        self._written = writer.Observations(terms.encoding, n, writer.compile_loops())
        self._plan = WallPlan.of(self._tables.rules.table, len(terms.tiles.tiles))
        self._players, self._places = np.zeros((2, n), np.int64)
        self._seeds: list[int | None] = [None] * n
        self._dealt, self._number = [0] * n, [0] * n
        self._outside = np.full(4, NUMBERED.index(OUTSIDE))

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_reward": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reward = reward_of(self.terms.reward)
        self._written.functions = writer.compile_loops()

    @property
    def begun(self) -> bool:
        """Whether hands were dealt."""
        return self._seeds[0] is not None

    def begin(self, i: int, seed: int | None, options: dict[str, Any] | None) -> None:
        """Begin a hand at table i."""
        if options:
            raise StartError("编译的牌桌只能从种子开始。", "compiled tables begin only from seeds.")
        if seed is not None or self._seeds[i] is None:
            self._seeds[i] = random.SystemRandom().randrange(1 << 31) if seed is None else seed
            self._dealt[i] = self._number[i] = 0
        own = self._seeds[i] or 0
        wall = make_wall(own, self._dealt[i], self.terms.tiles)
        self._dealt[i] += 1
        self._number[i] += 1
        levels, seeds = self._outside, None
        if self.bots is not None:
            levels, seeds = levels.copy(), np.zeros(4, np.int64)
            learner = self._number[i] if self.seat is None else self.seat
            for step, level in enumerate(self.bots, 1):
                seat = (learner + step) % 4
                levels[seat] = NUMBERED.index(str(level))
                seeds[seat] = bot_seed(own, self._number[i], step)
        tables, made = self._tables, self._written
        tables.deal(i, np.array(wall.order(), np.uint8), seeds, levels)
        made.begin(i, tables.rules.table, self._plan)
        made.write(i, loops.word_of(tokens.E_DICE, *wall.dice))
        deal = made.functions.deal_tokens if made.of_tokens else made.functions.deal_board
        deal(i, made.cells, made.notes, tables.order, writer.DEALT_AT)

    def go_on(self, some: Iterable[int], gains: Array) -> dict[int, HandOutcome]:
        """Let bots act at some tables."""
        wanted, over = set(some), {}
        for i in self._tables.go_on():
            if i in wanted:
                over[i] = outcome = self._outcome(i)
                gains[i] = self._reward(outcome)
        return over

    def _outcome(self, i: int) -> HandOutcome:
        ending = self._tables.ending(i)
        settled = settle(ending, self.terms.book, self._tables.rules).seats
        return HandOutcome(ending, settled, settled, ORIGIN, True, None)

    def act(self, actions: Array, some: Sequence[int], gains: Array) -> dict[int, HandOutcome]:
        """Let the learners of some tables act, then go on."""
        scalars, of_seat, *_, offered = self._tables.arrays
        made = self._written
        chosen = self._players, self._places
        wrong = made.functions.choose(scalars, of_seat, offered, actions, *chosen)
        if wrong >= 0:
            raise refuse_action(int(actions[wrong]))
        made.functions.answer(scalars, offered, *chosen, made.cells, made.notes, _ACTIONS, int(made.of_tokens))
        return self.go_on(some, gains)

    def show(self, seen: Array, mask: Array, players: Array) -> None:
        """Write the observation and legal actions of each learner to act."""
        scalars, log, offered = (self._tables.arrays[k] for k in (0, 8, 9))
        self._written.show(scalars, log, seen)
        self._written.functions.masks(scalars, offered, mask, players)

    def show_end(self, i: int, player: int, seen: Array) -> None:
        """Write a player's observation at table i after the end of a hand."""
        tables, made = self._tables, self._written
        scalars, log = tables.arrays[0][i : i + 1].copy(), tables.arrays[8][i : i + 1].copy()
        end = int(scalars[0, columns.EVENTS])
        shows = [at for at in range(made.notes[i, loops.READ], end) if log[0, at] & 255 == columns.E_SHOW]
        if shows:  # the loop logs no tiles there
            words = [
                loops.word_of(columns.E_SHOW, seat, tile, 0, 0)
                for seat in (int(log[0, at]) >> 8 & 255 for at in shows)
                for tile in tables.shown_tiles(i, seat)
            ]
            log[0, shows[0] : shows[0] + len(words)] = words
            scalars[0, columns.EVENTS] = shows[0] + len(words)
        scalars[0, columns.WAITING] = player + 1
        scalars[0, columns.OFFER_TILE] = scalars[0, columns.OFFERER] = -1
        made.show_one(i, scalars, log, seen)


def allow_pass(mask: Array) -> None:
    """Write the mask of a table whose episode is over: a pass, which does nothing."""
    mask[:] = 0
    mask[action_numbers.PASS] = 1

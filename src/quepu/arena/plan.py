"""A plan of a simulation: a rulebook, four players, a seed and a number of walls."""

from __future__ import annotations

import shlex
import warnings
from dataclasses import InitVar, dataclass
from functools import lru_cache
from itertools import permutations
from typing import cast

from quepu.bots.external import ExternalBot
from quepu.bots.protocol import Bot, BotMaker, NotABot, heavy, make_bot
from quepu.errors import Error
from quepu.rulebooks import find_book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Wall, make_wall
from quepu.tiles import TileSet

Player = Bot | BotMaker
"""A level's key (or `exec:COMMAND`), a class or function that creates a bot (from a seed, if it takes one), or a bot.

A bot that is there already has its own state: its hands depend on those before, and other processes have copies.
"""


class PlanError(Error):
    """A simulation that cannot be run as requested."""


@lru_cache(8)
def _find_book(rules: str) -> Rulebook:
    return find_book(rules)


def book_of(rules: str | Rulebook) -> Rulebook:
    """Return the rulebook of an id, an alias or a TOML file, loaded once per process; rulebooks pass through."""
    return _find_book(rules) if isinstance(rules, str) else rules


def seat_bot(player: Player, seed: int) -> Bot:
    """Return the bot of a player.

    Raises:
        UnknownName: the level is unknown. PlanError: it is neither a bot nor creates one.
    """
    if not isinstance(player, str | type) and hasattr(player, "act") and hasattr(player, "begin"):
        return cast("Bot", player)
    try:
        return make_bot(cast("BotMaker", player), seed)
    except NotABot as wrong:
        raise PlanError(*wrong.text) from None


def name_of(player: Player) -> str:
    """Return a player's name: a level's key, a program's command, otherwise the class or function."""
    if isinstance(player, ExternalBot):
        return f"exec:{shlex.join(player.process.command)}"
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def seed_of(seed: int, wall: int, seat: int) -> int:
    """Return the seed of the bot at a seat for a wall, derived from the plan's seed."""
    return (seed * 1_000_003 + wall) * 4 + seat


def player_names(players: tuple[Player, ...]) -> tuple[str, ...]:
    """Return the names in results, made distinct."""
    found: dict[str, Player] = {}
    names = []
    for player in players:
        first = name_of(player)
        name, number = first, 1
        while name in found and found[name] is not player and found[name] != player:
            number += 1
            name = f"{first} {number}"
        found[name] = player
        names.append(name)
    return tuple(names)


@dataclass(frozen=True)
class Plan:
    """`walls` deals under `rules` (an id, alias, TOML file or Rulebook), four players (`Player`), and a seed.

        >>> Plan("guobiao-mcr", ("plain", "random", "plain", "random"), walls=100, all_seatings=True).book.id
        'guobiao-mcr'

    Seats rotate with every hand. With `all_seatings` every wall is played once per different seating, which removes
    the luck of the deal from the comparison. With `own_walls` each seat draws from its own wall, so that the tiles it
    draws do not depend on the claims of others. `ijcai` is duplicate play as the IJCAI contests hold it: both, without
    flowers, the prevalent wind changing with every wall, and rank points for each wall. `duplicate` is the former name
    of `all_seatings`.
    """

    rules: str | Rulebook
    levels: tuple[Player, ...]
    walls: int
    seed: int = 0
    all_seatings: bool = False
    flowers: bool | None = None
    own_walls: bool = False
    ijcai: bool = False
    duplicate: InitVar[bool | None] = None

    def __post_init__(self, duplicate: bool | None) -> None:
        if duplicate is not None:
            warnings.warn("Plan(duplicate=…) is called all_seatings now", DeprecationWarning, stacklevel=3)
        if self.ijcai and self.flowers:
            raise PlanError("IJCAI 复式不用花牌。", "duplicate play in IJCAI's form has no flowers.")
        if self.ijcai:
            object.__setattr__(self, "own_walls", True)
            object.__setattr__(self, "flowers", False)
        if duplicate or self.ijcai:
            object.__setattr__(self, "all_seatings", True)
        if len(self.levels) != 4:
            n = len(self.levels)
            raise PlanError(f"要四个机器人，给了 {n} 个。", f"four bots are needed; {n} given.")
        for level in self.levels:
            if isinstance(level, str):
                make_bot(level)
        if self.walls < 1:
            raise PlanError("至少打一局。", "play at least one hand.")

    @property
    def book(self) -> Rulebook:
        """The rulebook, loaded once per process."""
        return book_of(self.rules)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players in results."""
        return player_names(self.levels)

    @property
    def tiles(self) -> TileSet:
        """The tiles in the wall."""
        return play_rules(self.book).table.tiles.with_flowers(self.flowers)

    def wall(self, number: int) -> Wall:
        """Return the wall of this number."""
        return make_wall(self.seed, number, self.tiles, self.own_walls)

    def round(self, wall: int) -> int:
        """Return the prevalent wind of a wall: four walls each, or a wall each in IJCAI's form."""
        return wall % 4 if self.ijcai else wall // 4 % 4

    @property
    def heavy(self) -> bool:
        """Whether a level needs a table that is built once for each book."""
        return any(isinstance(level, str) and heavy(level) for level in self.levels)

    def seatings(self, wall: int) -> list[tuple[int, ...]]:
        """Return the seatings for this wall: positions in the line-up at E, S, W, N, a tuple for each hand played."""
        if not self.all_seatings:
            return [tuple((at - wall) % 4 for at in range(4))]
        different: dict[tuple[str, ...], tuple[int, ...]] = {}
        names = self.names
        for order in permutations(range(4)):
            different.setdefault(tuple(names[at] for at in order), order)
        return list(different.values())

    def bot_seed(self, wall: int, seat: int) -> int:
        """Return the seed of the bot at a seat for this wall."""
        return seed_of(self.seed, wall, seat)

    def bots(self, wall: int, seating: tuple[int, ...]) -> list[Bot]:
        """Return the bots at East, South, West, North."""
        return [seat_bot(self.levels[who], self.bot_seed(wall, seat)) for seat, who in enumerate(seating)]

    def prepare(self) -> None:
        """Build everything the levels need once, before processes are started."""
        if self.heavy:
            from quepu.bots.payable_bot import payable

            payable(self.book).prepare()

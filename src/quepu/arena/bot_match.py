"""Play a whole match between any four bots under any book, with its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from quepu.arena.bot_hand import play_hand
from quepu.arena.plan import Plan, Player, player_names, seat_bot
from quepu.errors import cannot_write
from quepu.match import LogWriter, Match
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook


def match(
    rules: str | Rulebook,
    players: Sequence[Player],
    *,
    seed: int = 0,
    rounds: int | None = None,
    ranked: bool = False,
    flowers: bool | None = None,
    own_walls: bool = False,
    log: str | Path | None = None,
) -> Match:
    """Play a match to its end: seats, dealers and payments are the book's.

        >>> played = match("yuque-54", ["random"] * 4, seed=1)
        >>> played.over, sum(played.totals) + played.pool == 0
        (True, True)

    Args:
        rules: an id, alias, TOML file or Rulebook.
        players: four levels, bots, or functions from a seed to a bot; starting at East, South, West, North.
        seed: of the walls (hand n is `make_wall(seed, n)`, from 1, as `quepu verify` checks) and of the bots.
        rounds: None plays the book's own number.
        ranked: whether it is a ranked match, so that a book with extra rounds plays them.
        flowers: None plays the book's own set.
        own_walls: whether each seat draws from its own wall.
        log: a file to write the match to, line by line.

    Raises:
        PlanError: there are not four players.
        NotAllowed: a bot returned an action that is not allowed.
        HandError: the file cannot be written.
    """
    plan = Plan(rules, tuple(players), 1, seed, flowers=flowers, own_walls=own_walls)
    plan.prepare()
    own = play_rules(plan.book)
    played = Match(plan.book, _names(plan.levels), rounds, ranked)
    lines: list[str] = []
    writer = LogWriter(played, lines.append, seed=seed, players=plan.names, own_walls=own_walls)
    bots = [seat_bot(player, seed * 4 + at) for at, player in enumerate(plan.levels)]
    with _file(log) as write:
        while not played.over:
            number, place = len(played.hands) + 1, played.place
            wall = plan.wall(number)
            table = play_hand(plan.book, wall, [bots[who] for who in place.seats], round=place.round_wind, rules=own)
            assert table.ending is not None  # noqa: S101  # nobody is asked any more
            writer.hand(number, place, table)
            played = played.add_hand(table.ending)
            writer.result(played.hands[-1].settlement, played.totals, table.ending)
            if played.over:
                writer.end()
            write(f"{line}\n" for line in lines)
            lines.clear()
    return played


@contextmanager
def _file(path: str | Path | None) -> Iterator[Callable[[Iterable[str]], None]]:
    """Yield a writer of lines to a file, or to nowhere."""
    if path is None:
        yield lambda lines: None
        return
    try:
        with Path(path).open("w", encoding="utf-8") as target:
            yield target.writelines
    except OSError as wrong:
        raise cannot_write(path, wrong) from wrong


def _names(players: Sequence[Player]) -> tuple[str, str, str, str]:
    """Return four different names."""
    names = player_names(tuple(players))
    a, b, c, d = (f"{name} {at + 1}" if names.count(name) > 1 else name for at, name in enumerate(names))
    return a, b, c, d

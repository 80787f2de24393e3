"""Play hands of a plan on compiled tables (`quepu.fast.tables`), with the counts of `quepu.arena.simulate.play`."""

from __future__ import annotations

from quepu.arena.counts import HandCounts, Stats
from quepu.arena.plan import Plan
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.table import make_wall

_ROUNDS = 4
_FEWEST_COMPILED, _FEWEST_COMPILED_HEAVY = 5_000, 1_000
"""Number of hands from which loops are compiled if necessary: compiling takes as long as about this many hands."""
_FEWEST_LOADED, _FEWEST_LOADED_HEAVY = 1000, 50
"""The same if they are already compiled and only have to be loaded."""


def on_compiled_tables(plan: Plan, hands: int) -> bool:
    """Return whether to play this many hands of a plan on compiled tables: possible, and faster."""
    fewest = (_FEWEST_LOADED_HEAVY, _FEWEST_COMPILED_HEAVY) if plan.heavy else (_FEWEST_LOADED, _FEWEST_COMPILED)
    if hands < fewest[0] or plan.own_walls:
        return False
    try:
        from quepu.fast.compiled.code_cache import installed
        from quepu.fast.tables.code import compiled_before, missing
        from quepu.fast.tables.fast_tables import LEVELS
    except ModuleNotFoundError:  # numpy is not installed
        return False
    if not installed() or any(level not in LEVELS for level in plan.levels):
        return False
    if missing(plan.book) is not None:
        return False
    return hands >= fewest[1] or compiled_before(plan.book, "gain" in plan.levels)


def play_compiled(plan: Plan, first: int, last: int) -> Stats:
    """Walls `first` to `last` (exclusive) of a plan whose players are levels of `fast_tables.LEVELS`."""
    import numpy as np

    from quepu.fast.plan import Engine
    from quepu.fast.tables import FastTables
    from quepu.fast.tables.endings import endings

    book, rules, names = plan.book, play_rules(plan.book), plan.names
    stats = Stats.of(names)
    nets: dict[int, dict[str, list[int]]] = {}
    for round in range(_ROUNDS):
        walls = [at for at in range(first, last) if at // 4 % _ROUNDS == round]
        seated = [(at, seating) for at in walls for seating in plan.seatings(at)]
        if not seated:
            continue
        orders = {at: make_wall(plan.seed, at, plan.tiles).order() for at in walls}
        played = FastTables(
            book,
            np.array([orders[at] for at, _ in seated], np.uint8),
            np.array([[plan.bot_seed(at, seat) for seat in range(4)] for at, _ in seated], np.int64),
            round,
            [[str(plan.levels[who]) for who in seating] for _, seating in seated],
        ).play()
        made, which = endings(played)
        settled = [settle(ending, book, rules) for ending in made]
        columns = which.tolist(), played.table_lengths.tolist(), played.draws.tolist(), played.claims.tolist()
        for (at, seating), number, events, draws, claims in zip(seated, *columns, strict=True):
            stats.count(HandCounts(made[number], events, draws, claims), seating, settled[number])
            of_names = nets.setdefault(at, {name: [0, 0] for name in names})
            for seat, who in enumerate(seating):
                of_names[names[who]][0] += settled[number].seats[seat]
                of_names[names[who]][1] += 1
        won = np.flatnonzero(played.winners >= 0)
        held = (Engine(book).score(played.wins(won)).counts > 0).sum(axis=0)
        stats.fans.update({fan.name: int(n) for fan, n in zip(book.fans, held, strict=True) if n})
    if plan.all_seatings:
        for of_names in nets.values():
            stats.compare((name, net, seats) for name, (net, seats) in of_names.items())
    return stats

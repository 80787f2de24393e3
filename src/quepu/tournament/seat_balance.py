"""Balance seats and tables: all players sit at every wind equally often, and not always at one table."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from quepu.tournament.designs import SEATS

Seating = tuple[int | None, ...]


def seat_rounds(rounds: Sequence[Sequence[Sequence[int]]]) -> list[list[Seating]]:
    """Assign seats 0-3 to the players of each round and table (None: an empty seat).

    A player with r games is at each seat ⌊r/4⌋ or ⌈r/4⌉ times. Tables and players are the two sides of a graph, split
    so that no player node has more than four edges: a player's tables go in bundles of four. Such a graph can be drawn
    in four colours (König), and the colours are the seats.
    """
    tables = [(at, list(table)) for at, tables in enumerate(rounds) for table in tables]
    lines: list[list[int | None]] = [[None] * SEATS for _ in tables]  # table, colour -> bundle
    bundles: list[list[int | None]] = []  # bundle, colour -> table
    owner: list[int] = []
    open_bundle: dict[int, tuple[int, int]] = {}
    for number, (_, players) in enumerate(tables):
        for player in players:
            bundle, used = open_bundle.get(player, (-1, SEATS))
            if used == SEATS:
                bundle, used = len(bundles), 0
                bundles.append([None] * SEATS)
                owner.append(player)
            open_bundle[player] = bundle, used + 1
            _colour(number, bundle, lines, bundles)
    found: list[list[Seating]] = [[] for _ in rounds]
    for (at, _), line in zip(tables, lines, strict=True):
        found[at].append(tuple(None if bundle is None else owner[bundle] for bundle in line))
    return found


def _colour(table: int, bundle: int, lines: list[list[int | None]], bundles: list[list[int | None]]) -> None:
    """Draw the edge between a table and a bundle in a colour free at both, recolouring others if there is none."""
    free_there = lines[table].index(None)
    free_here = bundles[bundle].index(None)
    if bundles[bundle][free_there] is not None:
        # the path from the bundle that alternates the two colours never ends at the table: swap its colours
        path: list[tuple[int, int, int]] = []
        colour, at_bundle, here = free_there, True, bundle
        while True:
            there = (bundles[here] if at_bundle else lines[here])[colour]
            if there is None:
                break
            path.append((there, here, colour) if at_bundle else (here, there, colour))
            here, at_bundle = there, not at_bundle
            colour = free_here if colour == free_there else free_there
        for one, other, old in path:
            lines[one][old] = bundles[other][old] = None
        for one, other, old in path:
            new = free_here if old == free_there else free_there
            lines[one][new], bundles[other][new] = other, one
    lines[table][free_there], bundles[bundle][free_there] = bundle, table


def seat_after(
    rounds: Sequence[Sequence[Sequence[int]]], before: Sequence[Sequence[Seating]], rng: random.Random
) -> list[list[Seating]]:
    """Assign seats to rounds that follow others, as evenly as changing one table at a time allows."""
    sat: Counter[tuple[int, int]] = Counter(
        (player, seat)
        for tables in before
        for table in tables
        for seat, player in enumerate(table)
        if player is not None
    )
    found: list[list[Seating]] = []
    for tables in rounds:
        found.append([])
        for table in tables:
            players: list[int | None] = [*table, *[None] * (SEATS - len(table))]
            rng.shuffle(players)
            found[-1].append(_put(tuple(players), sat))
    changed = True
    while changed:
        changed = False
        for tables_ in found:
            for i, old in enumerate(tables_):
                _take(old, sat)
                new = _put(old, sat)
                changed = changed or new != old
                tables_[i] = new
    return found


def _put(players: Seating, sat: Counter[tuple[int, int]]) -> Seating:
    """Return the most even order of the players; the given order among equals."""

    def weight(order: Seating) -> int:
        return sum(2 * sat[player, seat] + 1 for seat, player in enumerate(order) if player is not None)

    orders = list(permutations(players))  # the first is the order given
    best = min(orders, key=weight)
    for seat, player in enumerate(best):
        if player is not None:
            sat[player, seat] += 1
    return best


def _take(players: Seating, sat: Counter[tuple[int, int]]) -> None:
    for seat, player in enumerate(players):
        if player is not None:
            sat[player, seat] -= 1


def number_tables(
    rounds: list[list[Seating]], before: Sequence[Sequence[Seating]], rng: random.Random
) -> list[list[Seating]]:
    """Order the tables of each round so that players rarely come to the same table number again."""
    at: Counter[tuple[int, int]] = Counter()
    for tables in before:
        _visit(tables, at)
    found: list[list[Seating]] = []
    for tables in rounds:
        order = list(tables)
        if before or found:
            rng.shuffle(order)
            _spread(order, at)
        _visit(order, at)
        found.append(order)
    return found


def _visit(tables: Sequence[Seating], at: Counter[tuple[int, int]]) -> None:
    for number, table in enumerate(tables):
        for player in table:
            if player is not None:
                at[player, number] += 1


def _spread(order: list[Seating], at: Counter[tuple[int, int]]) -> None:
    def visits(table: Seating, number: int) -> int:
        return sum(at[player, number] ** 2 + 2 * at[player, number] for player in table if player is not None)

    changed = True
    while changed:
        changed = False
        for i in range(len(order)):
            for j in range(i):
                now = visits(order[i], i) + visits(order[j], j)
                if visits(order[i], j) + visits(order[j], i) < now:
                    order[i], order[j] = order[j], order[i]
                    changed = True

"""How much better a bot's discards could be: `python bench/headroom.py [BOOK …] [--level L] [--decisions N] …`.

Four bots of a level play. At one discard a hand, where the second best is worth more than two thirds of the best to
the bot, its three best are played out K times each by bots of that level, luck shared: once in worlds that are as they
are but for the order of the wall, and once in worlds as they might be for all that the seat has seen
(`quepu.table.sampling`). A row gives what is won a decision, judged by true hands, where half of the first playouts
choose and the other half judges (so much is worth to know what others hold), and where the second playouts choose (so
much is worth to think longer about what is seen).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from quepu.bots.payable_bot import GainBot, Sight
from quepu.bots.protocol import make_bot
from quepu.bots.simple import is_plain_discard
from quepu.match.settle import settle
from quepu.rulebooks import named
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Table, make_wall
from quepu.table.again import play_again
from quepu.table.sampling import drawn_places, sample_table, undrawn_places
from quepu.table.wall import WallPlan, wall_drawn
from quepu.tiles import KINDS

ALIKE, BEST, STAGES = 2 / 3, 3, 14


def with_wall_shuffled(table: Table, seed: int) -> Table:
    """The same table, the tiles that nobody has drawn in another order."""
    order = table.wall.order()
    plan = WallPlan.of(table.rules.table, len(order))
    places = undrawn_places(drawn_places(table.events, plan), plan)
    tiles = [order[place] for place in places]
    random.Random(f"wall {seed}").shuffle(tiles)
    for place, tile in zip(places, tiles, strict=True):
        order[place] = tile
    wall = wall_drawn(order, table.wall.dice)
    return play_again(table.book, wall, table.board.round, table.rules, False, False, table.events, table.answers)


def weighing(level: str, book: Rulebook, seat: int) -> GainBot:
    """A bot of this level at a seat."""
    bot = make_bot(level, seat)
    if not isinstance(bot, GainBot):
        raise SystemExit(f"{level} does not weigh discards: gain and master do.")
    bot.begin(book, seat)
    return bot


def nearly_alike(bot: GainBot, table: Table, seat: int) -> list[Action]:
    """The best discards of a seat in the bot's order, if the second is nearly as good as the first; else none."""
    allowed = [option for option in table.options(seat) if is_plain_discard(option)]
    view = table.view(seat)
    tiles = [kind for kind in view.tiles if kind < KINDS]
    sight = Sight.of(view)
    look = bot.look(sight, tiles, view.melds)
    if not look.reachable or look.missing < 1:
        return []
    weights = bot.weights_of(look, sight, [option.tile_kind for option in allowed])
    found: dict[int, tuple[float, Action]] = {}
    for (weight, *_), option in sorted(zip(weights, allowed, strict=True), key=lambda pair: -pair[0][0]):
        found.setdefault(option.tile_kind, (weight, option))
    best = list(found.values())[:BEST]
    return [option for _, option in best] if len(best) > 1 and best[1][0] > ALIKE * best[0][0] > 0 else []


def play_on(table: Table, bots: Sequence[Any]) -> None:
    """Play a hand to its end."""
    while table.to_act:
        seat = table.to_act[0]
        table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))


def paid(table: Table, seat: int) -> int:
    """What a seat got in the end."""
    assert table.ending is not None
    return settle(table.ending, table.book, table.rules).seats[seat]


def playouts(table: Table, seat: int, actions: Sequence[Action], bots: Sequence[Any], world: Any, many: int) -> Any:
    """What the seat got after each of the actions in so many worlds: float [many, actions]."""
    found = np.zeros((many, len(actions)))
    for n in range(many):
        for at, action in enumerate(actions):
            there = world(table, seed=n)
            there.step(seat, action)
            play_on(there, bots)
            found[n, at] = paid(there, seat)
    return found


def decisions(rules: str, level: str, seed: int, many: int) -> Any:
    """One after another: what playouts in worlds as they are and as they might be came to."""
    book = named(rules)
    tiles = play_rules(book).table.tiles
    number = 0
    while True:
        rng = random.Random(f"headroom {seed} {number}")
        bots = [weighing(level, book, seat) for seat in range(4)]
        table = Table(book, make_wall(f"headroom {seed}", number, tiles), round=number // 4 % 4)
        stage = rng.randrange(STAGES)
        while table.to_act:
            seat = table.to_act[0]
            taken = bots[seat].act(table.view(seat), table.options(seat))
            if is_plain_discard(taken) and len(table.board.rivers[seat]) >= stage:
                actions = nearly_alike(bots[seat], table, seat)
                if actions:
                    actual = playouts(table, seat, actions, bots, with_wall_shuffled, 2 * many)
                    sampled = playouts(table, seat, actions, bots, partial(sample_table, seat=seat), many)
                    yield actual, sampled
                    break
            table.step(seat, taken)
        number += 1


def row(rules: str, level: str, number: int, many: int, seed: int) -> str:
    """What choosing by playouts is worth, a decision."""
    began = time.process_time()
    knowing, seeing, others = [], [], 0
    for actual, sampled in decisions(rules, level, seed, many):
        first, second, judge = actual[:many].mean(0), actual[many:].mean(0), actual.mean(0)
        knowing.append((second[first.argmax()] - second[0] + first[second.argmax()] - first[0]) / 2)
        at = sampled.mean(0).argmax()
        seeing.append(judge[at] - judge[0])
        others += at != 0
        if len(knowing) == number:
            break
    both = [f"{np.mean(made):+.2f} ± {np.std(made, ddof=1) / number**0.5:.2f}" for made in (knowing, seeing)]
    spent = time.process_time() - began
    return f"| {rules} | {level} | {number} | {many} | {both[0]} | {both[1]} | {others / number:.0%} | {spent:.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", default=["lingque-29", "guobiao-mcr", "canton"])
    parser.add_argument("--level", default="gain", help="gain or master")
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| book | level | decisions | playouts | others' hands known | as seen | picks another | CPU s |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for name in given.books:
        print(row(name, given.level, given.decisions, given.playouts, given.seed), flush=True)


if __name__ == "__main__":
    main()

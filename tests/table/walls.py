"""Walls built on purpose, and a short way to say what happens at a table."""

from __future__ import annotations

import re
from collections import Counter

from quepu.hands.notation import tiles
from quepu.table import Table, Wall
from quepu.table.actions import PASS, TILE_NUMBER, Action, find_option
from quepu.table.wall import check_wall
from quepu.tiles import FLOWERS, NAMES, PLAIN, WINDS

DICE = (1, 3, 2, 4)


def kinds(text: str) -> list[int]:
    """Tiles and flowers in the order written: "123mE春"."""
    found: list[int] = []
    for part in re.split(f"([{''.join(FLOWERS)}])", text):
        found += [TILE_NUMBER[part]] if part in FLOWERS else tiles(part) if part else []
    return found


def stacked(hands: list[str], draws: str = "", tail: str = "", *, flowers: bool = False, last: str = "") -> Wall:
    """A wall that deals these hands (what is missing is filled up), then these draws; `tail` are the replacements in
    order, `last` the last tiles to be drawn from the head when nothing was taken from the tail."""
    size = 144 if flowers else 136
    order: list[int | None] = [None] * size
    left = Counter(PLAIN.with_flowers(flowers).tiles)

    def put(at: int, kind: int) -> None:
        assert order[at] is None, f"place {at} is taken"
        assert left[kind], f"no {kind} left"
        order[at] = kind
        left[kind] -= 1

    for seat, hand in enumerate(hands):
        places = [*range(4 * seat, 4 * seat + 4), *range(16 + 4 * seat, 20 + 4 * seat),
                  *range(32 + 4 * seat, 36 + 4 * seat), 48 + seat]  # fmt: skip
        for at, kind in zip(places, kinds(hand), strict=False):
            put(at, kind)
    for i, kind in enumerate(kinds(draws)):
        put(52 + i, kind)
    for i, kind in enumerate(kinds(tail)):
        put(size - i - (2 if i % 2 == 0 else 0), kind)
    for i, kind in enumerate(reversed(kinds(last))):
        put(size - 1 - i, kind)
    rest = sorted(left.elements(), key=lambda kind: (kind >= 34, kind * 7 % 34, kind))  # flowers last
    for at in range(size):
        if order[at] is None:
            order[at] = rest.pop(0)
    whole = [kind for kind in order if kind is not None]
    wall = Wall(tuple(whole), DICE)
    start = 2 * wall._start()
    return check_wall(Wall(tuple(whole[-start:] + whole[:-start]), DICE))


def go(table: Table, *steps: str) -> Table:
    """Say things: "E discard 5m", "S chow 3m 2m", "W win". Whoever else is asked about an offer passes."""
    for step in steps:
        seat, action = read_step(step)
        while find_option(table.options(seat), action) is None:
            other = next((s for s in table.to_act if PASS in table.options(s)), None)
            if other is None:
                table.step(seat, action)  # raises, saying what is allowed
                raise AssertionError(step)
            table.step(other, PASS)
        table.step(seat, action)
    return table


def read_step(step: str) -> tuple[int, Action]:
    """A step read: "E discard 5m drawn"."""
    words = step.split()
    numbers = [TILE_NUMBER[word] for word in words[2:] if word in TILE_NUMBER]
    action = Action(
        words[1],
        numbers[0] if numbers else None,
        numbers[1] if len(numbers) > 1 else None,
        "drawn" in words[2:],
        "ready" in words[2:],
    )
    return WINDS.index(words[0]), action


def settle_offer(table: Table) -> Table:
    """Let everybody who is asked about an offer pass."""
    while table.to_act and PASS in table.options(table.to_act[0]):
        table.step(table.to_act[0], PASS)
    return table


def throw_away(table: Table, turns: int = 1000) -> Table:
    """Every seat discards its drawn tile and passes, for this many discards or until no seat is to act."""
    while table.to_act and turns:
        seat = table.to_act[0]
        options = table.options(seat)
        if PASS in options:
            table.step(seat, PASS)
        else:
            drawn = [option for option in options if option.do == "discard" and option.drawn and not option.ready]
            table.step(seat, (drawn or [option for option in options if option.do == "discard"])[0])
            turns -= 1
    return table


JUNK = ["1478m258p369sESW", "147m258p369sESWN", "147m258p369sESWN", "147m258p369sESWN"]


def words(table: Table, seat: int) -> set[str]:
    """What a seat may say, but for plain discards."""
    return {
        " ".join([option.do, *(NAMES[k] for k in (option.tile, option.low) if k is not None)])
        for option in table.options(seat)
        if option.do != "discard"
    }

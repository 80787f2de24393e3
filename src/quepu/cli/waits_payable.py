"""`quepu waits --payable`: distance of a hand to one that may win, and the value of each discard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quepu.cli.terminal_lines import Styled
from quepu.hands.hand import Hand
from quepu.tiles import CHINESE, NAMES

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook

TURNS = 12.0
"""Draws left to the seat, as in the middle of a hand; the worth of far hands falls with it."""


def plan(hand: Hand, book: Rulebook, seen: tuple[int, ...]) -> dict[str, Any]:
    """Missing tiles to the nearest hand that may win (None: none is left), and the share of value of each discard."""
    import numpy as np

    from quepu.fast.nearest.payable import FAR, Payable, rates

    unseen = 4 - np.array(hand.counts())
    for kind in seen:
        unseen[kind] -= 1
    unseen = np.maximum(unseen, 0)
    look = Payable(book).look(hand, unseen, 1, rates(TURNS, int(unseen.sum())))
    concealed = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
    held = sorted(set(concealed))
    share = {kind: float(look.values[kind]) for kind in held} if len(concealed) % 3 == 2 else {}
    most = max(share.values(), default=0.0)
    values = [
        {"discard": NAMES[kind], "name": CHINESE[kind], "keeps": round(value / most, 4) if most else 0.0}
        for kind, value in sorted(share.items(), key=lambda item: (-item[1], item[0]))
    ]
    return {"missing": None if look.missing >= FAR else look.missing, "minimum": book.minimum, "discards": values}


def show_plan(made: dict[str, Any]) -> None:
    """The plan in words and bars."""
    from quepu.cli.screen import show, table, tile_row
    from quepu.cli.texts import say, spoken
    from quepu.shapes.distance import win_text

    if made["missing"] is None:
        show(f"  {say('payable.none')}")
        return
    distance = spoken(win_text(made["missing"]))
    show(f"  {say('payable.missing', distance=distance, minimum=made['minimum'])}")
    if not made["discards"]:
        return
    grid = table([say("payable.discard"), say("payable.keeps"), ""], right=[1])
    for line in made["discards"]:
        tile = NAMES.index(line["discard"])
        bar = Styled("█" * round(line["keeps"] * 24), style="green")
        grid.add_row(tile_row([tile]), f"{line['keeps']:.0%}", bar)
    show(grid)

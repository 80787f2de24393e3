"""The way to a hand as a value: its wall and actions, and the melds in an order in which they can be made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from quepu.hands.hand import Luck, Meld, MeldKind
from quepu.table import Wall
from quepu.table.actions import Action


class Step(NamedTuple):
    """One meld, or a part of one, on the way: `tile` is claimed, or drawn for a kong of the own turn."""

    do: str
    tile: int
    low: int | None = None
    chained: bool = False
    """Made with the replacement of the kong before."""


class Way(NamedTuple):
    """A wall and what seats say one after another until the hand ends."""

    wall: Wall
    steps: tuple[tuple[int, Action], ...]


def steps_to(melds: Iterable[Meld], winning: int | None, luck: int) -> list[Step]:
    """Melds in an order in which they can be made; the kongs whose replacement wins come last."""
    chained = 3 if luck & Luck.THREE_KONGS else 2 if luck & Luck.TWO_KONGS else 1 if luck & Luck.KONG_DRAW else 0
    kongs = [meld for meld in melds if meld.kind >= MeldKind.KONG]
    kongs.sort(key=lambda meld: meld.exposed)
    last = kongs[len(kongs) - chained :] if chained else []
    last.sort(key=lambda meld: not meld.exposed)
    steps = []
    for meld in melds:
        if meld in last:
            continue
        if meld.kind is MeldKind.CHOW:
            run = [kind for kind in meld.tiles if kind != winning]
            steps.append(Step("chow", run[-1], meld.tile))
        else:
            do = {MeldKind.PUNG: "pung", MeldKind.KONG: "kong", MeldKind.CONCEALED_KONG: "concealed"}[meld.kind]
            steps.append(Step(do, meld.tile))
    for at, meld in enumerate(last):
        if not meld.exposed:
            steps.append(Step("concealed", meld.tile, chained=at > 0))
        elif at == 0:
            steps.append(Step("kong", meld.tile))
        else:
            steps.insert(0, Step("pung", meld.tile))
            steps.append(Step("added", meld.tile, chained=True))
    return steps

"""包: the player who pays for a whole hand of 广东, by the options that a table has chosen.

Hong Kong's rules, each an option: the fourth set claimed (十二章包), the third dragon set, the fourth wind set, and a tile
that nobody has seen among the last five. Where several hold, the set made last decides; the last tiles go before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from quepu.hands.hand import Meld, MeldKind
from quepu.rules.play_rules import WinFacts
from quepu.rules.rulebook import Rulebook
from quepu.tiles import EAST, KINDS

TWELVE, DRAGONS, WINDS, LAST = "bao_twelve", "bao_dragons", "bao_winds", "bao_last"
_SETS, _LAST_TILES = 4, 5
_HONOURS = range(EAST, KINDS)
_ALL_DRAGONS, _ALL_WINDS = 3, 4


def liability(book: Rulebook) -> Callable[[WinFacts], int | None] | None:
    """Return the function that finds who pays for a hand, or None if the table has chosen no such rule."""
    chosen = any(book.settings.get(key) for key in (TWELVE, DRAGONS, WINDS, LAST))
    return partial(find_liable, book) if chosen else None


def find_liable(book: Rulebook, win: WinFacts) -> int | None:
    """Return the seat that pays for this hand, or None."""
    left = _LAST_TILES + 1 if win.left is None else win.left
    if book.settings.get(LAST) and left <= _LAST_TILES and not win.seen:
        return win.discarder
    made = [meld for meld, _ in win.melds]
    triggers = [_fourth_set(book, win.melds)]
    if book.settings.get(DRAGONS):
        triggers.append(_last_of(made, _HONOURS[4:], _ALL_DRAGONS))
    if book.settings.get(WINDS):
        triggers.append(_last_of(made, _HONOURS[:4], _ALL_WINDS))
    at = max(triggers)
    return win.melds[at][1] if at >= 0 else None


def _fourth_set(book: Rulebook, melds: Sequence[tuple[Meld, int | None]]) -> int:
    """Return the place of the fourth set claimed from others, or -1."""
    claimed = [at for at, (_, giver) in enumerate(melds) if giver is not None]
    if not book.settings.get(TWELVE) or len(claimed) < _SETS:
        return -1
    if book.settings[TWELVE] == "flush" and not _threatens([melds[at][0] for at in claimed]):
        return -1
    return claimed[-1]


def _threatens(melds: Sequence[Meld]) -> bool:
    """Return whether the sets keep to one suit and honours, or to terminals and honours."""
    tiles = [tile for meld in melds for tile in meld.tiles]
    suits = {tile // 9 for tile in tiles if tile not in _HONOURS}
    return len(suits) <= 1 or all(tile in _HONOURS or tile % 9 in (0, 8) for tile in tiles)


def _last_of(melds: Sequence[Meld], kinds: range, number: int) -> int:
    """Return the place of the last of this many pungs and kongs of these kinds, or -1."""
    places = [at for at, meld in enumerate(melds) if meld.kind is not MeldKind.CHOW and meld.tile in kinds]
    return places[-1] if len(places) == number else -1

"""包: the player who pays for a whole hand of 广东, by the options that a table has chosen.

Hong Kong's rules, each an option: the fourth set claimed (十二章包), the third dragon set, the fourth wind set, the fourth
open kong, the winning tile of a flush with nine of its tiles open, and a tile that nobody has seen among the last five.
Where several sets hold, the one made last decides; the winning tile goes before them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rules.play_rules import WinFacts
from quepu.rules.rulebook import Rulebook
from quepu.tiles import EAST, KINDS

TWELVE, DRAGONS, WINDS, LAST = "bao_twelve", "bao_dragons", "bao_winds", "bao_last"
KONGS, NINE = "bao_kongs", "bao_nine"
_SETS, _LAST_TILES, _NINE_TILES = 4, 5, 3
_HONOURS = range(EAST, KINDS)
_ALL_DRAGONS, _ALL_WINDS = 3, 4


def liability(book: Rulebook) -> Callable[[WinFacts], int | None] | None:
    """Return the function that finds who pays for a hand, or None if the table has chosen no such rule."""
    chosen = any(book.settings.get(key) for key in (TWELVE, DRAGONS, WINDS, KONGS, NINE, LAST))
    return partial(find_liable, book) if chosen else None


def find_liable(book: Rulebook, win: WinFacts) -> int | None:
    """Return the seat that pays for this hand, or None."""
    left = _LAST_TILES + 1 if win.left is None else win.left
    if book.settings.get(LAST) and left <= _LAST_TILES and not win.seen:
        return win.discarder
    if book.settings.get(NINE) and win.discarder is not None and _opened_flush(win.hand):
        return win.discarder
    made = [meld for meld, _ in win.melds]
    triggers = [_fourth_set(book, win.melds)]
    if book.settings.get(DRAGONS):
        triggers.append(_last_of(made, _HONOURS[4:], _ALL_DRAGONS))
    if book.settings.get(WINDS):
        triggers.append(_last_of(made, _HONOURS[:4], _ALL_WINDS))
    if book.settings.get(KONGS):
        kongs = [at for at, meld in enumerate(made) if meld.kind is MeldKind.KONG]
        triggers.append(kongs[-1] if len(kongs) == _SETS else -1)
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


def _opened_flush(hand: Hand | None) -> bool:
    """Return whether a winning hand is of one suit, with three sets or more of it open before the winning tile."""
    if hand is None or sum(meld.exposed for meld in hand.melds) < _NINE_TILES:
        return False
    tiles = [kind for kind, n in enumerate(hand.counts()) if n]
    return len({tile // 9 for tile in tiles}) == 1 and tiles[0] not in _HONOURS


def _last_of(melds: Sequence[Meld], kinds: range, number: int) -> int:
    """Return the place of the last of this many pungs and kongs of these kinds, or -1."""
    places = [at for at, meld in enumerate(melds) if meld.kind is not MeldKind.CHOW and meld.tile in kinds]
    return places[-1] if len(places) == number else -1

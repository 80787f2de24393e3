"""Turn a typed hand into a seat's view with its options: fourteen tiles, or thirteen and a tile just discarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from quepu.errors import Error, many
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rules.play_rules import PlayRules, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.waits import count_left
from quepu.table.actions import tile_text
from quepu.table.events import Discarded
from quepu.table.judge import Judge
from quepu.table.legal import Options, State, discard_claims, turn_options
from quepu.table.open_melds import OpenMeld, visible
from quepu.table.position import KEY, Position
from quepu.table.visibility import View, view_of
from quepu.table.wall import HAND, WallPlan
from quepu.tiles import EAST, FIRST_FLOWER, WINDS_CHINESE

_MELDED = 3 * 12 + 8
"""Tiles that others may have melded instead of holding them, and flowers."""


class AskError(Error):
    """A question that the rules do not allow; its text says which actions are possible."""


class Offered(NamedTuple):
    """A tile that another seat has just discarded."""

    tile: int
    giver: int


class Around(NamedTuple):
    """Facts beside a typed hand: a tile offered, and melds of the next seat, the opposite one and the one before."""

    offered: Offered | None = None
    melds: Sequence[tuple[Meld, ...]] = ((), (), ())


NOTHING_KNOWN = Around()


def typed_view(
    hand: Hand, book: Rulebook, seen: Sequence[int] = (), left: int | None = None, around: Around = NOTHING_KNOWN
) -> tuple[View, Options]:
    """Return the view of a typed hand's seat, past the first go-round, and its options by the book's table rules.

    `seen` are visible kinds outside melds, with repetition. `left` tiles can be drawn; None: as many as the other seats
    leave, who hold thirteen each, melds included.

    Raises:
        AskError: the number of tiles is wrong, more are seen than there are, or nothing can be done with the tile
            offered.
        HandError: there would be more than four of a kind.
    """
    tiles = [*hand.concealed, *([] if hand.winning is None else [hand.winning])]
    seat, rules, offered = hand.seat - EAST, play_rules(book), around.offered
    _check(tiles, seat, offered)
    river = [*seen, *(() if offered is None else (offered.tile,))]
    melded = [kind for melds in around.melds for meld in melds for kind in meld.tiles]
    count_left(hand._replace(concealed=tuple(tiles)), [*river, *melded])
    position = _position(hand, rules, river, left, around.melds)
    position.rivers[(seat + 1) & 3] = tuple(seen)
    state = State(position, Judge(book, rules))
    state.events.append(Discarded(seat, tiles[0]))  # whatever it was: the first go-round is over
    state.look(seat)
    if offered is None:
        position.drawn = hand.winning
        if hand.winning is not None:
            position.counts[seat][hand.winning] += 1
        position.fours[seat] = [kind for kind, n in enumerate(position.counts[seat]) if n == 4]
        return view_of(position, book, seat, None, None, over=False), turn_options(state)
    position.turn = offered.giver
    position.rivers[offered.giver] += (offered.tile,)
    claims = discard_claims(state, offered.giver, offered.tile) or {}
    if seat not in claims:
        tile = tile_text(offered.tile)
        raise AskError(
            f"{tile.zh}现在不能吃、碰、杠，也不能和，只能过。",
            f"{tile.en} cannot be claimed or won on here; the only option is to pass.",
        )
    return view_of(position, book, seat, offered.tile, offered.giver, over=False), claims[seat]


def _check(tiles: Sequence[int], seat: int, offered: Offered | None) -> None:
    if offered is None and len(tiles) % 3 != 2:
        raise AskError(
            "请给 14 张牌（副露每组算三张）；问要不要别家打出的牌，就给 13 张和那张牌。",
            "give 14 tiles (a meld counts three); to ask about a tile that another seat discarded, give 13 and that "
            "tile.",
        )
    if offered is not None and len(tiles) % 3 != 1:
        raise AskError(
            "问要不要别家打出的牌，请给 13 张牌（副露每组算三张）。",
            "to ask about a tile that another seat discarded, give 13 tiles (a meld counts three).",
        )
    if offered is not None and offered.giver == seat:
        wind = WINDS_CHINESE[seat]
        raise AskError(
            f"{wind}家是自己，牌应是别家打出的。", f"{'ESWN'[seat]} is the own seat: another one discards the tile."
        )


def _position(
    hand: Hand, rules: PlayRules, river: Sequence[int], left: int | None, others: Sequence[tuple[Meld, ...]]
) -> Position:
    """Return a position in which only this seat's tiles and the open ones are known."""
    seat, table = hand.seat - EAST, rules.table
    size = table.tiles.with_flowers(False).size
    melds: list[tuple[OpenMeld, ...]] = [(), (), (), ()]
    for further, of in enumerate((hand.melds, *others)):
        melds[(seat + further) & 3] = tuple(map(OpenMeld, of))
    shown = visible([river], melds)
    held = len(hand.concealed) + (hand.winning is not None) + 3 * HAND - 3 * sum(map(len, others))
    hidden = size - held - sum(shown) - table.dead_wall
    most = hidden + _MELDED
    if hidden < 0 or (left is not None and not 0 <= left <= most):
        raise AskError(f"牌墙最多还有 {max(0, most)} 张。", f"the wall has at most {many(max(0, most), 'tile')} left.")
    position = Position(WallPlan.of(table, size), hand.round - EAST)
    position.left = hidden if left is None else min(left, hidden)  # melds of others may be among the tiles seen
    position.dealt, position.turn = True, seat
    position.hands[seat] = sorted(hand.concealed)
    position.keys[seat] = sum(KEY[kind] for kind in hand.concealed)
    for kind, n in Counter(hand.concealed).items():
        position.counts[seat][kind] = n
    position.melds = tuple(melds)
    position.hand_melds = tuple(tuple(one.meld for one in of) for of in melds)
    position.pungs[seat] = [meld.tile for meld in hand.melds if meld.kind is MeldKind.PUNG]
    position.open_counts = shown
    numbers = range(hand.flowers) if isinstance(hand.flowers, int) else hand.flowers
    flowers = tuple(FIRST_FLOWER + one for one in numbers)
    position.flowers = tuple(flowers if one == seat else () for one in range(4))
    return position

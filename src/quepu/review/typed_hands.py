"""Turn a typed hand into a seat's view with its options: fourteen tiles, or thirteen and a tile just discarded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from quepu.errors import Error, Text, many
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rules.play_rules import PlayRules, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.waits import count_left
from quepu.table.actions import tile_text
from quepu.table.events import Discarded, KongAdded, KongConcealed
from quepu.table.judge import Judge
from quepu.table.legal import Claims, Options, State, discard_claims, robbing_claims, turn_options
from quepu.table.luck import BY_ADDED_KONG, BY_CONCEALED_KONG, BY_DISCARD, Chance
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
    """A tile that another seat has just discarded, or made a kong of: its melds have that kong then."""

    tile: int
    giver: int


class Around(NamedTuple):
    """Facts beside a typed hand: a tile offered, and melds of the next seat, the opposite one and the one before."""

    offered: Offered | None = None
    melds: Sequence[tuple[Meld, ...]] = ((), (), ())

    def chance(self, seat: int) -> Chance:
        """Return how the tile offered can be won on by a seat: a kong of it may be robbed."""
        assert self.offered is not None  # noqa: S101  # it is asked about
        tile = self.offered.tile
        further = (self.offered.giver - seat) & 3
        kongs = {meld.kind for meld in self.melds[further - 1] if meld.tile == tile} if further else set()
        if MeldKind.CONCEALED_KONG in kongs:
            return BY_CONCEALED_KONG
        return BY_ADDED_KONG if MeldKind.KONG in kongs else BY_DISCARD


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
    chance = None if offered is None else around.chance(seat)
    river = [*seen, *((offered.tile,) if offered is not None and chance is BY_DISCARD else ())]
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
    claims = _claims(state, offered, chance) or {}
    if seat not in claims:
        raise AskError(*_not_open(offered.tile, chance))
    return view_of(position, book, seat, offered.tile, offered.giver, over=False), claims[seat]


def _claims(state: State, offered: Offered, chance: Chance | None) -> Claims | None:
    if chance is BY_DISCARD:
        state.position.rivers[offered.giver] += (offered.tile,)
        return discard_claims(state, offered.giver, offered.tile)
    if chance is BY_CONCEALED_KONG and not state.judge.rules.table.concealed_kong_robbed_by:
        return None
    made = KongConcealed if chance is BY_CONCEALED_KONG else KongAdded
    state.events.append(made(offered.giver, offered.tile))
    return robbing_claims(state, offered.giver, offered.tile, chance or BY_ADDED_KONG)


def _not_open(kind: int, chance: Chance | None) -> Text:
    tile = tile_text(kind)
    if chance is BY_DISCARD:
        return Text(
            f"{tile.zh}现在不能吃、碰、杠，也不能和，只能过。",
            f"{tile.en} cannot be claimed or won on here; the only option is to pass.",
        )
    return Text(
        f"这手牌不能抢杠和{tile.zh}，只能过。",
        f"this hand cannot rob the kong of {tile.en}; the only option is to pass.",
    )


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

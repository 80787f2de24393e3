"""A book's judgement of hands in a position: their waits, whether they can win, and their value when ready."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quepu.errors import NotAWin
from quepu.hands.hand import Hand
from quepu.rules.play_rules import Ending, PlayRules, ReadyHand, SeatWin, WinFacts
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score, score_hand
from quepu.table.actions import Action, ActionKind
from quepu.table.events import Discarded, Event, KongClaimed
from quepu.table.luck import BY_CONCEALED_KONG, BY_DISCARD, BY_DRAW, GIVEN, ROBBED, Chance, kongs_in_a_row, luck_of
from quepu.table.position import Position
from quepu.table.ready import waits_of
from quepu.table.wall import HAND, TILE_NAMES
from quepu.tiles import EAST, FIRST_FLOWER, KINDS

_OUTER = frozenset(kind for kind in range(len(TILE_NAMES)) if kind >= 27 or kind % 9 in (0, 8))


class Judge:
    """A book and its table rules, applied to positions."""

    __slots__ = ("book", "rules", "waits_of")

    def __init__(self, book: Rulebook, rules: PlayRules) -> None:
        self.book = book
        self.rules = rules
        self.waits_of = waits_of(book.shapes)

    def win(
        self, position: Position, events: Sequence[Event], seat: int, tile: int | None, chance: Chance, missed: bool
    ) -> Action | None:
        """Return the action of winning, with its score, if the tiles and the minimum allow it.

        `missed`: the seat passed up a win since declaring itself ready.
        """
        table = self.rules.table
        luck = luck_of(events, position, table, seat, tile, chance, missed)
        score = _score(hand_of(position, seat, tile, luck), self.book)
        if score is None or not score.can_win:
            return None
        if chance is BY_CONCEALED_KONG and not score.best.h.form & table.concealed_kong_robbed_by:
            return None
        return Action(ActionKind.WIN, tile, score=score)

    def ready_hands(
        self, position: Position, winners: Sequence[int] = (), given: int | None = None
    ) -> tuple[ReadyHand | None, ...]:
        """Return the waits of each hand beside the winners', by seat; `given` is the winning discard or kong tile."""
        value_of = self.rules.ready_value
        found: list[ReadyHand | None] = [None] * 4
        for seat in range(4):
            hand = position.hands[seat]
            whole = len(hand) + 3 * len(position.melds[seat]) == HAND
            in_play = seat not in winners and not position.barred[seat] and whole
            if value_of is not None and in_play:
                seen = position.visible()
                for kind in hand:
                    seen[kind] += 1
                if given is not None:
                    seen[given] += 1
                found[seat] = value_of(hand_of(position, seat, None, 0), self.book, seen[:KINDS])
        return tuple(found)

    def ready_values(
        self, position: Position, winners: Sequence[int] = (), given: int | None = None
    ) -> tuple[int | None, int | None, int | None, int | None]:
        """Return the points of each ready hand."""
        a, b, c, d = (None if hand is None else hand.points for hand in self.ready_hands(position, winners, given))
        return (a, b, c, d)


def hand_of(position: Position, seat: int, winning: int | None, luck: int) -> Hand:
    """Return a seat's tiles as a hand to be scored."""
    flowers = position.flowers[seat]
    return Hand(
        tuple(position.hands[seat]),
        position.hand_melds[seat],
        winning,
        EAST + seat,
        EAST + position.round,
        luck,
        tuple(kind - FIRST_FLOWER for kind in flowers) if flowers else (),
    )


def win_ending(
    judged: Sequence[tuple[int, Action]], events: Sequence[Event], position: Position, by: tuple[Chance, int]
) -> Ending:
    """Build the ending of a hand by these wins of seats, without `ready`; `by`: the chance, and who gave the tile."""
    chance, source = by
    row = kongs_in_a_row(events) if chance is BY_DRAW else ()
    giver = source if chance in GIVEN else None
    return Ending(
        tuple(_win(position, seat, action, giver) for seat, action in judged),
        self_draw=giver is None,
        discarder=giver,
        robbed=chance in ROBBED,
        kong_feeder=next((kong.giver for kong in row if isinstance(kong, KongClaimed)), None),
    )


def with_liability(
    ending: Ending, position: Position, find: Callable[[WinFacts], int | None], chance: Chance
) -> Ending:
    """Return the ending with the seat that pays for each win (包); a winner of the same tile pays for none."""
    wins, exposed = [], position.exposed
    tile = exposed.tile if chance is BY_DISCARD and isinstance(exposed, Discarded) else None
    for win in ending.winners:
        seat = find(
            WinFacts(
                win.seat,
                tuple((shown.meld, shown.source) for shown in position.melds[win.seat]),
                ending.discarder,
                None if tile is None else position.left,
                0 if tile is None else position.visible()[tile] - 1,
                None if win.score is None else win.score.hand,
            )
        )
        wins.append(win._replace(liable=None if seat in ending.seats else seat))
    return ending._replace(winners=tuple(wins))


def _win(position: Position, seat: int, judged: Action, giver: int | None) -> SeatWin:
    score = judged.score
    assert score is not None  # noqa: S101  # options always carry it
    supplied = [0, 0, 0, 0]
    for shown in position.melds[seat]:
        if shown.source is not None:
            supplied[shown.source] += 1
    if giver is not None:
        supplied[giver] += 1
    return SeatWin(seat, score.total, (supplied[0], supplied[1], supplied[2], supplied[3]), score.hand.luck, score)


def outer_discards(position: Position, events: Sequence[Event], seat: int) -> bool:
    """Return whether a concealed hand discarded only terminals and honours and lost none of them to a claim."""
    river = position.rivers[seat]
    if not river or not _OUTER.issuperset(river):
        return False  # true at once for nearly every hand
    thrown = sum(isinstance(event, Discarded) and event.seat == seat for event in events)
    return thrown == len(river) and not any(meld.exposed for meld in position.hand_melds[seat])


def _score(hand: Hand, book: Rulebook) -> Score | None:
    try:
        return score_hand(hand, book)
    except NotAWin:
        return None

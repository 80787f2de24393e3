"""One hand: who is asked, what they may say, what follows. `options` and `step` are the only door."""

from __future__ import annotations

from bisect import insort

from quepu.play_rules import PlayRules
from quepu.rulebook import Rulebook
from quepu.suits import KEY
from quepu.table import actions as say
from quepu.table import events as happen
from quepu.table.actions import PASS, Action
from quepu.table.events import Event
from quepu.table.offers import NotAllowed, Offers
from quepu.table.wall import Wall
from quepu.tiles import KINDS


class Table(Offers):
    """A hand being played: the wall, four hands, the board, and what happened so far.

    `asked` are the seats whose answer is awaited (empty when the hand is over); after a discard there may be several,
    and they may answer in any order. `events` is the numbered record; `answers` keeps what seats said to an offer,
    each with the number of events there were, because a pass leaves no event.
    """

    __slots__ = ()

    def __init__(self, book: Rulebook, wall: Wall, *, round: int = 0, rules: PlayRules | None = None) -> None:
        """Deal a hand. `round` is the round wind, 0 East … 3 North; `wall` decides whether flowers are played."""
        super().__init__(book, wall, round=round, rules=rules)
        self._deal()

    def step(self, seat: int, action: Action) -> None:
        """Let a seat say something it may say; `events` grows by what follows.

        Raises:
            NotAllowed: it is not among `options(seat)`.
        """
        if self._offer:
            self._answer(seat, action)
            return
        do, tile, _, drawn, ready, _ = action
        if seat != self.turn or self.ending is not None:
            self._refuse(seat, action)
        if do != "discard" or ready or (self._declares and self.board.declared[seat]):
            self._act(seat, action)
            return
        if drawn:
            if tile != self.drawn or tile < 0:
                self._refuse(seat, action)
            self.events.append(happen.DISCARD_DRAWN[seat][tile])
            if tile < KINDS:
                counts = self.counts[seat]
                n = counts[tile] = counts[tile] - 1
                if n == 3:
                    self.fours[seat].remove(tile)
        else:
            hand = self.hands[seat]
            if tile not in hand or self.drawn >= KINDS:
                self._refuse(seat, action)
            self.events.append(happen.DISCARD[seat][tile])
            hand.remove(tile)
            was = self.drawn
            if was >= 0:
                insort(hand, was)
                key = self.keys[seat] = self.keys[seat] + KEY[was] - KEY[tile]
            else:
                key = self.keys[seat] = self.keys[seat] - KEY[tile]
            counts = self.counts[seat]
            n = counts[tile] = counts[tile] - 1
            if n == 3:
                self.fours[seat].remove(tile)
            self.waits[seat] = self._waits_of(key, hand, self.melds[seat])
        self.drawn = -1
        self.views[seat].drawn = -1
        self.board.rivers[seat].append(tile)
        self._offer_discard(seat, tile)

    def _act(self, seat: int, action: Action) -> None:
        """Anything but a plain discard, by the seat whose turn it is."""
        options = self.options(seat)
        chosen = say.meant(options, action)
        if chosen is None:
            self._refuse(seat, action)
        do, tile = action.do, action.tile
        declared = self.board.declared
        if do == "win":
            self._won(seat, chosen, "draw", -1)
            return
        if options[0].do == "win":
            self._missed[seat] = True
        if declared[seat] and (do != "discard" or not action.drawn):
            declared[seat] = ""  # changing tiles takes it back
        if do == "discard":
            kept, at = "first" if action.ready else declared[seat], len(self.events)
            declared[seat] = ""
            self.step(seat, Action("discard", tile, drawn=action.drawn))
            declared[seat] = kept
            if action.ready:
                self.events[at] = self.events[at]._replace(ready=True)
                self._missed[seat] = False
        elif do == "flower":
            self._set_aside(seat, tile)
        elif do == "concealed":
            self._concealed(seat, tile)
        else:
            self._added(seat, tile)

    def bar(self, seat: int, barred: bool = True) -> None:
        """Let a seat neither claim nor win for the rest of the hand, or take that back. Said by a referee.

        What the seat was asked just now is withdrawn.
        """
        if self.board.barred[seat] == barred or self.ending is not None:
            return
        self.board.barred[seat] = barred
        self.events.append(Event("barred" if barred else "freed", seat))
        self._options = None
        if barred:
            self._said = [said for said in self._said if said[1] != seat]  # what it had claimed is void
        if barred and seat in self._claims:
            missed = self._missed[seat]
            self._answered(seat, PASS)  # not said by anybody, so it is no answer of the record
            self._missed[seat] = missed


__all__ = ["NotAllowed", "Table"]

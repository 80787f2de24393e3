"""The seat whose turn it is: what it may say, and its kongs."""

from __future__ import annotations

from bisect import insort

from quepu.hand import Meld, MeldKind
from quepu.suits import KEY
from quepu.table import actions as say
from quepu.table.actions import PASS, Action
from quepu.table.drawing import Drawing
from quepu.table.events import Event
from quepu.table.ready import LASTING
from quepu.table.view import Set
from quepu.tiles import BIT, KINDS

_FROM_HAND = say.FROM_HAND.__getitem__


class Turns(Drawing):
    """Fourteen tiles in hand."""

    __slots__ = ()

    def _turn_options(self) -> list[Action]:
        seat = self.turn
        drawn = self.drawn
        found: list[Action] = []
        if drawn >= 0:
            if drawn >= KINDS:
                return [say.AS_DRAWN[drawn], *([say.FLOWER[drawn]] if self._can_replace() else ())]
            if self.waits[seat] & BIT[drawn] or (self._flower_wins and len(self.board.flowers[seat]) >= 7):
                win = None if self.board.barred[seat] else self._win(seat, drawn, "draw")
                if win is not None:
                    found.append(win)
            found.extend(map(_FROM_HAND, dict.fromkeys(self.hands[seat])))
            found.append(say.AS_DRAWN[drawn])
        else:
            found.extend(map(_FROM_HAND, dict.fromkeys(self.hands[seat])))
        if self.fours[seat] or self.pungs[seat]:
            found += self._kongs(seat)
        if self._declares:
            found += self._declarations(seat)
        return found

    def _kongs(self, seat: int) -> list[Action]:
        rules, counts = self.rules.table, self.counts[seat]
        if self.board.barred[seat] or (self.drawn < 0 and not rules.kong_after_claim):
            return []
        if not self.board.left and not rules.kong_without_replacement:
            return []
        return [
            *[say.CONCEALED[kind] for kind in self.fours[seat]],
            *[say.ADDED[kind] for kind in self.pungs[seat] if counts[kind]],
        ]

    def _ready_at_deal(self) -> list[int]:
        """Who may declare before the first draw."""
        return [s for s in (1, 2, 3) if self._waits_of(self.keys[s], self.hands[s], self.melds[s], LASTING)]

    def _declarations(self, seat: int) -> list[Action]:
        """First discards that leave the hand ready, said with a declaration."""
        if self.board.rivers[seat] or self.drawn < 0 or self.board.declared[seat]:
            return []
        if any(meld.exposed for meld in self.melds[seat]):
            return []
        if self.board.barred[seat] or any(event.e == "discard" and event.seat == seat for event in self.events):
            return []
        hand, drawn = self.hands[seat], self.drawn
        lasting, key, melds = self._waits_of, self.keys[seat], self.melds[seat]
        found = [say.AS_DRAWN_READY[drawn]] if lasting(key, hand, melds, LASTING) else []
        for kind in dict.fromkeys(hand):
            rest = hand[:]
            rest.remove(kind)
            insort(rest, drawn)
            if lasting(key + KEY[drawn] - KEY[kind], rest, melds, LASTING):
                found.append(say.FROM_HAND_READY[kind])
        return found

    def _concealed(self, seat: int, kind: int) -> None:
        self._give(seat, (kind,) * 4)
        self._meld(seat, Set(Meld(MeldKind.CONCEALED_KONG, kind)))
        self.events.append(Event("concealed", seat, kind))
        self._look(seat)
        if self.rules.table.concealed_kong_robbed_by:
            self._rob(seat, kind, "concealed")
        else:
            self._replace(seat)

    def _added(self, seat: int, kind: int) -> None:
        self._give(seat, (kind,))
        self._change_pung(seat, kind, MeldKind.KONG)
        self.pungs[seat].remove(kind)
        self.events.append(Event("added", seat, kind))
        self._look(seat)
        self._rob(seat, kind, "added")

    def _rob(self, seat: int, kind: int, offer: str) -> None:
        claims: dict[int, list[Action]] = {}
        for other in ((seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3):
            if self.waits[other] & BIT[kind] and not self.board.barred[other]:
                option = self._win(other, kind, offer)
                if option is not None:
                    claims[other] = [option, PASS]
        if claims:
            self._open(offer, claims, seat, kind)
        else:
            self._replace(seat)

"""Drawing: from the head of the wall, from its tail, and flowers."""

from __future__ import annotations

from quepu.play_rules import SEATS
from quepu.table import events as happen
from quepu.table.actions import PASS
from quepu.table.endings import Endings
from quepu.table.wall import head_place, tail_place
from quepu.tiles import FIRST_FLOWER, KINDS

ASK = ((0,), (1,), (2,), (3,))
_DRAW = happen.DRAW


class Drawing(Endings):
    """Tiles from the wall."""

    __slots__ = ()

    def _draw(self, seat: int) -> None:
        board = self.board
        left = board.left
        if not left:
            self._exhausted()
            return
        order = self._order
        front = self._front
        tile = order[front if left > 1 else head_place(len(order), front, self.back)]
        self._front = front + 1
        board.left = left - 1
        self.events.append(_DRAW[seat][tile])
        if tile >= KINDS:
            self._take(seat, tile)
            return
        self.turn = board.turn = seat
        self.drawn = self.views[seat].drawn = tile
        self.asked = ASK[seat]
        self._options = None
        counts = self.counts[seat]
        n = counts[tile] = counts[tile] + 1
        if n == 4:
            self.fours[seat].append(tile)

    def _tail(self) -> int:
        """The next tile from the tail: the upper tile of a stack first."""
        order, back = self._order, self.back
        self.back = self.board.tail = back + 1
        if not self.rules.table.dead_wall_feeds:
            self.board.left -= 1
        return order[tail_place(len(order), self._front, back)]

    def _can_replace(self) -> bool:
        if self.rules.table.dead_wall_feeds:
            return self.back < self.rules.table.dead_wall
        return self.board.left > 0

    def _replace(self, seat: int) -> None:
        if not self._can_replace():
            self._exhausted()
            return
        tile = self._tail()
        self.events.append(happen.REPLACE[seat][tile])
        self._take(seat, tile)

    def _take(self, seat: int, tile: int) -> None:
        board = self.board
        self.turn = board.turn = seat
        self.drawn = self.views[seat].drawn = tile
        self.asked = ASK[seat]
        self._options = None
        if tile < KINDS:
            counts = self.counts[seat]
            n = counts[tile] = counts[tile] + 1
            if n == 4:
                self.fours[seat].append(tile)
        elif self.rules.table.flowers_kept_out:
            self._set_aside(seat, tile)

    def _set_aside(self, seat: int, tile: int) -> None:
        self.events.append(happen.FLOWER[seat][tile])
        self.drawn = self.views[seat].drawn = -1
        self.board.flowers[seat].append(tile)
        if not self._robbed(seat, tile):
            self._replace(seat)

    def _robbed(self, seat: int, flower: int) -> bool:
        """Whether somebody who has the other seven is now asked about the eighth flower (七抢一)."""
        flowers = self.board.flowers
        if self.rules.table.flower_wins and len(flowers[seat]) == 1:
            for other in range(4):
                if len(flowers[other]) == 7 and not self.board.barred[other]:
                    option = self._win(other, -1, "flower")
                    if option is not None:
                        self._open("flower", {other: [option, PASS]}, seat, flower)
                        return True
        return False

    def _dealt_flowers(self) -> None:
        """Replace the flowers dealt, seat after seat, until somebody is asked about one or there is none left."""
        while self._dealing < SEATS:
            seat = self._dealing
            hand = self.hands[seat]
            flower = max(hand)
            if flower < FIRST_FLOWER:
                self._dealing += 1
                continue
            hand.remove(flower)
            self.board.flowers[seat].append(flower)
            self.events.append(happen.FLOWER[seat][flower])
            if self._robbed(seat, flower):
                return
            self._replace_dealt(seat)

    def _replace_dealt(self, seat: int) -> None:
        tile = self._tail()
        self.events.append(happen.REPLACE[seat][tile])
        self.hands[seat].append(tile)

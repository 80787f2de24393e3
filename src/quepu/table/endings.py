"""How a hand ends: wins with their circumstances, drawn hands, and what each ready hand is worth then."""

from __future__ import annotations

from bisect import insort

from quepu.errors import NotAWin
from quepu.hand import Hand, MeldKind
from quepu.play_rules import Ending
from quepu.rulebook import Rulebook
from quepu.scoring import Score, score_hand
from quepu.suits import KEY
from quepu.table.actions import PASS, Action
from quepu.table.events import Event
from quepu.table.luck import kongs_in_a_row, luck_of
from quepu.table.state import State


class Endings(State):
    """Winning, and running out of tiles."""

    __slots__ = ()

    def _win(self, seat: int, tile: int, offer: str) -> Action | None:
        """The action of winning, with its score, if the tiles and the minimum allow it."""
        luck = luck_of(self.events, self.board, self.rules.table, seat, tile, offer, self._missed[seat])
        score = _score(self._hand(seat, tile if tile >= 0 else None, luck), self.book)
        if score is None or not score.can_win:
            return None
        if offer == "concealed" and not score.best.h.form & self.rules.table.concealed_kong_robbed_by:
            return None
        return Action("win", tile, worth=score) if tile >= 0 else Action("win", worth=score)

    def _won(self, seat: int, action: Action, offer: str, source: int) -> None:
        score = action.worth
        assert score is not None  # noqa: S101  # options always carry it
        events, board = self.events, self.board
        feeder = None
        if offer == "draw":
            feeder = next((kong.source for kong in kongs_in_a_row(events) if kong.e == "kong"), None)
        supplied = [0, 0, 0, 0]
        for shown in board.melds[seat]:
            if shown.source >= 0:
                supplied[shown.source] += 1
        gave = source if offer not in ("draw", "exhausted", "flowers") else -1
        if gave >= 0:
            supplied[gave] += 1
        if offer == "added":
            self._change_pung(source, action.tile, MeldKind.PUNG)
        elif offer == "concealed":
            board.melds[source].pop()
            self.melds[source] = tuple(shown.meld for shown in board.melds[source])
            insort(self.hands[source], action.tile)
            insort(self.hands[source], action.tile)
            insort(self.hands[source], action.tile)
            self.keys[source] += 3 * KEY[action.tile]
            self.counts[source][action.tile] += 3
        elif offer == "discard":
            board.rivers[source].pop()
        events.append(Event("win", seat, action.tile, source=gave))
        self._end(
            Ending(
                winner=seat,
                points=score.total,
                self_draw=gave < 0,
                discarder=gave if gave >= 0 else None,
                robbed=offer in ("added", "concealed", "flower"),
                supplied=(supplied[0], supplied[1], supplied[2], supplied[3]),
                kong_feeder=feeder,
                ready=self._ready_values(seat, action.tile if gave >= 0 else -1),
                luck=score.hand.luck,
                score=score,
            )
        )

    def _exhausted(self) -> None:
        """Nobody can draw: the hand is drawn, unless its discards win."""
        self.events.append(Event("exhausted"))
        last = self.turn
        if self.rules.table.outer_discards:
            claims: dict[int, list[Action]] = {}
            for seat in (0, 1, 2, 3):
                if not self.board.barred[seat] and self._outer(seat):
                    option = self._win(seat, -1, "exhausted")
                    if option is not None:
                        claims[seat] = [option, PASS]
            if claims:
                self._open("exhausted", claims, last, -1)
                return
        self._end(Ending(ready=self._ready_values()))

    def _outer(self, seat: int) -> bool:
        """Whether a closed hand discarded only terminals and honours and lost none of them to a claim."""
        thrown = [event.tile for event in self.events if event.e == "discard" and event.seat == seat]
        return (
            bool(thrown)
            and len(thrown) == len(self.board.rivers[seat])
            and not any(meld.exposed for meld in self.melds[seat])
            and all(kind >= 27 or kind % 9 in (0, 8) for kind in thrown)
        )

    def _ready_values(
        self, winner: int | None = None, given: int = -1
    ) -> tuple[int | None, int | None, int | None, int | None]:
        """What each ready hand beside the winner's is worth; `given` is a discard or kong tile that was won."""
        value = self.rules.ready_value
        if value is None:
            return (None, None, None, None)
        found: list[int | None] = []
        for seat in range(4):
            hand, view = self.hands[seat], self.views[seat]
            if seat == winner or self.board.barred[seat] or len(hand) + 3 * len(self.melds[seat]) != 13:
                found.append(None)
            else:
                seen = view.seen()
                if given >= 0:
                    seen[given] += 1
                found.append(value(self._hand(seat, None, 0), self.book, seen))
        return (found[0], found[1], found[2], found[3])

    def _end(self, ending: Ending) -> None:
        self.asked = ()
        self._offer = ""
        self._claims = {}
        self.board.over = True
        self.ending = ending
        shows = range(4) if self.rules.ready_value else () if ending.winner is None else (ending.winner,)
        for seat in shows:
            self.events.append(Event("show", seat, tiles=tuple(self.hands[seat])))


def _score(hand: Hand, book: Rulebook) -> Score | None:
    try:
        return score_hand(hand, book)
    except NotAWin:
        return None

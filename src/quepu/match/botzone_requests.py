"""The requests of the judge of botzone.org.cn to a seat (Chinese-Standard-Mahjong), from the seat's view of a hand.

Requests are texts: "0 seat round"; "1 flowers of each, 13 tiles, flowers"; "2 tile" (own draw); "3 seat DRAW", "3 seat
BUHUA tile", "3 seat PLAY tile", "3 seat PENG tile", "3 seat CHI middle tile", "3 seat GANG", "3 seat BUGANG tile". The
tile after PENG and CHI is the following discard. Flowers are replaced by the judge, those of the deal before it; a
flower that our table lets a player discard becomes a draw and a PLAY, which that judge never sends.
"""

from __future__ import annotations

from quepu.errors import Text
from quepu.match.botzone_record import RULES, tile_name
from quepu.rulebooks import book as find_book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table.events import (
    ChowClaimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongAdded,
    KongClaimed,
    KongConcealed,
    KongFaceDown,
    PungClaimed,
    ReplacementDrawn,
)


def explain_refusal(book: Rulebook) -> Text | None:
    """Return why hands under this book have no such requests; None if they have."""
    if book.family != find_book(RULES).family:
        return Text("Botzone 只打国标麻将。", "Botzone plays only MCR.")
    if play_rules(book).table.kong_after_claim:
        zh, en = (
            "这本规则吃碰后可以接着开杠，Botzone 上不行。",
            "a kong may follow a chow or pung here; on the platform none may.",
        )
        return Text(zh, en)
    if play_rules(book).table.flowers_held:
        zh, en = (
            "这本规则的花牌可以留在手里，Botzone 上摸到就补。",
            "a flower may be held here; on the platform it is replaced at once.",
        )
        return Text(zh, en)
    return None


_LAST_DEAL = 4
"""The number of a deal's last event: the dice are 0."""


class JudgeRequests:
    """The judge's requests to one seat, from the seat's view of a hand."""

    def __init__(self, seat: int, round: int) -> None:
        self.seat = seat
        self.found = [f"0 {seat} {round}"]
        self._hand: list[int] = []
        self._flowers: list[list[int]] = [[], [], [], []]
        self._dealt = False
        self._claim: PungClaimed | ChowClaimed | None = None
        self._turn = 0  # who draws next
        self._replaced = False  # the next draw replaces a flower of the deal

    def add(self, event: Event | int) -> None:
        """Add one event as the seat sees it: another seat's draw is only a number."""
        if isinstance(event, int):
            if event > _LAST_DEAL:
                self._draw(self._turn, None)
        elif isinstance(event, Drawn | ReplacementDrawn):
            self._draw(event.seat, event.tile, replaces=isinstance(event, ReplacementDrawn))
        elif isinstance(event, Dealt):
            self._hand = list(event.tiles)
        elif isinstance(event, FlowerSetAside):
            self._set_aside(event)
        elif isinstance(event, Discarded):
            self._write_discard(event)
        elif isinstance(event, PungClaimed | ChowClaimed):
            self._claim = event
        elif isinstance(event, KongClaimed | KongConcealed | KongFaceDown):
            self._turn = event.seat
            self.found.append(f"3 {event.seat} GANG")
        elif isinstance(event, KongAdded):
            self._turn = event.seat
            self.found.append(f"3 {event.seat} BUGANG {tile_name(event.tile)}")

    def _draw(self, seat: int, tile: int | None, replaces: bool = False) -> None:
        if not self._dealt and replaces:
            if tile is not None:
                self._hand.append(tile)
            return
        if self._replaced:
            self._replaced = False
            return
        if not self._dealt:
            self._deal()
        self._turn = seat
        if tile is None:
            self.found.append(f"3 {seat} DRAW")
        else:
            self.found.append(f"2 {tile_name(tile)}")

    def _deal(self) -> None:
        """Finish the deal: thirteen tiles each, flowers set aside."""
        self._dealt = True
        counts = [str(len(own)) for own in self._flowers]
        tiles = [tile_name(tile) for tile in self._hand]
        flowers = [tile_name(tile) for own in self._flowers for tile in own]
        self.found.append(" ".join(["1", *counts, *tiles, *flowers]))

    def _set_aside(self, event: FlowerSetAside) -> None:
        if self._dealt:
            self._turn = event.seat
            if self.found[-1] in (f"3 {event.seat} DRAW", f"2 {tile_name(event.tile)}"):
                self.found.pop()  # the request of that flower
            self.found.append(f"3 {event.seat} BUHUA {tile_name(event.tile)}")
            return
        self._flowers[event.seat].append(event.tile)
        if event.seat == self.seat:
            self._hand.remove(event.tile)
        else:
            self._replaced = True

    def _write_discard(self, event: Discarded) -> None:
        seat, claim, tile = event.seat, self._claim, tile_name(event.tile)
        self._claim = None
        self._turn = (seat + 1) % 4
        if claim is None:
            self.found.append(f"3 {seat} PLAY {tile}")
        elif isinstance(claim, PungClaimed):
            self.found.append(f"3 {seat} PENG {tile}")
        else:
            self.found.append(f"3 {seat} CHI {tile_name(claim.low + 1)} {tile}")

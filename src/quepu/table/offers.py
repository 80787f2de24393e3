"""What the others may claim: a discard, a kong to be robbed; who goes first; what becomes of it."""

from __future__ import annotations

from typing import NoReturn

from quepu.errors import Error
from quepu.hand import Meld, MeldKind
from quepu.play_rules import SEATS, Ending
from quepu.table import actions as say
from quepu.table.actions import PASS, Action
from quepu.table.drawing import ASK
from quepu.table.events import Event
from quepu.table.state import ALL_CLAIMS
from quepu.table.turns import Turns
from quepu.table.view import Set
from quepu.tiles import BIT, KINDS, WINDS, WINDS_CHINESE

_RANK = {"win": 30, "kong": 20, "pung": 20, "chow": 10, "ready": 5}
_CHOWS = say.CHOWS


class NotAllowed(Error):
    """An action that the seat may not take now."""


class Offers(Turns):
    """A tile is on offer, and several seats may be asked at once."""

    __slots__ = ()

    def options(self, seat: int) -> list[Action]:
        """Everything the seat may say now; empty if it is not asked. Not to be changed."""
        if self._offer:
            return self._claims.get(seat, [])
        if seat != self.turn or self.ending is not None:
            return []
        if self._options is None:
            self._options = self._turn_options()
        return self._options

    def _offer_discard(self, seat: int, tile: int) -> None:
        nearest, opposite, before = (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
        if tile < KINDS:
            bit = BIT[tile]
            waits, counts = self.waits, self.counts
            claims: dict[int, list[Action]] | None = None
            own = counts[nearest]
            chows = []
            for a, b, chow in _CHOWS[tile]:
                if own[a] and own[b]:
                    chows.append(chow)  # a loop costs less than a comprehension's frame here
            if chows or own[tile] >= 2 or waits[nearest] & bit:
                options = self._claimable(nearest, tile, chows)
                if options:
                    claims = {nearest: options}
            if counts[opposite][tile] >= 2 or waits[opposite] & bit:
                options = self._claimable(opposite, tile, [])
                if options:
                    claims = {opposite: options} if claims is None else {**claims, opposite: options}
            if counts[before][tile] >= 2 or waits[before] & bit:
                options = self._claimable(before, tile, [])
                if options:
                    claims = {before: options} if claims is None else {**claims, before: options}
            if claims is not None:
                self._open("discard", claims, seat, tile)
                return
        self._draw(nearest)

    def _claimable(self, seat: int, tile: int, chows: list[Action]) -> list[Action]:
        """What a seat may claim a discard for, dearest first, and to pass; empty if nothing."""
        if self.board.barred[seat]:
            return []
        found: list[Action] = []
        if self.waits[seat] & BIT[tile]:
            win = self._win(seat, tile, "discard")
            if win is not None:
                found.append(win)
        rules = self.rules.table
        left = self.board.left
        allowed = ALL_CLAIMS if left or self._free_last else rules.last_discard
        n = self.counts[seat][tile]
        if n == 3 and "kong" in allowed and (left or rules.kong_without_replacement):
            found.append(say.KONG[tile])
        if n >= 2 and "pung" in allowed:
            found.append(say.PUNG[tile])
        if chows and "chow" in allowed:
            found += chows
        if found:
            found.append(PASS)
        return found

    def _answer(self, seat: int, action: Action) -> None:
        options = self._claims.get(seat)
        if options is None:
            self._refuse(seat, action)
        if action is PASS:
            chosen = PASS
        else:
            found = say.meant(options, action)
            if found is None:
                self._refuse(seat, action)
            chosen = found
        self.answers.append((len(self.events), seat, chosen))
        self._answered(seat, chosen)

    def _answered(self, seat: int, chosen: Action) -> None:
        claims = self._claims
        options = claims.pop(seat)
        if chosen.do != "pass":
            rank = _RANK[chosen.do] - (seat - self.board.offerer & 3) if chosen.do != "ready" else 0
            self._said.append((rank, seat, chosen))
        if options[0].do == "win" and chosen.do != "win":
            self._missed[seat] = True
        if claims:
            said = self._said
            offerer = self.board.offerer
            if self._offer == "opening" or not said:
                self.asked = tuple(claims)
                return
            best = max(said)[0]
            if any(_RANK[opts[0].do] - (other - offerer & 3) > best for other, opts in claims.items()):
                self.asked = tuple(claims)
                return
        self._settle_offer()

    def _deal(self) -> None:
        """Deal on: flowers are replaced, who has seven is asked, then who is ready; then the dealer draws."""
        rules, board = self.rules.table, self.board
        if self._dealing < SEATS:
            if len(self._order) > 136:
                self._dealt_flowers()
            else:
                self._dealing = SEATS
            self._sort()
            if self._offer:
                return
        if rules.flower_wins and self._dealing == SEATS:
            self._dealing += 1
            for seat in (1, 2, 3):  # the dealer says it when he has drawn
                seven = len(board.flowers[seat]) >= 7 and not board.barred[seat]
                win = self._win(seat, -1, "draw") if seven else None
                if win is not None:
                    self._open("flowers", {seat: [win, PASS]}, seat, -1)
                    return
        ready = self._ready_at_deal() if self._declares else []
        if ready:
            self._open("opening", {s: [say.READY, PASS] for s in ready}, 0, -1)
        else:
            self._draw(0)

    def _settle_offer(self) -> None:
        """Everybody who matters has answered: let the best claim stand, or go on."""
        offer, said = self._offer, self._said
        seat, tile = self.board.offerer, self.board.offer
        self._offer = ""
        self._claims = {}
        self.board.offer = self.board.offerer = -1
        if offer == "opening":
            for _, other, _ in sorted(said, key=lambda one: one[1]):
                self.board.declared[other] = "deal"
                self.events.append(Event("ready", other))
            self._draw(0)
        elif said:
            _, claimer, action = max(said)
            if action.do == "win":
                self._won(claimer, action, offer, seat)
            else:
                self._claim(claimer, action, seat)
        elif offer == "discard":
            self._draw((seat + 1) & 3)
        elif offer == "exhausted":
            self._end(Ending(ready=self._ready_values()))
        elif offer == "flowers":
            self._deal()
        elif self._dealing < SEATS:
            self._replace_dealt(seat)
            self._deal()
        else:
            assert tile >= 0  # noqa: S101  # a kong or flower was offered
            self._replace(seat)

    def _claim(self, seat: int, action: Action, source: int) -> None:
        do, tile, low = action.do, action.tile, action.low
        self.board.rivers[source].pop()
        self.board.declared[seat] = ""
        self.turn = self.board.turn = seat
        self.events.append(Event(do, seat, tile, low, source))
        if do == "chow":
            self._give(seat, (kind for kind in range(low, low + 3) if kind != tile))
            self._meld(seat, Set(Meld(MeldKind.CHOW, low), tile, source))
        elif do == "pung":
            self._give(seat, (tile, tile))
            self._meld(seat, Set(Meld(MeldKind.PUNG, tile), tile, source))
            self.pungs[seat].append(tile)
        else:
            self._give(seat, (tile, tile, tile))
            self._meld(seat, Set(Meld(MeldKind.KONG, tile), tile, source))
            self._look(seat)
            self._replace(seat)
            return
        self.waits[seat] = 0  # fourteen tiles now; the discard says what they wait for
        self.asked = ASK[seat]
        self._options = None

    def _refuse(self, seat: int, action: Action) -> NoReturn:
        zh, en = action.text() if action.do in say.KINDS_OF_ACTION else (str(action.do), str(action.do))
        who, who_en = (WINDS_CHINESE[seat], WINDS[seat]) if 0 <= seat < 4 else (str(seat), str(seat))
        if seat not in self.asked:
            now = "、".join(WINDS_CHINESE[s] for s in self.asked) or "无（本局已结束）"
            now_en = ", ".join(WINDS[s] for s in self.asked) or "nobody (the hand is over)"
            raise NotAllowed(
                f"{who}家现在不能“{zh}”：轮到的是{now}。", f"{who_en} may not say “{en}” now: asked is {now_en}."
            )
        listed = [option.text() for option in self.options(seat)]
        raise NotAllowed(
            f"{who}家现在不能“{zh}”，可以：{'、'.join(t.zh for t in listed)}。",
            f"{who_en} may not say “{en}” now, but: {', '.join(t.en for t in listed)}.",
        )

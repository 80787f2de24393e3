"""The rules by which the judge of botzone.org.cn runs a hand, in our own words: requests out, answers in.

It shares nothing with `quepu.table`: only the fans of a win are counted by the book. Tiles are the platform's names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from quepu.errors import NotAWin
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.match.botzone_record import read_tile
from quepu.rulebooks import book
from quepu.scoring.score import score_hand
from quepu.tiles import EAST, FIRST_FLOWER

BOOK = book("guobiao-mcr")
Answers = Mapping[int, tuple[str, str]]
"""Each player's verdict and response."""
_KINDS = {"PENG": MeldKind.PUNG, "CHI": MeldKind.CHOW, "GANG": MeldKind.KONG, "ANGANG": MeldKind.CONCEALED_KONG}


class Over(Exception):
    """The hand has ended."""


class Judge:
    """One hand: `requests` are what the players are asked, until `action` says how it ended and `scores` what it pays.

    `walltiles` go seat by seat; each seat draws from the end of its own.
    """

    def __init__(self, walltiles: Sequence[str], quan: int) -> None:
        each = len(walltiles) // 4
        self.walls = [list(walltiles[each * seat : each * (seat + 1)]) for seat in range(4)]
        self.quan = quan
        self.hands: list[list[str]] = [[], [], [], []]
        self.flowers: list[list[str]] = [[], [], [], []]
        self.melds: list[list[tuple[str, str]]] = [[], [], [], []]
        self.shown: Counter[str] = Counter()
        self.requests = [f"0 {seat} {quan}" for seat in range(4)]
        self.action, self.player, self.fan = "", -1, 0
        self.scores = [0, 0, 0, 0]
        self.who, self.stage = -1, "place"  # stages: place, deal, draw, flower, put (a discard), kong
        self.tile, self.kong, self.after_kong, self.added = "", False, False, False

    def step(self, answers: Answers) -> bool:
        """Read the answers to the requests; return whether the hand goes on."""
        try:
            getattr(self, f"_{self.stage}")(answers)
        except Over:
            return False
        return True

    # ---- the stages

    def _place(self, answers: Answers) -> None:
        self._all_pass(answers, range(4))
        for seat in range(4):
            while len(self.hands[seat]) < 13:
                tile = self.walls[seat].pop()
                (self.flowers if tile[0] == "H" else self.hands)[seat].append(tile)
        counts = " ".join(str(len(own)) for own in self.flowers)
        rest = "".join(f" {tile}" for own in self.flowers for tile in own)
        self.requests = [f"1 {counts} {' '.join(hand)}{rest}" for hand in self.hands]
        self.stage = "deal"

    def _deal(self, answers: Answers) -> None:
        self._all_pass(answers, range(4))
        self._draw_for(0)

    def _flower(self, answers: Answers) -> None:
        self._all_pass(answers, range(4))
        self.after_kong = False
        self._draw_for(self.who)

    def _draw(self, answers: Answers) -> None:
        for seat in range(4):
            if seat != self.who:
                self._all_pass(answers, [seat])
                continue
            self._turn(seat, self._ok(answers, seat))

    def _turn(self, seat: int, response: str) -> None:
        hand, words = self.hands[seat], response.split(" ")
        if words == ["HU"]:
            self._win(seat, drew=True)
        if len(words) != 2:
            self._wrong(seat)
        hand.append(self.tile)
        what, tile = words
        if what == "PLAY" and tile in hand:
            hand.remove(tile)
            self._put(seat, tile, f"3 {seat} PLAY {tile}")
            return
        if what in ("GANG", "BUGANG") and not (self.walls[seat] and self.walls[(seat + 1) % 4]):
            self._wrong(seat)
        if what == "GANG" and hand.count(tile) == 4:
            self.hands[seat] = [one for one in hand if one != tile]
            self.melds[seat].append(("ANGANG", tile))
        elif what == "BUGANG" and ("PENG", tile) in self.melds[seat] and tile in hand:
            hand.remove(tile)
            self.melds[seat][self.melds[seat].index(("PENG", tile))] = ("GANG", tile)
            self.shown[tile] = 4
        else:
            self._wrong(seat)
        self.added = what == "BUGANG"
        self.tile = tile
        self._konged(seat, f"3 {seat} BUGANG {tile}" if self.added else f"3 {seat} GANG")

    def _put_down(self, answers: Answers) -> None:
        thrower, tile = self.who, self.tile
        self._all_pass(answers, [thrower])
        order = [(thrower + step) % 4 for step in (1, 2, 3)]
        for seat in order:
            if self._ok(answers, seat) == "HU":
                self._win(seat, drew=False)
        last = not self.walls[(thrower + 1) % 4]
        others = [seat for seat in range(4) if seat != thrower]
        for seat in others:
            words = answers[seat][1].split(" ")
            if words == ["PASS"]:
                continue
            if words == ["GANG"] or (len(words) == 2 and words[0] == "PENG"):
                own = 3 if words == ["GANG"] else 2
                if last or self.hands[seat].count(tile) < own:
                    self._wrong(seat)
                for _ in range(own):
                    self.hands[seat].remove(tile)
                self.melds[seat].append((words[0], tile))
                self.shown[tile] += 4 if own == 3 else 3
                if own == 3:
                    self.added = False
                    self._konged(seat, f"3 {seat} GANG")
                else:
                    self._discard_after(seat, words[1], f"3 {seat} PENG {words[1]}")
                return
            if len(words) != 3:
                self._wrong(seat)
        for seat in others:
            words = answers[seat][1].split(" ")
            if len(words) == 3:
                self._chow(seat, words, last)
                return
        self.shown[tile] += 1
        self._draw_for((thrower + 1) % 4)

    def _chow(self, seat: int, words: Sequence[str], last: bool) -> None:
        what, middle, thrown = words
        suit, hand = self.tile[0], self.hands[seat]
        run = [f"{suit}{int(middle[1]) + step}" for step in (-1, 0, 1)] if middle[1:].isdecimal() else []
        if what != "CHI" or last or (seat - self.who) % 4 != 1 or middle[0] != suit or self.tile not in run:
            self._wrong(seat)
        own = [one for one in run if one != self.tile]
        if any(one not in hand for one in own):
            self._wrong(seat)
        for one in own:
            hand.remove(one)
        self.shown.update(run)
        self.melds[seat].append(("CHI", run[0]))
        self._discard_after(seat, thrown, f"3 {seat} CHI {middle} {thrown}")

    def _discard_after(self, seat: int, tile: str, request: str) -> None:
        if tile not in self.hands[seat]:
            self._wrong(seat)
        self.hands[seat].remove(tile)
        self._put(seat, tile, request)

    def _kong(self, answers: Answers) -> None:
        for step in range(4):
            seat = (self.who + step) % 4
            response = self._ok(answers, seat)
            if response == "HU" and self.added and step:
                self._win(seat, drew=False, robs=True)
            elif response != "PASS":
                self._wrong(seat)
        self.after_kong = True
        self._draw_for(self.who)

    # ---- between them

    def _put(self, seat: int, tile: str, request: str) -> None:
        self.who, self.tile, self.stage, self.after_kong = seat, tile, "put_down", False
        self.requests = [request] * 4

    def _konged(self, seat: int, request: str) -> None:
        self.who, self.stage = seat, "kong"
        self.requests = [request] * 4

    def _draw_for(self, seat: int) -> None:
        self.who = seat
        if not self.walls[seat]:
            self._end("HUANG", -1, [0, 0, 0, 0])
        self.tile = self.walls[seat].pop()
        if self.tile[0] == "H":
            self.flowers[seat].append(self.tile)
            self.requests, self.stage = [f"3 {seat} BUHUA {self.tile}"] * 4, "flower"
            return
        self.requests = [f"2 {self.tile}" if one == seat else f"3 {seat} DRAW" for one in range(4)]
        self.stage = "draw"

    # ---- endings

    def _ok(self, answers: Answers, seat: int) -> str:
        verdict, response = answers[seat]
        if verdict != "OK":
            self._fault(seat, verdict)
        return response

    def _all_pass(self, answers: Answers, seats: Sequence[int] | range) -> None:
        for seat in seats:
            if self._ok(answers, seat) != "PASS":
                self._wrong(seat)

    def _wrong(self, seat: int) -> None:
        self._fault(seat, "WA")

    def _fault(self, seat: int, action: str) -> None:
        self._end(action, seat, [-30 if one == seat else 10 for one in range(4)])

    def _end(self, action: str, player: int, scores: list[int]) -> None:
        self.action, self.player, self.scores = action, player, scores
        raise Over

    def luck(self, drew: bool, robs: bool) -> int:
        """The circumstances of a win now, as bits."""
        luck = int(Luck.SELF_DRAW) if drew else 0
        if not self.walls[(self.who + 1) % 4]:
            luck |= Luck.LAST_DRAW if drew else Luck.LAST_DISCARD
        if drew and self.after_kong:
            luck |= Luck.KONG_DRAW
        if robs:
            luck |= Luck.ROBBED_KONG
        if self.shown[self.tile] == 3:
            luck |= Luck.FOURTH_TILE
        return int(luck)

    def _win(self, seat: int, drew: bool, robs: bool = False) -> None:
        flowers = [read_tile(name, 0) - FIRST_FLOWER for name in self.flowers[seat]]
        hand = Hand(
            tuple(sorted(read_tile(name, 0) for name in self.hands[seat])),
            tuple(Meld(_KINDS[what], read_tile(name, 0)) for what, name in self.melds[seat]),
            read_tile(self.tile, 0),
            EAST + seat,
            EAST + self.quan,
            self.luck(drew, robs),
            tuple(flowers),
        )
        try:
            fan = score_hand(hand, BOOK).total
        except NotAWin:
            fan = -3
        self.fan = fan
        if fan < 8 + len(flowers):
            self._fault(seat, "WH")
        pays = [8 + fan if drew or one == self.who else 8 for one in range(4)]
        self._end("HU", seat, [sum(pays) - pays[seat] if one == seat else -pays[one] for one in range(4)])

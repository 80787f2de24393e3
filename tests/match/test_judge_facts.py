"""Recorded facts about the judge of botzone.org.cn: wrong answers, time-outs, several HU, 和绝张, the last tile.

Each fact was seen at the official judge. Here the judge described in `tests.botzone_judge` has to show it, and our own
table has to offer exactly the answers that the judge accepts, and to come to the same end.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quepu.hands.hand import Luck
from quepu.match.botzone_record import read_tile, tile_name
from quepu.match.settle import settle
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Action, ActionKind, Table, Wall
from quepu.table.actions import PASS, find_option
from tests.botzone_judge import Judge
from tests.table.test_own_walls import own_walls

MCR = book("guobiao-mcr")
RULES = play_rules(MCR)
JUNK = "147m258s1pESWNCF"
ON_1P = "123456789m23p55s"  # 清龙
ALSO_ON_1P = "123456789s23p66m"
PAIR_OF_1P = "11p369p369p99sPPC"
Answer = str | tuple[str, str]


class Hand:
    """A hand before the judge, and the same hand at our table as long as all answers are ones that it offers."""

    def __init__(self, wall: Wall, quan: int = 0) -> None:
        each = len(wall.tiles) // 4
        names = [tile_name(kind) for kind in wall.tiles]
        own = [names[each * seat : each * (seat + 1)] for seat in range(4)]
        self.judge = Judge([name for one in own for name in reversed(one)], quan)
        self.table = Table(MCR, wall, round=quan)
        for _ in range(2):
            assert self.judge.step(dict.fromkeys(range(4), ("OK", "PASS")))

    def answer(self, answers: dict[int, Answer]) -> bool:
        """Give these answers, everyone else's being PASS; return whether our table offers all of them."""
        full = dict.fromkeys(range(4), ("OK", "PASS"))
        for seat, given in answers.items():
            full[seat] = given if isinstance(given, tuple) else ("OK", given)
        actions = {seat: self._actions(seat, text) for seat, (_, text) in full.items()}
        offered = all(verdict == "OK" and actions[seat] is not None for seat, (verdict, _) in full.items())
        on = self.judge.step(full)
        if offered:
            self._act(actions)
            assert on or self.table.over
            if not on and self.table.ending is not None:
                assert list(settle(self.table.ending, MCR, RULES).seats) == self.judge.scores
                assert [win.seat for win in self.table.ending.winners] == [self.judge.player] * (
                    self.judge.action == "HU"
                )
        return offered

    def _actions(self, seat: int, text: str) -> list[Action] | None:
        """Return the steps of an answer at our table; None if it does not offer them, [] if it asks nothing."""
        options, words = self._options(seat), text.split(" ")
        if words == ["PASS"]:
            return None if (self.judge.stage, self.judge.who) == ("draw", seat) else []
        try:
            tiles = [read_tile(word, 0) for word in words[1:]]
        except Exception:  # noqa: BLE001  # not a tile
            return None
        board = self.table.board
        if words[0] == "PLAY" and len(tiles) == 1:
            return self._put(seat, tiles[0], self.table)
        wanted = {
            ("HU", 0): Action(ActionKind.WIN),
            ("PENG", 1): Action(ActionKind.PUNG, board.offer),
            ("CHI", 2): Action(ActionKind.CHOW, board.offer, tiles[0] - 1 if tiles else 0),
            ("GANG", 0): Action(ActionKind.KONG, board.offer),
            ("GANG", 1): Action(ActionKind.CONCEALED, tiles[0] if tiles else 0),
            ("BUGANG", 1): Action(ActionKind.ADDED, tiles[0] if tiles else 0),
        }.get((words[0], len(tiles)))
        found = None if wanted is None else find_option(options, wanted)
        if found is None:
            return None
        if words[0] not in ("PENG", "CHI"):
            return [found]
        after = self.table.copy()
        while PASS in after.options(seat) or seat not in after.to_act:
            who = after.to_act[0]
            after.step(who, found if who == seat else PASS)
        put = self._put(seat, tiles[-1], after)
        return None if put is None else [found, *put]

    def _put(self, seat: int, kind: int, table: Table) -> list[Action] | None:
        found = [one for one in table.options(seat) if one.do is ActionKind.DISCARD and one.tile == kind]
        return found[:1] or None

    def _act(self, actions: dict[int, list[Action] | None]) -> None:
        asked = [self.table.turn] if self.table.drawn is not None else range(4)
        left = {seat: list(actions[seat] or []) for seat in asked}
        while seat := next((one + 1 for one in self.table.to_act if one in left), 0):
            seat -= 1
            action = left[seat].pop(0) if left[seat] else PASS
            if find_option(self.table.options(seat), action) is None:
                return
            self.table.step(seat, action)
            if action == PASS:
                del left[seat]

    def _options(self, seat: int) -> Sequence[Action]:
        """Return the options of a seat, which the table may ask only after others have passed."""
        table = self.table.copy()
        while seat not in table.to_act:
            other = next((one for one in table.to_act if PASS in table.options(one)), None)
            if other is None:
                return []
            table.step(other, PASS)
        return table.options(seat)

    def throw(self, until: int | None = None, left: int = 0) -> Hand:
        """Discard what is drawn until the seat has drawn and has so many tiles left in its wall; or the next tile."""
        while True:
            who = self.judge.who
            if until is not None and (who, len(self.judge.walls[who])) == (until, left):
                return self
            assert self.answer({who: f"PLAY {self.judge.tile}"})
            assert self.answer({})
            if until is None:
                return self

    def end(self) -> tuple[str, int, list[int]]:
        """Return how the judge ended the hand."""
        return self.judge.action, self.judge.player, self.judge.scores


def penalty(seat: int) -> list[int]:
    return [-30 if one == seat else 10 for one in range(4)]


def thrown(south: str, west: str, north: str = "", east: str = JUNK) -> Hand:
    """A hand in which East has discarded 1p as its first tile."""
    hand = Hand(own_walls(east, south, west, north))
    assert hand.answer({0: "PLAY B1"})
    return hand


# ---- who wins, and what a win pays


def test_of_several_hu_the_first_in_turn_wins_alone() -> None:
    hand = thrown(ON_1P, ALSO_ON_1P)
    assert hand.answer({1: "HU", 2: "HU"})
    fan = hand.judge.fan
    assert fan >= 16
    assert hand.end() == ("HU", 1, [-8 - fan, 24 + fan, -8, -8])
    hand = thrown(ON_1P, ALSO_ON_1P)
    assert hand.answer({2: "HU"})
    assert hand.end()[:2] == ("HU", 2)


@pytest.mark.parametrize(
    ("answers", "end"),
    [
        ({1: ("TLE", ""), 2: "HU"}, ("TLE", 1)),
        ({1: "HU", 2: ("TLE", "")}, ("HU", 1)),
        ({2: "HU", 1: "PASS", 3: ("RE", "")}, ("HU", 2)),
        ({0: ("MLE", ""), 1: "HU"}, ("MLE", 0)),
        ({0: "HU", 1: "HU"}, ("WA", 0)),
        ({3: ("anything", "PASS")}, ("anything", 3)),
    ],
)
def test_seats_are_judged_in_turn_and_what_comes_first_counts(answers: dict[int, Answer], end: tuple[str, int]) -> None:
    hand = thrown(ON_1P, ALSO_ON_1P)
    hand.answer(answers)
    action, player, scores = hand.end()
    assert (action, player) == end
    assert action == "HU" or scores == penalty(player)


def test_a_false_hu_goes_before_a_good_one_of_a_later_seat() -> None:
    hand = thrown("369m369s369p1pEC1m", ALSO_ON_1P)
    assert not hand.answer({1: "HU", 2: "HU"})
    assert hand.end() == ("WH", 1, penalty(1))


def test_a_win_below_eight_fan_is_false() -> None:
    hand = thrown("456m456s23p77m678s", "")  # 平和, 断幺 at most
    assert not hand.answer({1: "HU"})
    assert 0 <= hand.judge.fan < 8
    assert hand.end() == ("WH", 1, penalty(1))


def test_a_self_drawn_win_is_paid_by_all() -> None:
    hand = Hand(own_walls("123456789m23p55s1p"))
    assert hand.answer({0: "HU"})
    fan = hand.judge.fan
    assert hand.end() == ("HU", 0, [3 * (8 + fan), *[-8 - fan] * 3])


# ---- wrong answers


@pytest.mark.parametrize(
    "text",
    ["PASS", "", "PLAY B1 ", " PLAY B1", "PLAY  B1", "play B1", "PLAY b1", "PLAY B1\n", "PLAY", "PLAY B9", "GANG",
     "GANG B1", "BUGANG B1", "PENG B1", "DRAW", "PLAY B1 B1"],
)  # fmt: skip
def test_an_answer_to_ones_own_draw_is_exact(text: str) -> None:
    hand = Hand(own_walls(JUNK))
    assert not hand.answer({0: text})
    assert hand.end() == ("WA", 0, penalty(0))


@pytest.mark.parametrize("text", ["PENG B2", "CHI B2 B9", "GANG", "PASS ", "PLAY B1", "peng B3", "CHI B2"])
def test_a_claim_that_the_hand_does_not_allow_is_wrong(text: str) -> None:
    hand = thrown(ON_1P, "")
    assert not hand.answer({1: text})
    assert hand.end() == ("WA", 1, penalty(1))


def test_only_the_next_seat_may_chow_but_a_pung_hides_the_mistake() -> None:
    hand = thrown("369m369s369pECCP", ALSO_ON_1P)
    assert not hand.answer({2: "CHI B2 T1"})
    assert hand.end() == ("WA", 2, penalty(2))
    hand = thrown("369m369s369pECCP", ALSO_ON_1P, PAIR_OF_1P)
    assert not hand.answer({2: "CHI B2 T1", 3: "PENG B3"})
    assert hand.judge.requests == ["3 3 PENG B3"] * 4


@pytest.mark.parametrize(("nonsense", "wrong"), [(1, True), (3, False)])
def test_after_an_accepted_claim_later_answers_are_not_read(nonsense: int, wrong: bool) -> None:
    hand = thrown("369m369s369pECCP", PAIR_OF_1P)
    assert not hand.answer({nonsense: "NONSENSE", 2: "PENG B3"})
    assert hand.judge.action == ("WA" if wrong else "")
    assert hand.judge.player == (nonsense if wrong else -1)


def test_a_pung_goes_before_a_chow_and_any_discard_may_follow() -> None:
    hand = thrown(ON_1P, "", PAIR_OF_1P)
    assert hand.answer({1: "CHI B2 W1", 3: "PENG B3"})
    assert hand.judge.requests == ["3 3 PENG B3"] * 4
    four = thrown("23p111p369m36s9sEC", "")  # the fourth copy may go at once
    assert four.answer({1: "CHI B2 B1"})
    assert four.judge.requests == ["3 1 CHI B2 B1"] * 4


# ---- kongs


def test_a_concealed_kong_cannot_be_robbed() -> None:
    hand = Hand(own_walls("1111p47m258sESWNC", ON_1P))
    assert hand.answer({0: "GANG B1"})
    assert not hand.answer({1: "HU"})
    assert hand.end() == ("WA", 1, penalty(1))


def test_an_added_kong_is_robbed_by_the_first_after_the_konger() -> None:
    # North pungs East's 1p and draws the fourth at its next turn
    hand = thrown(ON_1P, ALSO_ON_1P, PAIR_OF_1P + "1p")
    assert hand.answer({3: "PENG B3"})
    assert hand.answer({})
    while hand.judge.who != 3:
        hand.throw()
    assert hand.judge.tile == "B1"
    assert hand.answer({3: "BUGANG B1"})
    assert hand.answer({1: "HU", 2: "HU"})
    fan = hand.judge.fan
    assert hand.end() == ("HU", 1, [-8, 24 + fan, -8, -8 - fan])
    assert hand.judge.luck(False, True) & Luck.ROBBED_KONG
    assert not hand.judge.luck(False, True) & Luck.FOURTH_TILE


@pytest.mark.parametrize(("flower", "flag"), [(False, True), (True, False)])
def test_a_flower_between_kong_and_win_takes_the_flag_away(flower: bool, flag: bool) -> None:
    judge = Judge([], 0)
    names = ["W1", "W1", "W1", "W1", "W2", "W3", "W4", "B4", "B5", "B6", "T7", "T8", "T9", "T5"][::-1]
    rest = ["T5", "H1"] if flower else ["T5"]
    filler = [f"{suit}{n}" for suit in "BT" for n in (1, 2, 3)] * 4
    judge.walls = [[*filler[:10], *rest, *names], [*filler[:20]], [*filler[:20]], [*filler[:20]]]
    for _ in range(2):
        judge.step(dict.fromkeys(range(4), ("OK", "PASS")))
    everyone = dict.fromkeys(range(4), ("OK", "PASS"))
    assert judge.step({**everyone, 0: ("OK", "GANG W1")})
    assert judge.step(everyone)
    if flower:
        assert judge.requests[0] == "3 0 BUHUA H1"
        assert judge.step(everyone)
    assert bool(judge.luck(True, False) & Luck.KONG_DRAW) is flag


# ---- 和绝张


def test_the_fourth_tile_is_the_last_one_after_three_were_seen() -> None:
    # West pungs 1p (three of them lie open), North then discards the fourth
    hand = thrown("23p123456789m55s", "11p369m369s369pEC", "1p2468m2468s246pP")
    assert hand.answer({2: "PENG W3"})
    assert hand.answer({})
    assert hand.answer({3: "PLAY B1"})
    assert hand.answer({1: "HU"})
    assert hand.judge.action == "HU"
    assert hand.table.ending is not None
    score = hand.table.ending.winners[0].score
    assert score is not None and "和绝张" in {line.name for line in score.fans}


@pytest.mark.parametrize(("what", "seen"), [("chow", 1), ("pung", 3), ("discard", 1), ("concealed", 0)])
def test_tiles_are_counted_by_how_they_lie(what: str, seen: int) -> None:
    hand = thrown("23p123456789m55s", "11p369m369s369pEC") if what != "concealed" else Hand(
        own_walls("1111p47m258sESWNC"))  # fmt: skip
    hand.answer({"chow": {1: "CHI B2 T5"}, "pung": {2: "PENG W3"}, "discard": {}, "concealed": {0: "GANG B1"}}[what])
    assert hand.judge.shown["B1"] == seen
    if what == "chow":
        assert hand.judge.shown["B2"] == hand.judge.shown["B3"] == 1


# ---- the last tile, and empty walls


@pytest.mark.parametrize(("own", "after", "last"), [(1, 0, True), (0, 1, False), (0, 0, True), (1, 1, False)])
def test_the_wall_of_the_next_seat_says_whether_a_tile_is_the_last(own: int, after: int, last: bool) -> None:
    hand = Hand(own_walls(JUNK))
    hand.judge.walls[0], hand.judge.walls[1] = ["B9"] * own, ["B9"] * after
    assert bool(hand.judge.luck(True, False) & Luck.LAST_DRAW) is last
    assert bool(hand.judge.luck(False, False) & Luck.LAST_DISCARD) is last


def test_before_an_empty_wall_a_discard_can_only_be_won() -> None:
    won = Hand(own_walls(JUNK, ON_1P)).throw(3)  # North has drawn its last tile; East's wall is empty
    assert not any(won.judge.walls)
    won.answer({3: f"PLAY {won.judge.tile}"})
    assert won.answer({})
    assert won.end() == ("HUANG", -1, [0, 0, 0, 0])


@pytest.mark.parametrize("claim", ["PENG", "GANG", "CHI"])
def test_a_claim_before_an_empty_wall_is_wrong_whatever_the_claimer_has_left(claim: str) -> None:
    pungs = Hand(own_walls("", "", "", "")).throw(3)
    tile = pungs.judge.tile
    claimer = 0 if claim == "CHI" else 2
    suit, middle = tile[0], min(8, max(2, int(tile[1])))
    held = {"PENG": [tile] * 2, "GANG": [tile] * 3,
            "CHI": [f"{suit}{n}" for n in (middle - 1, middle, middle + 1)]}[claim]  # fmt: skip
    pungs.judge.hands[claimer][: len(held)] = held
    pungs.judge.walls[claimer] = ["B9"] * (2 if claimer == 2 else 0)
    pungs.judge.step({**dict.fromkeys(range(4), ("OK", "PASS")), 3: ("OK", f"PLAY {tile}")})
    spare = pungs.judge.hands[claimer][5]
    text = {"PENG": f"PENG {spare}", "GANG": "GANG", "CHI": f"CHI {suit}{middle} {spare}"}[claim]
    pungs.judge.step({**dict.fromkeys(range(4), ("OK", "PASS")), claimer: ("OK", text)})
    assert pungs.end() == ("WA", claimer, penalty(claimer))

"""What the master knows of kongs, held pungs and declarations, and which books it defends under."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from quepu.bots import make_bot
from quepu.bots.extras import extras
from quepu.bots.payable_bot import Sight, complete
from quepu.fast.nearest.payable import Payable
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import best_points
from quepu.table import Table
from quepu.table.actions import AS_DRAWN, AS_DRAWN_READY, CONCEALED, FROM_HAND, FROM_HAND_READY, KONG, PASS, PUNG, READY
from quepu.table.open_melds import OpenMeld
from quepu.table.wall import build_wall, dealt_places
from quepu.tiles import EAST, PLAIN
from tests.bots.test_levels import BOOKS, everything_pays, view_of
from tests.review.flat import write_flat

__all__ = ["everything_pays"]  # a fixture: found by its name


@pytest.mark.parametrize("rulebook", BOOKS)
def test_extras_are_worked_out_for_every_book_and_alike_each_time(rulebook: Rulebook) -> None:
    found = extras(rulebook)
    extras.cache_clear()
    assert extras(rulebook) == found
    assert all(0.5 < ratio < 4 for ratio in found)


def test_extras_are_prepared_with_the_tables_so_that_no_bot_scores_hands_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    rulebook = book("canton")
    write_flat(rulebook, tmp_path)
    extras.cache_clear()
    complete(Payable(rulebook))
    found = extras(rulebook)
    extras.cache_clear()
    monkeypatch.setattr("quepu.bots.extras.paid_for", lambda *_: pytest.fail("a hand was scored"))
    assert extras(rulebook) == found
    extras.cache_clear()


def test_a_kong_is_worth_much_in_lingque_and_nearly_nothing_in_guobiao() -> None:
    # 灵雀 pays a kong well; in 国标 明杠 is 1 point and 暗杠 2 of eight and more
    lingque, guobiao = extras(book("lingque-29")), extras(book("guobiao-mcr"))
    assert lingque.kong > 1.2
    assert lingque.concealed_kong > 1.2
    assert lingque.held > 1.1
    assert 1 < guobiao.kong < guobiao.concealed_kong < 1.2
    assert guobiao.held == pytest.approx(1, abs=0.02)  # one concealed pung is no fan there


def test_held_tiles_are_compared_in_hands_that_differ_in_nothing_else() -> None:
    # 灵雀, constructed: 999s held or claimed beside two claimed chows and 456p held
    rulebook = book("lingque-29")
    chows = (Meld(MeldKind.CHOW, 0), Meld(MeldKind.CHOW, 18))
    claimed = Hand((12, 13, 14, 27), (*chows, Meld(MeldKind.PUNG, 26)), 27, EAST + 1, EAST)
    held = Hand((12, 13, 14, 26, 26, 26, 27), chows, 27, EAST + 1, EAST)
    assert (best_points(held, rulebook) or 0) > (best_points(claimed, rulebook) or 0)


@pytest.mark.usefixtures("everything_pays")
def test_the_master_claims_a_kong_that_costs_nothing_where_kongs_pay() -> None:
    chow = (Meld(MeldKind.CHOW, 0),)
    view = view_of("lingque-29", "777p45s99s68mE", "E", chow)
    view = view._replace(drawn=None, board=view.board._replace(offer=15, offerer=1))
    chosen = {}
    for level in ("gain", "master"):
        bot = make_bot(level)
        bot.begin(view.book, 0)
        chosen[level] = bot.act(view, [KONG[15], PASS])
    assert chosen == {"gain": PASS, "master": KONG[15]}  # for `gain` the hand is as good as before


@pytest.mark.usefixtures("everything_pays")
def test_an_open_hand_breaks_three_of_a_kind_less_gladly() -> None:
    for melds, share in (((Meld(MeldKind.CHOW, 0),), extras(book("lingque-29")).held), ((), 1.0)):
        view = view_of("lingque-29", "777p45s99s68mE" + ("" if melds else "123m"), "W", melds)
        bot = make_bot("master")
        bot.begin(view.book, 0)
        sight = Sight.of(view)
        look = bot.look(sight, view.tiles, view.melds)  # type: ignore[attr-defined]
        weights = bot.weights_of(look, sight, [15, 27])  # type: ignore[attr-defined]
        assert weights[0][0] == pytest.approx(look.values[15] / share)
        assert weights[1][0] == look.values[27]


@pytest.mark.parametrize("rules", ["lingque-29", "lingque-26", "guobiao-mcr", "yuque-54", "canton"])
@pytest.mark.usefixtures("everything_pays")
def test_hands_count_by_a_power_of_their_pay_where_the_book_has_one(rules: str) -> None:
    power = play_rules(book(rules)).pay_power
    assert power == {"lingque": 2.0, "guobiao": 1.8}.get(book(rules).family, 1.0)
    view = view_of(rules, "147m258p36s", "E", (Meld(MeldKind.PUNG, 31), Meld(MeldKind.PUNG, 32)))
    gains = []
    for level in ("gain", "master"):
        bot = make_bot(level)
        bot.begin(view.book, 0)
        gains.append(bot.look(Sight.of(view), view.tiles, view.melds).by_discard[:, 1])  # type: ignore[attr-defined]
    assert gains[0].any()
    assert gains[1] == pytest.approx(gains[0] * 40.0 ** (power - 1))  # every hand pays 40


@pytest.mark.usefixtures("everything_pays")
def test_a_ready_hand_scored_by_the_book_counts_by_the_same_power() -> None:
    view = view_of("guobiao", "123m456p789sEEEW", "N")  # a single wait either way
    bot = make_bot("master")
    bot.begin(view.book, 0)
    look = bot.look(Sight.of(view), view.tiles, ())  # type: ignore[attr-defined]
    ways, gains = look.by_discard[0, :, 29]
    pays = (gains / ways) ** (1 / play_rules(view.book).pay_power)
    assert 8 + 3 * 8 < pays < 100  # more than the least win pays, and no power of points


@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_book_that_counts_by_a_power_of_its_pay_sets_no_points_against_it(rulebook: Rulebook) -> None:
    rules = play_rules(rulebook)
    assert rules.danger_price > 0 if rules.defence and rules.pay_power != 1 else not rules.danger_price


@pytest.mark.usefixtures("everything_pays")
def test_a_danger_costs_a_part_of_the_best_value_where_the_book_has_a_price(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of("guobiao", "123m456p789sEEEW", "N")
    bot = make_bot("master")
    bot.begin(view.book, 0)
    sight = Sight.of(view)
    look = bot.look(sight, view.tiles, ())  # type: ignore[attr-defined]
    monkeypatch.setattr("quepu.bots.master.risks", lambda *_: {29: 0.0, 30: 0.5})
    (safe,), (risky,) = bot.weights_of(look, sight, [29, 30])  # type: ignore[attr-defined]
    price = play_rules(view.book).danger_price
    assert (safe, risky) == (look.values[29], look.values[30] - 0.5 * price * max(look.values[[29, 30]]))


@pytest.mark.usefixtures("everything_pays")
def test_a_claim_that_brings_a_hand_no_nearer_must_be_worth_more() -> None:
    view = view_of("guobiao", "147m258p36s", "E", (Meld(MeldKind.PUNG, 31), Meld(MeldKind.PUNG, 32)))
    bot = make_bot("master")
    bot.begin(view.book, 0)
    sight = Sight.of(view)
    now = bot.look(sight, view.tiles, view.melds)  # type: ignore[attr-defined]
    better = replace(now, values=np.full(34, 1.2 * now.total))
    nearer = replace(better, missing=now.missing - 1)
    weights = [(1.2 * now.total,)]
    assert bot.rate_claim(better, weights, now, sight) is None  # type: ignore[attr-defined]
    assert bot.rate_claim(nearer, weights, now, sight) == (1.2 * now.total,)  # type: ignore[attr-defined]


@pytest.mark.usefixtures("everything_pays")
def test_others_melds_leave_fewer_turns_where_the_book_says_so() -> None:
    for rules, fewer in (("guobiao", True), ("lingque-29", False)):
        view = view_of(rules, "123m456p789sEEEW", "N")
        bot = make_bot("master")
        bot.begin(view.book, 0)
        pungs = tuple(OpenMeld(Meld(MeldKind.PUNG, kind), kind, 3) for kind in (32, 33))
        later = view._replace(board=view.board._replace(melds=((), (), pungs, ())))
        first, then = (bot.rate(Sight.of(one)._replace(unseen=np.full(34, 2)))[1] for one in (view, later))  # type: ignore[attr-defined]
        assert bool(then < first) is fewer


@pytest.mark.parametrize(("rules", "defends"), [("guobiao", True), ("yuque-54", True), ("lingque-29", False)])
@pytest.mark.usefixtures("everything_pays")
def test_dangers_are_weighed_where_matches_showed_that_it_pays(
    rules: str, defends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play_rules(book(rules)).defence is defends
    view = view_of(rules, "123m456p789sEEEW", "N")  # a single wait either way
    bot = make_bot("master")
    bot.begin(view.book, 0)
    sight = Sight.of(view)
    look = bot.look(sight, view.tiles, ())  # type: ignore[attr-defined]
    weights, acts = [], []
    for danger in (0.0, 0.9):
        monkeypatch.setattr("quepu.bots.master.risks", lambda *_, danger=danger: {27: 0.0, 29: 0.0, 30: danger})
        weights.append(bot.weights_of(look, sight, [29, 30]))  # type: ignore[attr-defined]
        acts.append(bot.act(view, [FROM_HAND[29], AS_DRAWN[30]]))
    assert weights[1][0] == weights[0][0]
    assert (weights[1][1] < weights[0][1]) is defends
    assert acts == [AS_DRAWN[30], FROM_HAND[29] if defends else AS_DRAWN[30]]


@pytest.mark.usefixtures("everything_pays")
def test_the_master_declares_ready_and_changes_nothing_afterwards() -> None:
    # 广东, constructed: 天听 and 地听 are 20 fan each as long as no tile is changed
    view = view_of("canton", "123m456p789sEE23s", "W")
    bot = make_bot("master")
    bot.begin(view.book, 0)
    assert bot.act(view, [READY, PASS]) is READY
    first = [FROM_HAND[29], AS_DRAWN[29], AS_DRAWN_READY[29]]
    assert bot.act(view, first) is AS_DRAWN_READY[29]
    view = view._replace(board=view.board._replace(declared=("first", "", "", "")))
    assert bot.act(view, [FROM_HAND[18], AS_DRAWN[29], CONCEALED[27]]) is AS_DRAWN[29]
    assert bot.act(view, [PUNG[27], PASS]) is PASS


@pytest.mark.usefixtures("everything_pays")
def test_of_two_declarations_the_master_says_the_one_with_more_tiles_to_win_on() -> None:
    view = view_of("canton", "123m456p789s99m23s", "5s")
    bot = make_bot("master")
    bot.begin(view.book, 0)
    declarations = [
        FROM_HAND_READY[19],
        AS_DRAWN_READY[22],
    ]  # without 2s the hand waits for 4s, without 5s for 1s and 4s
    assert bot.act(view, declarations) is AS_DRAWN_READY[22]


@pytest.mark.usefixtures("everything_pays")
def test_a_dealt_ready_hand_is_declared_at_a_table() -> None:
    rulebook = book("canton")
    ready = [0, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 19, 20]  # 123m456p789sEE23s, South's
    rest = list(PLAIN.tiles)
    for kind in ready:
        rest.remove(kind)
    left, mine, places = iter(rest), iter(ready), dealt_places(1)
    order = [next(mine) if place in places else next(left) for place in range(PLAIN.size)]
    table = Table(rulebook, build_wall(order, (1, 1, 1, 1)))
    assert sorted(table.hands[1]) == sorted(ready)
    bots = [make_bot(level, seat) for seat, level in enumerate(("plain", "master", "plain", "plain"))]
    for seat, bot in enumerate(bots):
        bot.begin(rulebook, seat)
    while table.to_act:
        seat = table.to_act[0]
        table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))
    assert any(event.tag == "ready" and event.seat == 1 for event in table.events)
    thrown = [event for event in table.events if event.tag == "discard" and event.seat == 1]
    assert all(event.as_drawn for event in thrown)

"""Styles: what they like is what decides, features are those of the hands, and one table holds them all."""

from __future__ import annotations

import numpy as np
import pytest

from quepu.arena import play_hand
from quepu.bots import LEVELS, make_bot
from quepu.bots.styles import STYLES, Style, StyleBot
from quepu.fast.nearest.join import join, joiner
from quepu.fast.nearest.preferences import FEATURES, Liking, Preferences, by_pay, feature_classes, liking
from quepu.fast.universe.hand_index import order
from quepu.fast.universe.standard_hands import MELD_SETS, melds
from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import make_wall
from quepu.tiles import KINDS, kinds_of
from tests.bots.test_levels import discards, everything_pays, view_of
from tests.fast.nearest.test_joining import question, same

__all__ = ["everything_pays"]


def test_every_style_is_a_level_of_its_name() -> None:
    assert STYLES.keys() <= LEVELS.keys()
    for key, style in STYLES.items():
        bot = make_bot(key)
        assert isinstance(bot, StyleBot)
        assert bot.style is style
        assert LEVELS[key].heavy
        assert {name for name, _ in style.preferences.likes} <= FEATURES.keys()


def test_features_are_those_of_the_hands_at_the_same_places() -> None:
    of = feature_classes(double_wind=False)
    names = list(FEATURES)
    rng = np.random.default_rng(3)
    m, seen = melds(), 0
    for place in rng.integers(0, KINDS * MELD_SETS, 3000).tolist():
        pair, at = divmod(place, MELD_SETS)
        number = order()[at]
        if pair in kinds_of(int(m.t3[number])):
            continue  # five of a kind
        found = dict(zip(names, of.features[of.numbers[place]].tolist(), strict=True))
        pungs = kinds_of(int(m.p[number]))
        tiles = {*kinds_of(int(m.t1[number])), pair}
        suits = {kind // 9 for kind in tiles if kind < 27}
        honours = any(kind >= 27 for kind in tiles)
        assert found["pungs"] == len(pungs)
        assert found["all_pungs"] == (len(pungs) == 4)
        assert found["dragons"] == sum(kind > 30 for kind in pungs)
        assert found["own_winds"] == sum(kind in (27, 28) for kind in pungs)
        assert found["pure_suit"] == (len(suits) == 1 and not honours)
        assert found["half_suit"] == (len(suits) == 1 and honours)
        assert found["simples"] == all(kind < 27 and 0 < kind % 9 < 8 for kind in tiles)
        assert found["twin_pungs"] == any(a < b < 27 and a % 9 == b % 9 for a in pungs for b in pungs)
        chows = {kind for plane in (m.c1, m.c2, m.c3, m.c4) for kind in kinds_of(int(plane[number]))}
        assert found["mixed_triple"] == any({r, r + 9, r + 18} <= chows for r in range(7))
        assert found["straight"] == any({s, s + 3, s + 6} <= chows for s in (0, 9, 18))
        seen += 1
    assert seen > 2000


def test_joining_with_preferences_is_the_same_in_both_ways() -> None:
    pytest.importorskip("numba", reason="the extra [fast] is not installed")
    rng = np.random.default_rng(4)
    numbers = rng.integers(0, 5, KINDS * MELD_SETS, np.uint16)
    liked = Liking(numbers, np.array([1.0, 0.0, 4.0, 0.5, 1.0]), np.arange(1 << 15) ** 1.5)
    for seed in range(4):
        q = question(seed, seed % 4, 13 + seed % 2)._replace(levels=2)
        with_liking = joiner()(q._replace(liking=liked), 3)
        same(with_liking, join(q._replace(liking=liked), 3))
        plain = join(q, 3)
        assert np.allclose(with_liking.by_discard[:, 0], plain.by_discard[:, 0])
        alike = Liking(numbers, np.ones(5), np.arange(1 << 15, dtype=np.float64))
        same(joiner()(q._replace(liking=alike), 3), plain)


def test_who_likes_no_feature_looks_up_none() -> None:
    rng = np.random.default_rng(5)
    for seed in range(3):
        q = question(seed, seed, 14)._replace(levels=2)
        points = np.where(q.points > 0, rng.integers(1, 400, len(q.points)) << 1 | 1, 0).astype(np.uint16)
        q = q._replace(points=points)
        by_features = Liking(np.zeros(KINDS * MELD_SETS, np.uint16), np.ones(1), np.arange(1 << 15) ** 2.0)
        by_pay_alone = join(q._replace(liking=by_pay(Preferences(power=2.0), points)), 3)
        same(by_pay_alone, join(q._replace(liking=by_features), 3))
        assert not np.allclose(by_pay_alone.by_discard[:, 1], join(q, 3).by_discard[:, 1])


@pytest.mark.usefixtures("everything_pays")
def test_who_likes_one_suit_throws_the_other() -> None:
    view = view_of("guobiao", "1235678m45pEEE", "9m")
    thrown = {}
    for key in ("gain", "flush"):
        bot = make_bot(key)
        bot.begin(view.book, 0)
        thrown[key] = bot.act(view, discards(view)).tile_kind
    assert thrown["flush"] in (12, 13)
    assert thrown["gain"] < 9


@pytest.mark.long
@pytest.mark.usefixtures("everything_pays")
def test_costs_of_claims_hold_back_and_gains_push() -> None:
    rulebook = book("guobiao")
    rules = play_rules(rulebook)
    claims = {}
    for cost in (-3.0, 40.0):
        style = Style(Preferences(), opening=cost, claiming=cost)
        table = play_hand(
            rulebook, make_wall(9, tiles=rules.table.tiles), [StyleBot(style) for _ in range(4)], rules=rules
        )
        claims[cost] = sum(shown.source is not None for melds_of in table.board.melds for shown in melds_of)
    assert claims[40.0] == 0 < claims[-3.0]


@pytest.mark.usefixtures("everything_pays")
def test_four_styles_at_one_table_end_the_hand() -> None:
    rulebook = book("lingque-29")
    keys = list(STYLES)
    tables = []
    for _ in range(2):
        wall = make_wall(6, tiles=play_rules(rulebook).table.tiles)
        tables.append(play_hand(rulebook, wall, [make_bot(key, 1) for key in keys[1:]]))
    assert tables[0].over
    assert tables[0].events == tables[1].events


def test_a_feature_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        liking(Preferences((("luck", 1.0),)), False)


def test_features_come_from_their_file_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = feature_classes(double_wind=False)
    feature_classes.cache_clear()
    monkeypatch.setattr("quepu.fast.nearest.preferences._feature_classes", lambda _double: None)
    again = feature_classes(double_wind=False)
    assert again is not made
    assert np.array_equal(again.numbers, made.numbers)
    assert np.array_equal(again.features, made.features)

"""What no rule of 灵雀 may break: suits are alike, 1 and 9 are alike, claiming gains nothing."""

from __future__ import annotations

import pytest

from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.hands.planes import PAIRS
from quepu.hands.win import CHOW, PAIR
from quepu.rulebooks import book
from quepu.rulebooks.lingque.row import LingqueExtra
from quepu.rules.arithmetic import Tally
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import Score, score_hand
from quepu.shapes.readings import readings
from tests.lingque.hands import BOOKS
from tests.lingque.stated import EQUIVALENT

both = pytest.mark.parametrize("rules", BOOKS)


def mapped(hand: Hand, to: dict[int, int]) -> Hand:
    def meld(old: Meld) -> Meld:
        return Meld(old.kind, min(to[t] for t in old.tiles))

    assert hand.winning is not None
    return hand._replace(
        concealed=tuple(sorted(to[t] for t in hand.concealed)),
        melds=tuple(meld(m) for m in hand.melds),
        winning=to[hand.winning],
    )


def points_and_fans(score: Score) -> tuple[int, dict[str, int]]:
    return score.points, dict(score.parts)


@both
@pytest.mark.parametrize("n", [400, pytest.param(20_000, marks=pytest.mark.slow)])
def test_suits_are_alike_and_ranks_may_be_reversed(rules: str, n: int) -> None:
    rulebook = book(rules)
    honours = {k: k for k in range(27, 34)}
    turned = {k: (k // 9 + 1) % 3 * 9 + k % 9 for k in range(27)} | honours
    swapped = {k: (1, 0, 2)[k // 9] * 9 + k % 9 for k in range(27)} | honours
    reversed_ = {k: k // 9 * 9 + 8 - k % 9 for k in range(27)} | honours
    for hand in wins(rulebook, n, seed=41):
        plain = points_and_fans(score_hand(hand, rulebook))
        for to in (turned, swapped, reversed_):
            assert points_and_fans(score_hand(mapped(hand, to), rulebook)) == plain


@both
@pytest.mark.parametrize("n", [300, pytest.param(20_000, marks=pytest.mark.slow)])
def test_claiming_a_hidden_set_never_gains(rules: str, n: int) -> None:
    rulebook = book(rules)
    tried = 0
    for hand in wins(rulebook, n, seed=42):
        score = score_hand(hand, rulebook)
        if hand.luck & ~1:
            continue  # circumstances may not fit the claimed hand
        for group in score.best.groups:
            if group.won or group.exposed or group.kong or group.kind == PAIR or score.best.h.form == PAIRS:
                continue
            if len(group.tiles) != 3:
                continue
            rest = list(hand.concealed)
            for tile in group.tiles:
                rest.remove(tile)
            kind = MeldKind.CHOW if group.kind == CHOW else MeldKind.PUNG
            claimed = hand._replace(concealed=tuple(rest), melds=(*hand.melds, Meld(kind, group.tile)))
            assert score_hand(claimed, rulebook).points <= score.points
            tried += 1
    assert tried > n // 3


def scores_high(rules: Rulebook, tally: Tally) -> bool:
    """和牌满足 8 副 2 翻，或不低于 3 翻的番种; 有两种以上的番牌刻子."""
    pungs = sum(rules.fans[c.row].own(LingqueExtra).pair is not None and c.value["fu"] == 4 for c in tally.counted)
    return pungs >= 2 or any(c.value["fan"] >= 3 or (c.value["fu"] >= 8 and c.value["fan"] == 2) for c in tally.counted)


def by_equivalent_points(rules: Rulebook, tally: Tally) -> bool:
    """v29 丁8, the second list."""
    total = 0
    for c in tally.counted:
        name = rules.fans[c.row].name
        if rules.fans[c.row].own(LingqueExtra).pair is not None:
            name = "番牌刻" if c.value["fu"] == 4 else "番牌对"
        total += EQUIVALENT.get(name, 0) * c.times
    return scores_high(rules, tally) or total >= 10


def by_conditions(rules: Rulebook, tally: Tally, closed: bool) -> bool:
    """丁8, the first list (both editions)."""
    fu = sum(c.value["fu"] * c.times for c in tally.counted)
    middling = any(c.value == {"fu": 4, "fan": 2} for c in tally.counted)
    others = sum(c.value["fu"] * c.times for c in tally.counted if rules.fans[c.row].name != "门前清")
    return scores_high(rules, tally) or (middling and fu > 4) or (closed and others >= 4) or fu >= 10


@both
@pytest.mark.parametrize(
    "n", [1_500, pytest.param(6_000, marks=pytest.mark.long), pytest.param(100_000, marks=pytest.mark.slow)]
)
def test_rules_of_thumb_agree_with_ten_points(rules: str, n: int) -> None:
    rulebook = book(rules)
    below = 0
    for hand in wins(rulebook, n, seed=43):
        for reading in readings(hand, rulebook.shapes, rulebook.reads):
            tally = rulebook.tally(reading.h)
            enough = tally.points >= 10
            below += not enough
            assert by_equivalent_points(rulebook, tally) == enough
            assert by_conditions(rulebook, tally, hand.closed) == enough
    assert below > n // 20

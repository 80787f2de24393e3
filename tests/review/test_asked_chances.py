"""Exact chances of answers against a hundred thousand drawn worlds; the waits are those of the scorer."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import numpy as np
import pytest

import quepu
from quepu.review.asking import Scene, compare
from quepu.review.questions import read_choice
from quepu.review.valuation import rate_hand
from quepu.rulebooks import book
from quepu.scoring.waits import mark_winning
from quepu.tiles import KINDS, NAMES

WORLDS, TURNS = 100_000, 6
QUESTIONS = (
    ("lingque-29", "123m456p789sCCE5s2m", "E"), ("lingque-29", "123m456p78sCC234sE", "E"),
    ("lingque-29", "2244m66p8899sCCE5p", "E"), ("yuque-54", "123m456p789sCCE5s2m", "E"),
    ("yuque-54", "234m234p23s55sCCCE", "E"), ("guobiao-mcr", "234m234p23s567s55pE", "E"),
    ("guobiao-mcr", "1133557799mCCE4p", "E"), ("guobiao-mcr", "222m333p444s6s8sCCE", "E"),
    ("canton", "222m333p444s66sCCE", "E"), ("canton", "123m123p123s78sCCE", "E"),
)  # fmt: skip


def draw(unseen: Collection[int]) -> np.ndarray:
    """Return the first own draws of as many worlds: kinds [worlds, turns]."""
    rng, tiles = np.random.default_rng(20261129), np.repeat(np.arange(KINDS), list(unseen))
    order = np.argpartition(rng.random((WORLDS, len(tiles)), np.float32), TURNS, axis=1)[:, :TURNS]
    return tiles[rng.permuted(order, axis=1)]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "text", "discard"), QUESTIONS)
def test_exact_chances_are_those_of_drawn_worlds(rules: str, text: str, discard: str) -> None:
    of = book(rules)
    hand = mark_winning(quepu.parse(text))
    scene = Scene.of_hand(hand, of)
    best = read_choice(scene, discard)
    other = next(one for one in scene.rated.choices if one.action != best.action)
    line = compare(scene, best.action, other.action).first
    assert line.drawn
    rest = sorted([*hand.concealed, hand.winning])
    rest.remove(NAMES.index(discard))

    @cache
    def waits(tiles: tuple[int, ...]) -> frozenset[int]:
        found = quepu.waits(quepu.Hand(tiles, (), None, hand.seat, hand.round), of).waits
        drawn = ((one.tile, one.by_self_draw) for one in found)
        return frozenset(tile for tile, score in drawn if score is not None and score.total >= of.minimum)

    @cache
    def then(kind: int) -> frozenset[int]:
        """Return the waits after drawing a useful tile and discarding the least valuable one."""
        held = [*rest, kind]
        held.remove(
            rate_hand(hand._replace(concealed=tuple(sorted(held)), winning=None), of).choices[0].action.tile_kind
        )
        return waits(tuple(sorted(held)))

    useful = waits(tuple(rest)) if best.missing == 1 else set(best.useful)
    ready = np.zeros((WORLDS, TURNS), np.bool_)
    won = np.zeros((WORLDS, TURNS), np.bool_)
    for at, draws in enumerate(draw(scene.eye.unseen.tolist()).tolist()):
        first = next((turn for turn, kind in enumerate(draws) if kind in useful), None)
        if first is None:
            continue
        ready[at, first:] = True
        if best.missing == 1:
            won[at, first:] = True
            continue
        goal = then(draws[first])
        last = next((turn for turn in range(first + 1, TURNS) if draws[turn] in goal), None)
        if last is not None:
            won[at, last:] = True
    for exact, seen in ((line.nearer, ready), (line.drawn, won)):
        played = seen.mean(axis=0)
        error = 4 * np.sqrt(np.maximum(played * (1 - played), 1e-4) / WORLDS)
        assert np.all(np.abs(np.array(exact[:TURNS]) - played) < error), (exact[:TURNS], played)

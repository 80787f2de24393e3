"""Intervals of playouts that are looked at again and again."""

from __future__ import annotations

import numpy as np
import pytest

from quepu.review.playouts import FEWEST, WRONG, Played, widen

_PAIRS = {
    "a net of points that is often equal": ((0, 24, -24, 40, -40, 130), (0.35, 0.21, 0.2, 0.12, 0.1, 0.02)),
    "most worlds alike": ((0, 16, -16, 96, -96), (0.8, 0.07, 0.07, 0.03, 0.03)),
}


@pytest.mark.parametrize("of", _PAIRS)
def test_an_interval_that_is_looked_at_all_the_time_still_holds_the_truth(of: str) -> None:
    """Of a thousand questions, looked at every sixteen worlds up to 2048."""
    values, weights = _PAIRS[of]
    rng, questions, most = np.random.default_rng(4), 1000, 2048
    pairs = rng.choice(values, size=(questions, most), p=weights)
    truth = float(np.dot(values, weights))
    wrong, once_wrong = np.zeros(questions, np.bool_), np.zeros(questions, np.bool_)
    for worlds in range(FEWEST, most + 1, 16):
        seen = pairs[:, :worlds]
        error = seen.std(axis=1, ddof=1) / np.sqrt(worlds)
        off = np.abs(seen.mean(axis=1) - truth)
        wrong |= off > widen(worlds) * error
        once_wrong |= off > 2.58 * error  # 99% of a single look
    assert wrong.mean() <= 1.5 * WRONG
    assert once_wrong.mean() > 5 * WRONG


def test_a_verdict_is_as_wide_as_the_sums_say() -> None:
    pairs = np.array([0, 24, -24, 40, 130, -8, 0, 16] * 12)
    played = Played(len(pairs), (int(pairs.sum()), 0), squares=int((pairs * pairs).sum()))
    verdict = played.verdict
    assert verdict is not None
    assert verdict.mean == pytest.approx(pairs.mean())
    assert verdict.half == pytest.approx(widen(len(pairs)) * pairs.std(ddof=1) / len(pairs) ** 0.5)

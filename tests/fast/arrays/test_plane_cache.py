"""What conditions say is looked up by the planes that they read: each content has a place of its own."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from quepu.fast.arrays.plane_cache import _MANY_CHOWS, CHOWS, Index, PlaneCache, every_four_chows


def test_hashes_of_one_slot_and_those_of_later_ones_are_found() -> None:
    index = Index()
    one_slot = np.arange(1, 40, dtype=np.uint64)  # they begin alike
    others = np.random.default_rng(5).integers(1 << 48, 1 << 63, 60_000).astype(np.uint64)  # and have the slots grow
    lots = [one_slot, others[:20_000], np.array([40, 41], np.uint64), others[20_000:]]
    for lot in lots:
        assert (index.find(lot) < 0).all()
        index.add(lot)
    assert np.array_equal(index.find(np.concatenate(lots)), np.arange(sum(map(len, lots))))


def test_every_set_of_chows_is_there_once() -> None:
    c1, c2, c3, c4 = every_four_chows()
    assert len({*zip(*(x.tolist() for x in (c1, c2, c3, c4)), strict=True)}) == len(c1) == 12_650
    assert ((c1 & c2 == c2) & (c2 & c3 == c3) & (c3 & c4 == c4)).all()
    number = sum(np.bitwise_count(x) for x in (c1, c2, c3, c4))
    assert np.bincount(number).tolist() == [1, 21, 231, 1771, 10_626]  # of 21 chows, with repetition


def test_many_new_sets_of_chows_bring_all_of_them() -> None:
    planes = every_four_chows()
    some = np.random.default_rng(6).permutation(len(planes[0]))
    cache = PlaneCache(CHOWS, [lambda h: h.c1 & 7, lambda h: np.bitwise_count(h.c2)])

    def looked_up(which: np.ndarray) -> np.ndarray:
        h = SimpleNamespace(**{name: plane[which] for name, plane in zip(CHOWS, planes, strict=True)})
        number = cache.numbers(h, len(which))
        return cache.values[:, number]

    def expected(which: np.ndarray) -> list[list[int]]:
        return [(planes[0][which] & 7).tolist(), np.bitwise_count(planes[1][which]).tolist()]

    for which, contents in (
        (some[:9], 9), (some[: _MANY_CHOWS], _MANY_CHOWS), (some[_MANY_CHOWS : 3 * _MANY_CHOWS], 12_650),
        (some, 12_650),
    ):  # fmt: skip
        assert looked_up(which).tolist() == expected(which)
        assert cache.values.shape[1] == contents

"""Changes of groups: how many a hand with one fan needs to have another too.

The book's sentence: any hand K with fan a and without fan b needs at most d changes to have both. One change gives one
group new tiles; groups that a ties by rank, by kind of set or by suit follow it and cost nothing. The needs of a fan of
n groups are found by evaluating its condition on every n groups; a fan of the whole hand ties nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from quepu.hands.planes import STANDARD, Planes
from quepu.rules.row import ALL, Fan
from quepu.tiles import BIT, EAST

Groups = tuple[int, ...]
"""Groups by number: 0-20 a chow by suit and start, 21-54 a pung by kind, 55-88 a pair by kind; in order."""

_CHOWS: Final = 21
_MELDS: Final = 55
_GROUPS: Final = 89
_SAMPLE: Final = 1 << 20
_POOL: Final = 300
_TRIES: Final = 8
_MOST_CONTENTS: Final = 6000
_SUITED: Final = 27


# ---- hands as arrays

_CHOW_BITS = np.array([BIT[m // 7 * 9 + m % 7] for m in range(_CHOWS)] + [0] * 68, np.int64)
_PUNG_BITS = np.array([0] * _CHOWS + list(BIT) + [0] * 34, np.int64)
_PAIR_BITS = np.array([0] * _MELDS + list(BIT), np.int64)


def planes(groups: NDArray[Any]) -> tuple[Planes, NDArray[np.bool_]]:
    """Return the planes of many hands, each some groups [n, k], and which of them hold no five of a kind."""
    zero = np.zeros(len(groups), np.int64)
    c, t, p, pair = [zero] * 5, [zero] * 6, zero, zero
    legal = np.ones(len(groups), np.bool_)
    for column in groups.T:
        chows, pungs, pairs = _CHOW_BITS[column], _PUNG_BITS[column], _PAIR_BITS[column]
        for n in range(4, 1, -1):
            c[n] = c[n] | c[n - 1] & chows
        c[1] = c[1] | chows
        legal &= ((p & pungs) == 0) & ((pair & pairs) == 0)
        p, pair = p | pungs, pair | pairs
        for bits in (chows | chows << 1 | chows << 2 | pungs | pairs, pungs | pairs, pungs):
            for n in range(5, 1, -1):
                t[n] = t[n] | t[n - 1] & bits
            t[1] = t[1] | bits
    legal &= t[5] == 0
    blank = Planes(*[zero] * len(Planes._fields))
    winds = zero + BIT[EAST]
    h = blank._replace(
        c1=c[1], c2=c[2], c3=c[3], c4=c[4], p=p, pair=pair, t1=t[1], t2=t[2], t3=t[3], t4=t[4],
        form=zero + STANDARD, seat=winds, round=winds,
    )  # fmt: skip
    return h, legal


def _sample() -> tuple[NDArray[Any], Planes]:
    """Random whole hands, the same in every run, and their planes."""
    if not _SAMPLED:
        rng = np.random.default_rng(54)
        melds = rng.integers(0, _MELDS, (_SAMPLE, 4))
        tight = rng.integers(0, 9, (_SAMPLE // 4, 1))  # a quarter of them of few kinds, where rare fans are found
        few = rng.integers(0, 3, (_SAMPLE // 4, 4)) * 7 % _CHOWS + tight % 7
        outer = np.array([21 + k for k in (0, 8, 9, 17, 18, 26, *range(27, 34))])
        melds[: _SAMPLE // 4] = few
        melds[_SAMPLE // 4 : _SAMPLE // 2] = outer[rng.integers(0, len(outer), (_SAMPLE // 4, 4))]
        hands = np.sort(np.concatenate([melds, rng.integers(_MELDS, _GROUPS, (_SAMPLE, 1))], 1), axis=1)
        h, legal = planes(hands)
        _SAMPLED.append((hands[legal], Planes(*(x[legal] for x in h))))
    return _SAMPLED[0]


_SAMPLED: list[tuple[NDArray[Any], Planes]] = []


# ---- requirements of a fan


class AskedFan:
    """A fan and the groups that it asks for."""

    def __init__(self, fan: Fan) -> None:
        self.fan = fan
        self._moves: dict[Groups, list[Groups]] = {}

    @cached_property
    def contents(self) -> tuple[Groups, ...]:
        """Every choice of the fan's own groups, where it is made of some of them."""
        if self.fan.of == ALL:
            return ()
        n = self.fan.of
        melds = np.array(list(combinations_with_replacement(range(_MELDS), n)), np.int64)
        found = self._holding(melds)
        if "pair" in self.fan.reads:
            some = np.array(list(combinations_with_replacement(range(_MELDS), n - 1)), np.int64).reshape(
                -1 if n > 1 else 1, n - 1
            )
            for pair in range(_MELDS, _GROUPS):
                found += self._holding(np.concatenate([some, np.full((len(some), 1), pair)], 1))
        return tuple(found)

    def _holding(self, groups: NDArray[Any]) -> list[Groups]:
        h, legal = planes(groups)
        held = legal & (np.asarray(self.fan.when(h)) != 0)
        return [tuple(row) for row in groups[held].tolist()]

    @cached_property
    def known(self) -> frozenset[Groups]:
        """The same, to look up in."""
        return frozenset(self.contents)

    @cached_property
    def groups(self) -> frozenset[int]:
        """Every group that may be one of the fan's; of a fan of the whole hand all that are seen in a hand with it."""
        if self.fan.of != ALL:
            return frozenset(group for content in self.contents for group in content)
        return frozenset(np.unique(self.hands).tolist())

    @cached_property
    def hands(self) -> NDArray[Any]:
        """Hands of the sample with the fan."""
        hands, h = _sample()
        held: NDArray[Any] = hands[np.broadcast_to(np.asarray(self.fan.when(h)) != 0, (len(hands),))]
        return held

    def moves(self, content: Groups) -> list[Groups]:
        """Contents that one change leads to: a group changes, and those tied to it follow as far as they must."""
        if content not in self._moves:
            found = {moved for i in range(len(content)) for moved in self._change_group(content, i)}
            self._moves[content] = sorted(found - {content})
        return self._moves[content]

    def _change_group(self, content: Groups, pivot: int) -> Iterator[Groups]:
        old = content[pivot]
        rest = [*content[:pivot], *content[pivot + 1 :]]
        for new in range(_MELDS, _GROUPS) if old >= _MELDS else range(_MELDS):
            if new == old or new not in self.groups:
                continue
            options = [_following(group, old, new) for group in rest]
            reached: list[tuple[tuple[int, ...], Groups]] = []
            for steps in sorted(
                product(*(range(len(one)) for one in options)), key=lambda s: sum(_WEIGHT[x] for x in s)
            ):
                if any(None is options[i][x] for i, x in enumerate(steps)):
                    continue
                if any(all(y & x == y for x, y in zip(steps, less, strict=True)) for less, _ in reached):
                    continue  # fewer of them would have done
                moved = tuple(sorted([new, *(options[i][x] for i, x in enumerate(steps))]))  # type: ignore[type-var]
                if moved in self.known:
                    reached.append((steps, moved))  # type: ignore[arg-type]
            yield from (moved for _, moved in reached)


_WEIGHT: Final = (0, 1, 1, 2)


def _following(group: int, old: int, new: int) -> tuple[int | None, ...]:
    """Return a group as it is, moved in rank (and kind of set) as another, in suit, and in both; None: it cannot."""
    if not (_is_suited(group) and _is_suited(old) and _is_suited(new)):
        return (group, None, None, None)
    (kind, suit, rank), (kind0, suit0, rank0), (kind1, suit1, rank1) = map(_read, (group, old, new))
    shifted = (kind1 if kind == kind0 else kind, rank + rank1 - rank0)
    by_rank = (
        None if (rank0, kind0) == (rank1, kind1) or kind0 != kind != 2 else _encode_group(shifted[0], suit, shifted[1])
    )
    follows = suit == suit0 and suit0 != suit1
    by_suit = _encode_group(kind, suit1, rank) if follows else None
    both = _encode_group(shifted[0], suit1, shifted[1]) if follows and by_rank is not None else None
    return (group, by_rank, by_suit, both)


def _is_suited(group: int) -> bool:
    return group < _CHOWS or (group - _CHOWS) % 34 < _SUITED


def _read(group: int) -> tuple[int, int, int]:
    """Return kind (chow, pung, pair), suit and rank of a group of number tiles."""
    if group < _CHOWS:
        return 0, *divmod(group, 7)
    kind, tile = divmod(group - _CHOWS, 34)
    return 1 + kind, *divmod(tile, 9)


def _encode_group(kind: int, suit: int, rank: int) -> int | None:
    if not 0 <= rank < (7 if kind == 0 else 9):
        return None
    return 7 * suit + rank if kind == 0 else _CHOWS + 34 * (kind - 1) + 9 * suit + rank


# ---- changes


def most_changes(a: AskedFan, b: AskedFan, most: int) -> tuple[int, Groups, Groups] | None:
    """Return the most changes that a hand with a needs to have b too (fewer than `most`), the hand, and one it becomes.

    None: the fans share no groups, or some hand needs `most` or more.
    """
    if len(a.contents) > _MOST_CONTENTS or not a.groups & b.groups:
        return None
    worst: tuple[int, Groups, Groups] = (0, (), ())
    for content, free in _starts(a, b):
        found = next(
            ((n, end) for n in range(most) if (end := _find_reached(a, b, content, free, n)) is not None), None
        )
        if found is None:
            return None
        if found[0] > worst[0]:
            worst = (found[0], tuple(sorted(content + free)), found[1])
    return worst if worst[1] else None


def _starts(a: AskedFan, b: AskedFan) -> list[tuple[Groups, Groups]]:
    """Return hands with a: its own groups and the others, those that b has the least use for."""
    rng = random.Random(f"{a.fan.name} {b.fan.name}")
    pool: list[tuple[Groups, Groups]] = []
    if a.fan.of == ALL:
        if len(a.hands):
            pool = [
                ((), tuple(row)) for row in a.hands[np.linspace(0, len(a.hands) - 1, _POOL * 4).astype(int)].tolist()
            ]
    elif a.contents:
        for _ in range(_POOL):
            content = rng.choice(a.contents)
            melds = sum(group < _MELDS for group in content)
            free = [rng.randrange(_MELDS) for _ in range(4 - melds)]
            if melds == len(content):
                free.append(rng.randrange(_MELDS, _GROUPS))
            pool.append((content, tuple(free)))
    legal = [
        start for start in pool if planes(np.array([start[0] + start[1]]))[1][0] and not _has(b, start[0] + start[1])
    ]

    def useless(start: tuple[Groups, Groups]) -> int:
        return sum(group not in b.groups for group in start[0] + start[1])

    return sorted(legal, key=useless, reverse=True)[:_TRIES]


def _is_legal(groups: Groups) -> bool:
    return bool(planes(np.array([groups]))[1][0])


def _has(b: AskedFan, groups: Groups) -> bool:
    if b.fan.of != ALL:
        return any(tuple(sorted(some)) in b.known for some in combinations(groups, b.fan.of))
    return bool(np.asarray(b.fan.when(planes(np.array([sorted(groups)]))[0]))[0])


def _contents(a: AskedFan, content: Groups, cost: int) -> Iterable[Groups]:
    """Return the groups that a can have after this many changes."""
    reached, seen = {content}, {content}
    for _ in range(cost):
        reached = {moved for one in reached for moved in a.moves(one)} - seen
        seen |= reached
    return reached


def _find_reached(a: AskedFan, b: AskedFan, content: Groups, free: Groups, changes: int) -> Groups | None:
    """Return a hand with both fans that so many changes lead to, or None."""
    for cost in range(min(changes, 2 if content else 0) + 1):
        if changes - cost > len(free):
            continue
        for anchor in _contents(a, content, cost):
            found = (_find_whole if b.fan.of == ALL else _partial)(a, b, anchor, free, changes - cost)
            if found is not None:
                return found
    return None


def _partial(a: AskedFan, b: AskedFan, anchor: Groups, free: Groups, changes: int) -> Groups | None:
    """A hand with groups of b, of these groups of a and others of which so many may change."""
    for wanted in b.contents:
        left = list(anchor)
        missing = []
        for group in wanted:
            if group in left:
                left.remove(group)
            else:
                missing.append(group)
        kept = list(free)
        new = []
        for group in missing:
            if group in kept:
                kept.remove(group)
            else:
                new.append(group)
        pairs = sum(group >= _MELDS for group in new)
        spare = [group for group in kept if group < _MELDS]
        spare_pairs = [group for group in kept if group >= _MELDS]
        if len(new) > changes or len(new) - pairs > len(spare) or pairs > len(spare_pairs):
            continue
        for gone in combinations(spare, len(new) - pairs):
            stays = list(kept)
            for group in (*gone, *spare_pairs[:pairs]):
                stays.remove(group)
            hand = tuple(sorted([*wanted, *left, *stays]))
            if _is_legal(hand) and (a.fan.of != ALL or _has(a, hand)):
                return hand
    return None


def _find_whole(a: AskedFan, b: AskedFan, anchor: Groups, free: Groups, changes: int) -> Groups | None:
    """A hand in which b holds, with these groups of a and others of which exactly so many change."""
    if any(group not in b.groups for group in anchor):
        return None
    melds = [group for group in sorted(b.groups) if group < _MELDS]
    pairs = [group for group in sorted(b.groups) if group >= _MELDS]
    for some in combinations(range(len(free)), changes):
        if any(free[i] not in b.groups for i in range(len(free)) if i not in some):
            continue
        choices = [(pairs if free[i] >= _MELDS else melds) if i in some else [free[i]] for i in range(len(free))]
        axes = np.meshgrid(*[np.array(x) for x in choices], indexing="ij") if free else []
        columns = [axis.ravel() for axis in axes]
        n = len(columns[0]) if columns else 1
        hands = np.stack([*(np.full(n, group) for group in anchor), *columns], 1)
        for at in range(0, n, 1 << 17):
            block = hands[at : at + (1 << 17)]
            h, legal = planes(block)
            held = legal & (np.asarray(b.fan.when(h)) != 0)
            if a.fan.of == ALL:
                held &= np.asarray(a.fan.when(h)) != 0
            if held.any():
                return tuple(sorted(block[int(np.argmax(held))].tolist()))
    return None


def group_text(groups: Groups) -> str:
    """Write groups as tiles."""
    words = []
    for group in groups:
        if group < _CHOWS:
            suit, start = divmod(group, 7)
            words.append(f"{start + 1}{start + 2}{start + 3}{'mps'[suit]}")
        else:
            times, tile = 3 - (group - _CHOWS) // 34, (group - _CHOWS) % 34
            words.append(
                f"{str(tile % 9 + 1) * times}{'mps'[tile // 9]}" if tile < _SUITED else "ESWNCFP"[tile - 27] * times
            )
    return " ".join(words)

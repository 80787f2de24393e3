"""The 番种 of v29 that relate tiles and groups, said a second time: on lists of groups, by trying, without planes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations, permutations
from typing import NamedTuple

from quepu.hands.planes import PAIRS, STANDARD
from quepu.hands.win import CHOW, PAIR, PUNG, Reading

Kind = tuple[int, int]  # suit (0-2, 3 honours) and rank (1-9)


class Plain(NamedTuple):
    """A reading as lists. Kongs stand among the pungs; `tiles` has four of them."""

    form: int
    chows: list[Kind]
    pungs: list[Kind]
    pairs: list[Kind]
    tiles: list[Kind]
    kongs: list[Kind]
    fixed: list[tuple[int, Kind]]  # melds, as kind of group and lowest tile
    dark: int  # 暗刻
    seat: Kind
    closed: bool


def plain(reading: Reading) -> Plain:
    def place(tile: int) -> Kind:
        return tile // 9, tile % 9 + 1

    groups = reading.groups
    return Plain(
        reading.h.form,
        [place(g.tile) for g in groups if g.kind == CHOW],
        [place(g.tile) for g in groups if g.kind == PUNG],
        [place(g.tile) for g in groups if g.kind == PAIR],
        [place(t) for g in groups for t in g.tiles],
        [place(g.tile) for g in groups if g.kong],
        [(g.kind, place(g.tile)) for g in groups if g.exposed or g.kong],
        sum(g.kind == PUNG and not g.exposed and (not g.won or reading.win.hand.self_draw) for g in groups),
        place(reading.win.hand.seat),
        reading.win.hand.closed,
    )


def runs(kinds: Iterable[Kind], n: int, step: int) -> bool:
    held = set(kinds)
    return any(all((s, r + i * step) in held for i in range(n)) for s, r in held if s < 3)


def stairs(kinds: Iterable[Kind], step: int) -> bool:
    held = set(kinds)
    return any(
        all((s, r + i * step) in held for i, s in enumerate(order))
        for order in permutations(range(3))
        for r in range(1, 10)
    )


def couples(kinds: list[Kind], fits: Callable[[Kind, Kind], bool]) -> int:
    """The most pairs of these, none using one twice."""
    pairs = [
        (i, j) for i, j in combinations(range(len(kinds)), 2) if fits(kinds[i], kinds[j]) or fits(kinds[j], kinds[i])
    ]
    for n in range(len(kinds) // 2, 0, -1):
        for some in combinations(pairs, n):
            if len({i for pair in some for i in pair}) == 2 * n:
                return n
    return 0


def mixed(a: Kind, b: Kind) -> bool:
    return a[1] == b[1] and a[0] != b[0] and 3 not in (a[0], b[0])


def mirrors(h: Plain) -> bool:
    """镜数: some q turns this decomposition into one that has the same tiles and keeps the melds."""
    if h.form != STANDARD or any(s == 3 for s, _ in h.tiles):
        return False
    parts = [(CHOW, k) for k in h.chows] + [(PUNG, k) for k in h.pungs] + [(PAIR, k) for k in h.pairs]

    def spread(some: list[tuple[int, Kind]]) -> Counter[Kind]:
        tiles: Counter[Kind] = Counter()
        for kind, (s, r) in some:
            tiles.update([(s, r), (s, r + 1), (s, r + 2)] if kind == CHOW else [(s, r)] * (3 if kind == PUNG else 2))
        return tiles

    for twice in range(2, 19):
        turned = [(kind, (s, twice - r - (2 if kind == CHOW else 0))) for kind, (s, r) in parts]
        fits = all(1 <= r <= (7 if kind == CHOW else 9) for kind, (_, r) in turned)
        if fits and spread(turned) == spread(parts) and not Counter(h.fixed) - Counter(turned):
            return True
    return False


def mirror_suits(h: Plain) -> bool:
    if h.form != STANDARD or any(s == 3 for s, _ in h.pungs):
        return False
    sets = [(CHOW, k) for k in h.chows] + [(PUNG, k) for k in h.pungs]
    by_suit = [Counter((kind, r) for kind, (s, r) in sets if s == suit) for suit in range(3)]
    return sorted(c.total() for c in by_suit) == [0, 2, 2] and len({frozenset(c.items()) for c in by_suit if c}) == 1


def double_dragon(h: Plain) -> bool:
    def near(a: Kind, b: Kind) -> bool:
        return a[0] == b[0] and b[1] - a[1] == 3

    def far(a: Kind, b: Kind) -> bool:
        return a[0] == b[0] and (a[1], b[1]) == (1, 7)

    return couples(h.chows, near) == 2 or couples(h.chows, far) == 2


def outer(h: Plain, honours: bool) -> bool:
    """清带幺 (no honours) or 混带幺 (some)."""
    if h.form != STANDARD or not h.chows:
        return False
    others = h.pungs + h.pairs
    ends = all(r in (1, 7) for _, r in h.chows) and all(s == 3 or r in (1, 9) for s, r in others)
    return ends and any(s == 3 for s, _ in others) == honours


def ranks(h: Plain) -> set[int]:
    return {r for s, r in h.tiles if s < 3} if all(s < 3 for s, _ in h.tiles) else set()


def in_a_row(h: Plain, n: int) -> bool:
    held = ranks(h)
    return len(held) == n and max(held) - min(held) == n - 1


def nine(h: Plain) -> bool:
    if h.form != STANDARD or ranks(h) != set(range(1, 10)):
        return False
    parts = [{r, r + 1, r + 2} for _, r in h.chows] + [{r} for _, r in h.pungs + h.pairs]
    return all(not a & b for a, b in combinations(parts, 2))


def same_pairs(h: Plain, suits: int, n: int) -> bool:
    """In some so many suits the same n ranks are pairs."""
    sets = [{r for s, r in h.pairs if s == suit} for suit in range(3)]
    return h.form == PAIRS and any(len(set.intersection(*some)) >= n for some in combinations(sets, suits))


def mirror_pairs(h: Plain) -> bool:
    held = set(h.pairs)
    return h.form == PAIRS and any({(s, 2 * n - r) for s, r in held} == held for n in range(1, 10)) and bool(ranks(h))


def suits(h: Plain) -> set[int]:
    return {s for s, _ in h.tiles}


def equal_chows(h: Plain, n: int) -> int:
    return sum(times == n for times in Counter(h.chows).values())


TWIN: dict[str, Callable[[Plain], int]] = {
    "对对和": lambda h: len(h.pungs) == 4,
    "四杠": lambda h: len(h.kongs) == 4,
    "三杠": lambda h: len(h.kongs) == 3,
    "双杠": lambda h: len(h.kongs) == 2,
    "杠": lambda h: len(h.kongs) == 1,
    "四暗刻": lambda h: h.dark == 4,
    "三暗刻": lambda h: h.dark == 3,
    "双暗刻": lambda h: h.dark == 2,
    "暗刻": lambda h: h.dark >= 1,
    "四归": lambda h: sum(n == 4 and k not in h.kongs for k, n in Counter(h.tiles).items()),
    "门前清": lambda h: h.closed,
    "字一色": lambda h: suits(h) == {3},
    "大四喜": lambda h: {(3, r) for r in (1, 2, 3, 4)} <= set(h.pungs),
    "小四喜": lambda h: (
        sum((3, r) in h.pungs for r in (1, 2, 3, 4)) == 3 and any((3, r) in h.pairs for r in (1, 2, 3, 4))
    ),
    "四喜对": lambda h: h.form == PAIRS and {(3, r) for r in (1, 2, 3, 4)} <= set(h.pairs),
    "大三元": lambda h: {(3, r) for r in (5, 6, 7)} <= set(h.pungs),
    "小三元": lambda h: sum((3, r) in h.pungs for r in (5, 6, 7)) == 2 and any((3, r) in h.pairs for r in (5, 6, 7)),
    "三元对": lambda h: h.form == PAIRS and {(3, r) for r in (5, 6, 7)} <= set(h.pairs),
    "番牌 门风牌": lambda h: 2 if h.seat in h.pungs else h.seat in h.pairs,
    "番牌 中": lambda h: 2 if (3, 5) in h.pungs else (3, 5) in h.pairs,
    "番牌 發": lambda h: 2 if (3, 6) in h.pungs else (3, 6) in h.pairs,
    "番牌 白": lambda h: 2 if (3, 7) in h.pungs else (3, 7) in h.pairs,
    "客风刻": lambda h: sum(s == 3 and r <= 4 and (s, r) != h.seat for s, r in h.pungs),
    "清幺九": lambda h: ranks(h) <= {1, 9} and bool(ranks(h)),
    "混幺九": lambda h: (
        h.form in (STANDARD, PAIRS)
        and all(s == 3 or r in (1, 9) for s, r in h.tiles)
        and 3 in suits(h)
        and len(suits(h)) > 1
    ),
    "清带幺": lambda h: outer(h, False),
    "混带幺": lambda h: outer(h, True),
    "幺九刻": lambda h: sum(s < 3 and r in (1, 9) for s, r in h.pungs),
    "清一色": lambda h: len(suits(h)) == 1 and 3 not in suits(h),
    "混一色": lambda h: len(suits(h)) == 2 and 3 in suits(h),
    "缺一门": lambda h: len(suits(h)) <= 2 and 3 not in suits(h),
    "五门齐": lambda h: (
        h.form == STANDARD
        and suits(h) == {0, 1, 2, 3}
        and any(s == 3 and r <= 4 for s, r in h.tiles)
        and any(s == 3 and r > 4 for s, r in h.tiles)
    ),
    "二数": lambda h: len(ranks(h)) == 2,
    "三聚": lambda h: in_a_row(h, 3),
    "四聚": lambda h: in_a_row(h, 4),
    "九数贯通": nine,
    "镜数": mirrors,
    "镜数对": mirror_pairs,
    "四同顺": lambda h: equal_chows(h, 4),
    "三同顺": lambda h: equal_chows(h, 3),
    "二般高": lambda h: couples(h.chows, lambda a, b: a == b) == 2,
    "一般高": lambda h: equal_chows(h, 2) > 0,
    "三同刻": lambda h: any(all((s, r) in h.pungs for s in range(3)) for r in range(1, 10)),
    "双同刻": lambda h: couples(h.pungs, mixed),
    "三色同顺": lambda h: stairs(h.chows, 0),
    "喜相逢": lambda h: couples(h.chows, mixed),
    "三同二对": lambda h: same_pairs(h, 3, 2),
    "镜同": mirror_suits,
    "镜同对": lambda h: same_pairs(h, 2, 3),
    "四连刻": lambda h: runs(h.pungs, 4, 1),
    "三连刻": lambda h: runs(h.pungs, 3, 1),
    "四步高": lambda h: runs(h.chows, 4, 1),
    "三步高": lambda h: runs(h.chows, 3, 1),
    "四连环": lambda h: runs(h.chows, 4, 2),
    "三连环": lambda h: runs(h.chows, 3, 2),
    "一气贯通": lambda h: runs(h.chows, 3, 3),
    "双龙会": double_dragon,
    "连六": lambda h: runs(h.chows, 2, 3),
    "老少副": lambda h: runs(h.chows, 2, 6),
    "三色连刻": lambda h: stairs(h.pungs, 1),
    "三色步高": lambda h: stairs(h.chows, 1),
    "三色连环": lambda h: stairs(h.chows, 2),
    "三色贯通": lambda h: stairs(h.chows, 3),
}

OLDER: dict[str, Callable[[Plain], int]] = TWIN | {
    "四杠": lambda h: len(h.kongs) >= 4,
    "三杠": lambda h: len(h.kongs) >= 3,
    "双杠": lambda h: len(h.kongs) >= 2,
    "杠": lambda h: len(h.kongs) >= 1,
    "四暗刻": lambda h: h.dark >= 4,
    "三暗刻": lambda h: h.dark >= 3,
    "双暗刻": lambda h: h.dark >= 2,
    "大七星": lambda h: h.form == PAIRS and suits(h) == {3},
    "混幺九": lambda h: all(s == 3 or r in (1, 9) for s, r in h.tiles),
    "连七对": lambda h: h.form == PAIRS and len(suits(h)) == 1 and in_a_row(h, 7),
    "混一色": lambda h: len(suits(h) - {3}) <= 1,
    "缺一门": lambda h: len(suits(h)) == 2 and 3 not in suits(h),
    "三同顺": lambda h: any(n >= 3 for n in Counter(h.chows).values()),
    "一般高": lambda h: any(n >= 2 for n in Counter(h.chows).values()),
    "镜龙会": lambda h: mirror_suits(h) and double_dragon(h),
}
"""The same for v26, where it says 有 for 恰有 and defines some otherwise."""

"""Hands of the lab in the notation of melds: 123m 456p (777s) [EEEE] 99p."""

from __future__ import annotations

from quepu.planes import PAIRS, STANDARD, Planes
from quepu.tiles import NAMES, kinds_of


def _tiles(kinds: tuple[int, ...]) -> str:
    first = kinds[0]
    if first >= 27:
        return NAMES[first] * len(kinds)
    return "".join(NAMES[kind][0] for kind in kinds) + NAMES[first][1]


def reading_text(h: Planes) -> str:
    """A reading's groups in the notation, chows and pungs in order, the pair last; what was claimed in brackets."""
    found: list[tuple[int, str]] = []
    for own, exposed in ((h.c1, h.o1), (h.c2, h.o2), (h.c3, h.o3), (h.c4, h.o4)):
        for kind in kinds_of(own):
            text = _tiles((kind, kind + 1, kind + 2))
            found.append((kind, f"({text})" if kind in kinds_of(exposed) else text))
    for kind in kinds_of(h.p):
        kong = kind in kinds_of(h.k)
        text = _tiles((kind,) * (4 if kong else 3))
        bit = kinds_of(h.xp)
        found.append((kind, f"({text})" if kind in bit else f"[{text}]" if kong else text))
    texts = [text for _, text in sorted(found)]
    if h.form in (STANDARD, PAIRS) or h.c1 | h.p:
        if h.form & ~(STANDARD | PAIRS):
            texts = [_loose(h), *texts]
        twice = kinds_of(h.t3) if h.form == PAIRS else []
        texts += [_tiles((kind, kind)) for kind in sorted(kinds_of(h.pair) + twice)]
        return " ".join(texts)
    kinds = sorted(kinds_of(h.t1) + kinds_of(h.pair))
    return " ".join(_tiles((kind,)) for kind in kinds)


def _loose(h: Planes) -> str:
    """The single tiles of 组合龙: what its meld and pair leave over."""
    counts = [0] * 34
    for plane in (h.t1, h.t2, h.t3, h.t4):
        for kind in kinds_of(plane):
            counts[kind] += 1
    for kind in kinds_of(h.c1):
        for k in (kind, kind + 1, kind + 2):
            counts[k] -= 1
    for kind in kinds_of(h.p):
        counts[kind] -= 3
    for kind in kinds_of(h.pair):
        counts[kind] -= 2
    return " ".join(NAMES[kind] for kind in range(34) if counts[kind] > 0)

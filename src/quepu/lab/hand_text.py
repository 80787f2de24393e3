"""Hands of the lab in the notation of melds: 123m 456p (777s) [EEEE] 99p."""

from __future__ import annotations

from quepu.hands.planes import EDGE, GAP, OPEN_END, PAIRS, PUNG_PLACE, Planes
from quepu.tiles import BIT, KIND, NAMES, kinds_of


def _tiles(kinds: tuple[int, ...]) -> str:
    first = kinds[0]
    if first >= 27:
        return NAMES[first] * len(kinds)
    return "".join(NAMES[kind][0] for kind in kinds) + NAMES[first][1]


def reading_text(h: Planes) -> str:
    """Write a reading's groups in the notation, chows and pungs in order, the pair last; claimed ones in brackets.

    A winning tile, if any, is taken out of the group that it finished and put at the end: 12m … 99p +3m.
    """
    if not h.win:
        return _groups_text(h)
    texts = _groups_text(h).split(" ")
    name = NAMES[KIND[h.win]]
    at = texts.index(_name_finished_group(h)) if h.place else _alone(texts, name)
    left = texts[at].replace(name[0], "", 1)
    texts[at : at + 1] = [left] if left.strip("mps") else []
    return " ".join([*texts, f"+{name}"])


def _name_finished_group(h: Planes) -> str:
    """Return the concealed group that the winning tile finished."""
    last = KIND[h.win]
    if h.place in (EDGE, GAP, OPEN_END):
        own = h.c1 & ~h.o1 | h.c2 & ~h.o2 | h.c3 & ~h.o3 | h.c4 & ~h.o4  # starts of chows of which not all are claimed
        for start in (last - 1,) if h.place == GAP else (last, last - 2):
            edge = start % 9 == (6 if start == last else 0)
            if own & BIT[start] and (h.place == GAP or edge == (h.place == EDGE)):
                return _tiles((start, start + 1, start + 2))
    return _tiles((last,) * (3 if h.place == PUNG_PLACE else 2))


def _alone(texts: list[str], name: str) -> int:
    """Return the position of a tile that finished no chow, pung or pair: in a four of a kind, or single."""
    mine = [at for at, text in enumerate(texts) if name[0] in text and text.endswith(name[1:]) and text[0] not in "(["]
    four = [at for at in mine if texts[at].count(name[0]) == 4]
    return (four or mine)[0]


def _groups_text(h: Planes) -> str:
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
    left = _count_left(h)
    four = [kind for kind in kinds_of(h.p) if left[kind] == 1]  # 二不杠, 三不杠: a pung and the fourth tile
    for kind in four:
        found.remove((kind, _tiles((kind,) * 3)))
        found.append((kind, _tiles((kind,) * 4)))
        left[kind] = 0
    texts = [text for _, text in sorted(found)]
    pairs = [kind for kind in range(34) for _ in range(left[kind] // 2)] if h.form == PAIRS else kinds_of(h.pair)
    if h.form != PAIRS:
        for kind in pairs:
            left[kind] -= 2
        single = [kind for kind in range(34) for _ in range(left[kind])]
        suits = [tuple(kind for kind in single if kind // 9 == s) for s in range(4)]
        texts = [
            _tiles(kinds) if kinds[0] < 27 else "".join(NAMES[k] for k in kinds) for kinds in suits if kinds
        ] + texts
    return " ".join(texts + [_tiles((kind, kind)) for kind in sorted(pairs)])


def _count_left(h: Planes) -> list[int]:
    """Count the tiles of each kind outside chows, pungs and kongs."""
    counts = [0] * 34
    for plane in (h.t1, h.t2, h.t3, h.t4):
        for kind in kinds_of(plane):
            counts[kind] += 1
    for plane in (h.c1, h.c2, h.c3, h.c4):
        for kind in kinds_of(plane):
            for k in (kind, kind + 1, kind + 2):
                counts[k] -= 1
    for kind in kinds_of(h.p):
        counts[kind] -= 3
    for kind in kinds_of(h.k):
        counts[kind] -= 1
    return counts


def write_won(text: str) -> str:
    """Return a hand of the lab as won by its last tile: … 33m is … 3m+3m."""
    whole = text.replace(" ", "")
    suit = whole[-1] if whole[-1] in "mps" else ""
    tile = whole[-2:] if suit else whole[-1]
    return whole if "+" in whole or whole[-1] in ")]" else f"{whole[: -len(tile)]}{suit}+{tile}"

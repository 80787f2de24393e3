"""What properties are tested on: hypothesis strategies for tiles, melds and hands."""

from __future__ import annotations

from hypothesis import strategies as st

from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.tiles import KINDS

CHOW_STARTS = [kind for kind in range(27) if kind % 9 < 7]


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    """Any meld."""
    kind = draw(st.sampled_from(MeldKind))
    tile = draw(st.sampled_from(CHOW_STARTS) if kind is MeldKind.CHOW else st.integers(0, KINDS - 1))
    return Meld(kind, tile)


@st.composite
def hands(draw: st.DrawFn, winning: bool | None = None) -> Hand:
    """Any hand of legal tiles, whether it wins or not: 13 tiles, 13 + 1 (`winning`), or 14 about to discard."""
    counts = [0] * KINDS
    chosen: list[Meld] = []
    for meld in draw(st.lists(melds(), max_size=4)):
        if all(counts[kind] + meld.tiles.count(kind) <= 4 for kind in meld.tiles):
            chosen.append(meld)
            for kind in meld.tiles:
                counts[kind] += 1
    left = [kind for kind in range(KINDS) for _ in range(4 - counts[kind])]
    n = 14 - 3 * len(chosen)
    places = draw(st.lists(st.integers(0, len(left) - 1), min_size=n, max_size=n, unique=True))
    tiles = [left[i] for i in places]
    how = draw(st.sampled_from(["thirteen", "winning", "fourteen"])) if winning is None else "winning"
    if how == "fourteen":
        return Hand(tuple(sorted(tiles)), tuple(chosen))
    return Hand(tuple(sorted(tiles[1:])), tuple(chosen), tiles[0] if how == "winning" else None)

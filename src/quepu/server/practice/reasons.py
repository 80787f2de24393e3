"""Explain wrong choices: a fan that does not count, a tile that is not a wait, a worse discard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quepu.errors import Error, Text, many
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score
from quepu.scoring.waits import Outlook, after_discards
from quepu.server.practice.questions import Question, winning_tiles
from quepu.shapes.distance import hand_missing, readiness_text
from quepu.tiles import NAMES, SIMPLIFIED, Tile

_FOUR = 4


def no_fans(score: Score, names: Iterable[str]) -> dict[str, Text]:
    """Say why these fans do not count: another excludes them, or the hand does not satisfy the sentence."""
    book = score.book
    left_out = {book.fans[one.row].name: one.why for one in book.explain_tally(score.best.h).dropped}
    found: dict[str, Text] = {}
    for name in names:
        if name in left_out:
            why = left_out[name]
            found[name] = Text(f"牌形成立，但{why.zh}", f"the tiles fit; {why.en}")
        else:
            row = book.fans[book.index[name]]
            english = row.definition or row.english
            found[name] = Text(f"这手牌不符合：{row.sentence}", f"this hand does not have it: {english}")
    return found


def no_waits(made: Question, book: Rulebook, tiles: Iterable[str]) -> dict[str, Text]:
    """Say why each of these tiles does not complete the hand."""
    held = [*made.hand.concealed, *(tile for meld in made.hand.melds for tile in meld.tiles)]
    found: dict[str, Text] = {}
    for tile in tiles:
        kind = NAMES.index(tile) if tile in NAMES else -1
        if kind < 0:
            continue
        if held.count(kind) >= _FOUR:
            found[tile] = Text("四张都在自己手里", "all four of it are in this hand")
            continue
        hand = made.hand._replace(concealed=tuple(sorted((*made.hand.concealed, kind))))
        try:
            missing = hand_missing(hand, book.shapes)
        except Error:
            continue
        state = readiness_text(missing)
        found[tile] = Text(f"来了它不成和，打一张后{state.zh}", f"not complete with it: {state.en} after a discard")
    return found


def no_discards(made: Question, book: Rulebook, left: Mapping[Tile, Outlook], best: Tile) -> dict[str, Text]:
    """Say why each tile but the best is not the discard, by the waits it leaves."""
    found: dict[str, Text] = {}
    for tile, after in after_discards(made.hand).items():
        name, look = NAMES[tile], left.get(tile)
        if tile == best:
            continue
        if look is None:
            state = readiness_text(hand_missing(after, book.shapes))
            found[name] = Text(f"打了不听，{state.zh}", f"not ready then: {state.en}")
            continue
        zh = "".join(SIMPLIFIED[wait.tile] for wait in look.waits)
        en = " ".join(NAMES[wait.tile] for wait in look.waits)
        tiles = winning_tiles(look)
        found[name] = (
            Text(f"打了听{zh}，能和的只有 {tiles} 张", f"waits for {en}: {many(tiles, 'tile')} can win")
            if tiles
            else Text(
                f"打了听{zh}，没有一张够起和或还剩", f"waits for {en}: none of the remaining tiles reaches the minimum"
            )
        )
    return found

"""One hand at a time: from tiles to a score, and to an explained score; beside `mahjong` on its own rules.

The hands are random legal wins of mixed rarity (`scoring.samples`), each different, seeded. `mahjong` gets those of the
灵雀 hands that its rules can score too, with riichi where the hand is closed so that there is always a yaku; both score
exactly the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rows import Row, seconds

import quepu
from quepu.hands.hand import Hand, Luck, MeldKind
from quepu.hands.notation import parse, write
from quepu.rulebooks import book, book_ids
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

HANDS = 4000


def measure() -> Iterator[Row]:
    """One row a book and way of asking."""
    yield from _beside_mahjong()
    for name in book_ids():
        rules = book(name)
        hands = list(wins(rules, HANDS, seed=20261121))
        texts = [write(hand) for hand in hands]
        spent = seconds(partial(_scored, hands, rules))
        yield Row(f"{name}: tiles to points and fans", _rate(spent, len(hands)))
        if rules.id == "lingque-29":
            spent = seconds(partial(_parsed, texts))
            yield Row("text to hand", _rate(spent, len(texts)))


def _scored(hands: Sequence[Hand], rules: Rulebook) -> list[int]:
    return [score_hand(hand, rules).points for hand in hands]


def _parsed(texts: Sequence[str]) -> list[Hand]:
    return [parse(text) for text in texts]


def _rate(spent: float, n: int) -> str:
    return f"{spent / n * 1e6:.1f} µs ({n / spent:,.0f}/s)"


def _beside_mahjong() -> Iterator[Row]:
    from mahjong.hand_calculating.hand import HandCalculator

    rules = book("lingque-29")
    calculator = HandCalculator()
    questions = []
    hands: list[Hand] = []
    for hand in wins(rules, 2 * HANDS, seed=20261121):
        question = _question(hand)
        if calculator.estimate_hand_value(**question).error is None:
            questions.append(question)
            hands.append(hand)
    theirs = seconds(lambda: [calculator.estimate_hand_value(**question) for question in questions])
    yield Row(f"`mahjong`: estimate_hand_value ({len(questions)} hands)", _rate(theirs, len(questions)))
    for what, work in _ways(hands, rules):
        ours = seconds(work)
        yield Row(f"lingque-29, the same hands: {what}", _rate(ours, len(hands)), f"{theirs / ours:.1f} × `mahjong`")


def _ways(hands: list[Hand], rules: Rulebook) -> Iterator[tuple[str, Callable[[], object]]]:
    texts = [write(hand) for hand in hands]
    yield "tiles to points", lambda: [score_hand(hand, rules).points for hand in hands]
    yield "tiles to points and fans", lambda: [score_hand(hand, rules).fans for hand in hands]
    yield "text to points", lambda: [quepu.score(text, rules).points for text in texts]
    yield "tiles to the whole explanation", lambda: [score_hand(hand, rules).to_json(explain=True) for hand in hands]


def _question(hand: Hand) -> dict[str, object]:
    """A hand as `mahjong` wants it: numbers of 136 tiles, melds, and its configuration."""
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.meld import Meld

    left = {kind: [kind * 4 + i for i in range(4)] for kind in range(34)}

    def taken(kinds: tuple[int, ...]) -> list[int]:
        return [left[_kind(kind)].pop(0) for kind in kinds]

    melds = []
    tiles: list[int] = []
    for meld in hand.melds:
        numbers = taken(meld.tiles)
        sort = Meld.CHI if meld.kind is MeldKind.CHOW else Meld.PON if meld.kind is MeldKind.PUNG else Meld.KAN
        melds.append(Meld(meld_type=sort, tiles=numbers, opened=meld.exposed))
        tiles += numbers
    tiles += taken(hand.concealed)
    assert hand.winning is not None
    winning = taken((hand.winning,))[0]
    closed = all(not meld.opened for meld in melds)
    config = HandConfig(
        is_tsumo=bool(hand.luck & Luck.SELF_DRAW),
        is_riichi=closed,
        player_wind=hand.seat,
        round_wind=hand.round,
    )
    return {"tiles": [*tiles, winning], "win_tile": winning, "melds": melds, "config": config}


def _kind(kind: int) -> int:
    """`mahjong` has its dragons in the order white, green, red."""
    return {31: 33, 33: 31}.get(kind, kind)

"""PyMahjongGB as a second opinion on guobiao-mcr."""

from __future__ import annotations

from MahjongGB import MahjongFanCalculator

from quepu.hands.hand import Hand, Luck, MeldKind

# 万 W, 饼 B, 条 T, winds F1-F4, dragons J1-J3
TILES = (*(f"{'WBT'[k // 9]}{k % 9 + 1}" for k in range(27)), "F1", "F2", "F3", "F4", "J1", "J2", "J3")
NAMES = {"独听・边张": "边张", "独听・嵌张": "嵌张", "独听・单钓": "单钓将"}
PACKS = {MeldKind.CHOW: "CHI", MeldKind.PUNG: "PENG", MeldKind.KONG: "GANG", MeldKind.CONCEALED_KONG: "GANG"}


def peer(hand: Hand) -> tuple[int, dict[str, int]]:
    """Total (flowers included) and how often each fan counts, by PyMahjongGB."""
    assert hand.winning is not None
    packs = tuple(
        (PACKS[m.kind], TILES[m.tile + (m.kind == MeldKind.CHOW)], 0 if m.kind == MeldKind.CONCEALED_KONG else 1)
        for m in hand.melds
    )
    luck = Luck(hand.luck)
    fans = MahjongFanCalculator(
        packs, tuple(TILES[k] for k in hand.concealed), TILES[hand.winning], hand.flower_count, hand.self_draw,
        bool(luck & Luck.FOURTH_TILE), bool(luck & (Luck.KONG_DRAW | Luck.ROBBED_KONG)),
        bool(luck & (Luck.LAST_DRAW | Luck.LAST_DISCARD)), hand.seat - 27, hand.round - 27, True,
    )  # fmt: skip
    return sum(points * n for points, n, *_ in fans), {NAMES.get(name, name): n for _, n, name, _ in fans}

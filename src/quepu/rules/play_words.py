"""Words for a book's rules of table and match: the name of every field of the rules of play, and its value."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from quepu.errors import Text, join_list, many
from quepu.rules.play_rules import MatchRules, TableRules
from quepu.tiles import TileSet

FIELDS: Final = {
    "tiles": Text("牌张", "tiles"),
    "flowers_replaced": Text("花牌一律补花", "a flower is always replaced"),
    "flowers_held": Text("花牌可以留在手里", "a flower can be held"),
    "dead_wall": Text("王牌张数", "tiles of the dead wall"),
    "dead_wall_feeds": Text("杠后从王牌补", "replacements come out of the dead wall"),
    "kong_after_claim": Text("吃碰后可开杠", "a kong can follow a chow or pung"),
    "claims": Text("打出的牌可以", "a discard can be claimed for"),
    "last_discard": Text("最后一张打出的牌可以", "the last discard can be claimed for"),
    "kong_without_replacement": Text("牌墙摸完仍可开杠", "a kong can be made on an empty wall"),
    "concealed_kong_robbed_by": Text("暗杠可抢", "a concealed kong can be robbed"),
    "earthly": Text("地和", "earthly hand"),
    "heavenly_after_kong": Text(
        "庄家先暗杠仍是天和", "a heavenly hand is still possible after the dealer declares concealed kongs"
    ),
    "declares_ready": Text("可以报听", "a ready hand can be declared"),
    "flower_wins": Text("七张、八张花可和", "seven or eight flowers win"),
    "concealed_kongs_hidden": Text("暗杠扣放，局终亮出", "concealed kongs lie face down until the end"),
    "most_winners": Text("同一张牌至多几家和", "players who may win the same tile"),
    "barred_claims": Text("停和的一家仍可吃碰杠", "a dead hand may still claim"),
    "outer_discards": Text(
        "流局时打出的全是幺九可和", "a hand without a winner is won by discards of only terminals and honours"
    ),
    "rounds": Text("圈数", "rounds"),
    "dealer_repeats": Text("连庄", "the dealer stays"),
    "shared_win": Text("几家同和时的连庄", "the dealer stays after several winners"),
    "moves": Text("换座", "seats change"),
    "reduced": Text("约化分数", "reduced score"),
    "start": Text("起始分", "points at the start"),
    "standard": Text("标准分", "standard points"),
    "another_round": Text("按名次计时加赛", "extra rounds in ranked matches"),
}
SETTINGS: Final = {
    "most": Text("封顶（番）", "cap on payments (fan)"),
    "cap": Text("封顶（番）", "cap on payments (fan)"),
    "base": Text("底分", "base"),
    "payment": Text("番数换点数", "points for each number of fan"),
    "discard": Text("谁付铳和", "who pays a discard"),
    "penalties": Text("罚例", "penalties"),
    "self_draw": Text("自摸怎样付", "how a self-draw is paid"),
    "stake": Text("一点值多少钱", "the money a point is worth"),
    "bao_twelve": Text("十二章包", "twelve tiles: who gives the fourth set pays"),
    "bao_dragons": Text("大三元包", "who gives the third dragon set pays"),
    "bao_winds": Text("大四喜包", "who gives the fourth wind set pays"),
    "bao_kongs": Text("四杠包", "who gives the fourth open kong pays"),
    "bao_nine": Text("九章包", "who discards to a full flush with three sets open pays for all"),
    "bao_last": Text("海底五张生张包", "an unseen tile among the last five pays for all"),
    "bao_discard": Text("包的牌由第三家出冲", "a third player discards to a guaranteed hand"),
    "winners": Text("同一张牌至多几家和", "players who may win the same tile"),
    "winners_order": Text("几家同和先付谁", "who is paid first of several winners"),
    "winners_dealer": Text("几家同和时的连庄", "the dealer stays after several winners"),
    "unready_quarter": Text("没听付的点", "payment of an unready player"),
    "kong_tiles": Text("杠后补牌", "replacements"),
    "last_tile_kongs": Text("牌墙摸完仍可开杠", "a kong can be made on an empty wall"),
    "minimum_of_all": Text("起和算上全部番", "the minimum counts every fan"),
    "loose_not_concealed": Text("不靠自摸不计不求人", "knitted tiles self-drawn count no fully concealed hand"),
    "orphans_not_concealed": Text("十三幺自摸不计不求人", "thirteen orphans self-drawn count no fully concealed hand"),
    "new_fans_capped": Text("自定番种按 most 封顶", "new fans count `most` times at most"),
}
"""Settings that the arithmetic and the table of a book use."""
FLOWERS = Text("用花牌", "there are flowers")
FLOWER_VALUE: Final = Text("每张花牌", "each flower")
_WORDS: Final = {
    "chow": Text("吃", "chow"),
    "pung": Text("碰", "pung"),
    "kong": Text("杠", "kong"),
    "win": Text("和", "win"),
    "first discard": Text("和庄家的第一张打牌", "off the dealer's first discard"),
    "first draw": Text("和自己摸的第一张", "on one's own first draw"),
    "never": Text("不连", "never"),
    "any": Text("庄家在内即连", "if among them"),
    "first": Text("最近的一家是庄家才连", "if the nearest"),
    "win or draw": Text("庄家和牌或流局", "on a win or a hand without a winner"),
}
_STAYS: Final = Text("庄家和牌", "on a win")
_YES, _NO = Text("是", "yes"), Text("否", "no")
_NONE = Text("无", "none")


def setting_words(value: Any) -> Text:
    """Describe the value of a setting."""
    if isinstance(value, bool):
        return _YES if value else _NO
    return Text(str(value), str(value)) if value else _NONE


def _value(name: str, value: Any) -> Text:
    if name == "concealed_kong_robbed_by" or callable(value):
        value = bool(value)
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, TileSet):
        flowers = len(value.flowers)
        more = Text(f"（花 {flowers}）", f" ({many(flowers, 'flower')})") if flowers else Text("", "")
        return Text(f"{value.size} 张{more.zh}", f"{value.size}{more.en}")
    if isinstance(value, frozenset):
        words = [word for key, word in _WORDS.items() if key in value]
        return join_list(words) if words else _NONE
    if name == "moves":
        return _moves(value)
    if name == "reduced" and value is not None:
        alpha, scale = (f"{x:g}" for x in value)
        return Text(f"α 为 {alpha}，T₀ 为 {scale}", f"α = {alpha}, T₀ = {scale}")
    if isinstance(value, tuple):
        text = "-".join(f"{x:g}" for x in value)
        return Text(text, text) if value else _NONE
    if value is None:
        return _NONE
    if name == "dealer_repeats" and value == "win":
        return _STAYS
    return _WORDS.get(value, Text(str(value), str(value)))


def _moves(moves: tuple[tuple[int, ...], ...]) -> Text:
    """Describe seat changes after each round: which seats swap, and which move on in a ring."""
    if not moves:
        return Text("不换", "none")
    rounds: dict[tuple[int, ...], list[str]] = {}
    for n, move in enumerate(moves, 1):
        rounds.setdefault(move, []).append(str(n))
    turns = []
    for move, after in rounds.items():
        zh, en = [], []
        for ring in _rings(move):
            winds, letters = ["东南西北"[wind] for wind in ring], ["ESWN"[wind] for wind in ring]
            pair = len(ring) == 2
            zh.append(f"{winds[0]}{winds[1]}互换" if pair else "→".join([*winds, winds[0]]))
            en.append(f"{letters[0]} and {letters[1]} change places" if pair else "→".join([*letters, letters[0]]))
        rounds_en = f"round{'s' if len(after) > 1 else ''} {' and '.join(after)}"
        turns.append(Text(f"第 {'、'.join(after)} 圈后{'、'.join(zh)}", f"after {rounds_en} {', '.join(en)}"))
    return Text("；".join(one.zh for one in turns), "; ".join(one.en for one in turns))


def _rings(move: tuple[int, ...]) -> list[list[int]]:
    """Return the rings of a permutation, without fixed points."""
    rings, seen = [], set[int]()
    for start in range(len(move)):
        ring = []
        while start not in seen:
            seen.add(start)
            ring.append(start)
            start = move[start]  # noqa: PLW2901 - follows the ring
        if len(ring) > 1:
            rings.append(ring)
    return rings


def play_words(part: TableRules | MatchRules) -> dict[str, Text]:
    """Describe every field of the rules of a table or a match, by key."""
    return {one.name: _value(one.name, getattr(part, one.name)) for one in fields(part)}

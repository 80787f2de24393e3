"""Words for a book's rules of table and match: the name of every field of the rules of play, and its value."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from quepu.errors import Text
from quepu.rules.play_rules import MatchRules, TableRules
from quepu.tiles import TileSet

FIELDS: Final = {
    "tiles": Text("牌张", "tiles"),
    "flowers_replaced": Text("花牌一律补花", "a flower is always replaced"),
    "dead_wall": Text("王牌张数", "tiles of the dead wall"),
    "dead_wall_feeds": Text("杠后从王牌补", "replacements come out of the dead wall"),
    "kong_after_claim": Text("吃碰后可开杠", "a kong may follow a chow or pung"),
    "claims": Text("打出的牌可以", "a discard may be claimed for"),
    "last_discard": Text("最后一张打出的牌可以", "the last discard may be claimed for"),
    "kong_without_replacement": Text("牌墙摸完仍可开杠", "a kong may be made on an empty wall"),
    "concealed_kong_robbed_by": Text("暗杠可抢", "a concealed kong may be robbed"),
    "earthly": Text("地和", "earthly win"),
    "heavenly_after_kong": Text("庄家先暗杠仍是天和", "a heavenly win may follow concealed kongs"),
    "declares_ready": Text("可以报听", "a ready hand may be declared"),
    "flower_wins": Text("七张、八张花可和", "seven or eight flowers win"),
    "hand": Text("手牌张数", "tiles of a hand"),
    "concealed_kongs_hidden": Text("暗杠扣放，局终亮出", "concealed kongs lie face down until the end"),
    "outer_discards": Text("流局时打出的全是幺九可和", "a drawn hand is won by discards of terminals and honours"),
    "rounds": Text("圈数", "rounds"),
    "dealer_repeats": Text("连庄", "the dealer stays"),
    "moves": Text("换座", "seats change"),
    "reduced": Text("约化分数的 α、T₀", "α and T₀ of the reduced score"),
    "start": Text("起始分", "points at the start"),
    "standard": Text("标准分", "standard points"),
    "another_round": Text("论名次时加赛", "extra rounds where rank is played for"),
}
FLOWERS = Text("用花牌", "there are flowers")
_WORDS: Final = {
    "chow": Text("吃", "chow"),
    "pung": Text("碰", "pung"),
    "kong": Text("杠", "kong"),
    "win": Text("和", "win"),
    "first discard": Text("和庄家的第一张打牌", "off the dealer's first discard"),
    "first draw": Text("和自己摸的第一张", "on one's own first draw"),
    "never": Text("不连", "never"),
    "win or draw": Text("和牌或流局", "on a win or a drawn hand"),
}
_STAYS: Final = Text("和牌", "on a win")
_YES, _NO = Text("是", "yes"), Text("否", "no")
_NONE = Text("无", "none")


def _value(name: str, value: Any) -> Text:
    if name == "concealed_kong_robbed_by" or callable(value):
        value = bool(value)
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, TileSet):
        flowers = len(value.flowers)
        more = Text(f"（花 {flowers}）", f" ({flowers} flowers)") if flowers else Text("", "")
        return Text(f"{value.size} 张{more.zh}", f"{value.size}{more.en}")
    if isinstance(value, frozenset):
        words = [word for key, word in _WORDS.items() if key in value]
        return Text("、".join(w.zh for w in words), ", ".join(w.en for w in words)) if words else _NONE
    if name == "moves":
        winds = ("东南西北", "ESWN")
        turns = [Text("".join(winds[0][w] for w in row), "".join(winds[1][w] for w in row)) for row in value]
        return Text("、".join(t.zh for t in turns), ", ".join(t.en for t in turns)) if turns else Text("不换", "no")
    if isinstance(value, tuple):
        text = "-".join(f"{x:g}" for x in value)
        return Text(text, text) if value else _NONE
    if value is None:
        return _NONE
    if name == "dealer_repeats" and value == "win":
        return _STAYS
    return _WORDS.get(value, Text(str(value), str(value)))


def play_words(part: TableRules | MatchRules) -> dict[str, Text]:
    """Every field of the rules of a table or a match by its key: its value in words."""
    return {one.name: _value(one.name, getattr(part, one.name)) for one in fields(part)}

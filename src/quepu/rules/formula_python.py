"""A formula as Python: the condition of a row, in the words of `quepu.hands.planes`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from quepu.errors import OverlayError
from quepu.rules.formula_tree import LEVELS, Node
from quepu.rules.formula_words import words
from quepu.tiles import BIT, KIND

_FIRST_HONOUR: Final = 27
_SUIT: Final = 9
_HONOURS: Final = ("EAST", "SOUTH", "WEST", "NORTH", "RED", "GREEN", "WHITE")
_LANES: Final = ("LANE", "LANE << 16", "LANE << 32")
_CODE: Final = {
    "顺子": "h.c1", "两副顺子": "h.c2", "三副顺子": "h.c3", "四副顺子": "h.c4", "吃的顺子": "h.o1", "刻子": "h.p",
    "碰的刻子": "h.xp", "暗的刻子": "h.pc", "各副杠": "h.k", "各副暗杠": "h.kc", "雀头": "h.pair", "牌": "h.t1",
    "成双的牌": "h.t2", "成三的牌": "h.t3", "成四的牌": "h.t4", "门风牌": "h.seat", "圈风牌": "h.round",
    "和牌张": "h.win", "听的牌": "h.waits", "字牌": "HONOUR_TILES", "风牌": "WINDS", "箭牌": "DRAGONS",
    "序数牌": "SUIT_TILES", "老头牌": "TERMINALS", "幺九牌": "OUTER", "万子": "LANE", "筒子": "LANE << 16",
    "索子": "LANE << 32", "个数": "count({all})", "几种序数": "count(any_suit({all}))", "几门": "suits({all})",
    "有": "{0} != 0", "没有": "{0} == 0", "只有": "only(h, {all})", "相连": "run({all})", "三色相连": "mixed({all})",
    "三色相同": "same_rank({all})", "两色相同": "two_suits({all})", "各色合并": "any_suit({all})",
    "镜像": "mirrored({all})", "升": "raise_ranks({all})", "降": "lower_ranks({all})", "换色": "next_suit({all})",
    "绕雀头镜像": "mirror_about_pair({all}, h.pair)", "居中镜像": "mirror_about_middle({all})",
    "相同": "{0} ^ {1} == 0", "算一次": "({0} != 0) * 1", "几对顺子": "couples(h, {all})",
    "异色顺子对": "couples(h, 16, 32)",
    "吃碰的副数": "count_claimed_sets(h)", "花数": "count(h.flowers)", "自摸的": "lucky(h, Luck.SELF_DRAW)",
    "门清的": "lucky(h, Luck.CLOSED)", "标准形": "is_form(h, STANDARD)", "七对形": "is_form(h, PAIRS)",
    "十三幺形": "is_form(h, ORPHANS)", "全不靠形": "is_form(h, LOOSE)", "组合龙形": "is_form(h, KNITTED)",
    "边张的": "h.place & EDGE != 0", "嵌张的": "h.place & GAP != 0", "两面的": "h.place & OPEN_END != 0",
    "单钓的": "h.place & SINGLE != 0", "对碰的": "h.place & PUNG_PLACE != 0",
}  # fmt: skip
"""Each word of a formula in Python: {0} and {1} are its arguments in brackets, {all} as they are."""
_CLOSED: Final = re.compile(r"[\w.]+(\(.*\))?")
"""Code that needs no brackets: a name, or one call."""


def write_python(tree: Node, name_fan: Callable[[str], str], name_luck: Callable[[str], str]) -> str:
    """Return a condition as a row writes it, about `h`; the two functions write the fans and circumstances it names.

    Raises:
        OverlayError: it is not about a hand.
    """
    code = _code(tree, (name_fan, name_luck))[0]
    return f"most(0, {code})" if tree.kind == "-" else code  # how often a fan holds is never below 0


_Named = tuple[Callable[[str], str], Callable[[str], str]]


def _code(node: Node, named: _Named) -> tuple[str, bool]:
    """Return Python, and whether it needs no brackets."""
    if node.kind == "word":
        return _word(node, named)
    if node.kind == "held":
        (tiles,) = node.parts
        return f"h.t1 & {_bracket(tiles, named)}", False
    if node.kind == "not":
        (condition,) = node.parts
        return f"{_bracket(condition, named)} == 0", False
    if node.kind == "without":
        a, b = (_bracket(part, named) for part in node.parts)
        return f"{a} ^ ({a} & {b})", False
    if node.kind in LEVELS:
        sign = {"or": "|", "and": "&", "=": "=="}.get(node.kind, node.kind)
        a, b = (_bracket(part, named) for part in node.parts)
        return f"{a} {sign} {b}", False
    if node.kind == "tiles":
        return _tile_code(int(node.value))
    if node.kind == "fan":
        return named[0](node.value), False
    if node.kind == "luck":
        return f"lucky(h, {named[1](node.value)})", True
    if node.kind == "name":
        raise OverlayError(f"“{node.value}”不是牌的条件。", f"{node.value!r} is not about a hand.")
    return node.value, True


def _word(node: Node, named: _Named) -> tuple[str, bool]:
    if words()[node.value].of_ranks:
        (digits,) = node.parts
        return f'ranks("{digits.value.replace("0", "")}")', True
    brackets = [_bracket(part, named) for part in node.parts]
    loose = [_code(part, named)[0] for part in node.parts]
    code = _CODE[node.value]
    return code.format(*brackets, all=", ".join(loose)), _CLOSED.fullmatch(code) is not None


def _bracket(node: Node, named: _Named) -> str:
    text, closed = _code(node, named)
    return text if closed else f"({text})"


def _tile_code(plane: int) -> tuple[str, bool]:
    """Return ranks of one suit, or an honour, in Python: ranks("19") & LANE, BIT[EAST]."""
    kinds = [KIND[bit] for bit in BIT if plane & bit]
    first, *_ = kinds
    if first >= _FIRST_HONOUR:
        return f"BIT[{_HONOURS[first - _FIRST_HONOUR]}]", True
    digits = "".join(str(kind % _SUIT + 1) for kind in kinds)
    return f'ranks("{digits}") & {_LANES[first // _SUIT]}', False

"""The arithmetic of one counting, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quepu.errors import Text, many
from quepu.rulebooks.lingque.jumps import USUAL_JUMP, Jump
from quepu.rulebooks.lingque.row import ENGLISH_CLASS

if TYPE_CHECKING:
    from quepu.rulebooks.lingque.arithmetic import Counting, HeldRow
    from quepu.rules.row import Fan
    from quepu.rules.rulebook import Rulebook


def steps(book: Rulebook, taken: tuple[HeldRow, ...], counting: Counting, closed: int, jump: Jump) -> tuple[Text, ...]:
    """Explain the points: the 副, the highest fan, the two jumps, the product."""
    if not taken:
        return (Text("没有计入任何番种，0 点", "no fan counts: 0 points"),)
    fans = book.fans
    pungs = [x for x in taken if x.pung]
    sums = [f"{x.value.fu}" + (f"×{x.times}" if x.times > 1 else "") for x in taken]
    lines = [
        Text(
            "副："
            + " + ".join(f"{fans[x.row].name} {s}" for x, s in zip(taken, sums, strict=True))
            + f" = {counting.fu} 副",
            "Fu: "
            + " + ".join(f"{fans[x.row].english} {s}" for x, s in zip(taken, sums, strict=True))
            + f" = {counting.fu}",
        )
    ]
    if len(pungs) > 1:
        lines.append(
            Text(
                "、".join(fans[x.row].name for x in pungs) + f"视为一个 {len(pungs)} 翻的“番牌”",
                " and ".join(fans[x.row].english for x in pungs) + f" merge into one fan of {len(pungs)} fan (番牌)",
            )
        )
    best = _best_by_class(book, taken, len(pungs))
    (first, f0), (second, f1) = best[0], best[1] if len(best) > 1 else (best[0][0], 0)
    lines.append(
        Text(f"最大单番翻数：{_zh(first)}{f0} 翻", f"Highest single fan: {_en(first)}, {f0} fan"),
    )
    added = jump(f0, f1)
    if f1 > 1 or added:
        lines.append(_jump_line(second, f0, f1, jump))
    if closed:
        lines.append(
            Text(
                f"门清跳翻：没有吃、碰、明杠，加 {closed} 翻",
                f"Concealed jump (no chow, pung or exposed kong claimed): {_more(closed)}",
            )
        )
    lines.append(
        Text(
            f"{counting.fu} 副 × {counting.fan} 翻 = {counting.points} 点",
            f"{counting.fu} fu × {counting.fan} fan = {many(counting.points, 'point')}",
        )
    )
    return tuple(lines)


def _jump_line(second: Fan, f0: int, f1: int, jump: Jump) -> Text:
    """Explain how much the highest fan of another category adds."""
    added = jump(f0, f1)
    zh, en = (f"加 {added} 翻", _more(added)) if added else ("不加翻", "no more fan")
    if jump == USUAL_JUMP:
        sign = ">" if added else "≤"
        sum_ = f"{f1}² = {f1 * f1} {sign} 2×{f0} = {2 * f0}"
    else:
        sum_ = f"f0 = {f0}, f1 = {f1}"
    return Text(
        f"复合跳翻：不同类的{_zh(second)}{f1} 翻，{sum_}，{zh}",
        f"Compound jump: {_en(second)}, {f1} fan, of another category; {sum_}: {en}",
    )


def _more(fan: int) -> str:
    return "one more fan" if fan == 1 else f"{fan} more fan"


def _best_by_class(book: Rulebook, taken: tuple[HeldRow, ...], pungs: int) -> list[tuple[Fan, int]]:
    """Return the highest fan of each category with its 翻, highest category first."""
    classes: dict[str, tuple[Fan, int]] = {}
    for x in taken:
        fan = book.fans[x.row]
        n = max(x.value.fan, pungs) if x.pung else x.value.fan
        if fan.category not in classes or n > classes[fan.category][1]:
            classes[fan.category] = (fan, n)
    return sorted(classes.values(), key=lambda pair: -pair[1])


def _zh(fan: Fan) -> str:
    return f"{fan.name}（{fan.category}类）"


def _en(fan: Fan) -> str:
    return f"{fan.english} (category: {ENGLISH_CLASS.get(fan.category, fan.category)})"

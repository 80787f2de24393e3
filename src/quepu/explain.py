"""A score told as plain text, in Chinese or English. Walks the score's own data; knows no book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quepu.scoring import Score


def value_text(value: dict[str, int], lang: str) -> str:
    """A fan's worth: 8 副 2 翻, or 6 番."""
    units = {"fu": ("副", "fu"), "fan": ("翻" if "fu" in value else "番", "fan"), "points": ("点", "points")}
    spoken = []
    for key, n in value.items():
        zh, en = units.get(key, (key, key))
        spoken.append(f"{n} {en if lang == 'en' else zh}")
    return " ".join(spoken)


def explain(score: Score, lang: str = "zh") -> str:
    """The whole explanation: reading, counted fans, what was suppressed and why, the steps, other readings."""
    told: dict[str, Any] = score.to_json(explain=True, lang=lang)
    zh = lang != "en"
    lines = [
        f"{score.book.title.say(lang)}：{told['how']}" if zh else f"{score.book.title.say(lang)}: {told['how']}",
        f"{'拆解' if zh else 'Reading'}  {told['reading']}",
    ]
    for fan in told["counted"]:
        name = fan["name"] if zh else f"{fan['name']} {fan['english']}"
        times = f"×{fan['count']}" if fan["count"] > 1 else ""
        note = f"  {fan['note']}" if "note" in fan else ""
        kind = score.book.class_name(fan["category"], lang)
        lines.append(f"  {name}{times}  {value_text(fan['value'], lang)}  [{kind}]{note}")
    for fan in told["suppressed"]:
        name = fan["name"] if zh else f"{fan['name']} {fan['english']}"
        lines.append(f"  {'不计' if zh else 'not counted:'} {name}  {fan['why']}")
    lines += [f"  {step}" for step in told["steps"]]
    if told["total"] != told["points"]:
        lines.append(f"{'合计' if zh else 'Total'} {told['total']}")
    if not told["can_win"]:
        unit = score.book.unit.say(lang)
        lines.append(
            f"差 {told['short']} {unit}起和（起和 {told['minimum']} {unit}）"
            if zh
            else f"{told['short']} {unit} short of the minimum of {told['minimum']}"
        )
    for other in told["others"]:
        lines.append(f"{'另一读法' if zh else 'Other reading'}  {other['reading']}  {other['how']}")
    return "\n".join(lines)

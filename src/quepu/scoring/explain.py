"""Rendering of a score as plain text, in Chinese or English, from the score's own data, whatever the book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quepu.errors import Text
from quepu.rules.row import value_text

if TYPE_CHECKING:
    from quepu.scoring.score import Score


def explain(score: Score, lang: str = "zh") -> str:
    """The whole explanation: reading, counted fans, what was suppressed and why, the steps, other readings."""
    data: dict[str, Any] = score.to_json(explain=True, lang=lang)
    zh = lang != "en"
    lines = [
        f"{score.book.title.say(lang)}：{data['how']}" if zh else f"{score.book.title.say(lang)}: {data['how']}",
        f"{'拆解' if zh else 'Reading'}  {data['reading']}",
    ]
    text = [group["text"] for group in data["groups"]]
    for fan in data["counted"]:
        name = fan.get("called", fan["name"]) if zh else f"{fan['name']} {fan.get('called', fan['english'])}"
        times = f"×{fan['count']}" if fan["count"] > 1 else ""
        note = f"  {fan['note']}" if "note" in fan else ""
        kind = score.book.class_name(fan["category"], lang)
        places = [" ".join(text[i] for i in place) for place in fan["groups"] if 0 < len(place) < len(text)]
        made = f"  {' · '.join(places)}" if places else ""
        lines.append(f"  {name}{times}  {value_text(fan['adds'], lang)}  [{kind}]{made}{note}")
    for fan in data["suppressed"]:
        name = fan["name"] if zh else f"{fan['name']} {fan['english']}"
        lines.append(f"  {'不计' if zh else 'not counted:'} {name}  {fan['why']}")
    lines += [f"  {step}" for step in data["steps"]]
    if data["total"] != data["points"]:
        lines.append(f"{'合计' if zh else 'Total'} {data['total']}")
    if cap := paid_up_to(score):
        lines.append(cap.say(lang))
    if not data["can_win"]:
        unit = score.book.unit.say(lang)
        lines.append(
            f"差 {data['short']} {unit}起和（起和 {data['minimum']} {unit}）"
            if zh
            else f"{data['short']} {unit} short of the minimum of {data['minimum']}"
        )
    for other in data["others"]:
        lines.append(f"{'另一读法' if zh else 'Other reading'}  {other['reading']}  {other['how']}")
    return "\n".join(lines)


def paid_up_to(score: Score) -> Text | None:
    """The cap of the book, where a hand is worth more than is paid."""
    cap, unit = score.book.cap, score.book.unit
    if not cap or score.points <= cap:
        return None
    return Text(f"封顶：只付 {cap} {unit.zh}", f"capped: {cap} {unit.en} are paid")

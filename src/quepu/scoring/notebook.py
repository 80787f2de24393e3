"""Scores and waits as HTML for notebooks: pictures of tiles, and tables."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from quepu.errors import Text, language
from quepu.hands.drawing import hand_html, table_html, tile_svg
from quepu.rules.row import value_text

if TYPE_CHECKING:
    from quepu.scoring.completion import Completed
    from quepu.scoring.score import Score
    from quepu.scoring.waits import Choice, Outlook, Wait


def score_html(score: Score) -> str:
    """Show the hand, each fan that counts with its value, and the sum."""
    lang = language()
    name = "english" if lang == "en" else "name"
    shown = score.to_json(explain=True, lang=lang)
    text = [group["text"] for group in shown["groups"]]
    rows = [
        (
            escape(fan.get("called", fan[name]) + (f"×{fan['count']}" if fan["count"] > 1 else "")),
            escape(value_text(fan["adds"], lang, unit=score.book.unit)),
            escape(" · ".join(" ".join(text[i] for i in g) for g in fan["groups"] if len(g) < len(text))),
        )
        for fan in shown["counted"]
    ]
    points = f"<b>{escape(_points_text(score, lang))}</b>"
    return f"<div><div>{hand_html(score.hand)}</div>{table_html((), rows)}<div>{points}</div></div>"


def _points_text(score: Score, lang: str) -> str:
    title, how = score.book.title.say(lang), score.tally.how.say(lang)
    total = f"（合计 {score.total}）" if lang == "zh" else f" (in total {score.total})"
    cap = score.capped
    capped = "" if cap is None else f" · {cap.say(lang)}"
    return f"{title} · {how}{total if score.total != score.points else ''}{capped}"


def outlook_html(look: Outlook) -> str:
    """Show the hand and its waits, or the tiles that bring it nearer."""
    return f"<div>{hand_html(look.hand)}{_outlook(look)}</div>"


def choice_html(choice: Choice) -> str:
    """Show the discard and the waits after it."""
    verb = Text("打", "discard").say(language())
    return f"<div>{verb} {tile_svg(choice.discard)} → {hand_html(choice.outlook.hand)}{_outlook(choice.outlook)}</div>"


def _outlook(look: Outlook) -> str:
    lang = language()
    if not look.waits:
        useful = " ".join(f"{tile_svg(tile)}×{left}" for tile, left in look.useful)
        return f"<div>{escape(look.headline().say(lang))} {useful}</div>"
    return f"<div>{escape(look.headline().say(lang))}</div>{waits_html(look.waits)}"


def completed_html(done: Completed) -> str:
    """Show the hand, whether it is a win, and every tile that may have completed it."""
    table = waits_html(done.tiles) if done.tiles else ""
    return f"<div>{hand_html(done.hand)}<div>{escape(done.headline().say(language()))}</div>{table}</div>"


def waits_html(waits: Iterable[Wait]) -> str:
    """Show a row for every tile: how many are left, its points each way, and why it cannot win."""
    lang = language()
    heads = [
        Text("牌", "tile"), Text("余", "left"), Text("点和", "discard"), Text("自摸", "by self-draw"), Text("", ""),
    ]  # fmt: skip
    rows = [
        (
            tile_svg(wait.tile),
            str(wait.left),
            *("–" if score is None else str(score.total) for score in (wait.by_discard, wait.by_self_draw)),
            escape(wait.reason.say(lang) if wait.reason else ""),
        )
        for wait in waits
    ]
    return table_html([head.say(lang) for head in heads], rows)

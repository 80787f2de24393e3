"""国标 at the tables of Europe: as in competitions, with the European notes."""

from __future__ import annotations

from dataclasses import replace

from quepu.errors import Text
from quepu.rulebooks.guobiao import competition
from quepu.rules.play_rules import PlayRules
from quepu.rules.rulebook import Rulebook


def rules(book: Rulebook) -> PlayRules:
    """Return what tables and matches ask of 国标 in Europe."""
    made = competition.rules(book)
    return replace(made, table=replace(made.table, barred_claims=True), notes=(*made.notes[:-1], *_NOTES))


_NOTES = (
    Text("吃、碰、杠、和要在 3 秒内报出。", "a claim is made within three seconds"),
    Text("报出的吃、碰、杠必须做，不得反悔。", "a claim once made is carried out"),
    Text(
        "标准分 4-2-1-0；同分的平分所占名次的分，再以总分定先后。",
        "4-2-1-0 table points; equal scores share those of their places, and the total decides between players",
    ),
    Text(
        "一场至多 150 分钟；时间到，正在打的一盘立即停止，不计分。",
        "a session is at most 150 minutes; when the time is up, the hand in play stops and counts for nothing",
    ),
    Text("罚例从欧洲竞赛规程（2010）。", "penalties are those of the European regulations (2010)"),
)

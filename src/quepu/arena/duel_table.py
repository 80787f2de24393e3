"""Tables of what a draft does to the game that is played."""

from __future__ import annotations

from quepu.arena.played_effect import MEASURES, PlayedSums
from quepu.errors import Text
from quepu.lab.captions import fan_words
from quepu.lab.sheet import Sheet, SheetColumn
from quepu.rules.rulebook import Rulebook


def duel_sheets(old: Rulebook, new: Rulebook, sums: PlayedSums, levels: tuple[str, ...]) -> list[Sheet]:
    """The measures a hand with the standard error of their difference, and the fans won."""
    who = "、".join(levels)
    where = Text(
        f"quepu lab duel · {old.fingerprint} → {new.fingerprint} · {who} · {sums.walls} 副牌墙，两边同墙；"
        "机器人不等于人",
        f"quepu lab duel · {old.fingerprint} → {new.fingerprint} · {who} · {sums.walls} walls, the same for both; bots "
        "are not people",
    )
    title = Text(f"{old.title.zh} → {new.title.zh}：对打", f"{old.title.en} → {new.title.en}: as played")
    columns = (
        SheetColumn("measure", Text("项目", "measure"), "word"),
        SheetColumn("old", Text("改前", "before"), "number"),
        SheetColumn("new", Text("改后", "after"), "number"),
        SheetColumn("difference", Text("差", "difference"), "number"),
        SheetColumn("error", Text("标准误", "s.e."), "number"),
    )
    played = Sheet(
        "duel",
        title,
        where,
        columns,
        list(sums.rows()),
        {"walls": sums.walls},
        words=dict(MEASURES),
        partial=sums.partial,
    )
    return [played, _fans(old, new, sums, where)]


def _fans(old: Rulebook, new: Rulebook, sums: PlayedSums, where: Text) -> Sheet:
    rows = [tuple(row) for row in sums.fan_rows()]
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("old", Text("改前次数", "before"), "int"),
        SheetColumn("new", Text("改后次数", "after"), "int"),
        SheetColumn("old_share", Text("占和牌", "of wins"), "share"),
        SheetColumn("new_share", Text("占和牌", "of wins"), "share"),
        SheetColumn("error", Text("差的标准误（至多）", "s.e. of the difference (at most)"), "share"),
    )
    title = Text("和出的番种", "fans won")
    return Sheet(
        "duel-fans", title, where, columns, rows, {}, words=fan_words(old) | fan_words(new), partial=sums.partial
    )

"""Show a score in the terminal: the hand, the fans that count and their groups, the arithmetic, and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from quepu.cli.screen import bracket, hand_row, show, table, tile_row, tiles_in_line
from quepu.cli.terminal_lines import Styled
from quepu.cli.texts import Chosen, join_words, pick, say, spoken
from quepu.hands.hand import Hand, Luck
from quepu.hands.win import Group
from quepu.rules.circumstances import english_name
from quepu.rules.row import amount, part_unit
from quepu.rules.rulebook import Rulebook
from quepu.tiles import FLOWERS, FLOWERS_ENGLISH, NAMES, SIMPLIFIED

if TYPE_CHECKING:
    from quepu.rules.play_rules import Ending
    from quepu.scoring.score import Score


def value_columns(values: list[Mapping[str, int]]) -> list[str]:
    """List the parts of values (fu, fan …), in order of appearance."""
    return list(dict.fromkeys(key for value in values for key in value))


def unit(key: str, columns: list[str], book: Rulebook) -> str:
    """Return the unit of a part of a book's values."""
    return spoken(part_unit(key, columns, book.unit))


def fan_name(name: str, english: str) -> str:
    """Return a fan's name, with the English label for English readers."""
    return pick(name, f"{name} {english}")


def list_fans(book: Rulebook, names: Iterable[str]) -> str:
    """List fans of a book in a line, in the chosen language."""
    return join_words(pick(name, book.fan(name).english) for name in names)


def circumstances_line(hand: Hand, book: Rulebook) -> str:
    """Describe seat, round and the other circumstances of a hand."""
    wind = SIMPLIFIED if Chosen.lang == "zh" else NAMES
    words = [say("seat", wind=wind[hand.seat])]
    if book.round_wind:
        words.append(say("round", wind=wind[hand.round]))
    words.append(say("self_draw") if hand.luck & Luck.SELF_DRAW else say("discard"))
    words += _names(hand.luck & ~Luck.SELF_DRAW, book)
    if hand.flower_count:
        if isinstance(hand.flowers, int):
            words.append(say("flowers", n=hand.flowers))
        else:
            listed = "".join(FLOWERS[f] for f in hand.flowers)
            words.append(say("flowers.named", names=pick(listed, ", ".join(FLOWERS_ENGLISH[f] for f in hand.flowers))))
    return f"{spoken(book.title)} · {' · '.join(words)}"


def _names(luck: int, book: Rulebook) -> list[str]:
    """Return the fewest circumstances that cover these bits, by name."""
    named = []
    for name, bits in sorted(book.circumstances.items(), key=lambda item: -int(item[1]).bit_count()):
        wanted = int(bits) & ~Luck.SELF_DRAW
        if wanted and luck & wanted == wanted:
            named.append(pick(name, english_name(name, book)))
            luck &= ~wanted
    return named


def group_row(group: Group, winning: int | None) -> Styled:
    """Show one group of a reading, the winning tile highlighted."""
    row = tile_row(group.tiles, winning if group.won else None)
    if group.exposed:
        return bracket(row, "()")
    return bracket(row, "[]") if group.kong else row


def show_score(score: Score, *, explain: bool = False) -> None:
    """Show a score; `explain` adds sentences, fans that do not count, and other readings."""
    data = score.to_json(lang=Chosen.lang) | score.reasons(Chosen.lang)
    show(Styled(circumstances_line(score.hand, score.book), style="bold"))
    show(Styled("  ") + hand_row(score.hand))
    row = Styled("  ")
    for group in score.best.groups:
        row = row + group_row(group, score.hand.winning) + Styled("  ")
    show(row, "")
    _show_counted(score, data, explain)
    for step in data["steps"]:
        if re.findall(r"\d+", step) != re.findall(r"\d+", data["how"]):  # the last step may repeat the result
            show(Styled(f"  {step}", style="dim"))
    if data["suppressed"] and not explain:
        listed = join_words(fan_name(fan["name"], fan["english"]) for fan in data["suppressed"])
        show(Styled(f"  {say('not_counted', names=listed)}", style="dim"))
    _result(score, data)
    if data["suppressed"] and explain:
        _show_suppressed(data)
    if data["others"] and explain:
        _others(data)


def show_wins(ending: Ending, names: Sequence[str]) -> None:
    """Show the scores of a hand's winners, each under the player's name (by seat) if there are several."""
    for win in ending.winners:
        if win.score is not None:
            if len(ending.winners) > 1:
                show(Styled(names[win.seat], style="bold"))
            show_score(win.score)


def _show_counted(score: Score, data: dict[str, Any], explain: bool) -> None:

    counted = data["counted"]
    if not counted:
        show(Styled(f"  {say('no_fan')}", style="dim"))
        return
    columns = value_columns([fan["value"] for fan in counted])
    heads = [
        say("head.fan"),
        *(unit(c, columns, score.book) for c in columns),
        say("head.category"),
        say("head.groups"),
    ]
    grid = table(heads, right=range(1, 1 + len(columns)), wrap=[0, len(heads) - 1])
    for fan in counted:
        called = fan.get("called")
        name = Styled(fan_name(called or fan["name"], called or fan["english"]), style="bold")
        if fan["count"] > 1:
            name.append(f" ×{fan['count']}", style="bold yellow")
        made = _made_of(score, fan["groups"], fan.get("note"))
        if explain:
            words = pick(fan["sentence"], fan["definition"] or fan["sentence"])
            rulings = score.book.fan(fan["name"]).rulings
            named = say("fan.by_rulings", ids=join_words(rulings)) if rulings else ""
            made = made + Styled("\n" if made else "") + Styled(words + named, style="dim")
        grid.add_row(
            name,
            *(str(fan["adds"].get(c, "")) for c in columns),
            Styled(score.book.class_name(fan["category"], Chosen.lang), style="dim"),
            made,
        )
    show(grid)


def _made_of(score: Score, occurrences: list[list[int]], remark: str | None) -> Styled:
    """Show the groups of each time a fan counts, then the book's remark."""
    groups = score.best.groups
    made = Styled()
    for each in occurrences:
        if 0 < len(each) < len(groups):
            if made:
                made.append("  ·  ", style="dim")
            made = made + Styled(" ").join(tiles_in_line(groups[i].text()) for i in each)
    if remark is not None:
        made = made + Styled("  " if made else "") + Styled(remark, style="dim")
    return made


def _result(score: Score, data: dict[str, Any]) -> None:

    line = Styled(f"\n  {data['how']}", style="bold")
    unit = score.book.unit
    if data["total"] != data["points"] and str(data["total"]) not in re.findall(r"\d+", data["how"]):
        line.append(f"  {say('total', total=spoken(amount(data['total'], unit)))}", style="bold")
    if data["can_win"]:
        line.append(f"  {say('can_win')}", style="bold green")
    else:
        short = say("short", minimum=spoken(amount(data["minimum"], unit)), short=data["short"])
        line.append(f"  {short}", style="bold red")
    if cap := score.capped:
        line.append(f"  {spoken(cap)}", style="bold")
    show(line)


def _show_suppressed(data: dict[str, Any]) -> None:

    show("")
    grid = table([say("head.not_counted"), say("head.why")], wrap=[1])
    for fan in data["suppressed"]:
        grid.add_row(Styled(fan_name(fan["name"], fan["english"]), style="dim"), Styled(fan["why"], style="dim"))
    show(grid)


def _others(data: dict[str, Any]) -> None:

    show("")
    grid = table([say("head.other"), "", ""], wrap=[2])
    for other in data["others"]:
        fans = pick(" ", ", ").join(other.get("english", other["fans"]))
        grid.add_row(tiles_in_line(other["reading"]), other["how"], Styled(fans, style="dim"))
    show(grid)

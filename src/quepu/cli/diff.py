"""`quepu diff`: show the changes from one rulebook to another, or the scores of a hand under both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from quepu.cli import parameters
from quepu.cli.inputs import HandOptions, apply_situation, error_source, hand_of, refuse_round, rulebook, settings_of
from quepu.cli.screen import hand_row, print_json, prose, show, table
from quepu.cli.terminal_lines import Styled, TextGrid
from quepu.cli.texts import Chosen, pick, say, spoken
from quepu.errors import Error, HandError, NotAWin
from quepu.rules.circumstances import english_names
from quepu.rules.diff import Difference, FanChange, Relations, difference, wording
from quepu.rules.row import Fan, value_text
from quepu.rules.rulebook import Option, Rulebook

if TYPE_CHECKING:
    from quepu.hands.hand import Hand
    from quepu.scoring.score import Score


@parameters.command(
    "diff",
    parameters.book_argument("old", "arg.old", metavar="OLD"),
    parameters.book_argument("new", "arg.new", metavar="NEW"),
    parameters.hand("arg.hand.diff"),
    *parameters.winds(),
    parameters.self_draw(),
    parameters.luck(),
    parameters.flowers(),
    parameters.json(),
)
def command(
    old: str,
    new: str,
    hand: str,
    json: bool,
    **options: Unpack[HandOptions],
) -> int:
    """Diff."""
    settings = settings_of(options)
    books = rulebook(old), rulebook(new)
    scores = None
    if hand:
        refuse_round(options["round"], *books)
        with error_source(hand):
            read = hand_of(hand)
            scores = _scores(read, books, settings)
    found = difference(*books)
    if json:
        data = found.to_json(Chosen.lang)
        if scores is not None:
            data["hand"] = [_json(score) for score in scores]
        print_json(data)
    elif scores is not None:
        _show_scores(books, scores)
    else:
        show_difference(found)
    return 0


def _choice(option: Option, choice: object) -> str:
    """Write a choice of an option in words."""
    return say("diff.yes" if choice else "diff.no") if isinstance(choice, bool) else spoken(option.in_words(choice))


def _scores(hand: Hand, books: tuple[Rulebook, ...], settings: dict[str, Any]) -> list[Score | NotAWin]:
    """Score the hand under each book; an error of only one book is reported with the book's name.

    Raises:
        Error: the hand or its circumstances are impossible in one of the books.
    """
    scores: list[Score | NotAWin] = []
    refused: dict[Rulebook, Error] = {}
    for book in books:
        try:
            scores.append(_score(hand, book, settings if book.round_wind else {**settings, "round": "E"}))
        except Error as wrong:
            refused[book] = wrong
    if not refused:
        return scores
    book, error = next(iter(refused.items()))
    zh, en = error.text
    alike = len(refused) == len(books) and len({one.text for one in refused.values()}) == 1
    if not alike and book.title.zh not in zh:
        zh, en = f"{book.title.zh}：{zh}", f"{book.title.en}: {en}"
    raise HandError(zh, en, error.at) from None


def _score(hand: Hand, book: Rulebook, settings: dict[str, Any]) -> Score | NotAWin:
    from quepu.scoring.score import score_hand

    try:
        return score_hand(apply_situation(hand, book, settings), book)
    except NotAWin as error:
        return error


def _json(score: Score | NotAWin) -> dict[str, object]:
    from quepu.json_lines.answers import refusal

    return refusal(score, Chosen.lang) if isinstance(score, NotAWin) else score.to_json(lang=Chosen.lang)


def _show_scores(books: tuple[Rulebook, Rulebook], scores: list[Score | NotAWin]) -> None:
    """Show one hand, fan by fan, under both books."""
    from quepu.cli.score_view import fan_name

    won = [score for score in scores if not isinstance(score, NotAWin)]
    if won:
        show(Styled("  ") + hand_row(won[0].hand), "")
    grid = table([say("head.fan"), *(spoken(book.title) for book in books)], right=[1, 2])
    cells = [{} if isinstance(s, NotAWin) else {f.name: f for f in s.fans} for s in scores]
    for name in dict.fromkeys([*cells[0], *cells[1]]):
        values = []
        for book, side in zip(books, cells, strict=True):
            line = side.get(name)
            value = "" if line is None else value_text(dict(line.value), Chosen.lang, unit=book.unit)
            values.append(value if line is None or line.count == 1 else f"{value} ×{line.count}")
        english = next(book.fan(name).english for book, side in zip(books, cells, strict=True) if name in side)
        grid.add_row(
            fan_name(name, english), *(Styled(v, style="" if len(set(values)) == 1 else "yellow") for v in values)
        )
    results = []
    for score in scores:
        if isinstance(score, NotAWin):
            results.append(Styled(say("diff.no_win", why=spoken(score.text)), style="red"))
        else:
            cap = score.capped
            how = "\n".join([spoken(score.tally.how), *([spoken(cap)] if cap else [])])
            results.append(Styled(how, style="bold green" if score.can_win else "bold red"))
    grid.add_row()
    grid.add_row("", *results)
    show(grid)


def show_difference(found: Difference) -> None:
    """Show the differences, one kind after another."""
    show(Styled(f"{spoken(found.old.title)} → {spoken(found.new.title)}", style="bold"))
    changes = found.changed
    counts = {"added": len(found.added), "removed": len(found.removed), "relations": sum(c.related for c in changes)}
    counts |= {"renamed": sum(c.renamed for c in changes), "revalued": sum(c.revalued for c in changes)}
    counts |= {"redefined": sum(c.reworded for c in changes), "reread": sum(c.reread for c in changes)}
    show(Styled(f"  {say('diff.same') if found.same else say('diff.summary', **counts)}", style="dim"))
    if found.old.minimum != found.new.minimum:
        show(f"  {say('diff.minimum')} {found.old.minimum} → {found.new.minimum}")
    for key, (old, new) in found.options.items():
        option = next(option for option in found.new.options if option.key == key)
        before, after = (_choice(option, choice) for choice in (old, new))
        show(Styled(f"  {spoken(option.text)}{pick('：', ': ')}{before} → {after}"))
    _section("diff.added", [_row(fan, found.new, "green") for fan in found.added])
    _section("diff.removed", [_row(fan, found.old, "red") for fan in found.removed])
    _section("diff.renamed", [[c.old.name, f"→ {c.new.name}"] for c in changes if c.renamed])
    _section(
        "diff.revalued",
        [[_name(c.new), f"{_value(c.old, found.old)} → {_value(c.new, found.new)}"] for c in changes if c.revalued],
    )
    _section("diff.redefined", [[_name(c.new), _sentences(c)] for c in changes if c.reworded])
    _section("diff.reread", [[_name(c.new), c.new.in_words(Chosen.lang)] for c in changes if c.reread])
    _section("diff.rewritten", [[_name(fan), fan.in_words(Chosen.lang)] for fan in found.rewritten])
    english = english_names(found.old) | english_names(found.new)
    _section("diff.relations", [[_name(c.new), _relations(c, english)] for c in changes if c.related])
    _section("diff.moved", [[_name(c.new), _classes(found, c)] for c in changes if c.moved])
    _section("diff.figures", [[spoken(one.label), f"{spoken(one.old)} → {spoken(one.new)}"] for one in found.figures])
    _section("diff.play", [[spoken(one.label), f"{spoken(one.old)} → {spoken(one.new)}"] for one in found.play])
    if found.reworded:
        show("", Styled(f"{say('diff.rules')} {len(found.reworded)}", style="bold"))
        for one in found.reworded:
            show(f"  {spoken(one.title)}")
            for sign, style, texts in (("−", "red", one.old), ("+", "green", one.new)):
                for text in texts:
                    show(prose(f"{sign} {spoken(text)}", 4, style))


def _classes(found: Difference, change: FanChange) -> str:
    old, new = (
        found.old.class_name(change.old.category, Chosen.lang),
        found.new.class_name(change.new.category, Chosen.lang),
    )
    return f"{old} → {new}" if old != new else f"{change.old.category} → {change.new.category}"


def _name(fan: Fan) -> str:
    return pick(fan.name, f"{fan.name} {fan.english}")


def _value(fan: Fan, book: Rulebook) -> str:
    return value_text(fan.parts, Chosen.lang, unit=book.unit)


def _row(fan: Fan, book: Rulebook, colour: str) -> list[Styled | str]:

    return [
        Styled(_name(fan), style=colour),
        Styled(f"{_value(fan, book)}  ") + Styled(fan.in_words(Chosen.lang), style="dim"),
    ]


def _sentences(change: FanChange) -> Styled:
    """Show both sentences, in English both definitions if those differ, with the differences underlined."""
    from difflib import SequenceMatcher

    old, new = change.old.in_words(Chosen.lang), change.new.in_words(Chosen.lang)
    if old == new:
        old, new = change.old.sentence, change.new.sentence
    before, after = Styled("− ", style="red"), Styled("+ ", style="green")
    for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        style = "" if what == "equal" or wording(old[i:j]) == wording(new[k:m]) else "bold underline"
        before.append(old[i:j], style=style)
        after.append(new[k:m], style=style)
    return Styled.assemble(before, "\n", after)


def _relations(change: FanChange, english: Mapping[str, str]) -> Styled:

    def render_side(sign: str, side: Relations, style: str) -> Styled:
        parts = [
            f"{sign} {say(key)} {pick('、', ', ').join(pick(name, english.get(name, name)) for name in sorted(names))}"
            for key, names in (("fan.drops", side.drops), ("fan.conflicts", side.conflicts))
            if names
        ]
        return Styled("\n".join(parts), style=style)

    both = [line for line in (render_side("−", change.lost, "red"), render_side("+", change.gained, "green")) if line]
    return Styled("\n").join(both)


def _section(key: str, rows: list[list[Styled | str]]) -> None:

    if not rows:
        return
    show("", Styled(f"{say(key)} {len(rows)}", style="bold"))
    grid = TextGrid(gap=2)
    grid.add_column()
    grid.add_column(wraps=True)
    for row in rows:
        grid.add_row(Styled("  ") + (row[0] if isinstance(row[0], Styled) else Styled(row[0])), row[1])
    show(grid)

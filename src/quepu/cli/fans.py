"""`quepu fans`: the rulebook as a table, or one fan with its sentence, relations, examples and rulings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quepu.cli import parameters
from quepu.cli.inputs import rulebook
from quepu.cli.score_view import list_fans
from quepu.cli.screen import print_json, prose, screen_width, show, table
from quepu.cli.terminal_lines import Styled, TextGrid, columns_of
from quepu.cli.texts import TEXTS, Chosen, join_words, pick, say, spoken
from quepu.errors import Error
from quepu.rules.measured_figures import figures, measured_in
from quepu.rules.row import Example, Fan, amount, split_value
from quepu.rules.row import value_text as row_value_text
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import describe_book, describe_fan, drops_in_words, score_example, why_not, written_row
from quepu.scoring.lookup import find_fans, in_category


@parameters.command(
    "fans",
    parameters.argument("name", "arg.fan", metavar="FAN", complete=parameters.fan_names),
    parameters.rules(),
    parameters.text("--category", "-c", help="opt.category", metavar="NAME", complete=parameters.classes),
    parameters.json(),
)
def command(name: str, rules: str, category: str, json: bool) -> int:
    """Fans."""
    book = rulebook(rules)
    chosen = find_fans(book, name) if name else in_category(book, category)
    if json and name:
        rows_data = [describe_fan(book, fan, Chosen.lang) for fan in chosen]
        print_json(rows_data[0] if len(rows_data) == 1 else rows_data)
    elif json:
        data = describe_book(book, Chosen.lang)
        print_json({**data, "fans": [describe_fan(book, fan, Chosen.lang) for fan in chosen]})
    elif name:
        for number, fan in enumerate(chosen):
            if number:
                show("")
            show_fan(book, fan)
    else:
        show_table(book, chosen)
    return 0


def value_text(fan: Fan, book: Rulebook | None = None) -> str:
    """Write a value as 16 副 3 翻, or 8 番; with a book, as that prints it."""
    return row_value_text(
        fan.parts, Chosen.lang, book.printed_value(fan) if book else None, book.unit if book else None
    )


def show_table(book: Rulebook, fans: list[Fan]) -> None:
    """Show the rulebook as a table, in the book's order."""
    from quepu.cli.score_view import unit, value_columns

    show(Styled(f"{spoken(book.title)} · {len(fans)}", style="bold"), "")
    columns = value_columns([split_value(fan.value) for fan in fans])
    own = [spoken(head) for head in book.columns.values()]
    heads = [
        say("head.fan"),
        *(unit(c, columns, book) for c in columns),
        *own,
        say("head.category"),
        say("head.sentence"),
    ]
    grid = table(heads, right=range(1, 1 + len(columns)), wrap=[0, len(heads) - 1])
    for fan in fans:
        value = split_value(fan.value)
        grid.add_row(
            Styled(pick(fan.name, f"{fan.name}\n{fan.english}"), style="bold"),
            *(book.printed_value(fan) or str(value.get(c, "")) for c in columns),
            *("" if (cell := fan.column(key)) is None else str(cell) for key in book.columns),
            Styled(book.class_name(fan.category, Chosen.lang), style="dim"),
            fan.in_words(Chosen.lang),
        )
        for way, other in fan.other_values.items():
            cells = split_value(other)
            grid.add_row(Styled(say(f"fan.as.{way}"), style="dim"), *(str(cells.get(c, "")) for c in columns))
    show(grid)


def show_fan(book: Rulebook, fan: Fan) -> None:
    """Show one fan in full."""
    data = describe_fan(book, fan, Chosen.lang)
    show(Styled.assemble((fan.name, "bold"), (f"  {fan.english}  {spoken(book.title)}", "dim")))
    if fan.in_words(Chosen.lang) != fan.sentence:
        show(prose(fan.definition))
    show(prose(fan.sentence, style=pick("", "dim")), "")
    grid = TextGrid(gap=2)
    grid.add_column(style="dim")
    grid.add_column(wraps=True)
    for key, value in _facts(book, fan, data):
        grid.add_row(f"  {say(key) if key in TEXTS else key}", value)
    show(grid)
    for key, example in (("fan.example", fan.example), ("fan.near_miss", fan.near_miss)):
        if example is not None:
            show("", Styled(f"  {say(key)}", style="dim"))
            _show_example(book, example)
    if (lacking := why_not(fan, book)) is not None:
        show(prose(say("fan.why_not", why=spoken(lacking)), 4))
    for ruling in data["rulings"]:
        mark = f" ({say('open_question')})" if ruling["open"] else ""
        show("", Styled(f"  {say('fan.rulings')} {ruling['id']}{mark}", style="dim"))
        show(prose(f"{ruling['question']}\n{ruling['answer']}"))


def _facts(book: Rulebook, fan: Fan, data: dict[str, Any]) -> Iterable[tuple[str, str]]:
    yield "fan.value", value_text(fan, book)
    if (written := written_row(book, fan)) is not None:
        yield "fan.written", value_text(written, book)
    yield "fan.category", book.class_name(fan.category, Chosen.lang)
    for key, head in book.columns.items():
        if (cell := fan.column(key)) is not None:
            yield head.say(Chosen.lang), str(cell)
    groups = data["groups"]
    yield "fan.of", say(f"fan.of.{groups}") if isinstance(groups, str) else say("fan.of.n", n=groups)
    if fan.most > 1:
        yield "fan.most", say("fan.most.times", n=fan.most)
    if fan.aliases:
        yield "fan.aliases", join_words(fan.aliases)
    if dropped := spoken(drops_in_words(fan, book)):
        yield "fan.drops", dropped
    if data["dropped_by"]:
        yield "fan.dropped_by", list_fans(book, data["dropped_by"])
    if data["conflicts"]:
        yield "fan.conflicts", list_fans(book, data["conflicts"])
    figure = figures(book).get(fan.name)
    state = measured_in(book)
    if figure and figure.share is not None and state:
        yield "fan.share", say("fan.share.of", share=f"{100 * figure.share:.3g}%", state=spoken(state))
    if figure and figure.least is not None:
        yield (
            "fan.least",
            say("fan.least.of", points=spoken(amount(figure.least, book.unit)), hand=figure.least_hand or ""),
        )


def _show_example(book: Rulebook, example: Example) -> None:

    from quepu.cli.score_view import circumstances_line
    from quepu.cli.screen import hand_row

    try:
        score = score_example(example, book)
    except Error as error:
        show(Styled(f"  {example.hand}  {spoken(error.text)}"))
        return
    show(Styled("  ") + hand_row(score.hand))
    about = circumstances_line(score.hand, book).split(" · ", 1)[1]
    fans = spoken(score.fan_names)
    how = score.tally.how.say(Chosen.lang)
    fits = columns_of(f"  {about} · {how}  {fans}") <= screen_width()
    show(Styled.assemble((f"  {about} · ", "dim"), (how, "bold"), (f"  {fans}" if fits else "", "dim")))
    if not fits:
        show(prose(fans, 2, "dim"))

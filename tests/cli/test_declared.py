"""A command line that is right is read without click, and the same; one that is not is click's."""

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from quepu.cli import terminal_lines as lines
from quepu.cli.declared import COMMANDS, Declared, Switch
from quepu.cli.program import Command
from quepu.cli.screen import table
from quepu.cli.texts import TEXTS

ALL = {name: importlib.import_module(module).command for name, module in COMMANDS.items()}
READ = {name: made for name, made in ALL.items() if isinstance(made, Declared) and made.read([]) is not None}
OF_THEIR_OWN = {"-h", "--help", "--", "-x=1", "--json=1", "", "-", "-5", "12", "0", "=", "--no-such"}


def by_click(command: Declared, words: list[str]) -> dict[str, object] | None:
    """What click hands to the function; None where it refuses or prints help."""
    import click

    try:
        return Command.of(command).make_context("quepu", list(words)).params
    except (click.ClickException, click.exceptions.Exit):
        return None


@pytest.mark.parametrize("name", sorted(READ))
@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_what_is_read_is_what_click_reads(name, data):
    command = READ[name]
    names = [word for param in command.params if isinstance(param, Switch) for word in param.names if word[0] == "-"]
    words = st.sampled_from([*names, *(f"{word}=7" for word in names), "123m", "南", "7", *OF_THEIR_OWN])
    args = data.draw(st.lists(words, max_size=6))
    read = command.read(args)
    if read is not None:
        assert read == by_click(command, args)


def test_what_is_ordinary_is_read():
    command = READ["score"]
    args = ["123m", "--seat", "S", "-z", "-w", "岭上开花", "--with=海底捞月", "456p", "-j", "2"]
    read = command.read(args)
    assert read is not None and read["with_"] == ("岭上开花", "海底捞月") and read["hand"] == "123m 456p"
    assert (read["seat"], read["self_draw"], read["jobs"]) == ("S", True, 2)
    for doubtful in (
        ["--sea", "S"],
        ["--seat"],
        ["--seat", "-z"],
        ["-zx"],
        ["-h"],
        ["-j", "x"],
        ["-j", "999"],
        ["--x"],
    ):
        assert command.read(doubtful) is None
    assert {"score", "waits", "fans", "books"} <= set(READ)
    assert ALL["serve"].read([]) is None  # it asks click what was given


def drawn(grid, width):
    """What rich prints of the same lines, colours left out."""
    out = Console(width=1000, no_color=True, highlight=False)
    with out.capture() as captured:
        for line in grid.lines(width):
            out.print(line, soft_wrap=True)
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.mark.parametrize("width", [30, 44, 70, 200])
def test_lines_are_no_wider_than_the_screen_and_columns_stand_below_each_other(width):
    grid = table(["番种", "value", "句子"], right=[1], wrap=[2])
    for number, text in enumerate(list(TEXTS.values())[:60]):
        grid.add_row(lines.Styled(f"番{number}", style="bold"), str(number), text.zh)
    shown = list(grid.lines(width))
    assert all(cell_len(line.plain) <= width for line in shown)
    assert drawn(grid, width) == [line.plain.rstrip() for line in shown]
    at = cell_len(shown[0].plain.partition("句子")[0])
    for line in shown[2:]:
        fits = next(n for n in range(len(line.plain) + 1) if cell_len(line.plain[:n]) == at)
        assert line.plain[fits - 1 : fits] in (" ", "")


def test_pieces_keep_their_styles():
    text = lines.Styled("a", style="bold") + lines.Styled("b", style="red")
    assert [(piece, style) for piece, style in text[1:2].pieces] == [("b", "red")]
    assert str(text.rich().spans) == "[Span(0, 1, 'bold'), Span(1, 2, 'bold red')]"
    joined = lines.Styled("、", style="dim").join([lines.Styled("x"), lines.Styled("y", style="green")])
    assert joined.pieces == [("x", ""), ("、", "dim"), ("y", "green")] and joined.plain == "x、y"
    assert lines.Styled().assemble("x", ("y", "dim")).plain == "xy" and not lines.Styled() and len(text) == 2


def test_what_must_be_given_is_not_described_as_what_may_be_left_out():
    import click

    seen = set()
    for name, made in ALL.items():
        command = Command.of(made) if isinstance(made, Declared) else made
        for part in command.commands.values() if isinstance(command, click.Group) else [command]:
            for param in part.params:
                if isinstance(param, click.Argument):
                    seen.add(param.required)
                    help = getattr(param, "help", None) or ""
                    assert not (param.required and "不写" in help), (name, part.name, param.name, help)
    assert seen == {True, False}

"""One word for one thing in every command's help, and what a command does not take."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from quepu.cli import run
from quepu.cli.program import Argument, program
from tests.cli.run import outside


def commands() -> dict[str, click.Command]:
    """Every command with the commands of its own, by its words."""
    found: dict[str, click.Command] = {}
    todo: list[tuple[str, click.Command]] = [("quepu", program())]
    while todo:
        words, command = todo.pop()
        if isinstance(command, click.Group):
            context = click.Context(command)
            names = command.list_commands(context)
            todo += [(f"{words} {name}", one) for name in names if (one := command.get_command(context, name))]
        else:
            found[words] = command
    return found


BOOKS_OF_TWO = {"OLD", "NEW"}


def test_a_rulebook_is_called_rules_everywhere() -> None:
    from quepu.cli import parameters

    wrong, seen = [], 0
    for words, command in commands().items():
        for param in command.params:
            names_a_book = getattr(param, "_custom_shell_complete", None) is parameters.books
            if names_a_book or "--rules" in param.opts:
                seen += 1
                shown = (param.metavar or "").strip("[]")
                if shown != "RULES" and shown not in BOOKS_OF_TWO:
                    wrong.append((words, param.name, shown))
            elif (param.metavar or "").strip("[]") in {"BOOK", "RULES"} and param.name not in ("since", "against"):
                wrong.append((words, param.name, param.metavar))
    assert not wrong and seen > 20


def test_every_argument_is_explained() -> None:
    arguments = [
        (words, param) for words, command in commands().items() for param in command.params
        if isinstance(param, click.Argument)
    ]  # fmt: skip
    assert len(arguments) > 20
    assert [words for words, param in arguments if not isinstance(param, Argument) or not param.help] == []


def test_the_roster_explains_its_changes() -> None:
    shown = outside("roster", "--help", QUEPU_LANG="en").out
    assert "FILE" in shown and "rename NAME NEW" in re.sub(r"\s+", " ", shown)


@pytest.mark.parametrize("rounds", [["--rounds", "2"], ["--rounds=2"]])
def test_rounds_is_a_former_name_of_hands(rounds: list[str], tmp_path: Path, capsys: Any) -> None:
    made = ["--lang", "en", "data", "-b", "random,random,random,random", "-o", str(tmp_path / "a.npz"), "--json"]
    assert run([*made, *rounds]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["hands"] == 2 and shown.err.startswith("--rounds will be removed")
    for command in ("simulate", "data"):
        assert run(["--lang", "en", command, "--help"]) == 0
        assert "--rounds" not in capsys.readouterr().out
    assert run(["--lang", "en", "stats", "--rounds", "2"]) == 2

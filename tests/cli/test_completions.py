"""What Tab offers: names of the chosen rulebook, files where a file is wanted, and every name quoted that needs it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from click.shell_completion import ShellComplete

from quepu.cli.program import program
from quepu.rulebooks import book
from quepu.rules.guide import guide
from tests.cli.run import outside
from tests.cli.test_arguments import commands


def offered(line: str, incomplete: str = "") -> list[tuple[str, str]]:
    """Type and value of what is offered behind the words of a line."""
    shell = ShellComplete(program(), {}, "quepu", "_QUEPU_COMPLETE")
    return [(item.type, item.value) for item in shell.get_completions(line.split(), incomplete)]


def values(line: str, incomplete: str = "") -> list[str]:
    return [value for _, value in offered(line, incomplete)]


@pytest.mark.parametrize("rules", ["lingque-29", "guobiao", "canton"])
def test_sections_and_rulings_are_those_of_the_rulebook(rules: str) -> None:
    assert values(f"rules {rules}") == [section.key for section in guide(book(rules))]
    title = guide(book(rules))[0].title
    assert values(f"rules {rules}", title.zh[:2])[0] == title.zh and title.en in values(f"rules {rules}", title.en[:3])
    assert values(f"rulings {rules}") == [ruling.id for ruling in book(rules).rulings]
    assert values(f"rulings {rules}", "zz") == []


def test_encodings_laws_kinds_and_lists_of_fans() -> None:
    pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")
    from quepu.cli.new_book import ARITHMETICS
    from quepu.lab.suggest import LAWS
    from quepu.rl.encodings import EncodingName

    assert tuple(values("data --encoding")) == get_args(EncodingName)
    assert tuple(values("lab suggest canton --law")) == LAWS
    assert values("rules new --arithmetic") == list(ARITHMETICS)
    assert values("lab find guobiao --with", "清一色,一色三") == [
        f"清一色,{fan.name}" for fan in book("guobiao").fans if fan.name.startswith("一色三")
    ]
    assert values("booklet --paper") == ["A4", "A5"] and "yuque-54" in values("review --rules", "yu")
    assert "plain" in values("lab duel canton yuque --bots", "gain,pl")[0]


def test_a_file_or_folder_is_offered_where_one_is_wanted() -> None:
    for words, command in commands().items():
        for param in command.params:
            shown = (param.metavar or "").strip("[]")
            if shown not in ("FILE", "LOG", "LOGS", "FOLDER", "DIR"):
                continue
            found = param.shell_complete(click.Context(command), "x")
            kind = "dir" if shown in ("FOLDER", "DIR") else "file"
            assert [(item.type, item.value) for item in found] == [(kind, "x")], (words, param.name)


@pytest.mark.parametrize("line", ["rules nothing", "rulings nothing", "score -r nothing --with", "fans -r nothing"])
def test_a_rulebook_that_is_not_there_offers_nothing(line: str) -> None:
    assert values(line) == []
    count = len(line.split()) + 1
    env = {"_QUEPU_COMPLETE": "bash_complete", "COMP_WORDS": f"quepu {line} ", "COMP_CWORD": str(count)}
    done = outside(**env)
    assert (done.code, done.out.strip(), done.err) == (0, "", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_quotes_names_of_several_words(tmp_path: Path) -> None:
    script = outside("completion", "bash").out
    for name in ("Full Flush", "it's one", "a;b"):
        fake = tmp_path / "quepu"
        fake.write_text(f"#!/bin/sh\ncat <<'END'\nplain,{name}\nEND\n", "utf-8")
        fake.chmod(0o755)
        asked = f'{script}\nCOMP_WORDS=(quepu fans ""); COMP_CWORD=2\n_quepu_completion {fake}\n'
        asked += 'eval "set -- ${COMPREPLY[0]}"'
        shown: Any = subprocess.run(
            ["bash", "-c", f'{asked}\nprintf "%s|%s" "$#" "$1"'], capture_output=True, text=True, check=False
        )
        assert shown.stdout == f"1|{name}", shown.stderr

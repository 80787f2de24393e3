"""`quepu lab settle`: tell readings of a sentence apart by hands, and write the ruling that the answers make."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quepu.cli import parameters
from quepu.cli.files import write
from quepu.cli.inputs import rulebook
from quepu.cli.lab_output import progress
from quepu.cli.screen import hand_row, prose, show
from quepu.cli.terminal_lines import Styled
from quepu.cli.texts import Chosen, join_words, say, spoken
from quepu.errors import HandError, Text, UnknownName
from quepu.rules.rulebook import Rulebook, Ruling

if TYPE_CHECKING:
    from quepu.lab.twenty_questions import Question, Reading, Session


@parameters.command(
    "lab.settle",
    parameters.book_argument("book", "arg.rules", metavar="RULES"),
    parameters.argument("other", "arg.settle.other", metavar="RULING|RULES"),
    parameters.text("--answers", "-a", help="opt.settle.answers", metavar="POINTS,…"),
    parameters.text("--question", "-q", help="opt.settle.question", metavar="TEXT"),
    parameters.text("--output", "-o", "output", help="opt.settle.output", metavar="FILE"),
)
def settle(book: str, other: str, answers: str, question: str, output: str) -> int:
    """Settle."""
    from quepu.lab.twenty_questions import Session, find_questions, known_hands, ruling_toml

    rules = rulebook(book)
    ruling, readings = _readings(rules, other)
    with progress(say("lab.settle")):
        known = known_hands(rules, ruling.id if ruling else "")
        session = Session(readings, find_questions(readings, known))
    show(Styled(spoken(ruling.question), style="bold") if ruling else "")
    for number, reading in enumerate(readings, 1):
        show(prose(f"{number}. {spoken(reading.label)}", 2))
    given = [word.strip() for word in answers.replace("，", ",").split(",") if word.strip()]
    if not session.questions:
        if ruling is None:
            raise HandError("没有一手牌能把这些读法分开。", "no hand tells these readings apart.")
        show("", prose(spoken(ruling.alike) if ruling.alike else say("settle.alike"), 2))
        session.choose(_number(given, len(readings)) - 1)
    while (asked := session.next()) is not None:
        if answers and not given and session.settled:
            break
        _show(rules, session, asked)
        session.answer(asked, _answer(asked, given))
    settled = session.settled
    show("", Styled(spoken(settled.label) if settled else say("settle.none"), style="bold"))
    text = ruling_toml(rules, session, ruling=ruling, question=question)
    if output:
        write(text, output)
    else:
        sys.stdout.write(text)
    return 0


def _readings(rules: Rulebook, other: str) -> tuple[Ruling | None, list[Reading]]:
    """Return the ruling in question and its readings, or the book and another one."""
    from quepu.lab.twenty_questions import Reading, option_readings

    ruling = next((one for one in rules.rulings if one.id.casefold() == other.casefold()), None)
    if ruling is None:
        if not Path(other).suffix and not any(other in (one.id, *one.aliases) for one in _books()):
            listed = [one.id for one in rules.rulings if one.option]
            if not listed:
                raise UnknownName(
                    f"{rules.title.zh}没有可选读法的裁定；要比较两份规则，请给出另一本规则或文件，不是“{other}”。",
                    f"{rules.title.en} has no ruling with readings to choose from; give another rulebook or file to "
                    f"compare it with, not {other!r}.",
                )
            raise UnknownName(
                f"{rules.title.zh}没有裁定“{other}”；能用牌例分辨的有：{'、'.join(listed)}。",
                f"{rules.title.en} has no ruling {other!r}; those that hands can settle: {', '.join(listed)}.",
            )
        another = rulebook(other)
        return None, [Reading(one.title, one) for one in (rules, another)]
    if not ruling.option or all(option.key != ruling.option for option in rules.options):
        raise HandError(
            f"裁定 {ruling.id} 在{rules.title.zh}里没有可选的读法。",
            f"ruling {ruling.id} has no readings to choose from in {rules.title.en}.",
        )
    return ruling, option_readings(rules, ruling.option)


def _books() -> list[Rulebook]:
    from quepu.rulebooks import books

    return [*books()]


def _show(rules: Rulebook, session: Session, asked: Question) -> None:
    show("", Styled("  ") + hand_row(asked.hand))
    about = [*asked.circumstances(rules), *([spoken(Text("自摸", "self-draw"))] if asked.hand.self_draw else [])]
    if about:
        show(prose(", ".join(about) if Chosen.lang == "en" else "、".join(about), 2, "dim"))
    for points in dict.fromkeys(asked.points[at] for at in session.left):
        at = asked.points.index(points)
        fans = join_words(_in_words(one, session.readings[at].book) for one in asked.fans[at])
        show(prose(f"{points}: {fans or '–'}", 4))


def _in_words(fan: str, book: Rulebook) -> Text:
    """Return a fan that counts, such as 双同刻×2, in each language."""
    name, sign, times = fan.partition("×")
    return Text(fan, f"{book.fan(name).english or name}{sign and ' '}{sign}{times}")


def _number(given: list[str], most: int) -> int:
    """Return the number of the reading that the author chooses where no hand can ask."""
    word = _word(given, say("settle.choose"))
    if not word.isdecimal() or not 1 <= int(word[:9]) <= most:
        raise HandError(
            f"请给出读法的序号，1 到 {most}，不是“{word}”。",
            f"give the number of a reading, 1 to {most}, not {word!r}.",
        )
    return int(word)


def _word(given: list[str], asked: str) -> str:
    """Return the next answer given with --answers, or the typed one."""
    if given:
        return given.pop(0)
    return str(click.prompt(asked, type=int)) if sys.stdin.isatty() else sys.stdin.readline().strip()


def _answer(asked: Question, given: list[str]) -> int:
    """Return the points that the author gives the hand."""
    word = _word(given, say("settle.ask"))
    if not word.isdecimal() or len(word) > len(str(10**6)):
        raise HandError(
            f"请给出这手牌的点数，不是“{word}”。", f"give the points of this hand, a whole number, not {word!r}."
        )
    return int(word)

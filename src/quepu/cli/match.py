"""`quepu match FILE`: keep score at a physical table, in the file format of the web scorekeeper.

One line is one record: who won, on whose discard, with which hand or how many points; or a hand is entered event by
event. Every change is saved at once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from quepu.cli import event_entry, parameters
from quepu.cli.files import alone
from quepu.cli.inputs import bad_name, rulebook
from quepu.cli.scorekeeper import Scorekeeper
from quepu.cli.screen import complain, note, print_json, show
from quepu.cli.texts import say, spoken
from quepu.errors import Error, HandError, Text, join_list, many
from quepu.folders import data_folder
from quepu.scoring.signatures import DEFAULT_RULES

if TYPE_CHECKING:
    from quepu.scorekeeper.records import TableSpec


def _answer(keeper: Scorekeeper, line: str, interactive: bool) -> None:
    """Carry out a line; at a terminal, prompt for missing facts on which payments depend."""
    from quepu.scorekeeper.ledger import Unanswered

    try:
        keeper.answer(line)
    except Unanswered as lacking:
        question = lacking.question
        if not interactive or question is None:
            raise
        _prompt(keeper, line, lacking, question.about)


def _prompt(keeper: Scorekeeper, line: str, lacking: Error, about: str) -> None:
    """Prompt for the missing part of a line until the reply is understood; an empty reply drops the line."""
    while True:
        try:
            reply = input(say(f"match.asks_{about}", text=spoken(lacking.text))).strip()
        except (EOFError, KeyboardInterrupt):
            reply = ""
        if not reply:
            raise lacking
        try:
            _answer(keeper, f"{line} {'供' if about == 'givers' else '放杠'} {reply}", interactive=True)
        except Error as wrong:
            complain(wrong)
        else:
            return


def _default_path() -> Path:
    from datetime import date

    folder = data_folder() / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{date.today():%Y%m%d}.json"


def _spec(
    rules: str, names: str, rounds: int, ranked: bool, alpha: str, t0: str, *, recorded: bool = False
) -> TableSpec:
    """Return the spec for a new table; `recorded`: the table exists, whatever its house rules are now.

    Raises:
        Error: the book is unknown, or an option is impossible.
    """
    from pydantic import ValidationError

    from quepu.scorekeeper.ledger import open_spec
    from quepu.scorekeeper.records import TableSpec

    listed = [name.strip() for name in names.replace("，", ",").split(",") if name.strip()] or ["甲", "乙", "丙", "丁"]
    if len(listed) != 4:
        raise HandError(f"需要四个名字，给了 {len(listed)} 个。", f"four names are needed; {len(listed)} given.")
    rules, house = rules or DEFAULT_RULES, ""
    if rules.endswith(".toml"):
        rulebook(rules, recorded=recorded)  # report a mistake in it with its line
        house = Path(rules).read_text(encoding="utf-8-sig")
        rules = DEFAULT_RULES
    try:
        ratio = {"alpha": alpha or None, "scale": t0 or None}
        fields = {"rules": rules, "house": house, "names": listed, "rounds": rounds or None, "ranked": ranked}
        return open_spec(TableSpec.model_validate(fields | ratio))
    except ValidationError as refused:
        where = refused.errors()[0]["loc"][0]
        if where == "names":
            raise bad_name(refused) from refused
        if where in ("alpha", "scale"):
            raise HandError("α 和 T₀ 应是大于零的数。", "α and T₀ must be numbers above zero.") from refused
        raise HandError(f"{where} 太长。", f"{where} is too long.") from refused


def _otherwise(
    keeper: Scorekeeper, rules: str, names: str, rounds: int, ranked: bool, alpha: str, t0: str
) -> list[Text]:
    """Say in which points the match in a file differs from the options, with the file's values."""
    from quepu.rulebooks.house_rules import book_of

    wanted = _spec(rules, names, rounds, ranked, alpha, t0, recorded=True)
    spec, ledger = keeper.spec, keeper.ledger
    match, found = ledger.match, []
    book = book_of(wanted.rules, wanted.house).fingerprint
    if rules and book not in (match.book.fingerprint, book_of(spec.rules, spec.house).fingerprint):
        title = match.book.title
        found.append(Text(f"规则是{title.zh}", f"its rulebook is {title.en}"))
    if names and wanted.names not in (spec.names, list(match.names)):
        found.append(Text(f"四家是{'、'.join(match.names)}", f"its players are {', '.join(match.names)}"))
    length = spec.rounds or match.rules.match.rounds
    if rounds not in (0, length):
        found.append(Text(f"打 {length} 圈", f"its length is {many(length, 'round')}"))
    if ranked and not spec.ranked:
        found.append(Text("没有 --ranked", "it is not ranked"))
    ratio = ledger.ratio or (None, None)
    for given, other, there, name in ((alpha, wanted.alpha, ratio[0], "α"), (t0, wanted.scale, ratio[1], "T₀")):
        if given and other != there:
            none = Text(f"没有 {name}", f"it has no {name}")
            found.append(none if there is None else Text(f"{name} 是 {there:g}", f"its {name} is {there:g}"))
    return found


@parameters.command(
    "match",
    parameters.argument("file", "arg.match"),
    parameters.rules()._replace(default=""),
    parameters.text("--names", help="opt.names", metavar="A,B,C,D"),
    parameters.number("--rounds", "-n", help="opt.match_rounds", default=0, least=0, most=16),
    parameters.flag("--ranked", help="opt.ranked"),
    parameters.text("--alpha", help="opt.alpha", metavar="α"),
    parameters.text("--t0", help="opt.t0", metavar="T₀"),
    parameters.json(),
)
def command(file: str, rules: str, names: str, rounds: int, ranked: bool, alpha: str, t0: str, json: bool) -> int:
    """Match."""
    path = Path(file) if file else _default_path()
    with alone(path):
        if path.exists():
            keeper = Scorekeeper.open(path)
            if otherwise := _otherwise(keeper, rules, names, rounds, ranked, alpha, t0):
                listed = join_list(otherwise)
                raise HandError(
                    f"{path} 里已有一场，{listed.zh}，与所给的不同：要继续请去掉这些参数，另记一场请换文件。",
                    f"{path} already has a different match ({listed.en}): leave those options out to continue it, "
                    "or name another file.",
                )
        else:
            keeper = Scorekeeper(path, _spec(rules, names, rounds, ranked, alpha, t0), [])
            if not json:
                keeper.save()
    if json:
        print_json(keeper.to_json())
        return 0
    show(say("match.welcome", path=path, book=spoken(keeper.ledger.match.book.title)))
    keeper.show_standings()
    if keeper.unfinished is not None:
        show(say("told.resumed", n=len(keeper.unfinished), **keeper.own))
        event_entry.show_turn(keeper, event_entry.follow(keeper))
    interactive = sys.stdin.isatty()
    wrong = 0
    while not keeper.over:
        try:
            line = (
                input(say("match.prompt" if keeper.unfinished is None else "told.prompt", **keeper.own))
                if interactive
                else sys.stdin.readline()
            )
        except (EOFError, KeyboardInterrupt):
            break
        if not interactive and not line:
            break
        try:
            _answer(keeper, line.strip(), interactive)
        except Error as error:
            wrong += 1
            complain(error)
    if interactive:
        note(say("match.kept", path=keeper.path))
    return 2 if wrong and not interactive else 0

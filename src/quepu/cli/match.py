"""`quepu match FILE`: keep score of an evening at a physical table. The file is the one the web scorekeeper exports.

One line is one record: who won, off whom, with which hand or how many points; or a hand is told event by event. Every
change is saved at once.
"""

from __future__ import annotations

import sys
from pathlib import Path

from quepu.cli import options, told
from quepu.cli.inputs import rulebook
from quepu.cli.keeper import Keeper
from quepu.cli.screen import complain, note, print_json, show
from quepu.cli.texts import say, spoken
from quepu.errors import Error, HandError
from quepu.folders import data_folder


def _default_path() -> Path:
    from datetime import date

    folder = data_folder() / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{date.today():%Y%m%d}.json"


@options.command(
    "match",
    options.argument("file", "arg.match"),
    options.rules(),
    options.text("--names", help="opt.names", metavar="A,B,C,D"),
    options.number("--rounds", "-n", help="opt.match_rounds", default=0, least=0, most=16),
    options.flag("--ranked", help="opt.ranked"),
    options.json(),
)
def command(file: str, rules: str, names: str, rounds: int, ranked: bool, json: bool) -> int:
    """Match."""
    from pydantic import ValidationError

    from quepu.server.table_messages import TableSpec

    path = Path(file) if file else _default_path()
    if path.exists():
        keeper = Keeper.open(path)
    else:
        listed = [name.strip() for name in names.replace("，", ",").split(",") if name.strip()] or [
            "甲",
            "乙",
            "丙",
            "丁",
        ]
        if len(listed) != 4:
            raise HandError(f"要四个名字，给了 {len(listed)} 个。", f"four names are needed, {len(listed)} given.")
        house = ""
        if rules.endswith(".toml"):
            rulebook(rules)  # a mistake in it is told with its line
            house = Path(rules).read_text(encoding="utf-8-sig")
            rules = "lingque-29"
        try:
            spec = TableSpec(rules=rules, house=house, names=listed, rounds=rounds or None, ranked=ranked)
        except ValidationError as refused:
            where = refused.errors()[0]["loc"][0]
            if where == "names":
                raise HandError(
                    "有一个名字太长，或有写不出的字。", "a name is too long or cannot be written."
                ) from refused
            raise HandError(f"{where} 太长。", f"{where} is too long.") from refused
        keeper = Keeper(path, spec, [])
        if not json:
            keeper.save()
    if json:
        print_json(keeper.to_json())
        return 0
    show(say("match.welcome", path=path, book=spoken(keeper.kept.match.book.title)))
    keeper.show_standings()
    if keeper.telling is not None:
        show(say("told.resumed", n=len(keeper.telling)))
        told.show_turn(keeper, told.follow(keeper))
    asked = sys.stdin.isatty()
    wrong = 0
    while not keeper.over:
        try:
            line = (
                input(say("match.prompt" if keeper.telling is None else "told.prompt"))
                if asked
                else sys.stdin.readline()
            )
        except (EOFError, KeyboardInterrupt):
            break
        if not asked and not line:
            break
        try:
            keeper.answer(line.strip())
        except Error as error:
            wrong += 1
            complain(error)
    if asked:
        note(say("match.kept", path=path))
    return 2 if wrong and not asked else 0

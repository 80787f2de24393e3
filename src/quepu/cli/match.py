"""`quepu match FILE`: keep score of an evening at a physical table. The file is the one the web scorekeeper exports.

One line is one record: who won, off whom, with which hand or how many points. Every change is saved at once.
"""

from __future__ import annotations

import json as json_
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quepu.cli import options
from quepu.cli.screen import complain, note, print_json, show, table
from quepu.cli.texts import say, spoken
from quepu.errors import Error, HandError

if TYPE_CHECKING:
    from quepu.rulebook import Rulebook
    from quepu.server.keeping import Kept
    from quepu.server.table_messages import Record, TableSpec


class Keeper:
    """A table being kept: what it is, its records, and the file they live in."""

    def __init__(self, path: Path, spec: TableSpec, records: list[Record]) -> None:
        from quepu.server.keeping import fold

        self.path = path
        self.spec = spec
        self.records = records
        self.kept: Kept = fold(spec, records)
        self.over = False
        self._before: list[list[Record]] = []

    # ---- the file

    @classmethod
    def open(cls, path: Path) -> Keeper:
        """Go on with a file.

        Raises:
            Error: it cannot be read, or is no kept table.
        """
        from pydantic import ValidationError

        from quepu.server.table_messages import KeptTable

        try:
            data = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as wrong:
            raise HandError(f"读不了 {path}。", f"cannot read {path}.") from wrong
        try:
            kept = KeptTable.model_validate_json(data)
        except ValidationError as wrong:
            first = wrong.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise HandError(
                f"{path.name} 不是记分文件：{where or 'JSON'} 有误。",
                f"{path.name} is no score file: {where or 'JSON'} is wrong.",
            ) from wrong
        return cls(path, kept.spec, list(kept.records))

    def save(self) -> None:
        """Write the file anew, whole or not at all."""
        from quepu.server.table_messages import KeptTable

        match = self.kept.match
        kept = KeptTable(
            quepu="table",
            spec=self.spec,
            records=self.records,
            fingerprint=match.book.fingerprint,
            totals=list(match.totals),
        )
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            part.write_text(json_.dumps(kept.model_dump(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            part.replace(self.path)
        except OSError as wrong:
            raise HandError(f"写不了 {self.path}。", f"cannot write {self.path}.") from wrong

    def change(self, records: list[Record]) -> None:
        """Take these records instead, if they can be; what was before can be taken back.

        Raises:
            Error: one of them cannot be; nothing has changed then.
        """
        from quepu.server.keeping import fold

        kept = fold(self.spec, records)
        self._before.append(self.records)
        self.records, self.kept = records, kept
        self.save()

    # ---- a line

    def answer(self, line: str) -> None:
        """Carry out one line.

        Raises:
            Error: it was not understood, or cannot be.
        """
        words = line.split()
        if not words:
            return
        word, rest = words[0].lower(), words[1:]
        if word in ("?", "？", "help", "帮助"):
            show(say("match.help"))
        elif word in ("q", "quit", "退出"):
            self.over = True
        elif word in ("l", "list", "表"):
            self.show_rows()
        elif word in ("s", "standings", "榜"):
            self.show_standings()
        elif word in ("u", "undo", "撤"):
            self.undo()
        elif word in ("x", "delete", "删"):
            at = self.number(rest)
            self.change([*self.records[:at], *self.records[at + 1 :]])
            self.show_rows()
        elif word in ("e", "correct", "改"):
            at = self.number(rest)
            self.change([*self.records[:at], self.record(rest[1:]), *self.records[at + 1 :]])
            self.show_rows()
        elif word in ("revoke", "免"):
            self.revoke(self.number(rest))
        else:
            self.change([*self.records, self.record(words)])
            self.show_last()

    def number(self, words: list[str]) -> int:
        """The record a line speaks of, from 0.

        Raises:
            Error: there is none of that number.
        """
        if not words or not words[0].isdigit() or not 1 <= int(words[0]) <= len(self.records):
            n = len(self.records)
            raise HandError(f"要给出第几条记录（1 到 {n}）。", f"say which record (1 to {n}).")
        return int(words[0]) - 1

    def undo(self) -> None:
        """Take back the last change; after a restart, the last record."""
        from quepu.server.keeping import fold

        if self._before:
            self.records = self._before.pop()
        elif self.records:
            self.records = self.records[:-1]
        else:
            raise HandError("没有可以撤销的。", "there is nothing to undo.")
        self.kept = fold(self.spec, self.records)
        self.save()
        self.show_standings()

    def revoke(self, at: int) -> None:
        """A penalty is taken back and stays in the list."""
        record = self.records[at]
        if record.kind != "penalty":
            raise HandError(f"第 {at + 1} 条不是罚分。", f"record {at + 1} is no penalty.")
        changed = record.model_copy(update={"revoked": True})
        self.change([*self.records[:at], changed, *self.records[at + 1 :]])
        self.show_rows()

    # ---- reading a record

    def player(self, word: str) -> int:
        """A player by name, by number 1-4, or by the wind he holds now.

        Raises:
            Error: nobody is called so.
        """
        names = self.kept.match.names
        if word in names:
            return names.index(word)
        if word.isdigit() and 1 <= int(word) <= 4:
            return int(word) - 1
        for winds in ("东南西北", "東南西北", "ESWN", "eswn"):
            if word in tuple(winds):
                return self.kept.match.place.seats[winds.index(word)]
        listed = "、".join(names)
        raise HandError(f"没有“{word}”这位玩家：{listed}。", f"no player {word!r}: {', '.join(names)}.")

    def record(self, words: list[str]) -> Record:
        """A record from its words.

        Raises:
            Error: it was not understood.
        """
        from quepu.server.table_messages import PenaltyRecord, ReseatRecord

        word, rest = (words[0].lower() if words else ""), words[1:]
        if word in ("和", "胡", "w", "win"):
            if len(rest) < 3:
                raise HandError("写法：和 赢家 放铳家 点数或手牌。", "say: win WINNER DISCARDER POINTS-or-HAND.")
            return self.hand(self.player(rest[0]), self.player(rest[1]), rest[2:])
        if word in ("自摸", "z", "draw"):
            if len(rest) < 2:
                raise HandError("写法：自摸 赢家 点数或手牌。", "say: draw WINNER POINTS-or-HAND.")
            return self.hand(self.player(rest[0]), None, rest[1:])
        if word in ("流局", "d", "drawn"):
            return self.hand(None, None, rest)
        if word in ("罚", "f", "fault"):
            if len(rest) < 2:
                listed = "、".join(fault.key for fault in self.kept.match.rules.faults)
                raise HandError(f"写法：罚 玩家 {listed} [分数]。", f"say: fault PLAYER {listed} [POINTS].")
            amount = int(rest[2]) if len(rest) > 2 and rest[2].isdigit() else None
            remedied = any(w in ("已弥补", "remedied") for w in rest[2:])
            return PenaltyRecord(player=self.player(rest[0]), fault=rest[1], points=amount, remedied=remedied)
        if word in ("座", "seats"):
            if len(rest) != 4:
                raise HandError("写法：座 东家 南家 西家 北家。", "say: seats EAST SOUTH WEST NORTH.")
            return ReseatRecord(start=[self.player(w) for w in rest])
        raise HandError(
            f"没看懂“{' '.join(words)}”。输入 ? 看写法。", f"{' '.join(words)!r} was not understood; type ? for help."
        )

    def hand(self, winner: int | None, discarder: int | None, words: list[str]) -> Record:
        """The end of a hand: points or tiles first, then what is said beside it."""
        from pydantic import ValidationError

        from quepu.server.table_messages import HandRecord

        told: dict[str, Any] = {
            "winner": winner,
            "discarder": discarder,
            "self_draw": winner is not None and discarder is None,
        }
        rest = list(words)
        if winner is not None:
            first = rest.pop(0)
            if first.lstrip("-").isdigit():
                told["points"] = int(first)
            else:
                told["tiles"] = {"hand": first, "circumstances": [], "flowers": []}
        self.beside(rest, told)
        try:
            return HandRecord.model_validate(told)
        except ValidationError as wrong:
            where = ".".join(map(str, wrong.errors()[0]["loc"]))
            raise HandError(f"这一条的 {where} 有误。", f"{where} of this record is wrong.") from wrong

    def beside(self, words: list[str], told: dict[str, Any]) -> None:
        """花2, 供 丙3 丁1, 听 乙=9, 抢杠, and circumstances of a win given with its tiles."""
        book = self.kept.match.book
        reading = ""
        for word in words:
            if word in ("供", "supplied", "听", "ready"):
                reading = "supplied" if word in ("供", "supplied") else "ready"
            elif reading == "supplied" and word[-1].isdigit() and word[:-1]:
                told.setdefault("supplied", [0, 0, 0, 0])[self.player(word[:-1])] = int(word[-1])
            elif reading == "ready" and "=" in word:
                who, _, worth = word.partition("=")
                key, value = ("ready", int(worth)) if worth.isdigit() else ("ready_hands", worth)
                told.setdefault(key, [None] * 4)[self.player(who)] = value
            elif word.startswith("花") and word[1:].isdigit():
                if "tiles" in told:
                    told["tiles"]["flowers"] = int(word[1:])
                told["flowers"] = int(word[1:])
            elif "tiles" in told and _is_circumstance(word, book):
                told["tiles"]["circumstances"].append(word)
            elif word == "抢杠":
                told["robbed"] = True
            else:
                raise HandError(f"没看懂“{word}”。输入 ? 看写法。", f"{word!r} was not understood; type ? for help.")

    # ---- showing

    def show_last(self) -> None:
        """The last record in words, and what follows from it."""
        row = self.kept.rows[-1]
        names = self.kept.match.names
        seats = row.place.seats
        show(f"{len(self.kept.rows)}. {spoken(row.text)}" + (f"（{spoken(row.how)}）" if row.how else ""))
        for payer, payee, points, why in row.payments:
            who = names[seats[payer]] if payer < 4 else say("board.pool")
            whom = names[seats[payee]] if payee < 4 else say("board.pool")
            show(say("board.pays", who=who, whom=whom, points=points, why=spoken(why)))
        for news in self.kept.news:
            show(f"  {spoken(news)}")
        self.show_standings()

    def show_rows(self) -> None:
        """Every record with what each player gained."""
        names = self.kept.match.names
        grid = table(["#", say("match.place"), say("match.what"), *names], right=[0, 3, 4, 5, 6], wrap=[2])
        for number, row in enumerate(self.kept.rows, 1):
            grid.add_row(
                str(number), row.place.name, spoken(row.text), *(f"{gain:+d}" if gain else "·" for gain in row.gains)
            )
        grid.add_row("", "", say("match.total"), *(f"{total:+d}" for total in self.kept.match.totals))
        show(grid)

    def show_standings(self) -> None:
        """Ranks, totals, the next hand, and the reduced score where the book has one."""
        from quepu.match.match import reduced
        from quepu.server.keeping import place_name

        match = self.kept.match
        line = "　".join(f"{s.rank} {s.name} {s.total:+d}" for s in match.standings())
        show(f"  {line}")
        ratio = match.rules.match.reduced
        if ratio is not None and match.hands:
            small = reduced(match.totals, alpha=ratio[0], scale=ratio[1], n=len(match.hands))
            show(say("match.reduced") + "　".join(f"{match.names[i]} {small[i]:+.3f}" for i in range(4)))
        if not match.rules.zero_sum:
            show(say("match.pool", pool=match.pool))
        if not match.over:
            seats = " ".join(
                f"{wind}{match.names[player]}" for wind, player in zip("东南西北", match.place.seats, strict=True)
            )
            show(say("match.next", place=spoken(place_name(match.place)), seats=seats))

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        match = self.kept.match
        return {
            "rules": match.book.id,
            "names": list(match.names),
            "rows": [
                {"text": spoken(row.text), "gains": list(row.gains), "totals": list(row.totals)}
                for row in self.kept.rows
            ],
            "standings": [s._asdict() for s in match.standings()],
            "place": match.place.name,
            "over": match.over,
            "pool": match.pool,
        }


def _is_circumstance(word: str, book: Rulebook) -> bool:
    from quepu.circumstances import luck_of

    try:
        luck_of([word], book)
    except Error:
        return False
    return True


def _default_path() -> Path:
    from datetime import date

    from platformdirs import user_data_path

    folder = user_data_path("quepu") / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{date.today():%Y%m%d}.json"


@options.command(
    "match",
    options.argument("file", "arg.match"),
    options.rules(),
    options.text("--names", help="opt.names", metavar="A,B,C,D"),
    options.number("--rounds", "-n", help="opt.match_rounds", default=0),
    options.flag("--ranked", help="opt.ranked"),
    options.json(),
)
def command(file: str, rules: str, names: str, rounds: int, ranked: bool, json: bool) -> int:
    """Match."""
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
            house = Path(rules).read_text(encoding="utf-8") if Path(rules).is_file() else ""
            if not house:
                raise HandError(f"读不了 {rules}。", f"cannot read {rules}.")
            rules = "lingque-29"
        spec = TableSpec(rules=rules, house=house, names=listed, rounds=rounds or None, ranked=ranked)
        keeper = Keeper(path, spec, [])
        if not json:
            keeper.save()
    if json:
        print_json(keeper.to_json())
        return 0
    show(say("match.welcome", path=path, book=spoken(keeper.kept.match.book.title)))
    keeper.show_standings()
    asked = sys.stdin.isatty()
    wrong = 0
    while not keeper.over:
        try:
            line = input(say("match.prompt")) if asked else sys.stdin.readline()
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

"""A table being kept in the terminal: its records, the file they live in, and what they lead to."""

from __future__ import annotations

import json as json_
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quepu.cli import told
from quepu.cli.inputs import natural
from quepu.cli.records import record
from quepu.cli.screen import show, table
from quepu.cli.texts import pick, say, spoken
from quepu.errors import HandError, cannot_read, cannot_write
from quepu.tiles import WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.server.keeping import Kept
    from quepu.server.table_messages import Record, TableSpec


class Keeper:
    """A table being kept: what it is, its records, and the file they live in."""

    def __init__(self, path: Path, spec: TableSpec, records: list[Record], telling: list[str] | None = None) -> None:
        from quepu.server.keeping import fold

        self.path = path
        self.spec = spec
        self.records = records
        self.kept: Kept = fold(spec, records)
        self.telling = telling or None  # the lines of a hand being told; None: none is
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
        except OSError as wrong:
            raise cannot_read(path, wrong) from wrong
        except UnicodeDecodeError as wrong:
            raise HandError(f"{path} 不是文本文件。", f"{path} is no text file.") from wrong
        try:
            kept = KeptTable.model_validate_json(data)
        except ValidationError as wrong:
            first = wrong.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise HandError(
                f"{path.name} 不是记分文件：{where or 'JSON'} 有误。",
                f"{path.name} is no score file: {where or 'JSON'} is wrong.",
            ) from wrong
        return cls(path, kept.spec, list(kept.records), list(kept.telling))

    def save(self) -> None:
        """Write the file anew, whole or not at all."""
        from quepu.server.table_messages import KeptTable

        match = self.kept.match
        kept = KeptTable(
            quepu="table",
            spec=self.spec,
            records=self.records,
            telling=self.telling or [],
            fingerprint=match.book.fingerprint,
            totals=list(match.totals),
        )
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            part.write_text(json_.dumps(kept.model_dump(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            part.replace(self.path)
        except OSError as wrong:
            raise cannot_write(self.path, wrong) from wrong

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
        if self.telling is not None:
            told.answer(self, words)
            return
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
            self.change([*self.records[:at], record(self.kept.match, rest[1:]), *self.records[at + 1 :]])
            self.show_rows()
        elif word in ("revoke", "免"):
            self.revoke(self.number(rest))
        elif word in ("t", "tell", "局"):
            told.begin(self)
        else:
            self.change([*self.records, record(self.kept.match, words)])
            self.show_last()

    def number(self, words: list[str]) -> int:
        """The record a line speaks of, from 0.

        Raises:
            Error: there is none of that number.
        """
        number = natural(words[0]) if words else None
        if number is None or not 1 <= number <= len(self.records):
            n = len(self.records)
            raise HandError(f"要给出第几条记录（1 到 {n}）。", f"say which record (1 to {n}).")
        return number - 1

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
        from quepu.server.wording import place_name

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
                f"{pick(zh, en)}{match.names[player]}"
                for zh, en, player in zip(WINDS_CHINESE, ("E:", "S:", "W:", "N:"), match.place.seats, strict=True)
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

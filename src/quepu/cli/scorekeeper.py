"""The scorekeeper in the terminal: the table's records and its ledger; `saved_files` reads the files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from quepu.cli import event_entry, saved_files
from quepu.cli.files import alone, write_whole
from quepu.cli.hand_words import player
from quepu.cli.inputs import bad_name, natural
from quepu.cli.record_lines import record
from quepu.cli.screen import show, table
from quepu.cli.texts import in_words_of, join_items, join_words, pick, say, spoken
from quepu.errors import HandError
from quepu.folding import fold as fold_name
from quepu.tiles import WINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.match.match import Match
    from quepu.scorekeeper.ledger import Ledger
    from quepu.scorekeeper.records import Record, TableSpec


_LEAVE = ("q", "quit", "退出")


class Scorekeeper:
    """A table's scorekeeper: the table, its records, and the path of the file they are saved in."""

    def __init__(self, path: Path, spec: TableSpec, records: list[Record], unfinished: list[str] | None = None) -> None:
        from quepu.scorekeeper.ledger import fold

        self.path = path
        self.spec = spec
        self.records = records
        self.ledger: Ledger = fold(spec, records)
        self.unfinished = unfinished or None  # the facts of a hand that is being entered, if any
        self.over = False
        self._before: list[tuple[TableSpec, list[Record]]] = []
        self._stored: str | None = None  # the file's content when it was last read or written here

    # ---- the file

    @classmethod
    def open(cls, path: Path) -> Scorekeeper:
        """Open an existing file.

        Raises:
            Error: it cannot be read, or is not a score file.
        """
        text = saved_files.text_of(path)
        found = saved_files.table_in(text, path)
        made = cls(path, found.spec, list(found.records), list(found.unfinished))
        made._stored = text
        return made

    def _look(self) -> None:
        """Read the file again if another program has written it.

        Raises:
            Error: another program has, so that the current line may no longer apply; or it cannot be read.
        """
        if not self.path.exists() or saved_files.text_of(self.path) == self._stored:
            return
        there = Scorekeeper.open(self.path)
        self.spec, self.records, self.ledger = there.spec, there.records, there.ledger
        self.unfinished, self._stored, self._before = there.unfinished, there._stored, []
        raise HandError(
            f"{self.path} 在别处改过，已重新读入；这一行没有记下，请核对后再输入。",
            f"{self.path} was changed elsewhere and has been reloaded; this line was not recorded: "
            "check, then enter it again.",
        )

    def save(self) -> None:
        """Write the file atomically."""
        from quepu.scorekeeper.records import TableFile

        match = self.ledger.match
        self._stored = write_whole(
            self.path,
            TableFile(
                quepu="table",
                spec=self.spec,
                records=self.records,
                unfinished=self.unfinished or [],
                fingerprint=match.book.fingerprint,
                totals=list(match.totals),
            ),
        )

    def change(self, records: list[Record]) -> None:
        """Replace the records, if they are valid; the change can be undone.

        Raises:
            Error: one of them is impossible; nothing has changed then.
        """
        from quepu.scorekeeper.ledger import fold

        self._take(fold(self.spec, records), records)

    def put(self, at: int, record: Record, *, insert: bool = False) -> None:
        """Write a record: before the one at `at` (`insert`), in its place, or after the last.

        Raises:
            Unanswered: it lacks a fact on which payments depend. Error: it is impossible; nothing has changed then.
        """
        from quepu.scorekeeper.ledger import with_record

        ledger = with_record(self.spec, self.records, at, record, insert=insert)
        self._take(ledger, [*self.records[:at], record, *self.records[at if insert else at + 1 :]])

    def _take(self, ledger: Ledger, records: list[Record]) -> None:
        from quepu.scorekeeper.ledger import as_settled

        self._before.append((self.spec, self.records))
        self.records, self.ledger = as_settled(records, ledger), ledger
        self.save()

    # ---- a line

    def answer(self, line: str) -> None:
        """Carry out one line.

        Raises:
            Error: it was not understood, is impossible, or another program has written the file.
        """
        words = line.split()
        if words and fold_name(words[0]) in _LEAVE and (len(words) == 1 or self.unfinished is None):
            self.over = True
            return
        with alone(self.path):
            self._look()
            if self.unfinished is not None:
                event_entry.answer(self, words)
            elif words:
                self._carry_out(words)

    def _carry_out(self, words: list[str]) -> None:
        word, rest = fold_name(words[0]), words[1:]
        if word in ("?", "？", "help", "帮助"):
            self.show_help()
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
            self.put(at, record(self.match_at(at), rest[1:]))
            self.show_rows()
        elif word in ("i", "insert", "插"):
            at = self.number(rest)
            self.put(at, record(self.match_at(at), rest[1:]), insert=True)
            self.show_rows()
        elif word in ("rename", "改名"):
            self.rename(rest)
        elif word in ("settle", "结", "结算"):
            self.show_settlement()
        elif word in ("again", "再来"):
            self.again(rest)
        elif word in ("revoke", "免"):
            self.revoke(self.number(rest))
        elif word in ("罚例", "faults"):
            self.show_faults()
        elif word in ("t", "tell", "局", fold_name(self.own["word"])):
            event_entry.begin(self)
        else:
            self.put(len(self.records), record(self.ledger.match, words))
            self.show_last()

    def number(self, words: list[str]) -> int:
        """Return the record that a line refers to, from 0.

        Raises:
            Error: the record does not exist.
        """
        number = natural(words[0]) if words else None
        if number is None or not 1 <= number <= len(self.records):
            n = len(self.records)
            raise HandError(f"请给出第几条记录（1 到 {n}）。", f"give the number of the record (1 to {n}).")
        return number - 1

    def match_at(self, at: int) -> Match:
        """Return the match before the record at `at`: winds in a corrected line are those of its hand."""
        from quepu.scorekeeper.ledger import fold

        return fold(self.spec, self.records[:at]).match

    def rename(self, words: list[str]) -> None:
        """Rename one of the four players, who keeps all gains.

        Raises:
            Error: no player has that name, or the new name is not allowed.
        """
        from pydantic import ValidationError

        from quepu.scorekeeper.ledger import fold
        from quepu.scorekeeper.records import TableSpec

        if len(words) != 2:
            raise HandError("写法：改名 玩家 新名字。", "usage: rename PLAYER NAME.")
        at = player(self.ledger.match, words[0])
        names = [words[1] if name == self.ledger.match.names[at] else name for name in self.spec.names]
        if names == self.spec.names:
            raise HandError(
                f"{words[0]} 是接替来的：改那一条记录。", f"{words[0]} joined as a substitute: correct that record."
            )
        try:
            spec = TableSpec.model_validate(self.spec.model_dump() | {"names": names})
        except ValidationError as wrong:
            raise bad_name(wrong) from wrong
        ledger = fold(spec, self.records)
        self._before.append((self.spec, self.records))
        self.spec, self.ledger = spec, ledger
        self.save()
        self.show_standings()

    def again(self, words: list[str]) -> None:
        """Start another match of the same players in a file beside this one: with random seats, or as named.

        Raises:
            Error: these are not the four players, or the file exists.
        """
        import random

        from quepu.scorekeeper.ledger import fold

        names = list(self.ledger.match.names)
        if words and sorted(words) != sorted(names):
            raise HandError(
                "写法：再来 东家 南家 西家 北家（或只写 再来，抽签）。",
                "usage: again EAST SOUTH WEST NORTH (or only: again, seats at random).",
            )
        if words:
            names = words
        else:
            random.SystemRandom().shuffle(names)
        number = next(n for n in range(2, 10_000) if not self._sibling(n).exists())
        spec = self.spec.model_copy(update={"names": names})
        self.path, self.spec, self.records, self._before = self._sibling(number), spec, [], []
        self.ledger = fold(spec, [])
        self.save()
        show(say("match.kept", path=self.path))
        self.show_standings()

    def _sibling(self, number: int) -> Path:
        stem = self.path.stem.rsplit("-", 1)
        name = stem[0] if len(stem) == 2 and stem[1].isdigit() and len(stem[1]) < 5 else self.path.stem
        return self.path.with_name(f"{name}-{number}{self.path.suffix}")

    def show_settlement(self) -> None:
        """Show the summary to be sent, with who pays whom how much."""
        from quepu.scorekeeper.transfers import summary

        show(spoken(summary(self.ledger)))

    def undo(self) -> None:
        """Undo the last change; after a restart, the last record."""
        from quepu.scorekeeper.ledger import fold

        if self._before:
            self.spec, self.records = self._before.pop()
        elif self.records:
            self.records = self.records[:-1]
        else:
            raise HandError("没有可以撤销的记录。", "there is nothing to undo.")
        self.ledger = fold(self.spec, self.records)
        self.save()
        self.show_standings()

    def revoke(self, at: int) -> None:
        """Take back a penalty, which stays in the list."""
        record = self.records[at]
        if record.kind != "penalty":
            raise HandError(f"第 {at + 1} 条不是罚分。", f"record {at + 1} is not a penalty.")
        changed = record.model_copy(update={"revoked": True})
        self.change([*self.records[:at], changed, *self.records[at + 1 :]])
        self.show_rows()

    # ---- showing

    def show_last(self) -> None:
        """Show the last record in words, and its consequences."""
        row = self.ledger.rows[-1]
        names = self.ledger.match.names
        seats = row.place.seats
        show(
            f"{len(self.ledger.rows)}. {spoken(row.text)}"
            + (pick("（{}）", " ({})").format(spoken(row.how)) if row.how else "")
        )
        for payer, payee, points, why in row.payments:
            pool = say("match.fault.nobody") if self.ledger.match.rules.zero_sum else say("board.pool")
            who = names[seats[payer]] if payer < 4 else pool
            whom = names[seats[payee]] if payee < 4 else pool
            show(say("board.pays", who=who, whom=whom, points=points, why=spoken(why)))
        for remark in (*row.remarks, *(problem.text for problem in row.problems)):
            show(f"  {spoken(remark)}")
        for one in row.announced:
            wind = pick(f"{WINDS_CHINESE[one.seat]}家 ", f"{WINDS[one.seat]}:")
            show(say("match.announced", wind=wind, name=names[seats[one.seat]], text=spoken(one.text)))
        for news in self.ledger.news:
            show(f"  {spoken(news)}")
        self.show_standings()

    @property
    def own(self) -> dict[str, str]:
        """Return the words of the table's book, as values of `say`."""
        return in_words_of(self.ledger.match.rules.words)

    def show_help(self) -> None:
        """Show the possible input, with hands and circumstances of the book in use."""
        from quepu.scorekeeper.examples import write_examples

        match = self.ledger.match
        found = write_examples(match.book)
        parts = [f"match.help.{part}" for part in found.parts]
        beside = pick("；", "; ").join([*(say(part) for part in parts), *map(spoken, found.circumstances)])
        a, b = match.names[0], match.names[1]
        show(
            say(
                "match.help",
                a=a,
                b=b,
                worth=spoken(found.amount),
                hand=found.hand,
                drawn=spoken(found.drawn),
                beside=beside,
                **self.own,
            )
        )

    def show_faults(self) -> None:
        """Show every fault of the book: its cost, its payee, its consequence, and how it is made good."""
        faults = self.ledger.match.rules.faults
        for fault in faults:
            to, barred = say(f"match.fault.{fault.to}"), say("match.fault.barred") if fault.barred else ""
            price = spoken(fault.price)
            show(
                say("match.fault", name=spoken(fault.typed), price=price, to=to, barred=barred, text=spoken(fault.text))
            )
            for remedy in fault.remedies:
                show(say("match.fault.remedy", text=spoken(remedy)))
        if not faults:
            show(say("match.no_faults"))

    def show_rows(self) -> None:
        """Show every record with each player's gains."""
        from quepu.match.words import place_name

        names = self.ledger.match.names
        grid = table(["#", say("match.place", **self.own), say("match.what"), *names], right=[0, 3, 4, 5, 6], wrap=[2])
        for number, row in enumerate(self.ledger.rows, 1):
            grid.add_row(
                str(number),
                spoken(place_name(row.place, self.ledger.match.rules.words)),
                spoken(row.text),
                *(f"{gain:+d}" if gain else "·" for gain in row.gains),
            )
        grid.add_row("", "", say("match.total"), *(f"{total:+d}" for total in self.ledger.match.totals))
        show(grid)

    def show_standings(self) -> None:
        """Show ranks, totals, the next hand, and the reduced score if the book has one."""
        from quepu.match.words import place_name
        from quepu.scorekeeper.transfers import people, transfer_text, transfers

        match = self.ledger.match
        ranked = people(self.ledger)
        line = join_items(
            f"{1 + sum(other.total > one.total for other in ranked)} {one.name} {one.total:+d}" for one in ranked
        )
        show(f"  {line}")
        small = self.ledger.reduce_scores()
        if small is not None:
            pairs = zip(self.ledger.people, small, strict=True)
            show(say("match.reduced") + join_items(f"{n} {s:+.3f}" for n, s in pairs))
        standard = match.standard_points()
        if standard and match.hands:
            show(say("match.standard") + join_items(f"{n} {s:g}" for n, s in zip(match.names, standard, strict=True)))
        if not match.rules.zero_sum:
            show(say("match.pool", pool=match.pool))
        if self.ledger.barred:
            listed = join_words(match.names[player] for player in sorted(self.ledger.barred))
            show(say("match.barred", names=listed))
        if self.ledger.rung and not match.over:
            show(say("match.rung", **self.own))
        if self.ledger.over:
            for one in transfers(self.ledger.people, match.rules.match.start):
                show(f"  {spoken(transfer_text(one, match.rules.zero_sum, match.rules.point_value))}")
        else:
            seats = " ".join(
                f"{pick(zh, en)}{match.names[player]}"
                for zh, en, player in zip(WINDS_CHINESE, ("E:", "S:", "W:", "N:"), match.place.seats, strict=True)
            )
            show(say("match.next", place=spoken(place_name(match.place, match.rules.words)), seats=seats, **self.own))

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        match = self.ledger.match
        return {
            "rules": match.book.id,
            "names": list(match.names),
            "rows": [
                {"text": spoken(row.text), "gains": list(row.gains), "totals": list(row.totals)}
                for row in self.ledger.rows
            ],
            "standings": [s._asdict() for s in match.standings()],
            "place": match.place.name,
            "over": self.ledger.over,
            "people": self.ledger.people,
            "pool": match.pool,
        }

"""Run a benchmark: ask every question once, store each answer, and report the results with intervals.

Answers are lines of `answers.jsonl` in the run's folder. A run that is started again asks only the missing questions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from quepu import rulebooks
from quepu.arena.bot_hand import play_hand
from quepu.arena.plan import Plan
from quepu.benchmark.contestants import Choose, DiscardBot, Entrant, Local, Unanswered, ask_for_discards, play_discards
from quepu.benchmark.questions import ANCHOR, Sizes, begin, choose_cases, is_right, question_of
from quepu.bots.protocol import Bot, make_bot
from quepu.errors import HandError, Text, cannot_read, cannot_write, join_list
from quepu.figures.intervals import mean, rate
from quepu.match.settle import settle
from quepu.rules.play_rules import SEATS, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.version import __version__

Json = dict[str, Any]
Key = tuple[str, str, str, str]
"""Contestant, task, book, and the id of the question."""
Progress = Callable[[int], object]
GIVE_UP: Final = 5
"""Questions without an answer, one after another, after which a contestant is not asked the rest of a book."""
ANSWERS: Final = "answers.jsonl"
REPORT: Final = "report.json"


class Answers:
    """The answers so far, in memory and in a file of the run's folder; without a folder in memory only."""

    def __init__(self, folder: str, head: Json) -> None:
        """Read the answers of an earlier run.

        Raises:
            HandError: the file cannot be read or written, is damaged, or belongs to another benchmark.
        """
        self.rows: dict[Key, Json] = {}
        self._path = Path(folder) / ANSWERS if folder else None
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            whole = self._path.read_text("utf-8").rpartition("\n")[0] if self._path.exists() else ""
        except OSError as wrong:
            raise cannot_read(self._path, wrong) from wrong
        except UnicodeDecodeError as wrong:
            raise self._damaged(1) from wrong
        lines = whole.splitlines()  # a last line without its end was being written when the run was killed
        if lines and self._parse(1, lines[0]) != head:
            raise HandError(
                f"{self._path} 是另一次评测的（种子、规则、题数或版本不同），请另选文件夹。",
                f"{self._path} belongs to another benchmark (another seed, book, size or version): choose another "
                "folder.",
            )
        for number, line in enumerate(lines[1:], 2):
            row = self._parse(number, line)
            try:
                self.rows[row["contestant"], row["task"], row["rules"], row["id"]] = row
            except (KeyError, TypeError):
                raise self._damaged(number) from None
        self._write([json.dumps(one, ensure_ascii=False) for one in (head, *self.rows.values())], "w")

    def _damaged(self, number: int) -> HandError:
        return HandError(
            f"{self._path} 第 {number} 行读不懂。", f"{self._path}, line {number}: not an answer of a benchmark."
        )

    def _parse(self, number: int, line: str) -> Json:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._damaged(number)
        return found

    def _write(self, lines: Iterable[str], mode: str) -> None:
        assert self._path is not None  # noqa: S101  # asked before
        try:
            with self._path.open(mode, encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
        except OSError as wrong:
            raise cannot_write(self._path, wrong) from wrong

    def add(self, row: Json, *, asked: bool = True) -> None:
        """Store an answer; one that was not asked for is kept in memory only, so that it is asked again."""
        self.rows[row["contestant"], row["task"], row["rules"], row["id"]] = row
        if self._path is not None and asked:
            self._write([json.dumps(row, ensure_ascii=False)], "a")

    def write_report(self, report: Json) -> None:
        """Write the report beside the answers."""
        if self._path is not None:
            path = self._path.with_name(REPORT)
            try:
                path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", "utf-8")
            except OSError as wrong:
                raise cannot_write(path, wrong) from wrong


def _give_up(_question: Json) -> Json:
    raise Unanswered(
        f"连着 {GIVE_UP} 次没答，不再问了。", f"not asked any more after {GIVE_UP} without an answer in a row."
    )


_SILENT = Entrant("", Local(_give_up))
"""Stands in for a contestant that is not asked any more."""


class Benchmark:
    """A benchmark of some contestants; `run` asks, `report` sums up."""

    def __init__(self, sizes: Sizes, tasks: Sequence[str], entrants: Sequence[Entrant], folder: str = "") -> None:
        """Read the answers that the folder has.

        Raises:
            Error: a book does not exist, or the folder cannot be used.
        """
        self.sizes = sizes.check()
        self.tasks = tuple(tasks)
        self.entrants = entrants
        self.books = [rulebooks.book(name) for name in self.sizes.books]
        self.cases = {book.id: choose_cases(book, self.sizes) for book in self.books}
        self.head = {
            "benchmark": 1,
            "quepu": __version__,
            **self.sizes._asdict(),
            "books": {book.id: book.fingerprint for book in self.books},
            "anchor": ANCHOR,
        }
        if not any(True for _ in self._units()):
            listed = join_list(dict.fromkeys(task for entrant in entrants for task in entrant.tasks))
            raise HandError(
                f"这些参加者做不了这样的任务，能做：{listed.zh}。",
                f"none of these contestants can do these tasks; they can do: {listed.en}.",
            )
        self.answers = Answers(folder, self.head)

    def _units(self) -> Iterator[tuple[Entrant, str, Rulebook]]:
        for entrant in self.entrants:
            for task in self.tasks:
                if task in entrant.tasks:
                    yield from ((entrant, task, book) for book in self.books)

    def _ids(self, task: str, book: Rulebook) -> list[str]:
        """Return the ids of the questions of a task: cases, or numbers of walls."""
        if task == "read":
            return [case.id for case in self.cases[book.id]]
        return [str(number) for number in range(1, self.sizes.walls + 1)]

    def count(self) -> int:
        """Count the questions and walls."""
        return sum(len(self._ids(task, book)) for _, task, book in self._units())

    def run(self, progress: Progress) -> None:
        """Ask everything that has no answer yet; `progress` is called with the number of questions and walls done."""
        done = 0
        for entrant, task, book in self._units():
            ids = self._ids(task, book)
            open_ids = [id for id in ids if (entrant.name, task, book.id, id) not in self.answers.rows]
            if open_ids:
                entrant.contestant.begin(begin(task, book, self.sizes.lang))
                ask = self._read if task == "read" else self._play
                unanswered = 0
                try:
                    for number, id in enumerate(open_ids, 1 + len(ids) - len(open_ids)):
                        asked = unanswered < GIVE_UP
                        row = ask(entrant if asked else _SILENT, book, id)
                        unanswered = unanswered + 1 if row["failed"] else 0
                        head = {"contestant": entrant.name, "task": task, "rules": book.id, "id": id}
                        self.answers.add(head | row, asked=asked)
                        progress(done + number)
                finally:
                    entrant.contestant.close()
            done += len(ids)
            progress(done)
        self.answers.write_report(self.report())

    def _read(self, entrant: Entrant, book: Rulebook, id: str) -> Json:
        case = next(case for case in self.cases[book.id] if case.id == id)
        try:
            answer = entrant.contestant.ask(question_of(case))
        except Unanswered as wrong:
            return {"right": False, "failed": [wrong.text]}
        return {"right": is_right(case, answer), "failed": [], "answer": answer}

    def _play(self, entrant: Entrant, book: Rulebook, id: str) -> Json:
        """Play a wall with the contestant among anchors, and once more with an anchor in its seat."""
        number = int(id)
        seat = (number - 1) % SEATS
        choose = self._chooser(entrant, book, seat, number)
        playing = DiscardBot(make_bot(ANCHOR, number * SEATS + seat), choose)
        gain = self._gain(book, number, seat, playing)
        return {
            "gain": gain,
            "anchor": self._gain(book, number, seat, None),
            "asked": playing.asked,
            "failed": playing.failed,
        }

    def _chooser(self, entrant: Entrant, book: Rulebook, seat: int, number: int) -> Choose:
        if entrant.level == "":
            return ask_for_discards(entrant.contestant)
        bot = make_bot(entrant.level, number)
        bot.begin(book, seat)
        return play_discards(bot)

    def _gain(self, book: Rulebook, number: int, seat: int, playing: DiscardBot | None) -> int:
        bots: list[Bot] = [make_bot(ANCHOR, number * SEATS + at) for at in range(SEATS)]
        if playing is not None:
            bots[seat] = playing
        wall = Plan(book, (ANCHOR,) * SEATS, self.sizes.walls, self.sizes.seed).wall(number)
        rules = play_rules(book)
        table = play_hand(book, wall, bots, round=number // SEATS % SEATS, rules=rules)
        assert table.ending is not None  # noqa: S101  # nobody is asked any more
        return settle(table.ending, book, rules).seats[seat]

    def report(self) -> Json:
        """Return the results: a row for each contestant, task and book, and why questions were not answered."""
        rows = []
        failures: Counter[tuple[str, str, str]] = Counter()
        for entrant, task, book in self._units():
            ids = self._ids(task, book)
            found = [self.answers.rows.get((entrant.name, task, book.id, id)) for id in ids]
            given = [one for one in found if one is not None]
            failures.update((entrant.name, *why) for one in given for why in one["failed"])
            head = {"contestant": entrant.name, "task": task, "rules": book.id}
            lost = len(ids) - len(given)
            if task == "read":
                share = rate(sum(one["right"] for one in given), len(ids))._asdict()
                unanswered = sum(bool(one["failed"]) for one in given)
                rows.append({**head, **share, "unanswered": unanswered, "left": lost})
            else:
                gains = [one["gain"] - one["anchor"] for one in given]
                more = mean(sum(gains), sum(gain * gain for gain in gains), len(gains))
                several = len(gains) > 1
                rows.append({
                    **head, "walls": len(gains), "mean": more.mean,
                    "low": more.low if several else None, "high": more.high if several else None,
                    "asked": sum(one["asked"] for one in given),
                    "unanswered": sum(len(one["failed"]) for one in given), "left": lost,
                })  # fmt: skip
        listed = [
            {"contestant": name, "count": count, "why": Text(zh, en)._asdict()}
            for (name, zh, en), count in failures.most_common()
        ]
        return {**self.head, "rows": rows, "failures": listed}

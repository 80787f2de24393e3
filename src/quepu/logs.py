"""Logs as tables: a row for each match, hand or decision, from logs of quepu and records of other programs.

    from quepu import logs
    for hand in logs.hands("logs/"):
        print(hand["players"], hand["ending"], hand["points"])
    logs.decisions(["one.jsonl", "botzone.json"]).to_parquet("decisions.parquet")

Files are read one after another, on several cores if wanted; `read_any` has the formats.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from quepu.errors import Error, HandError, Text, cannot_read, cannot_write, many, needs
from quepu.fast.processes import spread_in_order
from quepu.hands.hand import tiles_text
from quepu.match.imports import ImportedLog, read_any
from quepu.match.log import PlayedHand, Replay
from quepu.match.settle import add_up
from quepu.match.steps import decide
from quepu.rules.rulebook import Rulebook
from quepu.table.play import Table
from quepu.tiles import FIRST_FLOWER, FLOWERS_ENGLISH, WINDS

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Rows", "Unread", "decisions", "hands", "matches"]

Row = dict[str, Any]
Paths = str | Path | Iterable[str | Path]
Progress = Callable[[int], object]
T = TypeVar("T")
_ENDS = (".jsonl", ".json", ".log", ".txt")
_ALONE = 8
"""Number of files from which several processes read them."""
_TOGETHER = 1 << 16
"""Rows written together."""

_TEXT, _NUMBER, _TRUTH, _TEXTS, _NUMBERS = "text", "number", "truth", "texts", "numbers"
MATCH = {
    "file": _TEXT, "source": _TEXT, "rules": _TEXT, "revision": _NUMBER, "players": _TEXTS, "rounds": _NUMBER,
    "ranked": _TRUTH, "hands": _NUMBER, "finished": _TRUTH, "totals": _NUMBERS, "seed": _TEXT, "remarks": _TEXTS,
}  # fmt: skip
HAND = {
    "file": _TEXT, "hand": _NUMBER, "rules": _TEXT, "place": _TEXT, "players": _TEXTS, "ending": _TEXT,
    "winners": _TEXTS, "discarder": _TEXT, "points": _NUMBERS, "fans": _TEXTS, "paid": _NUMBERS, "events": _NUMBER,
    "replayed": _TRUTH,
}  # fmt: skip
DECISION = {
    "file": _TEXT, "hand": _NUMBER, "n": _NUMBER, "rules": _TEXT, "seat": _TEXT, "player": _TEXT, "acted_by": _TEXT,
    "concealed": _TEXT, "drawn": _TEXT, "melds": _TEXT, "wall_left": _NUMBER, "options": _NUMBER, "action": _TEXT,
    "tile": _TEXT, "ready": _TRUTH,
}  # fmt: skip
"""The columns of each table, by the kind of their values."""


class Unread(NamedTuple):
    """A file that could not be read, and why.

    Examples:
        >>> from pathlib import Path
        >>> _ = Path("notes.txt").write_text("not a log")
        >>> rows = hands("notes.txt")
        >>> list(rows), rows.unread[0].path
        ([], 'notes.txt')
    """

    path: str
    why: Text


def files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that may be logs, in name order; a file yields itself.

    Hidden folders and virtual environments of Python (`.git`, `.venv`) are left out.
    """
    if folder.is_file():
        yield folder
        return
    try:
        inside = sorted(folder.iterdir())
    except PermissionError:
        return
    for path in inside:
        if path.is_dir():
            if path.name[0] != "." and not path.is_symlink() and not (path / "pyvenv.cfg").is_file():
                yield from files(path)
        elif path.suffix in _ENDS and path.is_file():
            yield path


def matches(paths: Paths, *, rules: Rulebook | None = None, jobs: int = 0, progress: Progress | None = None) -> Rows:
    """Return a row for each match.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> [(row["rules"], row["hands"], row["totals"]) for row in matches("match.jsonl")]
        [('guobiao', 4, [-38, -9, 7, 40])]

    Args:
        paths: a file, a folder (everything below it that may be a log), or several of them.
        rules: the rulebook of quepu's own logs under house rules.
        jobs: processes; 0 is one for each core.
        progress: called with the number of files read so far.

    Returns:
        Rows with file, source (which program wrote it), rules, revision, players (by their first seats from East),
        rounds, ranked, hands, finished, totals (points of the players, in the same order), seed and remarks (whatever
        could not be kept or differs from today's rules). A file that cannot be read is in `unread`.

    Raises:
        HandError: a file or folder does not exist.
    """
    return Rows(_match_rows, MATCH, paths, rules, jobs, progress)


def hands(paths: Paths, *, rules: Rulebook | None = None, jobs: int = 0, progress: Progress | None = None) -> Rows:
    """Return a row for each hand.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> first = next(iter(hands("match.jsonl")))
        >>> first["place"], first["ending"], first["winners"], first["points"], first["paid"]
        ('E1', 'discard', ['plain 3'], [13], [-8, -21, 37, -8])

    Args, Raises: as `matches`.

    Returns:
        Rows with file, hand (from 1), rules, place (E1: first round, first dealership; +1 if the dealer stayed),
        players (East, South, West, North), ending ("discard", "robbed", "self_draw", "drawn"; None if the log breaks
        off), winners, discarder (names), points (of each winner), fans (of the first winner; one that counts twice is
        there twice), paid (the gain of each player, in their order), events, and replayed (whether today's program
        plays it the same way).
    """
    return Rows(_hand_rows, HAND, paths, rules, jobs, progress)


def decisions(paths: Paths, *, rules: Rulebook | None = None, jobs: int = 0, progress: Progress | None = None) -> Rows:
    """Return a row for each decision: a turn, or a claim that was offered, passes included.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> first = next(iter(decisions("match.jsonl")))
        >>> first["seat"], first["concealed"], first["drawn"], first["action"], first["tile"]
        ('E', '3m455667p457sEWW', '5s', 'flower', 'autumn')

    Args, Raises: as `matches`.

    Returns:
        Rows with file, hand (from 1), n (from 0 in each hand), rules, seat (E S W N), player, acted_by ("" the player,
        else who acted for the seat), concealed (tiles without the one just drawn), drawn, melds, wall_left (tiles in
        the wall), options (how many there were), action (discard, chow, pass …), tile (the one it is about) and ready
        (whether it declares). A hand that cannot be replayed has the decisions before that place.
    """
    return Rows(_decision_rows, DECISION, paths, rules, jobs, progress)


class Rows(Iterable[Row]):
    """Rows of a table, read from files whenever they are asked for.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> hands("match.jsonl").to_pandas()[["place", "ending"]].iloc[0].tolist()
        ['E1', 'discard']

    Attributes:
        columns: names of the columns.
        unread: files of the last reading that are not logs, each with the reason.
        lost: how many files lost each of these, in being converted from another program's record.
    """

    def __init__(
        self, read: Callable[[ImportedLog, str], Iterator[Row]], columns: dict[str, str], paths: Paths,
        rules: Rulebook | None, jobs: int, progress: Progress | None,
    ) -> None:  # fmt: skip
        if jobs < 0:
            raise HandError("jobs 至少为 0。", "jobs must be at least 0.")
        self.columns: tuple[str, ...] = tuple(columns)
        self.unread: list[Unread] = []
        self.lost: Counter[Text] = Counter()
        self._kinds = columns
        self._files = find_files(paths)
        self._work = partial(_read_file, read, rules)
        self._jobs = (jobs or os.cpu_count() or 1) if len(self._files) >= _ALONE else 1
        self._progress = progress

    def __repr__(self) -> str:
        return f"Rows({many(len(self._files), 'file')}: {', '.join(self.columns)})"

    def __iter__(self) -> Iterator[Row]:
        for some in self.chunks():
            yield from some

    def chunks(self) -> Iterator[list[Row]]:
        """Yield the rows of each file together, in the order of the files."""
        self.unread, self.lost = [], Counter()
        for done, (rows, lost, wrong) in enumerate(
            spread_in_order(self._work, [(path,) for path in self._files], self._jobs), 1
        ):
            self.lost.update(lost)
            if wrong is not None:
                self.unread.append(wrong)
            if self._progress is not None:
                self._progress(done)
            if rows:
                yield rows

    def refuse_all_unread(self) -> None:
        """Refuse to write an empty table after a reading of which no file was a log."""
        if self.unread and len(self.unread) == len(self._files):
            path, why = self.unread[0]
            raise HandError(f"{path}：{why.zh}", f"{path}: {why.en}")

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        needs("pyarrow")
        import pyarrow

        schema = self._schema()
        parts = [pyarrow.Table.from_pylist(some, schema) for some in self.chunks()]
        return pyarrow.concat_tables(parts) if parts else schema.empty_table()

    def to_parquet(self, path: str | Path) -> int:
        """Write a Parquet file, some rows at a time; return how many there are.

        Raises:
            HandError: the file cannot be written, or no file could be read: the old table stays.
            MissingExtra: pyarrow is not installed.
        """
        needs("pyarrow")
        import pyarrow
        from pyarrow import parquet

        schema, waiting, number = self._schema(), [], 0
        part = Path(f"{path}.part")
        try:
            with parquet.ParquetWriter(str(part), schema) as writer:
                for some in self.chunks():
                    waiting += some
                    number += len(some)
                    if len(waiting) >= _TOGETHER:
                        writer.write_table(pyarrow.Table.from_pylist(waiting, schema))
                        waiting = []
                writer.write_table(pyarrow.Table.from_pylist(waiting, schema))
            self.refuse_all_unread()
            part.replace(path)
        except OSError as wrong:
            raise cannot_write(path, wrong) from wrong
        finally:
            part.unlink(missing_ok=True)
        return number

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas frame.

        Raises:
            MissingExtra: pandas is not installed.
        """
        needs("pandas")
        import pandas

        return pandas.DataFrame(list(self), columns=list(self.columns))

    def to_polars(self) -> polars.DataFrame:
        """Return a polars frame.

        Raises:
            MissingExtra: polars is not installed.
        """
        needs("polars")
        import polars

        types = {
            _TEXT: polars.String, _NUMBER: polars.Int64, _TRUTH: polars.Boolean, _TEXTS: polars.List(polars.String),
            _NUMBERS: polars.List(polars.Int64),
        }  # fmt: skip
        return polars.DataFrame(list(self), schema={name: types[kind] for name, kind in self._kinds.items()})

    def _schema(self) -> pyarrow.Schema:
        import pyarrow

        text, number = pyarrow.string(), pyarrow.int64()
        types = {_TEXT: text, _NUMBER: number, _TRUTH: pyarrow.bool_()}
        types |= {_TEXTS: pyarrow.list_(text), _NUMBERS: pyarrow.list_(number)}
        return pyarrow.schema([(name, types[kind]) for name, kind in self._kinds.items()])


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        HandError: it cannot be read, or is not text.
    """
    try:
        return path.read_text("utf-8")
    except OSError as wrong:
        raise cannot_read(path, wrong) from wrong
    except UnicodeDecodeError as wrong:
        raise HandError(f"{path} 不是文本文件。", f"{path} is not a text file.") from wrong


def find_files(paths: Paths) -> list[Path]:
    """Return the files of paths and below folders that may be logs.

    Raises:
        HandError: a file or folder does not exist.
    """
    given = [paths] if isinstance(paths, (str, Path)) else list(paths)
    found: list[Path] = []
    for one in map(Path, given):
        if not one.exists():
            raise cannot_read(one, FileNotFoundError(2, os.strerror(2)))
        found += files(one)
    return found


_Found = tuple[list[Row], tuple[Text, ...], Unread | None]


def _read_file(read: Callable[[ImportedLog, str], Iterator[Row]], rules: Rulebook | None, path: Path) -> _Found:
    try:
        log = read_any(read_text(path), rules)
        return list(read(log, str(path))), log.lost, None
    except Error as wrong:
        return [], (), Unread(str(path), wrong.text)


def _match_rows(log: ImportedLog, path: str) -> Iterator[Row]:
    replay, seed = log.replay, log.replay.header.get("seed")
    yield {
        "file": path, "source": log.source, "rules": replay.book.id, "revision": replay.book.revision,
        "players": list(replay.match.names), "rounds": int(replay.header["rounds"]),
        "ranked": bool(replay.header["ranked"]), "hands": len(replay.match.hands), "finished": replay.finished,
        "totals": list(replay.match.totals), "seed": None if seed is None else str(seed),
        "remarks": [text.en for text in (*log.lost, *replay.remarks)],
    }  # fmt: skip


def _hand_rows(log: ImportedLog, path: str) -> Iterator[Row]:
    replay = log.replay
    for hand in replay.hands:
        names = [replay.match.names[player] for player in hand.place.seats]
        ending = hand.ending
        first = ending.first if ending is not None else None
        fans = next(iter(hand.fans), ()) or (() if first is None or first.score is None else
                                             tuple((fan.name, fan.count) for fan in first.score.fans))  # fmt: skip
        yield {
            "file": path, "hand": hand.number, "rules": replay.book.id, "place": hand.place.name, "players": names,
            "ending": _ending(hand),
            "winners": [names[seat] for seat in ending.seats] if ending is not None else [],
            "discarder": None if ending is None or ending.discarder is None else names[ending.discarder],
            "points": [win.points for win in ending.winners] if ending is not None else [],
            "fans": [name for name, count in fans for _ in range(count)],
            "paid": list(add_up(hand.payments, zero_sum=False).seats), "events": len(hand.events),
            "replayed": hand.problem is None,
        }  # fmt: skip


def _ending(hand: PlayedHand) -> str | None:
    ending = hand.ending
    if ending is None or not ending.winners:
        return None if ending is None else "drawn"
    return "self_draw" if ending.self_draw else "robbed" if ending.robbed else "discard"


def _decision_rows(log: ImportedLog, path: str) -> Iterator[Row]:
    for hand in log.replay.hands:
        yield from _decisions_of(log.replay, hand, path)


def _decisions_of(replay: Replay, hand: PlayedHand, path: str) -> Iterator[Row]:
    table = Table(replay.book, hand.wall, round=hand.place.round_wind)
    names = [replay.match.names[player] for player in hand.place.seats]
    end = inf if hand.problem is None else hand.problem.line
    steps = takewhile(lambda step: step.line < end, hand.steps)
    try:
        for n, (seat, action, by) in enumerate(decide(table, steps)):
            view = table.view(seat)
            yield {
                "file": path, "hand": hand.number, "n": n, "rules": replay.book.id, "seat": WINDS[seat],
                "player": names[seat], "acted_by": by, "concealed": _tiles(view.hand),
                "drawn": None if view.drawn is None else _tiles([view.drawn]),
                "melds": "".join(map(str, view.melds)), "wall_left": view.board.left,
                "options": len(table.options(seat)), "action": action.do.value,
                "tile": None if action.tile is None else _tiles([action.tile]), "ready": action.ready,
            }  # fmt: skip
    except Error:
        return


def _tiles(kinds: Sequence[int]) -> str:
    """Return tiles as text; flowers, for which the notation has no sign, by their English names after the others."""
    flowers = [FLOWERS_ENGLISH[kind - FIRST_FLOWER] for kind in kinds if kind >= FIRST_FLOWER]
    return " ".join(filter(None, (tiles_text(kind for kind in kinds if kind < FIRST_FLOWER), *flowers)))

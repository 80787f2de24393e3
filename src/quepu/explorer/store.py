"""Ask a store of discards: a folder of Parquet files, read by DuckDB.

Answers count cases and have 95% intervals. A file that is damaged or lacks columns is named and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from quepu.errors import HandError, Text, UnknownName, cannot_read, join_list, near_names, needs
from quepu.explorer.filters import GROUPS, Filter
from quepu.explorer.rows import DISCARD
from quepu.figures.intervals import mean, rate
from quepu.folding import natural_order
from quepu.logs import Unread
from quepu.rules.play_rules import SEATS
from quepu.tiles import KINDS, NAMES, WINDS

_MOST_GROUPS = 200
"""Groups that an answer lists: those with the most cases."""
_EXAMPLE = "struct_pack(" + ", ".join(
    f"{name} := {name}" for name in ("file", "hand", "frame", "seat", "player", "turn", "tile", "paid", "won")
) + ")"  # fmt: skip
_ORDER = "paid::DOUBLE + (hash(file, hand, frame) % 1000000) / 1000001.0"
"""Examples are the costliest cases, and among equals always the same ones."""
_HAND = 14
_COPIES = 4


class Group(NamedTuple):
    """Cases of a group: how many, how often the discard was won on and its cost, how often the seat won, its gain."""

    group: str | None
    cases: int
    hands: int
    taken: dict[str, Any]
    cost: dict[str, Any]
    won: dict[str, Any]
    gain: dict[str, Any]


class Example(NamedTuple):
    """A case, where it is: file, hand and frame, and what happened."""

    file: str
    hand: int
    frame: int
    seat: str
    player: str
    turn: int
    tile: str
    cost: int
    won: bool


class Answer(NamedTuple):
    """An answer: its groups, examples, files that were left out, and the exact chance of the tiles, if there is one."""

    groups: list[Group]
    examples: list[Example]
    unread: list[Unread]
    exact: float | None
    rows: int
    """Discards in the store."""
    more: int = 0
    """Further groups, which are not listed."""

    def to_json(self, lang: str) -> dict[str, Any]:
        """Return plain data."""
        return {
            "rows": self.rows,
            "groups": [group._asdict() for group in self.groups],
            "more": self.more,
            "exact": self.exact,
            "examples": [one._asdict() for one in self.examples],
            "unread": [{"path": one.path, "why": one.why.say(lang)} for one in self.unread],
        }


class Store:
    """A folder of Parquet files, or one file."""

    def __init__(self, path: str | Path, threads: int = 0) -> None:
        """Look for files; `threads`: 0 uses all cores.

        Raises:
            HandError: the folder does not exist, or has no Parquet files.
            MissingExtra: DuckDB is not installed.
        """
        needs("duckdb", extra="explorer")
        import duckdb

        folder = Path(path)
        if not folder.exists():
            raise cannot_read(folder, FileNotFoundError(2, "No such file or directory"))
        self.files = [folder] if folder.is_file() else sorted(folder.rglob("*.parquet"))
        if not self.files:
            raise HandError(f"{folder} 里没有 .parquet 文件。", f"{folder} has no .parquet files.")
        self.unread: list[Unread] = []
        settings: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        if threads:
            settings["threads"] = str(threads)
        self._database = duckdb.connect(config=settings)
        self._good = [file for file in self.files if self._check(file)]

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def _fetch(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        cursor = self._database.cursor()  # a cursor of its own: an unread one blocks the connection
        try:
            found: list[tuple[Any, ...]] = cursor.execute(sql, list(values)).fetchall()
            return found
        finally:
            cursor.close()

    def _check(self, file: Path) -> bool:
        """Return whether a file has the columns of a store; note why not."""
        import duckdb

        try:
            found = {row[0] for row in self._fetch("DESCRIBE SELECT * FROM read_parquet(?)", [str(file)])}
        except duckdb.Error:
            self.unread.append(Unread(str(file), Text("不是 Parquet 文件，或已损坏", "not a Parquet file, or damaged")))
            return False
        lacking = join_list(name for name in DISCARD if name not in found)
        if lacking.zh:
            why = Text(f"缺少列：{lacking.zh}", f"columns are missing: {lacking.en}")
            self.unread.append(Unread(str(file), why))
        return not lacking.zh

    def ask(self, wanted: Filter, by: str = "", examples: int = 5) -> Answer:
        """Answer a question: the cases of a filter, by a group.

        Raises:
            UnknownName: there is no such group. HandError: the group needs a term about an opponent.
        """
        import duckdb

        if by and by not in GROUPS:
            listed = join_list(near_names(by, {one: one for one in GROUPS}, most=3) or GROUPS)
            raise UnknownName(
                f"不能按“{by}”分，可用：{listed.zh}。", f"cannot group by {by!r}; there are: {listed.en}."
            )
        if by == "shown" and not wanted.opponent:
            raise HandError(
                "按 shown 分要有关于对手的一项，如 shown>=0。",
                "grouping by shown needs a term about an opponent, such as shown>=0.",
            )
        while True:
            try:
                return self._ask(wanted, by, examples)
            except duckdb.Error as wrong:
                if not self._drop_damaged():
                    raise HandError(f"查不了：{wrong}", f"the query failed: {wrong}") from wrong

    def _drop_damaged(self) -> bool:
        """Leave out the files that cannot be read to their end; return whether there were any."""
        import duckdb

        columns = ", ".join(f'max("{name}")' for name in DISCARD)
        for file in (before := list(self._good)):
            try:
                self._fetch(f"SELECT {columns} FROM read_parquet(?)", [str(file)])  # noqa: S608  # our own names
            except duckdb.Error:
                self._good.remove(file)
                self.unread.append(Unread(str(file), Text("有一部分已损坏", "a part of it is damaged")))
        return len(self._good) < len(before)

    def _ask(self, wanted: Filter, by: str, examples: int) -> Answer:
        files = [str(file) for file in self._good]
        if not files:
            return Answer([], [], self.unread, _exact(wanted), 0)
        cases, values = _cases(wanted, by)
        group = "grouped" if by else "NULL"
        best = f", arg_max({_EXAMPLE}, {_ORDER}, {examples:d})" if examples else ""
        counted = self._fetch(
            f"WITH cases AS ({cases}) "  # noqa: S608  # names of our own; values are apart
            f"SELECT {group}, sum(times), count(DISTINCT hash(file, hand)), sum(taken), sum(paid), "
            "sum(paid::DOUBLE * paid), sum(times * won::INT), sum(times * gain), "
            f"sum(times * gain::DOUBLE * gain){best} FROM cases GROUP BY 1 ORDER BY 1",
            values(files),
        )
        largest = sorted((row for row in counted if row[1]), key=lambda row: -row[1])[:_MOST_GROUPS]
        listed_names = {row[0] for row in largest}
        groups = [self._group(by, row[:9]) for row in counted if row[1] and row[0] in listed_names]
        if by == "player":
            groups.sort(key=lambda group: natural_order(group.group or ""))
        more = sum(bool(row[1]) for row in counted) - len(groups)
        every = [one for row in counted if row[1] and examples for one in row[9]]
        every.sort(key=lambda one: (-one["paid"], one["file"], one["hand"], one["frame"]))
        listed = [
            Example(
                one["file"], one["hand"], one["frame"], WINDS[one["seat"]], one["player"], one["turn"],
                NAMES[one["tile"]], int(one["paid"]), one["won"],
            )
            for one in every[:examples]
        ]  # fmt: skip
        ((rows,),) = self._fetch("SELECT count(*) FROM read_parquet(?)", [files])
        return Answer(groups, listed, self.unread, _exact(wanted), rows, more)

    def _group(self, by: str, row: tuple[Any, ...]) -> Group:
        name, cases, hands, taken, paid, paid_squares, won, gain, gain_squares = row
        shown = NAMES[name] if by == "tile" else WINDS[name] if by == "seat" else name
        return Group(
            None if not by else str(shown),
            cases,
            hands,
            rate(int(taken), cases)._asdict(),
            _mean(paid, paid_squares, cases),
            rate(int(won), cases)._asdict(),
            _mean(gain, gain_squares, cases),
        )


def _cases(wanted: Filter, by: str) -> tuple[str, Callable[[list[str]], list[Any]]]:
    """Return the query of the discards with a case, and a function from the files to its values.

    A discard is a case, or with a term about an opponent `times` cases, one for each opponent of which the terms hold;
    `taken` of them were won on. Grouped by what an opponent shows, each of them is a row.
    """
    own = [one for one in wanted.conditions if not one.opponent]
    theirs = [one for one in wanted.conditions if one.opponent]
    where = " AND ".join(f"({one.sql})" for one in own) or "true"
    columns = "file, hand, frame, seat, player, turn, tile, won, gain"
    source = f"FROM read_parquet(?) WHERE {where}"
    common = [value for one in own for value in one.values]
    if not theirs:
        grouped = f', "{by}" AS grouped' if by else ""
        text = (
            f"SELECT {columns}, 1 AS times, (took > 0)::INT AS taken, "  # names of our own
            f"CASE WHEN took > 0 THEN cost ELSE 0 END AS paid{grouped} {source}"
        )
        return text, lambda files: [files, *common]
    of_one = [value for one in theirs for value in one.values]
    opponents = range(1, SEATS)
    fits = {by: " AND ".join(f"({one.sql.format(by=by)})" for one in theirs) for by in opponents}
    if by == "shown":
        parts = [
            f"SELECT {columns}, 1 AS times, (took = {by})::INT AS taken, "  # the same
            f"CASE WHEN took = {by} THEN cost ELSE 0 END AS paid, shown{by} AS grouped {source} AND {fits[by]}"
            for by in opponents
        ]
        return " UNION ALL ".join(parts), lambda files: [files, *common, *of_one] * len(opponents)
    marks = ", ".join(f"({fits[by]})::INT AS fits{by}" for by in opponents)
    taken = " OR ".join(f"(took = {by} AND fits{by} = 1)" for by in opponents)
    times = " + ".join(f"fits{by}" for by in opponents)
    grouped = f', "{by}" AS grouped' if by else ""
    text = (
        f"SELECT {columns}, {times} AS times, ({taken})::INT AS taken, "  # noqa: S608  # the same
        f"CASE WHEN {taken} THEN cost ELSE 0 END AS paid{grouped} "
        f"FROM (SELECT *, {marks} {source}) WHERE {times} > 0"
    )
    return text, lambda files: [*of_one * len(opponents), files, *common]


def _mean(total: Any, squares: Any, of: int) -> dict[str, Any]:
    found = mean(float(total), float(squares), of)
    spread = of > 1 and found.low < found.high  # equal values say nothing about how far the mean may be off
    return {"mean": found.mean, "low": found.low if spread else None, "high": found.high if spread else None}


def _exact(wanted: Filter) -> float | None:
    """Return the exact chance that fourteen tiles of a full wall hold the tiles of a filter about nothing else."""
    names = {term.partition("=")[0] for term in wanted.terms}
    if not wanted.held or names != {"holds"}:
        return None
    ways = {0: 1}  # by the tiles taken of the kinds that matter
    for copies in wanted.held.values():
        new: dict[int, int] = {}
        for taken, count in ways.items():
            for more in range(copies, _COPIES + 1):
                new[taken + more] = new.get(taken + more, 0) + count * comb(_COPIES, more)
        ways = new
    others = _COPIES * (KINDS - len(wanted.held))
    total = sum(count * comb(others, _HAND - taken) for taken, count in ways.items() if taken <= _HAND)
    return total / comb(_COPIES * KINDS, _HAND)

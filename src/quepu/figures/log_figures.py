"""Figures from logs of matches and score tables: only settlements are read, so thousands take seconds.

Logs are not verified here: the chain is not checked and nothing is replayed (`quepu verify` does both).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from quepu.errors import Error, Text
from quepu.figures.figures import Figures, HandResult, WinResult, of_match
from quepu.rules.play_rules import SeatWin
from quepu.scorekeeper.ledger import Ledger
from quepu.scorekeeper.records import HandRecord
from quepu.tiles import WINDS

_MALFORMED = (KeyError, ValueError, TypeError, IndexError, AttributeError)


_BEGINNINGS = (b'\n{"hand"', b'\n{"result"', b'\n{"joined"', b'"e":"win"')
"""Beginnings of the log lines that figures need, about thirty of three thousand."""


class MatchFigures(NamedTuple):
    """Figures of a file: totals by name and everyone's figures; `lost` lists what could not be read.

    `ids` are those beside names (`quepu.scorekeeper.roster`), `when` is the time of the file in seconds.
    """

    source: str
    book: str
    totals: dict[str, int]
    players: dict[str, Figures]
    lost: tuple[Text, ...] = ()
    at: str = ""
    when: float = 0.0
    ids: Mapping[str, str] = {}


class Unreadable(NamedTuple):
    """A file that is not a log, and why."""

    path: str
    why: Text


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the players of a match; bots of one level get numbers."""
    return [f"{name} {i + 1}" if names.count(name) > 1 else name for i, name in enumerate(names)]


def read(path: Path) -> MatchFigures | Unreadable:
    """Read the figures of one file: a log of quepu, a score table, or a match of another program."""
    try:
        data, when = path.read_bytes(), path.stat().st_mtime
    except OSError:
        return Unreadable(str(path), Text("读不了。", "it cannot be read."))
    found = read_bytes(data, path.name, when)
    return found._replace(path=str(path)) if isinstance(found, Unreadable) else found


def read_bytes(data: bytes, name: str, when: float = 0.0) -> MatchFigures | Unreadable:
    """Read the figures from a file's bytes, with its name and time."""
    try:
        data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
        head, _, rest = data.partition(b"\n")
        if not head:
            return Unreadable(name, Text("空文件。", "an empty file."))
        first = _object(head)
        if first is not None and "log" in first and "players" in first:
            found = _of_log(first, _select_lines(data), name, when)
        else:
            whole = first if not rest.strip() else _object(data)
            if whole is not None and whole.get("quepu") == "table":
                found = _of_table(whole, name, when)
            else:
                found = _of_other(data.decode(), name, when)
        return found._replace(at=name, when=when)
    except Error as error:
        return Unreadable(name, error.text)
    except UnicodeDecodeError:
        return Unreadable(name, Text("读不了。", "it cannot be read."))
    except _MALFORMED:
        return Unreadable(name, Text("不是牌谱。", "not a log."))


def _select_lines(data: bytes) -> list[bytes]:
    """Return the log lines that figures need, in order; the others are skipped."""
    found: list[tuple[int, bytes]] = []
    for beginning in _BEGINNINGS:
        at = data.find(beginning)
        while at >= 0:
            start = data.rfind(b"\n", 0, at + 1) + 1
            end = data.find(b"\n", start)
            end = end if end >= 0 else len(data)
            found.append((start, data[start:end]))
            at = data.find(beginning, end)
    return [line for _, line in sorted(found)]


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _of_log(header: dict[str, Any], lines: Sequence[bytes], at: str, when: float) -> MatchFigures:
    names = distinct_names([str(name) for name in header["players"]])
    seats = [0, 1, 2, 3]
    hands: list[HandResult] = []
    totals = [0] * 4
    part: dict[str, int] = {}  # who played only a part, and the gain in it
    wins: list[dict[str, Any]] = []
    for line in lines:
        if line.startswith(b'{"joined"'):
            data = json.loads(line)
            player, name = data["joined"], str(data["name"])
            part[names[player]], part[name] = totals[player] - part.get(names[player], 0), totals[player]
            names = [name if at == player else old for at, old in enumerate(names)]
        elif line.startswith(b'{"hand"'):
            _, dealership, _, start = json.loads(line)["place"]
            seats = [start[(dealership + i) % 4] for i in range(4)]
            wins = []
        elif b'"e":"win"' in line:
            wins.append(json.loads(line))
        elif line.startswith(b'{"result"'):
            data = json.loads(line)
            gains = [0] * 4
            for payer, payee, paid, *_ in data["result"]:
                if payer < 4:
                    gains[seats[payer]] -= paid
                if payee < 4:
                    gains[seats[payee]] += paid
            giver = wins[0].get("from") if wins else None
            discarder = None if giver is None else seats[WINDS.index(giver)]
            worth = {win["seat"]: win for win in (data["won"], *data.get("also", ()))} if "won" in data else {}
            won = [_win_result(seats[WINDS.index(win["seat"])], worth.get(win["seat"])) for win in wins]
            hands.append(HandResult(names, won, discarder, gains))
            totals = [int(total) for total in data["totals"]]
    book = str(header["rules"]).partition("@")[0]
    by_name = dict(zip(names, totals, strict=True))
    part |= {name: total - part[name] for name, total in by_name.items() if name in part}
    return MatchFigures("log", book, by_name | part, of_match(book, by_name, hands, part, at=at, when=when))


def _win_result(player: int, worth: dict[str, Any] | None) -> WinResult:
    """Return a win of a log; `worth` is what its result says about it, if it does."""
    if worth is None:
        return WinResult(player, 0)
    fans = None if worth.get("fans") is None else [(str(fan), int(n)) for fan, n in worth["fans"]]
    return WinResult(player, int(worth["points"]), fans)


def _of_table(data: dict[str, Any], at: str, when: float) -> MatchFigures:
    from quepu.scorekeeper.ledger import fold
    from quepu.scorekeeper.records import TableFile
    from quepu.scorekeeper.roster import ids_at

    table = TableFile.model_validate(data)
    ledger = fold(table.spec, table.records)
    found = figures_of(ledger, at=at, when=when)
    totals = {name: one.total for name, one in found.items()}
    return MatchFigures("table", ledger.match.book.id, totals, found, ids=ids_at(table.spec, table.records))


def _of_other(text: str, at: str, when: float) -> MatchFigures:
    from quepu.match.imports import read_any

    log = read_any(text)
    header = json.loads(log.lines[0])
    found = _of_log(header, [line.encode() for line in log.lines], at, when)
    return found._replace(source=log.source, lost=log.lost)


def _won_at_table(win: SeatWin, player: int, written: str) -> WinResult:
    fans = None if win.score is None else [(fan.name, fan.count) for fan in win.score.fans]
    return WinResult(player, win.points, fans, written)


def figures_of(ledger: Ledger, *, at: str = "", when: float = 0.0) -> dict[str, Figures]:
    """Return each player's figures at one table; `at` names it, `when` is its time."""
    match = ledger.match
    rows = [row for row in ledger.rows if isinstance(row.record, HandRecord)]
    hands = []
    for row, hand in zip(rows, match.hands, strict=True):
        ending, seats = hand.ending, hand.place.seats
        written = row.record.tiles.hand if isinstance(row.record, HandRecord) and row.record.tiles is not None else ""
        hands.append(
            HandResult(
                names=row.names,
                wins=[_won_at_table(win, seats[win.seat], written) for win in ending.winners],
                discarder=None if ending.discarder is None else seats[ending.discarder],
                gains=hand.players,
            )
        )
    start = match.rules.match.start
    return of_match(
        match.book.id, {name: total - start for name, total in ledger.people.items()}, hands, at=at, when=when
    )

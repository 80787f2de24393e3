"""Seating that an organiser provides: lines of text or CSV become rounds, or a list of what is wrong, by line.

A line is a table: `round, table, East, South, West, North`, as `quepu seating --csv` writes it, or only the four
players, with an empty line (or 第 2 轮, round 2) between rounds. A player is a name, or a number in the list of
players, as in prescripted seating. Commas, semicolons and tabs separate.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quepu.errors import HandError, Text, join_list, many
from quepu.spreadsheets import read_cells
from quepu.tournament.designs import SEATS
from quepu.tournament.schedule import MOST_ROUNDS, Round

_MOST_SHOWN = 20
_DIGITS = 9
"""The most digits of a player's number."""
_HEADING = re.compile(r"\W*(?:第\s*(\d+)\s*[轮輪局]|(?:round|session|r)\s*(\d+))\W*", re.IGNORECASE)
_EMPTY = ("", "-", "—", "–", "空")


def read_seating(text: str, players: Sequence[str], *, threes: bool) -> list[Round]:
    """Return the rounds that a text describes.

    Args:
        text: the lines.
        players: everyone who plays, in the order of their numbers.
        threes: whether tables of three are allowed.

    Raises:
        HandError: lines are wrong; a sentence for each of them.
    """
    reader = _Reader(players, threes)
    for number, line in enumerate(text.splitlines(), 1):
        reader.read(number, line)
    reader.close()
    if not reader.rounds and not reader.wrong:
        reader.wrong.append(Text("没有一行是桌子。", "no line is a table."))
    if reader.wrong:
        raise wrong_lines(reader.wrong)
    return [Round(tuple(tables), tuple(sorted(resting))) for tables, resting in reader.rounds]


def wrong_lines(wrong: Sequence[Text]) -> HandError:
    """Build the error for wrong lines: a sentence for each of the first."""
    shown = list(wrong[:_MOST_SHOWN])
    if len(wrong) > _MOST_SHOWN:
        left = len(wrong) - _MOST_SHOWN
        shown.append(Text(f"还有 {left} 处。", f"{left} more."))
    rest = [one.en[0].upper() + one.en[1:] for one in shown[1:]]  # each of them begins a sentence
    return HandError("\n".join(one.zh for one in shown), "\n".join([shown[0].en, *rest]))


class _Reader:
    """Reads lines one after the other and collects the errors."""

    def __init__(self, players: Sequence[str], threes: bool) -> None:
        self.players = players
        self.threes = threes
        self.wrong: list[Text] = []
        self.rounds: list[tuple[list[tuple[str | None, ...]], list[str]]] = []
        self._known = set(players)
        self._named = ""
        self._open = False
        self._seen: dict[str, int] = {}

    def read(self, number: int, line: str) -> None:
        """Read a line."""
        cells = read_cells(line)
        while cells and not cells[-1] and len(cells) > SEATS + 2:
            cells.pop()
        heading = _HEADING.fullmatch(line.strip())
        if not any(cells) or heading:
            self._finish()
            return
        if number == 1 and self._is_heading(cells):
            return
        if len(cells) == SEATS + 1 and self._is_numbered_three(cells):
            cells.append("")
        resting = len(cells) in (3, SEATS + 2) and len([c for c in cells if c]) == 2 and cells[0].isdigit() and cells[2]
        if len(cells) == SEATS + 2 or resting:
            if cells[0] != self._named:
                self._finish()
                self._named = cells[0]
            cells = cells[2:]
        elif len(cells) == SEATS + 1:
            cells = cells[1:]
        if resting:
            self._seat(number, cells[:1], rest=True)
        elif len(cells) not in (SEATS - 1, SEATS):
            self._complain(
                number,
                f"要四个名字（或“轮，桌，四个名字”），现有 {len(cells)} 格。",
                f"expected four names (or round, table and four names), found {len(cells)} cells.",
            )
        else:
            self._seat(number, [*cells, ""][:SEATS])

    def _is_numbered_three(self, cells: Sequence[str]) -> bool:
        """Whether these are a round, a table and three names, rather than a table and four players."""
        numbers = [cell.isdigit() and cell not in self._known for cell in cells]
        return numbers[:2] == [True, True] and not any(numbers[2:])

    def _is_heading(self, cells: Sequence[str]) -> bool:
        words = {"round", "table", "east", "south", "west", "north", "轮", "桌", "东", "南", "西", "北", "session"}
        return len(cells) in (SEATS, SEATS + 1, SEATS + 2) and all(cell.lower() in words for cell in cells)

    def _seat(self, number: int, cells: Sequence[str], *, rest: bool = False) -> None:
        if not self._open:
            self.rounds.append(([], []))
            self._open = True
        names = [self._find(number, cell) for cell in cells]
        for name in names:
            if name is not None and name in self._seen:
                before = self._seen[name]
                self._complain(
                    number,
                    f"“{name}”这一轮已经在第 {before} 行。" if before != number else f"“{name}”写了两次。",
                    f"{name!r} is already on line {before} in this session."
                    if before != number
                    else f"{name!r} is on this line twice.",
                )
            elif name is not None:
                self._seen[name] = number
        if rest:
            self.rounds[-1][1].extend(name for name in names if name)
            return
        empty = sum(cell in _EMPTY for cell in cells)
        if empty > 1 or (empty and not self.threes):
            self._complain(
                number,
                f"只有 {SEATS - empty} 人；这场比赛没有三人桌。" if not self.threes else f"只有 {SEATS - empty} 人。",
                f"only {many(SEATS - empty, 'player')}; this tournament has no tables of three."
                if not self.threes
                else f"only {many(SEATS - empty, 'player')}.",
            )
        self.rounds[-1][0].append(tuple(names))

    def _find(self, number: int, cell: str) -> str | None:
        if cell in _EMPTY:
            return None
        if cell in self._known:
            return cell
        if cell.isdecimal() and len(cell) <= _DIGITS and 0 < int(cell) <= len(self.players):
            return self.players[int(cell) - 1]
        self._complain(number, f"名单里没有“{cell}”。", f"{cell!r} is not among the players.")
        return None

    def _complain(self, number: int, zh: str, en: str) -> None:
        self.wrong.append(Text(f"第 {number} 行：{zh}", f"line {number}: {en}"))

    def _finish(self) -> None:
        """End the round, whose remaining players sit out."""
        if self._open:
            number = len(self.rounds)
            left = [name for name in self.players if name not in self._seen]
            if len(left) >= SEATS and not any(one.zh.startswith("第") and "名单" in one.zh for one in self.wrong):
                names = join_list([*left[:8], *["…"] * (len(left) > 8)])
                self.wrong.append(
                    Text(
                        f"第 {number} 轮有 {len(left)} 人没有座位：{names.zh}。",
                        f"session {number} has no seat for {many(len(left), 'player')}: {names.en}.",
                    )
                )
            resting = self.rounds[-1][1]
            resting += [name for name in left if name not in resting]
        self._open = False
        self._seen = {}

    def close(self) -> None:
        """End the last round."""
        self._finish()
        if len(self.rounds) > MOST_ROUNDS:
            self.wrong.append(
                Text(
                    f"有 {len(self.rounds)} 轮，最多 {MOST_ROUNDS} 轮。",
                    f"there are {len(self.rounds)} sessions; the limit is {MOST_ROUNDS}.",
                )
            )

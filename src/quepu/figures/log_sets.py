"""Sets of logs: many files read in several processes, and added up by player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.figures import player_report
from quepu.figures.figures import Figures, by_id, merge_figures
from quepu.figures.log_figures import MatchFigures, Unreadable, read
from quepu.scorekeeper.roster import Player, Roster, labels

Json = dict[str, Any]
_ALONE = 100
"""Number of files up to which one process reads them all."""
_PIECES = 8
"""Chunks of work per process, since files differ in length."""


class MatchRead(NamedTuple):
    """A match in a set: its file, time (seconds), totals by the ids of its players, and its book."""

    at: str
    when: float
    totals: Mapping[str, int]
    book: str


@dataclass
class LogSet:
    """Logs added up: `matches` in order, `called` the names of ids, `unread` files that are not logs."""

    matches: list[MatchRead] = field(default_factory=list)
    figures: dict[str, dict[str, Figures]] = field(default_factory=dict)
    """Everyone's figures by id, for each book apart."""
    called: dict[str, str] = field(default_factory=dict)
    unread: list[Unreadable] = field(default_factory=list)
    lost: Counter[Text] = field(default_factory=Counter)
    """What could not be read from logs of other programs, and in how many."""

    def add(self, others: Sequence[LogSet]) -> None:
        """Append other sets to this one."""
        whole = [self.figures, *(other.figures for other in others)]
        self.figures = {
            book: merge_figures([one[book] for one in whole if book in one]) for book in dict.fromkeys(chain(*whole))
        }
        for other in others:
            self.matches += other.matches
            self.called = {**other.called, **self.called}
            self.unread += other.unread
            self.lost.update(other.lost)

    @property
    def hands(self) -> int:
        """The number of hands of all matches."""
        return sum(one.hands for figures in self.figures.values() for one in figures.values()) // 4

    def to_json(self) -> Json:
        """Return plain data."""
        return {
            "matches": [list(one) for one in self.matches],
            "figures": {
                book: {id: one.to_json() for id, one in figures.items()} for book, figures in self.figures.items()
            },
            "called": self.called,
            "unread": [[one.path, list(one.why)] for one in self.unread],
            "lost": [[list(text), count] for text, count in self.lost.items()],
        }

    @classmethod
    def from_json(cls, data: Json) -> LogSet:
        """Read the data of `to_json`."""
        return cls(
            [MatchRead(*one) for one in data["matches"]],
            {
                book: {id: Figures.from_json(one) for id, one in figures.items()}
                for book, figures in data["figures"].items()
            },
            dict(data["called"]),
            [Unreadable(path, Text(*why)) for path, why in data["unread"]],
            Counter({Text(*text): count for text, count in data["lost"]}),
        )

    def several(self) -> list[player_report.AddedUp]:
        """Return figures and ratings of each book, the most played first; matches are rated in the order of time."""
        ordered = sorted(self.matches, key=lambda match: (match.when, match.at))
        played = Counter(match.book for match in ordered)
        return [
            player_report.AddedUp(
                book,
                self.figures.get(book, {}),
                player_report.rate_players([match.totals for match in ordered if match.book == book]),
            )
            for book, _ in played.most_common()
        ]

    def labels(self, roster: Roster) -> dict[str, str]:
        """Return labels that tell these players apart, by id."""
        there = [roster.players.get(id) or Player(id, name) for id, name in self.called.items()]
        return labels(there)


def of_matches(found: Sequence[MatchFigures | Unreadable], roster: Roster) -> LogSet:
    """Build a set from files that were read."""
    made = LogSet()
    players: dict[str, list[dict[str, Figures]]] = {}
    for one in found:
        if isinstance(one, Unreadable):
            made.unread.append(one)
            continue
        ids = roster.at_table(list(one.players), one.at, one.ids)
        made.lost.update(set(one.lost))
        made.called = {**{id: name for name, id in ids.items()}, **made.called}
        totals = {ids[name]: total for name, total in one.totals.items()}
        made.matches.append(MatchRead(one.at, one.when, totals, one.book))
        players.setdefault(one.book, []).append(by_id(one.players, ids))
    made.figures = {book: merge_figures(several) for book, several in players.items()}
    return made


def _of_paths(roster: Roster, paths: Sequence[Path]) -> LogSet:
    return of_matches([read(path) for path in paths], roster)


def of_files(paths: Sequence[Path], roster: Roster | None = None, jobs: int = 1) -> LogSet:
    """Read files in several processes, and add them up in order."""
    roster = roster or Roster()
    if jobs < 2 or len(paths) < _ALONE:
        return _of_paths(roster, paths)
    size = -(-len(paths) // (jobs * _PIECES))
    with ProcessPoolExecutor(jobs) as pool:
        pieces = list(pool.map(partial(_of_paths, roster), [paths[i : i + size] for i in range(0, len(paths), size)]))
    whole = LogSet()
    whole.add(pieces)
    return whole

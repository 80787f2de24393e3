"""Sets of logs read and added up, in another process: plain data goes in and comes out."""

from __future__ import annotations

from typing import Any

from quepu.errors import HandError
from quepu.figures import player_report
from quepu.figures.log_figures import read_bytes
from quepu.figures.log_sets import LogSet, of_matches
from quepu.scorekeeper.roster import Roster, RosterFile, fold
from quepu.server.players.messages import AddUp, ReadLogs

Json = dict[str, Any]


def _roster(given: RosterFile | None) -> Roster:
    return Roster() if given is None else fold(given.changes)


def read(given: ReadLogs) -> Json:
    """Files as a set of logs."""
    found = [read_bytes(one.text.encode("utf-8", "replace"), one.name, one.when) for one in given.files]
    return of_matches(found, _roster(given.roster)).to_json()


def added(given: AddUp) -> Json:
    """Sets added up: a line for everybody, and one page where it is asked for.

    Raises:
        HandError: something among them was not made by `read`.
    """
    roster, whole = _roster(given.roster), LogSet()
    try:
        whole.add([LogSet.from_json(one.model_dump()) for one in given.sets])
        labels, several = whole.labels(roster), whole.several()
        return {
            "matches": len(whole.matches),
            "hands": whole.hands,
            "players": player_report.lines(several, labels),
            "player": player_report.page(several, given.id, labels) if given.id else None,
            "unread": [{"path": one.path, "why": one.why._asdict()} for one in whole.unread],
            "lost": [{"text": text._asdict(), "files": count} for text, count in whole.lost.most_common()],
        }
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as wrong:
        raise HandError("这些不是读好的牌谱。", "these are no logs that were read.") from wrong

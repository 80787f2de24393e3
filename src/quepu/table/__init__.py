"""Play a hand at a table: the wall, the options of each seat, the events, and the view of each seat.

`Table.options(seat)` and `Table.step(seat, action)` are the only entry points, for people, bots, simulation and replay.
"""

from quepu.table.actions import Action, ActionKind, NotAllowed
from quepu.table.events import Event
from quepu.table.play import Table
from quepu.table.visibility import Board, View, seen_by
from quepu.table.wall import Wall, commitment, make_wall, secret_wall

__all__ = [
    "Action",
    "ActionKind",
    "Board",
    "Event",
    "NotAllowed",
    "Table",
    "View",
    "Wall",
    "commitment",
    "make_wall",
    "secret_wall",
    "seen_by",
]

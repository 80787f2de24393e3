"""Rooms: tables that people and bots play at over a WebSocket.

One task plays the match of a room; its log is the only truth.

    room, playing                   what people do to a room; its match, hand after hand
    places, seating, audience       four places, who sits there, everybody who is told
    game, held, record              the match and its table; the log that is written before anything is told
    clock, asking, thinking, hints  time to move; bots asked, in other processes; hints
    showing, telling, closing       a room and its table as data, lines of the log, the end of a hand
    house                           the rooms of a process: opened, found again, taken over
    visit, asked                    a connection to a room here; questions by name
    elsewhere, bus                  rooms of other processes
"""

from quepu.server.rooms.house import House
from quepu.server.rooms.room import Room

__all__ = ["House", "Room"]

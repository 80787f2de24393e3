"""Rooms: tables that people and bots play at over a WebSocket. One task owns a room; its log is the only truth."""

from quepu.server.rooms.house import House
from quepu.server.rooms.room import Room

__all__ = ["House", "Room"]

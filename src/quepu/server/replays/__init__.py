"""Replays: found, folded and shown."""

from quepu.server.replays.shelf import Shelf

__all__ = ["Shelf"]

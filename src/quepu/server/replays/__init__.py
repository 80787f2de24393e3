"""Replays: found, folded and shown."""

from quepu.server.replays.repository import ReplayRepository

__all__ = ["ReplayRepository"]

"""Replays: found, folded and shown."""

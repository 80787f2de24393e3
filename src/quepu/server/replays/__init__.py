"""Replays: found, replayed and shown."""

"""Previews of shared hands, replay moments and puzzles: a title and a picture for chat apps, and embeds."""

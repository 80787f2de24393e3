"""Rulebooks over HTTP: `api`, `messages`, `differences` (two books compared)."""

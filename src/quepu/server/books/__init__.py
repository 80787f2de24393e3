"""Rulebooks over HTTP: `api`, `messages`, `pinyin` (names searched by their syllables)."""

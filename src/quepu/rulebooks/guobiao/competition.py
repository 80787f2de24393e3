"""国标 at the tables of competitions and platforms: as `play`, with concealed kongs face down (暗杠应扣放, 1998)."""

from __future__ import annotations

from dataclasses import replace

from quepu.rulebooks.guobiao import play_rules
from quepu.rules.play_rules import PlayRules
from quepu.rules.rulebook import Rulebook


def rules(book: Rulebook) -> PlayRules:
    """Return what tables and matches ask of 国标 as it is played in competitions."""
    made = play_rules.rules(book)
    return replace(made, table=replace(made.table, concealed_kongs_hidden=True))

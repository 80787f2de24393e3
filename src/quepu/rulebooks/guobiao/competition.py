"""国标 in competitions and on platforms: as `play_rules`, with concealed kongs face down (暗杠应扣放, 1998)."""

from __future__ import annotations

from dataclasses import replace

from quepu.rulebooks.guobiao import play_rules
from quepu.rules.play_rules import PlayRules
from quepu.rules.rulebook import Rulebook


def rules(book: Rulebook) -> PlayRules:
    """Return the rules of competition 国标 for tables and matches."""
    made = play_rules.rules(book)
    return replace(made, table=replace(made.table, concealed_kongs_hidden=True))

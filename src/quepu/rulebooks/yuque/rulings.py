"""How ambiguous and misprinted places of seed 002 are read."""

from quepu.rulebook import Ruling

RULINGS: tuple[Ruling, ...] = ()

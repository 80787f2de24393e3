"""A discard whose tile the hand wants again: what was thrown, looked at once more with what it leaves."""

from __future__ import annotations

from quepu.bots.chances import BENT
from quepu.review.valuation import Eye, Rated, after
from quepu.table import ActionKind, View
from quepu.tiles import KINDS


def redrawn(view: View, found: Rated, chosen: int) -> Rated:
    """Return the choices, the one taken valued with hands that need another copy of its tile, if these are nearer.

    Discards are valued by the hands in reach that do without the tile. Where it was one of the nearest hands' own,
    the nearest that is left may want it back. To look after every discard would take ten times as long, so only the
    one that was made is looked at.
    """
    taken = found.choices[chosen]
    best = next(one for one in found.choices if one.points is None)
    if {taken.action.do, best.action.do} != {ActionKind.DISCARD} or taken.missing == best.missing:
        return found
    left = after(view, taken)
    if left is None:
        return found
    eye = Eye.of(view)
    value, again = eye.choice(taken.action, eye.look(*left), KINDS)
    if again.missing is None or (taken.missing is not None and again.missing >= taken.missing):
        return found
    whole = eye.look([kind for kind in view.tiles if kind < KINDS], view.melds)
    most = float(whole.values[best.action.tile_kind])
    above = found.choices[chosen - 1] if chosen and found.choices[chosen - 1].points is None else None
    share = max(taken.share, min(value / most if most > 0 else 0.0, 1.0 if above is None else above.share))
    won = best.chance * best.reach if most > 0 else again.chance * again.reach
    changed = again._replace(share=share, expected=won * share**BENT, danger=taken.danger)
    return found._replace(choices=(*found.choices[:chosen], changed, *found.choices[chosen + 1 :]))

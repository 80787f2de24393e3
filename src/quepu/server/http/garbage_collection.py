"""Python's collector of cycles by the clock.

Left to itself it looks when so many more objects have come than gone; at a server where as many go as come that is
seldom, and then it looks at all that came meanwhile while every table waits. Most things are freed without it.
"""

from __future__ import annotations

import asyncio
import gc

STEP = 0.2
"""Seconds between two looks at what is new: a few milliseconds each under load."""
_COUNTED = 300
"""Looks at what is new to one count of all there is: a minute."""
_SELDOM = 9000
"""Looks at what is new to one at everything, at the least: half an hour."""
_GROWN = 1_000_000
"""Objects more than after the last look at everything, before there is another one: some hundred MiB."""


async def collect_by_the_clock(step: float = STEP, counted: int = _COUNTED, grown: int = _GROWN) -> None:
    """Collect until cancelled; then the collector is again as it was."""
    gc.disable()
    _look_at_everything()
    looks, then, most = 0, 0, gc.get_freeze_count() + grown
    try:
        while True:
            await asyncio.sleep(step)
            looks += 1
            gc.collect(0)
            gc.freeze()  # what is still there stays a while: the next look is at what is new alone
            if looks % counted == 0 and (looks - then >= _SELDOM or gc.get_freeze_count() > most):
                _look_at_everything()
                then, most = looks, gc.get_freeze_count() + grown
    finally:
        gc.enable()
        gc.unfreeze()


def _look_at_everything() -> None:
    gc.unfreeze()
    gc.collect()
    gc.freeze()

"""Python's collector of cycles by the clock.

Left to itself it looks when so many more objects have come than gone; at a server where as many go as come that is
seldom, and then it looks at all that came meanwhile while every table waits. Most things are freed without it.
"""

from __future__ import annotations

import asyncio
import gc

STEP = 0.2
"""Seconds between two looks at what is new: a few milliseconds each under load."""
_OFTEN = 300
"""Looks at what is new to one at what came since the last such look: a minute."""
_SELDOM = 3000
"""The same to one at everything (connections that ended long ago): ten minutes."""


async def collect_by_the_clock(step: float = STEP) -> None:
    """Collect until cancelled; then the collector is again as it was."""
    gc.collect()
    gc.freeze()  # what was imported stays for good
    gc.disable()
    looks = 0
    try:
        while True:
            await asyncio.sleep(step)
            looks += 1
            gc.collect(0 if looks % _OFTEN else 1 if looks % _SELDOM else 2)
    finally:
        gc.enable()
        gc.unfreeze()

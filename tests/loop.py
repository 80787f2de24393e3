"""A loop for tests: the browser's tests leave one running in the main thread, so others need a thread of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """What the coroutine gives."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()

"""Lines of JSON answered on several cores, in order, with no more of them in memory than are being worked on."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import Final

from quepu.exchange import score_lines
from quepu.rulebook import Rulebook

CHUNK: Final = 256
"""Lines that travel together."""

_work: tuple[Rulebook, bool, str] | None = None


def _answers(lines: list[str]) -> list[str]:
    if _work is None:  # only ever called in a process forked while it is set
        raise RuntimeError
    rules, explain, lang = _work
    return list(score_lines(lines, rules, explain=explain, lang=lang))


def shared_lines(
    lines: Iterable[str], rules: Rulebook, *, jobs: int, explain: bool = False, lang: str = "zh"
) -> Iterator[str]:
    """As `quepu.exchange.score_lines`, on `jobs` processes (0: one for each core).

    The processes are forked, so that a house rule need not be sent to them; where a system cannot fork, this one does
    the work alone.
    """
    global _work  # noqa: PLW0603  # read by the forked processes
    jobs = jobs or multiprocessing.cpu_count()
    if jobs == 1 or "fork" not in multiprocessing.get_all_start_methods():
        yield from score_lines(lines, rules, explain=explain, lang=lang)
        return
    source = iter(lines)
    waiting: deque[Future[list[str]]] = deque()
    _work = (rules, explain, lang)
    try:
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
            while chunk := list(islice(source, CHUNK)):
                waiting.append(pool.submit(_answers, chunk))
                if len(waiting) > 2 * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
    finally:
        _work = None

"""Answer lines of JSON on several cores, in order, with only the current lines in memory.

Many lines are scored many at a time (`quepu.json_lines.batch`); for a few, building the tables is not worth it.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from typing import Final

from quepu.json_lines.answers import score_lines
from quepu.rules.rulebook import Rulebook

CHUNK: Final = 1024
"""Number of lines per chunk."""
FEW: Final = 4096
"""Number of lines up to which answering one by one is faster than building the tables."""

_Work = Callable[[list[str]], list[str]]
_work: _Work | None = None


def _answers(lines: list[str]) -> list[str]:
    if _work is None:  # only called in a process forked while it is set
        raise RuntimeError
    return _work(lines)


def answer_in_parallel(
    lines: Iterable[str], rules: Rulebook, *, jobs: int, explain: bool = False, lang: str = "zh"
) -> Iterator[str]:
    """Answer like `quepu.json_lines.answers.score_lines`, on `jobs` processes (0: one per core).

    The processes are forked, so that a house rule need not be sent to them; without fork, this process does all the
    work.
    """
    global _work  # noqa: PLW0603  # read by the forked processes
    jobs = jobs or multiprocessing.cpu_count()
    source = iter(lines)
    first = list(islice(source, FEW))
    work = _one_by_one(rules, explain, lang) if explain or len(first) < FEW else _together(rules, lang)
    chunks = _chunks(chain(first, source))
    if jobs == 1 or "fork" not in multiprocessing.get_all_start_methods():
        for chunk in chunks:
            yield from work(chunk)
        return
    waiting: deque[Future[list[str]]] = deque()
    _work = work
    try:
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
            for chunk in chunks:
                waiting.append(pool.submit(_answers, chunk))
                if len(waiting) > 2 * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
    finally:
        _work = None


def _chunks(lines: Iterable[str]) -> Iterator[list[str]]:
    source = iter(lines)
    while chunk := list(islice(source, CHUNK)):
        yield chunk


def _one_by_one(rules: Rulebook, explain: bool, lang: str) -> _Work:
    return lambda lines: list(score_lines(lines, rules, explain=explain, lang=lang))


def _together(rules: Rulebook, lang: str) -> _Work:
    try:
        from quepu.json_lines.batch import answers, preload
    except ImportError:  # numpy is not installed
        return _one_by_one(rules, False, lang)
    preload()
    return lambda lines: answers(lines, rules, lang)

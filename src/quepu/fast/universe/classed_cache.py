"""Universes sorted into classes, cached on disk: some ten kilobytes to a megabyte for a book's conditions in a state.

Those of the registered books are shipped in `data/classes` as far as there is room, the states that the workshop
measures by first, named by the digest of their conditions; `python -m quepu.fast.universe.classed_cache` writes them
anew (ten minutes), which a changed condition makes worth while: until then the universe is sorted where it is wanted.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import BinaryIO

from quepu.fast import result_cache
from quepu.fast.universe.census import Progress
from quepu.fast.universe.classed import Classed, Conditions, class_universe, conditions_of
from quepu.fast.universe.classed_file import load, packed
from quepu.fast.universe.standard_hands import MORE_STATES, STATES, HandState
from quepu.folders import write_whole
from quepu.rulebooks import book, book_ids, registered
from quepu.rules.rulebook import Rulebook


def classed_for(books: tuple[Rulebook, ...], state: HandState, progress: Progress | None = None) -> Classed:
    """The universe of a state in classes that tell apart all that these books' conditions do.

    That of the registered book they were made from serves where no condition is new.
    """
    return _classed(_key(books, state), progress)


def is_cached(books: tuple[Rulebook, ...], state: HandState) -> bool:
    """Whether that universe was made before, so that it is there at once."""
    key = _key(books, state)
    shipped = shipped_file(key.conditions.digest, state)
    return _lately(key)[0] is not None or shipped.is_file() or key.path.is_file()


def prepare(books: tuple[Rulebook, ...], states: Sequence[HandState], jobs: int) -> None:
    """Make the universes of several states at once, on so many processes (0: one for each core)."""
    missing = [state for state in states if not is_cached(books, state)]
    jobs = min(jobs or os.cpu_count() or 1, len(missing))
    if jobs < 2:
        return
    with ProcessPoolExecutor(jobs) as pool:
        for state, found in zip(missing, pool.map(_made, [books] * len(missing), missing), strict=True):
            _lately(_key(books, state))[0] = found


def _made(books: tuple[Rulebook, ...], state: HandState) -> Classed:
    return classed_for(books, state)


def _key(books: tuple[Rulebook, ...], state: HandState) -> _Key:
    wanted = conditions_of(*books)
    for one in books:
        root = registered(one)
        conditions = conditions_of(root)
        if conditions.cover(wanted, state):
            return _Key(root, conditions, state)
    return _Key(books[-1], wanted, state)


class _Key:
    """The key of a universe in this process's cache; the book names the file."""

    def __init__(self, book: Rulebook, conditions: Conditions, state: HandState) -> None:
        self.book, self.conditions, self.state = book, conditions, state
        self.key = (conditions.digest, state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def path(self) -> Path:
        return result_cache.conditions_path("classes", self.book, self.conditions.digest, self.state.key, ".xz")


_REMEMBERED = 12


def _classed(key: _Key, progress: Progress | None) -> Classed:
    room = _lately(key)
    digest = key.conditions.digest
    found = room[0] or load(shipped_file(digest, key.state), key.state, digest) or load(key.path, key.state, digest)
    if found is None:
        made = found = class_universe(key.conditions, key.state, progress)
        result_cache.store(key.path, lambda file: file.write(packed(made, preset=1)))
    result_cache.used(key.path)
    room[0] = found
    return found


@lru_cache(_REMEMBERED)
def _lately(_: _Key) -> list[Classed | None]:
    """Room for a universe that was read or made lately."""
    return [None]


# ---- what is shipped

SHIPPED = tuple(
    tuple((STATES | MORE_STATES)[key] for key in keys.split())
    for keys in (
        "open-discard open-draw one-flower four-flowers pungs-open pungs-hidden",
        "closed-discard closed-draw",
        "closed-each",
        "open-each",
        "kongs hidden-kongs mixed-kongs one-kong",
        "single-closed",
        "single-open",
    )
)
"""The states by file, and the files by what is measured first: states much alike stand in one, which so stays small."""
_FILES = {state: states[0] for states in SHIPPED for state in states}
MOST_SHIPPED = 2 << 20
"""Bytes for a book's conditions: states that have no room any more are sorted, and cached, where they are wanted."""
_FOLDER = Path(__file__).parents[2] / "data" / "classes"


def shipped_file(conditions: str, state: HandState) -> Path:
    """The file of the package for conditions with this digest; there is none for most."""
    return _FOLDER / f"{conditions}-{_FILES.get(state, state).key}.xz"


def ship() -> None:
    """Write the files of every registered book, and remove those of conditions that no book has any more."""
    wanted = {conditions.digest: conditions for conditions in map(conditions_of, map(book, book_ids()))}
    _FOLDER.mkdir(exist_ok=True)
    for path in _FOLDER.glob("*.xz"):
        if path not in {shipped_file(digest, states[0]) for digest in wanted for states in SHIPPED}:
            path.unlink()
    for digest, conditions in wanted.items():
        room = MOST_SHIPPED
        for states in SHIPPED:
            path = shipped_file(digest, states[0])
            there = path.is_file()
            data = path.read_bytes() if there else packed(*(class_universe(conditions, state) for state in states))
            if len(data) <= room:
                room -= len(data)
                write_whole(path, partial(_write, data))


def _write(data: bytes, file: BinaryIO) -> None:
    file.write(data)


if __name__ == "__main__":
    ship()

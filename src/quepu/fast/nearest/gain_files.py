"""Tables of gains that a book has, and their files in the cache folder and in the package; nothing here needs numpy.

A server checks here whether a table exists, before anyone has to wait for one. `data/gains` has the files of the cache
folder, packed (`fast.nearest.gain_packing`): of each book every case, named by the book's fingerprint, and what hands
are made of (`fast.nearest.preferences`). `python -m quepu.fast.nearest.ship [BOOK …]` makes them anew (a minute a
book). Run it after any change that can change a score: until then tables are built when they are needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quepu.fast import result_cache
from quepu.rules.rulebook import Rulebook


@dataclass(frozen=True)
class GainCase:
    """The hands a table of gains is made for: nothing exposed or all, own wind the round wind or not."""

    closed: bool
    double_wind: bool

    @property
    def name(self) -> str:
        """The name of the case in the file's name."""
        return f"{'closed' if self.closed else 'exposed'}{'-double' if self.double_wind else ''}"


def cases(book: Rulebook) -> list[GainCase]:
    """Return the cases that this book tells apart, those needed first in front."""
    winds = (False, True) if "round" in book.reads else (False,)
    return [GainCase(closed, double_wind) for double_wind in winds for closed in (True, False)]


def gains_file(book: Rulebook, case: GainCase) -> Path:
    """Return the file that a table is cached in."""
    return result_cache.cache_path("payable", book, case.name, ".npy")


def unbuilt(book: Rulebook) -> list[GainCase]:
    """Return the cases whose tables are not there yet."""
    return [case for case in cases(book) if not gains_file(book, case).exists()]


FOLDER = Path(__file__).parents[2] / "data" / "gains"


def shipped_file(book: Rulebook, case: GainCase) -> Path:
    """Return the file of the package for this case; there is none for house rules that score in their own way."""
    return FOLDER / f"{book.id}-{book.fingerprint}-{case.name}.xz"


def is_shipped(book: Rulebook) -> bool:
    """Return whether every table of a book is shipped: then they are there in a second."""
    return all(shipped_file(book, case).is_file() for case in cases(book))

"""Tables of gains that a book has, and the files they are cached in; nothing here needs numpy.

A server looks here whether a table is there before it lets anybody wait for one.
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
    """The cases that this book tells apart, those needed first in front."""
    winds = (False, True) if "round" in book.reads else (False,)
    return [GainCase(closed, double_wind) for double_wind in winds for closed in (True, False)]


def gains_file(book: Rulebook, case: GainCase) -> Path:
    """The file that a table is cached in."""
    return result_cache.cache_path("payable", book, case.name, ".npy")


def unbuilt(book: Rulebook) -> list[GainCase]:
    """The cases whose tables are not there yet."""
    return [case for case in cases(book) if not gains_file(book, case).exists()]

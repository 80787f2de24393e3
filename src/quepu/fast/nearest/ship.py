"""Make the tables of gains that the package carries: `python -m quepu.fast.nearest.ship [BOOK …]`, a minute a book."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from quepu.errors import UnknownName
from quepu.fast.nearest.gain_files import FOLDER, GainCase, cases, shipped_file
from quepu.fast.nearest.gain_packing import Table, differences, pack
from quepu.fast.nearest.payable import Payable
from quepu.fast.nearest.preferences import ship_features
from quepu.rulebooks import book, book_ids


def ship(names: Sequence[str] = ()) -> None:
    """Write the files of these books, or of all, and remove those that no book has any more."""
    ship_features()
    wanted: set[Path] = set()
    bases: dict[GainCase, dict[str, Table]] = {}
    for rules in map(book, book_ids()):
        payable = Payable(rules)
        for case in sorted(cases(rules), key=lambda case: case.double_wind):
            path = shipped_file(rules, case)
            wanted.add(path)
            if names and rules.id not in names:
                continue
            found = differences(np.asarray(payable.table(case.closed, case.double_wind)))
            single = GainCase(case.closed, double_wind=False)
            others = bases.setdefault(single, {})
            near = min(others, key=lambda name: int((found != others[name]).sum()), default="")
            data = min(pack(found), pack(found, near, others.get(near)), key=len)
            path.write_bytes(data)
            if case == single:
                others[path.name] = found
        payable.release()
    for path in FOLDER.glob("*.xz"):
        if path not in wanted and not path.name.startswith(("features-", "of-features-")):
            path.unlink()


def main(arguments: Sequence[str]) -> None:
    """Write the files of the books that the arguments name; refuse any other argument before a file is touched."""
    parser = argparse.ArgumentParser(prog="python -m quepu.fast.nearest.ship", description=__doc__)
    parser.add_argument("books", nargs="*", metavar="BOOK", help="a registered rulebook (all by default)")
    try:
        ship([book(name).id for name in parser.parse_args(arguments).books])
    except UnknownName as error:
        parser.error(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])

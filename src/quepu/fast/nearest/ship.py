"""Make the tables of gains that the package carries: `python -m quepu.fast.nearest.ship [BOOK …]`, a minute a book."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from quepu.fast.nearest.gain_files import FOLDER, GainCase, cases, different, gains_file, pack, shipped_file
from quepu.fast.nearest.payable import Payable
from quepu.fast.nearest.preferences import ship_features
from quepu.rulebooks import book, book_ids


def ship(names: Sequence[str] = ()) -> None:
    """Write the files of these books, or of all, and remove those that no book has any more."""
    ship_features()
    for rules in map(book, names or book_ids()):
        missing = [case for case in cases(rules) if not shipped_file(rules, case).is_file()]
        if missing:
            Payable(rules).prepare()
        for case in missing:
            data = gains_file(rules, case).read_bytes()
            if case.double_wind:
                data = different(data, gains_file(rules, GainCase(case.closed, double_wind=False)).read_bytes())
            pack(data, shipped_file(rules, case))
    wanted = {shipped_file(rules, case) for rules in map(book, book_ids()) for case in cases(rules)}
    for path in FOLDER.glob("*.xz"):
        if path not in wanted and not path.name.startswith(("features-", "of-features-")):
            path.unlink()


if __name__ == "__main__":
    ship(sys.argv[1:])

"""Usual values of wins at the table: `data/usual.json`, for the keys of the scorekeeper.

python -m quepu.arena.usual plays every book that has a table again and writes the file
python -m quepu.arena.usual BOOK …      plays these books alone; the others stay as they are
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import quepu
from quepu.arena.bot_hand import play_hand
from quepu.arena.plan import Plan
from quepu.bots.protocol import make_bot
from quepu.errors import UnknownName
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import make_wall

HANDS, SEED, LEVEL, MOST_VALUES = 600, 1, "steps", 48


def usual(book: Rulebook, hands: int = HANDS) -> dict[str, int]:
    """Return the values of four bots' wins for the scorekeeper: value → how often, the most frequent first.

    Flowers are left out if each is paid separately and entered beside the value; fans of flowers (花牌 of 国标) are
    part of what is announced, and of the value.
    """
    plan = Plan(book.id, (LEVEL,) * 4, hands, SEED)
    plan.prepare()
    rules = play_rules(book)
    found: Counter[int] = Counter()
    for at in range(hands):
        bots = [make_bot(LEVEL, plan.bot_seed(at, seat)) for seat in range(4)]
        table = play_hand(book, make_wall(SEED, at, plan.tiles), bots, round=at // 4 % 4, rules=rules)
        ending = table.ending
        for win in () if ending is None else ending.winners:
            if win.score is not None:
                assert ending is not None  # noqa: S101  # it has a win
                assert settle(ending, book, rules)  # noqa: S101  # a value that cannot be paid is no key
                found[win.score.total - book.flower_value * win.score.hand.flower_count] += 1
    return {str(value): n for value, n in sorted(found.most_common(MOST_VALUES), key=lambda one: (-one[1], one[0]))}


def path() -> Path:
    """Return the file of the values (`quepu.rules.measured_figures` reads it)."""
    return Path(quepu.__file__).parent / "data" / "usual.json"


def write(names: Sequence[str] = ()) -> None:
    """Play these books, or every one that has a table, and write their values into the file.

    Raises:
        UnknownName: the book does not exist, or has no table.
    """
    stored = json.loads(path().read_text("utf-8")) if names else {}
    played = [quepu.book(name) for name in names] or [book for book in quepu.books() if book.play]
    stored |= {book.id: usual(book) for book in played}
    path().write_text(json.dumps(stored, indent=1) + "\n", "utf-8")


def main(arguments: Sequence[str]) -> None:
    """Write the values of the books that the arguments name; refuse any other argument before a hand is played."""
    parser = argparse.ArgumentParser(prog="python -m quepu.arena.usual", description="Measure usual values of wins.")
    parser.add_argument("books", nargs="*", metavar="BOOK", help="a registered rulebook (all by default)")
    try:
        write(parser.parse_args(arguments).books)
    except UnknownName as error:
        parser.error(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])

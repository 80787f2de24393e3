"""The choice of a bot and its inputs, independent of the process or worker that computes it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from quepu.bots import Bot, heavy, make_bot
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, Board, View

if TYPE_CHECKING:
    from quepu.server.rooms.guests import Guests


class TablesGone(Exception):
    """A strong bot's tables are not in their files: they are built elsewhere, never here."""


class BotChooser(Protocol):
    """Lets bots choose."""

    @property
    def guests(self) -> Guests | None:
        """The programs that may sit in rooms here; None: none."""

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """Return the number of the chosen option."""


class BotRequest(NamedTuple):
    """Everything that a bot chooses by; small, and without other seats' secrets."""

    rules: str
    house: str
    level: str
    seat: int
    board: Board
    hand: tuple[int, ...]
    drawn: int | None
    options: tuple[Action, ...]

    @classmethod
    def of(cls, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> BotRequest:
        """Return a request about this view; the scores of options are recomputed where needed."""
        plain = tuple(option if option.score is None else option._replace(score=None) for option in options)
        return cls(rules, house, level, view.seat, view.board, view.hand, view.drawn, plain)


_BOTS = 4
"""Books (or house rules) whose bots a process caches; only the last one's tables stay in memory (`Payable`)."""


@lru_cache(16)
def _book(rules: str, house: str) -> Rulebook:
    from quepu.rulebooks.house_rules import book_of

    return book_of(rules, house)


_bots: OrderedDict[tuple[str, str], dict[tuple[str, int, bool], Bot]] = OrderedDict()


def _bot(rules: str, house: str, level: str, seat: int, tables: bool) -> Bot:
    of_book = _bots.pop((rules, house), None)
    _bots[rules, house] = of_book = {} if of_book is None else of_book
    while len(_bots) > _BOTS:
        _bots.popitem(last=False)
    if (level, seat, tables) not in of_book:
        if heavy(level, tables=tables) and not _tables_there(_book(rules, house)):
            raise TablesGone
        made = of_book[level, seat, tables] = make_bot(level, seat, tables=tables)
        made.begin(_book(rules, house), seat)
    return of_book[level, seat, tables]


def _tables_there(book: Rulebook) -> bool:
    from quepu.bots.payable_bot import payable

    return payable(book).ready()


def answer(question: BotRequest, *, tables: bool = True) -> int:
    """Return the number of the bot's chosen option; without `tables` where none exist, as on a device."""
    rules, house, level, seat, board, hand, drawn, options = question
    view = View(seat, _book(rules, house), board, hand, drawn)
    chosen = _bot(rules, house, level, seat, tables).act(view, options)
    return next(i for i, option in enumerate(options) if option[:5] == chosen[:5])

"""The digests of a rulebook: of its scores (conditions by their expressions, values as plain data) and of its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from quepu.hands.planes import Condition
from quepu.hands.win import bits
from quepu.rules.arithmetic import Figured
from quepu.rules.row import texts_in_columns
from quepu.rules.symbols import Symbol, Symbols
from quepu.tiles import PLAIN

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook

_DIGITS = 12
_EITHER_WAY = frozenset({"&", "|", "^", "+", "*", "==", "!="})
"""Operations whose operands commute."""
_CONDITIONS_MOST, _EXPRESSIONS_MOST = 4096, 1 << 16


def score_digest(book: Rulebook) -> str:
    """Return the digest of everything that decides the scores of a book (`Rulebook.fingerprint`)."""
    names = [fan.name for fan in book.fans]

    def marked(mask: int) -> list[str]:
        return sorted(names[bit.bit_length() - 1] for bit in bits(mask))

    rows = [
        (
            fan.name,
            to_plain(fan.value),
            expression(fan.when),
            expression(fan.on) if fan.on else "",
            (fan.of, fan.most, fan.joins),
            marked(book.drops[i]),
            marked(book.conflicts[i]),
            sorted([*to_plain(fan.extra or {}), *to_plain({"implied": fan.implied})]),
        )
        for i, fan in enumerate(book.fans)
    ]
    defaults = {option.key: option.choices[0] for option in book.options}
    first = {option.key: option.former or option.key for option in book.options}
    changed = {key: choice for key, choice in book.chosen.items() if choice != defaults.get(key)}
    chosen = sorted((first.get(key, key), choice) for key, choice in changed.items())
    figures = book.arithmetic.figures if isinstance(book.arithmetic, Figured) else ()
    arithmetic = (type(book.arithmetic).__name__, to_plain(figures))
    numbers = (book.minimum, book.flower_value, to_plain(book.settings), sorted(book.circumstances.items()))
    tiles = () if book.tiles == PLAIN else (to_plain(book.tiles),)
    return digest((book.base or book.id, rows, arithmetic, book.shapes, chosen, numbers, *tiles))


def text_digest(book: Rulebook) -> str:
    """Return the digest of all words of a book (`Rulebook.text_fingerprint`)."""
    rows = [
        (f.name, f.english, f.definition, f.category, f.sentence, f.aliases, f.example, f.near_miss, f.rulings,
         *texts_in_columns(f))
        for f in book.fans
    ]  # fmt: skip
    rulings = [(r.id, r.question, r.answer, r.sentence, r.open) for r in book.rulings]
    options = [(option.key, option.text) for option in book.options]
    names = (
        book.id,
        book.title,
        book.unit,
        book.edition,
        book.aliases,
        to_plain(book.near),
        to_plain(book.classes),
    )
    return digest((names, options, rows, rulings))


def digest(data: object) -> str:
    """Return twelve hex digits for data made of numbers, texts, lists and tuples."""
    import hashlib

    return hashlib.sha256(repr(data).encode()).hexdigest()[:_DIGITS]


def to_plain(value: Any) -> Any:
    """Return a value as numbers, texts, lists and ordered pairs; empty parts and columns of texts leave no trace."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return [(key, to_plain(x)) for key, x in value._asdict().items()]
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value) if not field.metadata.get("kind")}
    if isinstance(value, Mapping):
        return sorted((str(key), to_plain(x)) for key, x in value.items() if not _absent(x))
    if isinstance(value, (set, frozenset)):
        return sorted(map(to_plain, value))
    if isinstance(value, (tuple, list)):
        return [to_plain(x) for x in value]
    return value


def _absent(value: Any) -> bool:
    return value is None or value is False or value in ("", ())


@lru_cache(_CONDITIONS_MOST)
def expression(condition: Condition) -> str:
    """Return the hash of a condition's expression, the same however it is written in Python.

    A condition that cannot be run on symbols counts as new in every run.
    """
    try:
        return _expressions.hash(condition)
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return repr(condition)


class _Expressions:
    """Conditions run on symbols, with cached hashes of every expression."""

    def __init__(self) -> None:
        self._symbols = Symbols()
        self._hashes: dict[Symbol, str] = {}

    def hash(self, condition: Condition) -> str:
        """Return the hash of a condition's expression."""
        if len(self._hashes) >= _EXPRESSIONS_MOST:
            self._symbols, self._hashes = Symbols(), {}
        found = condition(self._symbols.planes)
        return self._of(found if isinstance(found, Symbol) else self._symbols.const(found))

    def _of(self, symbol: Symbol) -> str:
        found = self._hashes.get(symbol)
        if found is None:
            parts = [self._of(a) if isinstance(a, Symbol) else str(a) for a in symbol.args]
            if symbol.op in _EITHER_WAY:
                parts.sort()
            found = self._hashes[symbol] = digest(f"{symbol.op}({','.join(parts)})")
        return found


_expressions = _Expressions()

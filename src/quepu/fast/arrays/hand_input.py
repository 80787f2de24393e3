"""Check hands given as texts, `Hand`s or arrays, all at once; the plain twin is `quepu.hands.hand.check_tiles`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, HandError
from quepu.fast.arrays.entries import Texts, is_missing
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.hand_lists import from_hands, misfits
from quepu.fast.compiled.loop_code import address_of, fit, reading_code
from quepu.fast.compiled.text_loops import CLOSE, DIGIT, HONOUR, OPEN, OTHER, PLUS
from quepu.fast.compiled.text_loops import SUIT_LETTER as SUIT
from quepu.hands.hand import Hand, MeldKind, check_tiles
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.tiles import EAST, HONOURS, KINDS, SUITS

Array = NDArray[Any]
_EXAMPLE = "123m456p789sCCEE+E"
_CLASS = np.full(256, OTHER, np.uint8)
_VALUE = np.zeros(256, np.int32)  # a rank from 0, a suit's first kind, an honour's kind, whether a bracket is square
for _what, _characters, _first, _step in (
    (DIGIT, "123456789", 0, 1), (SUIT, SUITS, 0, 9), (HONOUR, HONOURS, 27, 1), (OPEN, "([", 0, 1), (CLOSE, ")]", 0, 1),
    (PLUS, "+", 0, 0),
):  # fmt: skip
    for _at, _character in enumerate(_characters):
        _CLASS[ord(_character)], _VALUE[ord(_character)] = _what, _first + _step * _at
_CLASSES = np.stack([_CLASS, _VALUE], axis=1).astype(np.int64)
_OPEN = rf"(?:[1-9]{{3,4}}[{SUITS}]|[{HONOURS}]{{3,4}})"
_PART = re.compile(rf"[1-9]{{1,14}}[{SUITS}]|[{HONOURS}]|\({_OPEN}\)|\[{_OPEN}\]")
_WON = {f"{kind % 9 + 1}{SUITS[kind // 9]}" if kind < EAST else HONOURS[kind - EAST]: kind for kind in range(KINDS)}
_TOO_MANY, _HIGH_BITS = (int.from_bytes(bytes([byte] * KINDS), "little") for byte in (123, 128))
_NO_MELD = b"\xfe\xfe"
_CHOWS = np.array([kind < 27 and kind % 9 < 7 for kind in range(KINDS)])


class TextHands(NamedTuple):
    """Hands as `HandArrays` takes them, and which could not be read here (their rows are zeros)."""

    counts: Array  # uint8 [N, 34]
    melds: Array  # int8 [N, 4, 2]
    winning: Array  # int64 [N]
    unread: Array  # bool [N]


def read_texts(texts: Sequence[str] | Texts) -> TextHands:
    """Read hands from their notation: a tenth of a microsecond each in the notation that `write` uses."""
    if reading_code().loaded and len(texts):
        return _read_by_loop(texts)
    return _read([text or "" for text in texts])


def _read_by_loop(texts: Sequence[str] | Texts) -> TextHands:
    """Do the same as `_read`, by the compiled loop."""
    n = len(texts)
    found = TextHands(
        np.zeros((n, KINDS), np.uint8), np.full((n, 4, 2), -1, np.int8), np.empty(n, np.int64), np.empty(n, np.bool_)
    )
    room = np.zeros(8 + KINDS, np.int64)
    addresses = np.array([array.ctypes.data for array in (*found, room)], np.int64)
    characters, bounds = texts.buffers() if isinstance(texts, Texts) else _joined(texts)
    reading_code().function("read_texts")(
        address_of(characters), address_of(bounds), n, address_of(_CLASSES), address_of(addresses)
    )
    return found


def _joined(texts: Sequence[str]) -> tuple[Array, Array]:
    """Return the characters of texts, uint8, and where each text begins and ends among them, int64 [2, N]."""
    n = len(texts)
    whole = "\n".join(texts)
    if not whole.isascii() or whole.count("\n") != n - 1:
        whole = "\n".join([text if text.isascii() and "\n" not in text else "" for text in texts])
    characters = np.frombuffer((whole + "\n").encode("ascii"), np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    return characters, np.stack([np.concatenate([[0], ends[:-1] + 1]), ends])


def _read(texts: Sequence[str]) -> TextHands:
    """Do the same as `_read_by_loop`, text by text; suits and melds read before are looked up."""
    counts, melds = bytearray(), bytearray()
    winning: list[int] = []
    for text in texts:
        found = _read_one(text)
        own, laid, won = found or (0, b"", -1)
        counts += own.to_bytes(KINDS, "little")
        melds += laid.ljust(8, b"\xff")
        winning.append(won)
    won_by = np.array(winning, np.int64)
    return TextHands(
        np.frombuffer(counts, np.uint8).reshape(-1, KINDS), np.frombuffer(melds, np.int8).reshape(-1, 4, 2), won_by,
        won_by < 0,
    )  # fmt: skip


def _read_one(text: str) -> tuple[int, bytes, int] | None:
    """Return the copies of each kind, a byte each, the melds, two bytes each, and the winning tile."""
    held, _, last = text.partition("+")
    won = _WON.get(last)
    parts = _PART.findall(held)
    if won is None or sum(map(len, parts)) != len(held):
        return None
    own = every = 1 << 8 * won
    number, laid = 1, b""
    for part in parts:
        tiles, size, meld = _tiles_of(part)
        every += tiles
        if size:
            own, number = own + tiles, number + size
        else:
            laid += meld
    fits = number == 14 - 3 * (len(laid) // 2) and not (every + _TOO_MANY) & _HIGH_BITS
    return (own, laid, won) if fits and len(laid) <= 8 and _NO_MELD not in laid else None


@lru_cache(1 << 14)
def _tiles_of(part: str) -> tuple[int, int, bytes]:
    """Return the tiles of a suit or an honour and how many, or those of a meld, 0, and the meld."""
    inside = part.strip("()[]")
    runs = _PART.findall(inside)
    if "".join(runs) != inside:
        return 0, 0, _NO_MELD
    kinds = [_WON[digit + run[-1]] for run in runs for digit in run[:-1] or [""]]
    tiles = sum(1 << 8 * kind for kind in kinds)
    if inside == part:
        return tiles, len(kinds), b""
    low, square = kinds[0], part[0] == "["
    same = kinds == [low] * len(kinds)
    chow = kinds == [low, low + 1, low + 2] and bool(_CHOWS[low])
    meld = _NO_MELD
    if len(kinds) == 4 and same:
        meld = bytes((MeldKind.CONCEALED_KONG if square else MeldKind.KONG, low))
    elif len(kinds) == 3 and not square and (same or chow):
        meld = bytes((MeldKind.PUNG if same else MeldKind.CHOW, low))
    return tiles, 0, meld


_CHECKED = 1 << 16
"""Hands."""


class GivenHands(NamedTuple):
    """Hands that were given one by one: as arrays, each on its own, and the errors of those that are impossible."""

    wins: HandArrays
    hand: Callable[[int], Hand]
    errors: dict[int, Error]


def read_hands(hands: Iterable[str | Hand | Error] | Texts, book: Rulebook) -> GivenHands:
    """Read strings and Hands; unreadable ones and errors leave an impossible hand and its error."""
    if isinstance(hands, Texts):
        return _of_texts(hands, book)
    given = list(hands)
    kinds = set(map(type, given))
    if kinds == {str}:
        return _of_texts(cast("list[str]", given), book)
    if kinds == {Hand}:
        read = cast("list[Hand]", given[:])
        wins, doubtful = misfits(read)
        if not _boundless(book):
            doubtful = sorted({*doubtful, *(i for i, hand in enumerate(read) if hand.winning is None)})
        if wins is not None and not doubtful:
            return GivenHands(wins, read.__getitem__, {})
    else:
        read, doubtful = [Hand(())] * len(given), list(range(len(given)))
    some, errors = _one_by_one(given, doubtful, book)
    for i, hand in zip(doubtful, some, strict=True):
        read[i] = hand
    return GivenHands(from_hands(read), read.__getitem__, errors)


def _of_texts(texts: Sequence[str] | Texts, book: Rulebook) -> GivenHands:
    """Read most of the texts at once, the others one by one."""
    from quepu.hands.notation import parse

    found = read_texts(texts)
    slow = np.flatnonzero(found.unread).tolist()
    some, errors = _one_by_one(texts, slow, book)
    place = dict(zip(slow, some, strict=True))
    if not slow:
        return GivenHands(HandArrays(*found[:3]), lambda i: parse(texts[i]), errors)
    others = from_hands(some)
    n = len(texts)
    columns: list[Array | int] = [EAST, EAST, 0, 0]
    counts, melds, winning, _ = found
    counts[slow], winning[slow] = others.counts, others.winning
    if others.meld_array is not None:
        melds[slow] = others.meld_array[:, :4]
    for at, values in enumerate((others.seat_kind, others.round_kind, others.given_luck, others.flowers)):
        if (values != columns[at]).any():
            column = np.full(n, columns[at])
            column[slow] = values
            columns[at] = column
    return GivenHands(HandArrays(counts, melds, winning, *columns), lambda i: place.get(i) or parse(texts[i]), errors)


def _boundless(book: Rulebook) -> bool:
    return any(SHAPES[name].boundless for name in book.shapes)


def _one_by_one(
    given: Sequence[Any] | Texts, which: Sequence[int], book: Rulebook
) -> tuple[list[Hand], dict[int, Error]]:
    """Check some of the hands; unreadable ones leave an impossible hand and an error."""
    from quepu.hands.notation import parse

    read: list[Hand] = []
    errors: dict[int, Error] = {}
    for i in which:
        one = given[i]
        try:
            if isinstance(one, Error):
                raise one
            if isinstance(one, Hand):
                check_tiles(one.concealed, one.melds, one.winning)
                hand = one
            elif isinstance(one, str):
                hand = parse(one)
            elif is_missing(one):
                raise HandError(
                    f"缺手牌；应为文字，如 {_EXAMPLE}。",
                    f"the hand is missing: it should be text such as {_EXAMPLE}.",
                )
            else:
                kind = type(one).__name__
                raise HandError(
                    f"手牌应为文字或 Hand，不是 {kind}。", f"the hand should be text or a Hand, not {kind}."
                )
            if hand.winning is None and not _boundless(book):
                raise HandError("这手牌没写和张（写作 +3s）。", "no winning tile: mark it with +, as in +3s.")
        except Error as error:
            errors[i] = error
            hand = Hand(())
        read.append(hand)
    return read, errors


# ---- arrays


def _array(given: Any) -> Array:
    """Return an argument as an array: of objects if it has no shape, so that it is refused like any wrong type."""
    try:
        return np.asarray(given)
    except ValueError:  # lists of different lengths
        return np.asarray(None)


def check_arrays(
    counts: Array, melds: Any = None, winning: Any = None, seat: Any = None, round: Any = None, luck: Any = 0,
    flowers: Any = 0,
) -> tuple[HandArrays, dict[int, Error]]:  # fmt: skip
    """Return arrays as hands; rows that cannot be a hand are made empty and have an error each."""
    counts = np.asarray(counts)  # a subclass may override indexing
    if counts.ndim != 2 or counts.shape[1] != KINDS or counts.dtype.kind not in "iu":
        raise HandError(
            f"牌张数组应为 [手数, 34] 的整数，实为 {counts.shape} {counts.dtype}。",
            f"counts must be integers of shape [hands, 34], not {counts.dtype} {counts.shape}.",
        )
    n = len(counts)
    errors: dict[int, Error] = {}

    def refuse(rows: Any, zh: str, en: str) -> None:
        for at in rows.tolist():
            errors.setdefault(at, HandError(zh, en, at))

    sound = _sound(counts, melds, winning)
    if n and not sound and (int(counts.max()) > 4 or int(counts.min()) < 0):
        refuse(
            np.flatnonzero(((counts < 0) | (counts > 4)).any(axis=1)),
            "有一种牌不是 0 到 4 张。",
            "a kind has fewer than 0 or more than 4 copies.",
        )
    if melds is not None:
        melds = _array(melds)
        fits = melds.ndim == 3 and melds.shape[0] == n and melds.shape[1] <= 4 and melds.shape[2] == 2
        if not fits or melds.dtype.kind not in "iu":
            raise HandError(
                f"副露数组应为 [{n}, 4, 2] 的整数，实为 {melds.shape} {melds.dtype}。",
                f"melds must be integers of shape [{n}, 4, 2], not {melds.dtype} {melds.shape}.",
            )
    if melds is not None and not sound:
        kinds, tiles = (melds[:, :, column].reshape(-1) for column in (0, 1))
        wrong = (kinds > 3) | (kinds >= 0) & ((tiles < 0) | (tiles >= KINDS))
        chows = np.flatnonzero(kinds == 0)
        wrong[chows] |= ~_CHOWS.take(tiles.take(chows).astype(np.int64), mode="clip")
        refuse(
            np.unique(wrong.nonzero()[0] // max(melds.shape[1], 1)),
            "有一副不成副露。",
            "one of its melds is not possible.",
        )
    columns: dict[str, tuple[Any, int, int, int]] = {
        "winning": (winning, -1, -1, KINDS - 1), "seat": (seat, 27, 27, 30), "round": (round, 27, 27, 30),
        "luck": (luck, 0, 0, 1 << 40), "flowers": (flowers, 0, 0, 0xFFFF),
    }  # fmt: skip
    made = {}
    for name, (given, default, low, high) in columns.items():
        column = _array(default if given is None else given)
        if column.dtype.kind not in "iu" or column.shape not in ((), (n,)):
            raise HandError(f"{name} 应为 {n} 个整数或一个整数。", f"{name} must be {n} integers or one.")
        if column.size and (int(column.min()) < low or int(column.max()) > high):
            zh, en = f"{name} 应在 {low} 到 {high} 之间。", f"{name} must lie between {low} and {high}."
            if not column.shape:
                raise HandError(zh, en)
            refuse(np.flatnonzero((column < low) | (column > high)), zh, en)
            column = np.where((column < low) | (column > high), default, column)
        made[name] = column
    named_any = not sound and (made["winning"].shape or (n and made["winning"] >= 0))
    for start in range(0, n, _CHECKED) if named_any else ():
        some = counts[start : start + _CHECKED]
        named = np.broadcast_to(made["winning"], (n,))[start : start + _CHECKED].astype(np.int64)
        own = np.ascontiguousarray(some).reshape(-1).take(np.arange(len(some)) * KINDS + np.maximum(named, 0))
        refuse(
            start + np.flatnonzero((named >= 0) & (own == 0)),
            "和张不在手牌里。",
            "the winning tile is not among its tiles.",
        )
    return HandArrays.checked(counts, melds, [made[name] for name in columns]).without_tiles(sorted(errors)), errors


def _sound(counts: Array, melds: Any, winning: Any) -> bool:
    """Return whether the compiled check, where it is loaded, finds nothing wrong with any tile."""
    n, winning, melds = len(counts), _array(winning), None if melds is None else _array(melds)
    if not n or winning.shape != (n,) or winning.dtype.kind not in "iu":
        return False
    if not -1 <= int(winning.min()) <= int(winning.max()) < KINDS:
        return False
    return (melds is None or melds.shape[::2] == (n, 2)) and fit(counts, melds, winning)

"""Text to hand and back: `11223sCC(NNNN)(123s)[EEEE]+3s`.

Numbered honours are 1-7z = E S W N C F P (5z is 中, the red dragon), as Chinese programs have it; riichi programs write
5z for 白 and 7z for 中, which is read with `honours="riichi"`.

Concealed tiles, then melds, then `+` and the winning tile. Also read: `1-7z`, 一万 二筒(饼) 三索(条), 东南西北中发白
in either script, Unicode tiles, full-width characters, either case, spaces and commas anywhere. Writing always gives
the first form.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final, NamedTuple, NoReturn

from quepu.errors import NotationError, UnknownName, join_list, many
from quepu.hands.hand import Hand, Meld, MeldKind, meld_text, tiles_text, write
from quepu.hands.pieces import Piece, read_pieces
from quepu.tiles import EAST, HONOURS, NAMES, SIMPLIFIED, UNICODE

__all__ = ["find_last_written", "meld_text", "parse", "parse_part", "tile", "tiles", "tiles_text", "write"]

DIGIT, SUIT, TILE, LETTER, OPEN, CLOSE, PLUS, SPACE, FLOWER = range(9)
"""Character classes. LETTER (s and p) is a suit after digits and an honour elsewhere."""

_MOST_SHOWN = 12


def _characters() -> dict[str, tuple[int, int]]:
    """Map every character of the notation to its class and value (a rank, a suit's first kind, a kind, …)."""
    table: dict[str, tuple[int, int]] = {}
    for digits in ("123456789", "一二三四五六七八九"):
        table.update({c: (DIGIT, i + 1) for i, c in enumerate(digits)})
    table["伍"] = (DIGIT, 5)
    for letters, first in (("mM万萬", 0), ("筒饼餅", 9), ("索条條", 18), ("zZ", 27)):
        table.update(dict.fromkeys(letters, (SUIT, first)))
    for tiles in (HONOURS, HONOURS.lower(), "东南西北中发白", "東南西北中發白"):
        table.update({c: (TILE, EAST + i) for i, c in enumerate(tiles)})
    table["発"] = (TILE, EAST + 5)
    table.update({c: (TILE, kind) for kind, c in enumerate(UNICODE)})
    table.update({chr(0x1F022 + i): (FLOWER, i) for i in range(8)})
    table.update({c: (LETTER, first) for letters, first in (("pP", 9), ("sS", 18)) for c in letters})
    table.update({c: (OPEN, i) for i, c in enumerate("([")} | {c: (CLOSE, i) for i, c in enumerate(")]")})
    table.update(dict.fromkeys("【〔", (OPEN, 1)) | dict.fromkeys("】〕", (CLOSE, 1)))
    table["+"] = (PLUS, 0)
    table.update(dict.fromkeys(" \t\r\n\u3000\u00a0\u200b\ufeff\ufe0e\ufe0f,，、", (SPACE, 0)))
    for c in list(table):  # the full-width twin of every printable ASCII character
        if "!" <= c <= "~":
            table.setdefault(chr(ord(c) + 0xFEE0), table[c])
    return table


_TABLE: Final = _characters()
_HONOUR_LETTER: Final = {c: EAST + HONOURS.index(c.upper()) for c in "sSpP"} | {"ｓ": 28, "Ｓ": 28, "ｐ": 33, "Ｐ": 33}
_SUFFIX: Final = {"风": range(27, 31), "風": range(27, 31), "财": (32,), "財": (32,), "板": (33,)}
_UNKNOWN: Final = (-1, 0)
_ORDERS: Final = {"chinese": (0, 1, 2, 3, 4, 5, 6), "riichi": (0, 1, 2, 3, 6, 5, 4)}
"""Which of E S W N C F P the honours 1-7z are."""
_BRACKETS: Final = ("()", "[]")


class _Tiles(NamedTuple):
    """Kinds as written, and the position of each in the text."""

    kinds: list[int]
    places: list[int]


def _wrong(zh: str, en: str, at: int | None) -> NoReturn:
    if at is None:
        raise NotationError(zh, en, None)
    raise NotationError(f"第 {at + 1} 个字符：{zh}", f"character {at + 1}: {en}", at)


def _show_char(char: str) -> str:
    return char if char.isprintable() else f"U+{ord(char):04X}"


class _Reader:
    """Single pass over the text; raises NotationError at the first invalid character."""

    def __init__(self, text: str, honours: str = "chinese") -> None:
        self.text = text
        self.order = _ORDERS[honours]
        self.concealed = _Tiles([], [])
        self.brackets: list[_Tiles] = []
        self.melds: list[Meld] = []
        self.winning = _Tiles([], [])
        self.plus: int | None = None
        self.into = self.concealed  # where the next tile is added
        self.opened: tuple[int, int] | None = None  # the open bracket: which kind, and its position
        self.digits: list[int] = []  # positions of digits whose suit has not been read yet

    def scan(self) -> None:
        """Read every character in turn."""
        text, at, end = self.text, 0, len(self.text)
        while at < end:
            what, value = _TABLE.get(text[at], _UNKNOWN)
            if what == DIGIT:
                self.digits.append(at)
            elif what == SUIT or (what == LETTER and self.digits):
                self.suit(value, at)
            elif what == TILE:
                if self.digits:
                    self.no_digits()
                self.into.kinds.append(value)
                self.into.places.append(at)
            elif what == LETTER:
                self.honour(at)
            elif what == OPEN:
                self.open(value, at)
            elif what == CLOSE:
                at += self.close(value, at)
            elif what == PLUS:
                self.mark(at)
            elif what == FLOWER:
                _wrong("花牌不写在手牌里，请另外给出。", "flowers are not part of the hand; give them separately.", at)
            elif what != SPACE:
                self.unknown(at)
            at += 1
        self.no_digits()

    def suit(self, first: int, at: int) -> None:
        """Read a suit after its digits."""
        if not self.digits:
            char = self.text[at]
            _wrong(f"“{char}”前没有数字。", f"no digits before {char!r}.", at)
        kinds, text = self.into.kinds, self.text
        for place in self.digits:
            rank = _TABLE[text[place]][1]
            if first == EAST and rank > 7:
                _wrong(f"字牌只有 1-7z，没有 {rank}z。", f"honours are 1-7z, there is no {rank}z.", place)
            kinds.append(first + rank - 1 if first != EAST else EAST + self.order[rank - 1])
        self.into.places.extend(self.digits)
        self.digits.clear()

    def honour(self, at: int) -> None:
        """Read the letter s or p without digits: 南 or 白, but not in small letters right after a suit (`123ss`)."""
        char = self.text[at]
        kind = _HONOUR_LETTER[char]
        if char.islower() and at and _TABLE.get(self.text[at - 1], _UNKNOWN)[0] in (SUIT, LETTER):
            name = NAMES[kind]
            _wrong(f"“{char}”前没有数字；字牌请写 {name}。", f"no digits before {char!r}; the honour is {name}.", at)
        self.into.kinds.append(kind)
        self.into.places.append(at)

    def no_digits(self) -> None:
        """Refuse digits without a suit."""
        if self.digits:
            at = self.digits[0]
            char = self.text[at]
            _wrong(
                f"数字 {char} 后没有花色（m p s z 或 万筒索）。", f"no suit (m, p, s or z) after the digit {char}.", at
            )

    def open(self, which: int, at: int) -> None:
        """Start a meld."""
        self.no_digits()
        if self.opened is not None:
            _wrong("括号里不能再有括号。", "a bracket inside a bracket.", at)
        if len(self.melds) == 4:
            _wrong("副露最多 4 副。", "there can be at most 4 melds.", at)
        self.opened = which, at
        self.into = _Tiles([], [])
        self.brackets.append(self.into)

    def close(self, which: int, at: int) -> int:
        """End a meld and return how many characters after the bracket were used: `(123)m` is valid, too."""
        if self.opened is None:
            _wrong("这个右括号没有左括号。", "this bracket was never opened.", at)
        if which != self.opened[0]:
            want = _BRACKETS[self.opened[0]][1]
            _wrong(f"括号不成对，这里应是“{want}”。", f"brackets do not match, expected {want!r} here.", at)
        used = 0
        if self.digits:
            what, value = _TABLE.get(self.text[at + 1 : at + 2], _UNKNOWN)
            if what in (SUIT, LETTER):
                self.suit(value, at + 1)
                used = 1
        self.no_digits()
        self.melds.append(_meld(self.into.kinds, concealed=which == 1, at=self.opened[1]))
        self.opened = None
        self.into = self.concealed if self.plus is None else self.winning
        return used

    def mark(self, at: int) -> None:
        """Read the plus before the winning tile."""
        self.no_digits()
        if self.opened is not None:
            _wrong("括号还没有关上。", "the bracket is still open.", at)
        if self.plus is not None:
            _wrong("有两个 +，和的牌只能标一次。", "a second +: mark only one winning tile.", at)
        self.plus = at
        self.into = self.winning

    def unknown(self, at: int) -> None:
        """Handle a character without a class: the second half of 东风 发财 白板, the first of 红中, or a mistake."""
        char = self.text[at]
        before = _TABLE.get(self.text[at - 1], _UNKNOWN) if at else _UNKNOWN
        if char in _SUFFIX and before[0] == TILE and before[1] in _SUFFIX[char]:
            return
        if char in "红紅" and self.text[at + 1 : at + 2] == "中":
            return
        if char in "0０":
            _wrong("没有 0 这张牌，数牌是 1-9。", "there is no tile 0; ranks are 1-9.", at)
        _wrong(f"不认识“{_show_char(char)}”。", f"{_show_char(char)!r} is not a tile.", at)

    def hand(self, *, whole: bool = True) -> Hand:
        """Return the hand after the scan, with the checks that need the whole text.

        An unfinished hand (not `whole`) may have fewer tiles.
        """
        if self.opened is not None:
            which, at = self.opened
            _wrong(f"这个“{_BRACKETS[which][0]}”没有关上。", f"this {_BRACKETS[which][0]!r} is never closed.", at)
        if self.plus is not None and not self.winning.kinds:
            _wrong("+ 后面没有和的牌。", "no winning tile after the +.", self.plus)
        if len(self.winning.kinds) > 1:
            _wrong("和的牌只能有一张。", "only one winning tile may follow the +.", self.winning.places[1])
        if whole and not self.concealed.kinds and not self.melds:
            _wrong("没有牌。", "there are no tiles.", None)
        self.four_of_each()
        self.number(whole=whole)
        winning = self.winning.kinds[0] if self.winning.kinds else None
        return Hand(tuple(sorted(self.concealed.kinds)), tuple(self.melds), winning)

    def four_of_each(self) -> None:
        """Refuse a fifth copy of a tile; the error points at that copy."""
        parts = (self.concealed, *self.brackets, self.winning)
        kinds = [kind for part in parts for kind in part.kinds]
        for kind in set(kinds):
            n = kinds.count(kind)
            if n > 4:
                places = [at for part in parts for at in part.places]
                at = sorted(at for k, at in zip(kinds, places, strict=True) if k == kind)[4]
                _wrong(
                    f"{SIMPLIFIED[kind]}有 {n} 张，一种牌最多 4 张。",
                    f"{n} copies of {NAMES[kind]}: there are only 4.",
                    at,
                )

    def number(self, *, whole: bool) -> None:
        """Check the number of concealed tiles: 13 − 3n for n melds, plus one for a hand about to discard."""
        least, found = 13 - 3 * len(self.melds), len(self.concealed.kinds)
        if not whole and found < least:
            return
        if found == least or (found == least + 1 and self.plus is None):
            return
        most = least if self.plus is not None else least + 1
        at = sorted(self.concealed.places)[most] if found > most else len(self.text)
        if self.plus is not None:
            zh = f"连和的牌应有 {least + 1} 张手牌，实有 {found + 1} 张。"
            en = f"expected {least + 1} concealed tiles with the winning tile, found {found + 1}."
        else:
            zh = f"应有 {least} 张手牌（或 {least + 1} 张，待打），实有 {found} 张。"
            en = f"expected {least} concealed tiles (or {least + 1}, about to discard), found {found}."
        if self.melds:
            zh, en = f"{len(self.melds)} 副副露之外，{zh}", f"beside {many(len(self.melds), 'meld')}, {en}"
        _wrong(zh, en, at)


def _meld(kinds: list[int], *, concealed: bool, at: int) -> Meld:
    """Return the meld that these tiles make."""
    kinds = sorted(kinds)
    n, same = len(kinds), len(set(kinds)) == 1
    if same and n == 4:
        return Meld(MeldKind.CONCEALED_KONG if concealed else MeldKind.KONG, kinds[0])
    if not kinds:
        _wrong("括号里没有牌。", "the brackets are empty.", at)
    shown = tiles_text(kinds[:_MOST_SHOWN]) + ("…" if n > _MOST_SHOWN else "")
    if concealed:
        if same:
            _wrong(
                f"[{shown}] 是暗杠，应有 4 张，实有 {n} 张。",
                f"[{shown}] is a concealed kong: expected 4 tiles, found {n}.",
                at,
            )
        _wrong(
            f"[{shown}] 不是暗杠：方括号里要 4 张相同的牌。",
            f"[{shown}] is not a concealed kong: it needs 4 equal tiles.",
            at,
        )
    if n == 3:
        if same:
            return Meld(MeldKind.PUNG, kinds[0])
        if kinds[1] == kinds[0] + 1 and kinds[2] == kinds[0] + 2:
            if kinds[0] >= EAST:
                _wrong(f"({shown})：字牌不能组成顺子。", f"({shown}): honours cannot make a chow.", at)
            if kinds[0] // 9 == kinds[2] // 9:
                return Meld(MeldKind.CHOW, kinds[0])
    if same and n == 2:
        _wrong(f"({shown}) 只有 2 张：刻子要 3 张，杠要 4 张。", f"({shown}) has 2 tiles: a pung has 3, a kong 4.", at)
    _wrong(f"({shown}) 不是顺子、刻子或杠。", f"({shown}) is not a chow, pung or kong.", at)


def _reader(text: str, honours: str) -> _Reader:
    if honours not in _ORDERS:
        listed = join_list(_ORDERS)
        raise UnknownName(
            f"没有字牌编号“{honours}”，可用：{listed.zh}。",
            f"no numbering of honours {honours!r}; choose one of: {listed.en}.",
        )
    return _Reader(text, honours)


def _piece(text: str) -> Piece | None:
    """Read some tiles or a meld alone; None if that cannot be."""
    with suppress(NotationError):
        (reader := _Reader(text)).scan()
        return Piece.of(reader.concealed.kinds, reader.melds)
    return None


def parse(text: str, honours: str = "chinese") -> Hand:
    """Parse a hand: 13 tiles, 14 with `+` before the winning one, or 14 without (about to discard).

    `honours` says what 5z and 7z are: "chinese" 中 and 白, "riichi" 白 and 中.
    Seat, round, circumstances and flowers are not part of the text; they keep the defaults of `Hand`.

    Raises:
        NotationError: the text is not a hand; it has one sentence and the position of the mistake.
    """
    if not isinstance(text, str):
        raise NotationError("手牌应是一段文字。", "a hand must be text.")
    if honours in _ORDERS and (found := read_pieces(text, _piece)) is not None:
        return found
    reader = _reader(text, honours)
    reader.scan()
    return reader.hand()


def parse_part(text: str) -> Hand:
    """Parse a hand that may still be growing: with fewer tiles than its melds leave room for, or none.

    Raises:
        NotationError: the text is not a hand; it has one sentence and the position of the mistake.
    """
    reader = _Reader(text)
    reader.scan()
    return reader.hand(whole=False)


def find_last_written(text: str) -> int | None:
    """Return the kind of the last concealed tile in a text that `parse_part` reads; None if there is none."""
    reader = _Reader(text)
    reader.scan()
    return reader.concealed.kinds[-1] if reader.concealed.kinds else None


def tile(text: str) -> int:
    """Return the kind (0-33) of one tile, in any of the accepted forms.

    Raises:
        NotationError: it is not one tile.
    """
    kinds = tiles(text)
    if len(kinds) != 1:
        raise NotationError(f"“{text.strip()}”不是一张牌。", f"{text.strip()!r} is not one tile.")
    return kinds[0]


def tiles(text: str, honours: str = "chinese") -> tuple[int, ...]:
    """Return the kinds (0-33) of any number of tiles in the order written, without melds and `+`.

    Raises:
        NotationError: something in it is not a tile.
    """
    if not isinstance(text, str):
        raise NotationError("牌应是一段文字。", "tiles must be text.")
    reader = _reader(text, honours)
    reader.scan()
    if reader.plus is not None or reader.opened is not None or reader.brackets:
        _wrong("这里只写牌，不用括号和 +。", "only tiles here: no brackets and no +.", None)
    return tuple(reader.concealed.kinds)

"""Conditions written as formulas: 有(相连(刻子, 3)) 且 非 清一色, has(in_a_row(pungs, 3)) and not 清一色.

A formula is parsed into a condition of the same vocabulary that rows are written in; nothing of it is ever run as
Python. Its length, depth and number of parts are bounded. Names of the book's fans are conditions too.

    formula    := both {("或" | "or") both}
    both       := single {("且" | "and") single}
    single     := ("非" | "not" | "!") single | comparison
    comparison := sum [("=" | "!=" | "<" | "<=" | ">" | ">=") sum]
    sum        := tiles {("+" | "-") tiles}
    tiles      := part {("&" | "|" | "除" | "without") part}      sets of tiles: both, either, those without others
    part       := number | 258m | word | word "(" formula {"," formula} ")" | "fan name" | "(" formula ")"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

from quepu.errors import Error, near_names
from quepu.folding import one_script
from quepu.hands.planes import Condition, Planes, lucky
from quepu.rules.formula_words import NUMBER, OPERATORS, OTHER_NAMES, RANKS, TILES, TRUTH, FormulaKind, words
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.tiles import BIT

LONGEST: Final = 400
"""Characters of a formula."""
_DEEPEST: Final = 24
_MOST_PARTS: Final = 120
_MOST_NUMBER: Final = 999
_ROW_MOST: Final = 4
_STEP_MOST: Final = 8

_TILES: Final = re.compile(r"([1-9]{1,9})([mpsMPS万萬筒饼餅索条條])")
_NUMBER: Final = re.compile(r"[0-9]+")
_LATIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED: Final = re.compile(r'"([^"]*)"|“([^“”]*)”|「([^「」]*)」')
_WIDE: Final = ("（），、＋－＝＜＞≤≥≠！＆", ("(", ")", ",", ",", "+", "-", "=", "<", ">", "<=", ">=", "!=", "!", "&"))
_SIGNS: Final = dict(zip(*_WIDE, strict=True)) | {"==": "=", "！=": "!=", "&&": "and", "||": "or"}
_SIGN: Final = re.compile(r"==|!=|！=|<=|>=|&&|\|\||[()（），、,+＋\-－=＝≠<＜>＞≤≥!！&＆|]")
_SUIT: Final = {letter: suit for suit, letters in enumerate(("mM万萬", "pP筒饼餅", "sS索条條")) for letter in letters}
_HONOUR: Final = {letter: 27 + i for i, letters in enumerate(("东東E", "南S", "西W", "北N", "中C", "发發F", "白P"))
                  for letter in letters}  # fmt: skip
_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class FormulaError(Error):
    """A formula that cannot be read; `at` is the place in it."""


class _Token(NamedTuple):
    sign: str  # "number", "tiles", "word", "fan", "end" or the sign itself
    value: Any
    at: int


class _Part(NamedTuple):
    kind: FormulaKind
    run: Condition
    at: int
    constant: int | None = None
    named: bool = False  # a set of kinds, whatever the hand holds


class Formula:
    """A condition made of a formula, called with planes like any other; a pickle has its text and the fans it names."""

    def __init__(self, text: str, run: Condition, fans: tuple[Fan, ...], luck: tuple[tuple[str, int], ...]) -> None:
        self.text, self._run, self._fans, self._luck = text, run, fans, luck

    def __call__(self, h: Planes) -> Any:
        """Number of times it holds (0 or 1 where it is a truth)."""
        return self._run(h)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.text, self._fans, self._luck)


def _again(text: str, fans: tuple[Fan, ...], luck: tuple[tuple[str, int], ...]) -> Formula:
    names = {alias: fan for fan in fans for alias in fan.aliases} | {fan.name: fan for fan in fans}
    return _parse(text, names, dict(luck))


def parse_formula(text: str, book: Rulebook) -> Formula:
    """The condition that a formula says, in which the book's fans and circumstances may be named.

    Raises:
        FormulaError: it cannot be read, or says nothing that can hold of a hand; with the place.
    """
    names = {alias: fan for fan in book.fans for alias in fan.aliases} | {fan.name: fan for fan in book.fans}
    return _parse(text, names, book.circumstances)


def _parse(text: str, fans: Mapping[str, Fan], luck: Mapping[str, int]) -> Formula:
    if len(text) > LONGEST:
        raise FormulaError(
            f"公式太长，最多 {LONGEST} 个字符。", f"the formula is too long: at most {LONGEST} characters.", LONGEST
        )
    return _Parser(text, fans, luck).formula()


class _Parser:
    def __init__(self, text: str, fans: Mapping[str, Fan], luck: Mapping[str, int]) -> None:
        self.text, self.fans, self.luck = text, fans, luck
        self.used: dict[str, Fan] = {}
        self.lucky: dict[str, int] = {}
        self.folded = one_script(text)
        names = sorted({*words(), *OPERATORS, *fans, *luck, *_HONOUR}, key=lambda name: (-len(name), name))
        self.names: dict[str, list[tuple[str, str]]] = {}  # by the first character: the name in one script, the name
        for name in names:
            if name:
                spelled = one_script(name)
                self.names.setdefault(spelled[0], []).append((spelled, name))
        self.quoted = {one_script(name): name for name in fans}
        self.tokens = self._tokens()
        self.n = 0
        self.parts = 0

    # ---- tokens

    def _tokens(self) -> list[_Token]:
        found, at, text = [], 0, self.text
        while at < len(text):
            if text[at].isspace():
                at += 1
                continue
            token, end = self._token(at)
            found.append(token)
            at = end
        return [*found, _Token("end", "", len(text))]

    def _token(self, at: int) -> tuple[_Token, int]:
        text = self.text
        if tiles := _TILES.match(text, at):
            suit = _SUIT[tiles[2]]
            plane = 0
            for digit in tiles[1]:
                plane |= BIT[9 * suit + int(digit) - 1]
            return _Token("tiles", plane, at), tiles.end()
        if number := _NUMBER.match(text, at):
            if len(number[0]) > 9:
                self._wrong("数太大。", "the number is too large.", at)
            return _Token("number", int(number[0]), at), number.end()
        if quoted := _QUOTED.match(text, at):
            name = next(group for group in quoted.groups() if group is not None)
            name = name if name in self.fans else self.quoted.get(one_script(name), name)
            if name not in self.fans:
                self._wrong(f"没有“{name[:20]}”这个番种。", f"there is no fan {name[:20]!r}.", at)
            return _Token("fan", name, at), quoted.end()
        if sign := _SIGN.match(text, at):
            return _Token(_SIGNS.get(sign[0], sign[0]), sign[0], at), sign.end()
        name = self._name(at)
        if name in OPERATORS:
            return _Token(OPERATORS[name], name, at), at + len(name)
        if name in _HONOUR and name not in self.fans:
            return _Token("tiles", BIT[_HONOUR[name]], at), at + len(name)
        return _Token("word", name, at), at + len(name)

    def _name(self, at: int) -> str:
        """The longest name that stands here; an English one ends with its letters."""
        text, folded = self.text, self.folded
        latin = _LATIN.match(text, at)
        found = ""
        for spelled, name in self.names.get(folded[at], ()):
            if len(name) < len(found):
                break
            if folded.startswith(spelled, at) and (latin is None or at + len(name) >= latin.end()):
                if text.startswith(name, at):
                    return name
                found = found or name
        if found:
            return found
        if latin is None:
            unknown = re.compile(r"[^\s()（），,、+\-<>=!&|\"“”]{0,12}").match(text, at)
            given = unknown[0] if unknown and unknown[0] else text[at]
        else:
            given = latin[0][:20]
            if given.lower() in words() or given.lower() in OPERATORS:
                self._wrong(f"“{given}”请写作小写。", f"write {given!r} in small letters.", at)
        near = near_names(given, {name: name for names in self.names.values() for _, name in names}, most=3)
        raise self._error(
            f"不认识“{given}”。" + (f"是不是{'、'.join(near)}？" if near else ""),
            f"unknown word {given!r}." + (f" Did you mean {' / '.join(near)}?" if near else ""),
            at,
        )

    def _wrong(self, zh: str, en: str, at: int | None = None) -> NoReturn:
        raise self._error(zh, en, at)

    def _error(self, zh: str, en: str, at: int | None = None) -> FormulaError:
        return FormulaError(zh, en, self.tokens[self.n].at if at is None else at)

    # ---- grammar

    def formula(self) -> Formula:
        """The whole text."""
        whole = self._either(0)
        if self.tokens[self.n].sign != "end":
            given = self.text[self.tokens[self.n].at :][:12]
            self._wrong(f"“{given}”不该在这里。", f"{given!r} cannot stand here.")
        if whole.kind not in (TRUTH, NUMBER):
            zh, en = whole.kind.value
            self._wrong(
                f"整个公式应是{TRUTH.value.zh}或{NUMBER.value.zh}，现在是{zh}：请写成 有(…) 或 个数(…)。",
                f"the whole must be {TRUTH.value.en} or {NUMBER.value.en}, not {en}: write has(…) or count(…).",
                whole.at,
            )
        run = whole.run
        held: Condition = run if whole.kind is TRUTH else lambda h: (run(h) > 0) * run(h)
        return Formula(self.text, held, tuple(self.used.values()), tuple(self.lucky.items()))

    def _next(self, *signs: str) -> _Token | None:
        token = self.tokens[self.n]
        if token.sign not in signs:
            return None
        self.n += 1
        return token

    def _made(
        self, kind: FormulaKind, run: Condition, at: int, constant: int | None = None, *, named: bool = False
    ) -> _Part:
        self.parts += 1
        if self.parts > _MOST_PARTS:
            self._wrong(f"公式的部分太多，最多 {_MOST_PARTS} 个。", f"too many parts: at most {_MOST_PARTS}.", at)
        return _Part(kind, run, at, constant, named)

    def _wants(self, part: _Part, *kinds: FormulaKind) -> _Part:
        if part.kind not in kinds:
            zh, en = ("或".join(k.value.zh for k in kinds), " or ".join(k.value.en for k in kinds))
            self._wrong(
                f"这里应是{zh}，现在是{part.kind.value.zh}。",
                f"here must be {en}, and is {part.kind.value.en}.",
                part.at,
            )
        return part

    def _either(self, depth: int) -> _Part:
        if depth > _DEEPEST:
            self._wrong(f"套得太深，最多 {_DEEPEST} 层。", f"nested too deep: at most {_DEEPEST} levels.")
        left = self._both(depth)
        while self._next("or"):
            a, b = self._wants(left, TRUTH).run, self._wants(self._both(depth), TRUTH).run
            left = self._made(TRUTH, _joined(lambda x, y: x | y, a, b), left.at)
        return left

    def _both(self, depth: int) -> _Part:
        left = self._single(depth)
        while self._next("and"):
            a, b = self._wants(left, TRUTH).run, self._wants(self._single(depth), TRUTH).run
            left = self._made(TRUTH, _joined(lambda x, y: x & y, a, b), left.at)
        return left

    def _single(self, depth: int) -> _Part:
        nots = 0
        first = self.tokens[self.n].at
        while self._next("not", "!"):
            nots += 1
        part = self._comparison(depth)
        if nots % 2 == 0:
            return self._wants(part, TRUTH) if nots else part
        run = self._wants(part, TRUTH).run
        return self._made(TRUTH, lambda h: run(h) == 0, first)

    def _comparison(self, depth: int) -> _Part:
        left = self._sum(depth)
        sign = self._next(*_COMPARISONS)
        if sign is None:
            return left
        a, b = self._wants(left, NUMBER).run, self._wants(self._sum(depth), NUMBER).run
        return self._made(TRUTH, _joined(_COMPARISONS[sign.sign], a, b), left.at)

    def _sum(self, depth: int) -> _Part:
        left = self._tiles_of(depth)
        while sign := self._next("+", "-"):
            a, b = self._wants(left, NUMBER).run, self._wants(self._tiles_of(depth), NUMBER).run
            plus = sign.sign == "+"
            left = self._made(NUMBER, _joined((lambda x, y: x + y) if plus else (lambda x, y: x - y), a, b), left.at)
        return left

    def _tiles_of(self, depth: int) -> _Part:
        left = self._part(depth)
        while sign := self._next("&", "|", "without"):
            right = self._part(depth)
            kind = self._wants(left, TILES, RANKS, TRUTH).kind
            self._wants(right, kind)
            if sign.sign == "without":
                self._wants(left, TILES, RANKS)
                join: Callable[[Any, Any], Any] = lambda x, y: x ^ (x & y)  # noqa: E731
            else:
                join = (lambda x, y: x | y) if sign.sign == "|" else (lambda x, y: x & y)
            named = left.named and right.named
            left = self._made(kind, _joined(join, left.run, right.run), left.at, named=named)
        return left

    def _part(self, depth: int) -> _Part:
        token = self.tokens[self.n]
        if self._next("("):
            inside = self._either(depth + 1)
            self._close(token.at)
            return inside
        if self._next("number"):
            if token.value > _MOST_NUMBER:
                self._wrong(f"数最大 {_MOST_NUMBER}。", f"numbers are {_MOST_NUMBER} at most.", token.at)
            return self._made(NUMBER, lambda h: token.value, token.at, token.value)
        if self._next("tiles"):
            return self._made(TILES, lambda h: token.value, token.at, named=True)
        if self._next("fan"):
            return self._fan(token)
        if self._next("word"):
            return self._word(token, depth)
        raise self._error("这里少了一个条件、牌或数。", "a condition, tiles or a number is missing here.")

    def _close(self, opened: int) -> None:
        if not self._next(")"):
            self._wrong(
                f"第 {opened + 1} 个字符的括号没有合上。", f"the bracket of character {opened + 1} is not closed."
            )

    def _fan(self, token: _Token) -> _Part:
        fan = self.fans[token.value]
        self.used[token.value] = fan
        when = fan.when
        return self._made(TRUTH, lambda h: when(h) != 0, token.at)

    def _word(self, token: _Token, depth: int) -> _Part:
        word = None if token.value in OTHER_NAMES and token.value in self.fans else words().get(token.value)
        if word is None:
            if token.value in self.fans:
                return self._fan(token)
            luck = int(self.luck[token.value])
            self.lucky[token.value] = luck
            return self._made(TRUTH, lambda h: lucky(h, luck), token.at)
        if not word.takes:
            return self._made(word.gives, word.make(), token.at, named=word.named)
        if not self._next("("):
            self._wrong(
                f"“{token.value}”之后要有括号：{word.help.zh}。", f"{token.value!r} needs brackets: {word.help.en}."
            )
        given: list[_Part] = []
        for number, kind in enumerate(word.takes):
            if number and not self._next(","):
                if number >= len(word.takes) - word.optional:
                    break
                n, (zh, en) = len(word.takes), word.help
                self._wrong(
                    f"“{token.value}”要有 {n} 项，逗号分开：{zh}。", f"{token.value!r} takes {n}, with commas: {en}."
                )
            kinds = (TILES, RANKS) if word.ranks_too else (kind,)
            part = self._wants(self._either(depth + 1), *kinds)
            given.append(part._replace(run=_held(part.run)) if part.named and word.of_hand else part)
        self._close(token.at)
        made = word.make(*self._arguments(token.value, given))
        return self._made(word.gives, made, token.at, named=word.named)

    def _arguments(self, name: str, given: list[_Part]) -> list[Condition]:
        """The arguments; numbers among them must be written out, for conditions never branch."""
        made: list[Condition] = []
        bounds = iter(((2, _ROW_MOST), (1, _STEP_MOST)) if name in ("相连", "in_a_row") else ((1, _STEP_MOST),))
        for part in given:
            if part.kind is not NUMBER:
                made.append(part.run)
                continue
            if part.constant is None:
                self._wrong("这里应直接写一个数。", "here must stand a plain number.", part.at)
            if name not in ("序数", "rank"):
                least, most = next(bounds)
                if not least <= part.constant <= most:
                    self._wrong(f"这里应是 {least} 到 {most}。", f"here must be {least} to {most}.", part.at)
            made.append(_always(part.constant))
        if name in ("相连", "in_a_row") and len(given) == 3:
            n, step = given[1].constant or 0, given[2].constant or 0
            if (n - 1) * step > _STEP_MOST:
                self._wrong("一色只有九个序数，排不下。", "a suit has nine ranks only.", given[2].at)
        return made


def _held(kinds: Condition) -> Condition:
    """The tiles of these kinds that the hand has: a set of kinds alone is never empty."""
    return lambda h: h.t1 & kinds(h)


def _always(value: int) -> Condition:
    return lambda h: value


def _joined(join: Callable[[Any, Any], Any], a: Condition, b: Condition) -> Condition:
    return lambda h: join(a(h), b(h))

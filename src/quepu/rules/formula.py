"""Conditions written as formulas: 有(相连(刻子, 3)) 且 非 清一色, has(in_a_row(pungs, 3)) and not 清一色.

A formula is parsed into a condition of the same vocabulary that rows are written in; it is never run as Python. Its
length, depth and number of parts are bounded. Names of the book's fans are conditions, too.

    formula    := both {("或" | "or") both}
    both       := single {("且" | "and") single}
    single     := ("非" | "not" | "!") single | comparison
    comparison := sum [("=" | "!=" | "<" | "<=" | ">" | ">=") sum]
    sum        := tiles {("+" | "-") tiles}
    tiles      := part {("&" | "|" | "除" | "without") part}      sets of tiles: both, either, those without others
    part       := number | 258m | word | word "(" formula {"," formula} ")" | "fan name" | "(" formula ")"

序数 alone takes a list of ranks, 序数(2468). A name that means tiles and a fan too (中) means what its place asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, Condition, Planes, lucky
from quepu.rules.formula_tokens import (
    COMPARISONS,
    HONOURS,
    JOINS,
    FormulaError,
    Token,
    Tokenizer,
    always,
    held,
    joined,
)
from quepu.rules.formula_words import NUMBER, OTHER_NAMES, RANKS, TILES, TRUTH, FormulaKind, Word, words
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.tiles import BIT

__all__ = ["LONGEST", "Formula", "FormulaError", "parse_formula"]

LONGEST: Final = 400
"""The most characters of a formula."""
_DEEPEST: Final = 24
_MOST_PARTS: Final = 120
_MOST_NUMBER: Final = 999
_ROW_MOST: Final = 4
_STEP_MOST: Final = 8

_HERE: Final = Text("这里", "here")


class _Part(NamedTuple):
    kind: FormulaKind
    run: Condition
    at: int
    constant: int | None = None
    named: bool = False  # a set of kinds, independent of the hand
    other: _Part | None = None  # the same name as something of another kind


class Formula:
    """A condition made of a formula, called with planes like any other; a pickle has its text and its fans' names."""

    def __init__(
        self, text: str, run: Condition, fans: tuple[Fan, ...], luck: tuple[tuple[str, int], ...], places: bool
    ) -> None:
        self.text, self._run, self._fans, self._luck, self._places = text, run, fans, luck, places

    def __call__(self, h: Planes) -> Any:
        """Return how often it holds (0 or 1 for a truth)."""
        return self._run(h)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.text, self._fans, self._luck, self._places)


def _again(text: str, fans: tuple[Fan, ...], luck: tuple[tuple[str, int], ...], places: bool = False) -> Formula:
    return _parse(text, _names(fans), dict(luck), places=places)


def parse_formula(text: str, book: Rulebook, *, places: bool = False) -> Formula:
    """The condition that a formula says, in which the book's fans and circumstances may be named.

    `places`: it says the tiles at which a fan holds, and not whether.

    Raises:
        FormulaError: it is invalid, or not a condition of a hand; with the position.
    """
    return _parse(text, _names(book.fans), book.circumstances, places=places)


def _names(fans: Iterable[Fan]) -> dict[str, tuple[Fan, ...]]:
    """Map names and aliases to fans; a name takes precedence over an alias, and an alias may be shared."""
    found: dict[str, tuple[Fan, ...]] = {}
    listed = tuple(fans)
    for fan in listed:
        for alias in fan.aliases:
            found[alias] = (*found.get(alias, ()), fan)
    return found | {fan.name: (fan,) for fan in listed}


def _parse(text: str, fans: Mapping[str, tuple[Fan, ...]], luck: Mapping[str, int], *, places: bool) -> Formula:
    _refuse_long(text)
    return _Parser(text, fans, luck).formula(places)


def _refuse_long(text: str) -> None:
    if len(text) > LONGEST:
        raise FormulaError(
            f"公式太长，最多 {LONGEST} 个字符。", f"the formula is too long: at most {LONGEST} characters.", LONGEST
        )


def parse_numbers(text: str, names: Sequence[str]) -> Callable[[Mapping[str, int]], int]:
    """The number (a truth is 1 or 0) that a formula of named numbers says; these may be multiplied.

    Raises:
        FormulaError: it cannot be read; with the place.
    """
    _refuse_long(text)
    return _Parser(text, {}, {}, names).number()


class _Parser:
    def __init__(
        self, text: str, fans: Mapping[str, tuple[Fan, ...]], luck: Mapping[str, int], numbers: Sequence[str] = ()
    ) -> None:
        self.text, self.fans, self.luck, self.numbers = text, fans, luck, numbers
        self.used: dict[str, Fan] = {}
        self.lucky: dict[str, int] = {}
        self.tokens = Tokenizer(text, fans, [*luck, *numbers]).tokens()
        self.n = 0
        self.parts = 0

    def _wrong(self, zh: str, en: str, at: int | None = None) -> NoReturn:
        raise self._error(zh, en, at)

    def _error(self, zh: str, en: str, at: int | None = None) -> FormulaError:
        return FormulaError(zh, en, self.tokens[self.n].at if at is None else at)

    # ---- grammar

    def formula(self, places: bool) -> Formula:
        """The whole text: a truth or a number, or the tiles of some places."""
        whole = self._either(0)
        kinds = (TILES,) if places else (TRUTH, NUMBER)
        if whole.kind not in kinds and whole.other is not None:
            whole = whole.other
        self._end()
        used, lucky = tuple(self.used.values()), tuple(self.lucky.items())
        if places:
            tiles = self._wants(whole, TILES, where=Text("整个公式", "the whole")).run
            return Formula(self.text, lambda h: tiles(h) & ALL_TILES, used, lucky, places)
        if whole.kind not in kinds:
            zh, en = whole.kind.value
            self._wrong(
                f"整个公式应是{TRUTH.value.zh}或{NUMBER.value.zh}，现在是{zh}：请写成 有(…) 或 个数(…)。",
                f"the whole must be {TRUTH.value.en} or {NUMBER.value.en}, not {en}: write has(…) or count(…).",
                whole.at,
            )
        run = whole.run
        held: Condition = run if whole.kind is TRUTH else lambda h: (run(h) > 0) * run(h)
        return Formula(self.text, held, used, lucky, places)

    def number(self) -> Callable[[Mapping[str, int]], int]:
        """The whole text, a number or a truth made of numbers alone."""
        whole = self._wants(self._either(0), TRUTH, NUMBER, where=Text("整个公式", "the whole"))
        self._end()
        run: Callable[[Any], Any] = whole.run
        return lambda values: int(run(values))

    def _end(self) -> None:
        if self.tokens[self.n].sign != "end":
            given = self.text[self.tokens[self.n].at :][:12]
            self._wrong(f"“{given}”不该在这里。", f"{given!r} cannot stand here.")

    def _next(self, *signs: str) -> Token | None:
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

    def _wants(self, part: _Part, *kinds: FormulaKind, where: Text = _HERE) -> _Part:
        if part.kind in kinds:
            return part
        if part.other is not None and part.other.kind in kinds:
            return part.other
        zh, en = ("或".join(k.value.zh for k in kinds), " or ".join(k.value.en for k in kinds))
        raise self._error(
            f"{where.zh}应是{zh}，现在是{part.kind.value.zh}。",
            f"{where.en} must be {en}, and is {part.kind.value.en}.",
            part.at,
        )

    def _either(self, depth: int) -> _Part:
        if depth > _DEEPEST:
            self._wrong(f"套得太深，最多 {_DEEPEST} 层。", f"nested too deep: at most {_DEEPEST} levels.")
        left = self._both(depth)
        while self._next("or"):
            a, b = self._wants(left, TRUTH).run, self._wants(self._both(depth), TRUTH).run
            left = self._made(TRUTH, joined(lambda x, y: x | y, a, b), left.at)
        return left

    def _both(self, depth: int) -> _Part:
        left = self._single(depth)
        while self._next("and"):
            a, b = self._wants(left, TRUTH).run, self._wants(self._single(depth), TRUTH).run
            left = self._made(TRUTH, joined(lambda x, y: x & y, a, b), left.at)
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
        sign = self._next(*COMPARISONS)
        if sign is None:
            return left
        a, b = self._wants(left, NUMBER).run, self._wants(self._sum(depth), NUMBER).run
        return self._made(TRUTH, joined(COMPARISONS[sign.sign], a, b), left.at)

    def _sum(self, depth: int) -> _Part:
        left = self._product(depth)
        while sign := self._next("+", "-"):
            a, b = self._wants(left, NUMBER).run, self._wants(self._product(depth), NUMBER).run
            plus = sign.sign == "+"
            left = self._made(NUMBER, joined((lambda x, y: x + y) if plus else (lambda x, y: x - y), a, b), left.at)
        return left

    def _product(self, depth: int) -> _Part:
        left = self._tiles_of(depth)
        while self.numbers and self._next("*"):
            a, b = self._wants(left, NUMBER).run, self._wants(self._tiles_of(depth), NUMBER).run
            left = self._made(NUMBER, joined(lambda x, y: x * y, a, b), left.at)
        return left

    def _tiles_of(self, depth: int) -> _Part:
        left = self._part(depth)
        while sign := self._next("&", "|", "without"):
            right = self._part(depth)
            kinds = (TILES, RANKS) if sign.sign == "without" else (TILES, RANKS, TRUTH)
            pairs = [
                (a, b) for a in (left, left.other) if a for b in (right, right.other) if b and a.kind is b.kind in kinds
            ]
            if not pairs:
                self._wants(right, self._wants(left, *kinds).kind)
            first, *others = [self._set(sign.sign, a, b) for a, b in pairs]
            left = first._replace(other=others[0] if others else None)
        return left

    def _set(self, sign: str, a: _Part, b: _Part) -> _Part:
        """Two sets, or two truths, joined."""
        join: Callable[[Any, Any], Any] = JOINS[sign]
        return self._made(a.kind, joined(join, a.run, b.run), a.at, named=a.named and b.named)

    def _part(self, depth: int) -> _Part:
        token = self.tokens[self.n]
        if self._next("("):
            inside = self._either(depth + 1)
            self._close(token.at)
            return inside
        if self._next("number"):
            number = int(token.value)
            if number > _MOST_NUMBER:
                self._wrong(f"数最大 {_MOST_NUMBER}。", f"numbers are {_MOST_NUMBER} at most.", token.at)
            return self._made(NUMBER, always(number), token.at, number)
        if self._next("tiles"):
            return self._made(TILES, lambda h: token.value, token.at, named=True)
        if self._next("fan"):
            return self._fan(token)
        if self.numbers and token.sign in ("word", "tiles", "fan") and token.value not in self.numbers:
            listed = "、".join(self.numbers)
            self._wrong(f"这里只能用{listed}和数。", f"only {' and '.join(self.numbers)} and numbers can stand here.")
        if self._next("word"):
            if token.value in self.numbers:
                return self._made(NUMBER, lambda values: values[token.value], token.at)
            return self._word(token, depth)
        raise self._error("这里少了一个条件、牌或数。", "a condition, tiles or a number is missing here.")

    def _close(self, opened: int) -> None:
        if not self._next(")"):
            self._wrong(
                f"第 {opened + 1} 个字符的括号没有合上。", f"the bracket of character {opened + 1} is not closed."
            )

    def _fan(self, token: Token) -> _Part:
        fan, *others = self.fans[token.value]
        if others:
            listed = [one.name for one in (fan, *others)]
            self._wrong(
                f"“{token.value}”可以指{'、'.join(listed)}，请写明。",
                f"{token.value!r} may be {' or '.join(listed)}: say which.",
                token.at,
            )
        self.used[token.value] = fan
        when = fan.when
        return self._made(TRUTH, lambda h: when(h) != 0, token.at)

    def _word(self, token: Token, depth: int) -> _Part:
        word = words().get(token.value)
        fan = self._fan(token) if token.value in self.fans else None
        if word is None:
            if fan is None:
                luck = int(self.luck[token.value])
                self.lucky[token.value] = luck
                fan = self._made(TRUTH, lambda h: lucky(h, luck), token.at)
            if token.value not in HONOURS:
                return fan
            return fan._replace(other=self._made(TILES, always(BIT[HONOURS[token.value]]), token.at, named=True))
        if not word.takes:
            made = self._made(word.gives, word.make(), token.at, named=word.named)
            if fan is None:
                return made
            return fan._replace(other=made) if token.value in OTHER_NAMES else made._replace(other=fan)
        opened = self._next("(")
        if not opened:
            if fan is not None:
                return fan
            self._wrong(
                f"“{token.value}”之后要有括号：{word.help.zh}。", f"{token.value!r} needs brackets: {word.help.en}."
            )
        run = word.make(*self._arguments(token.value, self._given(token, word, depth)))
        return self._made(word.gives, run, token.at, named=word.named)

    def _given(self, token: Token, word: Word, depth: int) -> list[_Part]:
        """Parse the arguments of a word in their brackets."""
        n, (zh, en) = len(word.takes), word.help
        given: list[_Part] = []
        for number, kind in enumerate(word.takes):
            if number and not self._next(","):
                if number >= n - word.optional:
                    break
                self._wrong(
                    f"“{token.value}”要有 {n} 项，逗号分开：{zh}。", f"{token.value!r} takes {n}, with commas: {en}."
                )
            if word.of_ranks:
                given.append(self._ranks(token, word))
                continue
            kinds = (TILES, RANKS) if word.ranks_too else (kind,)
            where = Text(f"“{token.value}”的第 {number + 1} 项", f"argument {number + 1} of {token.value!r}")
            part = self._wants(self._either(depth + 1), *kinds, where=where)
            given.append(part._replace(run=held(part.run)) if part.named and word.of_hand else part)
        if self.tokens[self.n].sign == ",":
            self._wrong(
                f"“{token.value}”只有 {n} 项：{zh}。", f"{token.value!r} takes {n} argument{'s' * (n > 1)}: {en}."
            )
        self._close(token.at)
        return given

    def _ranks(self, token: Token, word: Word) -> _Part:
        """Parse a list of ranks, written one after the other."""
        digits = self._next("number")
        if not digits:
            self._wrong(
                f"“{token.value}”里应直接写序数：{word.help.zh}。", f"{token.value!r} takes ranks: {word.help.en}."
            )
        return self._made(NUMBER, always(int(digits.value)), digits.at, int(digits.value))

    def _arguments(self, name: str, given: list[_Part]) -> list[Condition]:
        """Return the arguments; numbers among them must be literals, since conditions never branch."""
        made: list[Condition] = []
        bounds = iter(((2, _ROW_MOST), (1, _STEP_MOST)) if name in ("相连", "in_a_row") else ((1, _STEP_MOST),))
        for part in given:
            if part.kind is not NUMBER:
                made.append(part.run)
                continue
            if part.constant is None:
                self._wrong("这里应直接写一个数。", "here must stand a plain number.", part.at)
            if not words()[name].of_ranks:
                least, most = next(bounds)
                if not least <= part.constant <= most:
                    self._wrong(f"这里应是 {least} 到 {most}。", f"here must be {least} to {most}.", part.at)
            made.append(always(part.constant))
        if name in ("相连", "in_a_row") and len(given) == 3:
            n, step = given[1].constant or 0, given[2].constant or 0
            if (n - 1) * step > _STEP_MOST:
                self._wrong("一色只有九个序数，排不下。", "a suit has nine ranks only.", given[2].at)
        return made

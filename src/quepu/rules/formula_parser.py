"""The parser of formulas: kinds and bounds are checked while it reads, and errors have a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from quepu.errors import Text, many
from quepu.hands.planes import ALL_TILES, Condition, lucky
from quepu.rules.formula_tokens import (
    COMPARISONS,
    HONOURS,
    JOINS,
    FormulaError,
    Token,
    Tokenizer,
    always,
    join_conditions,
    select_kinds,
)
from quepu.rules.formula_tree import Node
from quepu.rules.formula_words import NUMBER, OTHER_NAMES, RANKS, TILES, TRUTH, FormulaKind, Word, words
from quepu.rules.row import Fan
from quepu.tiles import BIT

_DEEPEST: Final = 24
_MOST_PARTS: Final = 120
_MOST_WHOLE: Final = 1000
"""Parts of a formula together with those of the fans it names: each of these may name others in its turn."""
_MOST_NUMBER: Final = 999
_ROW_MOST: Final = 4
_STEP_MOST: Final = 8

_HERE: Final = Text("这里", "here")


class _Part(NamedTuple):
    kind: FormulaKind
    run: Condition
    at: int
    tree: Node
    constant: int | None = None
    named: bool = False  # a set of kinds, independent of the hand
    other: _Part | None = None  # the same name as something of another kind


class Parsed(NamedTuple):
    """A formula that was read: its condition, the fans and circumstances that it names, and its tree."""

    run: Condition
    fans: tuple[Fan, ...]
    luck: tuple[tuple[str, int], ...]
    tree: Node
    size: int


class Parser:
    """One formula while it is read; with `numbers`, one about these named numbers alone."""

    def __init__(
        self, text: str, fans: Mapping[str, tuple[Fan, ...]], luck: Mapping[str, int], numbers: Sequence[str] = ()
    ) -> None:
        self.text, self.fans, self.luck, self.numbers = text, fans, luck, numbers
        self.used: dict[str, Fan] = {}
        self.lucky: dict[str, int] = {}
        self.tokens = Tokenizer(text, fans, [*luck, *numbers]).tokens()
        self.n = 0
        self.parts = 0
        self.named = 0  # parts of the fans that are named

    def _wrong(self, zh: str, en: str, at: int | None = None) -> NoReturn:
        raise self._error(zh, en, at)

    def _error(self, zh: str, en: str, at: int | None = None) -> FormulaError:
        return FormulaError(zh, en, self.tokens[self.n].at if at is None else at)

    # ---- grammar

    def formula(self, places: bool) -> Parsed:
        """The whole text: a truth or a number, or the tiles of some places."""
        whole = self._either(0)
        kinds = (TILES,) if places else (TRUTH, NUMBER)
        if whole.kind not in kinds and whole.other is not None:
            whole = whole.other
        self._end()
        used, lucky = tuple(self.used.values()), tuple(self.lucky.items())
        if places:
            whole = self._wants(whole, TILES, where=Text("整个公式", "the whole"))
            tiles = whole.run
            return Parsed(lambda h: tiles(h) & ALL_TILES, used, lucky, whole.tree, self.parts + self.named)
        if whole.kind not in kinds:
            zh, en = whole.kind.value
            self._wrong(
                f"整个公式应是{TRUTH.value.zh}或{NUMBER.value.zh}，现在是{zh}：请写成 有(…) 或 个数(…)。",
                f"the whole must be {TRUTH.value.en} or {NUMBER.value.en}, not {en}: write has(…) or count(…).",
                whole.at,
            )
        run = whole.run
        held: Condition = run if whole.kind is TRUTH else lambda h: (run(h) > 0) * run(h)
        return Parsed(held, used, lucky, whole.tree, self.parts + self.named)

    def number(self) -> Callable[[Mapping[str, int]], int]:
        """The whole text, a number or a truth made of numbers alone."""
        whole = self._either(0)
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

    def _make(
        self,
        kind: FormulaKind,
        run: Condition,
        at: int,
        tree: Node,
        constant: int | None = None,
        *,
        named: bool = False,
    ) -> _Part:
        self.parts += 1
        if self.parts > _MOST_PARTS:
            self._wrong(f"公式的部分太多，最多 {_MOST_PARTS} 个。", f"too many parts: at most {_MOST_PARTS}.", at)
        return _Part(kind, run, at, tree, constant, named)

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
            left = self._joined(TRUTH, "or", lambda x, y: x | y, (left, self._both(depth)))
        return left

    def _both(self, depth: int) -> _Part:
        left = self._single(depth)
        while self._next("and"):
            left = self._joined(TRUTH, "and", lambda x, y: x & y, (left, self._single(depth)))
        return left

    def _single(self, depth: int) -> _Part:
        nots = 0
        first = self.tokens[self.n].at
        while self._next("not", "!"):
            nots += 1
        part = self._comparison(depth)
        if nots % 2 == 0:
            return self._wants(part, TRUTH) if nots else part
        part = self._wants(part, TRUTH)
        run = part.run
        return self._make(TRUTH, lambda h: run(h) == 0, first, Node("not", "", (part.tree,)))

    def _comparison(self, depth: int) -> _Part:
        left = self._sum(depth)
        sign = self._next(*COMPARISONS)
        if sign is None:
            return left
        return self._joined(NUMBER, sign.sign, COMPARISONS[sign.sign], (left, self._sum(depth)))._replace(kind=TRUTH)

    def _sum(self, depth: int) -> _Part:
        left = self._product(depth)
        while sign := self._next("+", "-"):
            join: Callable[[Any, Any], Any] = (lambda x, y: x + y) if sign.sign == "+" else (lambda x, y: x - y)
            left = self._joined(NUMBER, sign.sign, join, (left, self._product(depth)))
        return left

    def _product(self, depth: int) -> _Part:
        left = self._tiles_of(depth)
        while self.numbers and self._next("*"):
            left = self._joined(NUMBER, "*", lambda x, y: x * y, (left, self._tiles_of(depth)))
        return left

    def _joined(
        self, kind: FormulaKind, sign: str, join: Callable[[Any, Any], Any], sides: tuple[_Part, _Part]
    ) -> _Part:
        """Two parts of one kind, joined by a sign."""
        a, b = self._wants(sides[0], kind), self._wants(sides[1], kind)
        return self._make(kind, join_conditions(join, a.run, b.run), a.at, Node(sign, "", (a.tree, b.tree)))

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
            readings = iter([self._set(sign.sign, a, b) for a, b in pairs])
            left = next(readings)._replace(other=next(readings, None))
        return left

    def _set(self, sign: str, a: _Part, b: _Part) -> _Part:
        """Two sets, or two truths, joined."""
        join: Callable[[Any, Any], Any] = JOINS[sign]
        tree = Node(sign, "", (a.tree, b.tree))
        return self._make(a.kind, join_conditions(join, a.run, b.run), a.at, tree, named=a.named and b.named)

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
            return self._make(NUMBER, always(number), token.at, Node("number", str(number)), number)
        if self.numbers and token.sign in ("word", "tiles") and token.value not in self.numbers:
            listed = "、".join(self.numbers)
            self._wrong(f"这里只能用{listed}和数。", f"only {' and '.join(self.numbers)} and numbers can stand here.")
        if self._next("tiles"):
            return self._make(TILES, always(token.value), token.at, Node("tiles", str(token.value)), named=True)
        if self._next("fan"):
            return self._fan(token)
        if self._next("word"):
            if token.value in self.numbers:
                return self._make(NUMBER, lambda values: values[token.value], token.at, Node("name", token.value))
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
        self.named += getattr(when, "size", 1)
        if self.named > _MOST_WHOLE:
            self._wrong(
                f"连同所指番种的公式，部分太多，最多 {_MOST_WHOLE} 个。",
                f"too many parts with the formulas of the fans it names: at most {_MOST_WHOLE}.",
                token.at,
            )
        return self._make(TRUTH, lambda h: when(h) != 0, token.at, Node("fan", fan.name))

    def _word(self, token: Token, depth: int) -> _Part:
        word = words().get(token.value)
        fan = self._fan(token) if token.value in self.fans else None
        if word is None:
            if fan is None:
                luck = int(self.luck[token.value])
                self.lucky[token.value] = luck
                fan = self._make(TRUTH, lambda h: lucky(h, luck), token.at, Node("luck", token.value))
            if token.value not in HONOURS:
                return fan
            tile = BIT[HONOURS[token.value]]
            return fan._replace(other=self._make(TILES, always(tile), token.at, Node("tiles", str(tile)), named=True))
        if not word.takes:
            made = self._make(word.gives, word.make(), token.at, Node("word", word.zh), named=word.named)
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
        given = self._parse_arguments(token, word, depth)
        run = word.make(*self._arguments(token.value, given))
        tree = Node("word", word.zh, tuple(part.tree for part in given))
        return self._make(word.gives, run, token.at, tree, named=word.named)

    def _parse_arguments(self, token: Token, word: Word, depth: int) -> list[_Part]:
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
                part = self._ranks(token, word)
            else:
                kinds = (TILES, RANKS) if word.ranks_too else (kind,)
                where = Text(f"“{token.value}”的第 {number + 1} 项", f"argument {number + 1} of {token.value!r}")
                part = self._wants(self._either(depth + 1), *kinds, where=where)
                if part.named and word.of_hand:
                    part = part._replace(run=select_kinds(part.run), tree=Node("held", "", (part.tree,)))
            given.append(part)
        if self.tokens[self.n].sign == ",":
            self._wrong(f"“{token.value}”只有 {n} 项：{zh}。", f"{token.value!r} takes {many(n, 'argument')}: {en}.")
        self._close(token.at)
        return given

    def _ranks(self, token: Token, word: Word) -> _Part:
        """Parse a list of ranks, written one after the other."""
        digits = self._next("number")
        if not digits:
            self._wrong(
                f"“{token.value}”里应直接写序数：{word.help.zh}。", f"{token.value!r} takes ranks: {word.help.en}."
            )
        ranks = Node("ranks", digits.value)
        return self._make(NUMBER, always(int(digits.value)), digits.at, ranks, int(digits.value))

    def _arguments(self, name: str, given: list[_Part]) -> list[Condition]:
        """Return the arguments; numbers among them must be literals, since conditions never branch."""
        made: list[Condition] = []
        numbers: list[int] = []
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
                    self._wrong(f"这里应是 {least} 到 {most}。", f"this must be {least} to {most}.", part.at)
            made.append(always(part.constant))
            numbers.append(part.constant)
        if name in ("相连", "in_a_row") and len(numbers) == 2:
            n, step = numbers
            if (n - 1) * step > _STEP_MOST:
                self._wrong("一色只有九个序数，排不下。", "a suit has nine ranks only.", part.at)
        return made

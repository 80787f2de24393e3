"""Lay out styled text and tables in lines, independent of any terminal library.

Layout needs no library; `Styled.rich` gives a line to rich, which knows the colours of terminals and takes long to
import. A style is a string of rich's words: `bold red on white`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Self

_NOT_FIRST: Final = frozenset("，。、；：？！）》】”’…,.;:?!)")
_NOT_LAST: Final = frozenset("（《【“‘")
_WORD: Final = r"\d+ [⺀-￿]|[^\s⺀-￿]+|[⺀-￿]|\s+"  # compiled on first use: it takes milliseconds
_NARROWEST: Final = 10
"""The least width of columns that wrap."""
_NARROWEST_HEAD: Final = 6
"""The least line length of heads that wrap, or their longest word."""
_INDENT: Final = 2


def columns_of(text: str) -> int:
    """Return the number of terminal columns that a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


class Styled:
    """A text whose pieces have styles; `style` applies to all of it."""

    __slots__ = ("pieces", "style")

    def __init__(self, text: str = "", style: str = "") -> None:
        self.style = style
        self.pieces: list[tuple[str, str]] = [(text, "")] if text else []

    @classmethod
    def assemble(cls, *parts: str | tuple[str, str] | Styled) -> Self:
        """Build one text from several; a tuple is a string and its style."""
        made = cls()
        for part in parts:
            if isinstance(part, tuple):
                made.append(*part)
            else:
                made.append(part)
        return made

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.pieces)

    def append(self, other: str | Styled, style: str = "") -> Self:
        """Append in place."""
        if isinstance(other, Styled):
            self.pieces += [(text, _over(style, other.style, own)) for text, own in other.pieces]
        elif other:
            self.pieces.append((other, style))
        return self

    def __add__(self, other: str | Styled) -> Styled:
        return self[:].append(other)

    def __len__(self) -> int:
        return sum(len(text) for text, _ in self.pieces)

    def __getitem__(self, part: slice) -> Styled:
        made = Styled(style=self.style)
        start, stop, _ = part.indices(len(self))
        at = 0
        for text, style in self.pieces:
            if piece := text[max(0, start - at) : max(0, stop - at)]:
                made.append(piece, style)
            at += len(text)
        return made

    def join(self, parts: Iterable[Styled]) -> Styled:
        """Join parts with this text between them."""
        made = Styled()
        for number, part in enumerate(parts):
            if number:
                made.append(self)
            made.append(part)
        return made

    def lines(self, width: int) -> Iterator[Styled]:
        """Yield the text in lines of this width, broken as by `wrapped`."""
        plain = self.plain
        if "\n" not in plain and columns_of(plain) <= width:
            yield self
            return
        at = 0
        for line in wrap_text(plain, width):
            start = plain.index(line, at)
            at = start + len(line)
            while columns_of(plain[start:at]) > width:  # a single long word
                fits = next(
                    n for n in range(at - start, 0, -1) if n == 1 or columns_of(plain[start : start + n]) <= width
                )
                yield self[start : start + fits]
                start += fits
            yield self[start:at]

    def rich(self) -> object:
        """Return the text for rich."""
        from rich.text import Text as RichText

        made = RichText()
        for text, style in self.pieces:
            made.append(text, _over(self.style, style) or None)
        return made

    __rich__ = rich


def _over(*styles: str) -> str:
    return " ".join(style for style in styles if style)


def _longest_line(cell: Styled) -> int:
    return max((columns_of(line) for line in cell.plain.splitlines()), default=0)


class _Column:
    def __init__(self, head: str, right: bool, wraps: bool, style: str) -> None:
        self.right, self.wraps, self.style = right, wraps, style
        self.least = _NARROWEST
        self.cells: list[Styled] = [Styled(head)]

    def longest(self) -> int:
        return max(map(_longest_line, self.cells))

    def count_columns(self, broken_head: bool) -> int:
        """Return the columns that it needs at least; `broken_head`: its head may wrap."""
        if self.wraps:
            return min(self.longest(), self.least)
        head, cells = self.cells[0], self.cells[1:]
        if not broken_head:
            return self.longest()
        return max([columns_of(line) for line in wrap_text(head.plain, _NARROWEST_HEAD)] + [*map(_longest_line, cells)])


class TextGrid:
    """A table with `gap` columns of space between columns; `headed`: with dim heads and a line."""

    def __init__(self, gap: int = 2, *, headed: bool = False) -> None:
        self.gap, self.headed = gap, headed
        self.columns: list[_Column] = []
        self.styles = ["dim"]

    def add_column(self, head: str = "", *, right: bool = False, wraps: bool = False, style: str = "") -> None:
        """Add a column; with `wraps`, its lines break on narrow screens."""
        self.columns.append(_Column(head, right, wraps, style))

    def add_row(self, *cells: str | Styled, style: str = "") -> None:
        """Add a row; missing cells are empty."""
        self.styles.append(style)
        for number, column in enumerate(self.columns):
            cell = cells[number] if number < len(cells) else ""
            column.cells.append(cell if isinstance(cell, Styled) else Styled(cell))

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return len(self.styles) - 1

    def lines(self, width: int) -> Iterator[Styled]:
        """Yield the table in lines no wider than the screen.

        If it is too wide, first heads wrap, then gaps close, and finally rows are folded.
        """
        for gap, broken_heads in ((self.gap, False), (self.gap, True), (2, True), (1, True)):
            widths = self._widths(width, min(gap, self.gap), broken_heads)
            if widths is not None:
                yield from self._beside(widths, min(gap, self.gap))
                return
        yield from self._fold(width)

    def _beside(self, widths: list[int], gap: int) -> Iterator[Styled]:
        """Yield lines with columns side by side."""
        for row, cells in enumerate(zip(*(column.cells for column in self.columns), strict=True)):
            if row or self.headed:
                yield from self._row(cells, widths, gap, self.styles[row], head=not row)
            if self.headed and not row:
                yield Styled("─" * (sum(widths) + gap * (len(widths) - 1)))

    def _row(
        self, cells: tuple[Styled, ...], widths: list[int], gap: int, style: str, *, head: bool
    ) -> Iterator[Styled]:
        broken = [
            list(cell.lines(width if column.wraps or head else 1 << 20))
            for cell, width, column in zip(cells, widths, self.columns, strict=True)
        ]
        last = len(widths) - 1
        for number in range(max(map(len, broken))):
            line = Styled(style=style)
            for at, (parts, width, column) in enumerate(zip(broken, widths, self.columns, strict=True)):
                part = parts[number] if number < len(parts) else Styled()
                space = " " * (width - columns_of(part.plain))
                if column.right:
                    line.append(space)
                line.append(part, column.style)
                if at < last:
                    line.append(("" if column.right else space) + " " * gap)
            yield line

    def _fold(self, width: int) -> Iterator[Styled]:
        """Yield every row in lines of its own: its first cell, and below it the others, each after its head."""
        first, *others = self.columns
        for row in range(1, len(self.styles)):
            if first.cells[row] or not any(column.cells[row] for column in others):
                head = f"{first.cells[0].plain} " if first.right and first.cells[row] else ""  # a number of what
                for line in Styled.assemble((head, "dim"), first.cells[row]).lines(width):
                    yield Styled(style=self.styles[row]).append(line, first.style)
            line = Styled(style=self.styles[row])
            for column in others:
                head, cell = column.cells[0].plain, column.cells[row]
                if not cell.plain.strip():
                    continue
                piece = Styled.assemble((f"{head} " if head else "", "dim"), cell)
                if line and columns_of(line.plain) + self.gap + _longest_line(piece) <= width and not _broken(piece):
                    line.append(" " * self.gap).append(piece)
                    continue
                if line:
                    yield line
                *done, rest = piece.lines(width - _INDENT)
                for part in done:
                    yield Styled(" " * _INDENT, style=self.styles[row]).append(part, column.style)
                line = Styled(" " * _INDENT, style=self.styles[row]).append(rest, column.style)
            if line:
                yield line

    def _widths(self, width: int, gap: int, broken_heads: bool) -> list[int] | None:
        """Return every column's width: the widest that may wrap give way first; None if they cannot be that narrow."""
        widths = [column.longest() for column in self.columns]
        least = [column.count_columns(broken_heads and self.headed) for column in self.columns]
        while sum(widths) + gap * (len(widths) - 1) > width:
            at = max(range(len(widths)), key=lambda i: (widths[i] > least[i], widths[i]))
            if widths[at] == least[at]:
                return None
            widths[at] -= 1
        return widths


def _broken(cell: Styled) -> bool:
    return "\n" in cell.plain


def wrap_text(text: str, width: int) -> list[str]:
    """Break a text into lines of this width.

    Chinese breaks between any two characters but before closing marks and after opening ones, other words at their
    spaces; a number stays with its unit (3 翻). A word wider than a line stands on its own.
    """
    import re

    lines: list[str] = []
    for paragraph in text.splitlines():
        line, at = "", 0
        words = re.findall(_WORD, paragraph)
        while at < len(words):
            unit = words[at]
            at += 1
            while at < len(words) and (words[at][0] in _NOT_FIRST or unit[-1] in _NOT_LAST):
                unit += words[at]
                at += 1
            if line and columns_of(line) + columns_of(unit.rstrip()) > width:
                lines.append(line.rstrip())
                line = unit.lstrip()
            else:
                line += unit
        lines.append(line.rstrip())
    return lines

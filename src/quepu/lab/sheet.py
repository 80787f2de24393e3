"""A result of the lab as a table with its title, source and summary, to be printed, written or drawn."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from quepu.errors import Text, join_list

Row = tuple[Any, ...]


class SheetColumn(NamedTuple):
    """A column: its key in JSON and CSV, its heading, and how its numbers are shown.

    `kind` is "text", "int", "share" (a fraction, shown as per cent), "number" (two decimal places), "word" (a key that
    `Sheet.words` puts in words), "fan" or "fans" (names of fans, the latter with 、 between).
    """

    key: str
    head: Text
    kind: str = "text"

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.kind in ("int", "share", "number")


@dataclass
class Sheet:
    """A table. `facts` are numbers about the whole; `lines` sentences to print above it.

    `partial`: the work was interrupted and the rows are only the finished part.
    """

    key: str
    title: Text
    source: Text
    columns: Sequence[SheetColumn]
    rows: list[Row]
    facts: dict[str, Any] = field(default_factory=dict)
    lines: list[Text] = field(default_factory=list)
    partial: bool = False
    brief: tuple[str, ...] = ()  # the most important columns, for a terminal; all if empty
    words: dict[str, Text] = field(default_factory=dict)  # names of keys and fans in either language

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "table": self.key,
            "title": self.title.say(lang),
            "source": self.source.say(lang),
            "partial": self.partial,
            **({"facts": self.facts} if self.facts else {}),
            **({"notes": [line.say(lang) for line in self.lines]} if self.lines else {}),
            "rows": [self._object(row, lang) for row in self.rows],
        }

    def _object(self, row: Row, lang: str) -> dict[str, Any]:
        """Return a row by its keys; in English, fans' English names are added under the key and `_english`."""
        made: dict[str, Any] = {}
        for at, (column, value) in enumerate(zip(self.columns, row, strict=True)):
            made[column.key] = value
            if lang == "en" and value is not None and column.kind in ("fan", "fans"):
                made[f"{column.key}_english"] = self.cell(row, at, lang)
        return made

    def to_csv(self) -> str:
        """Return the rows with keys as first line; the last line of a partial table says so."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([column.key for column in self.columns])
        writer.writerows([["" if cell is None else cell for cell in row] for row in self.rows])
        if self.partial:
            writer.writerow(["# partial"])
        return out.getvalue()

    def to_markdown(self, lang: str = "zh", most: int = 100) -> str:
        """Return the table as Markdown in one language, with its notes and source; at most `most` rows."""
        shown_columns = [i for i, column in enumerate(self.columns) if not self.brief or column.key in self.brief]
        head = [self.columns[i].head.say(lang) for i in shown_columns]
        rule = ["---:" if self.columns[i].numeric else "---" for i in shown_columns]
        body = [[self.cell(row, i, lang).replace("|", "\\|") for i in shown_columns] for row in self.rows[:most]]
        lines = [f"## {self.title.say(lang)}", ""]
        lines += [f"{line.say(lang)}  " for line in self.lines]
        lines += ["", *("| " + " | ".join(cells) + " |" for cells in (head, rule, *body)), ""]
        if len(self.rows) > most:
            lines.append(
                f"（另有 {len(self.rows) - most} 行）" if lang == "zh" else f"({len(self.rows) - most} more rows)"
            )
        if self.partial:
            lines.append("未完成。" if lang == "zh" else "Partial.")
        lines.append(f"<sub>{self.source.say(lang)}</sub>")
        return "\n".join(lines) + "\n"

    def cell(self, row: Row, at: int, lang: str = "zh") -> str:
        """Return a cell as people read it."""
        value, kind = row[at], self.columns[at].kind
        if value is not None and kind in ("word", "fan"):
            return self.word(value, lang)
        if value is not None and kind == "fans":
            return join_list(self._fan(one, lang) for one in value.split("、") if one).say(lang)
        return format_value(value, kind)

    def word(self, key: str, lang: str) -> str:
        """Return a key or a fan's name in words."""
        return self.words[key].say(lang) if key in self.words else key

    def _fan(self, name: str, lang: str) -> str:
        plain, times, n = name.partition("×")
        return self.word(plain, lang) + (f" ×{n}" if times else "")


def format_value(value: Any, kind: str) -> str:
    """Return a value of this kind of column as people read it."""
    if value is None:
        return "–"
    if kind == "int":
        return f"{value:,}"
    if kind == "share":
        return percent(value)
    if kind == "number":
        return f"{value:.2f}"
    return str(value)


def percent(share: float) -> str:
    """Write a share as per cent with three significant digits: 12.3%, 0.0456%, 1.23e-7%."""
    if share == 0:
        return "0%"
    p = 100 * share
    if p >= 99.95:
        return "100%" if p == 100 else f"{p:.4g}%"
    return f"{p:.3g}%" if p >= 1e-4 else f"{p:.2e}%"

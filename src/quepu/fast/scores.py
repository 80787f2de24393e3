"""Scores of many hands, and how a notebook shows them; the plain twin is `quepu.scoring.score.Score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Error, HandError, Text, UnknownName, find_language, language, many, needs
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.hands.drawing import table_html
from quepu.hands.planes import STANDARD, Planes
from quepu.hands.win import standard_text
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import no_shape, score_hand

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Array = NDArray[Any]
FansAs = Literal["list", "columns"]
_NO_PLANES = dict.fromkeys(Planes._fields, 0)


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of N hands, as arrays; entry i is hand i.

        >>> import quepu
        >>> scores = quepu.score_many(["123m456p789sCCEE+E", "12x"], "guobiao")
        >>> scores.points.tolist(), scores.fan("花龙").tolist(), list(scores.errors)
        ([20, 0], [1, 0], [1])

    Attributes:
        books: the rulebooks; most often one, which is `book`.
        valid: bool [N]; where it is False the hand is not a win or could not be read, and everything else is 0.
        points: int32 [N], towards the minimum; `total` has bonus fans and flowers too.
        total: int32 [N].
        fans: uint8 [N, fans], how often each counts, or None if not requested; its columns are `fan_names`.
        reading: planes of the best reading, int64 [N] each (c1 … c4, p, pc, pair, form, place), or None.
        errors: sentences for hands that are not valid, by hand number in their order (of an array
            those that cannot be hands; a row of as many tiles as a win has, and no win, has none).
        which: with several rulebooks the number of each hand's in `books`, int64 [N], -1 if there is none.
        index: the index of the pandas series or frame that the hands were in, which `to_pandas` gives back.
    """

    books: tuple[Rulebook, ...]
    valid: Array
    points: Array
    total: Array
    fans: Array | None = None
    reading: dict[str, Array] | None = None
    errors: dict[int, Error] = field(default_factory=dict)
    which: Array | None = None
    index: Any = None
    parts: tuple[tuple[Array | None, HandArrays], ...] = field(default=(), repr=False)
    """The hands of each book, with their numbers (None: all), for the texts of readings."""

    @property
    def book(self) -> Rulebook:
        """The rulebook.

        Raises:
            HandError: there are several, or none, because `rules` was a column.
        """
        if len(self.books) != 1:
            n = len(self.books)
            raise HandError(f"这里有 {n} 本规则，见 books。", f"there are {n} rulebooks here: see books.")
        return self.books[0]

    @cached_property
    def fan_names(self) -> tuple[str, ...]:
        """Names of the columns of `fans`: those of the book in its order; with several books, all of theirs."""
        return tuple(dict.fromkeys(fan.name for book in self.books for fan in book.fans))

    @property
    def can_win(self) -> Array:
        """Whether the points reach the book's minimum: bool [N]."""
        if self.which is None:
            return self.valid & (self.points >= self.book.minimum)
        minimum = np.array([*[book.minimum for book in self.books], 0])[self.which]
        return self.valid & (self.points >= minimum)

    def __len__(self) -> int:
        return len(self.points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        pairs = [(getattr(self, name), getattr(other, name)) for name in ("valid", "points", "total", "fans", "which")]
        own, others = self.reading or {}, other.reading or {}
        pairs += [(own.get(name), others.get(name)) for name in {*own, *others}]
        return self.books == other.books and all(np.array_equal(one, two) for one, two in pairs)

    __hash__ = None  # type: ignore[assignment]  # arrays may be written to

    def __repr__(self) -> str:
        wins, names = (
            int(np.count_nonzero(self.valid)),
            ", ".join(repr(book.id) for book in self.books) or "no rulebook",
        )
        return f"Scores({names}: {many(len(self), 'hand')}, {many(wins, 'win')}, {many(len(self.errors), 'error')})"

    def _repr_html_(self) -> str:
        return _html(self)

    def fan(self, name: str) -> Array:
        """Number of times one fan counts: uint8 [N].

        Raises:
            UnknownName: no book of these has such a fan.
            ValueError: the fans were not requested.
        """
        found: list[str] = []
        unknown: UnknownName | None = None
        for book in self.books:
            try:
                found.append(book.fan(name).name)
            except UnknownName as error:
                unknown = unknown or error
        if not found and unknown is not None:
            raise unknown
        if self.fans is None:
            raise ValueError("score_many was called with fans=False")
        columns = np.array([self.fan_names.index(fan) for fan in dict.fromkeys(found)])
        every: Array = (
            self.fans[:, columns].sum(axis=1, dtype=np.uint8) if len(columns) != 1 else self.fans[:, columns[0]]
        )
        return every

    def to_dict(self, *, fans: FansAs | None = "list", reading: bool = True, lang: str = "zh") -> dict[str, Any]:
        """Return columns with an entry for each hand.

            >>> columns = quepu.score_many(["123m456p789sCCEE+E"], "guobiao").to_dict(lang="en")
            >>> columns["points"].tolist(), columns["fans"][0][:2], columns["error"]
            ([20], ['Mixed Straight', 'All Types'], [None])

        Args:
            fans: "list" for a column `fans` of lists of names, a fan that counts twice two times among them; "columns"
                for a column of counts (uint8) for each fan; None for neither.
            reading: whether to write the best reading as text (some ten microseconds a hand).
            lang: the language of fans and errors, "zh" or "en".

        Returns:
            `rules` (id of the rulebook), `valid`, `points`, `total`, `can_win`, the fans, `reading` and `error` (a
            sentence, or None), as arrays or lists of N entries. Fans and readings that `score_many` was told to leave
            out are left out.
        """
        lang = find_language(lang)
        ids = [book.id for book in self.books] + [None]
        of = [0] * len(self) if self.which is None else self.which.tolist()
        made: dict[str, Any] = {
            "rules": [ids[number] for number in of], "valid": self.valid, "points": self.points, "total": self.total,
            "can_win": self.can_win,
        }  # fmt: skip
        if fans is not None and self.fans is not None:
            names = _fan_names(self, lang)
            if fans == "columns":
                made |= {name: self.fans[:, row] for row, name in enumerate(names)}
            elif fans == "list":
                made["fans"] = _fan_lists(self.fans, names)
            else:
                raise HandError('fans 应为 "list"、"columns" 或 None。', 'fans must be "list", "columns" or None.')
        if reading and self.reading is not None:
            made["reading"] = _readings(self)
        errors = error_texts(self)
        made["error"] = [errors[i].say(lang) if i in errors else None for i in range(len(self))]
        return made

    def to_pandas(self, *, fans: FansAs | None = "list", reading: bool = True, lang: str = "zh") -> pandas.DataFrame:
        """Return the columns of `to_dict` as a pandas frame; with the index of the hands, if they were in a series.

        Raises:
            MissingExtra: pandas is not installed.
        """
        needs("pandas")
        import pandas

        return pandas.DataFrame(self.to_dict(fans=fans, reading=reading, lang=lang), index=self.index)

    def to_polars(self, *, fans: FansAs | None = "list", reading: bool = True, lang: str = "zh") -> polars.DataFrame:
        """Return the columns of `to_dict` as a polars frame.

        Raises:
            MissingExtra: polars is not installed.
        """
        needs("polars")
        import polars

        types = {"rules": polars.String, "fans": polars.List(polars.String), "reading": polars.String}
        columns = self.to_dict(fans=fans, reading=reading, lang=lang)
        types |= {"error": polars.String}
        return polars.DataFrame(columns, schema_overrides={name: types[name] for name in columns if name in types})

    def to_arrow(self, *, fans: FansAs | None = "list", reading: bool = True, lang: str = "zh") -> pyarrow.Table:
        """Return the columns of `to_dict` as an Arrow table.

        Raises:
            MissingExtra: pyarrow is not installed.
        """
        needs("pyarrow")
        import pyarrow

        types = {"rules": pyarrow.string(), "fans": pyarrow.list_(pyarrow.string()), "reading": pyarrow.string()}
        types["error"] = pyarrow.string()
        columns = self.to_dict(fans=fans, reading=reading, lang=lang)
        return pyarrow.table({name: pyarrow.array(some, types.get(name)) for name, some in columns.items()})


def join_scores(
    books: tuple[Rulebook, ...], which: Array, parts: Sequence[tuple[Array, Scores]], errors: dict[int, Error]
) -> Scores:
    """Join the scores of some rows each into one result, row by row where they belong."""
    n = len(which)
    made = Scores(books, np.zeros(n, np.bool_), np.zeros(n, np.int32), np.zeros(n, np.int32), which=which)
    fans = np.zeros((n, len(made.fan_names)), np.uint8)
    column = dict(zip(made.fan_names, range(len(made.fan_names)), strict=True))
    reading: dict[str, Array] = {}
    errors = dict(errors)
    for rows, scores in parts:
        made.valid[rows], made.points[rows], made.total[rows] = scores.valid, scores.points, scores.total
        if scores.fans is not None:
            places = np.array([column[name] for name in scores.fan_names])
            fans[rows[:, None], places] = scores.fans
        for name, plane in (scores.reading or {}).items():
            reading.setdefault(name, np.zeros(n, np.int64))[rows] = plane
        errors |= {int(rows[i]): error for i, error in scores.errors.items()}
    return Scores(
        books, made.valid, made.points, made.total,
        fans if all(scores.fans is not None for _, scores in parts) else None,
        reading if all(scores.reading is not None for _, scores in parts) else None,
        dict(sorted(errors.items())), which,
        parts=tuple((rows, wins) for rows, scores in parts for _, wins in scores.parts),
    )  # fmt: skip


def error_texts(scores: Scores) -> dict[int, Text]:
    """Return the fault of each hand that is not valid, among them rows of arrays that are not wins."""
    found = {i: error.text for i, error in scores.errors.items()}
    silent = np.flatnonzero(~scores.valid)
    for rows, wins in scores.parts if len(silent) > len(found) else ():
        for at in range(wins.n) if rows is None else ():
            if not scores.valid[at] and at not in found:
                found[at] = no_shape(scores.books[0], wins.hand(at)).text
        for at, i in enumerate([] if rows is None else rows.tolist()):
            if not scores.valid[i] and i not in found:
                found[i] = no_shape(
                    scores.books[0 if scores.which is None else int(scores.which[i])], wins.hand(at)
                ).text
    for i in silent.tolist() if len(silent) > len(found) else ():
        found.setdefault(i, Text("不成和牌。", "this is not a win."))
    return dict(sorted(found.items()))


def _fan_names(scores: Scores, lang: str) -> list[str]:
    if lang == "zh":
        return list(scores.fan_names)
    english = {fan.name: fan.english for book in reversed(scores.books) for fan in book.fans}
    names = [english[name] for name in scores.fan_names]
    return [
        f"{name} ({own})" if names.count(name) > 1 else name for name, own in zip(names, scores.fan_names, strict=True)
    ]


def _fan_lists(fans: Array, names: Sequence[str]) -> list[list[str]]:
    """Return the names of the fans of each hand."""
    rows, columns = np.nonzero(fans)
    times = fans[rows, columns]
    every = np.array(names, object)[np.repeat(columns, times)].tolist() if len(names) else []
    ends = np.cumsum(np.bincount(np.repeat(rows, times), minlength=len(fans))).tolist()
    return [every[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _readings(scores: Scores) -> list[str | None]:
    """Return the best reading of each hand as text, as `Score.best` writes it."""
    texts: list[str | None] = [None] * len(scores)
    planes = {name: plane.tolist() for name, plane in (scores.reading or {}).items() if name in Planes._fields}
    for rows, wins in scores.parts:
        for at, i in enumerate(range(wins.n) if rows is None else rows.tolist()):
            if not scores.valid[i]:
                continue
            h = Planes(**{**_NO_PLANES, **{name: plane[i] for name, plane in planes.items()}})
            if h.form == STANDARD:
                texts[i] = standard_text(h, wins.melds_of(at))
            else:
                book = scores.books[0 if scores.which is None else int(scores.which[i])]
                texts[i] = score_hand(wins.hand(at), book).best.text()
    return texts


_SHOWN = 20


def _html(scores: Scores) -> str:
    """Render the numbers of hands, wins and errors, and a row for each of the first twenty."""
    lang, n = language(), len(scores)
    wins, errors = int(np.count_nonzero(scores.valid)), len(scores.errors)
    sums = Text(
        f"{n} 手，{wins} 手成和，{errors} 手有误", f"{many(n, 'hand')}, {many(wins, 'win')}, {many(errors, 'error')}"
    ).say(lang)
    heads = [Text("手", "hand"), Text("分", "points"), Text("合计", "total"), Text("起和", "can win"), Text("", "")]
    can_win = scores.can_win
    rows = [
        (
            str(i),
            str(scores.points[i]),
            str(scores.total[i]),
            "✓" if can_win[i] else "",
            escape(_about(scores, i, lang)),
        )
        for i in range(min(n, _SHOWN))
    ]
    more = f"<div>… {n - _SHOWN}</div>" if n > _SHOWN else ""
    titles = escape(", ".join(book.title.say(lang) for book in scores.books))
    table = table_html([head.say(lang) for head in heads], rows)
    return f"<div><div><b>{titles}</b> {escape(sums)}</div>{table}{more}</div>"


def _about(scores: Scores, i: int, lang: str) -> str:
    """Return the fans of one hand, if they were requested, or its error."""
    if i in scores.errors:
        return scores.errors[i].say(lang)
    if scores.fans is None:
        return ""
    texts = _fan_names(scores, lang)
    names = [(texts[row], int(scores.fans[i, row])) for row in np.flatnonzero(scores.fans[i])]
    return ("、" if lang == "zh" else ", ").join(name if count == 1 else f"{name}×{count}" for name, count in names)

"""Score a hand: detect and combine every reading, choose the best one, and explain the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quepu.errors import NotAWin, Text, find_language, language
from quepu.hands.hand import Hand
from quepu.hands.notation import tiles_text
from quepu.hands.win import Group, Reading
from quepu.rules.arithmetic import Counted, Place, Tally
from quepu.rules.row import EACH, amount, value_text
from quepu.rules.rulebook import Rulebook
from quepu.scoring.occurrences import TILE_PLANES, Parts, occurrences
from quepu.scoring.signatures import COMPILED
from quepu.shapes import SHAPES
from quepu.shapes.readings import readings
from quepu.tiles import SIMPLIFIED, kinds_of


@dataclass(slots=True)  # not frozen: that would double the cost of creating one
class FanLine:
    """One line of a score: a fan that counts, how often, and the value of a single one here.

        >>> import quepu
        >>> line = quepu.score("123m456p789sCCEE+E", "guobiao").fans[0]
        >>> line.name, line.count
        ('花龙', 1)

    `str` of it has the book's own name; `text` has the name in each language.
    """

    name: str
    count: int
    value: Mapping[str, int]
    english: str = ""

    def __hash__(self) -> int:
        return hash((self.name, self.count))

    def __str__(self) -> str:
        return self.text.zh

    @property
    def text(self) -> Text:
        """The name in each language, with how often the fan counts."""
        times = "" if self.count == 1 else f"×{self.count}"
        return Text(f"{self.name}{times}", f"{self.english or self.name}{times}")

    def to_json(self, lang: str = "zh") -> dict[str, Any]:
        """Return plain data; in English with the English name beside the book's own, which identifies the fan."""
        english = {"english": self.english or self.name} if lang == "en" else {}
        return {"name": self.name, **english, "count": self.count, "value": dict(self.value)}


def list_names(fans: Sequence[FanLine], lang: str) -> dict[str, list[str]]:
    """Return the names of fans as plain data: the book's own under "fans", in English also under "english"."""
    names = {"fans": [fan.text.zh for fan in fans]}
    return names | {"english": [fan.text.en for fan in fans]} if lang == "en" else names


class Score:
    """The score of a hand under a rulebook, and the reasons.

        >>> import quepu
        >>> score = quepu.score("123m456p789sCCEE+E", "guobiao")
        >>> score.points, score.total, score.can_win, len(score.fans)
        (20, 20, True, 5)

    `points` count towards the minimum, `total` has flowers and other extras too. `best` is the reading taken; among
    readings of equal value the first in a fixed order. Everything else is computed when first read.
    """

    __slots__ = ("_known", "_parts", "best", "book", "hand", "readings", "tallies", "tally")
    _LATER = frozenset(("best", "readings", "tallies", "tally"))

    def __init__(self, hand: Hand, book: Rulebook, found: list[Reading], tallies: list[Tally]) -> None:
        self.hand: Hand = hand
        self.book: Rulebook = book
        self._parts: Parts | None = None
        self.readings: list[Reading] = found
        self.tallies: list[Tally] = tallies
        at = 0
        if len(found) > 1:
            at = max(range(len(found)), key=lambda i: (tallies[i].points + tallies[i].bonus, tallies[i].points, -i))
        self.best: Reading = found[at]
        self.tally: Tally = tallies[at]
        self._known: tuple[int, int, Any] = self.tally.points, self.tally.bonus, None

    @classmethod
    def of_known(cls, hand: Hand, book: Rulebook, known: tuple[int, int, Any]) -> Score:
        """Make a score from the result of the compiled scorer; all but the points is computed on first use."""
        made = cls.__new__(cls)
        made.hand, made.book, made._parts, made._known = hand, book, None, known
        return made

    def __getattr__(self, name: str) -> Any:
        """Compute the fields other than the points."""
        if name not in self._LATER:
            raise AttributeError(name)
        if name == "tally" and (tally := self.book.notes[COMPILED].tally(self._known)) is not None:
            self.tally = tally
            return tally
        found = _readings(self.hand, self.book)
        self.__init__(self.hand, self.book, found, [self.book.tally(x.h) for x in found])  # type: ignore[misc]
        return getattr(self, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self.hand == other.hand and self.book == other.book

    def __hash__(self) -> int:
        return hash((self.hand, self.book))

    def __reduce__(self) -> tuple[Any, ...]:
        return score_hand, (self.hand, self.book)

    def __str__(self) -> str:
        return self.explain()

    def __repr__(self) -> str:
        return f"Score({self.total} {self.book.unit}: {self.fan_names.say(language())})"

    def _repr_html_(self) -> str:
        from quepu.scoring.notebook import score_html

        return score_html(self)

    @property
    def points(self) -> int:
        """Points that count towards the minimum."""
        return self._known[0]

    @property
    def total(self) -> int:
        """Points with flowers and whatever else does not count towards the minimum."""
        return self._known[0] + self._known[1] + self.book.flower_value * self.hand.flower_count

    @property
    def paid(self) -> int:
        """The part of the total that is paid: all of it, unless the book has a cap (封顶)."""
        return min(self.total, self.book.cap) if self.book.cap else self.total

    @property
    def capped(self) -> Text | None:
        """The book's cap in words if the hand is worth more than is paid."""
        if self.paid == self.total:
            return None
        paid = amount(self.paid, self.book.unit)
        return Text(f"封顶：只付 {paid.zh}", f"capped: {paid.en} are paid")

    @property
    def minimum(self) -> int:
        """Points needed to win."""
        return self.book.minimum

    @property
    def can_win(self) -> bool:
        """Whether the points reach the book's minimum."""
        return self._known[0] >= self.book.minimum

    @property
    def parts(self) -> Mapping[str, int]:
        """The sums of the book's arithmetic: fu and fan in 灵雀, fan in the others."""
        return self.tally.parts

    @property
    def fans(self) -> list[FanLine]:
        """The fans that count, in the order the book's arithmetic gives."""
        counted = None if self._known[2] is None else self.book.notes[COMPILED].counted(self._known)
        return self._lines(self.tally.counted if counted is None else counted)

    def _lines(self, counted: Iterable[Counted]) -> list[FanLine]:
        rows = self.book.fans
        return [FanLine(rows[c.row].name, c.times, c.value, rows[c.row].english) for c in counted]

    @property
    def fan_names(self) -> Text:
        """The fans that count in one line, by their names in each language."""
        lines = [line.text for line in self.fans]
        return Text(" ".join(line.zh for line in lines), ", ".join(line.en for line in lines))

    @property
    def others(self) -> list[tuple[Reading, Tally]]:
        """The other readings with their tallies, highest-scoring first."""
        rest = [(r, t) for r, t in zip(self.readings, self.tallies, strict=True) if r is not self.best]
        return sorted(rest, key=lambda pair: -(pair[1].points + pair[1].bonus))

    def places(self, counted: Counted) -> list[list[int]]:
        """Return the groups that make a fan each time it counts, as positions in `best.groups`.

        Identical places are returned once and never more of them than count. A fan may count more often than it has
        places (a pung of seat and round wind, two tiles that the same groups hold four times).
        """
        if self._parts is None:
            self._parts = Parts(self.best.groups, self.best.h)
        groups = self._parts.groups
        if counted.places is not None:
            return [_positions(place, groups) for place in counted.places]
        fan = self.book.fans[counted.row]
        found = [[i for i in range(len(groups)) if mask >> i & 1] for mask in occurrences(fan, self._parts)]
        seen: set[tuple[tuple[int, int], ...]] = set()
        first: list[tuple[int, ...]] = []
        again: list[tuple[int, ...]] = []
        for place in dict.fromkeys(map(tuple, found)):
            look = tuple(groups[i][:2] for i in place)
            (again if look in seen else first).append(place)
            seen.add(look)
        return [list(place) for place in sorted((first + again)[: counted.times])]

    def _remark(self, counted: Counted) -> Text | None:
        """Return the book's remark on a fan that counts; if it counts for single tiles, name those."""
        fan = self.book.fans[counted.row]
        if counted.note is not None or fan.of != EACH or fan.reads.isdisjoint(TILE_PLANES):
            return counted.note
        kinds = kinds_of(int(fan.when(self.best.h)))[: counted.times]
        return Text("、".join(SIMPLIFIED[kind] for kind in kinds), tiles_text(kinds))

    def to_json(self, explain: bool = False, lang: str = "zh") -> dict[str, Any]:
        """Return the answer as plain data (see the JSON contract in docs/design.md); `explain` adds the reasons."""
        answer: dict[str, Any] = {
            "valid": True,
            "points": self.points,
            "total": self.total,
            **self.paid_to_json(),
            "minimum": self.minimum,
            "can_win": self.can_win,
            "parts": dict(self.parts),
            "fans": [line.to_json(lang) for line in self.fans],
            "reading": self.best.text(),
            "how": self.tally.how.say(lang),
        }
        if explain:
            answer |= {"rules": self.book.id, "fingerprint": self.book.fingerprint, **self.reasons(lang)}
        return answer

    def paid_to_json(self) -> dict[str, int]:
        """Return the points that are paid as plain data; empty where the book has no cap."""
        return {"paid": self.paid} if self.book.cap else {}

    def reasons(self, lang: str = "zh") -> dict[str, Any]:
        """Return the part of `to_json` that explains the score, without the book's name and digest."""
        rows = self.book.fans
        tally = self.book.explain_tally(self.best.h)
        counted = []
        for c in tally.counted:
            row = rows[c.row]
            entry: dict[str, Any] = {
                "name": row.name, "english": row.english, "count": c.times, "value": dict(c.value),
                "adds": self.book.adds(c), "category": row.category, "sentence": row.sentence,
                "definition": row.definition,
                "groups": self.places(c),
            }  # fmt: skip
            if lang == "en":
                entry["category_english"] = self.book.class_name(row.category, "en")
            if c.called is not None:
                entry["called"] = c.called.say(lang)
            if (note := self._remark(c)) is not None:
                entry["note"] = note.say(lang)
            counted.append(entry)
        return {
            "groups": [
                {"text": g.text(), "tiles": list(g.tiles), "exposed": g.exposed, "kong": g.kong, "won": g.won}
                for g in self.best.groups
            ],
            "counted": counted,
            "suppressed": [
                {
                    "name": rows[d.row].name,
                    "english": rows[d.row].english,
                    "by": rows[d.by].name if d.by is not None else None,
                    **({"by_english": rows[d.by].english} if lang == "en" and d.by is not None else {}),
                    "why": d.why.say(lang),
                }
                for d in tally.dropped
            ],
            "steps": [step.say(lang) for step in tally.steps],
            "flowers": self.hand.flower_count,
            "short": max(0, self.minimum - self.points),
            "others": [
                {
                    "reading": reading.text(),
                    "points": other.points,
                    "how": other.how.say(lang),
                    **list_names(self._lines(other.counted), lang),
                }
                for reading, other in self.others
            ],
        }

    def explain(self, lang: str | None = None) -> str:
        """Return the whole explanation as plain text, in `lang` ("zh" or "en") or the chosen language.

        Raises:
            UnknownName: the language is unknown.
        """
        return explain(self, language() if lang is None else find_language(lang))


def _positions(place: Place, groups: Sequence[Group]) -> list[int]:
    """Return the positions of these groups among those of a reading."""
    found: list[int] = []
    for wanted in place:
        found.append(next(i for i, group in enumerate(groups) if i not in found and group[:2] == wanted))
    return sorted(found)


def no_shape(book: Rulebook, hand: Hand) -> NotAWin:
    """Build the error for tiles that fit none of a book's shapes; near misses are told why."""
    zh, en = f"按{book.title.zh}，这些牌不成和牌形", f"these tiles make no winning shape under {book.title.en}"
    if not hand.melds:
        copies = hand.counts()
        for almost in (SHAPES[name].almost for name in book.shapes):
            if almost is not None and almost.when(copies):
                zh, en = f"{zh}：{almost.why.zh}", f"{en}: {almost.why.en}"
    return NotAWin(f"{zh}。", f"{en}.")


def score_hand(hand: Hand, book: Rulebook) -> Score:
    """Return the best score of a complete hand under a book.

    Raises:
        NotAWin: the tiles make none of the book's shapes, or the hand has no winning tile.
    """
    scorer = book.notes.get(COMPILED)
    known = scorer.score_one(hand) if scorer else None
    if known is not None:
        return Score.of_known(hand, book, known)
    found = _readings(hand, book)
    return Score(hand, book, found, [book.tally(reading.h) for reading in found])


def _readings(hand: Hand, book: Rulebook) -> list[Reading]:
    """Every reading of a complete hand, or the error that there is none."""
    # a few wins do not depend on the tiles (wins by flowers, for example) and need no winning tile
    shapes = book.shapes if hand.winning is not None else tuple(s for s in book.shapes if SHAPES[s].boundless)
    found = readings(hand, shapes, book.reads) if shapes else []
    if not found and hand.winning is None:
        raise NotAWin("这手牌没写和张（写作 +3s）。", "no winning tile: mark it with +, as in +3s.")
    if not found:
        raise no_shape(book, hand)
    return found


def best_points(hand: Hand, book: Rulebook) -> int | None:
    """Return the points of the best reading, or None if the hand is not a win; for callers that only compare."""
    found = readings(hand, book.shapes, book.reads)
    return max(book.tally(reading.h).points for reading in found) if found else None


def explain(score: Score, lang: str = "zh") -> str:
    """Write the whole explanation: reading, counted fans, suppressed fans and why, the steps, other readings."""
    data: dict[str, Any] = score.to_json(explain=True, lang=lang)
    zh = lang != "en"
    lines = [
        f"{score.book.title.say(lang)}：{data['how']}" if zh else f"{score.book.title.say(lang)}: {data['how']}",
        f"{'拆解' if zh else 'Reading'}  {data['reading']}",
    ]
    text = [group["text"] for group in data["groups"]]
    for fan in data["counted"]:
        name = fan.get("called", fan["name"]) if zh else f"{fan['name']} {fan.get('called', fan['english'])}"
        times = f"×{fan['count']}" if fan["count"] > 1 else ""
        note = f"  {fan['note']}" if "note" in fan else ""
        kind = score.book.class_name(fan["category"], lang)
        places = [" ".join(text[i] for i in place) for place in fan["groups"] if 0 < len(place) < len(text)]
        made = f"  {' · '.join(places)}" if places else ""
        lines.append(f"  {name}{times}  {value_text(fan['adds'], lang, unit=score.book.unit)}  [{kind}]{made}{note}")
    for fan in data["suppressed"]:
        name = fan["name"] if zh else f"{fan['name']} {fan['english']}"
        lines.append(f"  {'不计' if zh else 'not counted:'} {name}  {fan['why']}")
    lines += [f"  {step}" for step in data["steps"]]
    if data["total"] != data["points"]:
        lines.append(f"{'合计' if zh else 'Total'} {data['total']}")
    if cap := score.capped:
        lines.append(cap.say(lang))
    if not data["can_win"]:
        short, minimum = (amount(data[key], score.book.unit) for key in ("short", "minimum"))
        lines.append(
            f"差 {short.zh}起和（起和 {minimum.zh}）" if zh else f"{short.en} short of the minimum of {data['minimum']}"
        )
    for other in data["others"]:
        lines.append(f"{'另一读法' if zh else 'Other reading'}  {other['reading']}  {other['how']}")
    return "\n".join(lines)

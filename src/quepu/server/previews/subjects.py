"""Find the subject of a page's address, and describe it: a hand, the puzzle of a day, or a moment of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Final, NamedTuple
from urllib.parse import urlencode

import quepu
from quepu.errors import Text, join_list
from quepu.hands.hand import Hand, Luck, MeldKind
from quepu.hands.notation import parse_part, write
from quepu.json_lines.answers import parse_request
from quepu.match.frames import hand_frames
from quepu.match.log_lines import add_actor
from quepu.match.words import place_name
from quepu.rulebooks.house_rules import book_of
from quepu.rules.circumstances import english_name
from quepu.rules.row import amount
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.practice.questions import FIRST_PUZZLE, puzzle_of, question
from quepu.server.previews.pictures import BACK, Shown
from quepu.server.replays.review_worker import Source, counts, load_replay
from quepu.server.replays.serialize import DEALT, Json, tile_key, totals_before
from quepu.server.rooms.seat_taking import name_text
from quepu.tiles import EAST, FLOWERS, FLOWERS_ENGLISH, NAMES, SIMPLIFIED, WINDS, WINDS_CHINESE

CALCULATOR, PUZZLES, REPLAYS = "/calculator", "/practice/puzzles", "/replays/"
_KEYS: Final = {
    CALCULATOR: ("rules", "h", "seat", "round", "drawn", "luck", "flowers", "house"),
    PUZZLES: ("rules", "day"),
    REPLAYS: ("at", "seat", "hands"),
}
"""The parts of a page's address that its preview depends on."""
_LONGEST: Final = {"h": 200, "house": 20_000}
_LONG = 300
"""The most characters of any other part."""
_WINDS: Final = {"zh": WINDS_CHINESE, "en": WINDS}
_ASKED: Final = {
    "discard": Text("打哪张，听牌后能和的牌最多？", "Which discard leaves you ready with the most winning tiles?"),
    "points": Text("一共值多少？", "What is this hand worth in all?"),
    "waits": Text("听哪些牌？", "Which tiles complete this hand?"),
    "aim": Text("奔哪一路最值？", "Which ready hand is worth most?"),
    "payable": Text("够不够起和？", "Does this hand reach the minimum?"),
    "fans": Text("计哪些番？", "Which fans count?"),
}
"""The questions of puzzles in words, by kind."""


class Subject(NamedTuple):
    """A page's address, reduced to the parts that its preview depends on."""

    path: str
    query: tuple[tuple[str, str], ...]

    @property
    def address(self) -> str:
        """The path with the query."""
        return self.path + (f"?{urlencode(self.query)}" if self.query else "")

    @property
    def replay(self) -> str:
        """The id of the replay that it shows; "" if it shows something else."""
        return self.path.removeprefix(REPLAYS) if self.path.startswith(REPLAYS) else ""

    def get(self, key: str) -> str:
        """Return a part of the query, or ""."""
        return dict(self.query).get(key, "")


def find_subject(path: str, query: Mapping[str, str]) -> Subject | None:
    """Return the subject of a page's address; None if the page has no preview, or the address is too long.

    The address of a puzzle always names its day, so that no cache shows the picture of another day.
    """
    page = REPLAYS if path.startswith(REPLAYS) else path
    if page not in _KEYS or (page == CALCULATOR and not query.get("h")):
        return None
    if page == REPLAYS and not 0 < len(path.removeprefix(REPLAYS)) <= 32:
        return None
    kept = tuple((key, query[key]) for key in _KEYS[page] if query.get(key))
    if any(len(value) > _LONGEST.get(key, _LONG) for key, value in kept):
        return None
    if page == PUZZLES:
        kept = (*(part for part in kept if part[0] != "day"), ("day", str(_day_of(query.get("day", "")))))
    return Subject(path, kept)


def describe(subject: Subject, lang: str) -> Shown:
    """Describe a hand or a puzzle.

    Raises:
        Error: the hand, the book or the day does not exist.
    """
    if subject.path != PUZZLES:
        return _describe_hand(subject, lang)
    return describe_puzzle(quepu.book(subject.get("rules") or DEFAULT_RULES), _day_of(subject.get("day")), lang)


def describe_quickly(subject: Subject, lang: str) -> Shown:
    """Describe a hand or a puzzle in words; nothing is computed that takes longer than a score.

    Raises:
        Error: as `describe`.
    """
    if subject.path == PUZZLES:
        book = quepu.book(subject.get("rules") or DEFAULT_RULES)
        day = _day_of(subject.get("day"))
        return Shown(_puzzle_title(book, day).say(lang), (_ASKED[puzzle_of(book, day)[0]].say(lang),))
    if subject.get("house"):  # house rules take longer to read
        return Shown(
            Text("自定规则的一手牌", "a hand under house rules").say(lang), (write(parse_part(subject.get("h"))),)
        )
    return _describe_hand(subject, lang, quickly=True)


def _describe_hand(subject: Subject, lang: str, *, quickly: bool = False) -> Shown:
    book = book_of(subject.get("rules") or DEFAULT_RULES, subject.get("house"))
    hand = parse_part(subject.get("h"))
    if hand.winning is not None:
        return _describe_win(subject, book, lang)
    shown = _show(hand, Text(f"{book.title.zh}：这手牌怎么样？", f"{book.title.en}: a hand").say(lang), [write(hand)])
    held = len(hand.concealed) + 3 * len(hand.melds)
    if held == 14:
        return shown._replace(title=Text(f"{book.title.zh}：打哪张？", f"{book.title.en}: which discard?").say(lang))
    if held != 13:
        return shown
    title = Text(f"{book.title.zh}：听什么？", f"{book.title.en}: which tiles win?").say(lang)
    if quickly:
        return shown._replace(title=title)
    waits = quepu.waits(hand, book)
    tiles = join_list(
        [
            Text(f"{SIMPLIFIED[one.tile]}（余 {one.left} 张）", f"{NAMES[one.tile]} ({one.left} left)")
            for one in waits.waits
        ]
    )
    lines = (waits.headline().say(lang), tiles.say(lang), *shown.lines)
    return shown._replace(title=title, lines=lines)


def _describe_win(subject: Subject, book: Rulebook, lang: str) -> Shown:
    split = {key: [word for word in subject.get(key).split(",") if word] for key in ("luck", "flowers")}
    request = {
        "hand": subject.get("h"), "seat": subject.get("seat") or "E", "round": subject.get("round") or "E",
        "self_draw": bool(subject.get("drawn")), "circumstances": split["luck"], "flowers": split["flowers"],
    }  # fmt: skip
    hand, book = parse_request(request, book)
    score = score_hand(hand, book)
    worth, short = (
        amount(score.total, book.unit),
        "" if score.can_win else Text("，不够起和", ", below minimum").say(lang),
    )
    title = Text(f"{book.title.zh} {worth.zh}", f"{book.title.en}: {worth.en}").say(lang) + short
    how = f"{score.tally.how.say(lang)}{Text('，', ', ').say(lang)}{_drawn(hand).say(lang)}"
    cap = score.capped
    lines = [score.fan_names.say(lang), how, *([cap.say(lang)] if cap else []), write(hand)]
    return _show(hand, title, lines)


def _show(hand: Hand, title: str, lines: list[str]) -> Shown:
    melds = tuple(_meld([NAMES[kind] for kind in meld.tiles], meld.kind) for meld in hand.melds)
    last = "" if hand.winning is None else NAMES[hand.winning]
    return Shown(title, tuple(lines), tuple(NAMES[kind] for kind in hand.concealed), melds, last)


def _meld(tiles: list[str], kind: MeldKind) -> tuple[str, ...]:
    return (BACK, *tiles[1:3], BACK) if kind is MeldKind.CONCEALED_KONG else tuple(tiles)


def describe_puzzle(book: Rulebook, day: date, lang: str) -> Shown:
    """Describe the puzzle of a day: the question, never the answer."""
    kind, level, seed = puzzle_of(book, day)
    asked = question(book, kind, level, seed)
    lines = [_ASKED[kind].say(lang)]
    if asked.score is not None:
        how = (_how_won(asked.hand, book).say(lang), *_luck(asked.hand, book, lang))
        lines.append(Text("，", ", ").say(lang).join(how))
    return _show(asked.hand, _puzzle_title(book, day).say(lang), lines)


def _drawn(hand: Hand) -> Text:
    return Text("自摸", "self-drawn") if hand.self_draw else Text("点和", "on a discard")


def _how_won(hand: Hand, book: Rulebook) -> Text:
    """Say how a hand was won, and its winds."""
    how = _drawn(hand)
    seat, wind = hand.seat - EAST, hand.round - EAST
    zh = f"{how.zh}，门风{WINDS_CHINESE[seat]}" + (f"，圈风{WINDS_CHINESE[wind]}" if book.round_wind else "")
    return Text(zh, f"{how.en}, seat {WINDS[seat]}" + (f", round {WINDS[wind]}" if book.round_wind else ""))


def _luck(hand: Hand, book: Rulebook, lang: str) -> list[str]:
    """Return the circumstances of a win and its flowers, by name in a language."""
    luck = hand.luck & ~int(Luck.SELF_DRAW)
    flowers = () if isinstance(hand.flowers, int) else hand.flowers
    names = [name for name, bits in book.circumstances.items() if bits & ~int(Luck.SELF_DRAW) & luck]
    if lang == "en":
        return [*(english_name(name, book) for name in names), *(FLOWERS_ENGLISH[number] for number in flowers)]
    return [*names, *(FLOWERS[number] for number in flowers)]


def _puzzle_title(book: Rulebook, day: date) -> Text:
    return Text(f"每日一题 {day}：{book.title.zh}", f"Puzzle of {day}: {book.title.en}")


def _day_of(text: str) -> date:
    """Return the day of a puzzle's address: today if it names none, or one without a puzzle, as on the page."""
    today = _today()
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return today
    return day if FIRST_PUZZLE <= day <= today and str(day) == text else today


def _today() -> date:
    return datetime.now(UTC).date()


def describe_match(title: str, row: Json, lang: str) -> Shown:
    """Describe a replay by its row in the list."""
    names = [name_text(name).say(lang) for name in row["players"]]
    signed = [f"{total:+}".replace("-", "−") if total else "0" for total in row["totals"]]
    scores = [f"{name} {total}" for name, total in zip(names, signed, strict=True)]
    book = Text(**row["book"]).say(lang)
    called = title or join_list([Text(name, name) for name in names]).say(lang)
    return Shown(f"{called} · {book}", (Text("、", ", ").say(lang).join(scores),))


def describe_moment(subject: Subject, source: Source, title: str, lang: str) -> Shown:
    """Describe the moment of a replay that an address shows: the hand looked at, and what just happened."""
    replay = load_replay(source)
    at, index = _whole_number(subject.get("at")), 0
    numbers = counts(replay)
    while index < len(numbers) - 1 and at >= numbers[index]:
        at -= numbers[index]
        index += 1
    hand = replay.hands[index]
    frames = hand_frames(hand, replay.book).frames
    frame = frames[min(at, len(frames) - 1)]
    seat = max(0, WINDS.find(subject.get("seat") or "E"))
    names = [name_text(hand.names[player]).say(lang) for player in hand.place.seats]
    words = replay.match.rules.words
    happened = frame.event.text(words) if frame.event else DEALT
    points = totals_before(replay, hand.number)
    scores = [f"{name} {points[player]}" for name, player in zip(names, hand.place.seats, strict=True)]
    drawn = frame.drawn[1] if frame.drawn is not None and frame.drawn[0] == seat else None
    return Shown(
        f"{title or replay.book.title.say(lang)} · {place_name(hand.place, words).say(lang)}",
        (
            add_actor(happened, frame.by).say(lang),
            f"{_WINDS[lang][seat]} {names[seat]}",
            Text("、", ", ").say(lang).join(scores),
        ),
        tuple(map(tile_key, frame.hands[seat])),
        tuple(_meld([tile_key(kind) for kind in one.meld.tiles], one.meld.kind) for one in frame.board.melds[seat]),
        "" if drawn is None else tile_key(drawn),
    )


def _whole_number(text: str) -> int:
    """Return the number of a frame; 0 if it is none."""
    return int(text) if text.isdecimal() and len(text) < 16 else 0

"""Describe a rulebook and its fans as plain data, for every surface: command line, web, documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from quepu.errors import Error, NotAWin, Text, join_list
from quepu.hands.hand import Hand
from quepu.hands.notation import parse
from quepu.rules.circumstances import english_name, situate
from quepu.rules.guide import Grid, Paragraph, Part, Section
from quepu.rules.row import ALL, EACH, Example, Fan
from quepu.rules.rulebook import Rulebook, Ruling
from quepu.scoring.score import Score, list_names, score_hand
from quepu.tiles import NAMES, SIMPLIFIED


def score_example(example: Example, book: Rulebook) -> Score:
    """Score an example under its book as it is now.

    Raises:
        Error: as `quepu.score`; a near miss need not be a win.
    """
    return score_hand(situate_example(example, book), book)


def situate_example(example: Example, book: Rulebook) -> Hand:
    """Return the hand of an example with its circumstances.

    Raises:
        Error: the hand, or a circumstance of it, is not valid in the book.
    """
    given = example._asdict()
    return situate(parse(given.pop("hand")), book, **given)


def drops_in_words(fan: Fan, book: Rulebook) -> Text:
    """Return the fans not counted beside one, as its row lists them: a star is everything, or all of a category.

    Fans that a house left out are not among them.
    """

    def words(word: str) -> Text:
        if word == "*":
            return Text("其他一切番种", "everything else")
        if not word.startswith("*"):
            return Text(word, book.fan(word).english)
        zh, en = (book.class_name(word[1:], lang) for lang in ("zh", "en"))
        return Text(f"{zh}类的番种", f"everything in {en}")

    listed = [word for word in fan.drops if (name := word.removeprefix("+")).startswith("*") or name in book.index]
    gone = [words(word) for word in listed if not word.startswith("+")]
    back = [words(word[1:]) for word in listed if word.startswith("+")]
    dropped, counted = join_list(gone), join_list(back)
    if not back:
        return dropped
    return Text(f"{dropped.zh}（但可计{counted.zh}）", f"{dropped.en} (except {counted.en})")


def why_not(fan: Fan, book: Rulebook) -> Text | None:
    """Return why a fan does not count in its near miss: not a win, not counted, no circumstance, other groups.

    None without a near miss, and if the whole hand makes the fan: the sentence then says it all.
    """
    near, example = fan.near_miss, fan.example
    if near is None:
        return None
    try:
        score = score_example(near, book)
    except NotAWin as wrong:
        return wrong.text
    row = book.index[fan.name]
    for left_out in book.explain_tally(score.best.h).dropped:
        if left_out.row == row:
            return Text(f"牌形成立，但{left_out.why.zh}", f"the tiles fit; {left_out.why.en}")
    if example is not None and near.hand == example.hand:
        lacking = [name for name in example.circumstances if name not in near.circumstances]
        if example.self_draw and not near.self_draw and not lacking:
            return Text("不是自摸", "not self-drawn")
        if lacking:
            english = ", ".join(english_name(name, book) for name in lacking)
            return Text(f"没有{'、'.join(lacking)}", f"without {english}")
    return None if example is None else _other_groups(score_example(example, book), row, score)


def _other_groups(score: Score, row: int, near: Score) -> Text | None:
    """Return the groups of an example that make a fan and are not in a hand without it."""
    counted = next((one for one in score.book.explain_tally(score.best.h).counted if one.row == row), None)
    places = score.places(counted) if counted is not None else []
    if not places or not 0 < len(places[0]) < len(score.best.groups):
        return None
    texts = [score.best.groups[i].text() for i in places[0]]
    if not Counter(texts) - Counter(group.text() for group in near.best.groups):
        there, won = _how_won(score), _how_won(near)
        return Text(
            f"牌都有：牌例是{there.zh}，这手是{won.zh}", f"the same groups: {there.en} in the example, {won.en} here"
        )
    made, here = " ".join(texts), near.best.text()
    return Text(f"牌例里组成它的是 {made}；这手拆作 {here}", f"in the example {made} make it; this hand is {here}")


def _how_won(score: Score) -> Text:
    """Describe the winning tile, how it came, and the winds that the book knows."""
    hand, round = score.hand, score.book.round_wind
    zh = "自摸" if hand.self_draw else "点和"
    en = "self-drawn" if hand.self_draw else "on a discard"
    tile = hand.winning
    winds = (SIMPLIFIED[hand.seat], SIMPLIFIED[hand.round], NAMES[hand.seat], NAMES[hand.round])
    return Text(
        f"{zh}{'' if tile is None else SIMPLIFIED[tile]}、门风{winds[0]}" + (f"、圈风{winds[1]}" if round else ""),
        f"{en}{'' if tile is None else ' ' + NAMES[tile]}, seat {winds[2]}" + (f", round {winds[3]}" if round else ""),
    )


def describe_book(book: Rulebook, lang: str = "zh", *, fans: bool = False) -> dict[str, Any]:
    """Return title, edition, options … of a book; with `fans`, every row too."""
    data: dict[str, Any] = {
        "id": book.id,
        "title": book.title.say(lang),
        "aliases": list(book.aliases),
        "base": book.base or None,
        "fingerprint": book.fingerprint,
        "revision": book.revision,
        "corrections": [{"date": c.date, "text": c.text.say(lang)} for c in book.corrections],
        "minimum": book.minimum,
        "unit": book.unit.say(lang),
        "flower_value": book.flower_value,
        "fan_count": len(book.fans),
        "categories": list(dict.fromkeys(fan.category for fan in book.fans)),
        "circumstances": list(book.circumstances),
        "options": [
            {
                "key": option.key,
                "text": option.text.say(lang),
                "choices": list(option.choices),
                "chosen": book.choice(option),
            }
            for option in book.options
        ],
    }
    if lang == "en":
        data["categories_english"] = [book.class_name(category, lang) for category in data["categories"]]
        data["circumstances_english"] = [english_name(name, book) for name in book.circumstances]
    if fans:
        data["fans"] = [describe_fan(book, fan, lang) for fan in book.fans]
    return data


def row_facts(book: Rulebook, fan: Fan) -> dict[str, Any]:
    """Return names, value, texts and relations of one row, as every surface shows them."""
    row = book.index[fan.name]
    return {
        "name": fan.name,
        "english": fan.english,
        "value": fan.parts,
        "category": fan.category,
        "sentence": fan.sentence,
        "definition": fan.definition,
        "aliases": list(fan.aliases),
        "most": fan.most,
        "dropped_by": [book.fans[i].name for i, mask in enumerate(book.drops) if mask >> row & 1],
        "conflicts": [f.name for i, f in enumerate(book.fans) if book.conflicts[row] >> i & 1],
    }


def written_row(book: Rulebook, fan: Fan) -> Fan | None:
    """Return the row as the original book has it, if a house changed its value but not the sentence that names it."""
    source = book
    while source.origin is not None:
        source = source.origin.book
    names = (fan.name, *fan.aliases)
    row = next((one for one in source.fans if one.name in names and one.sentence == fan.sentence), None)
    return row if row is not None and row.parts != fan.parts else None


def describe_fan(book: Rulebook, fan: Fan, lang: str = "zh") -> dict[str, Any]:
    """Describe one row: value, sentence, relations both ways (`drops` as the book writes them), examples, rulings."""
    return {
        **row_facts(book, fan),
        **({"category_english": book.class_name(fan.category, lang)} if lang == "en" else {}),
        "printed": book.printed_value(fan),
        "groups": "all" if fan.of == ALL else "each" if fan.of == EACH else fan.of,
        "drops": list(fan.drops),
        "example": _example(fan.example),
        "near_miss": _example(fan.near_miss),
        "columns": {key: fan.column(key) for key in book.columns},
        "rulings": [_ruling(ruling, lang) for ruling in book.rulings if ruling.id in fan.rulings],
    }


def _ruling(ruling: Ruling, lang: str) -> dict[str, Any]:
    return {
        "id": ruling.id,
        "question": ruling.question.say(lang),
        "answer": ruling.answer.say(lang),
        "sentence": ruling.sentence,
        "open": ruling.open,
    }


def describe_ruling(book: Rulebook, ruling: Ruling, lang: str = "zh") -> dict[str, Any]:
    """Describe a ruling: how an unclear sentence is read, which fans depend on it, whether its author must decide."""
    fans = [fan.name for fan in book.fans if ruling.id in fan.rulings]
    return {"rules": book.id, **_ruling(ruling, lang), "fans": fans}


def open_questions(books: Iterable[Rulebook]) -> list[tuple[Rulebook, Ruling]]:
    """List the open questions to the authors of these books, most important first; shared rulings once."""
    return sorted(((book, one) for book, one in every_ruling(books) if one.open), key=lambda one: -one[1].weight)


def every_ruling(books: Iterable[Rulebook]) -> list[tuple[Rulebook, Ruling]]:
    """List the rulings of several books in their order, shared ones once."""
    found: dict[tuple[str, str], tuple[Rulebook, Ruling]] = {}
    for book in books:
        for ruling in book.rulings:
            found.setdefault((book.family, ruling.id), (book, ruling))
    return [*found.values()]


def describe_section(book: Rulebook, section: Section, lang: str = "zh") -> dict[str, Any]:
    """Describe a section of the book's guide: paragraphs, tables and hands, the hands scored now."""
    return {
        "key": section.key,
        "title": section.title.say(lang),
        "parts": [_part(book, part, lang) for part in section.parts],
    }


def _part(book: Rulebook, part: Part, lang: str) -> dict[str, Any]:
    if isinstance(part, Paragraph):
        return {"text": part.text.say(lang), "sentence": part.sentence, "ruling": part.ruling or None}
    if isinstance(part, Grid):
        return {
            "table": part.title.say(lang),
            "heads": [head.say(lang) for head in part.heads],
            "rows": [[cell.say(lang) for cell in row] for row in part.rows],
            "note": None if part.note is None else part.note.say(lang),
        }
    data = {
        "label": part.label.say(lang),
        **(_example(part.example) or {}),
        "sentence": part.sentence,
        "ruling": part.ruling or None,
    }
    try:
        score = score_example(part.example, book)
    except Error as error:
        return {**data, "error": error.say(lang)}
    return {**data, **list_names(score.fans, lang), "how": score.tally.how.say(lang)}


def _example(example: Example | None) -> dict[str, Any] | None:
    if example is None:
        return None
    return {
        "hand": example.hand,
        "seat": example.seat,
        "round": example.round,
        "self_draw": example.self_draw,
        "circumstances": list(example.circumstances),
        "flowers": list(example.flowers),
    }

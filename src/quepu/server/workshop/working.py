"""Work of other processes for the workshop: parse drafts, and compute their effects.

The server imports this module only for the names of its functions, which import their dependencies when they run.
"""

from __future__ import annotations

import time
import tomllib
from typing import TYPE_CHECKING, Any, Final

from quepu import rulebooks
from quepu.errors import Text, UnknownName
from quepu.hands.notation import parse_part, tiles_text
from quepu.rulebooks import find_registered, house_rules
from quepu.rules.arithmetic import Leaving
from quepu.rules.digest import expression
from quepu.rules.formula import parse_formula
from quepu.rules.formula_tree import write_formula
from quepu.rules.formula_words import words
from quepu.rules.house_fans import column_head, columns_of
from quepu.rules.house_play import describe_play
from quepu.rules.row import ALL, EACH
from quepu.rules.rulebook import Rulebook
from quepu.rules.written_formulas import written_formulas
from quepu.server.http.rendering import hand_shape
from quepu.server.http.responses import Refusal
from quepu.server.work.building import BookSource

if TYPE_CHECKING:
    from quepu.fast.universe.standard_hands import HandState

_SLICE: Final = 1.2
"""CPU seconds after which a duel returns its state: a page shows it and asks for more."""


def draft_book(house: str) -> Rulebook:
    """Return the book of a draft."""
    return house_rules.draft(house)


def draft(house: str) -> dict[str, Any]:
    """Return a valid rules file, parsed."""
    book = draft_book(house)
    return {"base": find_registered(book).id, "digest": book.fingerprint, "data": tomllib.loads(house)}


def formula(house: str, when: str, places: bool = False) -> dict[str, str]:
    """Return the digest of a formula about a draft's book, and the formula in either language."""
    found = parse_formula(when, draft_book(house), places=places)
    return {"digest": expression(found), **{lang: write_formula(found.tree, lang) for lang in ("zh", "en")}}


def formula_hands(house: str, state: str, when: str) -> dict[str, Any]:
    """Count the hands of a state for which a formula holds; show some, and near misses.

    Raises:
        UnknownName: the state does not exist.
        FormulaError: the formula cannot be read.
    """
    from quepu.lab.formula_hands import formula_hands

    book = draft_book(house)
    found = formula_hands(book, parse_formula(when, book), _state(state))._asdict()
    return found | {key: [_shape(text) for text in found[key]] for key in ("matches", "near")}


def check(house: str) -> dict[str, Any]:
    """Return all that is to settle about the fans of a draft."""
    from quepu.lab.draft_check import check

    book = draft_book(house)
    return {"findings": [one.to_json() for one in check(book, find_registered(book))]}


def residues(house: str, fans: list[str]) -> dict[str, Any]:
    """Propose the residues of fans of a draft; without names: of those that it adds or changes.

    Raises:
        UnknownName: a fan does not exist.
        OverlayError: the book does not add fans by residues.
    """
    from quepu.lab.draft_check import find_drafted_fans
    from quepu.lab.residues import propose

    book = draft_book(house)
    found = propose(book, fans or [fan.name for fan in find_drafted_fans(book, find_registered(book))])
    return {
        "found": [
            {"a": one.a, "b": one.b, "left": one.left, "groups": one.groups, "now": one.now, "why": one.why._asdict()}
            for one in found
        ]
    }


def questions(house: str, ruling: str, other: str) -> dict[str, Any]:
    """Find the hands that tell the readings of a ruling apart, or a draft and another.

    Raises:
        UnknownName: the book has no such ruling, or the ruling has no option.
        OverlayError: a draft cannot be read.
    """
    from quepu.lab.twenty_questions import Reading, find_questions, hand_keys, known_hands, option_readings, write_toml

    book = draft_book(house)
    found = next((one for one in book.rulings if one.id == ruling), None) if ruling else None
    if ruling and found is None:
        raise UnknownName(f"{book.title.zh}没有裁定“{ruling}”。", f"{book.title.en} has no ruling {ruling!r}.")
    if found is None:
        readings = [Reading(one.title, one) for one in (book, draft_book(other))]
    else:
        readings = option_readings(book, found.option)
    asked = found.question if found else Text("这两种读法，哪种对？", "Which of the two readings is right?")
    return {
        "option": found.option if found else "",
        "question": asked._asdict(),
        "sentence": found.sentence if found else "",
        "alike": found.alike._asdict() if found and found.alike else None,
        "readings": [
            {"label": one.label._asdict(), "choice": "" if found is None else write_toml(one.choice)}
            for one in readings
        ],
        "questions": [
            {"hand": _shape(one.text), "points": list(one.points), "fans": [list(fans) for fans in one.fans],
             "sets": one.sets, "measure": one.measure, "keys": hand_keys(one, book)}
            for one in find_questions(readings, known_hands(book, ruling))
        ],
    }  # fmt: skip


def export(house: str) -> dict[str, Any]:
    """Return a draft as Python rows, and its changes for readers."""
    from quepu.lab.draft_effects import draft_module
    from quepu.rules.change_list import change_list

    book = draft_book(house)
    base = find_registered(book)
    return {
        "python": draft_module(base, book, _state("closed-discard")),
        "changes": {lang: change_list(base, book, lang) for lang in ("zh", "en")},
    }


def effects_of(house: str, state: str) -> dict[str, Any]:
    """Return the effects of a draft on the hands of a state.

    Raises:
        Refusal: its hands cannot be counted.
        UnknownName: the state does not exist.
        OverlayError: the draft cannot be read.
    """
    from quepu.lab.draft_effects import effects

    held, book = _state(state), draft_book(house)
    refuse_uncountable(book)
    found = effects(find_registered(book), book, held)
    for one in found["hands"]:
        one["hand"] = _shape(one["hand"])
    for one in found["added"]:
        one |= {key: [_shape(text) for text in one[key]] for key in ("matches", "near")}
    return found


def refuse_uncountable(book: Rulebook) -> None:
    """Refuse to count the hands of a book whose kinds are not there four times; its draft may be a valid one.

    Raises:
        Refusal: with what can be done instead.
    """
    from quepu.fast.universe.limits import COPIES, is_countable

    title, copies = find_registered(book).title, book.tiles.copies
    if not is_countable(book):
        raise Refusal(
            409,
            f"{title.zh}每种牌 {copies} 张，全部和牌只能按每种 {COPIES} 张来数，所以没有改前改后的数字；"
            "草稿照样能算番、练习、开桌、印小册子。",
            f"{title.en} has {copies} tiles of each kind, and every hand can be counted only with {COPIES}, so there "
            "are no figures before and after; the draft can be scored, practised, played and printed all the same.",
        )


def find(house: str, state: str, wishes: dict[str, Any], near: str, number: int) -> dict[str, Any]:
    """Find hands of a draft with some fans and without others; with `near`, those fewest tiles away from that hand.

    Raises:
        UnknownName: the state or fan does not exist.
        NotationError: `near` cannot be read.
        OverlayError: the draft cannot be read.
    """
    from quepu.lab.find_hand import Wanted, find_hands, find_nearest

    book, held = draft_book(house), _state(state)
    if near.strip():
        wanted = Wanted(tuple(wishes["fans"]), tuple(wishes["without"]), wishes["least"])
        close = find_nearest(book, held, wanted, parse_part(near), number)
        return {
            "hands": close.hands,
            "away": close.away,
            "found": [
                {"hand": _shape(one.text), "points": one.points, "fans": list(one.fans), "hands": None,
                 "out": tiles_text(one.out), "into": tiles_text(one.into)}
                for one in close.examples
            ],
        }  # fmt: skip
    found = find_hands(book, held, **wishes, examples=number)
    return {
        "hands": found.hands,
        "away": None,
        "found": [
            {"hand": _shape(one.text), "points": one.points, "fans": list(one.fans), "hands": one.hands,
             "out": "", "into": ""}
            for one in found.examples
        ],
    }  # fmt: skip


def suggestions(house: str, state: str, law: str, fan: str, wanted: float | None) -> dict[str, Any]:
    """Return values of a draft that fit a law, each with its effect.

    Raises:
        UnknownName: the state, law or fan does not exist.
        HandError: a number is missing.
        OverlayError: the draft cannot be read.
    """
    from quepu.lab.suggest import Suggestion, change_text, suggest

    book = draft_book(house)
    found = suggest(book, _state(state), law, fan, wanted)

    def show_suggestion(one: Suggestion) -> dict[str, Any]:
        changes = [
            {"fan": change.fan, "new": dict(change.new), "text": change_text(book, change)._asdict()}
            for change in one.changes
        ]
        return {"changes": changes, "measure": one.measure, "mean": one.mean, "payable": one.payable}

    return {
        "measure": found.measure._asdict(),
        "today": show_suggestion(found.today),
        "found": [show_suggestion(one) for one in found.found],
    }


def duel(house: str, level: str, seed: int, walls: int, so_far: dict[str, Any] | None) -> dict[str, Any]:
    """Play a draft against its book for about a second; no wall before the bots' tables exist.

    `missing`: the books whose tables have to be built first, in order.

    Raises:
        UnknownName: the level does not exist.
        OverlayError: the draft cannot be read.
        PlanError: `so_far` holds other data, or the two use different tiles.
    """
    from quepu.arena.played_effect import MEASURES, PlayedSums, add_played, check_same_tiles
    from quepu.bots.protocol import heavy, level_of
    from quepu.server.work.building import BookSource

    began = time.process_time()
    new = draft_book(house)
    old = find_registered(new)
    check_same_tiles(old, new)
    sums = PlayedSums() if so_far is None else PlayedSums.from_json(so_far)
    level_of(level)
    missing = _without_tables({BookSource(old.id): old, BookSource("", house): new}) if heavy(level) else []
    while not missing and sums.walls < walls:
        add_played(sums, old, new, (level,) * 4, seed, sums.walls)
        if time.process_time() - began > _SLICE:
            break
    return {
        "missing": missing,
        "so_far": sums.to_json(),
        "measures": [
            {"key": key, "text": MEASURES[key]._asdict(), "old": a, "new": b, "difference": apart, "error": error}
            for key, a, b, apart, error in sums.rows()
        ],
        "fans": [row._asdict() for row in sums.fan_rows()],
    }


def _without_tables(books: dict[BookSource, Rulebook]) -> list[BookSource]:
    """Return the books whose tables are missing: they are never built here."""
    from quepu.bots.payable_bot import payable

    return [source for source, book in books.items() if not payable(book).ready()]


def _states() -> dict[str, HandState]:
    """Return the states for measuring drafts: those of a table of rarity, and those with each last tile in turn."""
    from quepu.fast.universe.standard_hands import MORE_STATES, STATES

    return STATES | {key: state for key, state in MORE_STATES.items() if state.each}


def _state(key: str) -> HandState:
    states = _states()
    if key not in states:
        raise UnknownName(f"没有状态“{key}”。", f"no state {key!r}.")
    return states[key]


def _shape(text: str) -> dict[str, Any]:
    return hand_shape(parse_part(text)).model_dump()


_KINDS: Final = {bool: "bool", int: "int", str: "str", tuple: "names"}


def _cell(value: Any) -> Any:
    return value._asdict() if hasattr(value, "_asdict") else value


def words_of(rules: str) -> dict[str, Any]:
    """Return the words for formulas about a book, and the states by which a draft can be measured."""
    from quepu.bots.protocol import LEVELS

    book = rulebooks.book(rules)
    columns = columns_of(book)
    written = written_formulas(book)
    of = {ALL: "all", EACH: "each"}
    return {
        "rows": {
            fan.name: {
                "when": written.get(fan.name, ""),
                "of": of.get(fan.of, fan.of),
                "columns": {key: _cell(getattr(fan.extra, key)) for key in columns} if fan.extra is not None else {},
            }
            for fan in book.fans
        },
        "columns": [
            {"key": key, "head": column_head(book, key)._asdict(), "kind": _KINDS.get(one.kind, "value"),
             "optional": one.optional}
            for key, one in columns.items()
        ],
        "residues": dict(book.arithmetic.residue_names(book)) if isinstance(book.arithmetic, Leaving) else {},
        "words": [
            {"zh": word.zh, "en": word.en, "gives": word.gives.name.lower(), "takes": len(word.takes),
             "help": word.help._asdict()}
            for word in {word.zh: word for word in words().values()}.values()
        ],
        "fans": [fan.name for fan in book.fans],
        "circumstances": list(book.circumstances),
        "states": [{"key": state.key, "text": state.text._asdict()} for state in _states().values()],
        "levels": [
            {"key": key, "text": level.name._asdict(), "heavy": level.heavy, "group": level.group}
            for key, level in LEVELS.items()
            if key != "random"
        ],
        "play": describe_play(book) if book.play else None,
    }  # fmt: skip

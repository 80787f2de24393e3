"""Screens of the lessons: tiles to look at, a question, and options judged by the scorer and by a table."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from quepu.errors import Error, Text
from quepu.hands.hand import Hand
from quepu.hands.notation import parse_part, tiles, tiles_text
from quepu.rules.play_rules import SEATS, play_rules
from quepu.rules.row import amount
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import Score
from quepu.table.actions import PASS, Action, ActionKind
from quepu.table.events import FlowerSetAside
from quepu.table.play import Table
from quepu.table.wall import HAND, build_wall, dealt_places, head_place
from quepu.tiles import FIRST_FLOWER, FLOWERS, FLOWERS_ENGLISH, NAMES, SIMPLIFIED, rank, suit

_HONOURS_ENGLISH = (
    *(f"{wind} wind" for wind in ("East", "South", "West", "North")),
    *(f"{colour} dragon" for colour in ("red", "green", "white")),
)
_SUITS_ENGLISH = ("characters", "dots", "bamboo")
_DICE = (1, 1, 1, 1)
_WIND_KINDS = 4


class Option(NamedTuple):
    """One thing to choose: in words, as tiles or as a whole hand; whether it is right, and why.

    `groups` are tiles that belong together, shown with the reason.
    """

    right: bool
    why: Text
    label: Text | None = None
    tiles: tuple[str, ...] = ()
    hand: Hand | None = None
    groups: tuple[tuple[str, ...], ...] = ()


class Screen(NamedTuple):
    """A screen: its tiles, and the options to choose from.

    `all_of`: every right option has to be chosen; otherwise one of them. `discard` is a tile another player has just
    discarded, and from where.
    """

    key: str
    kind: str
    text: Text
    ask: Text
    options: tuple[Option, ...]
    all_of: bool = False
    hand: Hand | None = None
    tiles: tuple[str, ...] = ()
    discard: tuple[str, str] | None = None


class Made(NamedTuple):
    """Options and hand of a screen; `text` and `ask` stand where the file has none."""

    options: tuple[Option, ...]
    all_of: bool = False
    hand: Hand | None = None
    tiles: tuple[str, ...] = ()
    discard: tuple[str, str] | None = None
    facts: Mapping[str, Any] = {}
    text: Text = Text("", "")
    ask: Text = Text("", "")


def name_tile(kind: int) -> Text:
    """Return the name of a tile as a beginner reads it."""
    if kind >= FIRST_FLOWER:
        return Text(FLOWERS[kind - FIRST_FLOWER], FLOWERS_ENGLISH[kind - FIRST_FLOWER])
    if suit(kind) == 3:
        return Text(SIMPLIFIED[kind], _HONOURS_ENGLISH[rank(kind) - 1])
    return Text(SIMPLIFIED[kind], f"{rank(kind)} of {_SUITS_ENGLISH[suit(kind)]}")


def sort_options(offer: str, wanted: str) -> tuple[Option, ...]:
    """Return tiles to sort out: a suit, or the kinds that `wanted` lists."""
    right = {kind for kind in range(27) if NAMES[kind][1] == wanted} or set(tiles(wanted))
    marks = (
        Text("下面有个“萬”字，是万子", "marked 萬, so characters"),
        Text("画着圆圈，是筒子", "circles, so dots"),
        Text("画着竹节，是索子", "sticks, so bamboo"),
    )
    honours = Text("是风牌", "one of the four winds"), Text("是箭牌", "one of the three dragons")
    found = []
    for kind in tiles(offer):
        bird = Text("画的是鸟，是索子的一", "the bird is a bamboo tile")
        mark = bird if NAMES[kind] == "1s" else (*marks, honours[rank(kind) > _WIND_KINDS])[suit(kind)]
        name = name_tile(kind)
        why = Text(f"{name.zh}：{mark.zh}。", f"{name.en[0].upper()}{name.en[1:]}: {mark.en}.")
        found.append(Option(kind in right, why, tiles=(NAMES[kind],)))
    return tuple(found)


def group_options(part: str, offer: str) -> tuple[Option, ...]:
    """Return tiles that do or do not make a group with two others."""
    held, found = tiles(part), []
    for kind in tiles(offer):
        made = sorted((*held, kind))
        try:
            parse_part(f"({tiles_text(made)})")
            right = True
        except Error:
            right = False
        name = name_tile(kind)
        together = "".join(SIMPLIFIED[one] for one in made)
        if right:
            what = Text("刻子", "a pung") if made[0] == made[2] else Text("顺子", "a chow")
            why = Text(f"{together}，是{what.zh}。", f"With the {name.en} they are {what.en}.")
        elif suit(kind) != suit(held[0]):
            why = Text(f"{name.zh}不是同一门，凑不成。", f"The {name.en} is of another kind.")
        else:
            why = Text(f"{together}不成一组。", f"The {name.en} does not make a group with them.")
        groups = (tuple(NAMES[one] for one in made),) if right else ()
        found.append(Option(right, why, tiles=(NAMES[kind],), groups=groups))
    return tuple(found)


def wait_options(offer: Iterable[int], score: dict[int, Score]) -> tuple[Option, ...]:
    """Return tiles that do or do not complete a hand; `score` has the wins by tile."""
    found = []
    for kind in offer:
        name, won = name_tile(kind), score.get(kind)
        if won is None:
            why = Text(f"来了{name.zh}，还有牌凑不成组。", f"With the {name.en}, some tiles still fit no group.")
            found.append(Option(False, why, tiles=(NAMES[kind],)))
            continue
        groups = group_tiles(won)
        if won.can_win:
            why = Text(f"来了{name.zh}，整手都成组了。", f"With the {name.en}, every tile is in a group.")
        else:
            least = amount(won.book.minimum, won.book.unit)
            why = Text(
                f"来了{name.zh}，整手都成组了。这本规则还要够 {least.zh}，后面会讲。",
                f"The {name.en} completes it. A win also needs {least.en}: see later.",
            )
        found.append(Option(True, why, tiles=(NAMES[kind],), groups=groups))
    return tuple(found)


def group_tiles(score: Score) -> tuple[tuple[str, ...], ...]:
    """Return the tiles of a win, group by group."""
    return tuple(tuple(NAMES[one] for one in group.tiles) for group in score.best.groups)


# ---- at a table

_SIDES = {"left": 1, "across": 2, "right": 3}
"""The dealer discards; who sits so, seen from you, makes you this seat."""
CLAIMS: Mapping[ActionKind, Text] = {
    ActionKind.CHOW: Text("吃", "Chow"),
    ActionKind.PUNG: Text("碰", "Pung"),
    ActionKind.KONG: Text("杠", "Kong"),
}
"""Ways to take a discard, by their names in messages."""


def table_with(book: Rulebook, seats: dict[int, Sequence[int]], drawn: int | None = None) -> Table:
    """Deal a hand in which these seats hold these tiles, and the dealer draws `drawn`; the rest goes to the others.

    A dealt hand may be shorter than thirteen tiles: it is filled up.
    """
    rules = play_rules(book)
    with_flowers = drawn is not None and drawn >= FIRST_FLOWER
    left = Counter(rules.table.tiles.with_flowers(with_flowers).tiles)
    left.subtract(kind for held in seats.values() for kind in held)
    if drawn is not None:
        left[drawn] -= 1
    rest = [kind for kind in left.elements() if kind < FIRST_FLOWER]
    random.Random(book.id).shuffle(rest)  # junk
    size = sum(left.values()) + sum(map(len, seats.values())) + (drawn is not None)
    order: list[int | None] = [None] * size
    for seat in range(SEATS):
        held = [*seats.get(seat, ())]
        held += [rest.pop() for _ in range(HAND - len(held))]
        for place, kind in zip(dealt_places(seat), held, strict=True):
            order[place] = kind
    if drawn is not None:
        order[head_place(size, SEATS * HAND, 0)] = drawn
    rest = [*(kind for kind in left.elements() if kind >= FIRST_FLOWER), *rest]
    return Table(book, build_wall([rest.pop() if one is None else one for one in order], _DICE), rules=rules)


def claim_options(book: Rulebook, hand: str, tile: str, side: str) -> tuple[Option, ...]:
    """Return ways to take a discard, judged by a table where it was just discarded."""
    (kind,) = tiles(tile)
    seat, held = _SIDES[side], tiles(hand)
    table = table_with(book, {0: (kind,), seat: held})
    while 0 not in table.to_act:  # a ready hand is asked about that first
        table.step(table.to_act[0], PASS)
    table.step(0, Action(ActionKind.DISCARD, kind))
    allowed = {one.do for one in table.options(seat)} & CLAIMS.keys()
    same = held.count(kind)
    makes_run = any(
        suit(kind) < 3 and all(suit(kind + by) == suit(kind) and kind + by in held for by in step)
        for step in ((-2, -1), (-1, 1), (1, 2))
    )
    why = {
        ActionKind.CHOW: Text(
            "和手里两张连成顺子，又是上家打的，可以吃。", "It makes a chow and comes from your left: chow."
        )
        if ActionKind.CHOW in allowed
        else Text("能连成顺子，可是只能吃上家打的牌。", "It would make a chow, but you can chow only from your left.")
        if makes_run
        else Text("手里没有两张能和它连成顺子。", "No two tiles of yours make a chow with it."),
        ActionKind.PUNG: Text("手里有一对，可以碰。", "You hold two of them: pung.")
        if ActionKind.PUNG in allowed
        else Text("碰要手里有一对一样的。", "A pung needs two of them in your hand."),
        ActionKind.KONG: Text("手里有三张，加上这张正好四张，可以杠。", "You hold three, and this is the fourth: kong.")
        if ActionKind.KONG in allowed
        else Text(f"杠要手里有三张一样的，你有 {same} 张。", f"A kong needs three of them in hand; you hold {same}."),
    }
    found = [Option(do in allowed, why[do], label=label) for do, label in CLAIMS.items()]
    nothing = (
        Text("拿不了，只能看着它过去。", "You cannot take it: let it go by.")
        if not allowed
        else Text("其实拿得了，再看看手里有没有合适的两张。", "You can take it: look for two tiles that fit.")
    )
    return (*found, Option(not allowed, nothing, label=Text("都不行", "None of these")))


def kong_options(book: Rulebook, hand: Hand) -> tuple[Option, ...]:
    """Return the kinds of a drawn hand of fourteen, judged by a table where the dealer holds it."""
    assert hand.winning is not None  # noqa: S101  # the file writes it so
    table = table_with(book, {0: hand.concealed}, hand.winning)
    allowed = {one.tile for one in table.options(0) if one.do is ActionKind.CONCEALED}
    counts = Counter((*hand.concealed, hand.winning))
    found = []
    for kind, held in counts.items():
        name = name_tile(kind)
        why = (
            Text(f"四张{name.zh}都在手里，可以暗杠。", f"All four of the {name.en} are in your hand.")
            if kind in allowed
            else Text(f"{name.zh}只有 {held} 张，杠要四张。", f"You hold {held} of the {name.en}; a kong needs four.")
        )
        found.append(Option(kind in allowed, why, tiles=(NAMES[kind],)))
    return tuple(found)


def flower_options(book: Rulebook, hand: str, drawn: str) -> tuple[Option, ...]:
    """Return the tiles of a hand and the flower drawn, judged by a table where the dealer holds them."""
    kind = FIRST_FLOWER + FLOWERS.index(drawn)
    held = tiles(hand)
    table = table_with(book, {0: held}, kind)
    allowed = {one.tile for one in table.options(0) if one.do is ActionKind.FLOWER}
    allowed |= {one.tile for one in table.events if isinstance(one, FlowerSetAside)}  # where the table asks nobody
    found = []
    for one in (*dict.fromkeys(held), kind):
        name = name_tile(one)
        why = (
            Text(f"{name.zh}是花牌：亮出来，补一张。", f"The {name.en} is a flower: lay it out and draw again.")
            if one in allowed
            else Text(f"{name.zh}不是花牌，留在手里凑组。", f"The {name.en} is not a flower: keep it for a group.")
        )
        found.append(Option(one in allowed, why, tiles=(FLOWERS[kind - FIRST_FLOWER] if one == kind else NAMES[one],)))
    return tuple(found)

"""The points on which rule texts and programs disagree, as options of the book (rulings G6, G7, G8, G14, G16, G17)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from quepu.errors import Text
from quepu.hands.planes import EDGE, GAP, KNITTED, LOOSE, ORPHANS, SINGLE, Condition, Planes, count, is_form
from quepu.rulebooks.guobiao.rows_2_and_1 import is_finished
from quepu.rulebooks.guobiao.rows_8_to_4 import concealed_by_nature, is_closed, is_drawn
from quepu.rules.row import Fan
from quepu.rules.rulebook import Option, Rulebook

SEED = {
    "dead_waits": False,
    "sole_single_wait": False,
    "knitted_wait": False,
    "nature_drawn": "不求人",
    "void_counts": False,
    "orphans_not_concealed": False,
}
"""The answers of the seed's own book."""
PLAYED = {
    "dead_waits": True,
    "sole_single_wait": True,
    "knitted_wait": False,
    "nature_drawn": "自摸",
    "void_counts": True,
    "orphans_not_concealed": False,
}
"""The answers of platforms."""
EUROPE = {**PLAYED, "nature_drawn": "不求人"}
"""The answers of Europe, from the Green Book."""
LOOSE_NOT_CONCEALED = "loose_not_concealed"
"""A question asked in Europe alone; it becomes a setting of the book only if it is answered with yes."""


def _sole(dead: bool, h: Planes) -> Any:
    waits = count(h.waits) + count(h.dead_waits) if dead else count(h.waits)
    return waits == 1


def _wins_knitted(h: Planes) -> Any:
    """Whether the winning tile is part of the knitted lines."""
    return is_form(h, KNITTED) & (h.place == 0) & (h.win != 0)


def _conditions(
    dead_waits: bool,
    sole_single_wait: bool,
    knitted_wait: bool,
    nature_drawn: str,
    orphans_not_concealed: bool,
    loose_not_concealed: bool = False,
) -> dict[str, Condition]:
    """Return the conditions of the rows that these answers decide."""
    sole = partial(_sole, dead_waits)
    gap: Condition = lambda h: is_finished(h, GAP) & sole(h)  # noqa: E731 - a row's condition
    return {
        "边张": lambda h: is_finished(h, EDGE) & sole(h),
        "坎张": (lambda h: (is_finished(h, GAP) | _wins_knitted(h)) & sole(h)) if knitted_wait else gap,
        "单钓将": (lambda h: is_finished(h, SINGLE) & sole(h))
        if sole_single_wait
        else (lambda h: is_finished(h, SINGLE)),
        "不求人": _fully_concealed(nature_drawn, orphans_not_concealed, loose_not_concealed),
    }


def _fully_concealed(nature_drawn: str, orphans_not_concealed: bool, loose_not_concealed: bool) -> Condition:
    """Return the condition of 不求人, with or without hands that are concealed by nature."""
    if nature_drawn == "自摸":
        return lambda h: is_drawn(h) & is_closed(h) & (concealed_by_nature(h) == 0)
    out = ORPHANS * orphans_not_concealed | LOOSE * loose_not_concealed
    if out:
        return lambda h: is_drawn(h) & is_closed(h) & (is_form(h, out) == 0)
    return lambda h: is_drawn(h) & is_closed(h)


VOID = "缺一门"
ALWAYS_VOID = ("大三元", "小四喜", "小三元", "一色四同顺", "一色四节高", "一色四步高", "三风刻")
"""Rows that leave room for two suits at most, so that 缺一门 always comes with them."""


def _beside_void(book: Rulebook, counts: bool) -> dict[str, tuple[str, ...]]:
    """Return the drops of the rows that always imply 缺一门: with 缺一门, unless it counts beside them."""
    drops: dict[str, tuple[str, ...]] = {}
    void = _row(book, VOID)
    if void is None:
        return drops
    for fan in filter(None, (_row(book, name) for name in ALWAYS_VOID)):
        others = tuple(dropped for dropped in fan.drops if dropped not in (VOID, void.name))
        drops[fan.name] = others if counts else (*others, void.name)
    return drops


def _row(book: Rulebook, name: str) -> Fan | None:
    """Return the row with this name in the family; a house rule may have renamed it or switched it off."""
    return next((fan for fan in book.fans if name == fan.name or name in fan.aliases), None)


def answer_options(book: Rulebook, **answers: Any) -> Rulebook:
    """Return the book with these answers instead of its own."""
    settings = {
        **SEED,
        **{key: book.settings[key] for key in (*SEED, LOOSE_NOT_CONCEALED) if key in book.settings},
        **answers,
    }
    void_counts = settings["void_counts"]
    conditions = _conditions(**{key: answer for key, answer in settings.items() if key != "void_counts"})
    changes: dict[str, dict[str, Any]] = {
        fan.name: {"when": when} for name, when in conditions.items() if (fan := _row(book, name)) is not None
    }
    for name, drops in _beside_void(book, void_counts).items():
        changes.setdefault(name, {})["drops"] = drops
    return book.having(id=book.id, settings=settings, fans=changes)


def _set(key: str) -> Callable[[Rulebook, Any], Rulebook]:
    return lambda book, choice: answer_options(book, **{key: choice})


TWO_KONGS = "双暗杠"
"""The fan that three or four concealed kongs count, or do not, beside three or four concealed pungs."""


def _two_kongs(book: Rulebook, beside_three: bool, exact: bool) -> Rulebook:
    """Return the book with or without 双暗杠 beside three and more concealed kongs.

    `exact`: in the book it means exactly two kongs.
    """
    row = _row(book, TWO_KONGS)
    if row is None:
        return book
    if exact:
        two: Condition = lambda h: (count(h.k) == 2) & (count(h.kc) == 2)  # noqa: E731 - a row's condition
        when: Condition = (lambda h: two(h) | (count(h.kc) >= 3)) if beside_three else two
    else:
        when = (lambda h: count(h.kc) >= 2) if beside_three else (lambda h: count(h.kc) == 2)
    return book.having(id=book.id, fans={row.name: {"when": when}})


_ENGLISH = {"不求人": Text("不求人", "fully concealed hand"), "自摸": Text("自摸", "self-drawn")}
_PENALTIES = {
    "1998": Text("1998 年竞赛规则", "the rules of 1998"),
    "2025": Text("2025 年补充细则", "the League's of 2025"),
    "2010": Text("欧洲竞赛规程（2010）", "the European regulations of 2010"),
    "referee": Text("由裁判定", "the referee's"),
    "none": Text("不罚", "none"),
}


BASE = 8
"""底分: the points that every player who did not win pays the winner."""
_MOST_PAID = 1000


def _joining(book: Rulebook, joins: bool) -> Rulebook:
    """Return the book with 套算一次, or with rows that count as often as they hold."""
    before = book.settings.get("joining") or tuple(fan.name for fan in book.fans if fan.joins)
    fans = {fan.name: {"joins": joins} for fan in book.fans if any(name in before for name in (fan.name, *fan.aliases))}
    return book.having(id=book.id, fans=fans, settings={"joining": () if joins else before})


def _set_unless_usual(key: str, usual: Any, book: Rulebook, choice: Any) -> Rulebook:
    """Return the book with another setting; the usual one leaves no trace in a book that never had it."""
    return book if book.settings.get(key, usual) == choice else book.having(id=book.id, settings={key: choice})


def _list_payment_options(most: int) -> tuple[Option, ...]:
    """List the options about payments, about counting sets once, and about flowers at the table."""
    return (
        Option(
            "base",
            Text("底分：没有和的每家都付", "base: paid by every player who did not win"),
            (BASE, 0),
            partial(_set_unless_usual, "base", BASE),
            (0, _MOST_PAID),
        ),
        Option(
            "cap",
            Text("封顶：付钱最多算几番，0 为不封顶", "cap: the most fan that are paid, 0 for all of them"),
            (most, 0 if most else 88),
            partial(_set_unless_usual, "most", 0),  # the setting keeps the name by which games were played
            (0, _MOST_PAID),
            former="most",
        ),
        Option(
            "joins",
            Text("套算一次：组合过的一副只能再组合一次", "sets already combined are combined once more only"),
            (True, False),
            _joining,
        ),
        Option(
            "held_flowers",
            Text(
                "摸到的花牌可以留在手里，以后再补或打", "a drawn flower may be held, to be replaced or discarded later"
            ),
            (False, True),
            partial(_set_unless_usual, "held_flowers", False),
        ),
    )


def options(
    default: dict[str, Any],
    penalties: tuple[str, ...] = ("1998", "2025", "none"),
    *,
    beside_three: bool = False,
    most: int = 0,
) -> tuple[Option, ...]:
    """The book's options, its own answer first; `beside_three`: 双暗杠 counts beside three concealed kongs."""
    texts = {
        "dead_waits": Text("四张都在自己手里的牌也算听", "a tile of which one holds all four is a wait"),
        "sole_single_wait": Text("单钓将要独听", "a single wait must be the only wait"),
        "knitted_wait": Text("独听组合龙的一张计坎张", "a sole wait on a knitted tile is a closed wait"),
        "void_counts": Text("必然缺一门的番种旁仍计缺一门", "One Voided Suit counts beside fans that always bring it"),
        "nature_drawn": Text("天生门清的牌自摸计", "a hand concealed by nature, self-drawn, counts"),
    }
    both: dict[str, tuple[Any, Any]] = {"nature_drawn": ("不求人", "自摸")}
    made = []
    for key, text in texts.items():
        one, two = both.get(key, (False, True))
        choices = (one, two) if default[key] == one else (two, one)
        names = tuple(_ENGLISH[choice] for choice in choices) if key in both else ()
        made.append(Option(key, text, choices, _set(key), words=names))
    made.append(
        Option(
            "two_kongs_beside_three",
            Text(
                "三副以上暗杠，在三暗刻、四暗刻之外另计双暗杠",
                "three or four concealed kongs count two concealed kongs beside the concealed pungs",
            ),
            (beside_three, not beside_three),
            lambda book, counts: _two_kongs(book, counts, exact=not beside_three),
        )
    )
    if default["nature_drawn"] == "不求人":
        text = Text("十三幺自摸计不求人", "thirteen orphans self-drawn counts a fully concealed hand")
        made.append(
            Option(
                "thirteen_orphans_concealed",
                text,
                (True, False),
                lambda book, counts: answer_options(book, orphans_not_concealed=not counts),
            )
        )
    made.append(
        Option(
            "penalties",
            Text("罚例", "penalties"),
            penalties,
            lambda book, choice: book.having(id=book.id, settings={"penalties": choice}),
            words=tuple(_PENALTIES[choice] for choice in penalties),
        )
    )
    return (*made, *_list_payment_options(most))

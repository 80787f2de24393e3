"""Map a book's names of circumstances to `Luck` bits, and refuse contradictions.

The checks are phrased on bits and tiles, so they serve every book; the names in the sentences are the book's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from quepu.errors import HandError, Text, UnknownName, near_names
from quepu.folding import fold
from quepu.hands.hand import Hand, Luck, MeldKind
from quepu.rules.rulebook import Rulebook
from quepu.rules.winds_and_flowers import flower_numbers, wind
from quepu.tiles import EAST, NAMES, PLAIN, SIMPLIFIED

if TYPE_CHECKING:
    from quepu.rules.play_rules import TableRules

_SELF_DRAW: Final = ("自摸", "self_draw", "self-draw", "self draw")
_FIRST: Final = Luck.HEAVENLY | Luck.EARTHLY | Luck.HUMANLY | Luck.FIRST_ROUND


class _Rule(NamedTuple):
    """A rule about a circumstance: refused if `wrong` says so of the hand, all its luck, and the book."""

    luck: int
    wrong: Callable[[Hand, int, Rulebook], bool]
    zh: str
    en: str


def _kongs(hand: Hand) -> int:
    return sum(meld.kind in (MeldKind.KONG, MeldKind.CONCEALED_KONG) for meld in hand.melds)


def _holds_winning_tile(hand: Hand) -> bool:
    """Return whether the hand has another copy of the winning tile."""
    return hand.winning is not None and hand.counts()[hand.winning] > 1


def _table(book: Rulebook) -> TableRules:
    """Return a book's table rules; those of the plainest game if it has none."""
    from quepu.rules import play_rules

    return play_rules.play_rules(book).table if book.play else play_rules.TableRules()


def _after_kong(hand: Hand, book: Rulebook) -> bool:
    """Return whether the only melds are concealed kongs, which the book lets the dealer declare first."""
    return hand.closed and _table(book).heavenly_after_kong


_DRAWN: Final = Luck.KONG_DRAW | Luck.LAST_DRAW | Luck.HEAVENLY | Luck.TWO_KONGS | Luck.THREE_KONGS
"""Circumstances only of a self-drawn win, in any book."""

_DRAWN_BIT: Final = int(Luck.SELF_DRAW)
_LAST_DISCARD: Final = int(Luck.LAST_DISCARD)
"""As plain numbers: a flag takes ten times as long to ask."""

_RULES: Final = (
    _Rule(
        _DRAWN,
        lambda hand, luck, book: not luck & _DRAWN_BIT,
        "只在自摸时成立，请注明自摸。",
        "needs a self-drawn win: say so.",
    ),
    _Rule(
        Luck.LAST_DISCARD | Luck.ROBBED_KONG | Luck.HUMANLY,
        lambda hand, luck, book: bool(luck & _DRAWN_BIT),
        "是和别家的牌，不能同时是自摸。",
        "is a win on another player's tile and cannot be a self-draw.",
    ),
    _Rule(
        Luck.HEAVENLY,
        lambda hand, luck, book: hand.seat != EAST,
        "只属于庄家，门风应是东。",
        "belongs to the dealer: the seat must be E.",
    ),
    _Rule(
        Luck.EARTHLY | Luck.HUMANLY | Luck.READY_AT_DEAL,
        lambda hand, luck, book: hand.seat == EAST,
        "只属于闲家，门风不能是东。",
        "belongs to the other players: the seat cannot be E.",
    ),
    _Rule(
        Luck.EARTHLY,
        lambda hand, luck, book: not luck & _DRAWN_BIT and _table(book).earthly == "first draw",
        "按这本规则是首次摸牌自摸，请注明自摸。",
        "is a win on the first own draw in this rulebook: say that it is self-drawn.",
    ),
    _Rule(
        Luck.EARTHLY,
        lambda hand, luck, book: bool(luck & _DRAWN_BIT) and _table(book).earthly == "first discard",
        "按这本规则是和庄家的首张舍牌，不能同时是自摸。",
        "is a win on the dealer's first discard in this rulebook and cannot be a self-draw.",
    ),
    _Rule(
        Luck.HEAVENLY,
        lambda hand, luck, book: bool(hand.melds) and not _after_kong(hand, book),
        "用配牌和牌，不能有副露或杠。",
        "wins with the dealt hand: there can be no melds.",
    ),
    _Rule(
        Luck.EARTHLY | Luck.HUMANLY,
        lambda hand, luck, book: bool(hand.melds),
        "用配牌和牌，不能有副露或杠。",
        "wins with the dealt hand: there can be no melds.",
    ),
    _Rule(
        Luck.READY_AT_DEAL | Luck.READY_AT_FIRST | Luck.FIRST_ROUND,
        lambda hand, luck, book: not hand.closed,
        "之后不能吃碰，手牌不能有明的副露。",
        "allows no claims: the hand cannot have exposed melds.",
    ),
    _Rule(
        Luck.SEVEN_FLOWERS,
        lambda hand, luck, book: hand.flower_count < 7,
        "要七张花牌，请写出花牌。",
        "needs seven flowers: say which, or how many.",
    ),
    _Rule(
        Luck.EIGHT_FLOWERS,
        lambda hand, luck, book: hand.flower_count != 8,
        "要八张花牌，请写出花牌。",
        "needs all eight flowers: say so.",
    ),
    _Rule(
        Luck.ROBBED_FLOWER,
        lambda hand, luck, book: hand.flower_count < 7,
        "要自己有七张花牌，请写出花牌。",
        "needs seven flowers of one's own: say which, or how many.",
    ),
    _Rule(
        Luck.ROBBED_FLOWER,
        lambda hand, luck, book: bool(luck & _DRAWN_BIT),
        "是和别家的花牌，不能同时是自摸。",
        "is a win on another player's flower and cannot be a self-draw.",
    ),
    _Rule(
        Luck.OUTER_DISCARDS,
        lambda hand, luck, book: not hand.closed,
        "要门清，手牌不能有明的副露。",
        "needs a concealed hand: there can be no exposed melds.",
    ),
    _Rule(
        Luck.OUTER_DISCARDS,
        lambda hand, luck, book: hand.winning is not None,
        "在流局时成立，没有和的那张牌：请写十三张，不写“+”。",
        "holds when the hand ends without a winner, with no winning tile: give thirteen tiles, without +.",
    ),
    _Rule(
        Luck.ROBBED_KONG,
        lambda hand, luck, book: bool(luck & _LAST_DISCARD) and not _table(book).kong_without_replacement,
        "时牌墙不会是空的：按这本规则，没有补牌就不能开杠。",
        "cannot be on the last tile: in this rulebook there is no kong without a tile to replace it.",
    ),
    _Rule(
        Luck.KONG_DRAW,
        lambda hand, luck, book: _kongs(hand) < 1,
        "需要先开杠，牌里没有杠。",
        "needs a kong in the hand.",
    ),
    _Rule(Luck.TWO_KONGS, lambda hand, luck, book: _kongs(hand) < 2, "需要两个杠。", "needs two kongs in the hand."),
    _Rule(
        Luck.THREE_KONGS, lambda hand, luck, book: _kongs(hand) < 3, "需要三个杠。", "needs three kongs in the hand."
    ),
    _Rule(
        Luck.ROBBED_KONG,
        lambda hand, luck, book: _holds_winning_tile(hand),
        "时另外三张在别家的碰里，自己手里不能还有和的那张牌。",
        "leaves the other three copies in another player's pung: the hand cannot hold one more of the winning tile.",
    ),
    _Rule(
        Luck.FOURTH_TILE,
        lambda hand, luck, book: hand.winning in hand.concealed,
        "时另外三张都已亮明，手里不能还有和的那张牌。",
        "means the other three copies lie open: none can be concealed in the hand.",
    ),
    _Rule(
        Luck.FRESH_TILE,
        lambda hand, luck, book: any(meld.exposed and hand.winning in meld.tiles for meld in hand.melds),
        "的牌不曾出现过，自己的副露里却有它。",
        "means that no copy has been seen, but an exposed meld holds one.",
    ),
)

_APART: Final = (
    (_FIRST, Luck.LAST_DRAW | Luck.LAST_DISCARD),
    (Luck.HEAVENLY, Luck.EARTHLY | Luck.HUMANLY),
    (Luck.EARTHLY, Luck.HUMANLY),
    (Luck.READY_AT_DEAL, Luck.READY_AT_FIRST),
    (Luck.EARTHLY | Luck.HUMANLY | Luck.HEAVENLY, Luck.READY_AT_FIRST),
    (Luck.HEAVENLY | Luck.HUMANLY, Luck.FOURTH_TILE),
    (Luck.SEVEN_FLOWERS, Luck.EIGHT_FLOWERS),
    (Luck.SEVEN_FLOWERS | Luck.EIGHT_FLOWERS, Luck.ROBBED_FLOWER),
    (Luck.OUTER_DISCARDS, ~(Luck.OUTER_DISCARDS | Luck.SELF_DRAW)),
    (Luck.ROBBED_FLOWER, ~(Luck.ROBBED_FLOWER | Luck.READY_AT_DEAL | Luck.READY_AT_FIRST | Luck.FIRST_CHANCE)),
    (Luck.EARTHLY | Luck.HUMANLY, Luck.ROBBED_KONG),
    (Luck.FRESH_TILE, Luck.FOURTH_TILE | Luck.ROBBED_KONG),
    (Luck.LAST_DRAW, Luck.LAST_DISCARD),
    (Luck.KONG_DRAW, Luck.ROBBED_KONG | Luck.LAST_DISCARD),
)
"""Circumstances that exclude each other, besides the rules above."""


def situate(
    hand: Hand,
    book: Rulebook,
    *,
    seat: Any = "E",
    round: Any = "E",
    self_draw: bool = False,
    circumstances: Iterable[str] = (),
    flowers: Any = (),
    waiting: bool = False,
) -> Hand:
    """Return the hand with its circumstances, given in the book's own names.

    `seat` and `round` are E S W N or 东南西北; `flowers` is a list of names, a string of them, or a number. For a hand
    that is `waiting` for its winning tile, a circumstance of self-drawn wins means that only such wins are considered.

    Raises:
        UnknownName: an unknown wind, circumstance or flower.
        HandError: circumstances that contradict each other or the hand.
    """
    if not isinstance(self_draw, bool):
        raise HandError("self_draw 应是 true 或 false。", "self_draw must be true or false.")
    refuse_other_tiles(hand, book)
    hand = hand._replace(seat=wind(seat), round=wind(round), flowers=flower_numbers(flowers))
    if hand.flower_count and not book.flower_value and "flowers" not in book.reads:
        raise HandError(f"{book.title.zh}不用花牌。", f"{book.title.en} is played without flowers.")
    named = luck_of(circumstances, book)
    luck = int(Luck.SELF_DRAW) if self_draw or any(name in _SELF_DRAW for name, _ in named) else 0
    for _, bits in named:
        luck |= bits & ~Luck.SELF_DRAW
    if waiting and (luck & _DRAWN or (luck & Luck.EARTHLY and _table(book).earthly == "first draw")):
        luck |= Luck.SELF_DRAW
    if named:
        _ask(_checks(tuple(named)), hand, luck, book)
    return hand._replace(luck=luck)


def refuse_other_tiles(hand: Hand, book: Rulebook) -> None:
    """Refuse a hand with tiles that are not in the book's game.

    Raises:
        HandError: it has some; the sentence names them.
    """
    if book.tiles is PLAIN:
        return
    winning = () if hand.winning is None else (hand.winning,)
    held = {*hand.concealed, *winning, *(kind for meld in hand.melds for kind in meld.tiles)}
    other = sorted(held.difference(book.tiles.kinds))
    if other:
        raise other_tiles(other, book)


def other_tiles(kinds: Sequence[int], book: Rulebook) -> HandError:
    """Build the error for a hand with these kinds, which are not in the book's game."""
    return HandError(
        f"{book.title.zh}没有{'、'.join(SIMPLIFIED[kind] for kind in kinds)}这样的牌。",
        f"{book.title.en} is played without {', '.join(NAMES[kind] for kind in kinds)}.",
    )


def refuse_beside_hand(settings: Mapping[str, Any]) -> None:
    """Refuse seat, circumstances and the like next to a `Hand`, which has its own.

    Raises:
        HandError: something was given.
    """
    given = [name for name, value in settings.items() if value not in (None, (), [], "", 0)]  # False is 0
    if given:
        raise HandError(
            f"Hand 自带风位与情形，不能再给 {'、'.join(given)}；请给文字，或用 hand._replace。",
            f"a Hand has its own seat and circumstances: {', '.join(given)} cannot be given beside it; give"
            " text, or use hand._replace.",
        )


def contradiction(hand: Hand, book: Rulebook) -> Text | None:
    """Say why a hand cannot have been won with its tile in its circumstances, in the book's names; None if it can.

    `hand.luck` says which circumstances hold, self-draw among them.
    """
    try:
        refuse_impossible(hand, book)
    except HandError as error:
        return error.text
    return None


def refuse_impossible(hand: Hand, book: Rulebook) -> None:
    """Refuse a hand whose circumstances contradict each other or its tiles, as `situate` does.

    Raises:
        HandError: in the book's names of the circumstances; those that the book does not name are left alone.
    """
    luck = int(hand.luck)
    if luck & ~_DRAWN_BIT:  # nothing contradicts a drawn win
        _ask(_checks_of_luck(book, luck), hand, luck, book)


def refuse_named(names: Iterable[str], hand: Hand, book: Rulebook) -> None:
    """Refuse named circumstances that contradict each other or the hand, whose luck has their bits.

    Raises:
        UnknownName: the book has no such circumstance.
        HandError: a contradiction.
    """
    _ask(_checks(tuple(luck_of(names, book))), hand, hand.luck, book)


def luck_of(names: Iterable[str], book: Rulebook) -> list[tuple[str, int]]:
    """Return each circumstance by the book's own name, with its `Luck` bits.

    Raises:
        UnknownName: the book has no such circumstance; the sentence names those that look like it, or all.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise HandError("circumstances 应是名称的列表。", "circumstances must be a list of names.")
    found = []
    for given in names:
        full = spellings(book).get(fold(given)) if isinstance(given, str) else None
        if full is None:
            raise _unknown(given, book)
        found.append((full, int(Luck.SELF_DRAW if full in _SELF_DRAW else book.circumstances[full])))
    return found


def english_names(book: Rulebook) -> dict[str, str]:
    """Return the English names of a book's fans, and of circumstances with another English name."""
    others = {name: other for other, name in book.near.items() if other.isascii()}
    return others | {fan.name: fan.english for fan in book.fans}


def english_name(name: str, book: Rulebook) -> str:
    """Return the English name of a fan or circumstance; the name itself if the book has none."""
    return english_names(book).get(name, name)


def typed_name(name: str, book: Rulebook) -> Text:
    """Return a circumstance as a single word for input: in English its name with hyphens."""
    return Text(name, english_name(name, book).replace(" ", "-").lower())


@lru_cache(64)
def spellings(book: Rulebook) -> dict[str, str]:
    """Map every folded spelling of a book's circumstances to the name: names, other names, English labels."""
    english = english_names(book)
    found = dict.fromkeys(_SELF_DRAW, _SELF_DRAW[0]) | dict(book.near)
    found |= {former: fan.name for fan in book.fans if fan.name in book.circumstances for former in fan.former}
    for name in book.circumstances:
        if name in english:
            found |= {english[name]: name, english[name].replace(" ", "-"): name}
    return {fold(spelling): name for spelling, name in (found | {name: name for name in book.circumstances}).items()}


def _unknown(name: object, book: Rulebook) -> UnknownName:
    zh, en = f"{book.title.zh}没有“{name}”这种和牌情形", f"{book.title.en} has no circumstance {str(name)!r}"
    if close := near_names(str(name), spellings(book), cutoff=0.34):
        names = " or ".join(english_name(one, book) for one in close)
        return UnknownName(f"{zh}，是不是{'、'.join(close)}？", f"{en}; did you mean {names}?")
    if book.circumstances:
        names = ", ".join(english_name(one, book) for one in book.circumstances)
        return UnknownName(f"{zh}，可用：{'、'.join(book.circumstances)}。", f"{en}; there are: {names}.")
    return UnknownName(f"{zh}。", f"{en}.")


class _Check(NamedTuple):
    """A circumstance that holds, by its name, and a rule to ask about it, or another that never comes with it."""

    name: str
    rule: _Rule | None
    other: str


@lru_cache(4096)
def _checks_of_luck(book: Rulebook, luck: int) -> tuple[_Check, ...]:
    """Checks of a hand with this luck, all of whose circumstances are taken to be named."""
    held = luck | _DRAWN_BIT
    named = [(name, bits) for name, bits in book.circumstances.items() if not bits & ~held]
    return _checks(tuple(named))


@lru_cache(4096)
def _checks(named: tuple[tuple[str, int], ...]) -> tuple[_Check, ...]:
    """Return the checks of these circumstances in the order in which the first that fails is told."""
    return tuple(_list_checks(named))


def _list_checks(named: tuple[tuple[str, int], ...]) -> Iterator[_Check]:
    for name, bits in named:
        for rule in _RULES:
            if bits & rule.luck:
                yield _Check(name, rule, "")
        for other, others in named:
            if name != other and any(bits & one and others & two for one, two in _APART):
                yield _Check(name, None, other)


def _ask(checks: Iterable[_Check], hand: Hand, luck: int, book: Rulebook) -> None:
    for name, rule, other in checks:
        if rule is None:
            both = f"{english_name(name, book)!r} and {english_name(other, book)!r}"
            raise HandError(f"“{name}”和“{other}”不能同时发生。", f"{both} cannot happen together.")
        if rule.wrong(hand, luck, book):
            raise HandError(f"“{name}”{rule.zh}", f"{english_name(name, book)!r} {rule.en}")

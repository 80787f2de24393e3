"""Read a question: an action in words, assumptions, and the moment of a replay that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from quepu.errors import Error
from quepu.hands.hand import Meld
from quepu.hands.notation import parse_part, tiles
from quepu.match.frames import steps_at
from quepu.match.log import Replay
from quepu.match.starts import start_in
from quepu.review.asking import Scene
from quepu.review.choice_words import action_text
from quepu.review.typed_hands import Around, AskError, Offered
from quepu.review.valuation import RatedAction
from quepu.table import Action, ActionKind
from quepu.table.actions import TILE_NUMBER
from quepu.table.sampling import NOTHING_ASSUMED, Assumed
from quepu.table.wall import TILE_NAMES
from quepu.tiles import KINDS, WINDS, WINDS_CHINESE

_WORDS: Final = {
    "discard": ActionKind.DISCARD, "打": ActionKind.DISCARD, "chow": ActionKind.CHOW, "吃": ActionKind.CHOW,
    "pung": ActionKind.PUNG, "碰": ActionKind.PUNG, "kong": ActionKind.KONG, "杠": ActionKind.KONG,
    "win": ActionKind.WIN, "和": ActionKind.WIN, "胡": ActionKind.WIN, "pass": ActionKind.PASS, "过": ActionKind.PASS,
}  # fmt: skip
_KONGS = (ActionKind.KONG, ActionKind.CONCEALED, ActionKind.ADDED)


def read_choice(scene: Scene, text: str) -> RatedAction:
    """Return the choice that words mean: a tile to discard, pass, win, pung, kong, or chow and its lowest tile.

    Raises:
        AskError: the words mean nothing, or the action is not possible.
    """
    word = next((one for one in _WORDS if text.strip().lower().startswith(one)), "")
    do = _WORDS[word] if word else ActionKind.DISCARD
    kinds = read_tiles(text.strip()[len(word) :])
    if not _is_one_action(do, kinds):
        raise AskError(
            f"“{text}”不是一个动作：打、碰、杠写一种牌，吃写最小的一张或三张连续的牌，例如 5p、吃345p。",
            f"“{text}” is not one action: name one tile to discard, pung or kong, and a chow by its lowest tile or its "
            "three tiles, such as 5p or chow 345p.",
        )
    fits = [choice.action for choice in scene.rated.choices if _means(choice.action, do, kinds)]
    if len(fits) > 1:
        listed = "、".join(one.text().zh for one in fits), ", ".join(one.text().en for one in fits)
        raise AskError(f"“{text}”可以指：{listed[0]}。", f"“{text}” can mean: {listed[1]}.")
    if fits:
        return scene.find(fits[0])
    tile = kinds[0] if kinds else None
    if do is ActionKind.DISCARD and tile is None:
        raise AskError("请写要打的牌或动作，例如 5p、过。", "give a tile to discard or an action, such as 5p or pass.")
    return scene.find(Action(do, tile, min(kinds) if do is ActionKind.CHOW and kinds else None))


def _is_one_action(do: ActionKind, kinds: Sequence[int]) -> bool:
    """Return whether so many tiles name one action: one to discard, one kind to pung or kong, a chow or its lowest."""
    if do is ActionKind.DISCARD:
        return len(kinds) < 2
    if do is ActionKind.CHOW:
        return len(kinds) < 2 or (len(kinds) == 3 and sorted(kinds) == [*range(min(kinds), min(kinds) + 3)])
    return do in (ActionKind.WIN, ActionKind.PASS) or len(set(kinds)) < 2


def _means(action: Action, do: ActionKind, kinds: Sequence[int]) -> bool:
    if do is ActionKind.KONG:
        return action.do in _KONGS and (not kinds or action.tile == kinds[0])
    if action.do is not do:
        return False
    if do is ActionKind.CHOW:
        return not kinds or action.low == min(kinds)
    return not kinds or do in (ActionKind.PASS, ActionKind.WIN) or action.tile == kinds[0]


def read_tiles(text: str) -> tuple[int, ...]:
    """Return the kinds in a text; a flower alone by its name.

    Raises:
        Error: something in it is not a tile.
    """
    name = text.strip()
    if name in TILE_NUMBER and TILE_NUMBER[name] >= KINDS:
        return (TILE_NUMBER[name],)
    return tiles(name) if name else ()


def read_seat(text: str) -> int:
    """Return a seat by its wind.

    Raises:
        AskError: it is not one.
    """
    name = text.strip().removesuffix("家")
    if name.upper() in WINDS:
        return WINDS.index(name.upper())
    if name in WINDS_CHINESE:
        return WINDS_CHINESE.index(name)
    raise AskError(f"“{text}”不是座位，应是东、南、西、北之一。", f"“{text}” is not a seat: E, S, W or N.")


def read_offered(tile: str, giver: str, seat: int) -> Offered | None:
    """Return the tile that another seat has discarded, by default the seat before; None if there is none.

    Raises:
        AskError: it is not one tile, or only its giver is named.
        Error: the tile or the seat does not exist.
    """
    kinds = read_tiles(tile)
    if not kinds and not giver.strip():
        return None
    if len(kinds) != 1 or kinds[0] >= KINDS:
        raise AskError("别家打出的牌请写一张，例如 5p。", "give the one tile that another seat discarded, such as 5p.")
    return Offered(kinds[0], read_seat(giver) if giver.strip() else (seat + 3) & 3)


def read_around(offered: Offered | None, melds: Sequence[str]) -> Around:
    """Return the facts known beside a typed hand; `melds` are texts such as (123m)(EEE), those of the next seat first.

    Raises:
        Error: a text is not melds, or there are more than three of them.
    """
    if len(melds) > 3:
        raise AskError(
            "别家的副露请按下家、对家、上家各写一段，例如 (123m)(东东东)。",
            "give the melds of the next seat, the one opposite and the one before, such as (123m)(EEE).",
        )
    return Around(offered, [*map(_read_melds, melds), (), (), ()][:3])


def _read_melds(text: str) -> tuple[Meld, ...]:
    if not text.strip():
        return ()
    try:
        found = parse_part(text)
    except Error as error:
        error.source = text
        raise
    if found.concealed or found.winning is not None:
        raise AskError(
            f"“{text}”不是副露；每副写在括号里，例如 (123m)(东东东)。",
            f"“{text}” is not made of melds; write each in brackets, such as (123m)(EEE).",
        )
    return found.melds


def melds_by_seat(texts: Sequence[str], seat: int) -> list[str]:
    """Return the melds of the next seat, the opposite one and the one before; texts are such as S=(123m)(EEE).

    Raises:
        AskError: a text does not name another seat.
    """
    found = ["", "", ""]
    for text in texts:
        wind, equals, melds = text.partition("=")
        if not equals:
            raise AskError(
                f"“{text}”没有写明是哪一家的副露，应写座位和副露，例如 S=(123m)(EEE)。",
                f"“{text}” does not say whose melds they are; write the seat and its melds, such as S=(123m)(EEE).",
            )
        further = (read_seat(wind.strip()) - seat) & 3
        if not further:
            own = WINDS_CHINESE[seat]
            raise AskError(
                f"{own}家是自己，自己的副露写在手牌里。", f"{WINDS[seat]} is the own seat: write its melds in the hand."
            )
        found[further - 1] += melds.strip()
    return found


def words_of(action: Action) -> str:
    """Return the words for an action that `read_choice` reads."""
    if action.low is not None:
        return f"chow {TILE_NAMES[action.low]}"
    if action.tile is None or action.do in (ActionKind.PASS, ActionKind.WIN):
        return action.do.value
    tile = TILE_NAMES[action.tile]
    if action.do is ActionKind.DISCARD:
        return tile
    return f"kong {tile}" if action.do in _KONGS else f"{action.do.value} {tile}"


def choices_of(scene: Scene) -> list[dict[str, Any]]:
    """List the actions that can be asked about, as plain data: words, kind, tile, and a name in both languages.

    Discards come once for each kind; the list is empty if there is nothing to choose.
    """
    found: dict[str, dict[str, Any]] = {}
    for option in scene.options:
        if option.do is not ActionKind.READY and (option.tile or 0) < KINDS:
            tile = None if option.tile is None else TILE_NAMES[option.tile]
            words, text = words_of(option), action_text(option)._asdict()
            found.setdefault(words, {"words": words, "do": option.do.value, "tile": tile, "text": text})
    flower = scene.view.has_flower  # it is set aside first: nothing is weighed
    return [] if flower or len(found) < 2 else list(found.values())


def assume(ready: Sequence[str] = (), gone: str = "") -> Assumed:
    """Return assumptions: seats that are ready, and tiles of which other hands hold all that are left.

    Raises:
        Error: a seat or tile does not exist.
    """
    return Assumed(frozenset(map(read_seat, ready)), tuple(sorted(set(read_tiles(gone)))))


def scene_in(
    replay: Replay, hand: int, frame: int, seat: int | None = None, assumed: Assumed = NOTHING_ASSUMED, aim: str = ""
) -> tuple[Scene, Action | None]:
    """Return the choice that a frame (from 0) of a hand (from 1) of a log shows, and the action that was taken.

    `seat`: whose choice, if several seats could answer; None: the only one.

    Raises:
        Error: there is no such moment, or the seat had nothing to choose.
    """
    steps = steps_at(replay.hands[hand - 1], frame) if 1 <= hand <= len(replay.hands) else 0
    if steps is None:
        raise AskError(f"这一局没有第 {frame + 1} 步。", f"this hand has no step {frame + 1}.")
    table = start_in(replay, hand, steps).table
    who = table.to_act[0] if seat is None and len(table.to_act) == 1 else seat
    if who is None:
        listed = "、".join(WINDS_CHINESE[one] for one in table.to_act), ", ".join(WINDS[one] for one in table.to_act)
        raise AskError(
            f"这一步有几家可选，请说明哪一家：{listed[0]}。", f"several seats can choose: name one of {listed[1]}."
        )
    taken = next(
        (step.action for step in replay.hands[hand - 1].steps[steps:] if step.seat == who and step.action), None
    )
    return Scene.of_table(table, who, assumed, aim), taken


def pair_of(scene: Scene, instead: str, of: str, taken: Action | None) -> tuple[Action, Action]:
    """Return the two actions of a question: `of` (by default the best one), and `instead` (by default the one taken).

    Asked about the best one itself, it is compared with the one taken, or with the next best.

    Raises:
        AskError: an action is not possible, or there is only one.
    """
    choices = scene.rated.choices
    if len(choices) < 2:
        raise AskError("这里只有一种打法，没有可比的。", "there is only one choice here: nothing to compare.")
    first = read_choice(scene, of).action if of else choices[0].action
    if instead:
        other = read_choice(scene, instead).action
    elif taken is not None:
        other = scene.find(taken).action
    else:
        other = first
    if not of and other == first:
        other, first = first, choices[1].action
        if taken is not None:
            played = scene.find(taken).action
            first = played if played != other else first
        return other, first
    if not instead and other == first:
        other = next(choice.action for choice in choices if choice.action != first)
    return first, other


__all__ = [
    "Error", "assume", "choices_of", "melds_by_seat", "pair_of", "read_around", "read_choice", "read_offered",
    "read_seat", "read_tiles", "scene_in", "words_of",
]  # fmt: skip

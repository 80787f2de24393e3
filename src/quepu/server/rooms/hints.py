"""Hints to a player: the seat's options valued like in a review, or the hand's waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from quepu.rulebooks.house_rules import book_of
from quepu.server.http.responses import Refusal
from quepu.server.rooms.messages import Message
from quepu.server.rooms.places import RoomError
from quepu.server.work.building import compile_queries
from quepu.server.work.process import Broken
from quepu.shapes.distance import readiness_text, win_text
from quepu.table import Action, ActionKind, Board, View
from quepu.tiles import KINDS, NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quepu.errors import Text
    from quepu.review.valuation import Eye, RatedAction
    from quepu.scoring.waits import Outlook
    from quepu.server.rooms.room import Room

MOST_SHOWN = 6


class HintRequest(NamedTuple):
    """Everything that a hint is computed from: a seat's knowledge and its options."""

    rules: str
    house: str
    seat: int
    board: Board
    hand: tuple[int, ...]
    drawn: int | None
    options: tuple[Action, ...]
    lang: str
    prepared: bool = True
    builds: bool = True
    """Whether missing tables are being built."""


def answer(request: HintRequest) -> Message:
    """Return a hint, in another process."""
    *_, options, lang, prepared, builds = request
    view = View(request.seat, book_of(request.rules, request.house), request.board, request.hand, request.drawn)
    return (
        hint(view, options, lang)
        if prepared and _tables_there(view)
        else {"hint": {"preparing": builds, **_by_shape(view, options, lang)}}
    )


def _tables_there(view: View) -> bool:
    """Return whether no tables have to be built here: those of house rules may have been removed for others."""
    from quepu.bots.payable_bot import payable

    return payable(view.book).ready()


def begin() -> None:
    """Prepare the process for its first hint: imports, and compiled loops."""
    from quepu.review import valuation  # noqa: F401

    compile_queries()


def _by_shape(view: View, options: Sequence[Action], lang: str) -> dict[str, Any]:
    """Return the discards that leave the hand nearest to a complete shape, whatever its value; else the outlook."""
    from quepu.scoring.waits import choices, outlook

    tiles, seen = tuple(kind for kind in view.tiles if kind < KINDS), view.open_tiles()
    hand = view.as_hand()
    if len(tiles) % 3 == 1:
        look = outlook(hand._replace(concealed=tiles), view.book, seen)
        return _stands(look, readiness_text(look.missing), lang)
    if view.has_flower or not any(option.do is ActionKind.DISCARD for option in options):
        return {}
    whole = hand._replace(concealed=tuple(sorted(tiles[:-1])), winning=tiles[-1])
    return {
        "shape": [
            {"tile": NAMES[one.discard], "missing": one.outlook.missing, "left": one.outlook.tiles_left}
            for one in choices(whole, view.book, seen)[:MOST_SHOWN]
        ]
    }


def hint(view: View, options: Sequence[Action], lang: str = "zh") -> Message:
    """Return a hint from a seat's knowledge, with reasons in `lang`.

    With several options: `choices` with their values, best first, `aims` of the best one, and a sentence; otherwise the
    `outlook` of the hand.
    """
    from quepu.review.choice_words import advice
    from quepu.review.valuation import Eye, rate_options

    found = rate_options(view, options) if len(options) > 1 else None
    if found is None:
        return {"hint": _outlook(view, lang)}
    eye = Eye.of(view)
    best = found.choices[0] if found.choices and not found.lost else None
    return {
        "hint": {
            "choices": [choice_shape(choice, lang) for choice in found.choices[:MOST_SHOWN]],
            "aims": [] if best is None else [aim.to_json(lang) for aim in _aims(eye, view, best)],
            "text": advice(found).say(lang),
        }
    }


def choice_shape(choice: RatedAction, lang: str) -> dict[str, Any]:
    """Return a choice as `HintChoice` in one language."""
    from quepu.review.encoded import choice_json

    made = choice_json(choice)
    return {**made, "text": made["text"][lang], "outlook": made["outlook"][lang]}


def _aims(eye: Eye, view: View, best: RatedAction) -> list[Any]:
    """Return hands that the best choice leads to."""
    from quepu.review.aimed_hands import aims
    from quepu.review.valuation import after

    left = after(view, best)
    return [] if left is None else aims(eye, *left)


def _outlook(view: View, lang: str) -> dict[str, Any]:
    """Return the waits of a ready hand, even one that cannot win that way; else useful tiles towards a valid hand."""
    from quepu.review.valuation import Eye
    from quepu.scoring.waits import Outlook, waiting
    from quepu.tiles import TILES

    tiles = view.hand
    if view.has_flower:
        tiles = tuple(kind for kind in view.tiles if kind < KINDS)
        if len(tiles) % 3 != 1:  # flowers are held, and nothing was drawn in their place yet
            return {}
    hand = view.as_hand()._replace(concealed=tuple(sorted(tiles)))
    ready = waiting(hand, view.book, view.open_tiles()) if len(tiles) % 3 == 1 else None
    if ready is not None:
        return _stands(ready, None, lang)
    eye = Eye.of(view)
    look = eye.look(tiles, view.melds)
    useful = tuple((TILES[k], int(eye.unseen[k])) for k in range(KINDS) if look.helps >> k & 1)
    return _stands(Outlook(hand, look.missing, (), useful), win_text(look.missing), lang)


def _stands(look: Outlook, distance: Text | None, lang: str) -> dict[str, Any]:
    """Return a hint with the outlook and, for a hand that is not ready, the distance in words."""
    found: dict[str, Any] = {"outlook": look.to_json(lang)}
    return found if look.waits or distance is None else {**found, "distance": distance.say(lang)}


async def hint_for(room: Room, place: int, lang: str = "zh", asker: str = "") -> Message:
    """Return a hint for this place about the current table, after earlier requests; computed once per moment.

    Raises:
        RoomError: this room gives no hints, or none is possible now.
    """
    if not room.spec.hints:
        raise RoomError("这一桌不给提示。", "this table gives no hints.")
    async with room.hinting[place]:
        seat = room.game.seat(place) if room.game is not None else None
        if room.game is None or room.game.table is None or seat is None:
            raise RoomError("现在没有可提示的。", "there is nothing to give a hint about right now.")
        rules, house = room.spec.rules, room.spec.house
        tables = room.host.preparation
        prepared = tables.is_ready(rules, house)
        if not prepared:
            tables.want(rules, house, asker)
        elif not room.host.hints.has_begun():  # nobody should wait for that: until then hints go by shape
            room.host.hints.begin()
            prepared = False
        key, found = room.last_hints.get(place, (None, {}))
        if key == (room.moment, lang, prepared):
            return found
        key, at, table = (room.moment, lang, prepared), room.record.last, room.game.table
        view = table.view(seat)
        options = tuple(table.options(seat)) if seat in table.to_act else ()
        seen = (view.board, view.hand, view.drawn, options)
        request = HintRequest(rules, house, seat, *seen, lang, prepared, tables.builds)
        try:
            worker = room.host.hints if prepared else room.host.work
            found = await worker.run(asker, answer, request)
        except Refusal as refusal:
            raise RoomError(*refusal.text) from refusal
        except Broken as problem:
            raise RoomError("这一手算不出提示。", "no hint is available for this hand.") from problem
        made: Message = {"hint": {"at": at, **found["hint"]}}
        if prepared and "preparing" in made["hint"]:
            room.host.preparation.report_missing(rules, house)
            room.host.preparation.want(rules, house, asker)
        room.last_hints[place] = key, made
        return made

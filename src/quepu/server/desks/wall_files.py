"""The walls of a round as files: one for all tables, or one for each seat with slips for its tray."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from quepu.errors import Text
from quepu.rulebooks.house_rules import book_of
from quepu.rules.play_rules import play_rules
from quepu.server.desks.working import desk_of
from quepu.server.store.values import Entry
from quepu.tournament.desk_state import Desk, DeskError, DeskRound
from quepu.tournament.duplicate import own_wall_file, own_walls, slips_page
from quepu.tournament.walls import commitment_to, wall_file

Json = dict[str, Any]


def walls(entries: Sequence[Entry], results: Mapping[str, Json], number: int, readonly: bool) -> bytes:
    """Return the walls of a round as a file.

    Raises:
        DeskError: there are none, or they are not public yet.
    """
    desk, one, secret = _find_walls(entries, results, number, readonly)
    if one.own:
        made = own_wall_file(desk.spec.title, secret, desk.spec.hands, number)
    else:
        rules = play_rules(book_of(desk.spec.rules, desk.spec.house)).table
        made = wall_file(desk.spec.title, number, secret, desk.spec.hands, rules.tiles.with_flowers(rules.flowers))
    return json.dumps(made, ensure_ascii=False, indent=1).encode()


def trays(entries: Sequence[Entry], results: Mapping[str, Json], number: int, readonly: bool, lang: str) -> bytes:
    """Return the slips by which the trays of a duplicate round are filled, as a page to print.

    Raises:
        DeskError: the round is not duplicate, or the walls are not public yet.
    """
    desk, one, secret = _find_walls(entries, results, number, readonly)
    if not one.own:
        raise DeskError("这一轮不是复式，没有牌条。", "this session is not duplicate: there are no slips.")
    title = Text(f"{desk.spec.title} 第 {number} 轮", f"{desk.spec.title}, session {number}").say(lang)
    return slips_page(title, own_walls(secret, desk.spec.hands), lang).encode()


def _find_walls(
    entries: Sequence[Entry], results: Mapping[str, Json], number: int, readonly: bool
) -> tuple[Desk, DeskRound, str]:
    """Return the tournament, a round of it, and the secret of its walls.

    Raises:
        DeskError: there are none, or they are not public yet.
    """
    desk = desk_of(entries, results)
    one = desk.begun[number - 1] if 0 < number <= len(desk.begun) else None
    secret = next(
        (
            entry.body["secret"]
            for entry in entries
            if one is not None and one.commitment and commitment_to(entry.body.get("secret", "")) == one.commitment
        ),
        None,
    )
    if one is None or secret is None:
        raise DeskError("这一轮各桌自己砌牌。", "every table builds its own walls in this session.")
    if readonly and not one.over:
        raise DeskError("这一轮打完才揭示牌墙。", "the walls are revealed when the session is over.")
    return desk, one, secret

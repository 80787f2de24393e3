"""The lines of `quepu match` that are records: who won, off whom, with what; a drawn hand; a fault; seats drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from quepu.cli.inputs import natural
from quepu.errors import Error, HandError

if TYPE_CHECKING:
    from quepu.match.match import Match
    from quepu.rulebook import Rulebook
    from quepu.server.table_messages import HandRecord, PenaltyRecord, Record

_R = TypeVar("_R", "HandRecord", "PenaltyRecord")


def player(match: Match, word: str) -> int:
    """A player by name, by number 1-4, or by the wind he holds now.

    Raises:
        Error: nobody is called so.
    """
    names = match.names
    if word in names:
        return names.index(word)
    if word in ("1", "2", "3", "4"):
        return int(word) - 1
    for winds in ("东南西北", "東南西北", "ESWN", "eswn"):
        if word in tuple(winds):
            return match.place.seats[winds.index(word)]
    listed = "、".join(names)
    raise HandError(f"没有“{word}”这位玩家：{listed}。", f"no player {word!r}: {', '.join(names)}.")


def record(match: Match, words: list[str]) -> Record:
    """A record from its words.

    Raises:
        Error: it was not understood.
    """
    from quepu.server.table_messages import PenaltyRecord, ReseatRecord

    word, rest = (words[0].lower() if words else ""), words[1:]
    if word in ("和", "胡", "w", "win"):
        if len(rest) < 3:
            raise HandError("写法：和 赢家 放铳家 点数或手牌。", "say: win WINNER DISCARDER POINTS-or-HAND.")
        return _hand(match, player(match, rest[0]), player(match, rest[1]), rest[2:])
    if word in ("自摸", "z", "draw"):
        if len(rest) < 2:
            raise HandError("写法：自摸 赢家 点数或手牌。", "say: draw WINNER POINTS-or-HAND.")
        return _hand(match, player(match, rest[0]), None, rest[1:])
    if word in ("流局", "d", "drawn"):
        return _hand(match, None, None, rest)
    if word in ("罚", "f", "fault"):
        if len(rest) < 2:
            listed = "、".join(fault.key for fault in match.rules.faults)
            raise HandError(f"写法：罚 玩家 {listed} [分数]。", f"say: fault PLAYER {listed} [POINTS].")
        amount = natural(rest[2]) if len(rest) > 2 else None
        remedied = any(w in ("已弥补", "remedied") for w in rest[2:])
        return _valid(PenaltyRecord, player=player(match, rest[0]), fault=rest[1], points=amount, remedied=remedied)
    if word in ("座", "seats"):
        if len(rest) != 4:
            raise HandError("写法：座 东家 南家 西家 北家。", "say: seats EAST SOUTH WEST NORTH.")
        return ReseatRecord(start=[player(match, w) for w in rest])
    raise HandError(
        f"没看懂“{' '.join(words)}”。输入 ? 看写法。", f"{' '.join(words)!r} was not understood; type ? for help."
    )


def _hand(match: Match, winner: int | None, discarder: int | None, words: list[str]) -> Record:
    """The end of a hand: points or tiles first, then what is said beside it."""
    from quepu.server.table_messages import HandRecord

    told: dict[str, Any] = {
        "winner": winner,
        "discarder": discarder,
        "self_draw": winner is not None and discarder is None,
    }
    rest = list(words)
    if winner is not None:
        first = rest.pop(0)
        if natural(first) is not None:
            told["points"] = natural(first)
        else:
            told["tiles"] = {"hand": first, "circumstances": [], "flowers": []}
    _beside(match, rest, told)
    return _valid(HandRecord, **told)


def _valid(shape: type[_R], **told: Any) -> _R:
    """The record of this shape.

    Raises:
        HandError: something in it is out of range; the sentence says what.
    """
    from pydantic import ValidationError

    try:
        return shape.model_validate(told)
    except ValidationError as wrong:
        where = ".".join(map(str, wrong.errors()[0]["loc"]))
        raise HandError(f"这一条的 {where} 有误。", f"{where} of this record is wrong.") from wrong


def _beside(match: Match, words: list[str], told: dict[str, Any]) -> None:
    """花2, 供 丙3 丁1, 听 乙=9, 抢杠, and circumstances of a win given with its tiles."""
    book = match.book
    reading = ""
    for word in words:
        if word in ("供", "supplied", "听", "ready"):
            reading = "supplied" if word in ("供", "supplied") else "ready"
        elif reading == "supplied" and natural(word[-1]) is not None and word[:-1]:
            told.setdefault("supplied", [0, 0, 0, 0])[player(match, word[:-1])] = int(word[-1])
        elif reading == "ready" and "=" in word:
            who, _, worth = word.partition("=")
            key, value = ("ready", natural(worth)) if natural(worth) is not None else ("ready_hands", worth)
            told.setdefault(key, [None] * 4)[player(match, who)] = value
        elif word.startswith("花") and (flowers := natural(word[1:])) is not None:
            if "tiles" in told:
                told["tiles"]["flowers"] = flowers
            told["flowers"] = flowers
        elif "tiles" in told and _is_circumstance(word, book):
            told["tiles"]["circumstances"].append(word)
        elif word == "抢杠":
            told["robbed"] = True
        else:
            raise HandError(f"没看懂“{word}”。输入 ? 看写法。", f"{word!r} was not understood; type ? for help.")


def _is_circumstance(word: str, book: Rulebook) -> bool:
    from quepu.circumstances import luck_of

    try:
        luck_of([word], book)
    except Error:
        return False
    return True

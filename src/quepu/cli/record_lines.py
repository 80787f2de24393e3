"""Lines of `quepu match` that are records: a win, a hand without a winner, a fault, new seats."""

from __future__ import annotations

from collections.abc import Sequence
from re import split
from typing import TYPE_CHECKING, Any, TypeVar

from quepu.cli.hand_words import (
    BETWEEN,
    POINTS,
    HandAdditions,
    SeenParts,
    not_understood,
    player,
    players,
    value_fields,
)
from quepu.cli.inputs import bad_name, natural
from quepu.errors import HandError, join_list
from quepu.folding import fold

if TYPE_CHECKING:
    from quepu.match.match import Match
    from quepu.scorekeeper.records import EndRecord, HandRecord, PenaltyRecord, Record, SubstituteRecord

_R = TypeVar("_R", "HandRecord", "PenaltyRecord", "SubstituteRecord", "EndRecord")
_PAID = ("给", "赔", "to")


def record(match: Match, words: list[str]) -> Record:
    """Return a record from its words.

    Raises:
        Error: it was not understood.
    """
    from quepu.scorekeeper.records import BellRecord, EndRecord, ReseatRecord, SubstituteRecord

    word, rest = (fold(words[0]) if words else ""), words[1:]
    if word in ("和", "胡", "糊", "w", "win", fold(match.rules.words.won.zh)):
        if len(rest) < 3:
            raise HandError(
                f"写法：和 和家 {match.rules.words.discarded.zh}者 点数或手牌。",
                "usage: win WINNER DISCARDER POINTS-or-HAND.",
            )
        return _hand(match, players(match, rest[0]), player(match, rest[1]), rest[2:])
    if word in ("自摸", "z", "draw"):
        if len(rest) < 2:
            raise HandError("写法：自摸 和家 点数或手牌。", "usage: draw WINNER POINTS-or-HAND.")
        winners = players(match, rest[0])
        if len(winners) > 1:
            raise HandError("自摸只有一家和牌。", "only one player wins by self-draw.")
        return _hand(match, winners, None, rest[1:])
    if word in ("流局", "荒牌", "d", "drawn", fold(match.rules.words.drawn.zh)):
        return _hand(match, (), None, rest)
    if word in ("罚", "f", "fault"):
        return _penalty(match, rest)
    if word in ("座", "seats"):
        if len(rest) != 4:
            raise HandError("写法：座 东家 南家 西家 北家。", "usage: seats EAST SOUTH WEST NORTH.")
        return ReseatRecord(start=[player(match, w) for w in rest])
    if word in ("换", "接替", "substitute"):
        if len(rest) != 2:
            raise HandError("写法：换 玩家 接替的人。", "usage: substitute PLAYER NAME.")
        return _valid(SubstituteRecord, player=player(match, rest[0]), name=rest[1])
    if word in ("止", "到此为止", "end"):
        return _valid(EndRecord, note=" ".join(rest))
    if word in ("铃", "时间到", "bell") and not rest:
        return BellRecord()
    raise not_understood(" ".join(words))


def _penalty(match: Match, words: list[str]) -> Record:
    """Read a fault: whose and which, then in any order its cost, that it was made good, and the payee."""
    from quepu.scorekeeper.records import PenaltyRecord

    if len(words) < 2 or fold(words[-1]) in _PAID:
        listed = join_list(fault.typed for fault in match.rules.faults)
        raise HandError(
            f"写法：罚 玩家 罚例 [分数] [给 玩家]，罚例有：{listed.zh}。",
            f"usage: fault PLAYER FAULT [POINTS] [to PLAYER]; faults: {listed.en}.",
        )
    once = SeenParts()
    fields: dict[str, Any] = {}
    rest = iter(words[2:])
    for word in rest:
        amount = _number(word, POINTS)
        if amount is not None:
            once("points", "分数", "the number of points")
            fields["points"] = amount
        elif fold(word) in ("已弥补", "弥补", "remedied"):
            fields["remedied"] = True
        elif fold(word) in _PAID:
            once("receiver", "赔给谁", "who is paid")
            fields["receiver"] = player(match, next(rest))
        else:
            raise not_understood(word)
    return _valid(PenaltyRecord, player=player(match, words[0]), fault=_fault(match, words[1]), **fields)


def _fault(match: Match, word: str) -> str:
    """Return a fault's key in the book; an unknown one is returned as it is, to be refused later."""
    from quepu.match.penalties import key_of

    named = {name for one in match.rules.faults for name in (one.key, *one.names)}
    return word if word in named else key_of(match.rules, word)


def _number(word: str, units: Sequence[str]) -> int | None:
    """Return a number followed by one of these units, or None."""
    unit = next((unit for unit in units if fold(word).endswith(unit)), "")
    return natural(word[: len(word) - len(unit)])


def _hand(match: Match, winners: tuple[int, ...], discarder: int | None, words: list[str]) -> Record:
    """Read the end of a hand: points or tiles first, of each winner, then its circumstances, in any order."""
    from quepu.scorekeeper.records import HandRecord

    winner = winners[0] if winners else None
    fields: dict[str, Any] = {
        "winner": winner,
        "discarder": discarder,
        "self_draw": winner is not None and discarder is None,
    }
    rest = list(words)
    if winner is not None:
        values = [value for value in split(BETWEEN, rest.pop(0)) if value]
        if len(values) != len(winners):
            raise HandError(
                f"{len(winners)} 家和，写了 {len(values)} 个点数或手牌：每家一个，用逗号隔开。",
                f"{len(winners)} players win, but {len(values)} numbers or hands are given: one for each, with commas.",
            )
        each = [_value_or_tiles(match, value) for value in values]
        fields.update(each[0])
        if len(each) > 1:
            fields["also"] = [{"winner": who, **value} for who, value in zip(winners[1:], each[1:], strict=True)]
    HandAdditions(match, fields).read(rest)
    return _valid(HandRecord, **fields)


def _value_or_tiles(match: Match, word: str) -> dict[str, Any]:
    """Read the value of a hand, or its tiles."""
    value = value_fields(match, word)
    return {"tiles": {"hand": word, "circumstances": [], "flowers": []}} if value is None else dict(value)


def _valid(shape: type[_R], **fields: Any) -> _R:
    """Validate a record.

    Raises:
        HandError: something in it is out of range; the sentence says what.
    """
    from pydantic import ValidationError

    try:
        return shape.model_validate(fields)
    except ValidationError as wrong:
        where = str(wrong.errors()[0]["loc"][0])
        if where == "name":
            raise bad_name(wrong) from wrong
        called = _CALLED.get(where, where)
        raise HandError(f"{called}有误，或数值太大。", f"{where} of this record is invalid or too large.") from wrong


_CALLED = {
    "points": "点数", "fan": "番数", "flowers": "花牌", "supplied": "供的张数", "ready": "听牌的点数",
    "ready_fan": "听牌的番数", "ready_hands": "听牌的手牌", "seen": "见到的牌", "tiles": "手牌", "fault": "罚例名",
}  # fmt: skip

"""A review of a hand or log as plain data, as the server stores it and the terminal prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quepu.match.log import PlayedHand, Replay
from quepu.review import MISTAKES
from quepu.review.choice_words import choice_text, fan_names, outlook, value_text
from quepu.review.grades import grade, interval_of, mistake_of, report, word_of
from quepu.review.insight import Side
from quepu.review.rated_decisions import Decision, decisions
from quepu.review.sentences import leads, reason
from quepu.review.valuation import RatedAction
from quepu.rules.rulebook import Rulebook
from quepu.tiles import NAMES, WINDS

MOST_SHOWN = 14


def review_hand(hand: PlayedHand, book: Rulebook, only: int | None = None) -> dict[str, Any]:
    """Return every decision of a hand (or of one seat), and how each seat played it; see `reviewed`.

    Examples:
        >>> from quepu.arena import match
        >>> from quepu.match import read_log
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> hand = read_log("match.jsonl").hands[0]
        >>> reviewed = review_hand(hand, played.book, only=0)
        >>> reviewed["decisions"][0]["grade"], reviewed["seats"][0]["letter"]
        ('blunder', 'C')
    """
    return encode_review(hand, decisions(hand, book, only))


def encode_review(hand: PlayedHand, made: list[Decision]) -> dict[str, Any]:
    """Return a hand with its decisions, from any source.

    {"hand", "decisions": [{"frame", "seat", "kind", "grade", "word", "mistake", "loss", "cost", "interval", "chosen",
    "choices", "best", "taken", "why", "leads"}], "seats"}
    """
    return {
        "hand": hand.number,
        "decisions": [_decision(one) for one in made],
        "seats": [
            {
                "seat": WINDS[seat],
                "player": hand.place.seats[seat],
                "decisions": graded.decisions,
                "share": round(graded.mean_share, 4),
                "letter": graded.letter,
                "mistakes": graded.mistakes,
                "blunders": graded.blunders,
                "cost": round(graded.cost, 2),
                "kinds": [
                    {"kind": kind, "name": MISTAKES[kind]._asdict(), "count": count}
                    for kind, count in graded.kinds.items()
                ],
            }
            for seat, graded in ((seat, report(made, seat)) for seat in range(4))
        ],
    }


def review_log(replay: Replay) -> Iterator[dict[str, Any]]:
    """Yield each hand of a log in order.

    Examples:
        >>> from quepu.arena import match
        >>> from quepu.match import read_log
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> next(review_log(read_log("match.jsonl")))["hand"]
        1
    """
    for hand in replay.hands:
        yield review_hand(hand, replay.book)


def _decision(one: Decision) -> dict[str, Any]:
    word, wrong, seen, sure = grade(one), mistake_of(one), one.insight, interval_of(one)
    return {
        "frame": one.frame,
        "seat": WINDS[one.seat],
        "kind": one.kind,
        "grade": word,
        "word": word_of(one)._asdict(),
        "mistake": None if wrong is None else {"kind": wrong, "name": MISTAKES[wrong]._asdict()},
        "loss": round(one.loss, 4),
        "cost": 0.0 if seen is None else round(seen.cost, 2),
        "interval": None if sure is None else [round(sure.low, 2), round(sure.high, 2)],
        "chosen": one.chosen,
        "choices": [choice_json(choice) for choice in one.choices[:MOST_SHOWN]],
        "best": None if seen is None else side_json(seen.best),
        "taken": None if seen is None or not one.chosen else side_json(seen.taken),
        "why": reason(one)._asdict(),
        "leads": leads(one)._asdict(),
    }


def side_json(one: Side) -> dict[str, Any]:
    """Return a choice in detail as plain data."""
    return {
        "aims": [
            {**aim.to_json(), "value": value_text(aim.score)._asdict(), "fans": fan_names(aim.score)._asdict()}
            for aim in one.aims
        ],
        "by_turn": [[turn, round(ready, 3), round(won, 3)] for turn, ready, won in one.by_turn],
    }


def _name(tile: int | None) -> str | None:
    return None if tile is None else NAMES[tile]


def choice_json(choice: RatedAction) -> dict[str, Any]:
    """Return a choice as plain data."""
    action = choice.action
    return {
        "do": action.do.value,
        "tile": _name(action.tile),
        "low": _name(action.low),
        "then": _name(choice.then),
        "text": choice_text(choice)._asdict(),
        "outlook": outlook(choice)._asdict(),
        "share": round(choice.share, 4),
        "missing": choice.missing,
        "useful": [NAMES[kind] for kind in choice.useful],
        "left": choice.left,
        "reach": round(choice.reach, 1),
        "points": choice.points,
        "chance": round(choice.chance, 3),
        "expected": round(choice.expected, 2),
        "danger": round(choice.danger, 4),
    }

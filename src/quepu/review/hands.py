"""Review of a hand or log as plain data, which the server stores and the terminal prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quepu.match.log import PlayedHand, Replay
from quepu.review.grades import WORDS, grade, report
from quepu.review.rated_decisions import Decision, decisions
from quepu.review.valuation import RatedAction
from quepu.review.words import choice_text, outlook, reason
from quepu.rules.rulebook import Rulebook
from quepu.tiles import NAMES, WINDS

MOST_SHOWN = 14


def review_hand(hand: PlayedHand, book: Rulebook) -> dict[str, Any]:
    """Every decision of a hand, and how each seat played it; see `reviewed`."""
    return reviewed(hand, decisions(hand, book))


def reviewed(hand: PlayedHand, made: list[Decision]) -> dict[str, Any]:
    """A hand with its decisions, however they were made.

    {"hand", "decisions": [{"frame", "seat", "kind", "grade", "word", "loss", "chosen", "choices", "why"}], "seats"}
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
            }
            for seat, graded in ((seat, report(made, seat)) for seat in range(4))
        ],
    }


def review_log(replay: Replay) -> Iterator[dict[str, Any]]:
    """Each hand of a log in order."""
    for hand in replay.hands:
        yield review_hand(hand, replay.book)


def _decision(one: Decision) -> dict[str, Any]:
    word = grade(one)
    return {
        "frame": one.frame,
        "seat": WINDS[one.seat],
        "kind": one.kind,
        "grade": word,
        "word": WORDS[word]._asdict(),
        "loss": round(one.loss, 4),
        "chosen": one.chosen,
        "choices": [choice_json(choice) for choice in one.choices[:MOST_SHOWN]],
        "why": reason(one)._asdict(),
    }


def _name(tile: int | None) -> str | None:
    return None if tile is None else NAMES[tile]


def choice_json(choice: RatedAction) -> dict[str, Any]:
    """A choice as plain data."""
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
    }

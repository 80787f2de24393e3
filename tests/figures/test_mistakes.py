"""What reviews found adds up: over matches, by kind, with the costliest first."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from quepu.figures.mistakes import WORST, Mistakes, merge_mistakes, of_reviews
from quepu.review import MISTAKES

NAMES = ["甲", "乙", "丙", "丁"]


def hands(rng: random.Random, count: int) -> list[dict[str, Any]]:
    """Reviewed hands as `quepu.review.encoded` returns them, as far as they are read here."""
    made = []
    for number in range(1, count + 1):
        decisions = []
        for frame in range(rng.randrange(20)):
            grade = rng.choice(("best", "good", "slip", "mistake", "blunder"))
            bad = grade in ("slip", "mistake", "blunder")
            decisions.append({
                "frame": frame, "seat": rng.choice("ESWN"), "grade": grade,
                "mistake": {"kind": rng.choice(list(MISTAKES))} if bad else None,
                "cost": rng.randrange(1, 400) / 10 if bad else 0.0, "why": {"zh": f"第{frame}", "en": f"at {frame}"},
            })  # fmt: skip
        seats = []
        for player, seat in enumerate("ESWN"):
            mine = [one for one in decisions if one["seat"] == seat]
            grades = [one["grade"] for one in mine]
            seats.append({
                "seat": seat, "player": (player + number) % 4, "decisions": len(mine), "share": 0.5,
                "mistakes": grades.count("mistake"), "blunders": grades.count("blunder"),
            })  # fmt: skip
        made.append({"hand": number, "decisions": decisions, "seats": seats})
    return made


def test_sums_of_matches_are_those_of_all_hands() -> None:
    rng = random.Random(3)
    matches = [hands(rng, 6) for _ in range(5)]
    whole = merge_mistakes(
        of_reviews(dict.fromkeys(range(1, 99), NAMES), match, at=f"m{n}", when=float(n))
        for n, match in enumerate(matches)
    )
    for player, name in enumerate(NAMES):
        mine, lost = [], []
        for n, match in enumerate(matches):
            for hand in match:
                seat = next(line["seat"] for line in hand["seats"] if line["player"] == player)
                own = [one for one in hand["decisions"] if one["seat"] == seat]
                mine += [(f"m{n}", hand["hand"], one) for one in own]
                if own:
                    lost.append(sum(one["cost"] for one in own))
        bad = [(at, number, one) for at, number, one in mine if one["grade"] in ("mistake", "blunder")]
        found = whole[name]
        assert found.decisions == len(mine)
        assert found.hands == len(lost)
        assert found.mistakes + found.blunders == len(bad)
        assert found.cost == pytest.approx(sum(lost))
        assert found.squares == pytest.approx(sum(one * one for one in lost))
        assert sum(count for count, _ in found.kinds.values()) == len(bad)
        assert sum(cost for _, cost in found.kinds.values()) == pytest.approx(sum(one["cost"] for *_, one in bad))
        costs = sorted((one["cost"] for *_, one in bad), reverse=True)[:WORST]
        assert [one.cost for one in found.worst] == costs
        assert {(one.at, one.hand, one.frame) for one in found.worst} <= {(a, n, one["frame"]) for a, n, one in bad}
        assert [point.at for point in found.curve] == [f"m{n}" for n in range(5)]
        again = Mistakes.from_json(json.loads(json.dumps(found.to_json())))
        assert again == found
        shown = found.figures()
        assert shown["rate"]["low"] < shown["rate"]["share"] < shown["rate"]["high"]
        assert shown["cost"]["low"] < shown["cost"]["mean"] < shown["cost"]["high"]
        assert json.loads(json.dumps(shown)) == shown


def test_a_single_hand_has_no_interval() -> None:
    found = of_reviews(dict.fromkeys(range(1, 99), NAMES), hands(random.Random(8), 1))
    assert all(one.figures()["cost"]["high"] is None for one in found.values())

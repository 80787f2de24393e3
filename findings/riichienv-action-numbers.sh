#!/usr/bin/env bash
# RiichiEnv gives each action a number for nets. Is the action that a number stands for the one that was numbered?
#
# Version: riichienv 0.4.11 (PyPI), `Action.encode` and `Observation.find_action`, 80 games by random numbers of the mask.
# Guess: a legal action comes back from its number, at least as the same tiles in the same move.
# Behaviour: there are 82 numbers for more moves. A red five has the number of the other fives: a discard by number keeps the red
#     one, a chow by number takes it out of the hand. A drawn tile of which the hand has a copy has that copy's number, so the drawn one is
#     never the tile discarded: "tsumogiri" is then false. Records that pass through these numbers lose which five was
#     discarded and whether a tile was just drawn, from which others read hands; and a uniform choice from `legal_actions`, which lists
#     each copy, prefers pairs and triplets to single tiles: a random player should choose among numbers.
# Seen:
#     a discard of red or other fives: other; a chow: red
#     a tile drawn beside a copy in the hand: never the one discarded, never "tsumogiri" in the log
#     copies of a tile in legal_actions, as numbers: 1
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check riichienv==0.4.11 numpy
found=$("$work/venv/bin/python" - <<'PYTHON'
import json
from collections import defaultdict

import numpy as np
from riichienv import RiichiEnv

RED = (16, 52, 88)
random = np.random.default_rng(1)
env = RiichiEnv()
fives = defaultdict(set)
from_draw = tsumogiri = beside = 0
copies = set()

for seed in range(80):
    observations = env.reset(seed=seed)
    while not env.done():
        actions, watched = {}, None
        for seat, seen in observations.items():
            numbers = np.flatnonzero(np.frombuffer(seen.mask(), np.uint8))
            meant = defaultdict(list)
            for action in seen.legal_actions():
                meant[action.encode()].append(action)
            for number, same in meant.items():
                back = seen.find_action(number)
                kind = json.loads(back.to_mjai())["type"]
                reds = {bool({*(one.consume_tiles or [one.tile])} & {*RED}) for one in same}
                if len(reds) == 2:
                    fives[kind].add("red" if {*(back.consume_tiles or [back.tile])} & {*RED} else "other")
                elif kind == "dahai" and len(same) > 1:
                    copies.add(1)
            actions[seat] = seen.find_action(int(random.choice(numbers)))
            drawn = seen.drawn_tile
            played = actions[seat]
            plain = drawn is not None and drawn not in RED
            free = [one.tile for one in seen.legal_actions() if one.tile is not None and not one.consume_tiles and one.tile not in RED]
            twin = plain and drawn in free and any(tile // 4 == drawn // 4 and tile != drawn for tile in free)
            if twin and json.loads(played.to_mjai())["type"] == "dahai" and played.tile // 4 == drawn // 4 and played.tile not in RED:
                watched = seat
                beside += 1
                from_draw += played.tile == drawn
        before = len(env.mjai_log)
        observations = env.step(actions)
        if watched is not None:
            said = next(event for event in env.mjai_log[before:] if event["type"] == "dahai" and event["actor"] == watched)
            tsumogiri += said["tsumogiri"]

assert beside > 50
names = {"dahai": "a discard of red or other fives", "chi": "a chow"}
print("; ".join(f"{name}: {' or '.join(sorted(fives[kind]))}" for kind, name in names.items()))
print(
    "a tile drawn beside a copy in the hand:",
    f"{'sometimes' if from_draw else 'never'} the one discarded, {'sometimes' if tsumogiri else 'never'} \"tsumogiri\" in the log",
)
print("copies of a tile in legal_actions, as numbers:", *copies)
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

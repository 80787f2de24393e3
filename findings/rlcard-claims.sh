#!/usr/bin/env bash
# Which discards may a player of RLCard's environment "mahjong" claim for a chow, and what does the observation say about it?
#
# Version: rlcard 1.2.0 (PyPI), 400 games of random players.
# Guess: the next player may claim a chow in each of its three places; the observation names the tile, and its melds start with the player's own.
# Behaviour: the discard must be the highest tile of the chow, or a 1: 4 and 6 never take a 5. A player with 1 and 9 of a suit may claim
#     a 2, and the meld then has two tiles. Seat 0 may never claim a chow, as no seat has the number -1. Discards are one heap without an
#     order, so at a claim the observation does not say which tile is offered. Melds stand in the order of seats, and nothing
#     says which seat is the player's own. A net shared by four players, or one moved to another seat, learns from observations that mean
#     something else for each seat; its claims do not carry over to a table that plays by a rulebook.
# Seen:
#     claims of chows by seat: 0 in seat 0, some in seats 1, 2 and 3
#     own tiles and the discard: 1+2 12+3 23+1 23+4 34+5 45+6 56+7 67+8 78+9
#     the order of melds depends on the player: no
#     the observation depends on the order of discards: no
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check rlcard==1.2.0
found=$("$work/venv/bin/python" - <<'PYTHON'
import numpy as np
import rlcard

env = rlcard.make("mahjong", config={"seed": 3})
random = np.random.default_rng(1)
chow = env.action_id["chow"]
seats, places = [0] * 4, set()
turned = ordered = False

for _ in range(400):
    state, player = env.reset()
    while not env.is_over():
        raw = state["raw_obs"]
        if chow in state["legal_actions"]:
            *own, taken = (card.trait for card in raw["action_cards"])
            seats[player] += 1
            places.add(f"{''.join(own)}+{taken}")
        for seat, melds in raw["players_pile"].items():
            held = {(card.get_str(), n) for meld in melds for n, card in enumerate(meld)}
            kinds = {env.action_id[name] for name, _ in held}
            turned |= set(np.flatnonzero(state["obs"][2 + seat].any(1))) != kinds
        table = env.game.dealer.table
        if len(table) > 2:
            table.reverse()
            ordered |= not np.array_equal(env._extract_state(env.game.get_state(player))["obs"], state["obs"])
            table.reverse()
        state, player = env.step(int(random.choice(list(state["legal_actions"]))))

assert all(seats[1:])
print(f"claims of chows by seat: {seats[0]} in seat 0, some in seats 1, 2 and 3")
print("own tiles and the discard:", *sorted(places))
print("the order of melds depends on the player:", "yes" if turned else "no")
print("the observation depends on the order of discards:", "yes" if ordered else "no")
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

#!/usr/bin/env bash
# Do two policies that play a match from one seed meet the same walls, and what does a masked action cost?
#
# Version: mahjax 0.1.6 (PyPI; riichi on arrays of JAX), with jax and jaxlib 0.10.2 and numpy 2.3.5.
# Guess: with the same key for `init` and the same keys for `step`, both policies play the same hands one after another, so their
#     difference is not luck; a masked action ends the game with a penalty, and the four rewards add up to 0.
# Behaviour: a hand is dealt from the key of the step that ended the one before it. Policies need different numbers of steps, so from
#     the second hand on they get other walls, although every key was the same. A key by hand (fold_in of the number of the hand)
#     gives every policy the same walls; no other step uses its key.
#     Rewards count hundreds of points. A masked action ends the match, costs its player 1 (100 points), and pays each of the
#     others 3, together +8; noten payments of 1,000 cost 10. For a losing policy an illegal move is the cheapest way out: use the mask.
# Seen:
#     walls of three hands, a key for each step: [True, False, False]
#     walls of three hands, a key for each hand: [True, True, True]
#     masked action of player 3: rewards [3.0, 3.0, 3.0, -1.0], terminated
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check mahjax==0.1.6 jax==0.10.2 jaxlib==0.10.2 numpy==2.3.5
found=$("$work/venv/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
import mahjax
import numpy as np

table = mahjax.make("no_red_mahjong", round_mode="east")
deal, step = jax.jit(table.init), jax.jit(table.step)
seed, other = jax.random.PRNGKey(0), jax.random.PRNGKey(99)


def legal(state):
    return np.asarray(state.legal_action_mask)


def walls(policy, key):
    state, steps = deal(seed), 0
    seen = [np.asarray(state.round_state.deck)]
    while len(seen) < 3:
        state = step(state, jnp.int32(policy(np.flatnonzero(legal(state)))), key(steps, len(seen)))
        steps += 1
        wall = np.asarray(state.round_state.deck)
        if not np.array_equal(wall, seen[-1]):
            seen.append(wall)
    return seen


def compare(key):
    return [np.array_equal(one, two) for one, two in zip(walls(min, key), walls(max, key), strict=True)]


by_step = compare(lambda steps, hands: jax.random.fold_in(other, steps))
by_hand = compare(lambda steps, hands: jax.random.fold_in(other, hands))
print(f"walls of three hands, a key for each step: {by_step}")
print(f"walls of three hands, a key for each hand: {by_hand}")

state = deal(seed)
after = step(state, jnp.int32(np.flatnonzero(~legal(state))[0]), other)
ended = "terminated" if after.terminated else "goes on"
print(f"masked action of player {state.current_player}: rewards {after.rewards.tolist()}, {ended}")
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

#!/usr/bin/env bash
# In a game of turns, what does the mask of legal actions say to a player whose turn it is not?
#
# Versions: pettingzoo 1.27.0, rlcard 1.2.0, pygame 2.6.1 (PyPI): PettingZoo's own games, 50 each, as they are (AEC) and by
#     turn_based_aec_to_parallel, which asks every player in each step.
# Guess: nothing is legal out of turn, so a mask that allows something means that the player decides.
# Behaviour: so it is in connect_four and tictactoe. The games made of RLCard show every player a mask that allows something: in leduc and
#     texas hold'em each player sees that of the one who acts, in each step. Through the wrapper the other's action is then
#     dropped without a word, and half of the "decisions" collected by mask were never played. Ask `infos[player]["active_agent"]`, which
#     the wrapper adds, or `env.agent_selection`, not the mask.
# Seen:
#     connect_four_v3: out of turn something is legal never; the mask of the one who acts: no
#     tictactoe_v3: out of turn something is legal never; the mask of the one who acts: no
#     leduc_holdem_v4: out of turn something is legal always; the mask of the one who acts: yes
#     texas_holdem_v4: out of turn something is legal always; the mask of the one who acts: yes
#     texas_holdem_no_limit_v6: out of turn something is legal always; the mask of the one who acts: yes
#     leduc_holdem_v4 by the wrapper: 2 players may act in each step, 1 action counts
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check pettingzoo==1.27.0 rlcard==1.2.0 pygame==2.6.1
found=$("$work/venv/bin/python" -W ignore - 2>"$work/errors" <<'PYTHON'
from importlib import import_module

import numpy as np
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

NAMES = ("connect_four_v3", "tictactoe_v3", "leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
random = np.random.default_rng(1)


def game(name: str):
    return import_module(f"pettingzoo.classic.{name}").raw_env()


def drawn(mask: np.ndarray) -> int:
    return int(random.choice(np.flatnonzero(mask)))


for name in NAMES:
    env, allowed, same = game(name), [], []
    for seed in range(50):
        env.reset(seed=seed)
        while not any([*env.terminations.values(), *env.truncations.values()]):
            acting = env.agent_selection
            mask = env.observe(acting)["action_mask"]
            for other in env.agents:
                if other != acting:
                    out_of_turn = env.observe(other)["action_mask"]
                    allowed.append(out_of_turn.any())
                    same.append(np.array_equal(out_of_turn, mask))
            env.step(drawn(mask))
    often = "always" if all(allowed) else "sometimes" if any(allowed) else "never"
    shown = "yes" if all(same) else "sometimes" if any(same) else "no"
    print(f"{name}: out of turn something is legal {often}; the mask of the one who acts: {shown}")

may, counted = set(), set()
for seed in range(50):
    parallel = turn_based_aec_to_parallel(game("leduc_holdem_v4"))
    alone = game("leduc_holdem_v4")
    seen, _ = parallel.reset(seed=seed)
    alone.reset(seed=seed)
    while parallel.agents:
        may.add(sum(one["action_mask"].any() for one in seen.values()))
        acting = parallel.aec_env.agent_selection
        chosen = {player: drawn(one["action_mask"]) for player, one in seen.items()}
        seen, rewards, *_ = parallel.step(chosen)
        alone.step(chosen[acting])
        equal = all(
            np.array_equal(seen[player]["observation"], alone.observe(player)["observation"]) for player in parallel.agents
        )
        counted.add(1 if equal else 2)
print(f"leduc_holdem_v4 by the wrapper: {', '.join(map(str, may))} players may act in each step, {', '.join(map(str, counted))} action counts")
PYTHON
) || { cat "$work/errors"; exit 1; }
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

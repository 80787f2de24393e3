#!/usr/bin/env bash
# Environments of card games and board games offer a mask of legal actions inside a dictionary of observations. Which of SuperSuit's
# wrappers take them?
#
# Version: SuperSuit 3.11.0, pettingzoo 1.27.0, rlcard 1.2.0, pygame 2.6.1 (PyPI), PettingZoo's own environments with masks.
# Guess: the wrappers of observations work on the entry "observation" and pass "action_mask" through, as PettingZoo's documents describe
#     this form of observations; if not, they refuse it with a sentence about dictionaries.
# Behaviour: no wrapper of observations takes a dictionary. Three say that they only take Box (and Discrete); three end in an
#     AttributeError about `low`. Wrappers of actions, rewards and time pass both entries through. Whoever trains with masks stacks and
#     flattens observations in the environment itself, or wraps a single-agent environment whose mask stands elsewhere.
# Seen:
#     connect_four_v3 frame_stack_v1: AssertionError
#     connect_four_v3 pad_observations_v0: AssertionError
#     connect_four_v3 agent_indicator_v0: AssertionError
#     connect_four_v3 dtype_v0: AttributeError
#     connect_four_v3 flatten_v0: AttributeError
#     connect_four_v3 normalize_obs_v0: AttributeError
#     connect_four_v3 sticky_actions_v0: action_mask, observation
#     connect_four_v3 clip_reward_v0: action_mask, observation
#     connect_four_v3 delay_observations_v0: action_mask, observation
#     leduc_holdem_v4 frame_stack_v1: AssertionError
#     leduc_holdem_v4 pad_observations_v0: AssertionError
#     leduc_holdem_v4 agent_indicator_v0: AssertionError
#     leduc_holdem_v4 dtype_v0: AttributeError
#     leduc_holdem_v4 flatten_v0: AttributeError
#     leduc_holdem_v4 normalize_obs_v0: AttributeError
#     leduc_holdem_v4 sticky_actions_v0: action_mask, observation
#     leduc_holdem_v4 clip_reward_v0: action_mask, observation
#     leduc_holdem_v4 delay_observations_v0: action_mask, observation
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check SuperSuit==3.11.0 pettingzoo==1.27.0 rlcard==1.2.0 pygame==2.6.1
found=$("$work/venv/bin/python" -W ignore - 2>"$work/errors" <<'PYTHON'
import supersuit
from pettingzoo.classic import connect_four_v3, leduc_holdem_v4

OBSERVATIONS = [
    ("frame_stack_v1", (2,)), ("pad_observations_v0", ()), ("agent_indicator_v0", ()),
    ("dtype_v0", ("float32",)), ("flatten_v0", ()), ("normalize_obs_v0", ()),
]
OTHERS = [("sticky_actions_v0", (0.5,)), ("clip_reward_v0", ()), ("delay_observations_v0", (1,))]

for game in (connect_four_v3, leduc_holdem_v4):
    for name, options in OBSERVATIONS + OTHERS:
        try:
            env = getattr(supersuit, name)(game.env(), *options)
            env.reset(seed=1)
            said = ", ".join(sorted(env.last()[0]))
        except (AssertionError, AttributeError) as refused:
            said = type(refused).__name__
        print(f"{game.__name__.rsplit('.')[-1]} {name}: {said}")
PYTHON
) || { cat "$work/errors"; exit 1; }
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

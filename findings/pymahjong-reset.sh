#!/usr/bin/env bash
# Two policies are compared on the same deal, and a hand in the middle of a match is played from the scores it began with.
# Does a reinforcement-learning table of mahjong allow both?
#
# Version: pymahjong 1.1.2 (PyPI; the table of VLOG, "Variational Oracle Guiding", ICLR 2022), with gymnasium 1.3.0 and numpy 2.3.5.
# Guess: `reset(seed=7)` deals the same hand each time, as gymnasium promises; `reset(scores=…)` sets the scores from which
#     `get_payoffs()` counts.
# Behaviour: the documented seed raises AttributeError (the compiled table has no such attribute), so no deal can be asked for twice
#     and no two policies meet on the same walls. Payoffs count from 25,000 whatever the scores were: a hand that begins at 30,000 and
#     20,000 and changes nothing pays +5,000 and -5,000, so subtract the scores given to `reset` yourself. And the dealer
#     moves on with each reset of an object (so its help says), so the second hand differs even without chance: pass `oya`.
# Seen:
#     a seed: AttributeError
#     gains of a hand that paid nothing: [5000, -5000, 5000, -5000]
#     dealers of five resets: [0, 1, 2, 3, 0]
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check pymahjong==1.1.2 gymnasium==1.3.0 numpy==2.3.5
cat >"$work/look.py" <<'PY'
import random

import pymahjong

table = pymahjong.MahjongEnv()
try:
    table.reset(seed=7)
    print("a seed: accepted")
except AttributeError as error:
    print(f"a seed: {type(error).__name__}")

random.seed(1)
began = [30_000, 20_000, 30_000, 20_000]
while True:  # until a hand is drawn and all or none are ready, so that nobody pays
    table.reset(scores=list(began), oya=0)
    while not table.is_over():
        table.step(table.get_curr_player_id(), int(random.choice(table.get_valid_actions())))
    if list(table.t.get_result().score) == began:
        break
print(f"gains of a hand that paid nothing: {[int(gain) for gain in table.get_payoffs()]}")

fresh = pymahjong.MahjongEnv()
dealers = []
for _ in range(5):
    fresh.reset()
    dealers.append(fresh.t.oya)
print(f"dealers of five resets: {dealers}")
PY
found=$("$work/venv/bin/python" "$work/look.py")
echo "$found"
[ "$found" = "a seed: AttributeError
gains of a hand that paid nothing: [5000, -5000, 5000, -5000]
dealers of five resets: [0, 1, 2, 3, 0]" ]

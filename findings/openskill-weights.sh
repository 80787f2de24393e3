#!/usr/bin/env bash
# A substitute played half the match. How does a weight of one half change the ratings of a table of four?
#
# Version: openskill 6.2.0 (PyPI), four new players, ranks 1 to 4, `rate(…, weights=…)` with one player a team.
# Guess: the substitute's rating changes half as much and the others' as before; equal weights change nothing.
# Behaviour: a weight is compared within its team only. Alone in a team any weight means the same, 0.5 or 2, so none of them is a
#     share of the match; but as soon as weights are given, whoever gains gains twice as much and whoever loses loses half.
#     So ratings rise from match to match: the sum of four changes is 0.00 without weights and above 0 with them. Leave weights out for single
#     players, and decide outside of the library whether part of a match counts.
# Seen:
#     BradleyTerryPart without weights: +2.64 +0.88 -0.88 -2.64, sum +0.00
#     BradleyTerryPart weights 1 1 1 1: +5.27 +1.76 -0.44 -1.32, sum +5.27
#     BradleyTerryPart weights 1 1 1 0.5: +5.27 +1.76 -0.44 -1.32, sum +5.27
#     BradleyTerryPart weights 0.5 1 1 2: +5.27 +1.76 -0.44 -1.32, sum +5.27
#     PlackettLuce without weights: +2.80 +1.55 -0.31 -4.04, sum +0.00
#     PlackettLuce weights 1 1 1 1: +5.59 +3.11 -0.16 -2.02, sum +6.52
#     PlackettLuce weights 1 1 1 0.5: +5.59 +3.11 -0.16 -2.02, sum +6.52
#     PlackettLuce weights 0.5 1 1 2: +5.59 +3.11 -0.16 -2.02, sum +6.52
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check openskill==6.2.0
found=$("$work/venv/bin/python" - <<'PYTHON'
import openskill.models as models


def changes(name: str, weights: list[float] | None) -> str:
    model = getattr(models, name)()
    given = {} if weights is None else {"weights": [[weight] for weight in weights]}
    after = model.rate([[model.rating()] for _ in range(4)], ranks=[1, 2, 3, 4], **given)
    found = [player.mu - model.mu for (player,) in after]
    return f"{' '.join(f'{change:+.2f}' for change in found)}, sum {round(sum(found), 2) + 0.0:+.2f}"


for name in ("BradleyTerryPart", "PlackettLuce"):
    print(f"{name} without weights: {changes(name, None)}")
    for weights in ([1, 1, 1, 1], [1, 1, 1, 0.5], [0.5, 1, 1, 2]):
        print(f"{name} weights {' '.join(map(str, weights))}: {changes(name, weights)}")
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

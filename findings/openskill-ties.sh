#!/usr/bin/env bash
# At a table of four two players share the first place: A = B > C > D. Who gains rating?
#
# Version: openskill 6.2.0 (PyPI), new players, ranks 1, 1, 3, 4.
# Guess: in each model A and B gain the same, and more than C; with equal ratings C, who lost to two and beat one, loses.
# Behaviour: Plackett-Luce gives C exactly as much as the tied winners. Without the tie the second gains and the third loses. The
#     Bradley-Terry and Thurstone-Mosteller models are as guessed (quepu rates by BradleyTerryPart).
# Seen:
#     PlackettLuce A=B>C>D: +0.93 +0.93 +0.93 -2.80
#     PlackettLuce A>B>C>D: +2.80 +1.55 -0.31 -4.04
#     BradleyTerryFull A=B>C>D: +5.27 +5.27 -2.64 -7.91
#     BradleyTerryPart A=B>C>D: +1.76 +1.76 -0.88 -2.64
#     ThurstoneMostellerFull A=B>C>D: +8.46 +8.46 -4.23 -12.69
#     ThurstoneMostellerPart A=B>C>D: +1.41 +1.41 -0.70 -2.11
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check openskill==6.2.0
found=$("$work/venv/bin/python" - <<'PYTHON'
import openskill.models as models


def changes(name: str, ranks: list[float]) -> str:
    model = getattr(models, name)()
    after = model.rate([[model.rating()] for _ in ranks], ranks=ranks)
    return " ".join(f"{player.mu - model.mu:+.2f}" for (player,) in after)


TIED, CLEAR = [1, 1, 3, 4], [1, 2, 3, 4]
print("PlackettLuce A=B>C>D:", changes("PlackettLuce", TIED))
print("PlackettLuce A>B>C>D:", changes("PlackettLuce", CLEAR))
for name in ("BradleyTerryFull", "BradleyTerryPart", "ThurstoneMostellerFull", "ThurstoneMostellerPart"):
    print(f"{name} A=B>C>D:", changes(name, TIED))
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

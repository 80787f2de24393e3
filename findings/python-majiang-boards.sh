#!/usr/bin/env bash
# Can two recorded hands of 国标 be open at once, and do two libraries give the same fans the same points?
#
# Versions: python-majiang 0.0.1 (records of hands in its text form PMN; points of 82 fans), PyMahjongGB 1.4.0 (scores hands), both from PyPI.
# Guess: each `Board` holds its own tiles; a fan has the same points in both.
# Behaviour: all boards of a process share one set of tiles, so the second adds its deal to that of the first: East then shows 26 tiles,
#     without an error. Read each record in a process of its own. In the table of points 双暗杠 is 8, as in the text of 1998 and in Europe,
#     where PyMahjongGB has the 6 of online platforms; and 断幺 is 1, which is 2 in all of these. Do not add up fans with that table.
# Seen:
#     tiles of East: 13, after another board: 26
#     双暗杠 8 and 6, 断幺 1 and 2
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check python-majiang==0.0.1 PyMahjongGB==1.4.0
cat >"$work/hand.pmn" <<'PMN'
[Event "Evening"]
[Site "Club"]
[Date "2026.11.30"]
[Board "1"]
[PWind "E"]
[East "A"]
[South "B"]
[West "C"]
[North "D"]
[Deal "c123456789d123bw1rf cd456789b123456w2rf c123456789db789w3rf cd123456789b123w4rf"]
[Scoring "Normal"]
[Starting "0 0 0 0"]
[Play "T0w1H0w1"]
[Result "93 -31 -31 -31"]
[Penalty "0 0 0 0"]
[Fan "28/1.56/1.70/1.75/1.79/1 None None None"]
PMN
found=$("$work/venv/bin/python" - "$work/hand.pmn" <<'PYTHON'
import sys

from majiang import Board
from majiang.consts import FAN_NAME_ZH, FANZHONG_POINT
from MahjongGB import MahjongFanCalculator

first = Board(sys.argv[1])
dealt = len(first.get_private_tile_list(0))
second = Board(sys.argv[1])
print(f"tiles of East: {dealt}, after another board: {len(second.get_private_tile_list(0))}")

POINTS = dict(zip(FAN_NAME_ZH, FANZHONG_POINT, strict=True))
scored = MahjongFanCalculator(
    (("GANG", "W2", 0), ("GANG", "T4", 0)), (*"B3 B4 B6 B7 B8 W8 W8".split(),), "B5", 0, True, False, False, False, 2, 2, True
)
theirs = {name: value for value, _, name, _ in scored}
print(", ".join(f"{name} {POINTS[name]} and {theirs[name]}" for name in ("双暗杠", "断幺")))
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

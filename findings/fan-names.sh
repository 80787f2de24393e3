#!/usr/bin/env bash
# Can the fans that one library of 国标 finds be looked up by their Chinese names in the table of another?
#
# Versions: PyMahjongGB 1.4.0 (scores hands), python-majiang 0.0.1 (writes records; a table of 82 names and their points), both from PyPI.
# Guess: the 81 fans have one official name each, so a join by name loses nothing.
# Behaviour: four rows have no partner, with a score of 1, 1, 1 and 5 points. The waits are 独听・边张, 独听・嵌张 and 独听・单钓 in PyMahjongGB (with the
#     katakana middle dot U+30FB, not U+00B7) and 边张, 坎张 and 单调将 in python-majiang; 明暗杠 is 一明一暗杠 there.
#     A join that drops unknown names shows too few points for every hand that scores its single wait. Map those names first.
# Seen:
#     独听・边张 1 missing
#     独听・嵌张 1 missing
#     独听・单钓 1 missing
#     明暗杠 5 missing
#     U+30FB in the names of waits; python-majiang has 边张 1, 坎张 1, 单调将 1, 一明一暗杠 5
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check PyMahjongGB==1.4.0 python-majiang==0.0.1
found=$("$work/venv/bin/python" - <<'PYTHON'
from majiang.consts import FAN_NAME_ZH, FANZHONG_POINT
from MahjongGB import MahjongFanCalculator

POINTS = dict(zip(FAN_NAME_ZH, FANZHONG_POINT, strict=True))
WINS = [
    ((), "W1 W2 W3 T4 T5 T6 B8 B9 F1 F1 F2 F2 F2", "B7"),
    ((), "W1 W2 W3 T4 T5 T6 B7 B9 F1 F1 F2 F2 F2", "B8"),
    ((), "W1 W2 W3 T4 T5 T6 B7 B8 B9 F1 F2 F2 F2", "F1"),
    ((("GANG", "W9", 1), ("GANG", "T2", 0)), "B2 B3 B4 F1 F1 B5 B6", "B7"),
]
waits = set()
for melds, hand, win in WINS:
    fans = MahjongFanCalculator(melds, (*hand.split(),), win, 0, False, False, False, False, 2, 2, True)
    for value, _, name, _ in fans:
        if name in POINTS:
            assert POINTS[name] == value
        else:
            print(name, value, "missing")
            waits |= {character for character in name if not "\u4e00" <= character <= "\u9fff"}
assert len(waits) == 1
theirs = ", ".join(f"{name} {POINTS[name]}" for name in ("边张", "坎张", "单调将", "一明一暗杠"))
print(f"U+{ord(waits.pop()):04X} in the names of waits; python-majiang has {theirs}")
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

#!/usr/bin/env bash
# What does giver 0 of a claimed chow or pung mean to a scorer of 国标?
#
# Version: PyMahjongGB 1.4.0 (PyPI). A meld is ("CHI" | "PENG" | "GANG", tile, offer), with offer 0 to 3 by its help text.
# Guess: chows and pungs are always melded, so 0 there says that the giver is not known; only a kong can be concealed.
# Behaviour: 0 makes every meld a concealed one. A record that lost its givers gains 门前清 (2 points), or 不求人 (4) in place of 自摸 (1), and
#     so gets past the minimum of eight points with hands that did not reach it. 1, 2 and 3 score alike: give one of them.
# Seen:
#     CHI 0: discard 10 花龙 门前清; self-drawn 12 花龙 不求人
#     CHI 1: discard 8 花龙; self-drawn 9 花龙 自摸
#     CHI 2: discard 8 花龙; self-drawn 9 花龙 自摸
#     CHI 3: discard 8 花龙; self-drawn 9 花龙 自摸
#     PENG 0: discard 18 花龙 五门齐 箭刻 门前清; self-drawn 20 花龙 五门齐 不求人 箭刻
#     PENG 1: discard 16 花龙 五门齐 箭刻; self-drawn 17 花龙 五门齐 箭刻 自摸
#     PENG 2: discard 16 花龙 五门齐 箭刻; self-drawn 17 花龙 五门齐 箭刻 自摸
#     PENG 3: discard 16 花龙 五门齐 箭刻; self-drawn 17 花龙 五门齐 箭刻 自摸
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check PyMahjongGB==1.4.0
found=$("$work/venv/bin/python" - <<'PYTHON'
from MahjongGB import MahjongFanCalculator

HAND = (*"W1 W2 W3 T4 T5 T6 B7 B8 F1 F1".split(),)
for kind, tile in (("CHI", "W6"), ("PENG", "J1")):
    for offer in range(4):
        cells = []
        for self_drawn in (False, True):
            fans = MahjongFanCalculator(
                ((kind, tile, offer),), HAND, "B9", 0, self_drawn, False, False, False, 1, 1, True
            )
            names = " ".join(name for _, _, name, _ in fans)
            cells.append(f"{'self-drawn' if self_drawn else 'discard'} {sum(value * n for value, n, *_ in fans)} {names}")
        print(f"{kind} {offer}: {'; '.join(cells)}")
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n 's/^#     \(CHI\|PENG\)/\1/p' "$0")" ]

#!/usr/bin/env bash
# What is a red five, written 0 as on most sites, if the reader of a hand was not told to expect red fives?
#
# Version: mahjong 2.1.0 (PyPI), TilesConverter without has_aka_dora.
# Guess: it is an ordinary five, or an error.
# Behaviour: it is the tile before the 1 of its suit, silently: 0p is 9 characters, 0s is 9 dots. 0m is tile -4, which
#     `to_34_array` counts as a red dragon, because Python counts from the end. A complete hand with a red five counts as
#     ready only, and has a tile that is not in it. A hand from a log, a site or a picture always wants has_aka_dora=True (or 5 for 0 beforehand).
# Seen:
#     340p reads as 9m34p; counted as 9m34p; with has_aka_dora 345p
#     340s reads as 9p34s; counted as 9p34s; with has_aka_dora 345s
#     340m reads as 034m; counted as 34m7z; with has_aka_dora 345m
#     340m123p456s789s11z: distance 0, with has_aka_dora -1
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check mahjong==2.1.0
found=$("$work/venv/bin/python" - <<'PYTHON'
from mahjong.shanten import Shanten
from mahjong.tile import TilesConverter as Read


def kinds(counts: list[int]) -> str:
    return Read.to_one_line_string([4 * kind + n for kind, count in enumerate(counts) for n in range(count)])


for text in ("340p", "340s", "340m"):
    read = Read.to_one_line_string(Read.one_line_string_to_136_array(text))
    told = Read.to_one_line_string(Read.one_line_string_to_136_array(text, has_aka_dora=True))
    print(f"{text} reads as {read}; counted as {kinds(Read.one_line_string_to_34_array(text))}; with has_aka_dora {told}")
hand = "340m123p456s789s11z"
steps = [Shanten.calculate_shanten(Read.one_line_string_to_34_array(hand, has_aka_dora=red)) for red in (False, True)]
print(f"{hand}: distance {steps[0]}, with has_aka_dora {steps[1]}")
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

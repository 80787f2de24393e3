#!/usr/bin/env bash
# Do the waits of a hand cost the same the second time they are asked for?
#
# Version: jansou 0.14.0 (PyPI).
# Guess: a function of thirteen tiles works its answer out each time, so timing the same hands over and over measures it.
# Behaviour: `jansou.analysis.waits.waits` keeps the answers of the last 65,536 hands, its `shanten` keeps none. Of 2,000
#     different ready hands each first answer takes some hundreds of microseconds and each further one a few: a comparison that
#     repeats its hands, as most do, compares with a dictionary.
# Seen:
#     first look 644.4 µs a hand, second look 2.6 µs; shanten 5.2 and 3.5 µs
#     waits remembered: yes, shanten: no
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check jansou==0.14.0

seen=$("$work/venv/bin/python" - <<'PYTHON'
import sys
from itertools import product
from time import process_time

from jansou.analysis.shanten import shanten
from jansou.analysis.waits import waits
from jansou.core.hand import Hand
from jansou.core.notation import parse_mpsz

# a chow in each place of three suits, a pair, and two neighbours: ready, and all different
rows = [f"{n}{n + 1}{n + 2}" for n in range(1, 8)]
texts = [
    f"{a}{b}m{c}p{d}{d + 1}s{pair * 2}z"
    for a, b, c, d, pair in product(rows, rows, rows, range(2, 8), "1234567")
    if a < b
][:2000]
hands = [Hand(parse_mpsz(text)) for text in texts]


def look(function):
    begun = process_time()
    for hand in hands:
        function(hand)
    return 1e6 * (process_time() - begun) / len(hands)


times = [look(waits), look(waits), look(shanten), look(shanten)]
print("first look {:.1f} µs a hand, second look {:.1f} µs; shanten {:.1f} and {:.1f} µs".format(*times), file=sys.stderr)
print("waits remembered:", "yes," if times[0] > 10 * times[1] else "no,", "shanten:", "yes" if times[2] > 3 * times[3] else "no")
PYTHON
)
printf '%s\n' "$seen"
[ "$seen" = "waits remembered: yes, shanten: no" ]

#!/usr/bin/env bash
# Which fourteen tiles does RLCard's environment "mahjong" take for a win?
#
# Version: rlcard 1.2.0 (PyPI).
# Guess: four sets and a pair, as everywhere; seven pairs perhaps not.
# Behaviour: four melds win with any two tiles left, a pair or not. In a concealed hand the pair must be a tile of which the hand has
#     exactly two (11 123 with 1 held three times does not win), and 223344 of one suit is not taken for two chows. Seven pairs do not win. So how
#     often its players win, and what an agent learns there, does not carry over to a table that plays by a rulebook.
# Seen:
#     four sets and a pair: True
#     four melds, 5 dots and 9 bamboo left: True
#     11 + 123 of one suit: False
#     223344 of one suit: False
#     seven pairs: False
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check rlcard==1.2.0
found=$("$work/venv/bin/python" - <<'PYTHON'
import numpy as np
from rlcard.games.mahjong.card import MahjongCard
from rlcard.games.mahjong.judger import MahjongJudger
from rlcard.games.mahjong.player import MahjongPlayer

SUITS = {"m": "characters", "p": "dots", "s": "bamboo"}
HONOURS = {"E": ("winds", "east"), "C": ("dragons", "red")}


def cards(text: str) -> list[MahjongCard]:
    return [MahjongCard(*(HONOURS.get(one) or (SUITS[one[1]], one[0]))) for one in text.split()]


def wins(hand: str, *melds: str) -> bool:
    random = np.random.RandomState(0)
    player = MahjongPlayer(0, random)
    player.hand, player.pile = cards(hand), [cards(meld) for meld in melds]
    return bool(MahjongJudger(random).judge_hu(player)[0])


print("four sets and a pair:", wins("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C"))
print("four melds, 5 dots and 9 bamboo left:", wins("5p 9s", "1m 2m 3m", "4p 5p 6p", "7s 8s 9s", "E E E"))
print("11 + 123 of one suit:", wins("1m 1m 1m 2m 3m 4p 5p 6p 7s 8s 9s E E E"))
print("223344 of one suit:", wins("2m 2m 3m 3m 4m 4m 4p 5p 6p 7s 8s 9s C C"))
print("seven pairs:", wins("1m 1m 2m 2m 3p 3p 5p 5p 7s 7s E E C C"))
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

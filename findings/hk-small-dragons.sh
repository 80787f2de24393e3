#!/usr/bin/env bash
# Can hk-mahjong give a second opinion on hands of Hong Kong or Canton with dragons, winds and concealed kongs?
#
# Version: hk-mahjong 0.1.0 (PyPI), `score_hand` and `resolve_claims`.
# Guess: 小三元 and 小四喜 count, as its module has functions for both; a concealed kong leaves a hand concealed; of two who win by one discard the
#     nearest after the discarder comes first.
# Behaviour: 小三元 counts as its two dragon pungs, 小四喜 as its own winds at most: nothing calls those functions. A concealed kong
#     takes away "Fully Concealed". Claims of equal rank go to the lowest number of a seat, whoever discarded: by a discard of seat 2, seat 0 wins before
#     seat 3. So a comparison of scores differs by these hands first, and a record of its games does not follow the order of turns.
# Seen:
#     小三元: 3 faan: Red Dragon Pong 1, Green Dragon Pong 1, No Flowers 1
#     小四喜 in a half flush: 6 faan: Seat Wind 1, Prevailing Wind 1, Mixed One Suit 3, No Flowers 1
#     all concealed: 2 faan: Fully Concealed 1, No Flowers 1
#     one of them a concealed kong: 1 faan: No Flowers 1
#     seats 0 and 3 win by a discard of seat 2: seat 0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check hk-mahjong==0.1.0
found=$("$work/venv/bin/python" - <<'PYTHON'
from hk_mahjong.core.meld import Meld, make_chow, make_kong, make_pong
from hk_mahjong.core.rules import Claim, ClaimType, resolve_claims
from hk_mahjong.core.scoring import ScoringContext, score_hand
from hk_mahjong.core.tiles import Dragon, Suit, Tile, Wind, make_dragon, make_suited, make_wind
from hk_mahjong.core.win_check import check_win

LETTERS = dict(zip("ESWN", map(make_wind, Wind))) | dict(zip("RGP", map(make_dragon, Dragon)))


def tiles(text: str) -> list[Tile]:
    dots = [make_suited(Suit.DOTS, int(one)) for one in text.partition(" ")[0]]
    return dots + [LETTERS[one] for one in text.partition(" ")[2]]


def show(name: str, concealed: list[Tile], melds: list[Meld]) -> None:
    found = max(
        (
            score_hand(ScoringContext(split, melds, concealed, [], concealed[0], False, Wind.EAST, Wind.EAST))
            for split in check_win(concealed, melds)
        ),
        key=lambda score: score.total_faan,
    )
    listed = ", ".join(f"{item.name} {item.faan}" for item in found.items)
    print(f"{name}: {found.total_faan} faan: {listed}")


bamboo = [make_suited(Suit.BAMBOO, rank) for rank in (1, 2, 3)]
red, green, white = map(make_dragon, Dragon)
east, south, west, north = map(make_wind, Wind)
show("小三元", tiles("234 PP") + bamboo, [make_pong(red), make_pong(green)])
show("小四喜 in a half flush", tiles("234 NN"), [make_pong(east), make_pong(south), make_pong(west)])
show("all concealed", tiles("11123456799") + bamboo, [])
show("one of them a concealed kong", tiles("23456799") + bamboo, [make_kong(make_suited(Suit.DOTS, 1), concealed=True)])
first = resolve_claims([Claim(3, ClaimType.WIN), Claim(0, ClaimType.WIN)])
print(f"seats 0 and 3 win by a discard of seat 2: seat {first.player_seat}")
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

#!/usr/bin/env bash
# Is a hand ready if it holds all four copies of the only tile it waits for?
#
# Versions: PyMahjongGB 1.4.0, mahjong 2.1.0, jansou 0.14.0, riichienv 0.4.11 (PyPI); syanten 1.6.0, @kobalab/majiang-core 1.4.1 (npm).
# Guess: every library gives the same distance for the same thirteen tiles.
# Behaviour: for 111222333m and four east winds, mahjong, jansou and riichienv say one step from ready;
#     PyMahjongGB, syanten and majiang-core say ready. PyMahjongGB also lists the fifth east wind among the useful tiles, syanten
#     lists it with 0 copies left, majiang-core lists no tile. A count of hands that are ready differs by such hands.
# Seen:
#     PyMahjongGB 0 ['F1'] | mahjong 1 | jansou 1 | riichienv 1
#     syanten 0 {"1z":0} | majiang-core 0 []
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check PyMahjongGB==1.4.0 mahjong==2.1.0 jansou==0.14.0 riichienv==0.4.11
npm install --silent --no-audit --no-fund --prefix "$work" syanten@1.6.0 @kobalab/majiang-core@1.4.1 >/dev/null

python=$("$work/venv/bin/python" - <<'PYTHON'
import jansou.analysis.shanten
import riichienv
from jansou.core.hand import Hand
from jansou.core.notation import parse_mpsz
from mahjong.shanten import Shanten
from mahjong.tile import TilesConverter
from MahjongGB import MahjongShanten, RegularShanten

chinese = (*"W1 W1 W1 W2 W2 W2 W3 W3 W3 F1 F1 F1 F1".split(),)
riichi = "111222333m1111z"
distance, useful = RegularShanten(chinese)
assert MahjongShanten((), chinese) == distance
print("PyMahjongGB", distance, list(useful), end=" | ")
print("mahjong", Shanten.calculate_shanten(TilesConverter.one_line_string_to_34_array(riichi)), end=" | ")
print("jansou", jansou.analysis.shanten.shanten(Hand(parse_mpsz(riichi))), end=" | ")
print("riichienv", riichienv.calculate_shanten(riichienv.parse_hand(riichi)[0]))
PYTHON
)
node=$(cd "$work" && node - <<'NODE'
const syanten = require("syanten");
const { Shoupai, Util } = require("@kobalab/majiang-core");
const counts = [[3, 3, 3, 0, 0, 0, 0, 0, 0], Array(9).fill(0), Array(9).fill(0), [4, 0, 0, 0, 0, 0, 0]];
const hand = Shoupai.fromString("m111222333z1111");
console.log(
  `syanten ${syanten(counts)} ${JSON.stringify(syanten.hairi(counts).wait)} |`,
  `majiang-core ${Util.xiangting(hand)} ${JSON.stringify(Util.tingpai(hand))}`,
);
NODE
)
printf '%s\n%s\n' "$python" "$node"
[ "$python" = "PyMahjongGB 0 ['F1'] | mahjong 1 | jansou 1 | riichienv 1" ]
[ "$node" = 'syanten 0 {"1z":0} | majiang-core 0 []' ]

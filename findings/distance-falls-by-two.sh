#!/usr/bin/env bash
# One draw brings a hand at most one step nearer to ready. Does the distance that a library gives keep to that?
#
# Version: mahjong-tile-efficiency 1.0.3 (npm; the rule set "MCR" has knitted shapes and seven pairs with four alike).
# Guess: distances are exact, so they fall by 0 or 1 with any draw.
# Behaviour: it gives two steps (shanten 2) for 122234457m1237p and 0 after 2m is drawn and 7p discarded: 123m 222m 123p, the pair 44m and
#     57m, which wait for 6m. One was right before the draw (123m 123p, the pairs 22m and 44m, and 57m). Of 4,000 random hands in two
#     suits five jumped so: do not let it alone decide whether another program's distances are right.
# Seen:
#     122234457m1237p: 2
#     with 2m: 0
#     2m in, 7p out: 0
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix "$work" mahjong-tile-efficiency@1.0.3 >/dev/null
cat >"$work/look.mjs" <<'NODE'
import { RuleSet, tilesToHand } from "mahjong-tile-efficiency";
const rules = new RuleSet("MCR");
const tiles = (text) => [...text.matchAll(/(\d+)([mps])/g)].flatMap(([, ranks, suit]) => [...ranks].map((rank) => rank + suit));
const distance = (text) => rules.calShanten(tilesToHand(tiles(text)));
console.log(`122234457m1237p: ${distance("122234457m1237p")}`);
console.log(`with 2m: ${distance("1222234457m1237p")}`);
console.log(`2m in, 7p out: ${distance("1222234457m123p")}`);
NODE
found=$(node "$work/look.mjs")
echo "$found"
[ "$found" = "122234457m1237p: 2
with 2m: 0
2m in, 7p out: 0" ]

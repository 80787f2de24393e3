#!/usr/bin/env bash
# Are the names of fans with terminals the same in each 繁體, and do they come back?
#
# Version: OpenCC 1.4.2 (PyPI).
# Guess: s2t, s2tw and s2hk write the names of fans alike, and t2s turns any traditional name back into the simplified one.
# Behaviour: 幺 stays 幺 for s2t and s2hk and becomes 么 for s2tw, so that one fan has two traditional names. t2s and hk2s leave 么 (断么九,
#     which is no name of the fan); tw2s makes 幺 of it. s2t alone writes 喫 for the claim 吃. Whoever searches for fans folds both characters.
# Seen:
#     断幺九 s2t 斷幺九 s2tw 斷么九 s2hk 斷幺九
#     十三幺 s2t 十三幺 s2tw 十三么 s2hk 十三幺
#     全带幺 s2t 全帶幺 s2tw 全帶么 s2hk 全帶幺
#     吃 s2t 喫 s2tw 吃 s2hk 吃
#     斷么九 t2s 断么九 tw2s 断幺九 hk2s 断么九
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -qq --disable-pip-version-check OpenCC==1.4.2
found=$("$work/venv/bin/python" - <<'PYTHON'
from opencc import OpenCC


def row(word: str, *ways: str) -> None:
    print(word, " ".join(f"{way} {OpenCC(way).convert(word)}" for way in ways))


for word in ("断幺九", "十三幺", "全带幺", "吃"):
    row(word, "s2t", "s2tw", "s2hk")
row("斷么九", "t2s", "tw2s", "hk2s")
PYTHON
)
echo "$found"
[ "$found" = "$(sed -n '/^# Seen:/,/^set /s/^#     //p' "$0")" ]

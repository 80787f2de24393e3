"""Write src/quepu/data/script.txt: which Chinese characters are one, whatever script and region they are written in.

Run it with `opencc` installed (OpenCC, Apache-2.0, whose dictionaries it asks character by character):

    python .ci/script_table.py

Each line is a character of the simplified script followed by its other forms. Characters are one where OpenCC writes
one as the other, in any direction between the mainland, Taiwan and Hong Kong. Mahjong writes 幺 as 么, so these are one
as well, with 麼 that 么 is short for.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import opencc

TABLE = Path(__file__).parent.parent / "src" / "quepu" / "data" / "script.txt"
DIRECTIONS = ("t2s", "tw2s", "hk2s", "s2t", "s2tw", "s2hk", "t2tw", "t2hk", "tw2t", "hk2t")
RANGES = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF))
ALSO = ("幺么麼麽",)
"""Characters that mahjong takes for one, the one to write first."""


def groups() -> list[str]:
    """Return the characters that are one, sorted; the simplified form first."""
    parent: dict[str, str] = {}

    def root(char: str) -> str:
        while parent.setdefault(char, char) != char:
            char = parent[char]
        return char

    characters = [chr(code) for low, high in RANGES for code in range(low, high + 1)]
    for direction in DIRECTIONS:
        convert = opencc.OpenCC(direction).convert
        for char in characters:
            other = convert(char)
            if len(other) == 1:
                parent[root(char)] = root(other)
    for also in ALSO:
        for char in also[1:]:
            parent[root(char)] = root(also[0])
    found = defaultdict(list)
    for char in characters:
        found[root(char)].append(char)
    simplify = opencc.OpenCC("t2s").convert
    first = {also[0] for also in ALSO}

    def order(char: str) -> tuple[bool, bool, bool, str]:
        return char not in first, simplify(char) != char, not char.encode("gb2312", "ignore"), char

    return sorted("".join(sorted(group, key=order)) for group in found.values() if len(group) > 1)


if __name__ == "__main__":
    lines = groups()
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(lines)} groups, {sum(map(len, lines))} characters: {TABLE}\n")

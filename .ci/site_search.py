"""Chinese words in the site's search: which there are, and how the theme's search cuts a query into them."""

from __future__ import annotations

import re
from pathlib import Path

import quepu

_HAN = re.compile("[\u4e00-\u9fff]+")
_LONGEST = 4
"""Characters of a word that is not cut further."""
_OFTEN = 1_000_000
"""More often than any word of jieba's own list, so that 求和牌 is cut into 求 and 和牌."""
_CUTS = re.compile(r"for\(let (\w)=(\w)\+1;\1<(\w)\.length;\1\+\+\)\3\.slice\(\2,\1\)in")
"""The loop of the theme's search over the words that begin at a character; it leaves out those that end the query."""


def words(glossary: str) -> list[str]:
    """Return the words of the game: names and aliases of fans, and those of the glossary's tables, up to four long."""
    texts = [cell for line in glossary.splitlines() if line.startswith("|") for cell in line.split("|")[1:2]]
    texts += [name for book in quepu.books() for fan in book.fans for name in (fan.name, *fan.aliases)]
    found = {"和牌", "听牌", "自摸", "点和", "起和"} | {word for text in texts for word in _HAN.findall(text)}
    return sorted(word for word in found if 2 <= len(word) <= _LONGEST)


def write_words(path: Path, glossary: str) -> None:
    """Write the words as a dictionary of jieba, by which the theme cuts Chinese text."""
    path.write_text("".join(f"{word} {_OFTEN} n\n" for word in words(glossary)), encoding="utf-8")


def mend_query(site: Path) -> None:
    """Let the search of a built site find a word that ends the query, such as 和牌 typed alone.

    Raises:
        SystemExit: the theme's search does not have the loop that is mended; try whether 和牌 is found without.
    """
    workers = [*(site / "assets" / "javascripts" / "workers").glob("search.*.js")]
    for worker in workers:
        text = worker.read_text(encoding="utf-8")
        mended, number = _CUTS.subn(lambda loop: loop[0].replace(f"{loop[1]}<{loop[3]}", f"{loop[1]}<={loop[3]}"), text)
        if number == 1:
            worker.write_text(mended, encoding="utf-8")
            return
    raise SystemExit("the search of mkdocs-material is no longer as .ci/site_search.py expects it")

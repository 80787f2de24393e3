"""Texts given by users: which can be stored and shown, and which names look alike."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_NEVER = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Unicode categories that cannot be stored or shown in a line: control characters, surrogates, line separators."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
"""Letters and signs that are invisible."""
_ALIKE = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u04bb"
    "\u051b\u051d\u0501\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u01c0"
    "|10\u00f0\u0111\u0142",
    "abekmhopctyxijshqwdabeikvoptuxillloddl",
)
"""Letters of other alphabets, and digits, mapped to the Latin small letter they resemble."""
_BOT = re.compile("(电脑|電腦|bot)[1-4l]")


def storable(text: str) -> str:
    """Remove characters that cannot be stored from a text."""
    return "".join(c for c in text if unicodedata.category(c) not in _NEVER)


def visible(text: str) -> str:
    """Return a name as displayed: without invisible or reordering characters, spaces collapsed."""
    printable = (c for c in unicodedata.normalize("NFC", text) if c not in _BLANK and _is_visible(c))
    return " ".join("".join(printable).split())


def _is_visible(character: str) -> bool:
    """Return whether a character is visible; emoji joiners and variation selectors are removed, too."""
    kind = unicodedata.category(character)
    return kind not in _NEVER and kind not in ("Cf", "Co", "Cn") and not "\ufe00" <= character <= "\ufe0f"


@lru_cache(maxsize=8192)  # a ladder asks for the same names in thousands of matches
def skeleton(name: str) -> str:
    """Return the skeleton of a name: names with equal skeletons look alike."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", visible(name)).casefold()).translate(_ALIKE)
    return "".join(c for c in plain if not unicodedata.combining(c) and not c.isspace())


def like_a_bot(name: str) -> bool:
    """Return whether a name looks like a bot's."""
    return _BOT.match(skeleton(name)) is not None

"""Passwords that are guessed first: the name, runs, repetitions, and the most common ones."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import pairwise

from quepu.errors import Text
from quepu.server.http.responses import Refusal
from quepu.server.names import visible

_FEWEST = 4
"""The fewest different characters in a password, and the fewest besides the name."""
_LONGEST_UNIT = 5
"""The longest unit that a password may not merely repeat."""
_ROWS = (
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "1q2w3e4r5t6y7u8i9o0p",
    "qazwsxedcrfvtgbyhnujm",
)
"""Keys in keyboard order."""
_ALSO_COMMON = """
p@ssword adminadmin root1234 aa12345678 woaini1314 woaini520 woaini521 woaini123 5201314a 5201314520
13145200 5211314 woaiwojia qwe12345 wang1234 li123456 majiang1 majiang123 mahjong1 mahjong123 quepu123
quepu1234
"""
"""Passwords of Chinese players, and of this program's, that the library's list lacks."""


def check_password(password: str, name: str) -> None:
    """Refuse a new password that would be guessed first.

    Raises:
        Refusal: says why, and suggests a better one.
    """
    why = _weakness(_normalise(password), _normalise(visible(name)))
    if why is not None:
        raise Refusal(
            422,
            f"密码太好猜：{why.zh}。换一个吧，比如三四个不相干的词连起来。",
            f"this password is easy to guess: {why.en}. Choose another, such as three or four unrelated words.",
        )


def _weakness(password: str, name: str) -> Text | None:
    rest = password.replace(name, "") if name else password
    if rest != password and (len(rest) < _FEWEST or _is_run(rest)):
        return Text("它差不多就是名字", "it is hardly more than the name")
    if len(set(password)) < _FEWEST or any(_repeats(password, size) for size in range(1, _LONGEST_UNIT + 1)):
        return Text("它总在重复", "it repeats a few characters")
    if _is_run(password) or any(password in row or password[::-1] in row for row in _ROWS):
        return Text("它是一串连着的数字、字母或键", "it is a run of digits, letters or keys")
    if password in _list_common():
        return Text("用它的人太多", "too many people use it")
    return None


@cache
def _list_common() -> frozenset[str]:
    """Return the common passwords: the 30,000 that zxcvbn ranks, and some more."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # lists of 2 MB: only who sets a password needs them

    return frozenset((*FREQUENCY_LISTS["passwords"], *_ALSO_COMMON.split()))


def _repeats(password: str, size: int) -> bool:
    """Return whether a password repeats its first `size` characters."""
    return all(here == there for here, there in zip(password, password[size:], strict=False))


def _is_run(password: str) -> bool:
    """Return whether each character follows the one before, up or down; 0 follows 9."""
    steps = {(ord(after) - ord(before)) % (10 if before.isdecimal() and after.isdecimal() else 1 << 21)
             for before, after in pairwise(password)}  # fmt: skip
    return steps in ({1}, {9}, {(1 << 21) - 1})


def _normalise(text: str) -> str:
    """Return a text without regard to case, width and spaces."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())

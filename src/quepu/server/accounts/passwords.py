"""Passwords that are guessed first: the name, runs, repetitions, and the most common ones."""

from __future__ import annotations

import unicodedata
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
_COMMON = """
password password1 password12 password123 passw0rd p@ssw0rd p@ssword qwerty12 qwerty123 qwer1234 asdf1234
zxcv1234 iloveyou sunshine princess football baseball superman trustno1 whatever computer internet letmein1
welcome1 admin123 adminadmin root1234 test1234 abc12345 abcd1234 a1234567 a12345678 a123456789 12345678a
123456789a aa123456 aa12345678 q1w2e3r4 1qazxsw2 147258369 159357456 741852963 789456123 woaini1314
woaini520 woaini521 woaini123 5201314a 5201314520 13145200 5211314 woaiwojia qq123456 qq123456789 zxc12345
zxc123456 asd12345 asd123456 qwe12345 qwe123456 123qweasd wang1234 li123456 nihao123 majiang1 majiang123
mahjong1 mahjong123 quepu123 quepu1234
"""


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
    if password in _COMMON.split():
        return Text("用它的人太多", "too many people use it")
    return None


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

"""What quepu says when something given to it is wrong: one sentence, in Chinese and in English, and a place."""

from __future__ import annotations

import errno
from typing import Any, Final, NamedTuple


class Text(NamedTuple):
    """A sentence for the user in both languages."""

    zh: str
    en: str

    def say(self, lang: str = "zh") -> str:
        """The sentence in `lang` ("zh" or "en")."""
        return self.en if lang == "en" else self.zh


class Error(Exception):
    """Base of everything quepu raises on bad input.

    `text` is the sentence in both languages; `at` is the position (0-based) in the text it speaks about, or None.
    """

    def __init__(self, zh: str, en: str, at: int | None = None) -> None:
        super().__init__(zh)
        self.text = Text(zh, en)
        self.at = at

    def say(self, lang: str = "zh") -> str:
        """The sentence in `lang` ("zh" or "en")."""
        return self.text.say(lang)

    def __reduce__(self) -> tuple[Any, ...]:
        return _brought, (type(self), self.args, vars(self))  # an exception is else made anew of its `args` alone


def _brought(kind: type[Error], args: tuple[object, ...], state: dict[str, object]) -> Error:
    """An error that another process raised."""
    made = kind.__new__(kind, *args)
    made.__dict__.update(state)
    return made


class NotationError(Error):
    """The text of a hand cannot be read, or what it says cannot be a hand."""


class HandError(Error):
    """The tiles, melds or circumstances contradict each other."""


class NotAWin(Error):
    """The tiles do not make a winning shape under this rulebook."""


class UnknownName(Error):
    """No rulebook, fan, circumstance, flower or option has this name."""


class OverlayError(Error):
    """A house-rule file says something that cannot be applied."""


_WHY: Final = {
    errno.ENOENT: "没有这个文件或目录",
    errno.EACCES: "没有权限",
    errno.EPERM: "没有权限",
    errno.EISDIR: "这是一个目录",
    errno.ENOTDIR: "路径中有一段不是目录",
    errno.EEXIST: "已经有这个文件",
    errno.ENOSPC: "磁盘满了",
    errno.EROFS: "磁盘是只读的",
    errno.ENAMETOOLONG: "文件名太长",
}


def why(error: OSError) -> Text:
    """Why the system refused a file: in Chinese where the reason is a common one, else in the system's own words."""
    said = error.strerror or str(error)
    return Text(_WHY.get(error.errno or 0, said), said)


def cannot_read(path: object, error: OSError) -> HandError:
    """The refusal of a file that cannot be read."""
    reason = why(error)
    return HandError(f"读不了 {path}：{reason.zh}。", f"cannot read {path}: {reason.en}.")


def cannot_write(path: object, error: OSError) -> HandError:
    """The refusal of a file that cannot be written."""
    reason = why(error)
    return HandError(f"写不了 {path}：{reason.zh}。", f"cannot write {path}: {reason.en}.")


def refused_by_system(error: OSError) -> HandError:
    """What else the system refused: a file by its name, or (without one) what was being printed."""
    reason = why(error)
    if error.filename is None:
        return HandError(f"输出中断：{reason.zh}。", f"the output broke off: {reason.en}.")
    return HandError(f"用不了 {error.filename}：{reason.zh}。", f"cannot use {error.filename}: {reason.en}.")

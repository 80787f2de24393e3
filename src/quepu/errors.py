"""Errors of quepu: one sentence, in Chinese and in English, and a position."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from quepu.folding import fold

Lang = Literal["zh", "en"]
_chosen: list[Lang] = []


def language(lang: str | None = None) -> Lang:
    """Return the language of `str(error)`, explanations and notebooks; `lang` ("zh" or "en") chooses it.

        >>> language() in ("zh", "en")
        True

    By default it is QUEPU_LANG, else that of the locale (LC_ALL, LC_MESSAGES, LANG), else Chinese.

    Raises:
        UnknownName: the language is unknown.
    """
    if lang is not None:
        _chosen[:] = [find_language(lang)]
    return _chosen[0] if _chosen else _of_environment()


def find_language(lang: str) -> Lang:
    """Return the language that a caller names.

    Raises:
        UnknownName: the language is unknown.
    """
    found = _language(lang) if isinstance(lang, str) else None
    if found is None:
        raise UnknownName(f"没有“{lang}”这种语言，可用：zh、en。", f"no language {lang!r}; there are: zh, en.")
    return found


def _language(given: str) -> Lang | None:
    """Return the language for a name such as zh, en_GB or C.UTF-8; None for any other."""
    name = given.strip().lower()
    return "en" if name.startswith("en") else "zh" if name.startswith(("zh", "cn", "中")) else None


def _of_environment() -> Lang:
    if given := os.environ.get("QUEPU_LANG"):
        return _language(given) or "zh"
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if given := os.environ.get(variable, ""):
            plain = given.partition(".")[0].upper() in ("C", "POSIX")
            return "zh" if plain or _language(given) == "zh" else "en"  # readers of neither probably prefer English
    return "zh"


class Text(NamedTuple):
    """A sentence for the user in both languages.

    Examples:
        >>> import quepu
        >>> quepu.Text("手牌", "hand").say("en")
        'hand'
    """

    zh: str
    en: str

    def say(self, lang: str = "zh") -> str:
        """Return the sentence in `lang` ("zh" or "en")."""
        return self.en if lang == "en" else self.zh

    def __str__(self) -> str:
        return self.say(language())


def join_list(words: Iterable[Text | str]) -> Text:
    """Join words as a list: with 、 in Chinese, in English with commas, or semicolons if a word contains a comma."""
    both = [word if isinstance(word, Text) else Text(word, word) for word in words]
    separator = "; " if any(", " in word.en for word in both) else ", "
    return Text("、".join(word.zh for word in both), separator.join(word.en for word in both))


def many(n: int, one: str, more: str = "") -> str:
    """Return a number with its English noun: 1 tile, 2 tiles; `more` is a plural with another ending."""
    return f"{n} {one if n == 1 else more or one + 's'}"


class Error(Exception):
    """Base of everything that quepu raises on bad input.

        >>> import quepu
        >>> try:
        ...     quepu.score("12x")
        ... except quepu.Error as error:
        ...     print(error.say("en"), error.at)
        character 3: 'x' is not a tile. 2

    `text` is the sentence in both languages; `at` is the position (0-based) in the text it is about, or None.
    `str` of it is the sentence in the chosen language (`language`). The command line adds the text itself (`source`)
    and advice (`hint`).
    """

    source: str | None = None
    hint: str = ""

    def __init__(self, zh: str, en: str, at: int | None = None) -> None:
        super().__init__(zh)
        self.text: Text = Text(zh, en)
        self.at: int | None = at

    def say(self, lang: str = "zh") -> str:
        """Return the sentence in `lang` ("zh" or "en")."""
        return self.text.say(lang)

    def __str__(self) -> str:
        return self.say(language())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args, vars(self))  # by default, only `args` would be restored


def _rebuilt(kind: type[Error], args: tuple[object, ...], state: dict[str, object]) -> Error:
    """Rebuild an error that another process raised, with its attributes."""
    made = kind.__new__(kind, *args)
    made.__dict__.update(state)
    return made


class NotationError(Error):
    """The text of a hand cannot be parsed, or is not a possible hand."""


class HandError(Error):
    """The tiles, melds or circumstances contradict each other."""


class NotAWin(Error):
    """The tiles do not make a winning shape under this rulebook."""


class UnknownName(Error):
    """No rulebook, fan, circumstance, flower or option has this name."""


class UnknownKeyword(UnknownName, TypeError):
    """A function was called with a keyword that it does not accept."""

    def __init__(self, zh: str, en: str | None = None, at: int | None = None) -> None:
        """Take a sentence in one language too: gymnasium makes a TypeError again, with more words."""
        super().__init__(zh, zh if en is None else en, at)


def unknown_keywords(function: str, given: Iterable[str], accepted: Iterable[str]) -> UnknownKeyword:
    """Build the error for unknown keywords, with similar ones, or all that the function accepts."""
    name, listed = next(iter(given)), list(accepted)
    near = near_names(name, dict(zip(listed, listed, strict=True)))
    zh = f"是不是{'、'.join(near)}？" if near else f"可用：{'、'.join(listed)}。"
    en = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(listed)}."
    return UnknownKeyword(
        f"{function} 没有参数“{name}”，{zh}", f"{function} got an unexpected keyword argument {name!r}; {en}"
    )


_LATIN_CUTOFF: Final = 0.6
"""Letters match by chance more often than Chinese characters: foo is not rooms, 错合 may be 错和."""


def near_names(name: str, names: Mapping[str, str], most: int = 5, cutoff: float = 0.5) -> list[str]:
    """Suggest meanings of a mistyped name: `names` maps spellings to the values returned."""
    from difflib import get_close_matches

    low = fold(name)
    cutoff = max(cutoff, _LATIN_CUTOFF) if low.isascii() else cutoff
    spelled = {fold(spelling): meant for spelling, meant in names.items()}
    found = [meant for spelling, meant in spelled.items() if low and low in spelling]
    found = found or [spelled[spelling] for spelling in get_close_matches(low, spelled, n=most, cutoff=cutoff)]
    return list(dict.fromkeys(found))[:most]


class OverlayError(Error):
    """A house-rule file has content that cannot be applied."""


class MissingExtra(Error, ImportError):
    """A feature needs an extra that is not installed."""


EXTRAS: Final[dict[str, str]] = {
    "numpy": "batch",
    "click": "cli", "rich": "cli", "platformdirs": "cli",
    "matplotlib": "lab", "noto_cjk_sans_otc": "lab",
    "numba": "fast",
    "pettingzoo": "rl", "gymnasium": "rl",
    "distributed": "cluster",
    "asyncpg": "postgres",
    "pyarrow": "parquet",
    "pandas": "pandas", "polars": "polars",
    "stable_baselines3": "sb3", "sb3_contrib": "sb3", "torch": "sb3",
    "mcp": "mcp", "onnxruntime": "nets", "duckdb": "explorer",
    **dict.fromkeys(
        ("aiosqlite", "alembic", "argon2", "fastapi", "openskill", "starlette", "prometheus_client", "pydantic",
         "pydantic_settings", "resvg_py", "segno", "sqlalchemy", "uvicorn", "uvloop", "websockets", "xlsxwriter"),
        "server",
    ),
    "quepu.server": "server",
}  # fmt: skip
"""The extra of the package that provides a module: `pip install 'quepu[batch]'` installs numpy."""


def missing_extra(module: str | None, extra: str = "") -> MissingExtra | None:
    """Return the error for a missing module, with the command that installs it; None if no extra provides it.

    `extra`: the one that installs everything needed here, if that is more than this module.
    """
    top = module if module in EXTRAS else (module or "").partition(".")[0]
    if top not in EXTRAS:
        return None
    command = f"pip install 'quepu[{extra or EXTRAS[top]}]'"
    return MissingExtra(f"这里需要 {top}：{command}。", f"this needs {top}: {command}.")


def needs(*modules: str, extra: str = "") -> None:
    """Raise MissingExtra unless all of these modules are installed, for packages that need an extra.

    `extra` installs all of them; without it, each error names the extra of its module.

    Raises:
        MissingExtra: with the command that installs it.
    """
    from importlib.util import find_spec

    for module in modules:
        error = missing_extra(module, extra)
        try:
            found = find_spec(module) is not None
        except ModuleNotFoundError:
            found = False
        if error is not None and not found:
            raise error


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
    """Say why the system refused a file: in Chinese for common reasons, else in the system's words."""
    reason = error.strerror or str(error)
    return Text(_WHY.get(error.errno or 0, reason), reason)


def cannot_read(path: object, error: OSError) -> HandError:
    """Build the error for a file that cannot be read."""
    reason = why(error)
    return HandError(f"读不了 {path}：{reason.zh}。", f"cannot read {path}: {reason.en}.")


def cannot_write(path: object, error: OSError) -> HandError:
    """Build the error for a file that cannot be written."""
    reason = why(error)
    return HandError(f"写不了 {path}：{reason.zh}。", f"cannot write {path}: {reason.en}.")


def describe_system_refusal(error: OSError) -> HandError:
    """Build the error for any other refusal of the system: with the file's name, or about the output."""
    reason = why(error)
    if error.filename is None:
        return HandError(f"输出中断：{reason.zh}。", f"the output was interrupted: {reason.en}.")
    return HandError(f"用不了 {error.filename}：{reason.zh}。", f"cannot use {error.filename}: {reason.en}.")

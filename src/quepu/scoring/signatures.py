"""Keywords for the circumstances of a hand given as text, and the signatures of functions that take them.

`help` and the completion of notebooks read a function's signature, and `**keywords` alone names none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any, Final, TypedDict, TypeVar

DEFAULT_RULES: Final = "lingque-29"
"""The book used if none is named."""
COMPILED: Final = "compiled scorer"
"""The key of `Rulebook.notes` for an object with `score_one` and `tally`, once a book's compiled code is loaded."""
Function = TypeVar("Function", bound=Callable[..., Any])


class HandKeywords(TypedDict, total=False):
    """Keywords for the circumstances of a hand."""

    seat: str | None
    """Own wind, E S W N or 东南西北; East if not given."""
    round: str | None
    """Round wind; East if not given."""
    self_draw: bool
    """Whether the winning tile was drawn; for a waiting hand, whether only self-drawn wins are meant."""
    circumstances: Iterable[str]
    """The book's own names (天和 岭上开花 …; `Rulebook.circumstances` has them) or their English labels."""
    flowers: Iterable[str] | int
    """Names of flowers (春夏秋冬梅兰竹菊), or how many."""


class WaitKeywords(HandKeywords, total=False):
    """Keywords for the circumstances of a waiting hand."""

    seen: str | Iterable[int]
    """Tiles in view outside the hand, as text or kinds 0-33 with repetition; they cannot be drawn."""


HAND_DEFAULTS: Final = HandKeywords(seat=None, round=None, self_draw=False, circumstances=(), flowers=())
_DEFAULTS: Final = WaitKeywords(**HAND_DEFAULTS, seen=())


def showing(accepted: type[HandKeywords]) -> Callable[[Function], Function]:
    """Decorate a function so that its signature names each keyword of its last parameter, `**keywords`."""
    keywords = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name), annotation=hint.__forward_arg__)
        for name, hint in accepted.__annotations__.items()
    ]

    def shown(function: Function) -> Function:
        plain = signature(function)
        parameters = [*list(plain.parameters.values())[:-1], *keywords]
        function.__signature__ = plain.replace(parameters=parameters)  # type: ignore[attr-defined]
        return function

    return shown

"""Keywords for the circumstances of a hand given as text, and the signatures of functions that take them.

`help` and the completion of notebooks read a function's signature, and `**keywords` alone names none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter, signature
from typing import Any, Final, Literal, TypedDict, TypeVar

DEFAULT_RULES: Final = "lingque-29"
"""The book used if none is named."""
COMPILED: Final = "compiled scorer"
"""The key of `Rulebook.notes` for an object with `score_one`, `tally` and `counted`, once compiled code is loaded."""
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


class ManyKeywords(TypedDict, total=False):
    """Keywords of `quepu.score_many`. A column is a list, array, pandas or polars series, or Arrow array."""

    seat: str | int | Iterable[Any] | None
    """Own wind, E S W N or 东南西北 or a kind 27-30, for all hands or as a column; East if not given."""
    round: str | int | Iterable[Any] | None
    """Round wind, as `seat`."""
    self_draw: bool | Iterable[Any]
    """Whether the winning tile was drawn: true or false for all hands, or as a column."""
    circumstances: Iterable[Any]
    """A list of the book's names for all hands; or a column of such lists, or of texts ("岭上开花, 海底捞月")."""
    flowers: Iterable[Any] | int
    """Names of flowers, or how many, for all hands or as a column; an integer column beside an array of counts has
    flowers as bits (春 at bit 0; any from bit 8 up if only their number is known)."""
    melds: Iterable[Any] | None
    """Beside an array of counts, int [N, up to 4, 2]: each meld's kind (0 chow, 1 pung, 2 kong, 3 concealed kong, -1
    none) and its lowest tile's kind."""
    winning: int | Iterable[Any] | None
    """Beside an array of counts, int [N] or one for all: the kind that completed the hand, -1 if none is named."""
    luck: int | Iterable[Any] | None
    """Beside an array of counts, int [N] or one for all: `Luck` bits, added to those of the other keywords."""
    fans: bool
    """Whether to give `fans`; without, it takes less time and memory."""
    reading: bool
    """Whether to give the planes of the best reading."""
    jobs: int
    """Processes; 0 is one for each core."""
    chunk: int | None
    """Hands settled together."""
    fast: bool | None
    """Whether to compile with numba (the extra `fast`); None: if that pays off."""
    errors: Literal["keep", "raise"]
    """"keep" (the default) leaves each error in `errors` by its row; "raise" raises one that lists the first ten."""


MANY_DEFAULTS: Final = ManyKeywords(
    seat=None, round=None, self_draw=False, circumstances=(), flowers=(), melds=None, winning=None, luck=None,
    fans=True, reading=True, jobs=1, chunk=None, fast=None, errors="keep",
)  # fmt: skip
HAND_DEFAULTS: Final = HandKeywords(seat=None, round=None, self_draw=False, circumstances=(), flowers=())
_DEFAULTS: Final[dict[str, Any]] = {**MANY_DEFAULTS, **HAND_DEFAULTS, "seen": ()}


def showing(accepted: type, defaults: Mapping[str, Any] = _DEFAULTS) -> Callable[[Function], Function]:
    """Decorate a function so that its signature names each keyword of its last parameter, `**keywords`."""
    keywords = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults.get(name), annotation=hint.__forward_arg__)
        for name, hint in accepted.__annotations__.items()
    ]

    def shown(function: Function) -> Function:
        plain = signature(function)
        parameters = [*list(plain.parameters.values())[:-1], *keywords]
        function.__signature__ = plain.replace(parameters=parameters)  # type: ignore[attr-defined]
        return function

    return shown

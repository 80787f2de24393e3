"""House options of 灵雀: how it counts, and the other reading of sentences that can be read in two ways."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from quepu.errors import Text
from quepu.rulebooks.lingque.arithmetic import OPTIONS
from quepu.rules.parts import Option
from quepu.rules.rulebook import Rulebook


def _exclude(book: Rulebook, counts: Any, strong: str, weak: str) -> Rulebook:
    """Let one fan exclude another if they do not count together."""
    conflicts = tuple(name for name in book.fan(strong).conflicts if name != weak)
    return book.having(fans={strong: {"conflicts": conflicts if counts else (*conflicts, weak)}})


def _leave_out(book: Rulebook, counts: Any, strong: str, weak: str) -> Rulebook:
    """Let one fan leave out another unless they count together."""
    fan = book.fan(strong)
    drops, implied = (tuple(name for name in names if name != weak) for names in (fan.drops, fan.implied))
    extra = () if counts else (weak,)
    return book.having(fans={strong: {"drops": (*drops, *extra), "implied": (*implied, *extra)}})


_MEETING: Final = Option(
    "meeting_beside_mirror",
    Text("喜相逢与镜同", "喜相逢 and 镜同"),
    (True, False),
    partial(_exclude, strong="喜相逢", weak="镜同"),
    words=(Text("两者同计", "both count"), Text("照字面互斥，只计其一", "as written: they exclude each other")),
)
_TWO_RANKS: Final = Option(
    "two_ranks_beside_terminals",
    Text("清幺九与二数", "清幺九 and 二数"),
    (False, True),
    partial(_leave_out, strong="清幺九", weak="二数"),
    words=(Text("清幺九不计二数", "二数 not counted with 清幺九"), Text("清幺九另计二数", "清幺九 also counts 二数")),
)
V26_OPTIONS: Final = (*OPTIONS, _MEETING)
V29_OPTIONS: Final = (*OPTIONS, _MEETING, _TWO_RANKS)

"""Play two actions out on the same walls, by compiled tables: the difference is a mean of pairs.

More worlds continue the same seeds. An answer that sharpens is looked at again and again, so the intervals are a
confidence sequence: with 99% none of them, at whatever number of worlds, leaves out the true difference.
"""

from __future__ import annotations

import time
from math import log, sqrt
from typing import Any, NamedTuple

from quepu.errors import HandError, Text
from quepu.review.asking import TURNS, Scene
from quepu.review.typed_hands import AskError
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action
from quepu.table.sampling import can_sample

WRONG = 0.01
"""The chance that some interval of a question leaves out the true difference."""
_TIGHTEST = 256
"""Worlds at which intervals are as narrow as a confidence sequence allows."""
FEWEST = 64
"""Fewer worlds say nothing yet."""
MOST = 100_000
"""The most worlds of one question."""
_CHUNK = 16
_NOT_SUMS = Text("接着算要用上一次的回答。", "continue with the sums of an earlier answer.")


class Played(NamedTuple):
    """Sums over worlds in which both lines were played out; pairs are the first line and the other.

    `net` are points gained, `won` hands won, `dealt` hands that another won on the seat's discard; `squares` sums the
    squares of the difference. `won_by` counts wins by the turn (of four draws) since the choice.
    """

    worlds: int = 0
    net: tuple[int, int] = (0, 0)
    won: tuple[int, int] = (0, 0)
    dealt: tuple[int, int] = (0, 0)
    squares: int = 0
    won_by: tuple[tuple[int, ...], tuple[int, ...]] = ((0,) * TURNS, (0,) * TURNS)

    def add(self, more: Played) -> Played:
        """Return the sums over the worlds of both."""
        net, won, dealt = ((a[0] + b[0], a[1] + b[1]) for a, b in zip(self[1:4], more[1:4], strict=True))
        by = [tuple(x + y for x, y in zip(*pair, strict=True)) for pair in zip(self.won_by, more.won_by, strict=True)]
        return Played(self.worlds + more.worlds, net, won, dealt, self.squares + more.squares, (by[0], by[1]))

    @property
    def swapped(self) -> Played:
        """The same with the two lines exchanged."""
        net, won, dealt, by = self.net[::-1], self.won[::-1], self.dealt[::-1], self.won_by[::-1]
        return Played(self.worlds, net, won, dealt, self.squares, by)

    @property
    def verdict(self) -> Verdict | None:
        """The difference with its interval; None if too few worlds were played."""
        n = self.worlds
        if n < FEWEST:
            return None
        mean = (self.net[0] - self.net[1]) / n
        spread = max(0.0, self.squares / n - mean * mean) * n / (n - 1)
        return Verdict(mean, widen(n) * sqrt(spread / n))

    def to_json(self) -> dict[str, Any]:
        """Return plain data, which `played_of` reads."""
        return self._asdict()


class Verdict(NamedTuple):
    """Points by which the first line is better (less than 0: worse), and half the width of its interval."""

    mean: float
    half: float

    @property
    def better(self) -> int:
        """1 if the first line is better, -1 if the other is, 0 if they are about equal: within the noise."""
        return 0 if abs(self.mean) <= self.half else 1 if self.mean > 0 else -1


def widen(worlds: int) -> float:
    """Return half the width of an interval in standard errors of the mean.

    This is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021, theorem 2.2). A
    single look would need 2.58 standard errors for 99%.
    """
    once = -2 * log(WRONG)
    mixed = worlds * (once + log(once + 1)) / _TIGHTEST
    return sqrt((mixed + 1) / mixed * 2 * log(sqrt(mixed + 1) / WRONG))


def playable() -> Text | None:
    """Say why playouts cannot run on this machine; None if they can."""
    try:
        from quepu.fast.compiled.code_cache import installed
    except ModuleNotFoundError:  # numpy is not installed
        return Text(
            "没有模拟对局：需要 numba（pip install 'quepu[fast]'）。",
            "no playouts: numba is missing (pip install 'quepu[fast]').",
        )
    if installed():
        return None
    return Text(
        "没有模拟对局：需要 numba（pip install 'quepu[fast]'）。",
        "no playouts: numba is missing (pip install 'quepu[fast]').",
    )


def compiled(book: Rulebook) -> bool:
    """Return whether the loops of playouts were compiled on this machine."""
    from quepu.fast.tables.code import compiled_before, missing

    return missing(book) is not None or compiled_before(book, with_gain=True)


def refuse_unplayable(book: Rulebook) -> None:
    """Refuse a book whose hands cannot be played out.

    Raises:
        HandError: compiled tables do not know something that it has.
    """
    from quepu.fast.tables.code import missing

    if (lacking := missing(book)) is not None:
        raise HandError(
            f"不能打完来核实：快速牌桌不会{book.title.zh}的{lacking.zh}。",
            f"it cannot be played out: fast tables do not support {lacking.en}, which {book.title.en} has.",
        )


def play_out(scene: Scene, first: Action, other: Action, played: Played, most: int, seconds: float = 1e9) -> Played:
    """Play both actions out in more worlds, from where `played` ended, until there are `most` or time is up.

    Raises:
        Error: compiled tables do not know something of this moment, or no worlds can be dealt as assumed.
    """
    refuse_unplayable(scene.book)
    started = time.monotonic()
    most = min(most, MOST)
    while played.worlds < most:
        last = min(most, played.worlds + _CHUNK)
        played = played.add(_play(scene, first, other, played.worlds, last))
        if time.monotonic() - started >= seconds:
            break
    return played


class LineWorlds(NamedTuple):
    """One action played out in some worlds, by world: points gained, whether won or dealt in, turns until the end."""

    nets: Any
    won: Any
    dealt: Any
    turns: Any


def play_line(scene: Scene, action: Action, orders: Any) -> LineWorlds:
    """Play one action out on some walls (`Scene.orders`)."""
    from quepu.fast.tables.resumed import ResumedTables

    tables = ResumedTables(scene.moment[0], orders, scene.aim_name).choose(action)
    seat = scene.view.seat
    turns = (tables.draws_since() + 3) // 4
    return LineWorlds(_nets(tables, scene), tables.winners == seat, tables.givers == seat, turns)


def _play(scene: Scene, first: Action, other: Action, start: int, end: int) -> Played:
    import numpy as np

    if scene.table is not None and not can_sample(scene.table, scene.view.seat):
        raise AskError("这一刻还不能接着打。", "this moment cannot be played on.")
    orders = scene.orders(start, end)
    a, b = (play_line(scene, action, orders) for action in (first, other))
    apart = a.nets - b.nets
    by = [tuple(np.bincount(np.clip(line.turns[line.won], 1, TURNS) - 1, minlength=TURNS).tolist()) for line in (a, b)]
    net, won, dealt = ((int(x.sum()), int(y.sum())) for x, y in zip(a[:3], b[:3], strict=True))
    return Played(end - start, net, won, dealt, int((apart * apart).sum()), (by[0], by[1]))


def _nets(tables: Any, scene: Scene) -> Any:
    """Return the points that the seat gained at each table: int64 [N]."""
    import numpy as np

    from quepu.fast.tables.endings import endings
    from quepu.match.settle import settle

    made, which = endings(tables)
    rules = play_rules(scene.book)
    return np.array([settle(ending, scene.book, rules).seats[scene.view.seat] for ending in made], np.int64)[which]


def played_of(data: Any) -> Played:
    """Read the sums of an earlier answer, to continue from them.

    Raises:
        AskError: they are not such sums.
    """
    try:
        net, won, dealt = (_pair(data[key]) for key in ("net", "won", "dealt"))
        first, other = (tuple(int(n) for n in row) for row in data["won_by"])
        found = Played(int(data["worlds"]), net, won, dealt, int(data["squares"]), (first, other))
    except (KeyError, TypeError, ValueError):
        raise AskError(*_NOT_SUMS) from None
    if not {len(first), len(other)} == {TURNS} or not 0 <= found.worlds <= MOST:
        raise AskError(*_NOT_SUMS)
    return found


def _pair(row: Any) -> tuple[int, int]:
    first, other = row
    return int(first), int(other)

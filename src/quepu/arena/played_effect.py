"""Compare a draft with its old book in actual play, by the same bots on the same walls.

Every wall is dealt once under either book, so the luck of the deal cancels out. All sums are integers: parts add up to
the same in any order, and an interrupted run resumes from its file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from quepu.arena.bot_hand import hand_of, play_hand
from quepu.arena.counts import fans_of
from quepu.arena.plan import Plan, PlanError, Player, player_names, seat_bot, seed_of
from quepu.arena.work_parts import Record, missing, spread
from quepu.errors import Text, join_list
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import make_wall

if TYPE_CHECKING:
    from quepu.lab.sheet import Sheet
from quepu.table.events import Drawn, ReplacementDrawn

MEASURES = {
    "won": Text("有人和的局", "hands won"),
    "self_drawn": Text("自摸", "self-drawn"),
    "deal_ins": Text("放铳", "deal-ins"),
    "points": Text("每局点数", "points per hand"),
    "draws": Text("每局摸牌数（快慢）", "draws per hand (pace)"),
    "claims": Text("每局吃碰杠", "claims per hand"),
    "dealer_won": Text("庄家和", "won by the dealer"),
    "dealer_net": Text("庄家每局得失", "the dealer's gain per hand"),
}
"""The measures of every hand."""

_CHUNK, _HEAVY_CHUNK = 20, 4
Levels = tuple[Player, ...]
"""Four players, starting at East, South, West and North; seats rotate with every wall."""
Progress = Callable[[int, int], None]


class PlayedWall(NamedTuple):
    """A wall under one book: the measures in their order, and the fans of the win."""

    measures: tuple[int, ...]
    fans: tuple[str, ...]


class FanMove(NamedTuple):
    """Wins with a fan under either book, their shares of all wins, and the error bound of the difference."""

    name: str
    old: int
    new: int
    old_share: float
    new_share: float
    error: float


@dataclass
class PlayedSums:
    """Sums over walls. For each measure: old, new, difference, and the squares of these.

        >>> from quepu.arena import Duel, play_duel
        >>> play_duel(Duel("lingque-26", "lingque-29", ("random",) * 4, walls=2)).walls
        2

    `partial`: the run was stopped before all walls were played.
    """

    walls: int = 0
    sums: dict[str, list[int]] = field(default_factory=lambda: {name: [0] * 6 for name in MEASURES})
    fans: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    partial: bool = field(default=False, compare=False)

    def add_wall(self, old: PlayedWall, new: PlayedWall) -> None:
        """Count one wall."""
        self.walls += 1
        for name, a, b in zip(MEASURES, old.measures, new.measures, strict=True):
            for at, x in enumerate((a, b, b - a)):
                self.sums[name][at] += x
                self.sums[name][3 + at] += x * x
        for counted, wall in zip(self.fans, (old, new), strict=True):
            counted.update(wall.fans)

    def add(self, other: PlayedSums) -> None:
        """Add another part's sums."""
        self.walls += other.walls
        for name, sums in other.sums.items():
            self.sums[name] = [a + b for a, b in zip(self.sums[name], sums, strict=True)]
        for mine, more in zip(self.fans, other.fans, strict=True):
            mine.update(more)

    def rows(self) -> list[tuple[str, float, float, float, float]]:
        """Return each measure per hand: old, new, difference and its standard error."""
        n = max(1, self.walls)
        found = []
        for name, (old, new, apart, *_, squares) in self.sums.items():
            mean = apart / n
            error = sqrt(max(0.0, squares / n - mean * mean) / max(1, n - 1))
            found.append((name, old / n, new / n, mean, error))
        return found

    def fan_rows(self) -> list[FanMove]:
        """List the fans that were won, largest change in share first."""
        wins = [max(1, self.sums["won"][side]) for side in (0, 1)]
        rows = []
        for name in {**self.fans[1], **self.fans[0]}:
            a, b = (counted[name] / n for counted, n in zip(self.fans, wins, strict=True))
            error = sqrt(max(0.0, a * (1 - a) / wins[0] + b * (1 - b) / wins[1]))
            rows.append(FanMove(name, self.fans[0][name], self.fans[1][name], a, b, error))
        return sorted(rows, key=lambda row: (-abs(row.new_share - row.old_share), row.name))

    def to_json(self) -> dict[str, Any]:
        """Return plain data, for `from_json`."""
        return {"walls": self.walls, "sums": self.sums, "fans": [dict(counted) for counted in self.fans]}

    @classmethod
    def from_json(cls, data: Any) -> PlayedSums:
        """Read sums from plain data.

        Raises:
            PlanError: it holds other data.
        """
        try:
            sums = {name: [int(n) for n in data["sums"][name]] for name in MEASURES}
            one, other = ({str(name): int(n) for name, n in counted.items()} for counted in data["fans"])
            fits = all(len(row) == 6 for row in sums.values()) and min([*one.values(), *other.values(), 0]) >= 0
            if fits and data["walls"] >= 0:
                return cls(int(data["walls"]), sums, (Counter(one), Counter(other)))
        except (KeyError, TypeError, ValueError, AttributeError):
            pass
        raise PlanError("这不是对打的记录。", "these are not the sums of a duel.")


@dataclass(frozen=True)
class Duel:
    """A duel: two books (ids, files or values), four players, a seed, a number of walls.

    Examples:
        >>> duel = Duel("lingque-26", "lingque-29", ("plain",) * 4, walls=100)
        >>> [plan.book.id for plan in duel.plans()]
        ['lingque-26', 'lingque-29']
    """

    old: str | Rulebook
    new: str | Rulebook
    levels: Levels
    walls: int
    seed: int = 1

    def plans(self) -> tuple[Plan, Plan]:
        """Return the plan under either book.

        Raises:
            PlanError: they use different tiles, or it cannot be played at all.
        """
        old, new = (Plan(rules, self.levels, self.walls, self.seed) for rules in (self.old, self.new))
        check_same_tiles(old.book, new.book)
        return old, new

    def identity(self) -> dict[str, Any]:
        """Return the identity of the sums: a run with the same identity resumes them."""
        prints = [plan.book.fingerprint for plan in self.plans()]
        return {"fingerprints": prints, "levels": list(player_names(self.levels)), "seed": self.seed}


def check_same_tiles(old: Rulebook, new: Rulebook) -> None:
    """Check that both books are played with the same tiles.

    Raises:
        PlanError: they use different tiles.
    """
    if play_rules(old).table.tiles != play_rules(new).table.tiles:
        raise PlanError(
            "两本规则用的牌不同，不能打同一副牌墙。",
            "the two rulebooks use different tiles, so they cannot play the same walls.",
        )


def play_part(duel: Duel, first: int, last: int) -> PlayedSums:
    """Play walls `first` to `last` (exclusive)."""
    old, new = (plan.book for plan in duel.plans())
    found = PlayedSums()
    for at in range(first, last):
        add_played(found, old, new, duel.levels, duel.seed, at)
    return found


def add_played(sums: PlayedSums, old: Rulebook, new: Rulebook, levels: Levels, seed: int, at: int) -> None:
    """Play wall `at` of a seed under either book, which use the same tiles, and count it."""
    sums.add_wall(_play_wall(old, levels, seed, at), _play_wall(new, levels, seed, at))


def _play_wall(book: Rulebook, levels: Levels, seed: int, at: int) -> PlayedWall:
    rules = play_rules(book)
    seating = tuple((seat - at) % 4 for seat in range(4))
    bots = [seat_bot(levels[who], seed_of(seed, at, seat)) for seat, who in enumerate(seating)]
    with hand_of(at, seed):
        table = play_hand(book, make_wall(seed, at, rules.table.tiles), bots, round=at // 4 % 4, rules=rules)
    ending = table.ending
    if ending is None:
        raise PlanError("有一局没有打完。", "a hand was not finished.")
    won = bool(ending.winners)
    draws = sum(isinstance(event, Drawn | ReplacementDrawn) for event in table.events)
    claims = sum(shown.source is not None for melds in table.board.melds for shown in melds)
    net = settle(ending, book, rules).seats[0]
    return PlayedWall(
        (
            int(won), int(won and ending.self_draw), int(ending.discarder is not None),
            sum(win.points for win in ending.winners), draws, claims, int(0 in ending.seats), net,
        ),
        fans_of(ending),
    )  # fmt: skip


def play_duel(
    duel: Duel, jobs: int = 1, file: str | Path | None = None, progress: Progress | None = None, cluster: str = ""
) -> PlayedSums:
    """Play a duel. With a file, earlier walls are not played again, and every part is stored at once.

        >>> sums = play_duel(Duel("lingque-26", "lingque-29", ("random",) * 4, walls=2, seed=2))
        >>> sums.walls, sorted(sums.sums)[:3]
        (2, ['claims', 'deal_ins', 'dealer_net'])

    If more walls were played before than the duel has, the sums cover all of them.

    Raises:
        PlanError: the file is of other books, levels or seeds, or the cluster cannot be reached.
        HandError: the file cannot be written.
    """
    for plan in duel.plans():
        plan.prepare()
    record = Record(file, duel.identity())
    whole = PlayedSums()
    if record.sum is not None:
        try:
            whole = PlayedSums.from_json(record.sum)
        except PlanError:
            raise record.build_error() from None
    heavy = any(plan.heavy for plan in duel.plans())
    spans = list(missing(duel.walls, record.done, _HEAVY_CHUNK if heavy else _CHUNK))
    try:
        for span, sums in spread(partial(play_part, duel), spans, jobs, cluster):
            whole.add(sums)
            record.add(span, whole.to_json())
            if progress is not None:
                progress(whole.walls, duel.walls)
    except KeyboardInterrupt:
        if not whole.walls:
            raise
        whole.partial = True
    return whole


def duel_sheets(old: Rulebook, new: Rulebook, sums: PlayedSums, levels: tuple[str, ...]) -> list[Sheet]:
    """Draw up two tables: the measures of a hand with the standard error of their difference, and the fans won."""
    from quepu.lab.sheet import Sheet, SheetColumn

    who = join_list(levels)
    where = Text(
        f"quepu lab duel · {old.fingerprint} → {new.fingerprint} · {who.zh} · {sums.walls} 副牌墙，两边同墙；"
        "机器人不等于人",
        f"quepu lab duel · {old.fingerprint} → {new.fingerprint} · {who.en} · {sums.walls} walls, the same for both; "
        "bots are not people",
    )
    title = Text(f"{old.title.zh} → {new.title.zh}：对打", f"{old.title.en} → {new.title.en}: as played")
    columns = (
        SheetColumn("measure", Text("项目", "measure"), "word"),
        SheetColumn("old", Text("改前", "before"), "number"),
        SheetColumn("new", Text("改后", "after"), "number"),
        SheetColumn("difference", Text("差", "difference"), "number"),
        SheetColumn("error", Text("标准误", "s.e."), "number"),
    )
    played = Sheet(
        "duel",
        title,
        where,
        columns,
        list(sums.rows()),
        {"walls": sums.walls},
        words=dict(MEASURES),
        partial=sums.partial,
    )
    return [played, _fans(old, new, sums, where)]


def _fans(old: Rulebook, new: Rulebook, sums: PlayedSums, where: Text) -> Sheet:
    from quepu.lab.captions import fan_words  # imports numpy, which playing does not need
    from quepu.lab.sheet import Sheet, SheetColumn

    rows = [tuple(row) for row in sums.fan_rows()]
    columns = (
        SheetColumn("fan", Text("番种", "fan"), "fan"),
        SheetColumn("old", Text("改前次数", "before"), "int"),
        SheetColumn("new", Text("改后次数", "after"), "int"),
        SheetColumn("old_share", Text("占和牌", "of wins"), "share"),
        SheetColumn("new_share", Text("占和牌", "of wins"), "share"),
        SheetColumn("error", Text("差的标准误（至多）", "s.e. of the difference (at most)"), "share"),
    )
    title = Text("和出的番种", "fans won")
    return Sheet(
        "duel-fans", title, where, columns, rows, {}, words=fan_words(old) | fan_words(new), partial=sums.partial
    )

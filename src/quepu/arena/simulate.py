"""Many hands, on one core, all cores or a cluster. Hand i of a seed is the same hand wherever it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any

from quepu.arena.hand import play_hand
from quepu.arena.stats import Stats
from quepu.bots.protocol import heavy, make_bot
from quepu.errors import Error
from quepu.match.settle import settle
from quepu.rulebooks import named
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import make_wall
from quepu.tiles import TileSet

Progress = Callable[[int, int, Stats], None]
"""Called with walls done, walls in all, and what has been counted so far."""


class PlanError(Error):
    """A simulation that cannot be run as requested."""


@lru_cache(8)
def _named(rules: str) -> Rulebook:
    return named(rules)


@dataclass(frozen=True)
class Plan:
    """What is played: `walls` deals under `rules` (an id, alias or TOML file), four levels, and a seed.

    Seats turn with every hand. In a duplicate match every wall is played once by each different seating, so that the
    luck of the deal falls out of the comparison.
    """

    rules: str
    levels: tuple[str, ...]
    walls: int
    seed: int = 0
    duplicate: bool = False
    flowers: bool | None = None

    def __post_init__(self) -> None:
        if len(self.levels) != 4:
            n = len(self.levels)
            raise PlanError(f"要四个机器人，给了 {n} 个。", f"four bots are needed, {n} given.")
        for level in self.levels:
            make_bot(level)
        if self.walls < 1:
            raise PlanError("至少打一局。", "at least one hand is played.")

    @property
    def book(self) -> Rulebook:
        """The rulebook, loaded once in a process (a plan travels between processes, a book does not)."""
        return _named(self.rules)

    @property
    def tiles(self) -> TileSet:
        """The tiles in the wall."""
        return play_rules(self.book).table.tiles.with_flowers(self.flowers)

    def seatings(self, wall: int) -> list[tuple[int, ...]]:
        """Who sits East, South, West, North for this wall: places in the line-up, a tuple for each hand played."""
        if not self.duplicate:
            return [tuple((at - wall) % 4 for at in range(4))]
        different: dict[tuple[str, ...], tuple[int, ...]] = {}
        for order in permutations(range(4)):
            different.setdefault(tuple(self.levels[at] for at in order), order)
        return list(different.values())

    def bot_seed(self, wall: int, seat: int) -> int:
        """The seed of the bot at a seat for this wall."""
        return (self.seed * 1_000_003 + wall) * 4 + seat

    def prepare(self) -> None:
        """Build what the levels need once, before processes are started."""
        if any(heavy(level) for level in self.levels):
            from quepu.bots.payable_bot import payable

            payable(self.book).prepare()


def play(plan: Plan, first: int, last: int) -> Stats:
    """Walls `first` to `last` (exclusive) of a plan."""
    book, rules = plan.book, play_rules(plan.book)
    stats = Stats.of(plan.levels)
    for at in range(first, last):
        wall = make_wall(plan.seed, at, plan.tiles)
        nets: dict[str, list[int]] = {level: [0, 0] for level in plan.levels}
        for seating in plan.seatings(at):
            bots = [make_bot(plan.levels[who], plan.bot_seed(at, seat)) for seat, who in enumerate(seating)]
            table = play_hand(book, wall, bots, round=at // 4 % 4, rules=rules)
            assert table.ending is not None  # noqa: S101  # nobody is asked any more
            settled = settle(table.ending, book, rules)
            stats.count(book, table, seating, settled)
            for seat, who in enumerate(seating):
                nets[plan.levels[who]][0] += settled.seats[seat]
                nets[plan.levels[who]][1] += 1
        if plan.duplicate:
            stats.compare((level, net, seats) for level, (net, seats) in nets.items())
    return stats


def _chunks(walls: int, size: int) -> Iterator[tuple[int, int]]:
    for first in range(0, walls, size):
        yield first, min(walls, first + size)


def simulate(plan: Plan, jobs: int = 1, progress: Progress | None = None, cluster: str = "") -> Stats:
    """Play a plan. The counts are the same for any number of jobs; stopped by Ctrl-C, they are marked partial."""
    plan.prepare()
    whole = Stats.of(plan.levels)
    done = 0
    slow = any(heavy(level) for level in plan.levels)
    size = max(1, min(4 if slow else 100, plan.walls // max(1, 4 * jobs) or 1))
    parts: Iterator[tuple[int, Stats]]
    if cluster:
        parts = _on_cluster(plan, size, cluster)
    elif jobs > 1:
        parts = _on_cores(plan, size, jobs)
    else:
        parts = ((last - first, play(plan, first, last)) for first, last in _chunks(plan.walls, size))
    try:
        for walls, part in parts:
            whole.add(part)
            done += walls
            if progress is not None:
                progress(done, plan.walls, whole)
    except KeyboardInterrupt:
        whole.partial = True
    return whole


def _on_cores(plan: Plan, size: int, jobs: int) -> Iterator[tuple[int, Stats]]:
    with ProcessPoolExecutor(jobs) as pool:
        todo = _chunks(plan.walls, size)
        running: dict[Future[Stats], int] = {}
        try:
            while True:
                while len(running) < 2 * jobs and (chunk := next(todo, None)) is not None:
                    running[pool.submit(play, plan, *chunk)] = chunk[1] - chunk[0]
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield running.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _on_cluster(plan: Plan, size: int, address: str) -> Iterator[tuple[int, Stats]]:
    try:
        from distributed import Client, as_completed
    except ModuleNotFoundError:
        raise PlanError(
            "要用集群，请先安装 quepu[cluster]。", "a cluster needs the extra: install quepu[cluster]."
        ) from None
    try:
        client: Any = Client(address, timeout="4s")
    except (OSError, ValueError) as error:
        raise PlanError(f"连不上集群 {address}。", f"cannot reach the cluster at {address}.") from error
    with client:
        size = max(size, 25)
        chunks = list(_chunks(plan.walls, size))
        futures = {client.submit(play, plan, *chunk, pure=False): chunk for chunk in chunks}
        for future in as_completed(list(futures)):
            first, last = futures[future]
            yield last - first, future.result()

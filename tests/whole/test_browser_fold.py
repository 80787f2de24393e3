"""What the browser makes of events (web/src/components/table) beside the fold of Python, event by event."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hatch_build import tools

from quepu.rulebooks import book, books
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall, seen_by
from quepu.table.events import Claimed, Discarded, Event, KongAdded, KongConcealed, ReadyDeclared, Won
from quepu.table.position import Position, apply
from quepu.table.visibility import Board
from quepu.table.wall import TILE_NAMES, WallPlan
from quepu.tiles import PLAIN, WINDS
from tests.table.players import choose

WEB = Path(__file__).parents[2] / "web"
VITEST = WEB / "node_modules" / "vitest" / "vitest.mjs"


def played(name: str, seed: int, eager: float) -> Table:
    """A hand by players of whom a share act at random and the others mean to win."""
    rules, rng = play_rules(book(name)), random.Random(seed)
    wall = make_wall("browser", seed, PLAIN.with_flowers(rules.table.flowers or seed % 5 == 0))
    table = Table(book(name), wall, round=seed % 4, rules=rules)
    while table.to_act:
        seat = rng.choice(table.to_act)
        options = table.options(seat)
        table.step(seat, choose(table, seat) if rng.random() < eager else rng.choice(options))
    return table


class Watcher:
    """One hand folded in Python: after each event what a browser should make of those it was sent."""

    def __init__(self, table: Table, seat: int | None) -> None:
        self.table, self.seat = table, seat
        self.position = Position(WallPlan.of(table.rules.table, len(table.wall.tiles)), table.position.round)
        self.discarded: tuple[int, int, int] | None = (
            None  # the newest discard: seat, tile, how long its river was then
        )

    def steps(self) -> Iterator[dict[str, Any]]:
        hidden = self.table.rules.table.concealed_kongs_hidden
        for number, event in enumerate(self.table.events):
            apply(self.position, event)
            self._watch(event)
            seen = seen_by(event, self.seat, number, hidden)
            if not isinstance(seen, int):
                yield {"event": seen.to_json(), "deed": self._deed(event), **self._table()}

    def _watch(self, event: Event) -> None:
        rivers = self.position.rivers
        if isinstance(event, Discarded):
            self.discarded = event.seat, event.tile, len(rivers[event.seat])
        elif self.discarded is not None and len(rivers[self.discarded[0]]) < self.discarded[2]:
            self.discarded = None

    @staticmethod
    def _deed(event: Event) -> bool:
        return isinstance(event, Claimed | Discarded | KongAdded | KongConcealed | ReadyDeclared | Won)

    def _table(self) -> dict[str, Any]:
        p = self.position
        board = Board.of(p).seen_from(self.seat)
        sides = [
            [0 if one.source is None else (one.source - seat) % 4 for one in melds]
            for seat, melds in enumerate(p.melds)
        ]
        thrown = (
            None
            if self.discarded is None
            else {"seat": WINDS[self.discarded[0]], "tile": TILE_NAMES[self.discarded[1]]}
        )
        return {"board": board.to_json(), "thrown": thrown, "givers": sides, "turn": WINDS[p.turn]}


def compare(first: int, hands: int, folder: Path) -> None:
    """Play so many hands from a number on, every book in turn, and let the client's functions go over them."""
    file = folder / "hands.jsonl"
    names = sorted(one.id for one in books() if one.play)
    with file.open("w", encoding="utf-8") as out:
        for seed in range(first, first + hands):
            name = names[seed % len(names)]
            table = played(name, seed, (0.0, 0.6, 1.0)[seed // len(names) % 3])
            seat = (None, 0, 1, 2, 3)[seed % 5]
            steps = list(Watcher(table, seat).steps())
            out.write(json.dumps({"name": f"{name}, hand {seed}, seen by {seat}", "steps": steps}) + "\n")
    node, _ = tools()
    done = subprocess.run(
        [str(node), str(VITEST), "run", "src/components/table/events.test.ts"],
        cwd=WEB,
        env={**os.environ, "VITE_HANDS": str(file), "VITE_HANDS_COUNT": str(hands)},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert "skipped" not in done.stdout


needs_vitest = pytest.mark.skipif(not VITEST.exists(), reason="web/node_modules is not installed")


@pytest.mark.long
@needs_vitest
def test_the_browser_folds_as_python_does(tmp_path: Path) -> None:
    compare(0, 48, tmp_path)


@needs_vitest
@pytest.mark.slow
def test_ten_thousand_hands(tmp_path: Path) -> None:
    for part in range(20):
        folder = tmp_path / str(part)
        folder.mkdir()
        compare(500 * part, 500, folder)

"""Fit the policy by which a belief weighs hands, `data/belief.json`: `python .ci/fit_belief.py [BOOK …] [--write]`.

Four `gain` bots play on compiled tables; each of their discards is a choice among the kinds in hand, each discard of
others a choice for each possible claim. Weights are those of the likeliest policy: a softmax over discards, a logistic
law for claims, and how often a complete shape is not declared a win.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import quepu
from quepu.bots.belief import ALL, Past, flat_automaton, loops_code
from quepu.fast.tables import FastTables, walls
from quepu.fast.tables import hidden_hands as loops
from quepu.rules.play_rules import play_rules
from quepu.table.events import (
    Claimed,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetAside,
    KongAdded,
    KongConcealed,
    ReplacementDrawn,
    Won,
)
from quepu.tiles import KINDS

BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton")
FILE = Path(quepu.__file__).parent / "data" / "belief.json"


def known_hands(book: quepu.Rulebook, events: Iterable[Event]) -> tuple[Any, Any, Any, list[Won]]:
    """Return the decisions of all seats in a hand, the tiles seen and those held at each, and the wins."""
    past, hands, held = Past(book, -1), np.zeros((4, KINDS + 8), np.int64), []
    wins = []
    for event in events:
        before = len(past.decisions)
        past.watch(event)
        held += [hands[row[loops.BY], :KINDS].copy() for row in past.decisions[before:]]
        if isinstance(event, Dealt):
            np.add.at(hands[event.seat], list(event.tiles), 1)
        elif isinstance(event, Drawn | ReplacementDrawn):
            hands[event.seat, event.tile] += 1
        elif isinstance(event, Discarded | FlowerSetAside | KongAdded):
            hands[event.seat, event.tile] -= 1
        elif isinstance(event, KongConcealed):
            hands[event.seat, event.tile] -= 4
        elif isinstance(event, Claimed):
            np.subtract.at(hands[event.seat], list(event.own), 1)
        elif isinstance(event, Won):
            wins.append(event)
    decided = np.array(past.decisions, np.int64).reshape(-1, 11)
    return decided, np.array(past.seen, np.int64).reshape(-1, KINDS), np.array(held).reshape(-1, KINDS), wins


def rows_of(book: quepu.Rulebook, hands: int, seed: int) -> tuple[Any, Any, Any, Any, list[float]]:
    """Return the decisions of some hands.

    These are the terms of discards, how many each decision has and which was chosen; the terms of claims and whether
    they were made; the logarithms of the shares of complete shapes not declared, on a discard and on the own turn.
    """
    run, automaton = loops_code().functions, flat_automaton()
    copies = np.array(play_rules(book).table.tiles.counts[:KINDS], np.int64)
    tables = FastTables(book, walls(book, hands, seed=seed), np.arange(4 * hands).reshape(-1, 4), levels="gain")
    tables.play()
    found, sizes, chosen, offers, taken = [], [], [], [], []
    complete, won = [0, 0], [0, 0]
    room, terms = np.zeros((3, KINDS), np.int64), np.zeros((KINDS, loops.DISCARD_TERMS))
    none = np.zeros((1, 6), np.int64)
    for i in range(hands):
        decided, seen, held, wins = known_hands(book, tables.events(i))
        for win in wins:
            won[win.giver is None] += 1
        at = loops.Histories(none, none[0], decided, none[0], seen, held, copies)
        for d, row in enumerate(decided):
            if row[loops.ABOUT] == loops.DISCARD:
                before = run.discard_terms(d, at, automaton, room, terms)
                complete[1] += before == 0
                kinds = np.flatnonzero(held[d])
                found.append(terms[kinds])
                sizes.append(len(kinds))
                chosen.append(int(np.searchsorted(kinds, row[loops.WHICH])))
            elif row[loops.ABOUT] == loops.OFFER:
                for made, one in claims_of(d, at, automaton, room, run):
                    offers.append(one)
                    taken.append(made)
                tile, keys = row[loops.WHICH], room[0]
                near = run.keys_missing(row[loops.NEED], keys[0], keys[1], keys[2], keys[3], automaton) == 1
                complete[0] += near and run.missing_with(row[loops.NEED], keys, tile, 1, automaton) == 0
    logs = [float(np.log((n + 0.5) / (n + w + 1))) for n, w in zip(complete, won, strict=True)]
    return np.concatenate(found), np.array(sizes), np.array(chosen), (np.array(offers), np.array(taken)), logs


def claims_of(d: int, at: loops.Histories, automaton: Any, room: Any, run: Any) -> Iterable[tuple[bool, Any]]:
    """Yield each claim that a hand allows, whether it was made, with its terms."""
    decided, held = at.decisions, at.held
    tile, need, terms = decided[d, loops.WHICH], decided[d, loops.NEED], np.zeros((KINDS, loops.DISCARD_TERMS))
    for suit in range(4):
        room[0, suit] = run.key_of(held, d, suit)
    now = run.keys_missing(need, *map(int, room[0, :4]), automaton)
    lows = [tile - n for n in range(3) if tile < 27 and 0 <= tile % 9 - n <= 6] if decided[d, loops.CHOWS] else []
    for low in (*lows, loops.NO_CHOW):
        if run.claim_terms(d, low, now, at, automaton, room, terms):
            yield decided[d, loops.LOW] == low, terms[0, : loops.CLAIM_TERMS].copy()


def fit_softmax(x: Any, sizes: Any, chosen: Any, ridge: float = 1.0) -> tuple[Any, float]:
    """Return the weights of the likeliest softmax (Newton's method), and its mean logarithm."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    group, weights = np.repeat(np.arange(len(sizes)), sizes), np.zeros(x.shape[1])
    taken = x[starts + chosen].sum(axis=0)
    for _ in range(60):
        value = x @ weights
        value -= np.maximum.reduceat(value, starts)[group]
        share = np.exp(value)
        share /= np.add.reduceat(share, starts)[group]
        weighed = share[:, None] * x
        means = np.add.reduceat(weighed, starts, axis=0)
        information = weighed.T @ x - means.T @ means + ridge * np.eye(x.shape[1])
        step = np.linalg.solve(information, taken - means.sum(axis=0) - ridge * weights)
        weights = weights + step * min(1.0, 3.0 / max(abs(step).max(), 1e-9))
        if abs(step).max() < 1e-6:
            break
    return weights, float(np.log(share[starts + chosen]).mean())


def fit_logistic(x: Any, y: Any, ridge: float = 1.0) -> tuple[Any, float]:
    """Return the weights of the likeliest logistic law, and its mean logarithm."""
    weights = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ weights))
        information = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(weights))
        step = np.linalg.solve(information, x.T @ (y - p) - ridge * weights)
        weights = weights + step * min(1.0, 3.0 / max(abs(step).max(), 1e-9))
        if abs(step).max() < 1e-6:
            break
    return weights, float(np.log(np.where(y, p, 1 - p)).mean())


def main() -> None:
    """Fit the books given, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", default=BOOKS)
    parser.add_argument("--hands", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=3901)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    entries, every = {}, []
    for name in given.books:
        book = quepu.book(name)
        x, sizes, chosen, (offers, taken), logs = rows_of(book, given.hands, given.seed)
        discards, fit = fit_softmax(x, sizes, chosen)
        claims, claim_fit = fit_logistic(offers, taken)
        even = float(-np.log(sizes).mean())
        print(f"{name}: {len(sizes)} discards, log {fit:.3f} (even {even:.3f})")
        print(f"  {len(taken)} claims, log {claim_fit:.3f}, made {taken.mean():.3f}; shapes kept {np.exp(logs)}")
        row = [round(float(weight), 3) for weight in (*discards, *claims, *logs)]
        entries[name] = row
        every.append(row)
    entries[ALL] = [round(float(weight), 3) for weight in np.mean(every, axis=0)]
    if given.write:
        lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(entries.items()))
        FILE.write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    main()

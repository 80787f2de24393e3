"""Values of pungs beyond the table of payable hands: the gain from a kong, and from three held tiles."""

from __future__ import annotations

import hashlib
import json
import random
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from quepu.fast import result_cache
from quepu.fast.nearest.receipts import paid_for
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.rules.rulebook import Rulebook
from quepu.tiles import EAST, KINDS

HANDS = 100
_TRIES = 20_000


class Extras(NamedTuple):
    """Extras: factors by which a hand with a pung pays more, on average, if the pung is something better.

    `kong` and `concealed_kong`: a kong in place of an exposed pung, in place of three tiles held by a closed hand;
    `held`: three tiles held by a hand that has claimed others, in place of a claimed pung.
    """

    kong: float
    concealed_kong: float
    held: float


@lru_cache(16)
def extras(book: Rulebook) -> Extras:
    """Return the factors from a hundred winning hands each under the book; at least 1, since a kong is optional.

    They are stored beside the tables: scoring the hands takes a second or two, which would delay a bot's first move.
    """
    path = result_cache.cache_path("extras", book, _own_print(), ".json")
    try:
        return Extras(*map(float, json.loads(path.read_bytes())))
    except (OSError, ValueError, TypeError):
        rng = random.Random(9)
        found = Extras(
            _ratio(book, rng, MeldKind.PUNG, MeldKind.KONG),
            _ratio(book, rng, None, MeldKind.CONCEALED_KONG),
            _ratio(book, rng, MeldKind.PUNG, None),
        )
    result_cache.store(path, lambda file: file.write(json.dumps(found).encode()))
    return found


@cache
def _own_print() -> str:
    """Return the hash of this code; the file's name has the hash of the book."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]


def _ratio(book: Rulebook, rng: random.Random, plain: MeldKind | None, better: MeldKind | None) -> float:
    """Divide the value of hands with the better kind of pung by that with the plain one; None is a held pung."""
    closed = plain is None  # without claims
    found, pays, more = 0, 0.0, 0.0
    for _ in range(_TRIES):
        if found == HANDS:
            break
        kind, pair = rng.randrange(KINDS), rng.randrange(KINDS)
        rest = [_meld(rng, chow) for chow in (True, True, rng.random() < 0.5)]
        held = 3 if closed else 1
        hands = [_hand(rest[:held], rest[held:], kind, how, pair) for how in (plain, better)]
        if max(max(hand.counts()) for hand in hands) > 4:
            continue
        paid = [paid_for(hand, book, False) or 0.0 for hand in hands]
        if min(paid) > 0:
            found += 1
            pays += paid[0]
            more += paid[1]
    return max(more / pays, 1.0) if pays > 0 else 1.0


def _hand(held: list[Meld], claimed: list[Meld], kind: int, how: MeldKind | None, pair: int) -> Hand:
    """Return a hand that waits for one of its pair."""
    concealed = [tile for meld in held for tile in meld.tiles] + [pair]
    melds = claimed if how is None else [*claimed, Meld(how, kind)]
    if how is None:
        concealed += [kind] * 3
    return Hand(tuple(sorted(concealed)), tuple(melds), pair, EAST + 1, EAST)


def _meld(rng: random.Random, chow: bool) -> Meld:
    if chow:
        return Meld(MeldKind.CHOW, rng.randrange(3) * 9 + rng.randrange(7))
    return Meld(MeldKind.PUNG, rng.randrange(KINDS))

"""Bots that need no table: any legal action, and the nearest complete shape."""

from __future__ import annotations

import random
from collections.abc import Sequence

from quepu.distance import DISTANCES, FAR, Tiles, automaton, nearer, tiles_of, without
from quepu.rulebook import Rulebook
from quepu.suits import KEY
from quepu.table import Action, View
from quepu.tiles import BIT, KINDS


class RandomBot:
    """Any legal action, all alike."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed).random

    def begin(self, book: Rulebook, seat: int) -> None:
        """Nothing to prepare."""

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """One of the options."""
        return options[int(self._random() * len(options))]


class PlainBot:
    """Least distance to any complete hand; claims whatever shortens it; wins when it may.

    It does not know what a hand is worth, so it runs into hands that may not win: the beginner's mirror.
    """

    claims = True

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed).random
        self._special: tuple[str, ...] = ()
        self._standard = True

    def begin(self, book: Rulebook, seat: int) -> None:
        """Which shapes the book has."""
        self._standard = "standard" in book.shapes
        self._special = tuple(shape for shape in book.shapes if shape in DISTANCES and shape != "standard")

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Win; keep the nearest; break ties by the tiles that help."""
        if len(options) == 1 or options[0].do == "win":
            return options[0]
        first = options[-1].do
        if first == "pass":
            return self._claim(view, options)
        for option in options:
            if option.do == "flower":
                return option
            if option.do in ("concealed", "added") and self._kong_is_free(view, option):
                return option
        return self._discard(view, options)

    # ---- how far a hand is

    def _missing(self, tiles: Tiles) -> int:
        least = automaton().missing(tiles.key, tiles.need) if self._standard else FAR
        if tiles.need >= 3:
            for shape in self._special:
                least = min(least, DISTANCES[shape](tiles))
        return least

    def _after(self, tiles: Sequence[int], melds: int, kinds: Sequence[int]) -> list[int]:
        """Least missing tiles after each of these discards."""
        key = sum([KEY[kind] for kind in tiles])
        need = 4 - melds
        far = automaton().discards(key, need, kinds) if self._standard else [FAR] * len(kinds)
        if need >= 3 and self._special:
            whole = tiles_of(tuple(tiles), melds)
            best = min(far)
            near = [DISTANCES[shape] for shape in self._special if DISTANCES[shape](whole) <= best]  # a discard adds
            if near:
                counts = _counts(tiles)
                for i, kind in enumerate(kinds):
                    rest = without(whole, kind, counts)
                    far[i] = min(far[i], *[distance(rest) for distance in near])
        return far

    # ---- discarding

    def _discard(self, view: View, options: Sequence[Action]) -> Action:
        first: dict[int, Action] = {}
        for option in options:
            if option.do == "discard" and not option.ready and option.tile < KINDS:
                first.setdefault(option.tile, option)
        if not first:
            return options[0]
        tiles, melds = view.tiles, len(view.melds)
        far = self._after(tiles, melds, list(first))
        best = min(far)
        kept = [option for option, missing in zip(first.values(), far, strict=True) if missing == best]
        if len(kept) == 1:
            return kept[0]
        whole = tiles_of(tuple(tiles), melds)
        counts = _counts(tiles)
        unseen = [4 - n for n in view.seen()]
        most, found = -1.0, kept[0]
        for option in kept:
            helps = self._helping(without(whole, option.tile, counts), best, unseen) + self._random() * 0.5
            if helps > most:
                most, found = helps, option
        return found

    def _helping(self, tiles: Tiles, now: int, unseen: list[int]) -> int:
        """Copies left of the tiles that bring a hand of thirteen nearer."""
        helping = automaton().helping(tiles.key, tiles.need, now, unseen)
        if tiles.need >= 3:
            near = [shape for shape in self._special if DISTANCES[shape](tiles) == now]
            if near:
                more = 0
                for shape in near:
                    more |= nearer(shape, tiles)
                helping += [k for k in range(KINDS) if BIT[k] & more and unseen[k] > 0 and k not in helping]
        return sum([unseen[k] for k in helping])

    # ---- claiming

    def _claim(self, view: View, options: Sequence[Action]) -> Action:
        if not self.claims:
            return options[-1]
        melds = len(view.melds)
        best, found = FAR, options[-1]
        for option in options[:-1]:
            rest = after_claim(view.hand, option)
            if rest is None:
                continue
            if best == FAR:
                best = self._missing(tiles_of(tuple(view.hand), melds))
            if option.do == "kong":
                far = self._missing(tiles_of(tuple(rest), melds + 1))
            else:
                far = min(self._after(rest, melds + 1, list(dict.fromkeys(rest))))
            if far < best:
                best, found = far, option
        return found

    def _kong_is_free(self, view: View, option: Action) -> bool:
        """Whether a kong on the own turn costs no step."""
        tiles = view.tiles
        melds = len(view.melds)
        now = min(self._after(tiles, melds, list(dict.fromkeys(tiles))))
        rest = [kind for kind in tiles if kind != option.tile]
        after = tiles_of(tuple(rest), melds + (option.do == "concealed"))
        return self._missing(after) <= now


class ClosedBot(PlainBot):
    """The same, but claims nothing (concealed kongs are its own tiles)."""

    claims = False


def after_claim(hand: Sequence[int], option: Action) -> list[int] | None:
    """The concealed tiles that remain after a claim (a chow or pung leaves one too many); None for no claim."""
    rest = list(hand)
    if option.do == "chow":
        used = [kind for kind in range(option.low, option.low + 3) if kind != option.tile]
    elif option.do in ("pung", "kong"):
        used = [option.tile] * (2 if option.do == "pung" else 3)
    else:
        return None
    for kind in used:
        rest.remove(kind)
    return rest


def _counts(tiles: Sequence[int]) -> list[int]:
    counts = [0] * KINDS
    for kind in tiles:
        counts[kind] += 1
    return counts

"""Bots that need no table: a random legal action, and the nearest complete shape."""

from __future__ import annotations

import random
from collections.abc import Sequence

from quepu.hands.hand import Meld, MeldKind
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES, Shape
from quepu.shapes.automaton import FAR, Tiles, automaton
from quepu.shapes.distance import tiles_of
from quepu.table import Action, ActionKind, View
from quepu.tiles import BIT, KINDS

"""The meld that a claim makes."""


class RandomBot:
    """Random legal actions, uniformly."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed).random

    def begin(self, book: Rulebook, seat: int) -> None:
        """Nothing to prepare."""

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Choose one of the options."""
        return options[int(self._random() * len(options))]


class PlainBot:
    """Minimises the distance to any complete hand; claims whatever shortens it; wins if it can.

    It does not score hands, so it may complete hands below the minimum, as beginners do.
    """

    claims = True

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed).random
        self._special: tuple[Shape, ...] = ()
        self._standard = True

    def begin(self, book: Rulebook, seat: int) -> None:
        """Read the book's shapes."""
        shapes = [SHAPES[name] for name in book.shapes]
        self._standard = any(shape.plain for shape in shapes)
        # fours beside sets come by themselves or not at all: their distance would cost more than all the rest
        self._special = tuple(shape for shape in shapes if not shape.plain and shape.fours is None)

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Win if possible; keep the nearest hand; break ties by useful tiles."""
        if len(options) == 1 or options[0].do is ActionKind.WIN:
            return options[0]
        if view.has_flower:
            return without_flower(options)
        if options[-1].do is ActionKind.PASS:
            return self._claim(view, options)
        for option in options:
            if option.do in (ActionKind.CONCEALED, ActionKind.ADDED) and self._kong_is_free(view, option):
                return option
        return self._discard(view, options)

    # ---- distance

    def _missing(self, tiles: Tiles) -> int:
        least = automaton().missing(tiles.key, tiles.need) if self._standard else FAR
        if tiles.need >= 3:
            for shape in self._special:
                if shape.at_least is None or shape.at_least(tiles) < least:
                    least = min(least, shape.distance(tiles))
        return least

    def _after(self, tiles: Tiles, kinds: Sequence[int]) -> tuple[list[int], Sequence[Shape]]:
        """Least missing tiles after each of these discards, and the special shapes that may be the nearest then."""
        far = automaton().discards(tiles.key, tiles.need, kinds) if self._standard else [FAR] * len(kinds)
        if tiles.need < 3 or not self._special:
            return far, ()
        near = _within(self._special, tiles, min(far))  # a discard can only increase the distance
        if near:
            distances = [shape.distance for shape in near]
            for i, kind in enumerate(kinds):
                rest = tiles.without_tile(kind)
                far[i] = min(far[i], *[distance(rest) for distance in distances])
        return far, near

    # ---- discards

    def _discard(self, view: View, options: Sequence[Action]) -> Action:
        first: dict[int, Action] = {}
        for option in options:
            if is_plain_discard(option):
                first.setdefault(option.tile_kind, option)
        if not first:
            return options[0]
        whole = tiles_of(view.tiles, view.melds)
        far, near = self._after(whole, list(first))
        best = min(far)
        nearest = [option for option, missing in zip(first.values(), far, strict=True) if missing == best]
        if len(nearest) == 1:
            return nearest[0]
        unseen = view.unseen()
        most, found = -1.0, nearest[0]
        for option in nearest:
            helps = self._helping(whole.without_tile(option.tile_kind), best, unseen, near) + self._random() * 0.5
            if helps > most:
                most, found = helps, option
        return found

    def _helping(self, tiles: Tiles, now: int, unseen: list[int], special: Sequence[Shape]) -> int:
        """Count the copies left of the useful tiles of thirteen tiles; `special` are the shapes near them."""
        helping = automaton().helping(tiles.key, tiles.need, now, unseen)
        if special:
            more = 0
            for shape in _within(special, tiles, now):
                more |= shape.helping(tiles)
            if more:
                helping += [k for k in range(KINDS) if BIT[k] & more and unseen[k] > 0 and k not in helping]
        return sum([unseen[k] for k in helping])

    # ---- claims

    def _claim(self, view: View, options: Sequence[Action]) -> Action:
        if not self.claims:
            return options[-1]
        best, found = FAR, options[-1]
        for option in options[:-1]:
            rest = after_claim(view.hand, option)
            if rest is None:
                continue
            if best == FAR:
                best = self._missing(tiles_of(view.hand, view.melds))
            melds = (*view.melds, option.meld)
            if option.do is ActionKind.KONG:
                far = self._missing(tiles_of(rest, melds))
            else:
                far = min(self._after(tiles_of(rest, melds), list(dict.fromkeys(rest)))[0])
            if far < best:
                best, found = far, option
        return found

    def _kong_is_free(self, view: View, option: Action) -> bool:
        """Return whether a kong on the own turn costs no step."""
        tiles = view.tiles
        melds = view.melds
        now = min(self._after(tiles_of(tiles, melds), list(dict.fromkeys(tiles)))[0])
        rest = [kind for kind in tiles if kind != option.tile]
        if option.do is ActionKind.CONCEALED:
            melds = (*melds, Meld(MeldKind.CONCEALED_KONG, option.tile_kind))
        return self._missing(tiles_of(rest, melds)) <= now


def _within(shapes: Sequence[Shape], tiles: Tiles, most: int) -> list[Shape]:
    """Return those of the shapes that lack at most `most` tiles."""
    return [
        shape
        for shape in shapes
        if (shape.at_least is None or shape.at_least(tiles) <= most) and shape.distance(tiles) <= most
    ]


class ClosedBot(PlainBot):
    """The same, without claims (concealed kongs are its own tiles)."""

    claims = False


def is_plain_discard(option: Action) -> bool:
    """Return whether it discards a tile other than a flower, without a declaration."""
    return option.do is ActionKind.DISCARD and not option.ready and option.tile_kind < KINDS


def without_flower(options: Sequence[Action]) -> Action:
    """Return the action of a bot with a flower in its hand: replace it, or else discard it, or pass."""
    for option in options:
        if option.do is ActionKind.FLOWER:
            return option
    return next((option for option in options if option.tile is not None and option.tile >= KINDS), options[-1])


def after_claim(hand: Sequence[int], option: Action) -> list[int] | None:
    """Return the concealed tiles after a claim (one too many for a chow or pung); None if it is not a claim."""
    rest = list(hand)
    used: list[int]
    if option.low is not None:
        used = [kind for kind in option.run if kind != option.tile]
    elif option.do in (ActionKind.PUNG, ActionKind.KONG):
        used = [option.tile_kind] * (2 if option.do is ActionKind.PUNG else 3)
    else:
        return None
    for kind in used:
        rest.remove(kind)
    return rest

"""A way to a wanted hand: the wall and the actions by which a seat comes to win with it at an ordinary table.

The hand is played once while the tiles next in the wall are exchanged for those that the plan needs; `reach` returns
the wall so found and what everybody said, to be played again by a table that knows of no plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from quepu.hands.hand import Hand, Luck
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Table, Wall
from quepu.table.actions import PASS, Action
from quepu.table.position import Position
from quepu.table.wall import (
    WallPlan,
    WallWalk,
    build_wall,
    check_wall,
    dealt_places,
    undrawn_places,
)
from quepu.tiles import EAST, FIRST_FLOWER, KINDS, PLAIN
from tests.table.way import Step, Way, steps_to

DICE = (1, 3, 2, 4)
AT_ONCE = Luck.HEAVENLY | Luck.EARTHLY | Luck.HUMANLY | Luck.FIRST_ROUND
LAST = Luck.LAST_DRAW | Luck.LAST_DISCARD


def outer(kind: int) -> bool:
    return kind >= 27 or kind % 9 in (0, 8)


class Director:
    """Knows what everybody wants, and what the wall should give next."""

    def __init__(self, book: Rulebook, hand: Hand, luck: int, flowers: tuple[int, ...], wanted: str) -> None:
        self.book, self.hand, self.luck, self.wanted = book, hand, luck, wanted
        self.winner = hand.seat - EAST
        self.robbed = (self.winner + 1) % 4 if luck & Luck.ROBBED_KONG else -1
        self.idler = (self.winner + 2) % 4  # claims pungs to change who draws the last tile
        self.steps = steps_to(hand.melds, hand.winning, luck)
        self.pairs: list[int] = []
        self.discards = 0
        self.eighth = -1
        own = list(flowers)
        if luck & Luck.ROBBED_FLOWER:
            self.eighth = FIRST_FLOWER + own.pop()
        self.reserved = self._reserved()
        self.position: Position | None = None  # until the deal
        rules = play_rules(book).table
        self.flowers = rules.flowers or bool(flowers)
        self.order = self._place_tiles(
            WallPlan.of(rules, 144 if self.flowers else 136), [FIRST_FLOWER + one for one in own]
        )
        self.table = Table(book, build_wall(self.order, DICE), round=hand.round - EAST)
        self.order = self.table._order
        self.position = self.table._position
        self.moves: list[tuple[int, Action]] = []

    # ---- before the deal

    def _reserved(self) -> Counter[int]:
        """Tiles that must not be given to anybody without a reason."""
        reserved = Counter({kind: n for kind, n in enumerate(self.hand.counts()) if n})
        t = self.hand.winning
        if t is not None and (self.robbed >= 0 or self.luck & (Luck.FOURTH_TILE | Luck.FRESH_TILE)):
            reserved[t] = 4
        return reserved

    def _own(self) -> list[int]:
        """What the winner is dealt: the concealed tiles, and what melds take from the hand."""
        own = list(self.hand.concealed)
        for step in self.steps:
            if step.do == "chow":
                own += [kind for kind in Action(step.do, step.tile, step.low).run if kind != step.tile]
            elif step.do != "added":
                own += [step.tile] * (2 if step.do == "pung" else 3)
        return own

    def _place_tiles(self, plan: WallPlan, own_flowers: list[int]) -> list[int]:
        """The tiles in the order of drawing: four hands, the first draw, and replacements of flowers dealt."""
        free = Counter(PLAIN.tiles)
        free.subtract(self.reserved)
        stock = sorted(free.elements(), key=lambda kind: (self._precious(kind), kind * 7 % KINDS))
        hands: list[list[int]] = [[], [], [], []]
        hands[self.winner] = self._own()
        if self.robbed >= 0:
            assert self.hand.winning is not None
            hands[self.robbed] = [self.hand.winning] * 2
        triples = [kind for kind, n in free.items() if n >= 3 and not self._precious(kind)]
        self.pairs = triples[:3] if self.luck & LAST else []
        for kind in self.pairs:
            hands[self.idler] += [kind] * 2
            stock.remove(kind)
            stock.remove(kind)
            stock.remove(kind)  # the third is drawn and discarded when it is time
        for hand in hands:
            while len(hand) < 13:
                hand.append(stock.pop(0))
        flowers: list[list[int]] = [[], [], [], []]
        if self.flowers:
            flowers[self.winner] = own_flowers
            rest = [one for one in PLAIN.with_flowers(True).flowers if one not in own_flowers and one != self.eighth]
            flowers[(self.winner + 1) % 4] = rest[:4]
            flowers[(self.winner + 2) % 4] = rest[4:]
        order: list[int] = [-1] * plan.size
        walk = WallWalk(plan)
        for seat in range(4):
            hand, replaced = hands[seat], len(flowers[seat])
            late = hand[13 - replaced :]
            for place, kind in zip(dealt_places(seat), hand[: 13 - replaced] + flowers[seat], strict=True):
                order[place] = kind
            for kind in late:
                order[walk.tail(seat)] = kind
        self.left = plan.size - plan.dealt - plan.dead
        left = Counter(PLAIN.with_flowers(self.flowers).tiles)
        left.subtract(kind for kind in order if kind >= 0)
        first = self._draw(0, left)
        left[first] -= 1
        order[plan.dealt] = first
        rest = sorted(left.elements(), key=lambda kind: kind >= KINDS)
        for at, kind in enumerate(order):
            if kind < 0:
                order[at] = rest.pop(0)
        assert not rest
        check_wall(Wall(tuple(order), DICE))
        return order

    def _precious(self, kind: int) -> bool:
        """Tiles that the winner had better discard himself."""
        return bool(self.luck & Luck.OUTER_DISCARDS) and outer(kind)

    # ---- what the wall gives

    def _junk(self, seat: int, left: Counter[int]) -> int:
        """A tile that no seat needs."""
        spare = left.copy()
        spare.subtract(self._to_come())
        wants_outer = bool(self.luck & Luck.OUTER_DISCARDS) and seat == self.winner
        kinds = [kind for kind, n in spare.items() if n > 0 and kind < KINDS]
        if not kinds:
            vital = {self.hand.winning, *(step.tile for step in self.steps)}
            return min((kind for kind, n in left.items() if n > 0), key=vital.__contains__)
        return min(kinds, key=lambda kind: (outer(kind) != wants_outer if self.luck & Luck.OUTER_DISCARDS else 0,
                                            -spare[kind], kind * 7 % KINDS))  # fmt: skip

    def _to_come(self) -> Counter[int]:
        """Tiles that are still to be drawn for a purpose."""
        coming = Counter(step.tile for step in self.steps)
        coming.update(self.pairs)
        t = self.hand.winning
        if t is not None:
            shown = self._shown(t)
            coming[t] += 4 - shown if self.reserved[t] == 4 and not self._held(t) else 1
        return coming

    def _held(self, kind: int) -> bool:
        return kind in self.hand.concealed

    def _shown(self, kind: int) -> int:
        """Copies that are open or taken by another seat."""
        p = self.position
        if p is None:
            return 2 if self.robbed >= 0 else 0
        seen = p.visible()[kind]
        return seen + sum(p.counts[seat][kind] for seat in range(4) if seat != self.winner)

    def _draw(self, seat: int, left: Counter[int]) -> int:
        """What `seat` should draw next from the head."""
        t = self.hand.winning
        wanted = -1
        if seat == self.winner:
            if self.steps and self.steps[0].do in ("concealed", "added") and not self._hold(seat):
                wanted = self.steps[0].tile
            elif not self.steps and t is not None and self.luck & Luck.SELF_DRAW and self._due():
                wanted = t
        else:
            wanted = self._for_another(seat, t)
        return wanted if wanted >= 0 and left[wanted] > 0 else self._junk(seat, left)

    def _for_another(self, seat: int, t: int | None) -> int:
        if self.eighth >= 0:
            return self.eighth
        if self.steps:
            step = self.steps[0]
            claimable = step.do in ("pung", "kong") or (step.do == "chow" and seat == (self.winner + 3) % 4)
            if claimable and not self._hold(seat):
                return step.tile
            if len(self.steps) > 1 or step.do not in ("kong", "concealed", "added"):
                return -1
        if t is not None and self.robbed >= 0:
            if not self._robbed_pung():
                return t if seat != self.robbed else -1
            if seat == self.robbed and self._due():
                return t
        elif t is not None and not self.steps:
            if self.luck & Luck.FOURTH_TILE and self._visible(t) < 3:
                return t
            if not self.luck & Luck.SELF_DRAW and self._due():
                return t
        if self.pairs and seat == (self.winner + 1) % 4 and self._last_drawer() != self._last_wanted():
            return self.pairs[0]
        return -1

    def _visible(self, kind: int) -> int:
        return self.position.visible()[kind] if self.position is not None else 0

    def _robbed_pung(self) -> bool:
        return self.position is not None and bool(self.position.melds[self.robbed])

    def _due(self) -> bool:
        """Whether the next tile from the head may win."""
        if self.luck & LAST:
            return self._tiles_left() == 1
        if self.luck & (AT_ONCE | Luck.FIRST_CHANCE):
            return True
        return self.discards >= (2 if self.luck & Luck.READY_AT_FIRST else 1)

    def _hold(self, seat: int) -> bool:
        """Whether the last kong has to wait: its replacement is to be the last tile of all."""
        if not self.luck & Luck.LAST_DRAW or not self.luck & Luck.KONG_DRAW or len(self.steps) > 1:
            return False
        return self._tiles_left() != 2 or (self.steps[0].do == "kong") == (seat == self.winner)

    def _tiles_left(self) -> int:
        return self.position.left if self.position is not None else self.left

    def _last_drawer(self) -> int:
        """The seat that draws the last tile from the head (the last but one if a kong follows) if no one claims."""
        left = self._tiles_left() - bool(self.steps)
        return (self.position.turn + left) % 4 if self.position is not None else -1

    def _last_wanted(self) -> int:
        if self.robbed >= 0:
            return self.robbed
        own = self.steps[0].do != "kong" if self.steps else self.luck & Luck.LAST_DRAW
        drawer = self._last_drawer()
        return self.winner if own else drawer if drawer != self.winner else (self.winner + 1) % 4

    def _replacement(self, left: Counter[int]) -> int:
        """What the winner should get for the kong that he makes now."""
        t = self.hand.winning
        after = self.steps[1:]
        if after and after[0].chained:
            return after[0].tile
        if not after and self.luck & Luck.KONG_DRAW and t is not None:
            return t
        return self._junk(self.winner, left)

    def _prepare(self, seat: int, action: Action) -> None:
        """Put what follows the action where it is drawn from."""
        p = self.table._position
        kong = action.do in ("kong", "concealed", "added")
        if seat == self.winner and kong:
            self._swap(p.next_tail(seat), self._replacement(self._undrawn()))
        elif action.do in ("discard", "pass", "ready") and p.left:
            drawer = (p.turn + 1) % 4 if p.dealt else 0
            self._swap(p.front if p.left > 1 else p.next_head(drawer), self._draw(drawer, self._undrawn()))

    def _undrawn(self) -> Counter[int]:
        return Counter(self.table.undrawn())

    def _swap(self, place: int, kind: int) -> None:
        if self.order[place] == kind:
            return
        p = self.table._position
        places = undrawn_places(len(self.order), p.front, p.back)
        other = next(at for at in places if self.order[at] == kind)
        self.order[place], self.order[other] = self.order[other], self.order[place]

    # ---- what seats say

    def play(self) -> Way | None:
        """The whole hand; None where it did not come to what was wanted."""
        table = self.table
        while table.to_act:
            seat = table.to_act[0]
            options = table.options(seat)
            action = self._winner(options) if seat == self.winner else self._another(seat, options)
            if action.do == "win":
                self.moves.append((seat, action))
                table.step(seat, action)
                continue
            self._prepare(seat, action)
            self.moves.append((seat, action))
            table.step(seat, action)
            self._after(seat, action)
        ending = table.ending
        assert ending is not None
        score = None if ending.first is None else ending.first.score
        if score is None or self.wanted not in {fan.name for fan in score.fans}:
            return None
        return Way(build_wall(self.order, DICE), tuple(self.moves))

    def _after(self, seat: int, action: Action) -> None:
        if seat == self.winner:
            if action.do == "discard":
                self.discards += 1
            elif action.do in ("chow", "pung", "kong", "concealed", "added"):
                self.steps.pop(0)
        elif seat == self.idler and action.do == "pung":
            self.pairs.pop(0)
        elif action.do == "flower" or self.eighth in self.table._position.flowers[seat]:
            self.eighth = -1

    def _winner(self, options: tuple[Action, ...]) -> Action:
        table = self.table
        for option in options:
            if option.do == "win" and option.score is not None:
                if self.wanted in {fan.name for fan in option.score.fans}:
                    return option
            elif option.do == "ready" and self.luck & Luck.READY_AT_DEAL:
                return option
        if self.steps:
            step = self.steps[0]
            holding = step.do in ("kong", "concealed", "added") and self._held_back(step)
            for option in options:
                if (option.do, option.tile, option.low) == (step.do, step.tile, step.low) and not holding:
                    return option
        if PASS in options:
            return PASS
        flower = next((option for option in options if option.do == "flower"), None)
        if flower is not None:
            return flower
        p = table._position
        needed = Counter(self._own())
        ready = bool(self.luck & Luck.READY_AT_FIRST) and not self.discards
        thrown = [o for o in options if o.do == "discard" and o.ready is ready] or [
            o for o in options if o.do == "discard" and not o.ready
        ]
        spare = [o for o in thrown if p.counts[self.winner][o.tile] > needed[o.tile]]
        return min(spare or thrown, key=lambda o: not o.drawn)

    def _held_back(self, step: Step) -> bool:
        late = self.luck & Luck.LAST_DRAW and self.luck & Luck.KONG_DRAW and len(self.steps) == 1
        return bool(late) and self.table._position.left != 1

    def _another(self, seat: int, options: tuple[Action, ...]) -> Action:
        p = self.table._position
        t = self.hand.winning
        for option in options:
            if option.do == "pung" and seat == self.robbed and option.tile == t:
                return option
            idle = seat == self.idler and self.pairs and option.tile == self.pairs[0]
            if option.do == "pung" and idle and self._last_drawer() != self._last_wanted():
                return option
            if option.do == "added" and seat == self.robbed and self._added_due():
                return option
            if option.do == "flower":
                return option
        if PASS in options:
            return PASS
        thrown = [option for option in options if option.do == "discard" and not option.ready]
        needed = [*self.pairs, *([t] if seat == self.robbed else [])]
        plain = [option for option in thrown if option.tile not in needed] or thrown
        drawn = [option for option in thrown if option.drawn and not (seat == self.robbed and option.tile == t)]
        return (drawn or [option for option in plain if p.counts[seat][option.tile]])[0]

    def _added_due(self) -> bool:
        return not self.luck & LAST or self.table._position.left == 0


def ways(
    book: Rulebook, hand: Hand, luck: int, flowers: tuple[int, ...]
) -> Iterator[tuple[Hand, int, tuple[int, ...]]]:
    """The hand as it is; then with the last tile, self-drawn, from other seats."""
    yield hand, luck, flowers
    last = Luck.LAST_DRAW if luck & Luck.SELF_DRAW else Luck.LAST_DISCARD
    for seat in (hand.seat, EAST + 1, EAST):
        other = hand._replace(seat=seat)
        for more in (0, int(last)):
            yield other, luck | more, flowers
        if not luck & Luck.SELF_DRAW:
            yield other, luck | Luck.SELF_DRAW, flowers
            yield other, luck | Luck.SELF_DRAW | Luck.LAST_DRAW, flowers


def reach(book: Rulebook, hand: Hand, luck: int, flowers: tuple[int, ...], wanted: str) -> Way | None:
    """How the seat comes to win with this hand and these circumstances, so that the fan counts."""
    for other, bits, own in ways(book, hand, luck, flowers):
        found = Director(book, other, bits, own, wanted).play()
        if found is not None:
            return found
    return None

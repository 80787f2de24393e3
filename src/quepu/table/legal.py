"""Legal actions of seats in a position: on their turn, about a discard, about a kong or flower, before the first draw.

Nothing here changes a position. Claims are dicts from seat to its options, highest first, a pass last. An `Offer`
gathers the answers of several seats to one choice.
"""

from __future__ import annotations

from bisect import bisect_left, insort

from quepu.shapes.distance import tiles_of, within
from quepu.table import actions
from quepu.table.actions import PASS, Action, ActionKind
from quepu.table.events import Discarded, Event
from quepu.table.judge import Judge, outer_discards
from quepu.table.luck import BY_DISCARD, BY_DRAW, BY_FLOWER, BY_OPENING, BY_OUTER_DISCARDS, BY_SEVEN_FLOWERS, Chance
from quepu.table.position import KEY, Position
from quepu.table.ready import LASTING, WHATEVER
from quepu.tiles import BIT, KINDS

Options = tuple[Action, ...]
Claims = dict[int, Options]

_FROM_HAND, _AS_DRAWN = actions.FROM_HAND.__getitem__, actions.AS_DRAWN
_CHOWS = actions.CHOWS
_NO_CLAIMS: frozenset[str] = frozenset()
_OTHERS = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))
"""For each seat the other three in turn order."""


class State:
    """Everything that the options of seats depend on.

    `missed` tells whether a seat passed up a win since it declared itself ready, which no event shows. Three caches are
    renewed by `look` when a hand has changed, and by `exchange` after a discard from it: `waits`, planes of the waits
    of each thirteen tiles, `kinds`, the different kinds in hand, sorted, and `discards`, an action for each of those.
    """

    __slots__ = (
        "allows_chows",
        "declares_ready",
        "discards",
        "events",
        "flower_wins",
        "flowers_held",
        "judge",
        "kinds",
        "missed",
        "position",
        "waits",
        "waits_of",
    )

    def __init__(self, position: Position, judge: Judge) -> None:
        self.position = position
        self.judge = judge
        self.events: list[Event] = []
        self.waits = [0, 0, 0, 0]
        self.waits_of = judge.waits_of
        self.kinds: list[list[int]] = [[], [], [], []]
        self.discards: list[list[Action]] = [[], [], [], []]
        self.missed = [False] * 4
        rules = judge.rules.table
        self.allows_chows = "chow" in rules.claims
        self.flower_wins = rules.flower_wins
        self.flowers_held = rules.flowers_held
        self.declares_ready = rules.declares_ready

    def copy(self) -> State:
        """Copy the state, to be changed independently."""
        made = State(self.position.copy(), self.judge)
        made.events, made.waits, made.missed = self.events[:], self.waits[:], self.missed[:]
        made.kinds = [one[:] for one in self.kinds]
        made.discards = [one[:] for one in self.discards]
        return made

    def look(self, seat: int) -> None:
        """Renew the caches of a changed hand: of thirteen tiles, or of fourteen after a chow or pung."""
        p = self.position
        hand = p.hands[seat]
        kinds = self.kinds[seat] = list(dict.fromkeys(hand))
        self.discards[seat] = list(map(_FROM_HAND, kinds))
        melds = p.hand_melds[seat]
        waiting = hand[-1] < KINDS and len(hand) % 3 == 1
        self.waits[seat] = self.waits_of(p.keys[seat], hand, melds, WHATEVER, len(kinds)) if waiting else 0

    def exchange(self, seat: int, tile: int, drawn: int | None) -> None:
        """Renew the caches of a hand from which `tile` was discarded after drawing `drawn`, if any."""
        p = self.position
        kinds, counts = self.kinds[seat], p.counts[seat]
        if tile != drawn:
            discards = self.discards[seat]
            if not counts[tile]:
                at = bisect_left(kinds, tile)
                del kinds[at], discards[at]
            if drawn is not None and counts[drawn] == 1:
                at = bisect_left(kinds, drawn)
                kinds.insert(at, drawn)
                discards.insert(at, _FROM_HAND(drawn))
        waiting = kinds[-1] < KINDS  # not with a flower in hand
        self.waits[seat] = (
            self.waits_of(p.keys[seat], p.hands[seat], p.hand_melds[seat], WHATEVER, len(kinds)) if waiting else 0
        )

    def win(self, seat: int, tile: int | None, chance: Chance) -> Action | None:
        """Return the action of winning, with its score, if the seat may win now."""
        return self.judge.win(self.position, self.events, seat, tile, chance, self.missed[seat])


def can_replace(position: Position, seat: int) -> bool:
    """Return whether a tile is left to replace a kong or flower of the seat."""
    if position.piles is not None:
        return position.piles[seat] > 0
    plan = position.plan
    return position.back < plan.dead if plan.feeds else position.left > 0


def turn_options(state: State) -> Options:
    """List the options of the seat whose turn it is, with fourteen tiles."""
    p = state.position
    seat, drawn = p.turn, p.drawn
    if drawn is None:
        found = tuple(state.discards[seat])
    elif drawn >= KINDS:
        if not state.flowers_held:
            return (actions.AS_DRAWN[drawn], *((actions.FLOWER[drawn],) if can_replace(p, seat) else ()))
        found = (*state.discards[seat], _AS_DRAWN[drawn])
    else:
        found = (*state.discards[seat], _AS_DRAWN[drawn])
        if state.waits[seat] & BIT[drawn] or (state.flower_wins and len(p.flowers[seat]) >= 7):
            win = None if p.barred[seat] else state.win(seat, drawn, BY_DRAW)
            if win is not None:
                found = (win, *found)
    if p.fours[seat] or p.pungs[seat]:
        found += _kongs(state, seat)
    if state.declares_ready and drawn is not None and not p.rivers[seat]:
        found += _declarations(state, seat, drawn)
    if state.flowers_held and drawn is not None and can_replace(p, seat):
        found += tuple([actions.FLOWER[kind] for kind in (*state.kinds[seat], drawn) if kind >= KINDS])
    return found


def _kongs(state: State, seat: int) -> Options:
    p, rules = state.position, state.judge.rules.table
    if (p.barred[seat] and not rules.barred_claims) or (p.drawn is None and not rules.kong_after_claim):
        return ()
    if p.piles is not None:
        if not p.piles[seat] or p.last:  # both walls are needed, the own and the next seat's
            return ()
    elif not p.left and not rules.kong_without_replacement:
        return ()
    counts = p.counts[seat]
    found = [actions.CONCEALED[kind] for kind in p.fours[seat]] if p.fours[seat] else []
    for kind in p.pungs[seat]:
        if counts[kind]:
            found.append(actions.ADDED[kind])  # noqa: PERF401  # a loop costs less than a comprehension's frame here
    return tuple(found)


def _declarations(state: State, seat: int, drawn: int) -> Options:
    """List the first discards that leave the hand ready, with a declaration."""
    p = state.position
    if p.declared[seat] or p.barred[seat]:
        return ()
    if any(meld.exposed for meld in p.hand_melds[seat]):
        return ()
    if any(isinstance(event, Discarded) and event.seat == seat for event in state.events):
        return ()
    hand = p.hands[seat]
    if not within(tiles_of((*hand, drawn), p.hand_melds[seat]), state.judge.book.shapes, 1):
        return ()
    waits, key, melds = state.judge.waits_of, p.keys[seat], p.hand_melds[seat]
    found = [actions.AS_DRAWN_READY[drawn]] if waits(key, hand, melds, LASTING) else []
    for kind in dict.fromkeys(hand):
        rest = hand[:]
        rest.remove(kind)
        insort(rest, drawn)
        if waits(key + KEY[drawn] - KEY[kind], rest, melds, LASTING):
            found.append(actions.FROM_HAND_READY[kind])
    return tuple(found)


def discard_claims(state: State, seat: int, tile: int) -> Claims | None:
    """Return the seats that may claim this discard, with their options; None if there are none."""
    if tile >= KINDS:
        return None
    nearest, opposite, before = _OTHERS[seat]
    bit, waits, counts = BIT[tile], state.waits, state.position.counts
    claims: Claims | None = None
    chows = []
    own = counts[nearest]
    if state.allows_chows:
        for a, b, chow in _CHOWS[tile]:
            if own[a] and own[b]:
                chows.append(chow)  # a loop is cheaper here than a comprehension's frame
    if chows or own[tile] >= 2 or waits[nearest] & bit:
        options = _claimable(state, nearest, tile, chows)
        if options:
            claims = {nearest: options}
    if counts[opposite][tile] >= 2 or waits[opposite] & bit:
        options = _claimable(state, opposite, tile, [])
        if options:
            claims = {opposite: options} if claims is None else {**claims, opposite: options}
    if counts[before][tile] >= 2 or waits[before] & bit:
        options = _claimable(state, before, tile, [])
        if options:
            claims = {before: options} if claims is None else {**claims, before: options}
    return claims


def _claimable(state: State, seat: int, tile: int, chows: list[Action]) -> Options:
    """List the claims of a seat on a discard, highest first, and a pass; empty if there are none."""
    p, rules = state.position, state.judge.rules.table
    if p.barred[seat] and not rules.barred_claims:
        return ()
    found: list[Action] = []
    if state.waits[seat] & BIT[tile] and not p.barred[seat]:
        win = state.win(seat, tile, BY_DISCARD)
        if win is not None:
            found.append(win)
    if p.piles is not None:
        allowed = _NO_CLAIMS if p.last else rules.claims
    else:
        allowed = rules.claims if p.left else rules.last_discard & rules.claims
    n = p.counts[seat][tile]
    if n == 3 and "kong" in allowed and (p.left or rules.kong_without_replacement):
        found.append(actions.KONG[tile])
    if n >= 2 and "pung" in allowed:
        found.append(actions.PUNG[tile])
    if chows and "chow" in allowed:
        found += chows
    if found:
        found.append(PASS)
    return tuple(found)


def robbing_claims(state: State, seat: int, kind: int, chance: Chance) -> Claims:
    """Return the seats that may rob a kong of `seat`."""
    p = state.position
    claims: Claims = {}
    for other in _OTHERS[seat]:
        if state.waits[other] & BIT[kind] and not p.barred[other]:
            win = state.win(other, kind, chance)
            if win is not None:
                claims[other] = (win, PASS)
    return claims


def flower_claims(state: State, seat: int) -> Claims:
    """Return the seat with the other seven flowers, which may rob the eighth set aside by `seat` (七抢一)."""
    p = state.position
    if state.judge.rules.table.flower_wins and len(p.flowers[seat]) == 1:
        for other in range(4):
            if len(p.flowers[other]) == 7 and not p.barred[other]:
                win = state.win(other, None, BY_FLOWER)
                if win is not None:
                    return {other: (win, PASS)}
    return {}


def seven_flowers(state: State) -> Claims:
    """Return which of the three seats that do not draw first may win with seven flowers in a dealt hand."""
    p = state.position
    if state.judge.rules.table.flower_wins:
        for seat in (1, 2, 3):
            if len(p.flowers[seat]) >= 7 and not p.barred[seat]:
                win = state.win(seat, None, BY_SEVEN_FLOWERS)
                if win is not None:
                    return {seat: (win, PASS)}
    return {}


def opening_claims(state: State) -> Claims:
    """Return the seats that may declare a dealt hand ready before the first draw."""
    p, judge = state.position, state.judge
    if not judge.rules.table.declares_ready:
        return {}
    ready = [s for s in (1, 2, 3) if judge.waits_of(p.keys[s], p.hands[s], p.hand_melds[s], LASTING)]
    return dict.fromkeys(ready, (actions.READY, PASS))


def outer_claims(state: State) -> Claims:
    """Return the seats that may win an exhausted hand by their discards."""
    claims: Claims = {}
    p = state.position
    if state.judge.rules.table.outer_discards:
        for seat in range(4):
            if not p.barred[seat] and outer_discards(p, state.events, seat):
                win = state.win(seat, None, BY_OUTER_DISCARDS)
                if win is not None:
                    claims[seat] = (win, PASS)
    return claims


_RANK = {
    ActionKind.WIN: 30, ActionKind.KONG: 20, ActionKind.PUNG: 20, ActionKind.CHOW: 10, ActionKind.READY: 5,
    ActionKind.PASS: 0,
}  # fmt: skip


class Offer:
    """A choice offered to several seats at once, until every seat whose answer matters has answered.

    `claims` are the seats that have not answered yet, `answers` the claims made: rank, seat, action. `tile` (None:
    none) is what `seat` has put down, which `most` seats may win.
    """

    __slots__ = ("answers", "chance", "claims", "most", "seat", "tile")

    def __init__(self, chance: Chance, claims: Claims, seat: int, tile: int | None, most: int = 1) -> None:
        self.chance = chance
        self.claims = claims
        self.seat = seat
        self.tile = tile
        self.most = most
        self.answers: list[tuple[int, int, Action]] = []

    def copy(self) -> Offer:
        """Copy the offer, to be answered independently."""
        made = Offer(self.chance, dict(self.claims), self.seat, self.tile, self.most)
        made.answers = self.answers[:]
        return made

    def answer(self, seat: int, chosen: Action) -> bool:
        """Record an answer; return whether no awaited answer can change the outcome."""
        del self.claims[seat]
        if chosen.do is not ActionKind.PASS:
            self.answers.append((self._rank(seat, chosen), seat, chosen))
        if not self.claims:
            return True
        if self.chance is BY_OPENING:
            return False
        return not any(self._matters(other, options[0]) for other, options in self.claims.items())

    @property
    def wins(self) -> list[tuple[int, Action]]:
        """The wins declared that count, nearest first."""
        found = sorted((answer for answer in self.answers if answer[2].do is ActionKind.WIN), reverse=True)
        return [(seat, action) for _, seat, action in found[: self.most]]

    def _matters(self, seat: int, best: Action) -> bool:
        """Return whether a seat with this best claim can still change the outcome."""
        rank = self._rank(seat, best)
        above = sum(answer[0] > rank for answer in self.answers)
        return above < (self.most if best.do is ActionKind.WIN else 1)

    def _rank(self, seat: int, action: Action) -> int:
        """Rank a claim: by kind, and within a kind by turn."""
        return _RANK[action.do] - (seat - self.seat & 3)

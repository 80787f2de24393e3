"""One hand: whose action is awaited, what they may do, what follows. `options` and `step` are the only door."""

from __future__ import annotations

from typing import Any, NoReturn

from quepu.errors import Error
from quepu.hands.hand import Meld
from quepu.rules.play_rules import SEATS, Ending, PlayRules, ReadyHand, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import actions as say
from quepu.table import events as happen
from quepu.table import legal
from quepu.table.actions import PASS, Action
from quepu.table.events import Event
from quepu.table.judge import Judge
from quepu.table.legal import Claims, Options, State, discard_claims, turn_options
from quepu.table.luck import (
    BY_ADDED_KONG,
    BY_CONCEALED_KONG,
    BY_DISCARD,
    BY_DRAW,
    BY_FLOWER,
    BY_HELD,
    BY_OPENING,
    BY_OUTER_DISCARDS,
    BY_SEVEN_FLOWERS,
    ROBBED,
    Chance,
    kongs_in_a_row,
)
from quepu.table.position import Position, apply, apply_discarded, apply_drawn
from quepu.table.visibility import Board, View, view_of
from quepu.table.wall import Wall, WallPlan, dealt_places, head_place, undrawn_places
from quepu.tiles import FIRST_FLOWER, KINDS, WINDS, WINDS_CHINESE

_RANK = {"win": 30, "kong": 20, "pung": 20, "chow": 10, "ready": 5}
_ONE_SEAT = ((0,), (1,), (2,), (3,))
_GIVEN = frozenset({BY_DISCARD}) | ROBBED
_DRAW, _DISCARD, _DISCARD_DRAWN = happen.DRAW, happen.DISCARD, happen.DISCARD_DRAWN


class NotAllowed(Error):
    """An action that the seat may not take now."""


class Offer:
    """A choice offered to several seats at once, until everybody who matters has answered.

    `claims` are those who have not answered yet, `answers` what was claimed: rank, seat, action. `tile` (None: none) is
    what `seat` has put down.
    """

    __slots__ = ("answers", "chance", "claims", "seat", "tile")

    def __init__(self, chance: Chance, claims: Claims, seat: int, tile: int | None) -> None:
        self.chance = chance
        self.claims = claims
        self.seat = seat
        self.tile = tile
        self.answers: list[tuple[int, int, Action]] = []

    def copy(self) -> Offer:
        """The same offer, to be answered apart."""
        made = Offer(self.chance, dict(self.claims), self.seat, self.tile)
        made.answers = self.answers[:]
        return made


class Table:
    """A hand being played: a wall, and the position that the events so far have led to.

    `to_act` are the seats whose answer is awaited (empty when the hand is over); after a discard there may be several,
    and they may answer in any order. A `shielded` table stops after every discard (and every kong that could have been
    robbed) until `go_on`, so that nobody can tell from the pace who could have claimed it.
    """

    __slots__ = (
        "_answers",
        "_dealing",
        "_declares",
        "_events",
        "_flowers_dealt",
        "_hidden",
        "_offer",
        "_options",
        "_order",
        "_size",
        "_state",
        "book",
        "ending",
        "position",
        "rules",
        "shielded",
        "to_act",
        "wall",
    )

    def __init__(
        self,
        book: Rulebook,
        wall: Wall,
        *,
        round: int = 0,
        rules: PlayRules | None = None,
        shielded: bool = False,
    ) -> None:
        """Deal a hand. `round` is the round wind, 0 East … 3 North; `wall` decides whether flowers are played."""
        self.book = book
        self.rules = rules or play_rules(book)
        self.wall = wall
        self.shielded = shielded
        table = self.rules.table
        order = self._order = wall.order()
        self._size = len(order)
        judge = Judge(book, self.rules)
        p = self.position = Position(WallPlan.of(table, len(order)), round)
        state = self._state = State(p, judge)
        self._events = state.events
        self._declares = table.declares_ready
        self._hidden = table.concealed_kongs_hidden
        self._answers: list[tuple[int, int, Action]] = []
        self._offer: Offer | None = None
        self._options: Options | None = None
        self._dealing = 0  # whose dealt flowers are replaced next
        self._flowers_dealt = False  # who was dealt seven flowers was asked about them
        self.to_act: tuple[int, ...] = ()
        self.ending: Ending | None = None
        self._happen(happen.DiceThrown(wall.dice))
        for seat in range(SEATS):
            places = dealt_places(seat, p.plan.hand)
            self._happen(happen.Dealt(seat, tuple([order[place] for place in places])))
        self._deal()

    def _value(self) -> tuple[Any, ...]:
        """What a table is: how it was begun and what was done since."""
        rules = None if self.rules == play_rules(self.book) else self.rules
        done = (self.position.round, rules, self.shielded, self.held, self.events, self.answers)
        return self.book, self.wall, *done

    def __reduce__(self) -> tuple[Any, ...]:
        from quepu.table.again import play_again

        return play_again, self._value()

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.book, self.wall, self.position.round))  # what never changes

    def __copy__(self) -> Table:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Table:
        return self.copy()  # all that it shares with its copy never changes

    def __repr__(self) -> str:
        to_act = "".join(WINDS[seat] for seat in self.to_act)
        state = "over" if self.over else f"{to_act or 'nobody'} to act, {self.board.left} tiles left"
        return f"Table({self.book.id!r}: {len(self._events)} events, {state})"

    # ---- what is to be seen

    @property
    def events(self) -> tuple[Event, ...]:
        """The numbered record so far."""
        return tuple(self._events)

    @property
    def event_count(self) -> int:
        """Length of the record so far."""
        return len(self._events)

    def event(self, number: int) -> Event | None:
        """The event of this number; None if there is none yet."""
        return self._events[number] if 0 <= number < len(self._events) else None

    def events_from(self, first: int) -> list[Event]:
        """The events of the record from number `first` on."""
        return self._events[first:]

    @property
    def answers(self) -> tuple[tuple[int, int, Action], ...]:
        """What seats answered to offers: how many events there were, seat, action. A pass leaves no event."""
        return tuple(self._answers)

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.ending is not None

    @property
    def turn(self) -> int:
        """Who draws or discards next; after a discard, who made it."""
        return self.position.turn

    @property
    def drawn(self) -> int | None:
        """The tile just drawn, of the seat whose turn it is; None: none."""
        return self.position.drawn

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The concealed kinds of each seat, sorted, without the tile just drawn."""
        return tuple(map(tuple, self.position.hands))

    @property
    def melds(self) -> tuple[tuple[Meld, ...], ...]:
        """The melds of each seat."""
        return self.position.hand_melds

    @property
    def waits(self) -> tuple[int, ...]:
        """Planes of what each hand of thirteen waits for."""
        return tuple(self._state.waits)

    @property
    def board(self) -> Board:
        """What lies open for all four now."""
        offer = self._offer
        if offer is None:
            return Board.of(self.position, None, None, self.ending is not None)
        return Board.of(self.position, offer.tile, offer.seat, False)

    def view(self, seat: int) -> View:
        """What the seat knows now."""
        offer = self._offer
        if offer is None:
            return view_of(self.position, self.book, seat, None, None, self.ending is not None, self._hidden)
        return view_of(self.position, self.book, seat, offer.tile, offer.seat, False, self._hidden)

    def board_for(self, seat: int | None) -> Board:
        """What a seat (None: a spectator) sees of the board now."""
        return self.board.seen_from(seat) if self._hidden else self.board

    def undrawn(self) -> list[int]:
        """The tiles still in the wall, dead wall included, from the head to the tail."""
        p = self.position
        return [self._order[place] for place in undrawn_places(self._size, p.front, p.back)]

    def ready_hands(self) -> tuple[ReadyHand | None, ...]:
        """What each hand beside the winner's was ready for when the hand of play ended, by seat; None: not ready."""
        won = self.position.won
        if self.ending is None:
            return (None,) * 4
        given = won.tile if won is not None and won.giver is not None else None
        return self._state.judge.ready_hands(self.position, self.ending.winner, given)

    def tiles(self) -> list[int]:
        """Copies of each of the 42 kinds in hands, melds, rivers, flowers and wall together."""
        counts = self.position.tiles()
        for kind in self.undrawn():
            counts[kind] += 1
        return counts

    def copy(self) -> Table:
        """A table of its own in the same position."""
        made = object.__new__(Table)
        for name in Table.__slots__:
            setattr(made, name, getattr(self, name))
        state = made._state = self._state.copy()
        made.position, made._events = state.position, state.events
        made._answers = self._answers[:]
        made._offer = self._offer.copy() if self._offer is not None else None
        return made

    # ---- the door

    def options(self, seat: int) -> Options:
        """Everything the seat may do now; empty if it is not asked."""
        if self._offer is not None:
            return self._offer.claims.get(seat, ())
        if seat != self.position.turn or self.ending is not None:
            return ()
        if self._options is None:
            self._options = turn_options(self._state)
        return self._options

    def step(self, seat: int, action: Action) -> None:
        """Let a seat do something it may do; `events` grows by what follows.

        Raises:
            NotAllowed: it is not among `options(seat)`.
        """
        if self._offer is not None:
            self._answer(self._offer, seat, action)
            return
        p = self.position
        do, tile, _, drawn, ready, _ = action
        if seat != p.turn or self.ending is not None:
            self._refuse(seat, action)
        if do != "discard" or ready or (self._declares and p.declared[seat]):
            special = self._act(seat, action)
            if special is None:
                return
            event = special
        elif tile < 0 or (not drawn and p.drawn is not None and p.drawn >= KINDS):
            self._refuse(seat, action)
        else:
            event = (_DISCARD_DRAWN if drawn else _DISCARD)[seat][tile]
        was = p.drawn
        try:
            apply_discarded(p, event)
        except ValueError:  # it is not there
            self._refuse(seat, action)
        self._events.append(event)
        state = self._state
        if not drawn:
            state.exchanged(seat, tile, was)
        claims = discard_claims(state, seat, tile)
        if claims is not None:
            self._open(BY_DISCARD, claims, seat, tile)
        elif self.shielded:
            self._open(BY_HELD, {}, seat, tile)
        else:
            self._draw((seat + 1) & 3)

    def bar(self, seat: int, barred: bool = True) -> None:
        """Let a seat neither claim nor win for the rest of the hand, or take that back. A referee's word.

        What was offered to the seat just now is withdrawn.
        """
        state, offer = self._state, self._offer
        if self.position.barred[seat] == barred or self.ending is not None:
            return
        self._happen(happen.Barred(seat) if barred else happen.BarLifted(seat))
        self._options = None
        if barred and offer is not None:
            offer.answers = [answer for answer in offer.answers if answer[1] != seat]  # what it had claimed is void
            if seat in offer.claims:
                missed = state.missed[seat]
                self._answered(offer, seat, PASS)  # nobody's answer, so it is none of the record
                state.missed[seat] = missed

    @property
    def held(self) -> bool:
        """Whether a shielded table waits for `go_on`."""
        return self._offer is not None and self._offer.chance is BY_HELD

    def go_on(self) -> None:
        """Let a held table go on: the draw, the replacement or the end that follows when nobody claims."""
        offer = self._offer
        if offer is not None and offer.chance is BY_HELD:
            self._offer = None
            if isinstance(self.position.exposed, happen.Discarded):
                self._draw((offer.seat + 1) & 3)
            else:
                self._replace(offer.seat)

    # ---- the own turn

    def _happen(self, event: Event) -> None:
        self._events.append(event)
        apply(self.position, event)

    def _act(self, seat: int, action: Action) -> happen.Discarded | None:
        """Anything but a plain discard, by the seat whose turn it is; a discard with a declaration is still to come."""
        options = self.options(seat)
        chosen = say.meant(options, action)
        if chosen is None:
            self._refuse(seat, action)
        do, tile = action.do, action.tile
        if do == "win":
            self._won(seat, chosen, BY_DRAW, seat)
            return None
        missed = self._state.missed
        missed[seat] = missed[seat] or options[0].do == "win"
        if do == "discard":
            if action.ready:
                missed[seat] = False
            return happen.Discarded(seat, tile, action.drawn, action.ready)
        if do == "flower":
            self._set_aside(seat, tile)
        elif do == "concealed":
            self._kong(happen.KongConcealed(seat, tile), BY_CONCEALED_KONG)
        else:
            self._kong(happen.KongAdded(seat, tile), BY_ADDED_KONG)
        return None

    def _kong(self, event: happen.KongConcealed | happen.KongAdded, chance: Chance) -> None:
        seat = event.seat
        self._happen(event)
        self._state.look(seat)
        may_be_robbed = chance is BY_ADDED_KONG or self.rules.table.concealed_kong_robbed_by
        claims = legal.robbing_claims(self._state, seat, event.tile, chance) if may_be_robbed else {}
        if claims or (may_be_robbed and self.shielded):
            self._open(chance if claims else BY_HELD, claims, seat, event.tile)
        else:
            self._replace(seat)

    # ---- drawing

    def _draw(self, seat: int) -> None:
        p = self.position
        left = p.left
        if not left:
            self._exhausted()
            return
        tile = self._order[p.front if left > 1 else head_place(self._size, p.front, p.back)]
        event = _DRAW[seat][tile]
        self._events.append(event)
        apply_drawn(p, event)
        if tile >= KINDS and self.rules.table.flowers_replaced:
            self._set_aside(seat, tile)
            return
        self.to_act = _ONE_SEAT[seat]
        self._options = None

    def _replace(self, seat: int) -> None:
        p = self.position
        if not legal.can_replace(p):
            self._exhausted()
            return
        tile = self._order[p.next_tail]
        self._happen(happen.REPLACE[seat][tile])
        if tile >= KINDS and self.rules.table.flowers_replaced:
            self._set_aside(seat, tile)
            return
        self.to_act = _ONE_SEAT[seat]
        self._options = None

    def _set_aside(self, seat: int, flower: int) -> None:
        self._happen(happen.FLOWER[seat][flower])
        claims = legal.flower_claims(self._state, seat)
        if claims:
            self._open(BY_FLOWER, claims, seat, flower)
        else:
            self._replace(seat)

    # ---- the deal

    def _deal(self) -> None:
        """Deal on: flowers are replaced, who has seven is asked, then who is ready; then the dealer draws."""
        if self._dealing < SEATS:
            self._replace_dealt_flowers()
            for seat in range(SEATS):
                self._state.look(seat)
            if self._offer is not None:
                return
        if not self._flowers_dealt:
            self._flowers_dealt = True
            claims = legal.seven_flowers(self._state)
            if claims:
                self._open(BY_SEVEN_FLOWERS, claims, next(iter(claims)), None)
                return
        claims = legal.opening_claims(self._state)
        if claims:
            self._open(BY_OPENING, claims, 0, None)
        else:
            self._draw(0)

    def _replace_dealt_flowers(self) -> None:
        """Replace the flowers dealt, seat after seat, until somebody is asked about one or there is none left."""
        hands = self.position.hands
        while self._dealing < SEATS:
            seat = self._dealing
            flower = hands[seat][-1]
            if flower < FIRST_FLOWER:
                self._dealing += 1
                continue
            self._happen(happen.FLOWER[seat][flower])
            claims = legal.flower_claims(self._state, seat)
            if claims:
                self._open(BY_FLOWER, claims, seat, flower)
                return
            self._replace_dealt(seat)

    def _replace_dealt(self, seat: int) -> None:
        self._happen(happen.REPLACE[seat][self._order[self.position.next_tail]])

    # ---- offers

    def _open(self, chance: Chance, claims: Claims, seat: int, tile: int | None) -> None:
        self._offer = Offer(chance, claims, seat, tile)
        self.to_act = tuple(claims)

    def _answer(self, offer: Offer, seat: int, action: Action) -> None:
        options = offer.claims.get(seat)
        if options is None:
            self._refuse(seat, action)
        if action is PASS:
            chosen = PASS
        else:
            found = say.meant(options, action)
            if found is None:
                self._refuse(seat, action)
            chosen = found
        self._answers.append((len(self._events), seat, chosen))
        self._answered(offer, seat, chosen)

    def _answered(self, offer: Offer, seat: int, chosen: Action) -> None:
        claims = offer.claims
        options = claims.pop(seat)
        if chosen is not PASS and chosen.do != "pass":
            rank = _RANK[chosen.do] - (seat - offer.seat & 3) if chosen.do != "ready" else 0
            offer.answers.append((rank, seat, chosen))
        if options[0].do == "win" and chosen.do != "win":
            self._state.missed[seat] = True
        if claims:
            answers = offer.answers
            if offer.chance is BY_OPENING or not answers:
                self.to_act = tuple(claims)
                return
            best = max(answers)[0]
            if any(_RANK[opts[0].do] - (other - offer.seat & 3) > best for other, opts in claims.items()):
                self.to_act = tuple(claims)
                return
        self._settle(offer)

    def _settle(self, offer: Offer) -> None:
        """Everybody who matters has answered: let the best claim stand, or go on."""
        chance, answers, seat = offer.chance, offer.answers, offer.seat
        self._offer = None
        if chance is BY_OPENING:
            for _, other, _ in sorted(answers, key=lambda one: one[1]):
                self._happen(happen.ReadyDeclared(other))
            self._draw(0)
        elif answers:
            _, claimer, action = max(answers)
            if action.do == "win":
                self._won(claimer, action, chance, seat)
            else:
                self._claim(claimer, action, seat)
        elif chance is BY_OUTER_DISCARDS:
            self._end(Ending(ready=self._state.judge.ready_values(self.position)))
        elif chance is BY_SEVEN_FLOWERS:
            self._deal()
        elif chance is BY_FLOWER and self._dealing < SEATS:
            self._replace_dealt(seat)
            self._deal()
        elif self.shielded and chance is not BY_FLOWER:
            self._open(BY_HELD, {}, seat, offer.tile)
        elif chance is BY_DISCARD:
            self._draw((seat + 1) & 3)
        else:
            self._replace(seat)

    def _claim(self, seat: int, action: Action, giver: int) -> None:
        do, tile = action.do, action.tile
        if do == "kong":
            self._happen(happen.kong_claimed(seat, tile, giver))
            self._state.look(seat)
            self._replace(seat)
            return
        if do == "pung":
            self._happen(happen.pung_claimed(seat, tile, giver))
        else:
            self._happen(happen.chow_claimed(seat, tile, giver, action.low))
        self._state.look(seat)
        self.to_act = _ONE_SEAT[seat]
        self._options = None

    # ---- the end

    def _won(self, seat: int, action: Action, chance: Chance, source: int) -> None:
        score = action.score
        assert score is not None  # noqa: S101  # options always carry it
        p, tile = self.position, action.tile if action.tile >= 0 else None
        feeder = None
        if chance is BY_DRAW:
            row = kongs_in_a_row(self._events)
            feeder = next((kong.giver for kong in row if isinstance(kong, happen.KongClaimed)), None)
        giver = source if chance in _GIVEN else None
        supplied = [0, 0, 0, 0]
        for shown in p.melds[seat]:
            if shown.source is not None:
                supplied[shown.source] += 1
        if giver is not None:
            supplied[giver] += 1
        self._happen(happen.Won(seat, tile, giver))
        self._end(
            Ending(
                winner=seat,
                points=score.total,
                self_draw=giver is None,
                discarder=giver,
                robbed=chance in ROBBED,
                supplied=(supplied[0], supplied[1], supplied[2], supplied[3]),
                kong_feeder=feeder,
                ready=self._state.judge.ready_values(p, seat, tile if giver is not None else None),
                luck=score.hand.luck,
                score=score,
            )
        )

    def _exhausted(self) -> None:
        """Nobody can draw: the hand is drawn, unless its discards win."""
        self._happen(happen.Exhausted())
        claims = legal.outer_claims(self._state)
        if claims:
            self._open(BY_OUTER_DISCARDS, claims, self.position.turn, None)
        else:
            self._end(Ending(ready=self._state.judge.ready_values(self.position)))

    def _end(self, ending: Ending) -> None:
        self.to_act = ()
        self.ending = ending
        shows = range(4) if self.rules.ready_value else () if ending.winner is None else (ending.winner,)
        for seat in shows:
            self._happen(happen.HandShown(seat, tuple(self.position.hands[seat])))

    def _refuse(self, seat: int, action: Action) -> NoReturn:
        zh, en = action.text(self.rules.words) if action.do in say.KINDS_OF_ACTION else (str(action.do), str(action.do))
        who, who_en = (WINDS_CHINESE[seat], WINDS[seat]) if 0 <= seat < 4 else (str(seat), str(seat))
        if seat not in self.to_act:
            now = "、".join(WINDS_CHINESE[s] for s in self.to_act) or f"无（这一{self.rules.words.hand.zh}已结束）"
            now_en = ", ".join(WINDS[s] for s in self.to_act) or "nobody (the hand is over)"
            raise NotAllowed(
                f"{who}家现在不能“{zh}”：轮到的是{now}。", f"{who_en} may not say “{en}” now: asked is {now_en}."
            )
        listed = [option.text(self.rules.words) for option in self.options(seat)]
        raise NotAllowed(
            f"{who}家现在不能“{zh}”，可以：{'、'.join(t.zh for t in listed)}。",
            f"{who_en} may not say “{en}” now, but: {', '.join(t.en for t in listed)}.",
        )


__all__ = ["NotAllowed", "Offer", "Table"]

"""Play one hand: whose action is awaited, their options, what follows. Enter through `options` and `step`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from quepu.rules.play_rules import SEATS, Ending, PlayRules, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import actions, legal
from quepu.table import events as happen
from quepu.table.actions import PASS, Action, ActionKind, NotAllowed
from quepu.table.contents import TableContents
from quepu.table.events import Event
from quepu.table.judge import Judge, win_ending, with_liability
from quepu.table.legal import Claims, Offer, Options, State, discard_claims, turn_options
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
    SHARED,
    Chance,
)
from quepu.table.position import Position, apply, apply_discarded, apply_drawn
from quepu.table.wall import Wall, WallPlan
from quepu.tiles import FIRST_FLOWER, KINDS

_ONE_SEAT = ((0,), (1,), (2,), (3,))
_DRAW, _DISCARD, _DISCARD_DRAWN = happen.DRAW, happen.DISCARD, happen.DISCARD_DRAWN


class Table(TableContents):
    """A hand being played: a wall (or four own walls), and the position that the events so far have led to.

        >>> import quepu
        >>> from quepu.table import make_wall
        >>> book = quepu.book("guobiao")
        >>> table = quepu.Table(book, make_wall(7))
        >>> table.to_act, len(table.options(0)) > 1
        ((0,), True)

    `to_act` are the seats whose answer is awaited (empty when the hand is over); after a discard there may be several,
    and they may answer in any order. A `shielded` table stops after every discard (and every kong that could have been
    robbed) until `go_on`, so that the pace does not reveal who could have claimed it.
    """

    __slots__ = ()

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
        self.rules: PlayRules = rules or play_rules(book)
        self.wall = wall
        self.shielded = shielded
        table = self.rules.table
        order = self._order = wall.order()
        judge = Judge(book, self.rules)
        plan = WallPlan.of(table, len(order), wall.own)
        p = self._position = Position(plan, round)
        state = self._state = State(p, judge)
        self._events = state.events
        self._hidden = table.concealed_kongs_hidden
        self._answers: list[tuple[int, int, Action]] = []
        self._offer: Offer | None = None
        self._options: Options | None = None
        self._dealing = 0  # the seat whose dealt flowers are replaced next
        self._flowers_dealt = False  # seats dealt seven flowers were asked about them
        self.to_act: tuple[int, ...] = ()
        self.ending: Ending | None = None
        self._happen(happen.DiceThrown(wall.dice))
        for seat in range(SEATS):
            places = plan.dealt_places(seat)
            self._happen(happen.Dealt(seat, tuple([order[place] for place in places])))
        self._deal()

    # ---- entry points

    def options(self, seat: int) -> Options:
        """Return everything the seat may do now; empty if it is not asked."""
        if self._offer is not None:
            return self._offer.claims.get(seat, ())
        if seat != self._position.turn or self.ending is not None:
            return ()
        if self._options is None:
            self._options = turn_options(self._state)
        return self._options

    def step(self, seat: int, action: Action) -> None:
        """Carry out an action of a seat and append the resulting events to `events`.

        Raises:
            NotAllowed: it is not among `options(seat)`.
        """
        if self._offer is not None:
            self._answer(self._offer, seat, action)
            return
        p = self._position
        do, tile, _, drawn, ready, _ = action
        if seat != p.turn or self.ending is not None:
            self._refuse(seat, action)
        if do is not ActionKind.DISCARD or ready or tile is None or p.declared[seat]:
            special = self._act(seat, action)
            if special is None:
                return
            event, tile = special, special.tile
        elif not drawn and p.drawn is not None and p.drawn >= KINDS and not self._state.flowers_held:
            self._refuse(seat, action)
        else:
            event = (_DISCARD_DRAWN if drawn else _DISCARD)[seat][tile]
        was = p.drawn
        try:
            apply_discarded(p, event)
        except ValueError:  # it is not an option
            self._refuse(seat, action)
        self._events.append(event)
        state = self._state
        if not drawn:
            state.exchange(seat, tile, was)
        claims = discard_claims(state, seat, tile)
        if claims is not None:
            self._open(BY_DISCARD, claims, seat, tile)
        elif self.shielded:
            self._open(BY_HELD, {}, seat, tile)
        else:
            self._draw((seat + 1) & 3)

    def bar(self, seat: int, barred: bool = True) -> None:
        """Bar a seat from claiming and winning for the rest of the hand, or lift that, as a referee decides.

        Its current offer is withdrawn.
        """
        state, offer = self._state, self._offer
        if self._position.barred[seat] == barred or self.ending is not None:
            return
        self._happen(happen.Barred(seat) if barred else happen.BarLifted(seat))
        self._options = None
        if barred and offer is not None:
            offer.answers = [answer for answer in offer.answers if answer[1] != seat]  # its claims are void
            if seat in offer.claims:
                missed = state.missed[seat]
                self._take_answer(offer, seat, PASS)  # the answer of no player, so it is not recorded
                state.missed[seat] = missed

    def go_on(self) -> None:
        """Continue a held table after a discard without claims: with the draw, the replacement or the end."""
        offer = self._offer
        if offer is not None and offer.chance is BY_HELD:
            self._offer = None
            if isinstance(self._position.exposed, happen.Discarded):
                self._draw((offer.seat + 1) & 3)
            else:
                self._replace(offer.seat)

    # ---- the own turn

    def _happen(self, event: Event) -> None:
        self._events.append(event)
        apply(self._position, event)

    def _act(self, seat: int, action: Action) -> happen.Discarded | None:
        """Carry out any action on a seat's own turn but a plain discard; return a declaring discard still to come."""
        options = self.options(seat)
        chosen = actions.find_option(options, action)
        if chosen is None:
            self._refuse(seat, action)
        do = action.do
        if do is ActionKind.WIN:
            self._win([(seat, chosen)], BY_DRAW, seat)
            return None
        missed = self._state.missed
        missed[seat] = missed[seat] or options[0].do is ActionKind.WIN
        tile = action.tile_kind
        if do is ActionKind.DISCARD:
            if action.ready:
                missed[seat] = False
            return happen.Discarded(seat, tile, action.drawn, action.ready)
        if do is ActionKind.FLOWER:
            self._set_aside(seat, tile)
        elif do is ActionKind.CONCEALED:
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
        p = self._position
        if not (p.left if p.piles is None else p.piles[seat]):
            self._exhaust()
            return
        tile = self._order[p.next_head(seat)]
        event = _DRAW[seat][tile]
        self._events.append(event)
        apply_drawn(p, event)
        if tile >= KINDS and self.rules.table.flowers_replaced:
            self._set_aside(seat, tile)
            return
        self.to_act = _ONE_SEAT[seat]
        self._options = None

    def _replace(self, seat: int) -> None:
        p = self._position
        if not legal.can_replace(p, seat):
            self._exhaust()
            return
        tile = self._order[p.next_tail(seat)]
        self._happen(happen.REPLACE[seat][tile])
        if tile >= KINDS and self.rules.table.flowers_replaced:
            self._set_aside(seat, tile)
            return
        self.to_act = _ONE_SEAT[seat]
        self._options = None

    def _set_aside(self, seat: int, flower: int) -> None:
        self._happen(happen.FLOWER[seat][flower])
        if self._state.flowers_held:
            self._state.look(seat)  # the tile just drawn may have taken the place of a held flower
        claims = legal.flower_claims(self._state, seat)
        if claims:
            self._open(BY_FLOWER, claims, seat, flower)
        else:
            self._replace(seat)

    # ---- the deal

    def _deal(self) -> None:
        """Deal on: replace flowers, ask seats with seven of them, ask who is ready; then the dealer draws."""
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
        """Replace the flowers dealt, seat after seat, until a seat is asked about one or none are left."""
        hands = self._position.hands
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
        self._happen(happen.REPLACE[seat][self._order[self._position.next_tail(seat)]])

    # ---- offers

    def _open(self, chance: Chance, claims: Claims, seat: int, tile: int | None) -> None:
        most = self.rules.table.most_winners if chance in SHARED else 1
        self._offer = Offer(chance, claims, seat, tile, most)
        self.to_act = tuple(claims)

    def _answer(self, offer: Offer, seat: int, action: Action) -> None:
        options = offer.claims.get(seat)
        if options is None:
            self._refuse(seat, action)
        if action is PASS:
            chosen = PASS
        else:
            found = actions.find_option(options, action)
            if found is None:
                self._refuse(seat, action)
            chosen = found
        self._answers.append((len(self._events), seat, chosen))
        self._take_answer(offer, seat, chosen)

    def _take_answer(self, offer: Offer, seat: int, chosen: Action) -> None:
        if offer.claims[seat][0].do is ActionKind.WIN is not chosen.do:
            self._state.missed[seat] = True
        if not offer.answer(seat, chosen):
            self.to_act = tuple(offer.claims)
            return
        self._settle(offer)

    def _settle(self, offer: Offer) -> None:
        """Resolve an offer that every relevant seat has answered: carry out the best claim, or play on."""
        chance, answers, seat = offer.chance, offer.answers, offer.seat
        self._offer = None
        if chance is BY_OPENING:
            for _, other, _ in sorted(answers, key=lambda one: one[1]):
                self._happen(happen.ReadyDeclared(other))
            self._draw(0)
        elif answers:
            _, claimer, action = max(answers)
            if action.do is ActionKind.WIN:
                self._win(offer.wins, chance, seat)
            else:
                self._claim(claimer, action, seat)
        elif chance is BY_OUTER_DISCARDS:
            self._end(Ending(ready=self._state.judge.ready_values(self._position)))
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
        do, tile = action.do, action.tile_kind
        if do is ActionKind.KONG:
            self._happen(happen.kong_claimed(seat, tile, giver))
            self._state.look(seat)
            self._replace(seat)
            return
        if action.low is None:
            self._happen(happen.pung_claimed(seat, tile, giver))
        else:
            self._happen(happen.chow_claimed(seat, tile, giver, action.low))
        self._state.look(seat)
        self.to_act = _ONE_SEAT[seat]
        self._options = None

    # ---- the end

    def _win(self, wins: Sequence[tuple[int, Action]], chance: Chance, source: int) -> None:
        (_, first), *_ = wins
        made = win_ending(wins, self._events, self._position, (chance, source))
        if self.rules.liable is not None:
            made = with_liability(made, self._position, self.rules.liable, chance)
        for seat, action in wins:
            self._happen(happen.Won(seat, action.tile, made.discarder))
        given = None if made.discarder is None else first.tile
        self._end(made._replace(ready=self._state.judge.ready_values(self._position, made.seats, given)))

    def _exhaust(self) -> None:
        """End an exhausted hand without a winner, unless its discards win."""
        self._happen(happen.Exhausted())
        claims = legal.outer_claims(self._state)
        if claims:
            self._open(BY_OUTER_DISCARDS, claims, self._position.turn, None)
        else:
            self._end(Ending(ready=self._state.judge.ready_values(self._position)))

    def _end(self, ending: Ending) -> None:
        self.to_act = ()
        self.ending = ending
        shows = range(4) if self.rules.ready_value else ending.seats
        for seat in shows:
            self._happen(happen.HandShown(seat, tuple(self._position.hands[seat])))

    def _refuse(self, seat: int, action: Action) -> NoReturn:
        raise NotAllowed(*actions.refusal(seat, action, self.to_act, self.options(seat), self.rules.words))


__all__ = ["NotAllowed", "Offer", "Table"]

"""大师: `gain`, with values of kongs, pungs and ready hands that its table lacks, and defence if that pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from quepu.bots.chances import BENT, chance, count_most_melds, turns
from quepu.bots.danger import Costs, costs, risks
from quepu.bots.extras import extras
from quepu.bots.payable_bot import OPENED, GainBot, Sight, Weight
from quepu.fast.nearest.payable import Look
from quepu.fast.nearest.preferences import Preferences
from quepu.fast.nearest.receipts import DRAWN_SHARE, GAIN_PACE, paid_for, rates_at
from quepu.fast.universe.hand_index import Array
from quepu.hands.hand import Hand, Luck, Meld
from quepu.hands.suit_tables import KEY
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, View
from quepu.table.ready import LASTING, waits_of
from quepu.tiles import BIT, EAST, KINDS

_NONE = Luck(0)


class MasterBot(GainBot):
    """Bot that weighs hands like `gain`, but uses more of the table.

    It declares a hand ready if the book pays for that, and then keeps it. A kong counts as much as the book pays more
    for it than for a pung, and so do three tiles held by a hand that has claimed others. If measurements say so
    (`PlayRules.pay_power`), it aims at large hands beyond their value. Under a book where defence was measured to pay
    (`PlayRules.defence`), the value of a hand in points is weighed against the chance that another seat wins on the
    discard and the payment that follows; if the book has a `danger_price`, that chance is weighed against parts of the
    best discard's value. Then a ready hand is scored tile by tile by the book itself, so that waits, kongs,
    concealed pungs and special shapes count in full, and a hand that only pays if it stays concealed counts less,
    because hands need claims to advance.
    """

    def begin(self, book: Rulebook, seat: int) -> None:
        """Load the table of the book, and the costs of another's win."""
        super().begin(book, seat)
        self._book = book
        self._extras = extras(book)
        rules = play_rules(book) if book.play else None
        self._defends = rules is not None and rules.defence
        self._power = rules.pay_power if rules else 1.0
        self._danger_price = rules.danger_price if rules else 0.0
        self._claim_share = rules.claim_share if rules else 1.0
        self._meld_turns = rules.meld_turns if rules else 0.0
        self.pace = rules.pace if rules and rules.pace else GAIN_PACE
        self.preferences = Preferences(power=self._power) if self._power != 1 else None
        self.opened = OPENED if self._defends else 0.0
        if self._defends:
            self._costs: Costs = costs(self._payable)
            for double_wind in (False, True):
                self._payable.opened_table(self.opened, double_wind)  # now, instead of in the first turn of a hand

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Win if possible; else declare ready if possible; else take the highest-valued discard, claim or kong."""
        declared = self._declare(view, options) if len(options) > 1 and options[0].do is not ActionKind.WIN else None
        return declared or super().act(view, options)

    def _declare(self, view: View, options: Sequence[Action]) -> Action | None:
        """Declare a ready hand, if possible: it is free and pays well; a claim or a kong would undo it."""
        declarations = [option for option in options if option.ready or option.do is ActionKind.READY]
        if len(declarations) > 1:
            sight, tiles = Sight.of(view), sorted(kind for kind in view.tiles if kind < KINDS)

            def waits(option: Action) -> float:
                rest = tiles[:]
                rest.remove(option.tile_kind)
                return self._waits(sight, rest, view.melds, Luck.READY_AT_FIRST)[1]

            return max(declarations, key=waits)
        if declarations:
            return declarations[0]
        if view.board.declared[view.seat]:
            quiet = [option for option in options if option.do in (ActionKind.FLOWER, ActionKind.PASS) or option.drawn]
            return max(quiet, key=lambda option: option.do is ActionKind.FLOWER, default=None)
        return None

    # ---- values beyond the table

    def rate(self, sight: Sight) -> Array:
        """The weight of so many missing tiles; where melds of others tell how soon they win, with fewer turns left."""
        board = sight.view.board
        left = board.left - 4 * self._meld_turns * count_most_melds(board, sight.view.seat)
        return np.array(rates_at(left, int(sight.unseen.sum()), self.pace))

    def look(self, sight: Sight, concealed: Sequence[int], melds: tuple[Meld, ...]) -> Look:
        """Return the table's look; if points are weighed against danger, with ready hands scored one by one."""
        look = super().look(sight, concealed, melds)
        return self._score_waits(look, sight, sorted(concealed), melds) if self._defends and look.missing <= 2 else look

    def _score_waits(self, look: Look, sight: Sight, tiles: list[int], melds: tuple[Meld, ...]) -> Look:
        """Return the look with its level 1 (ready hands) replaced by scores of the waits after each discard."""
        made: dict[int, tuple[float, float]] = {}
        for kind in dict.fromkeys(tiles) if len(tiles) % 3 == 2 else [KINDS]:
            rest = tiles[:]
            if kind < KINDS:
                rest.remove(kind)
            made[kind] = self._waits(sight, rest, melds)
        by_discard = look.by_discard.copy()  # looks are cached
        missing = look.missing
        if missing == 2 and any(ways for ways, _ in made.values()):  # ready after all, in a way that no table contains
            by_discard = np.concatenate([np.zeros((1, 2, KINDS + 1)), by_discard[:-1]])
            missing = 1
        if missing < 2:
            at = 1 - missing
            by_discard[at] = 0.0
            for kind, both in made.items():
                by_discard[at, :, kind] = both
            values = self.rate(sight)[missing : missing + len(by_discard)] @ by_discard[:, 1]
            look = replace(
                look, missing=missing, values=values[:KINDS], total=float(values[KINDS]), by_discard=by_discard
            )
        return look

    def _waits(
        self, sight: Sight, tiles: list[int], melds: tuple[Meld, ...], luck: Luck = _NONE
    ) -> tuple[float, float]:
        """Return the winning copies, those that must be drawn counting less; and those times their points."""
        view, unseen = sight
        found = waits_of(self._book.shapes)(sum([KEY[k] for k in tiles]), tiles, melds, LASTING)
        if not found:
            return 0.0, 0.0
        open_tiles = view.board.visible()
        ways = gains = 0.0
        for kind in range(KINDS):
            left = int(unseen[kind])
            if not found & BIT[kind] or not left:
                continue
            scarcity = Luck.FOURTH_TILE if open_tiles[kind] == 3 else Luck.FRESH_TILE if not open_tiles[kind] else _NONE
            hand = Hand(tuple(tiles), melds, kind, EAST + view.seat, EAST + view.board.round, int(scarcity | luck))
            given, drawn = _pays(hand, self._book)
            if given or drawn:
                ways += left * (1.0 if given else DRAWN_SHARE)
                gains += left * ((1 - DRAWN_SHARE) * given + DRAWN_SHARE * drawn) ** self._power
        return ways, gains

    # ---- weighing

    def weights_of(self, look: Look, sight: Sight, kinds: Sequence[int]) -> list[Weight]:
        """Return the weight of each of these discards for this level, in points."""
        values = self._values(look, sight, kinds)
        best = max(values, key=values.__getitem__)
        most = values[best]
        if not most or not self._defends:
            return [(values[kind],) for kind in kinds]
        risk = risks(sight.view, sight.unseen.tolist(), kinds)
        if self._danger_price:
            return [(values[kind] - self._danger_price * most * risk[kind],) for kind in kinds]
        scale = self._in_points(look, sight, best) / most
        more = self._costs.given - self._costs.otherwise
        bent = [(kind, most * (values[kind] / most) ** BENT * scale) for kind in kinds]
        return [(value - risk[kind] * (more + value),) for kind, value in bent]

    def _values(self, look: Look, sight: Sight, kinds: Sequence[int]) -> dict[int, float]:
        """Return the values of these discards; with claimed tiles, breaking up three of a kind costs more."""
        held = self._extras.held
        values = {kind: float(look.values[kind]) for kind in kinds}
        if held > 1 and any(meld.exposed for meld in sight.view.melds):
            tiles = sight.view.tiles
            for kind in values:
                if tiles.count(kind) == 3:
                    values[kind] /= held
        return values

    def kong_gain(self, after: Look, concealed: bool) -> float:
        """Return the factor of a hand's value with a kong, 1 if it was scored with it."""
        if self._defends and after.missing < 2:
            return 1.0
        return self._extras.concealed_kong if concealed else self._extras.kong

    def rate_claim(self, look: Look, weights: Sequence[Weight], now: Look, sight: Sight) -> Weight | None:
        """Rate a hand after a claim, None if passing is better; the danger of the discard is not considered."""
        # only a kong has no weights
        if weights:
            after = float(look.values.max()) * (1.0 if look.missing < now.missing else self._claim_share)
        else:
            after = look.total * self.kong_gain(look, concealed=False)
        return (after,) if after > now.total else None

    def _in_points(self, look: Look, sight: Sight, kind: int) -> float:
        """Return the points left after a discard: the chance to win, times the payment and the saved loss."""
        at = next((n for n in range(len(look.by_discard)) if look.by_discard[n, 0, kind] > 0), 0)
        missing = look.missing + at
        ratio = self.rate(sight)[missing : missing + len(look.by_discard) - at]
        ways, gains = map(float, ratio / ratio[0] @ look.by_discard[at:, :, kind])
        if not ways:
            return 0.0
        board = sight.view.board
        p = chance(missing, ways, int(sight.unseen.sum()), turns(board), count_most_melds(board, sight.view.seat))
        return p * (float(gains / ways) + self._costs.otherwise)

    def _nothing_left(self, sight: Sight, allowed: list[Action]) -> Action:
        """Return the least dangerous discard, if no winning hand is within reach."""
        risk = risks(sight.view, sight.unseen.tolist(), [option.tile_kind for option in allowed])
        return min(allowed, key=lambda option: (risk[option.tile_kind], not option.drawn))


@lru_cache(4096)
def _pays(hand: Hand, book: Rulebook) -> tuple[float, float]:
    """Return the value of a win on a discard and by self-draw; 0 if it cannot win."""
    made = []
    for luck in (0, int(Luck.SELF_DRAW)):
        paid = paid_for(hand._replace(luck=hand.luck | luck), book, bool(luck))
        made.append(0.0 if paid is None else max(paid, 0.1))
    return made[0], made[1]

"""Derive the ending of a hand from a scorekeeper's record: seats, points, givers, ready hands; and any problems."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf, prod
from typing import Any

import quepu
from quepu.errors import Error, HandError, NotAWin, Text
from quepu.hands.hand import Hand, Luck, MeldKind
from quepu.hands.notation import meld_text
from quepu.match.match import Match
from quepu.match.penalties import false_win
from quepu.match.terms import feeder_luck
from quepu.rules.play_rules import SEATS, Ending, Payment, ReadyHand, SeatWin, fan_of, least_fan
from quepu.rules.row import Example, amount
from quepu.rules.rulebook import Rulebook
from quepu.scorekeeper.records import Entered, EntryQuestion, HandRecord, NoFeeder, RecordProblem
from quepu.scorekeeper.shown_hands import COPIES, count_visible, read_shown, too_many_copies
from quepu.scorekeeper.supply import Counts, as_before, decide_supply, supply_of, ways
from quepu.scorekeeper.winners import join_wins, possible_liable, remark_on_liable, separate_winners
from quepu.scoring.score import Score
from quepu.table.facts import read_fact
from quepu.table.referee import reconstruct
from quepu.tiles import NAMES, SIMPLIFIED, WINDS

__all__ = ["Entered", "EntryQuestion", "RecordProblem", "most_points", "read_ending"]

_FULL = 5
"""The number of tiles of 全包牌."""
_GIVERS_UNKNOWN = Text(
    "没有记碰杠的牌是谁打的，没有算包；有人包就请记上。",
    "who discarded the tiles of pungs and kongs was not entered, so no player pays for the whole hand (包).",
)


def read_ending(match: Match, record: HandRecord, barred: frozenset[int]) -> Entered:
    """Return the end of a hand as recorded; players in `barred` may neither win nor be paid as ready.

    Raises:
        Error: nothing can be derived from this record.
    """
    if not record.also or record.facts:
        return _Reader(match, record, barred).read()
    each = separate_winners(record)
    players = frozenset(one.winner for one in each)
    return join_wins(match, [_Reader(match, one, barred, players).read() for one in each])


@lru_cache(maxsize=64)
def most_points(book: Rulebook) -> float:
    """Return more points than any hand of a book is worth: ten times the best example of its highest fans."""
    highest = sorted(book.fans, key=lambda fan: -prod(fan.value) if isinstance(fan.value, tuple) else -fan.value)[:12]
    found = []
    for fan in highest:
        if fan.example is not None:
            try:
                found.append(quepu.score(fan.example.hand, book, **_circumstances(fan.example)).total)
            except Error:
                continue  # an option or house rule may refuse a printed example
    return 10 * max(found) if found else inf


def _circumstances(example: Example) -> dict[str, Any]:
    return {
        "seat": example.seat,
        "round": example.round,
        "self_draw": example.self_draw,
        "circumstances": list(example.circumstances),
        "flowers": list(example.flowers),
    }


class _Reader:
    """Turns one record into an ending."""

    def __init__(
        self, match: Match, record: HandRecord, barred: frozenset[int], winners: frozenset[int | None] = frozenset()
    ) -> None:
        """`winners` are the players who win the same tile, if there are several."""
        self.match, self.record, self.barred, self.winners = match, record, barred, winners
        self.book, self.rules, self.seats = match.book, match.rules, match.place.seats
        self.remarks: list[Text] = []
        self.problems: list[RecordProblem] = []
        self.hands: list[ReadyHand | None] = [None] * SEATS

    def read(self) -> Entered:
        record = self.record
        if record.facts:
            ending, hands = ending_from_facts(self.book, tuple(record.facts), self.match.place.round_wind)
            score = None if ending.first is None else ending.first.score
            how = None if score is None else score.tally.how
            return Entered(ending, how, hands)
        self._check_barred()
        if record.winner is None:
            return self._read_end(Ending(ready=self._read_ready(None)), None)
        winner = self.seats.index(record.winner)
        score = None if record.tiles is None else self._score(winner)
        points = self._points() if score is None else score.total
        feeder = None if isinstance(record.kong_feeder, NoFeeder) else record.kong_feeder
        luck = int(score.hand.luck) if score is not None else feeder_luck(self.book) * (feeder is not None)
        ending = Ending(
            (SeatWin(winner, points, luck=luck, score=score),),
            self_draw=record.self_draw,
            discarder=self._seat(record.discarder),
            robbed=record.robbed if score is None else bool(luck & Luck.ROBBED_KONG),
            kong_feeder=self._seat(feeder),
            ready=self._read_ready(score),
        )
        ending = _supplied_by(ending, self._read_supplied(ending))
        if record.liable is not None or self.rules.liable is not None:
            win = ending.winners[0]
            ending = ending._replace(winners=(win._replace(liable=self._liable(win, ending.discarder)),))
            if record.liable is not None and not self.problems:
                self.remarks += remark_on_liable(self.match, ending)
        if score is not None:
            self._check_feeder(ending)
        return self._read_end(ending, None if score is None else score.tally.how)

    def _read_end(self, ending: Ending, how: Text | None) -> Entered:
        return Entered(ending, how, tuple(self.hands), tuple(self.remarks), tuple(self.problems))

    def _seat(self, player: int | None) -> int | None:
        return None if player is None else self.seats.index(player)

    def _name(self, seat: int) -> str:
        return self.match.names[self.seats[seat]]

    def _wrong(self, zh: str, en: str, question: EntryQuestion | None = None) -> None:
        self.problems.append(RecordProblem(Text(zh, en), question))

    # ---- who may win and be paid

    def _check_barred(self) -> None:
        record, word = self.record, self.match.rules.words.hand.zh
        for player in sorted(self.barred):
            name = self.match.names[player]
            if player == record.winner:
                self._wrong(
                    f"{name} 这一{word}停和陪打，不能{self.match.rules.words.won.zh}。",
                    f"{name} has a dead hand and cannot win.",
                )
            listed = (record.ready, record.ready_fan, record.ready_hands)
            if player != record.winner and any(each[player] not in (None, "") for each in listed):
                self._wrong(
                    f"{name} 这一{word}停和陪打，不算听牌。", f"{name} has a dead hand and is not paid as ready."
                )

    # ---- points

    def _points(self) -> int:
        record, book = self.record, self.book
        points = self._value(record.points, record.fan)
        if points is None:
            raise HandError("没有填点数：请填点数，或写出手牌。", "no points given: enter the points or the hand.")
        if points < book.minimum:
            hint = false_win(self.rules, self.match.names[self.record.winner or 0])
            worth, least = amount(points, book.unit), amount(book.minimum, book.unit)
            raise HandError(
                f"{worth.zh}不够起和的 {least.zh}{hint.zh}。",
                f"{worth.en} is below the minimum of {book.minimum}{hint.en}.",
            )
        return points + record.flowers * book.flower_value

    def _value(self, points: int | None, fan: int | None) -> int | None:
        """Return the points of a hand given in points, or in announced fan."""
        announced, unit = self.rules.announced, self.book.unit
        if fan is not None:
            if announced is None:
                raise HandError(
                    f"{self.book.title.zh}报的是{unit.zh}数，不另报番。", f"{self.book.title.en} announces {unit.en}."
                )
            points = announced(fan)
        elif points is not None and announced is not None and fan_of(announced, points) is None:
            least = least_fan(announced, points)
            if least is None:
                self._wrong(f"没有哪个番数有 {points} 点。", f"no number of fan is worth {points} points.")
            else:
                self._wrong(
                    f"{points} 点不是哪个番数的点数：{least - 1} 番 {announced(least - 1)} 点，"
                    f"{least} 番 {announced(least)} 点。",
                    f"no number of fan is worth {points} points: {least - 1} fan are {announced(least - 1)}, "
                    f"{least} fan {announced(least)}.",
                )
        if points is not None and points > most_points(self.book):
            self._wrong(f"{points} {unit.zh}大得不可能。", f"{points} {unit.en} cannot be: no hand is worth so much.")
        return points

    def _score(self, winner: int) -> Score:
        tiles = self.record.tiles
        assert tiles is not None  # noqa: S101  # called only then
        score = quepu.score(
            tiles.hand,
            self.book,
            seat=WINDS[winner],
            round=WINDS[self.match.place.round_wind],
            self_draw=self.record.self_draw,
            circumstances=tiles.circumstances,
            flowers=tiles.flowers,
        )
        if not score.can_win:
            worth, least = (amount(number, self.book.unit) for number in (score.points, score.minimum))
            hint = false_win(self.rules, self.match.names[self.record.winner or 0])
            raise NotAWin(
                f"这手牌 {worth.zh}，不够起和的 {least.zh}{hint.zh}。",
                f"this hand is worth {worth.en}, below the minimum of {score.minimum}{hint.en}.",
            )
        return score

    # ---- who pays for the whole hand

    def _liable(self, win: SeatWin, discarder: int | None) -> int | None:
        """Return the seat liable for the hand: as recorded, or by the tiles if all givers are known."""
        stated = self._seat(self.record.liable)
        if self.rules.liable is None:
            self._wrong(
                "按这本规则没有包：本桌规则里没有选包的选项。", "these rules have no liability for a whole hand (包)."
            )
            return None
        givers = () if self.record.tiles is None else self.record.tiles.givers
        possible = {
            seat if seat is None or self.seats[seat] not in self.winners else None  # of one tile none pays another
            for seat in possible_liable(win, givers, discarder, self.rules.liable)
        }
        if stated == win.seat or not possible:
            return stated
        if len(possible) > 1:
            if stated is None:
                self.remarks.append(_GIVERS_UNKNOWN)
            return stated
        found = possible.pop()
        if stated is None or stated in (found, discarder):
            return found if stated is None else stated
        name, by = self._name(stated), Text("没有人包", "no player is")
        if found is not None:
            by = Text(f"是{self._name(found)}包", f"{self._name(found)} is")
        self._wrong(f"按牌{by.zh}，不是{name}。", f"by the tiles {by.en} liable for the hand, not {name}.")
        return stated

    # ---- givers of tiles

    def _read_supplied(self, ending: Ending) -> Counts:
        record, win = self.record, ending.winners[0]
        score, winner = win.score, win.seat
        given = [record.supplied[player] for player in self.seats]
        if score is None:
            if ending.discarder is not None and any(given):
                given[ending.discarder] = max(given[ending.discarder], 1)
            counts = (given[0], given[1], given[2], given[3])
            return counts if self._fits(counts, ending) else (0, 0, 0, 0)
        assert record.tiles is not None  # noqa: S101  # there is a score
        hand, givers = score.hand, record.tiles.givers
        supply = supply_of(hand, givers, winner, ending.discarder)
        before = as_before(hand, givers, winner, ending.discarder)
        if supply.wrong:
            upper = self._name((winner - 1) % SEATS)
            listed = " ".join(meld_text(hand.melds[i]) for i in supply.wrong)
            self._wrong(
                f"{listed} 是吃的，吃的牌只能来自上家 {upper}。",
                f"{listed}: a chow is claimed from the player before, {upper}.",
            )
            return before
        found = list(ways(supply, winner, given))
        if not found:
            self._impossible(given, supply.certain, len(supply.unknown))
            return before
        way = decide_supply(found, lambda one: self._payments(_supplied_by(ending, one)))
        if way is not None:
            return way
        melds = [meld_text(hand.melds[i]) for i in supply.unknown]
        claimed = tuple(i for i, meld in enumerate(hand.melds) if meld.kind in (MeldKind.PUNG, MeldKind.KONG))
        self._wrong(
            f"{' '.join(melds)} 是谁打的？这决定有没有包牌。",
            f"who discarded {' '.join(melds)}? This decides whether one player pays for the others.",
            EntryQuestion("givers", claimed, tuple(meld_text(hand.melds[i]) for i in claimed)),
        )
        return before

    def _payments(self, ending: Ending) -> list[tuple[int, int, int]]:
        return _amounts(self.rules.settle(ending, self.book))

    def _fits(self, counts: Counts, ending: Ending) -> bool:
        """Return whether these numbers of tiles can have been supplied to a winner whose tiles are unknown."""
        record, total = self.record, sum(counts)
        if record.winner is not None and record.supplied[record.winner]:
            name = self.match.names[record.winner]
            self._wrong(f"{name} 是和家，不能供牌给自己。", f"{name} is the winner and cannot have supplied tiles.")
            return False
        if total <= _FULL - ending.self_draw:
            return True
        if ending.self_draw and max(counts) == total == _FULL:
            self.remarks.append(
                Text(
                    "自摸时别家至多供 4 张；书上的例子写作 5 张，照全包算。",
                    "on a self-draw others give 4 tiles at most; the book's own example has 5, paid as all.",
                )
            )
            return True
        listed = "，".join(f"{self._name(seat)} {n} 张" for seat, n in enumerate(counts) if n)
        listed_en = ", ".join(f"{self._name(seat)} {n}" for seat, n in enumerate(counts) if n)
        if ending.self_draw:
            self._wrong(
                f"供牌不可能：{listed}。自摸至多供 4 张。", f"cannot be: {listed_en}; at most 4 on a self-draw."
            )
        else:
            giver = self._name(ending.discarder or 0)
            self._wrong(
                f"供牌不可能：{listed}。连和的那张（{giver} 打的）至多 5 张。",
                f"cannot be: {listed_en}; at most 5 with the winning tile, which {giver} discarded.",
            )
        return False

    def _impossible(self, given: Sequence[int], certain: Counts, unknown: int) -> None:
        given_zh = "，".join(f"{self._name(seat)} {n} 张" for seat, n in enumerate(given) if n)
        given_en = ", ".join(f"{self._name(seat)} {n}" for seat, n in enumerate(given) if n)
        sure = "，".join(f"{self._name(seat)} {n} 张" for seat, n in enumerate(certain) if n) or "没有人"
        sure_en = ", ".join(f"{self._name(seat)} {n}" for seat, n in enumerate(certain) if n) or "nobody"
        more = f"，另有 {unknown} 副碰杠" if unknown else ""
        more_en = f", and {unknown} pungs or kongs" if unknown else ""
        self._wrong(
            f"供牌不可能：写的是 {given_zh}，而按牌（吃自上家，和的那张出自放铳家）是 {sure}{more}。",
            f"cannot be: {given_en} was entered, but by the tiles (chows from the player before, the winning tile from "
            f"its discarder) it is {sure_en}{more_en}.",
        )

    def _check_feeder(self, ending: Ending) -> None:
        """Check that the discarder of the kong that led to the win is known, if that player may have to pay."""
        score, winner = ending.winners[0].score, ending.winners[0].seat
        assert score is not None  # noqa: S101  # called only then
        others = [seat for seat in range(SEATS) if seat != winner]
        apart = {tuple(self._payments(ending._replace(kong_feeder=seat))) for seat in [*others, None]}
        open_kongs = [meld for meld in score.hand.melds if meld.kind is MeldKind.KONG]
        feeder = self.record.kong_feeder
        if feeder is not None and feeder == self.record.winner:
            self._wrong("和家不能给自己放杠。", "the winner cannot have discarded the kong's tile.")
        if len(apart) == 1:
            return
        if not open_kongs:
            if feeder is not None and feeder is not NoFeeder.OWN_TILE:
                self._wrong("这手牌没有明杠，没有人放杠。", "no kong of this hand was claimed from anybody.")
        elif feeder is None:
            listed = tuple(meld_text(meld) for meld in open_kongs)
            self._wrong(
                f"{' '.join(listed)} 是谁放的杠？这决定由谁付（加杠则没有人）。",
                f"who discarded the tile of {' '.join(listed)}? It decides who pays (nobody, if it was added).",
                EntryQuestion("feeder", (), listed),
            )

    # ---- ready hands

    def _read_ready(self, score: Score | None) -> tuple[int | None, int | None, int | None, int | None]:
        """Return the value of each other ready hand, by seat, in books that pay for it."""
        rules, record = self.rules, self.record
        found: list[int | None] = [None] * SEATS
        if rules.ready_value is None:
            return found[0], found[1], found[2], found[3]
        hands = self._shown_hands()
        self._check_one_set([*hands, None if score is None else score.hand])
        for seat, player in enumerate(self.seats):
            if player == record.winner:
                continue
            found[seat] = self._value(record.ready[player], record.ready_fan[player])
            hand = hands[seat]
            if hand is not None:
                visible = count_visible(hands, seat, score, record.seen, self._name(seat))
                value = rules.ready_value(hand, self.book, visible)
                self.hands[seat] = value
                found[seat] = None if value is None else value.points
        return found[0], found[1], found[2], found[3]

    def _check_one_set(self, hands: Sequence[Hand | None]) -> None:
        """Check that the hands laid open and the tiles on the table belong to one set."""
        for kind, n in too_many_copies(hands, self.record.seen):
            self._wrong(
                f"亮出的牌和见到的牌里有 {n} 张{SIMPLIFIED[kind]}，一副牌只有 {COPIES} 张。",
                f"{n} copies of {NAMES[kind]} are shown or were seen; there are only {COPIES}.",
            )

    def _shown_hands(self) -> list[Hand | None]:
        hands: list[Hand | None] = [None] * SEATS
        for seat, player in enumerate(self.seats):
            text = self.record.ready_hands[player]
            if text and player != self.record.winner:
                hands[seat] = read_shown(text, seat, self.match.place.round_wind, self._name(seat))
        return hands


def _supplied_by(ending: Ending, counts: Counts) -> Ending:
    """Return the ending of a win with these tiles supplied."""
    return ending._replace(winners=(ending.winners[0]._replace(supplied=counts),))


def _amounts(payments: Sequence[Payment]) -> list[tuple[int, int, int]]:
    return sorted((p.payer, p.payee, p.points) for p in payments)


@lru_cache(maxsize=512)
def ending_from_facts(
    book: Rulebook, lines: tuple[str, ...], round: int
) -> tuple[Ending, tuple[ReadyHand | None, ...]]:
    """Return the ending of a hand that was recorded event by event, and the ready hands that were shown."""
    found = reconstruct(book, [read_fact(line) for line in lines], round=round)
    if found.problems:
        listed = [
            Text(
                f"第 {p.at + 1} 句“{lines[p.at]}”：{p.text.zh}",
                f"line {p.at + 1}, {lines[p.at]!r}: {p.text.en}",
            )
            for p in found.problems
        ]
        raise HandError("".join(text.zh for text in listed), " ".join(text.en for text in listed))
    ending = found.ending
    if ending is None:
        raise HandError(f"这一{found.table.rules.words.hand.zh}还没有说完。", "this hand was not entered completely.")
    hands = found.table.ready_hands()
    shown = tuple(hand if value is not None else None for hand, value in zip(hands, ending.ready, strict=True))
    return ending, shown

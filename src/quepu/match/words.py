"""Words for a recorded match: how a hand ended, a fault, the place of a hand, the changes after it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from quepu.errors import Text, language
from quepu.match.penalties import Penalty
from quepu.match.seats import RoundPosition
from quepu.rules.faults import fault_name
from quepu.rules.play_rules import SEATS, Ending, PlayRules, ReadyHand, Words, fan_of
from quepu.scoring.score import Score
from quepu.tiles import NAMES, SIMPLIFIED, WINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.match.match import Match


def ending_text(match: Match, ending: Ending) -> Text:
    """Describe how a hand ended: who won how much, by whose discard."""
    name = [match.names[player] for player in match.place.seats]
    if not ending.winners:
        return match.rules.words.drawn
    won = [(name[win.seat], value_text(match, win.points)) for win in ending.winners]
    who, value = won[0]
    if ending.self_draw:
        return Text(f"{who} 自摸 {value.zh}", f"{who} wins {value.en} by self-draw")
    giver = name[ending.discarder] if ending.discarder is not None else "?"
    how = Text("被抢杠", "robbed of a kong") if ending.robbed else match.rules.words.discarded
    zh = "、".join(f"{who} {match.rules.words.won.zh} {value.zh}" for who, value in won)
    en = ", ".join(f"{who} wins {value.en}" for who, value in won)
    return Text(f"{zh}，{giver} {how.zh}", f"{en}; {giver} {how.en}")


def value_text(match: Match, points: int) -> Text:
    """Describe the value of a win, with the fan if the book's players announce fan."""
    unit, announced = match.book.unit, match.rules.announced
    fan = None if announced is None else fan_of(announced, points)
    if fan is None:
        return Text(f"{points} {unit.zh}", str(points))
    return Text(f"{fan} 番 {points} {unit.zh}", f"{fan} fan, {points}")


def penalty_text(match: Match, penalty: Penalty) -> Text:
    """Describe a penalty: whose fault it was, and whether it was made good or taken back."""
    who = match.names[penalty.player]
    note = f"（{penalty.note}）" if penalty.note else ""
    gone = Text("（已撤销）", " (revoked)") if penalty.revoked else Text("", "")
    listed = next((one for one in match.rules.faults if penalty.fault in (one.key, *one.names)), None)
    warned = listed is not None and listed.again and not penalty.revoked and not match.penalty_flows(penalty)
    warning = Text("：警告", ": a warning") if warned else Text("", "")
    name = fault_name(penalty.fault)
    made = Text("，已弥补", ", remedied") if penalty.remedied else Text("", "")
    return Text(
        f"{who} {name.zh}{warning.zh}{made.zh}{note}{gone.zh}",
        f"{who}: {name.en}{warning.en}{made.en} {penalty.note}{gone.en}".rstrip(),
    )


def place_name(place: RoundPosition, words: Words) -> Text:
    """Return a hand's place in words: 东 2 局 连庄 1."""
    round = WINDS_CHINESE[place.round_wind] + ("" if place.round <= SEATS else f"·第{place.round}圈")
    zh = f"{round} {place.dealership + 1} {words.hand.zh}" + (f" 连庄 {place.repeat}" if place.repeat else "")
    return Text(zh, place.name)


def changes(before: Match, after: Match) -> list[Text]:
    """List the changes after the last record that the table must know: dealer, winds, seats, the end."""
    if after.over:
        best = [s.name for s in after.standings() if s.rank == 1]
        return [
            Text(
                f"这一{after.rules.words.match.zh}打完了，第一：{'、'.join(best)}。",
                f"The {after.rules.words.match.en} is over; winner: {', '.join(best)}.",
            )
        ]
    old, new = before.place, after.place
    if old == new:
        return []
    name = after.names
    dealer = name[new.seats[0]]
    if new.round != old.round:
        seats = [f"{WINDS_CHINESE[i]} {name[p]}" for i, p in enumerate(new.seats)]
        moved = [name[p] for i, p in enumerate(new.start) if old.start[i] != p]
        wind = Text(f"，{WINDS_CHINESE[new.round_wind]}风圈", f"; the round wind is {WINDS[new.round_wind]}")
        named = wind if after.book.round_wind else Text("", "")  # not named if no fan depends on it
        news = [Text(f"第 {new.round} 圈{named.zh}。", f"Round {new.round}{named.en}.")]
        if moved:
            news.append(Text(f"换座：{'，'.join(seats)}。", f"Seats change: {', '.join(seats)}."))
        return [*news, Text(f"{dealer} 坐庄。", f"{dealer} deals.")]
    if new.repeat > old.repeat:
        return [Text(f"{dealer} 连庄，第 {new.repeat} 次。", f"{dealer} deals again, repeat {new.repeat}.")]
    return [Text(f"过庄，{dealer} 坐庄。", f"The deal passes to {dealer}.")]


class Announcement(NamedTuple):
    """报番: a seat's announcement at the end of a hand."""

    seat: int
    text: Text


def announcements(ending: Ending, hands: Sequence[ReadyHand | None], rules: PlayRules) -> tuple[Announcement, ...]:
    """Return the announcements of a book that pays every ready hand: the winner first (else East), counter-clockwise.

    A ready hand announces its wait, its fans, its worth, and its gain without a win (未和得).
    """
    if rules.ready_value is None:
        return ()
    first = 0 if ending.first is None else ending.first.seat
    found = []
    for seat in ((first + turn) % SEATS for turn in range(SEATS)):
        hand = hands[seat]
        win = ending.win_of(seat)
        if win is not None:
            if win.score is not None:
                found.append(Announcement(seat, _join(Text("和：", "win: "), _fans(win.score), win.score.tally.how)))
        elif hand is not None:
            found.append(Announcement(seat, ready_text(hand, rules)))
    return tuple(found)


def ready_text(hand: ReadyHand, rules: PlayRules) -> Text:
    """Describe a ready hand's wait, fans and worth, and its gain without a win."""
    wait = Text(f"听{SIMPLIFIED[hand.tile]}", f"waits on {NAMES[hand.tile]}")
    if not hand.live:
        wait = _join(wait, Text("（各张均已亮出，按最低计）", " (all copies visible: the lowest counts)"))
    gets = unwon_gain(hand, rules)
    gained = Text(f"，未和得 {gets}", f"; gets {gets}")
    return _join(wait, Text("：", ": "), _fans(hand.score), hand.score.tally.how, gained)


def unwon_gain(hand: ReadyHand, rules: PlayRules) -> int:
    """Return a ready hand's gain without a win (未和得)."""
    flows = rules.settle(Ending(ready=(hand.points, None, None, None)), hand.score.book)
    return sum(flow.points * ((flow.payee == 0) - (flow.payer == 0)) for flow in flows)


def _fans(score: Score) -> Text:
    """Return the fans that count with the value of each line; "" for a hand without any."""
    rows = score.book.fans
    zh, en = [], []
    for counted in score.tally.counted:
        times = f"×{counted.times}" if counted.times > 1 else ""
        zh.append(f"{rows[counted.row].name}{times} {sum(counted.value.values()) * counted.times}")
        en.append(f"{rows[counted.row].english}{times} {sum(counted.value.values()) * counted.times}")
    return Text("；".join(zh) + "，", "; ".join(en) + ", ") if zh else Text("无番，", "no fan, ")


def _join(*texts: Text) -> Text:
    return Text("".join(text.zh for text in texts), "".join(text.en for text in texts))


def match_html(match: Match) -> str:
    """Draw a match as HTML for a notebook: a row for every hand, the totals (penalties among them) below."""
    from quepu.hands.drawing import table_html

    lang = language()
    rows = [(str(hand.number), *(f"{points:+d}" for points in hand.players)) for hand in match.hands]
    rows.append((Text("合计", "total").say(lang), *(f"<b>{total:+d}</b>" for total in match.totals)))
    heads = [Text("盘", "hand").say(lang), *map(escape, match.names)]
    return f"<div><div><b>{escape(match.book.title.say(lang))}</b></div>{table_html(heads, rows)}</div>"

"""What is said of a match that is kept: how a hand ended, a fault, the place of a hand, what changes after it."""

from __future__ import annotations

from quepu.errors import Text
from quepu.match.match import Match
from quepu.match.seats import Place
from quepu.play_rules import SEATS, Ending
from quepu.server.table_messages import PenaltyRecord
from quepu.tiles import WINDS, WINDS_CHINESE


def ending_text(match: Match, ending: Ending) -> Text:
    """How a hand ended: who won how much, by whose discard."""
    name, unit = [match.names[player] for player in match.place.seats], match.book.unit
    if ending.winner is None:
        return Text("流局", "drawn")
    who = name[ending.winner]
    if ending.self_draw:
        return Text(f"{who} 自摸 {ending.points} {unit.zh}", f"{who} draws a win of {ending.points}")
    giver = name[ending.discarder] if ending.discarder is not None else "?"
    how = Text("被抢杠", "robbed of a kong") if ending.robbed else Text("放铳", "discarded it")
    return Text(
        f"{who} 和 {ending.points} {unit.zh}，{giver} {how.zh}", f"{who} wins {ending.points}; {giver} {how.en}"
    )


def penalty_text(match: Match, record: PenaltyRecord) -> Text:
    """Whose fault it was, and whether it was made good or taken back."""
    who = match.names[record.player]
    note = f"（{record.note}）" if record.note else ""
    gone = Text("（已撤销）", " (revoked)") if record.revoked else Text("", "")
    made = Text("，已弥补", ", made good") if record.remedied else Text("", "")
    return Text(
        f"{who} {record.fault}{made.zh}{note}{gone.zh}",
        f"{who}: {record.fault}{made.en} {record.note}{gone.en}".rstrip(),
    )


def place_name(place: Place) -> Text:
    """A hand's place in words: 东 2 局 连庄 1."""
    round = WINDS_CHINESE[place.round_wind] + ("" if place.round <= SEATS else f"·第{place.round}圈")
    zh = f"{round} {place.dealership + 1} 局" + (f" 连庄 {place.repeat}" if place.repeat else "")
    return Text(zh, place.name)


def changes(before: Match, after: Match) -> list[Text]:
    """What has to be said to the table after the last record: dealer, winds, seats, the end."""
    if after.over:
        best = [s.name for s in after.standings() if s.rank == 1]
        return [Text(f"这一场打完了，第一：{'、'.join(best)}。", f"The match is over; first: {', '.join(best)}.")]
    old, new = before.place, after.place
    if old == new:
        return []
    name = after.names
    dealer = name[new.seats[0]]
    if new.round != old.round:
        seats = [f"{WINDS_CHINESE[i]} {name[p]}" for i, p in enumerate(new.seats)]
        moved = [name[p] for i, p in enumerate(new.start) if old.start[i] != p]
        news = [
            Text(
                f"第 {new.round} 圈，{WINDS_CHINESE[new.round_wind]}风圈。",
                f"Round {new.round}; the round wind is {WINDS[new.round_wind]}.",
            )
        ]
        if moved:
            news.append(Text(f"换座：{'，'.join(seats)}。", f"Seats change: {', '.join(seats)}."))
        return [*news, Text(f"{dealer} 坐庄。", f"{dealer} deals.")]
    if new.repeat > old.repeat:
        return [Text(f"{dealer} 连庄，第 {new.repeat} 次。", f"{dealer} deals again, repeat {new.repeat}.")]
    return [Text(f"过庄，{dealer} 坐庄。", f"The deal passes to {dealer}.")]

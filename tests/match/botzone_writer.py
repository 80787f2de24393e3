"""What the platform's judge would have written down of a hand that our table played: the importer's counterpart."""

from __future__ import annotations

from typing import Any

from quepu.table import Table
from quepu.table.facts import Fact
from quepu.tiles import FIRST_FLOWER, WINDS


def name(kind: int) -> str:
    if kind >= FIRST_FLOWER:
        return f"H{kind - FIRST_FLOWER + 1}"
    if kind < 27:
        return f"{'WBT'[kind // 9]}{kind % 9 + 1}"
    return f"F{kind - 26}" if kind < 31 else f"J{kind - 30}"


def record(table: Table, round: int, *, display: bool = True) -> dict[str, Any]:
    """The match's JSON. Nobody's flower may have been discarded: the platform sets them all aside."""
    logs: list[dict[str, Any]] = []
    answers = {str(s): {"verdict": "OK", "response": "PASS"} for s in range(4)}

    def judge(content: dict[str, str], shown: dict[str, Any], command: str = "request") -> None:
        output: dict[str, Any] = {"command": command, "content": content}
        if display:
            output["display"] = {"canHu": [-4] * 4, **shown}
        logs.append({"verdict": "OK", "output": output})
        logs.append({s: dict(answer) for s, answer in answers.items()})

    def write(text: str, **shown: Any) -> None:
        judge({str(s): text for s in range(4)}, shown)

    def respond(seat: int, text: str) -> None:
        logs[-1][str(seat)]["response"] = text

    judge({str(s): f"0 {s} {round}" for s in range(4)}, {"action": "INIT", "quan": round})
    events = table.events
    hands: list[list[int]] = [[] for _ in range(4)]
    flowers: list[list[int]] = [[] for _ in range(4)]
    at = 0
    while events[at].tag in ("dice", "deal", "flower", "replace"):
        event = events[at]
        if event.tag == "deal":
            hands[event.seat] = [kind for kind in event.tiles if kind < FIRST_FLOWER]
        elif event.tag == "flower":
            flowers[event.seat].append(event.tile)
        elif event.tag == "replace" and event.tile < FIRST_FLOWER:
            hands[event.seat].append(event.tile)
        at += 1
    counts = " ".join(str(len(own)) for own in flowers)
    ends = "".join(f" {name(kind)}" for own in flowers for kind in own)
    deal = {str(s): f"1 {counts} {' '.join(name(k) for k in hands[s])}{ends}" for s in range(4)}
    judge(deal, {"action": "DEAL", "hand": [[name(k) for k in hand] for hand in hands]})
    while at < len(events):
        event = events[at]
        e, (_, seat, tile, low, *_) = event.tag, Fact.of(event)
        if e in ("draw", "replace"):
            if tile >= FIRST_FLOWER:
                assert events[at + 1].tag == "flower"
                write(f"3 {seat} BUHUA {name(tile)}", action="BUHUA", player=seat, tile=name(tile))
                at += 1
            else:
                content = {str(s): f"2 {name(tile)}" if s == seat else f"3 {seat} DRAW" for s in range(4)}
                judge(content, {"action": "DRAW", "player": seat, "tile": name(tile)})
        elif e == "discard":
            respond(seat, f"PLAY {name(tile)}")
            write(f"3 {seat} PLAY {name(tile)}", action="PLAY", player=seat, tile=name(tile))
        elif e in ("chow", "pung"):
            out = name(events[at + 1].tile)
            assert events[at + 1].tag == "discard"
            words = f"CHI {name(low + 1)} {out}" if e == "chow" else f"PENG {out}"
            respond(seat, words)
            write(
                f"3 {seat} {words}",
                action="CHI" if e == "chow" else "PENG",
                player=seat,
                tile=out,
                tileCHI=name(0 if low is None else low + 1),
            )
            at += 1
        elif e in ("kong", "concealed"):
            respond(seat, "GANG" if e == "kong" else f"GANG {name(tile)}")
            write(f"3 {seat} GANG", action="GANG", player=seat, tile=name(tile))
        elif e == "added":
            respond(seat, f"BUGANG {name(tile)}")
            write(f"3 {seat} BUGANG {name(tile)}", action="BUGANG", player=seat, tile=name(tile))
        elif e == "win":
            respond(seat, "HU")
        at += 1
    ending = table.ending
    assert ending is not None
    if not ending.winners:
        judge({str(s): 0 for s in range(4)}, {"action": "HUANG"}, "finish")  # type: ignore[misc]  # scores are numbers
    else:
        fan = ending.winners[0].points
        pays = [8 + fan if ending.self_draw or s == ending.discarder else 8 for s in range(4)]
        scores = [-pays[s] if s != ending.winners[0].seat else sum(pays) - pays[s] for s in range(4)]
        shown = {"action": "HU", "player": ending.winners[0].seat, "fanCnt": fan, "score": scores}
        judge({str(s): scores[s] for s in range(4)}, shown, "finish")  # type: ignore[misc]  # as above
    logs.pop()  # nobody answers the end
    players = [{"type": "bot", "bot": {"name": f"机器{WINDS[s]}"}} for s in range(4)]
    return {"_id": "5e0", "players": players, "logs": logs}


def text(table: Table, round: int) -> list[str]:
    """The same in the lines of its data sets, without flowers. `Hu` names the last discard, as one edition has it."""
    lines = ["Match 5e0000000000000000000001", f"Wind {round}"]
    lines += [
        f"Player {event.seat} Deal {' '.join(name(kind) for kind in event.tiles)}"
        for event in table.events
        if event.tag == "deal"
    ]
    words = {"draw": "Draw", "replace": "Draw", "discard": "Play", "pung": "Peng", "kong": "Gang"}
    words |= {"concealed": "AnGang", "added": "BuGang"}
    last = 0
    for event in table.events:
        if event.tag in words:
            lines.append(f"Player {event.seat} {words[event.tag]} {name(event.tile)}")
            last = event.tile if event.tag in ("discard", "added") else last
        elif event.tag == "chow":
            lines.append(f"Player {event.seat} Chi {name(event.low + 1)}")
        elif event.tag == "win":
            lines.append(f"Player {event.seat} Hu {name(last)}")
    ending = table.ending
    assert ending is not None
    if not ending.winners:
        return [*lines, "Huang", "Score 0 0 0 0"]
    fan = ending.winners[0].points
    pays = [8 + fan if ending.self_draw or s == ending.discarder else 8 for s in range(4)]
    scores = [-pays[s] if s != ending.winners[0].seat else sum(pays) - pays[s] for s in range(4)]
    return [*lines, f"Fan {fan} 平和*1+连六*2", f"Score {' '.join(map(str, scores))}"]


def human(table: Table, round: int, dealer: int = 0) -> list[str]:
    """The same in a file of its set of human games, whose seats are numbered from anyone on: `dealer` is East."""
    places = [(seat + dealer) % 4 for seat in range(4)]
    hands: list[list[int]] = [[] for _ in range(4)]
    counts = [0] * 4
    moves: list[str] = []
    words = {"draw": "摸牌", "discard": "打牌", "pung": "碰", "kong": "明杠", "concealed": "暗杠", "added": "补杠"}
    begun, before, last, thrower = False, "", 0, 0

    def add(seat: int, word: str, tiles: list[int], claimed: str = "") -> None:
        moves.append(f"{places[seat]}\t{word}\t{[name(kind) for kind in tiles]}\t{claimed}")

    for event in table.events:
        e, (_, seat, tile, low, *_) = event.tag, Fact.of(event)
        if e == "deal":
            hands[seat] = [kind for kind in event.tiles if kind < FIRST_FLOWER]
        elif e == "flower" and not begun:
            counts[seat] += 1
        elif e == "replace" and not begun:
            hands[seat] += [tile] if tile < FIRST_FLOWER else []
        elif e == "draw" and not begun:
            begun = True
            hands[seat].append(tile)
        elif e == "flower":
            add(seat, "补花", [tile])
        elif e == "replace":
            add(seat, "补花后摸牌" if before == "flower" else "杠后摸牌", [tile])
        elif e == "chow":
            add(seat, "吃", [low, low + 1, low + 2], f"{name(last)}\t{places[thrower]}")
        elif e == "win":
            add(seat, "和牌", [last])
        elif e in words:
            claimed = f"{name(last)}\t{places[thrower]}" if e in ("pung", "kong") else ""
            add(seat, words[e], [tile] * {"pung": 3, "kong": 4, "concealed": 4}.get(e, 1), claimed)
        before = e
        if e in ("discard", "added", "draw", "replace"):
            last, thrower = tile, seat
    lines = [f"{seat}\t{[name(kind) for kind in hands[at]]}\t{counts[at]}" for at, seat in enumerate(places)]
    ending = table.ending
    assert ending is not None
    how, fan = ("自摸" if ending.self_draw else "点和", ending.winners[0].points) if ending.winners else ("荒庄", 0)
    fans = [f"平和-{fan}", f"花牌-{sum(counts)}"] if fan else []
    return ["./2017/1.xml", f"{'东南西北'[round]}\t{fan}\t{fans}\t\t{how}", *sorted(lines), *moves]

"""A table's page whose line is answered by the test: the board in states that a match seldom reaches."""

import itertools
import json
import re

WINDS = "ESWN"
SUITS = "mps"
WORDS = {"zh": "局", "en": "hand"}
ROOM = {
    "id": "ROOM", "title": "", "rules": "guobiao", "book": {"zh": "国标麻将", "en": "Guobiao"}, "phase": "playing",
    "hints": True, "free": 0, "host": 0, "closed": False, "watching": 0, "hand": None, "updated": 0,
    "terms": {
        "rounds": 1, "ranked": False, "move": 15, "bank": 60, "think": 0.6, "shield": 0, "delay": 0, "spectators": True,
        "listed": True, "flowers": True, "house": False, "minimum": 8, "unit": {"zh": "番", "en": "fan"},
        "words": dict.fromkeys(("hand", "match", "drawn", "won", "discarded"), WORDS), "sealed": False,
    },
    "places": [
        {
            "kind": kind, "name": name, "level": level, "here": True, "ready": True, "member": False,
            "reserved": "", "link_by": "",
        }
        for kind, name, level in (
            ("person", "竹林里的雀友", ""), ("bot", "b", "plain"), ("bot", "c", "master"), ("person", "很长的名字", ""),
        )
    ],
}  # fmt: skip
MELDS = [
    {"kind": "kong", "tiles": "1m1m1m1m", "claimed": "1m", "from": None, "added": True},
    {"kind": "concealed_kong", "tiles": "9s9s9s9s", "claimed": None, "from": None, "added": False},
    {"kind": "kong", "tiles": "CCCC", "claimed": "C", "from": None, "added": False},
    {"kind": "chow", "tiles": "4p5p6p", "claimed": "5p", "from": None, "added": False},
]
FLOWERS = list("春夏秋冬梅兰竹菊")


def snapshot(n, *, discards=24, melds=4, flowers=8, seat="E", drawn="5p", options=(), over=False):
    """What a seat (None: a spectator) sees with so many discards and melds at every seat, the flowers at one after the
    other."""
    sets = [
        [{**one, "from": WINDS[(at + 1 + by) % 4] if one["claimed"] else None} for by, one in enumerate(MELDS[:melds])]
        for at in range(4)
    ]
    held = 13 - 3 * melds
    hand = [f"{1 + k % 9}{SUITS[k // 9]}" for k in range(held)]
    board = {
        "round": "E", "dice": [2, 3], "left": 40, "turn": "E", "offer": None, "offerer": None, "declared": [""] * 4,
        "stacks": {"each": 18, "sides": [18] * 4, "seat": "S", "stack": 4, "head": 60, "tail": 2, "dead": 0},
        "rivers": [[f"{1 + (k + at) % 9}{SUITS[k % 3]}" for k in range(discards)] for at in range(4)],
        "melds": sets, "barred": [False] * 4, "over": over,
        "flowers": [FLOWERS[:flowers] if n % 4 == at else FLOWERS[:2] if flowers else [] for at in range(4)],
    }  # fmt: skip
    own = {"seat": seat, "rules": "guobiao", "hand": hand, "drawn": drawn} if seat else {}
    return {
        "n": n, "phase": "playing", "names": ["E", "S", "W", "N"], "players": [0, 1, 2, 3], "totals": [-120, 64, 0, 56],
        "place": {"zh": "东圈 1 局", "en": "East 1"}, "hand": 1, "held": [held + 1, held, held, held],
        "asked": ["E"] if options else [], "view": {**own, "board": board, "options": list(options)},
        "clock": {"move": 15, "bank": 60, "used": 0},
    }  # fmt: skip


DISCARDS = [{"do": "discard", "tile": "5p", "drawn": True}, {"do": "discard", "tile": "1m"}]
CLAIMS = [
    {"do": "win", "tile": "5p", "score": {"total": 88}}, {"do": "kong", "tile": "5p"}, {"do": "pung", "tile": "5p"},
    *({"do": "chow", "tile": "5p", "low": low} for low in ("3p", "4p", "5p")), {"do": "pass"},
]  # fmt: skip
HINT = {
    "at": 10**6,
    "choices": [
        {
            "do": "discard", "tile": tile, "low": None, "then": None, "share": share, "missing": 2,
            "useful": ["1m", "4m"], "left": 6, "reach": 24.0, "points": None, "chance": 0.21,
            "text": "打一万", "outlook": "差 2 张可和，进张 6 张",
        }
        for tile, share in (("1m", 1.0), ("5p", 0.8), ("2m", 0.4))
    ],
    "aims": [{"tiles": ["1m", "4m"], "hand": "123m456p789sEE77p+7p", "points": 24, "fans": ["清一色 24"]}],
    "text": "打一万：差 2 张可和，进张 6 张。其次打五筒，值它的 80%。",
}  # fmt: skip


UNPAINTED = """(unpainted) => {
    document.querySelector('main').style.clipPath = unpainted ? 'inset(50%)' : '';
}"""
"""For tests that only measure boxes: painting without a graphics card costs as much as everything else."""


class Line:
    """The room's end of a socket."""

    def __init__(self, page, you=0):
        self.page, self.you, self.heard, self.sockets = page, you, [], []
        self.numbers = itertools.count(2)
        self.state = snapshot(1)
        self.deaf = False
        self.happened = []  # what is told to who comes, before the state
        self.refuses = set()
        page.route_web_socket(re.compile(r"/api/rooms/ROOM/ws"), self._opened)

    def _opened(self, socket):
        self.sockets.append(socket)
        socket.on_message(lambda text: self._hear(socket, json.loads(text)))

    def _hear(self, socket, message):
        self.heard.append(message)
        if self.deaf:
            return
        if message.get("token") in self.refuses:
            socket.close(code=4401)
        elif "after" in message:
            for one in ({"room": ROOM, "you": self.you}, *self.happened):
                socket.send(json.dumps(one))
            socket.send(json.dumps(self.state))
        elif "ping" in message:
            socket.send(json.dumps({"pong": message["ping"]}))

    def actions(self):
        """What was pressed, as it came here."""
        return [message["action"] for message in self.heard if "action" in message]

    def acted(self, number):
        """What was pressed, once that many presses have come: a busy machine passes them on late."""
        while len(self.actions()) < number:
            self.page.wait_for_timeout(50)
        return self.actions()

    def send(self, message):
        if "phase" in message:
            self.state = message
        self.sockets[-1].send(json.dumps(message))

    def show(self, state):
        """A new moment, drawn."""
        self.send(state)
        self.page.wait_for_function("n => document.querySelector('main').dataset.n === String(n)", arg=state["n"])
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# Every tile, plate, button and score that is seen, in pixels of the page; a tile under its plate's name is one fault.
BOXES = """() => {
    const seen = (one) => one.checkVisibility({visibilityProperty: true, opacityProperty: true});
    const named = (selector, word) => [...document.querySelectorAll(selector)].filter(seen).map((one) => {
        const {left, top, right, bottom} = one.getBoundingClientRect();
        const home = one.closest('.zone, .plate, .own, .bar, .centre, header, .when, .strip').className;
        const what = `${word} ${home.split(' ').slice(0, 2).join(' ')} ${one.ariaLabel ?? one.textContent.trim()}`;
        const across = Math.min(right - left, bottom - top), within = one.parentElement.className;
        return {what: what.slice(0, 40), within, across, left, top, right, bottom};
    });
    return [
        ...named('.board .rack .tile, .board .cell .tile, .own .tile, .when .tile, .plate .flowers .tile', 'tile'),
        ...named('.board .plate .name, .board .plate .say', 'plate'),
        ...named('.centre .score, .centre .mid', 'centre'),
        ...named('.act, .hints, header .tool', 'button'),
        ...named('.when > b, .when > .clock, .strip', 'word'),
    ];
}"""


def faults(boxes, width, height, slack=1.0):
    """Pairs of boxes that overlap, and those that are not wholly in the page."""
    found = [
        f"{one['what']} outside {one['left']:.0f} {one['top']:.0f} {one['right']:.0f} {one['bottom']:.0f}"
        for one in boxes
        if one["left"] < -slack or one["top"] < -slack or one["right"] > width + slack or one["bottom"] > height + slack
    ]
    order = sorted(boxes, key=lambda one: one["left"])
    for k, one in enumerate(order):
        for other in order[k + 1 :]:
            if other["left"] >= one["right"] - slack:
                break
            if min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > slack:
                found.append(f"{one['what']} / {other['what']}")
    return found

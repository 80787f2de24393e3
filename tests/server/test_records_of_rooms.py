"""What a room remembers and shows of a game: kongs that lie face down, and a set of other tiles."""

from __future__ import annotations

import json
import random

from quepu.server.rooms.game import Game
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.record import RoomLog
from quepu.server.rooms.redaction import redact
from quepu.table.events import KongConcealed
from tests.table.test_face_down import konged
from tests.tuidaohu import BOOK


def test_a_concealed_kong_reaches_only_its_seat() -> None:
    number, event = next(
        (n, one) for n, one in enumerate(konged("guobiao-mcr").events) if isinstance(one, KongConcealed)
    )
    line = json.dumps({"n": number, **event.to_json(), "h": 1}, separators=(",", ":"), ensure_ascii=False)
    assert "1m" in line
    shown = redact(line, number, hidden=True)
    assert "1m" in json.dumps(shown.to(0))
    for seat in (1, None):
        text = json.dumps(shown.to(seat), ensure_ascii=False)
        assert "1m" not in text
        assert "一万" not in text
        assert "暗杠" in text


def test_a_game_of_another_set_of_tiles_is_played() -> None:
    class Lines(RoomLog):
        def line(self, line: str) -> None:
            self.remember(line)

    record = Lines("", None, 0)  # type: ignore[arg-type]
    spec = RoomSpec(rules="tuidaohu", seed=3, shield=1)
    game = Game.begin(BOOK, spec, record, ["甲", "乙", "丙", "丁"], ["person"] * 4)
    rng = random.Random(2)
    game.deal()
    while game.table is not None and not game.table.over:
        if game.held:
            game.go_on()
            continue
        seat = game.table.to_act[0]
        json.dumps(game.table.view(seat).to_json(game.table.options(seat)))
        wins = [option for option in game.table.options(seat) if option.do == "win"]
        game.step(seat, rng.choice(wins or game.table.options(seat)))
    assert game.settle()
    assert game.result is not None
    assert game.result["over"]["board"]["stacks"]["each"] == 14
    assert len(record.revealed["wall"]) == 2 * 108

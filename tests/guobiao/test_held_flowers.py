"""A drawn flower that stays in the hand, where the table allows it (未补的花牌允许打出)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from quepu.arena import match
from quepu.bots import make_bot
from quepu.cli.terminal_game import choose as choose_typed
from quepu.errors import HandError
from quepu.fast.tables import code
from quepu.hands.hand import Luck
from quepu.hands.notation import write
from quepu.match import Replay, read_log
from quepu.match.botzone_export import ExportError, to_botzone
from quepu.match.mjai_export import StreamError, to_mjai
from quepu.rulebooks import book, house_rules, readings
from quepu.rules.play_rules import play_rules
from quepu.table import Table, make_wall
from quepu.table.actions import NotAllowed, timeout
from quepu.table.events import Discarded, Event
from quepu.table.referee import reconstruct
from quepu.table.sampling import can_sample, sample_hidden, sample_table
from quepu.tiles import FLOWERED, KINDS
from tests.table.players import choose
from tests.table.soak import soak
from tests.table.test_referee import as_seen, same
from tests.table.walls import go, settle_offer, stacked

BOOK = book("guobiao")
HELD = BOOK.having(id="held", options={"held_flowers": True})
HOUSE = house_rules.book_of("", 'base = "guobiao-mcr"\n[options]\nheld_flowers = true\n')
GATES = "111234567899mE"  # nine gates but for one tile
REST = ["47m258p369sSWNCP"] * 3  # wait for nothing, hold neither 9m nor F


def table(draws: str, tail: str = "", rulebook=HELD, first: str = GATES) -> Table:  # type: ignore[no-untyped-def]
    return Table(rulebook, stacked([first, *REST], draws, tail, flowers=True))


def dos(made: Table, seat: int = 0) -> list[str]:
    return [option.text().en for option in made.options(seat)]


def test_it_is_held_then_replaced_and_the_hand_wins_by_self_draw() -> None:
    made = table("春FFF9m", "5m")
    assert {"discard E", "discard spring (as drawn)", "replace spring"} <= set(dos(made))
    go(made, "E discard E")
    assert made.hands[0][-1] == 34
    assert made.board.flowers[0] == ()  # nobody else knows of it
    for seat in ("S", "W", "N"):
        settle_offer(go(made, f"{seat} discard F drawn"))
    assert made.drawn == 8
    assert "win" not in " ".join(dos(made))  # 1112345678999m and a flower is not a hand
    go(made, "E flower 春")
    assert made.board.flowers[0] == (34,)
    win = next(option for option in made.options(0) if option.do == "win")
    assert win.score is not None
    assert win.score.hand.luck & Luck.SELF_DRAW
    assert not win.score.hand.luck & Luck.KONG_DRAW
    assert win.score.total - win.score.points == 1  # the flower
    assert write(win.score.hand).startswith("1112345678999m+5m")


def test_it_is_held_then_discarded_from_the_hand_and_claimed_by_nobody() -> None:
    made = table("春FFF9m")
    go(made, "E discard E")
    for seat in ("S", "W", "N"):
        settle_offer(go(made, f"{seat} discard F drawn"))
    go(made, "E discard 春")
    assert made.to_act == (1,)
    assert made.board.rivers[0][-1] == 34
    assert made.waits[0]  # ready again


def test_a_hand_with_a_flower_wins_no_discard_and_the_one_without_does() -> None:
    made = go(table("春9mFFF"), "E discard E", "S discard 9m drawn")
    assert not any(option.do == "win" for option in made.options(0))  # twelve tiles and a flower
    made = go(table("C5mFFF", first="1112345678999m"), "E discard C drawn", "S discard 5m drawn")
    assert any(option.do == "win" for option in made.options(0))


def test_a_kong_and_a_flower_held_over_it_are_no_win_on_a_replacement() -> None:
    made = table("1mFFFF", "春9m")
    go(made, "E concealed 1m")
    assert made.drawn == 34
    assert {"discard spring (as drawn)", "replace spring", "discard E"} <= set(dos(made))


def test_several_are_replaced_one_by_one() -> None:
    made = table("春FFF夏", "5m8p")
    go(made, "E discard E")
    for seat in ("S", "W", "N"):
        settle_offer(go(made, f"{seat} discard F drawn"))
    assert [one for one in dos(made) if one.startswith("replace")] == ["replace spring", "replace summer"]
    go(made, "E flower 夏")
    assert [one for one in dos(made) if one.startswith("replace")] == ["replace spring"]
    go(made, "E flower 春")
    assert made.board.flowers[0] == (35, 34)
    assert not [one for one in dos(made) if one.startswith("replace")]


def test_without_the_option_it_is_replaced_or_discarded_at_once() -> None:
    made = table("春FFF9m", rulebook=BOOK)
    assert dos(made) == ["discard spring (as drawn)", "replace spring"]
    with pytest.raises(NotAllowed, match="补花春"):
        go(made, "E discard E")


def test_an_absent_player_throws_what_was_drawn() -> None:
    made = table("春FFF9m")
    assert timeout(made.options(0)).text().en == "discard spring (as drawn)"


@pytest.mark.parametrize(
    "rulebook",
    [book("guobiao"), book("guobiao-mcr"), *(one for one in readings() if one.id.startswith("guobiao"))],
    ids=lambda one: one.id,
)
def test_every_book_of_the_family_has_the_option(rulebook) -> None:  # type: ignore[no-untyped-def]
    held = rulebook.having(id="held", options={"held_flowers": True})
    assert play_rules(held).table.flowers_held
    assert not play_rules(rulebook).table.flowers_held
    assert held.fingerprint != rulebook.fingerprint
    assert held.having(id=rulebook.id, options={"held_flowers": False}).fingerprint == rulebook.fingerprint


def test_a_file_of_house_rules_sets_it() -> None:
    assert play_rules(HOUSE).table.flowers_held


def test_every_event_of_random_hands() -> None:
    counts = soak(HELD, range(24))
    assert counts["flower"]
    assert counts["self-drawn"]


def hands(n: int, level: str = "", boldness: float = 0.5) -> list[Table]:
    """Hands in which flowers are held, to the end: by bots of a level, or players who mean to win, and at random."""
    made = []
    for number in range(n):
        rng = random.Random(number)
        one = Table(HELD, make_wall("held", number, FLOWERED), round=number % 4)
        bots = [make_bot(level, number) for _ in range(4)] if level else []
        for seat, bot in enumerate(bots):
            bot.begin(HELD, seat)
        while one.to_act:
            seat = one.to_act[0]
            options = one.options(seat)
            flower = one.drawn is not None and one.drawn >= KINDS and rng.random() < 0.8
            if flower or rng.random() < boldness:
                one.step(seat, rng.choice(options))
            else:
                one.step(seat, bots[seat].act(one.view(seat), options) if bots else choose(one, seat))
        made.append(one)
    return made


@pytest.mark.parametrize("level", ["plain", "gain"])
def test_bots_replace_flowers_also_those_that_others_held(level: str) -> None:
    bot = make_bot(level, 1, tables=False)
    bot.begin(HELD, 0)
    made = table("春FFF9m")
    assert bot.act(made.view(0), made.options(0)).do == "flower"
    go(made, "E discard E")
    for seat in ("S", "W", "N"):
        settle_offer(go(made, f"{seat} discard F drawn"))
    assert bot.act(made.view(0), made.options(0)).do == "flower"


def test_bots_play_on_beside_players_who_hold_flowers() -> None:
    assert hands(8, level="plain")


def test_what_was_seen_stays_in_sampled_hands() -> None:
    rng = random.Random(5)
    checked = 0
    for number in range(30):
        one = Table(HELD, make_wall("sampled", number, FLOWERED))
        for _ in range(rng.randrange(20, 200)):
            if one.to_act:
                seat = one.to_act[0]
                one.step(seat, rng.choice(one.options(seat)))
        if one.over or not can_sample(one, one.to_act[0]):
            continue
        seat = one.to_act[0]
        made = sample_table(one, seat, number)
        assert made.view(seat) == one.view(seat)
        assert made.options(seat) == one.options(seat)
        hidden = sample_hidden(one.view(seat), number)
        assert (
            sum(map(len, hidden.hands)) + len(hidden.wall) + sum(one.board.visible()) + sum(map(len, one.board.flowers))
            == 144
        )
        checked += 1
    assert checked > 10


def test_a_hand_told_by_what_was_seen_ends_as_it_ended() -> None:
    told = 0
    for number, one in enumerate(hands(30, boldness=0.03)):
        if one.ending is not None and one.ending.winners:
            same(one, reconstruct(HELD, as_seen(one, number), round=one.board.round))
            told += 1
    assert told


def test_compiled_tables_say_that_they_cannot() -> None:
    assert code.missing(BOOK) is None
    found = code.missing(HELD)
    assert found is not None
    assert "held" in found.en


def log_of(tmp_path: Path) -> Replay:
    """A match in which flowers were held, read again from its log."""
    file = tmp_path / "held.jsonl"
    match(HOUSE, ["random"] * 4, seed=4, rounds=1, log=file)
    return read_log(file.read_text("utf-8").splitlines(), HOUSE)


def test_a_log_is_read_again_and_other_forms_say_what_they_lack(tmp_path: Path) -> None:
    replay = log_of(tmp_path)
    held = [event for hand in replay.hands for event in hand.events if is_from_hand(event)]
    assert held
    assert any('"f' in line for line in to_mjai(replay))
    with pytest.raises(StreamError, match="花牌留在手里"):
        to_mjai(replay, flowers=False)
    with pytest.raises(ExportError, match="花牌可以留在手里"):
        to_botzone(replay)


def is_from_hand(event: Event) -> bool:
    return isinstance(event, Discarded) and event.tile >= KINDS and not event.as_drawn


def test_it_is_named_in_the_terminal() -> None:
    made = table("春FFF夏")
    go(made, "E discard E")
    for seat in ("S", "W", "N"):
        settle_offer(go(made, f"{seat} discard F drawn"))
    options = made.options(0)

    def typed(line: str) -> str:
        return choose_typed(line, options, made).text().en

    assert typed("春") == "discard spring"
    assert typed("summer") == "discard summer (as drawn)"
    assert typed("") == "discard summer (as drawn)"
    assert [typed("补 春"), typed("f夏"), typed("f spring")] == ["replace spring", "replace summer", "replace spring"]
    assert typed("f").startswith("replace ")
    for wrong in ("秋", "补 秋", "x"):
        with pytest.raises(HandError):
            typed(wrong)

"""Which book a log is read by: the one of its header, of its time, or only its name where it no longer exists."""

from __future__ import annotations

from typing import Any

import pytest

from quepu import parse
from quepu.errors import Text
from quepu.match.edition import edition_of
from quepu.match.settle import settle
from quepu.rulebooks import book
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.scoring.score import score_hand
from quepu.tiles import FLOWERED

GUOBIAO, LINGQUE = book("guobiao"), book("lingque-29")
NOW = {"log": 3, "rules": "guobiao", "revision": GUOBIAO.revision, "fingerprint": GUOBIAO.fingerprint}
FIRST = book("guobiao@1").fingerprint


@pytest.mark.parametrize(
    ("changes", "found", "same"),
    [
        ({}, "guobiao", True),
        ({"revision": 1, "fingerprint": FIRST}, "guobiao@1", True),
        ({"rules": "guobiao@1", "revision": 2, "fingerprint": FIRST}, "guobiao@1", True),
        ({"log": 2, "revision": "1", "fingerprint": FIRST}, "guobiao@1", True),
        ({"log": 2, "revision": 2, "fingerprint": book("guobiao@2").fingerprint}, "guobiao@2", True),
        ({"log": 1, "revision": 2, "fingerprint": "of another kind"}, "guobiao@2", False),
    ],
)
def test_a_log_is_read_by_the_revision_of_its_time(changes: dict[str, Any], found: str, same: bool) -> None:
    edition = edition_of(NOW | changes)
    assert (edition.book.id, edition.same, edition.note, edition.playable) == (found, same, None, True)


def test_a_log_that_names_no_revision_is_of_the_first_in_format_1_and_of_today_later() -> None:
    assert edition_of({"log": 1, "rules": "guobiao"}).book.id == "guobiao@1"
    assert edition_of({"log": 1, "rules": "guobiao"}).same is False, "its fingerprint says nothing about conditions"
    later = edition_of({"log": 2, "rules": "guobiao", "fingerprint": GUOBIAO.fingerprint})
    assert later == (GUOBIAO, True, None, True)


@pytest.mark.parametrize("revision", [0, -1, GUOBIAO.revision + 1, "x", None, [1]])
def test_a_revision_that_does_not_exist_is_said(revision: object) -> None:
    edition = edition_of(NOW | {"revision": revision})
    assert edition[:2] == (GUOBIAO, False) and edition.playable and edition.note is not None
    assert edition.note.zh == f"牌谱出自规则 guobiao 的修订 {revision}，这里只到修订 {GUOBIAO.revision}。"
    assert edition.note.en == f"the log is of revision {revision} of guobiao; here it goes up to {GUOBIAO.revision}."


@pytest.mark.parametrize(("revision", "compared"), [(GUOBIAO.revision, GUOBIAO), (1, book("guobiao@1"))])
def test_a_book_that_changed_without_a_revision_is_said(revision: int, compared: Any) -> None:
    edition = edition_of(NOW | {"revision": revision, "fingerprint": "0123"})
    mine = compared.fingerprint
    assert (edition.book.id, edition.same, edition.playable) == (compared.id, False, True)
    assert edition.note == Text(
        f"规则 {compared.id} 与当时的不尽相同（指纹当时 0123，现在 {mine}）。",
        f"{compared.id} is not quite what it was (its fingerprint was 0123, now {mine}).",
    )


def test_the_options_of_a_header_are_chosen() -> None:
    options = {"penalties": "2025"}
    league = GUOBIAO.having(options=options)
    edition = edition_of(NOW | {"chosen": options, "fingerprint": league.fingerprint})
    assert edition.same and edition.book.chosen["penalties"] == "2025"
    assert edition_of(NOW | {"chosen": {}}).book == GUOBIAO


def test_a_book_given_by_the_caller_is_taken_whatever_the_header_says() -> None:
    house = LINGQUE.having(minimum=16, id="house")
    header = {"log": 3, "rules": "house", "revision": house.revision, "fingerprint": house.fingerprint}
    assert edition_of(header | {"chosen": {"no such": 1}}, house) == (house, True, None, True)
    assert edition_of(header | {"fingerprint": "0123"}, house).same is False


@pytest.mark.parametrize(
    ("changes", "zh", "en"),
    [
        ({"chosen": {"none": 1}}, "只看记录：", "events only: "),
        ({"chosen": 5}, "只看记录：选项有误。", "events only: its options are wrong."),
        ({"chosen": ["none"]}, "只看记录：选项有误。", "events only: its options are wrong."),
        ({"rules": "旧谱"}, "只看记录：", "events only: "),
    ],
)
def test_a_log_whose_book_or_option_is_gone_is_read_by_its_events(changes: dict[str, Any], zh: str, en: str) -> None:
    edition = edition_of(NOW | changes)
    assert (edition.same, edition.playable) == (False, False) and edition.note is not None
    assert edition.note.zh.startswith(zh) and edition.note.en.startswith(en)
    gone = changes.get("rules") or "no option 'none'"
    assert "chosen" not in changes or edition.book == GUOBIAO, "it still provides the names"
    assert isinstance(changes.get("chosen"), int | list) or gone in edition.note.zh + edition.note.en


@pytest.mark.parametrize(
    ("header", "name", "title"),
    [
        ({"rules": "旧谱"}, "旧谱", ("旧谱", "旧谱")),
        ({}, "?", ("?", "?")),
        ({"rules": ""}, "?", ("?", "?")),
        ({"rules": 5}, "5", ("5", "5")),
        ({"rules": "x" * 61}, "x" * 60, ("x" * 60, "x" * 60)),
        ({"rules": "old", "title": ["旧谱", "Old"]}, "old", ("旧谱", "Old")),
        ({"rules": "old", "title": ["旧" * 61, "O" * 61]}, "old", ("旧" * 60, "O" * 60)),
        ({"rules": "old", "title": ["旧谱"]}, "old", ("old", "old")),
        ({"rules": "old", "title": ["旧谱", "Old", "?"]}, "old", ("old", "old")),
        ({"rules": "old", "title": ["旧谱", 5]}, "old", ("old", "old")),
        ({"rules": "old", "title": "旧谱"}, "old", ("old", "old")),
        ({"rules": "old", "title": {"旧": 1, "Old": 2}}, "old", ("old", "old")),
    ],
)
def test_an_unknown_book_has_the_names_of_its_header(header: dict[str, Any], name: str, title: tuple[str, str]) -> None:
    unknown = edition_of(header).book
    assert (unknown.id, tuple(unknown.title)) == (name, title)


def test_an_unknown_book_accepts_whatever_was_played_and_scores_nothing() -> None:
    unknown = edition_of({"rules": "gone"}).book
    rules = play_rules(unknown)
    assert rules.table.tiles == FLOWERED and rules.match.start == 0 and not rules.zero_sum
    won = Ending((SeatWin(0, 8),), self_draw=True)
    assert settle(won, unknown, rules) == ((), (0, 0, 0, 0), 0)
    score = score_hand(parse("123m456m789m123sE+E"), unknown)
    assert (score.total, score.fans, score.can_win, unknown.minimum) == (0, [], True, 0)
    assert score.explain("zh") and score.explain("en")

"""The rules, card and points table of 广东 in words: they say how a table plays, and nothing that it does not."""

from __future__ import annotations

from typing import Any

from quepu.rulebooks import book
from quepu.rules.guide import Paragraph, guide
from quepu.rules.play_rules import play_rules

CANTON = book("canton")


def read_rules(**chosen: Any) -> str:
    sections = guide(CANTON.having(id="table", options=chosen))
    return "\n".join(part.text.en for section in sections for part in section.parts if isinstance(part, Paragraph))


def test_the_rules_say_how_the_table_plays() -> None:
    told = read_rules(payment="half_spicy", discard="half", cap=10, winners=3, bao_twelve="any", bao_last=True)
    assert "half-spicy up to 13 fan; half shares; 1 a unit; cap 10 fan" in told
    assert "at most three players win the same tile" in told
    assert "the next in turn wins" not in told
    assert "fourth claimed set" in told and "five or fewer left" in told
    assert "third dragon set" not in told and "half_spicy" not in told
    own = read_rules(discard="half")  # the book's table, and shares of one's own
    assert "one unit a fan; half shares" in own
    assert "50 fan is paid as 50 fan" in read_rules(cap=50)
    plain = read_rules()
    assert "the next in turn wins" in plain and "Cap:" not in plain and "包)" not in plain


def test_the_rules_do_not_tell_of_a_dealer_or_flowers_that_a_table_does_not_play() -> None:
    plain, bare = read_rules(), read_rules(flowers=False)
    assert "花糊 and 流局十番 are paid" in plain and "流局十番 is paid" not in plain
    assert "花糊 and" not in bare and "流局十番 is paid" in bare
    no_dealer = CANTON.having(id="table", without=["庄家"])
    told = [part.text.en for one in guide(no_dealer) for part in one.parts if isinstance(part, Paragraph)]
    assert "dealer gets one fan more" in plain and not any("dealer gets one fan more" in text for text in told)
    for table, dealer, flowers in ((CANTON, True, True), (no_dealer, False, True)):
        rules = play_rules(table)
        notes = " ".join(note.en for note in rules.notes)
        assert ("one fan more" in notes, "seven flowers" in notes) == (dealer, flowers)
        assert rules.quick_table is not None
        note = rules.quick_table().note
        assert note is not None
        assert ("For the dealer" in note.en) == dealer
    hong_kong = play_rules(CANTON.having(id="table", options={"flowers": False, "payment": "half_spicy"}))
    assert not any("seven flowers" in note.en or "paid as one unit" in note.en for note in hong_kong.notes)

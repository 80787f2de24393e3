"""Who is who: names change, two have one name, one has two entries; what was written stays, and is undone."""

import random

import pytest
from pydantic import TypeAdapter

from quepu.figures.figures import Figures, by_id
from quepu.scorekeeper.records import SubstituteRecord, TableSpec
from quepu.scorekeeper.roster import Player, RosterEdit, RosterError, RosterRecord, fold, id_of, ids_at, labels, text_of

RECORD = TypeAdapter(RosterRecord)


def changes(*records):
    return [RosterEdit(key=f"k{i}", at=float(i), record=RECORD.validate_python(one)) for i, one in enumerate(records)]


def rename(was, name, id=None, **more):
    return {"do": "rename", "id": id or id_of(was), "was": was, "name": name, **more}


def merge(name, into, id=None, into_id=None):
    return {"do": "merge", "id": id or id_of(name), "name": name, "into": into_id or id_of(into), "into_name": into}


def test_a_name_is_a_player_without_any_roster():
    roster = fold([])
    assert roster.player("林") == roster.player("林", "any table") == id_of("林") == id_of(" 林 ")
    assert roster.player("周") != roster.player("林")


def test_a_renamed_player_has_his_history_under_both_names():
    roster = fold(changes(rename("林", "林海"), rename("林海", "林大海", id=id_of("林"))))
    assert {roster.player(name) for name in ("林", "林海", "林大海")} == {id_of("林")}
    assert roster.players[id_of("林")] == Player(id_of("林"), "林大海", "", ("林", "林海", "林大海"))
    assert roster.current("林大海") == id_of("林")
    assert roster.current("林") is None


def test_two_of_one_name_differ_by_id_table_and_note():
    second = {"do": "add", "id": "b0b0", "name": "王芳", "note": "高"}
    seat = {"do": "seat", "table": "t7", "name": "王芳", "id": "b0b0", "player_name": "王芳"}
    roster = fold(changes(rename("王芳", "王芳", note="矮"), second, seat))
    assert roster.player("王芳", "t1") == id_of("王芳")
    assert roster.player("王芳", "t7") == "b0b0"
    assert roster.player("王芳", "t1", "b0b0") == "b0b0"
    assert roster.current("王芳") is None  # nobody guesses
    assert set(labels(list(roster.players.values())).values()) == {"王芳（高）", "王芳（矮）"}
    bare = [Player("a", "王芳"), Player("b", "王芳"), Player("c", "王芳", "高"), Player("d", "林", "高")]
    assert list(labels(bare).values()) == ["王芳", "王芳 2", "王芳（高）", "林"]


def test_a_name_with_its_note_is_that_player():
    """At a tournament where both come, one is written 王芳（高）, as the roster shows him."""
    second = {"do": "add", "id": "second", "name": "王芳", "note": "高"}
    roster = fold(changes(rename("王芳", "王芳", note="矮"), second))
    assert roster.player("王芳（高）") == "second"
    assert roster.player("王芳（矮）") == roster.player("王芳") == id_of("王芳")
    assert roster.player("王芳（胖）") == id_of("王芳（胖）"), "nobody has this note"
    later = fold(changes(rename("王芳", "王芳", note="矮"), second, rename("王芳（高）", "李")))
    assert later.player("王芳（高）") == id_of("王芳（高）"), "somebody was called so before, and is in the roster"
    merged = fold(changes(second, merge("王芳", "李", id="second")))
    assert merged.player("王芳（高）") == id_of("王芳（高）")


def test_a_name_that_another_had_before_stays_his():
    roster = fold(changes(rename("林", "王芳", shared=True)))
    assert roster.player("王芳") == id_of("王芳")
    assert roster.player("林") == id_of("林")


def test_two_entries_of_one_person_become_one_and_two_again():
    both = changes(merge("王 芳", "王芳"), {"do": "undo", "change": "k0"})
    one = fold(both[:1])
    assert one.player("王 芳") == one.player("王芳") == id_of("王芳")
    assert one.players[id_of("王芳")].names == ("王芳", "王 芳")
    apart = fold(both)
    assert apart.player("王 芳") != apart.player("王芳")
    assert apart.undone == {"k0"}
    assert text_of(both[0].record).zh == "王 芳 并入 王芳"  # the trace is there all the same


def test_what_cannot_be_is_refused():
    for wrong in (
        [merge("林", "林")],
        [merge("林", "周"), merge("周", "林")],
        [{"do": "add", "id": "b0b0", "name": "林"}, {"do": "add", "id": "b0b0", "name": "周"}],
        [{"do": "undo", "change": "nothing"}],
    ):
        with pytest.raises(RosterError):
            fold(changes(*wrong))


def test_chains_of_merges_end_somewhere_and_undoing_all_gives_back_all():
    rng = random.Random(7)
    names = [f"人{i}" for i in range(12)]
    made: list = []
    for _ in range(60):
        one, other = rng.sample(names, 2)
        try:
            fold(changes(*made, merge(one, other)))
        except RosterError:
            continue
        made.append(merge(one, other))
    roster = fold(changes(*made))
    assert len({roster.player(name) for name in names}) == len(names) - len(made)
    undone = fold(changes(*made, *({"do": "undo", "change": f"k{i}"} for i in range(len(made)))))
    assert len({undone.player(name) for name in names}) == len(names)


def test_ids_stand_beside_the_names_of_a_table():
    spec = TableSpec(names=["林", "周", "何", "许"], players=["b0b0", None, None, "c0c0"])
    assert ids_at(spec, [SubstituteRecord(player=1, name="丁", id="d0d0")]) == {
        "林": "b0b0",
        "许": "c0c0",
        "丁": "d0d0",
    }
    assert "players" not in TableSpec(names=["林", "周", "何", "许"]).model_dump()  # written as before there were ids
    with pytest.raises(ValueError, match="one id"):
        TableSpec(names=["林", "周", "何", "许"], players=["b0b0"])


def test_nobody_is_at_a_table_twice():
    roster = fold(changes(merge("林", "周")))
    ids = roster.at_table(["林", "周", "何"], "t", {})
    assert len(set(ids.values())) == 3


def test_figures_under_ids_know_opponents_by_ids():
    one = {"林": Figures(hands=3, against={"周": [1, 1, 0, 5]}), "周": Figures(hands=3, against={"林": [1, 0, 1, -5]})}
    found = by_id(one, {"林": "b0b0"})
    assert found["b0b0"].against == {"周": [1, 1, 0, 5]}
    assert found["周"].against == {"b0b0": [1, 0, 1, -5]}

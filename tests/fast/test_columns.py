"""Columns of data frames into `score_many`, and its answers as frames; the plain twin is `quepu.score` row by row."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import quepu
from quepu.errors import HandError
from quepu.fast.arrays.columns import MOST_SHOWN
from quepu.hands.notation import write
from quepu.rules.circumstances import spellings
from quepu.scoring.samples import wins
from quepu.tiles import NAMES

HAND, DRAGONS = "123m456p789sCCEE+E", "123m456p789sCCEE+C"


def arrow_texts(some: list[Any], kind: Any) -> Any:
    """A column of Arrow; texts are of this kind."""
    return pyarrow.array(some, kind if all(isinstance(one, str) for one in some) else None)


MAKES: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "numpy": np.array,
    "objects": lambda some: np.array(some, object),
    "pandas": lambda some: pandas.Series(some, index=range(100, 100 + len(some))),
    "category": lambda some: pandas.Series(some, dtype="category"),
    "polars": polars.Series,
    "arrow": pyarrow.array,
    "chunked": lambda some: pyarrow.chunked_array([some[:2], some[2:]]),
    "dictionary": lambda some: pyarrow.array(some).dictionary_encode(),
    "chunked dictionary": lambda some: pyarrow.chunked_array([some[:2], some[2:]]).dictionary_encode(),
    "a slice": lambda some: pyarrow.array([some[-1], *some, some[0]]).slice(1, len(some)),
    "large_string": lambda some: arrow_texts(some, pyarrow.large_string()),
    "string_view": lambda some: arrow_texts(some, pyarrow.string_view()),
    "pandas nullable": lambda some: pandas.Series(some).convert_dtypes(dtype_backend="numpy_nullable"),
    "pandas of Arrow": lambda some: pandas.Series(some).convert_dtypes(dtype_backend="pyarrow"),
    "pandas objects": lambda some: pandas.Series(some, dtype=object),
    "polars categorical": lambda some: polars.Series(
        some, dtype=polars.Categorical if isinstance(some[0], str) else None
    ),
}
makes = pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)


class Exporter:
    """A column of a library that has nothing but the Arrow protocol."""

    def __init__(self, some: list[Any]) -> None:
        self.array = pyarrow.chunked_array([some])

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.array.__arrow_c_stream__(requested_schema)


def alone(hand: str, rules: str, **around: Any) -> tuple[int, int] | str:
    try:
        score = quepu.score(hand, rules, **around)
    except quepu.Error as error:
        return error.say("en")
    return score.points, score.total


def same(scores: quepu.Scores, rows: list[dict[str, Any]]) -> None:
    """Each row is what `quepu.score` says of it, in points or in words."""
    for i, row in enumerate(rows):
        one = alone(**row)
        if isinstance(one, str):
            said = scores.errors[i].say("en")
            assert not scores.valid[i], row
            assert one == said or said.split(": ", 1)[-1] == one, row
        else:
            assert (scores.points[i], scores.total[i]) == one, row


@makes
def test_every_make_of_column_gives_what_score_gives(make: Callable[[list[Any]], Any]) -> None:
    hands, seats, rounds = [HAND, DRAGONS, HAND, "12x"], ["E", "S", "西", "N"], [27, 28, 29, 30]
    drawn, flowers = [True, False, True, False], [0, 1, 2, 8]
    scores = quepu.score_many(
        make(hands), "guobiao", seat=make(seats), round=make(rounds), self_draw=make(drawn), flowers=make(flowers)
    )
    rows = [
        {"hand": hand, "rules": "guobiao", "seat": seat, "round": "ESWN"[wind - 27], "self_draw": own, "flowers": n}
        for hand, seat, wind, own, n in zip(hands, seats, rounds, drawn, flowers, strict=True)
    ]
    same(scores, rows)
    assert list(scores.errors) == [3]


@pytest.mark.parametrize("make", [list, pandas.Series, polars.Series, pyarrow.array, Exporter])
def test_circumstances_are_lists_or_texts(make: Callable[[list[Any]], Any]) -> None:
    hands = [HAND] * 4
    listed = [["妙手回春"], [], ["Last Tile Draw"], None]
    texts = pandas.Series(["妙手回春", "", "last tile draw", None])
    scores = quepu.score_many(hands, "guobiao", self_draw=True, circumstances=make(listed))
    named = {"circumstances": ["妙手回春"], "self_draw": True}
    assert scores.points.tolist() == [
        alone(HAND, "guobiao", **(named if i in (0, 2) else {"self_draw": True}))[0] for i in range(4)
    ]
    assert quepu.score_many(hands, "guobiao", self_draw=True, circumstances=texts) == scores
    assert (
        quepu.score_many(hands[:2], "guobiao", self_draw=True, circumstances=["妙手回春"]).points[1] == scores.points[0]
    )


def test_a_text_may_be_any_name_of_a_circumstance() -> None:
    for book in quepu.books():
        for name in spellings(book):
            around = {"self_draw": np.array([True]), "seat": np.array(["S"])}
            one = quepu.score_many([HAND], book, circumstances=np.array([name]), **around)
            assert one.errors.keys() == quepu.score_many([HAND], book, circumstances=[[name]], **around).errors.keys()
            assert "no circumstance" not in str(one.to_dict(lang="en")["error"][0]), name


@pytest.mark.parametrize("rules", [book.id for book in quepu.books() if book.circumstances])
def test_contradictions_are_those_of_one_hand(rules: str) -> None:
    """Rows that are alike in all that a circumstance may contradict are asked about once."""
    book, pick = quepu.book(rules), random.Random(5)
    pairs = [[], *([name] for name in book.circumstances), *map(list, itertools.combinations(book.circumstances, 2))]
    rows = [
        {"hand": write(hand), "rules": rules, "seat": pick.choice("ESWN"), "self_draw": pick.random() < 0.5,
         "circumstances": pick.choice(pairs), "flowers": pick.choice([0, 0, 7, 8]) if book.flower_value else 0}
        for hand in wins(book, 400, 3)
    ]  # fmt: skip
    columns = {name: [row[name] for row in rows] for name in rows[0] if name not in ("hand", "rules")}
    scores = quepu.score_many([row["hand"] for row in rows], rules, **columns)
    same(scores, rows)
    assert 20 < len(scores.errors) < 390


@makes
def test_rules_may_be_a_column(make: Callable[[list[Any]], Any]) -> None:
    rules = ["guobiao", "lingque-29", "canton", "guobiao"]
    hands = [HAND, HAND, HAND, "11x"]
    scores = quepu.score_many(make(hands), make(rules), seat=make(["S", "E", "W", "N"]))
    same(scores, [{"hand": hand, "rules": name, "seat": seat}
                  for hand, name, seat in zip(hands, rules, "SEWN", strict=True)])  # fmt: skip
    assert [book.id for book in scores.books] == [quepu.book(name).id for name in rules[:3]]
    assert scores.which.tolist() == [0, 1, 2, 0]
    assert scores.can_win.tolist() == [quepu.score(HAND, name, seat=seat).can_win
                                       for name, seat in zip(rules[:3], "SEW", strict=True)] + [False]  # fmt: skip
    with pytest.raises(quepu.HandError, match="books"):
        _ = scores.book
    for i, name in enumerate(rules[:3]):
        one = quepu.score(HAND, name, seat="SEW"[i])
        listed = [line.name for line in one.fans for _ in range(line.count)]
        assert sorted(scores.to_dict()["fans"][i]) == sorted(listed)
        assert scores.to_dict()["reading"][i] == one.best.text()


def test_an_array_takes_columns_too() -> None:
    hand = quepu.parse("123m456p789sSSEE+E")
    counts = np.array([hand.counts()] * 2)
    frame = pandas.DataFrame(counts, columns=NAMES[:34])
    around: dict[str, Any] = {"seat": ["S", "E"], "self_draw": [True, False], "winning": pandas.Series([27, 30])}
    for given in (counts, frame, polars.DataFrame(counts)):
        scores = quepu.score_many(given, "guobiao", **around)
        assert scores.points[0] == quepu.score(hand._replace(seat=28, luck=1), "guobiao").points
        assert "not among" in scores.errors[1].say("en")


def test_whole_numbers_of_flowers_beside_an_array_are_bits_in_a_column_and_how_many_for_all() -> None:
    counts = np.array([quepu.parse(HAND).counts()] * 2)
    extra = [(scores.total - scores.points).tolist() for scores in (
        quepu.score_many(counts, "guobiao", flowers=3), quepu.score_many(counts, "guobiao", flowers=[3, 1 << 8]),
        quepu.score_many([HAND] * 2, "guobiao", flowers=[3, 8]),
    )]  # fmt: skip
    assert extra == [[3, 3], [2, 1], [3, 8]]
    assert list(quepu.score_many(counts, "guobiao", flowers=[0, 1 << 16]).errors) == [1]


# ---- what is wrong


@pytest.mark.parametrize("make", [pandas.Series, polars.Series, pyarrow.array, list])
def test_a_missing_value_is_the_error_of_its_row(make: Callable[[list[Any]], Any]) -> None:
    scores = quepu.score_many(make([HAND, None, HAND]), "guobiao", seat=make(["E", "S", None]))
    assert scores.valid.tolist() == [True, False, False]
    assert scores.errors[1].say("en") == "the hand is missing: it should be text such as 123m456p789sCCEE+E."
    assert scores.errors[2].say("en") == "seat: a value is missing; it should be E, S, W or N."
    assert scores.errors[2].say("zh").startswith("seat：缺值")
    drawn = quepu.score_many([HAND] * 2, "guobiao", self_draw=make([True, None]))
    assert list(drawn.errors) == [1] and "true or false" in drawn.errors[1].say("en")
    none = quepu.score_many([HAND] * 2, "guobiao", flowers=make([2, None]))
    assert (none.total - none.points).tolist() == [2, 0]
    assert quepu.score_many([HAND] * 2, make(["guobiao", None])).errors[1].say("en").startswith("rules: a value is mis")


@pytest.mark.parametrize("kind", [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()], ids=str)
def test_missing_texts_of_arrow_may_have_bytes_of_their_own(kind: Any) -> None:
    """Arrow leaves open what stands where an entry is missing; slices begin anywhere."""
    hands = pyarrow.array([DRAGONS, HAND, HAND, DRAGONS, HAND])
    masked = pyarrow.compute.if_else(pyarrow.array([True, True, False, True, True]), hands, None).cast(kind)[1:]
    whole = pyarrow.LargeStringArray.from_buffers(
        5, *hands.cast(pyarrow.large_string()).buffers()[1:], pyarrow.py_buffer(b"\x1b"), 1
    )[1:]
    for some in (masked, whole, pyarrow.chunked_array([whole[:1], whole[1:]])):
        scores = quepu.score_many(some, "guobiao")
        assert list(scores.errors) == [1] and "missing" in scores.errors[1].say("en")
        assert scores.points[[0, 3]].tolist() == [quepu.score(HAND, "guobiao").points] * 2
        assert scores.points[[1, 2]].tolist() == [0, quepu.score(DRAGONS, "guobiao").points]


@pytest.mark.parametrize("code", ["u1", "i1", "u2", "i8", "u8", "f8"])
def test_whole_numbers_of_every_size(code: str) -> None:
    some = np.array([0, 2, 1, 8], code)
    scores = quepu.score_many([HAND] * 4, "guobiao", flowers=some, seat=np.array([27, 28, 29, 30], code))
    assert (scores.total - scores.points).tolist() == [0, 2, 1, 8]
    assert scores.points.tolist() == [quepu.score(HAND, "guobiao", seat=seat).points for seat in "ESWN"]
    if code not in ("f8", "u1", "i1", "u2"):
        wide = np.array([27, np.iinfo(code).max, np.iinfo(code).max - 1, np.iinfo(code).min or 31], code)
        assert list(quepu.score_many([HAND] * 4, "guobiao", seat=wide).errors) == [1, 2, 3]


def test_names_beside_many_empty_texts() -> None:
    named = ["", "", "妙手回春", "", "", "", "no such", "", "", "last tile draw"]
    for make in (np.array, pandas.Series, polars.Series, pyarrow.array):
        scores = quepu.score_many([HAND] * 10, "guobiao", self_draw=True, circumstances=make(named))
        assert list(scores.errors) == [6]
        assert scores.points[2] == scores.points[9] > scores.points[0] == scores.points[5] > 0


def test_mixed_types_are_errors_of_their_rows() -> None:
    hands = pandas.Series([HAND, 3, HAND, [], HAND], dtype=object)
    scores = quepu.score_many(hands, "guobiao", seat=pandas.Series(["E", "E", 28, "E", b"E"], dtype=object))
    assert list(scores.errors) == [1, 3, 4] and scores.points[2] == quepu.score(HAND, "guobiao", seat="S").points
    assert scores.errors[1].say("en") == "the hand should be text or a Hand, not int."
    assert scores.errors[4].say("en") == "seat: no wind \"b'E'\"; there are: E, S, W, N."
    frame = pandas.DataFrame({"hand": [HAND, HAND], "own": ["yes", True], "n": [2.0, 2.5]})
    mixed = quepu.score_many(frame.hand, "guobiao", self_draw=frame.own)
    assert mixed.errors[0].say("en") == "self_draw: it must be true or false, not 'yes'."
    assert list(quepu.score_many(frame.hand, "guobiao", flowers=frame.n).errors) == [1]


@makes
def test_an_unknown_rulebook_in_row_7(make: Callable[[list[Any]], Any]) -> None:
    rules = make(["guobiao"] * 7 + ["gobiao"] + ["guobiao"])
    scores = quepu.score_many([HAND] * 9, rules)
    assert list(scores.errors) == [7] and scores.points[[0, 8]].tolist() == [20, 20]
    assert scores.errors[7].say("en").startswith("rules: no rulebook 'gobiao'")
    with pytest.raises(quepu.HandError) as caught:
        quepu.score_many([HAND] * 9, rules, errors="raise")
    assert caught.value.say("en").startswith("1 of 9 rows have errors (counted from 0): row 7: rules: no rulebook")


@pytest.mark.parametrize("name", ["seat", "round", "self_draw", "circumstances", "flowers", "rules"])
@pytest.mark.parametrize("make", [pandas.Series, polars.Series, pyarrow.array])
def test_a_column_of_the_wrong_length_is_named(make: Callable[[list[Any]], Any], name: str) -> None:
    column = make([[]] * 3 if name == "circumstances" else [1] * 3)
    with pytest.raises(quepu.HandError, match=f"{name} 有 3 个，手牌有 2 手"):
        quepu.score_many([HAND] * 2, **{name: column})


@pytest.mark.parametrize("frame", [pandas.DataFrame, polars.DataFrame])
def test_an_empty_frame_gives_an_empty_frame(frame: Any) -> None:
    empty = frame({"hand": [], "seat": [], "rules": []})
    scores = quepu.score_many(empty["hand"], "guobiao", seat=empty["seat"])
    assert len(scores) == len(scores.to_pandas()) == len(scores.to_polars()) == scores.to_arrow().num_rows == 0
    several = quepu.score_many(empty["hand"], empty["rules"])
    assert len(several) == 0 and several.to_polars().schema["fans"] == polars.List(polars.String)


@pytest.mark.parametrize("frame", [pandas.DataFrame, polars.DataFrame])
def test_a_whole_frame_is_its_column_of_hands_or_a_sentence(frame: Any) -> None:
    assert quepu.score_many(frame({"hand": [HAND, DRAGONS]}), "guobiao").points.tolist() == [
        quepu.score(hand, "guobiao").points for hand in (HAND, DRAGONS)
    ]
    for function in (quepu.score_many, quepu.shanten_many):
        with pytest.raises(quepu.HandError) as caught:
            function(frame({"hand": [HAND], "seat": ["E"]}), "guobiao")
        assert caught.value.say("en").startswith("this is a frame with 2 columns: give its column of hands")


def test_a_whole_table_of_arrow_is_its_column_of_hands_or_a_sentence() -> None:
    makes: list[Callable[[Any], Any]] = [
        lambda table: table, lambda table: table.to_batches()[0], Streamed,
        lambda table: pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches()),
    ]  # fmt: skip
    one, two = pyarrow.table({"hand": [HAND, DRAGONS]}), pyarrow.table({"hand": [HAND], "seat": ["E"]})
    counts = pyarrow.table([[n] for n in quepu.parse(HAND).counts()], names=NAMES[:34])
    expected = [quepu.score(hand, "guobiao").points for hand in (HAND, DRAGONS)]
    for make in makes:
        assert quepu.score_many(make(one), "guobiao").points.tolist() == expected
        assert quepu.score_many(make(counts), "guobiao", winning=27).points.tolist() == expected[:1]
        for function in (quepu.score_many, quepu.shanten_many):
            with pytest.raises(quepu.HandError, match="有 2 列的表"):
                function(make(two), "guobiao")


class Streamed:
    """A table of a library that has nothing but the Arrow protocol, as a relation of DuckDB."""

    def __init__(self, table: Any) -> None:
        self.table, self.columns = table, table.column_names

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def test_a_frame_of_no_rows_has_all_columns() -> None:
    some = quepu.score_many([HAND], "guobiao").to_dict()
    assert list(quepu.score_many([], "guobiao").to_dict()) == list(some)
    assert list(quepu.score_many([], []).to_dict()) == list(some)


def test_a_message_of_many_thousand_rows_is_short() -> None:
    hands = ["12x"] * 20_000
    with pytest.raises(quepu.HandError) as caught:
        quepu.score_many(hands, "guobiao", errors="raise")
    for lang in ("zh", "en"):
        text = caught.value.say(lang)
        assert len(text) <= 2000
        assert f"{20_000 - MOST_SHOWN}" in text and "9" in text
    assert caught.value.at == 0
    long = quepu.score_many([HAND], "guobiao", seat=["x" * 10_000])
    with pytest.raises(quepu.HandError) as caught:
        quepu.score_many([HAND] * 20, "guobiao", seat=["x" * 10_000] * 20, errors="raise")
    assert len(caught.value.say("en")) <= 2000 and len(long.errors[0].say("en")) <= 200
    with pytest.raises(quepu.Error) as caught:
        quepu.score_many([HAND], "guobiao", seat={"x": ["y" * 10_000]})
    assert len(caught.value.say("en")) <= 200


@pytest.mark.parametrize("errors", ["ignore", None, True])
def test_errors_are_kept_or_raised(errors: Any) -> None:
    with pytest.raises(quepu.HandError, match="raise"):
        quepu.score_many([HAND], "guobiao", errors=errors)


# ---- answers as frames


def test_frames_of_every_library_say_the_same() -> None:
    hands = pandas.Series([HAND, "12x", "1122334455667m+7m", "19m19p19sESWNCFP+P"], index=[3, 1, 4, 15])
    scores = quepu.score_many(hands, "guobiao", seat="S")
    table = scores.to_pandas()
    assert table.index.tolist() == [3, 1, 4, 15]
    assert list(table) == ["rules", "valid", "points", "total", "can_win", "fans", "reading", "error"]
    assert table.points.tolist() == scores.points.tolist()
    assert isinstance(table.error[1], str) and "x" in table.error[1]
    plain = {name: list(column) for name, column in scores.to_dict().items()}
    assert scores.to_polars().to_dict(as_series=False) == plain == scores.to_arrow().to_pydict()
    for i in (0, 2, 3):
        one = quepu.score(hands.iloc[i], "guobiao", seat="S")
        assert plain["reading"][i] == one.best.text()
        assert sorted(plain["fans"][i]) == sorted(line.name for line in one.fans for _ in range(line.count))


def test_a_column_for_each_fan() -> None:
    scores = quepu.score_many([HAND, "1122334455667m+7m"], ["guobiao", "lingque-29"])
    for lang, name in (("zh", "清一色"), ("en", "Full Flush")):
        table = scores.to_pandas(fans="columns", lang=lang)
        assert table[name].tolist() == scores.fan(name).tolist() == [0, 1]
        assert len(table.columns) == 7 + len(scores.fan_names) == len(set(table.columns))
    assert list(scores.to_dict(fans=None, reading=False)) == ["rules", "valid", "points", "total", "can_win", "error"]
    few = quepu.score_many([HAND], "guobiao", fans=False, reading=False)
    assert list(few.to_dict()) == ["rules", "valid", "points", "total", "can_win", "error"]
    with pytest.raises(quepu.UnknownName):
        scores.to_dict(lang="fr")
    with pytest.raises(quepu.HandError, match="columns"):
        scores.to_dict(fans="wide")  # type: ignore[arg-type]


def test_a_row_of_counts_that_is_no_win_has_a_sentence_in_the_table() -> None:
    counts = np.array([quepu.parse(HAND).counts(), quepu.parse("123m456p789sCCEF+E").counts()])
    scores = quepu.score_many(counts, "guobiao")
    assert not scores.errors
    for some in (scores, quepu.score_many(counts, "guobiao", reading=False)):
        assert some.to_dict()["error"][0] is None and some.to_dict()["error"][1]
        with pytest.raises(quepu.HandError, match="第 1 行"):
            quepu.score_many(counts, "guobiao", errors="raise")


def test_libraries_of_frames_are_not_imported() -> None:
    import subprocess
    import sys

    code = f"import sys, quepu; quepu.score_many([{HAND!r}], seat=['S']).to_dict(); "
    code += "print({'pandas', 'polars', 'pyarrow'} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said.strip() == "set()"


def test_a_lazy_frame_is_told_to_be_collected() -> None:
    frame = polars.DataFrame({"hand": ["123m456p789sCCEE+E"]})
    with pytest.raises(HandError, match=r"\.collect\(\)"):
        quepu.score_many(frame.lazy(), "guobiao")  # type: ignore[arg-type]
    assert quepu.score_many(frame["hand"], "guobiao").valid.all()

"""A shape is one value: each of its parts is exercised, and none can be left out or be wrong unseen."""

import ast
import dataclasses
from pathlib import Path

import pytest

import quepu
from quepu.errors import Text
from quepu.hands.planes import HONOUR_TILES
from quepu.shapes import NOTHING, SHAPES, Shape, Whole, near_shapes, readings, register
from quepu.shapes.automaton import FAR
from quepu.tiles import kinds_of
from tests.books import SMALL
from tests.shape_parts import check
from tests.test_books import ALL_BOOKS

REGISTERED = dict(SHAPES)
SOURCES = Path(quepu.__file__).parent


@pytest.mark.parametrize(("hands", "far"), [(40, 8), pytest.param(200, 20, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", REGISTERED)
def test_every_part_of_a_shape(name, hands, far):
    check(REGISTERED[name], hands, far)


@pytest.mark.slow
@pytest.mark.parametrize("name", REGISTERED)
def test_every_part_of_a_shape_on_two_thousand_hands(name):
    check(REGISTERED[name], 2000, 200)


def test_every_shape_is_of_a_book_and_every_form_is_one():
    assert {name for rules in ALL_BOOKS for name in rules.shapes} == set(REGISTERED)
    forms = {}
    for shape in REGISTERED.values():
        assert forms.setdefault(shape.form, shape.words) == shape.words


# ---- a shape in one file: here it is


WHOLE = Whole(
    1 << 20, when=lambda h: (h.t1 == HONOUR_TILES) & (h.t2 == HONOUR_TILES) & (h.t3 == 0), pair=lambda h: h.t1
)
HONOURS = tuple(kinds_of(HONOUR_TILES))


def lacking(tiles):
    if tiles.need < 4:
        return FAR
    return 14 - (tiles.t1 & HONOUR_TILES).bit_count() - (tiles.t2 & HONOUR_TILES).bit_count()


TOY = Shape(
    name="toy",
    form=1 << 20,
    words=Text("大七星", "all honours in pairs"),
    read=WHOLE.read,
    waits=lambda h: (((h.t1 == HONOUR_TILES) & (h.t3 == 0)) * (HONOUR_TILES & ~h.t2) * _one(HONOUR_TILES & ~h.t2), 0),
    distance=lacking,
    sample=lambda rng: [(kind, kind) for kind in rng.sample(HONOURS, 7)],
    melds=0,
    kinds=(7, 7),
    may_win=lambda h: h.t1 == HONOUR_TILES,
    may_wait=lambda h: h.t1 == HONOUR_TILES,
    whole=WHOLE,
    tile_sets=lambda: iter([tuple(sorted(HONOURS * 2))]),
)


def _one(plane):
    return (plane != 0) & (plane & (plane - 1) == 0)


@pytest.fixture
def toy():
    forget()
    register(TOY)
    yield TOY
    del SHAPES[TOY.name]
    forget()


def forget():
    """What is remembered by the names of shapes, which change only here."""
    near_shapes.cache_clear()
    readings._candidates.cache_clear()


def test_a_new_shape_is_one_value(toy):
    check(toy)
    rules = dataclasses.replace(SMALL, id="with-toy", shapes=(*SMALL.shapes, toy.name))
    assert quepu.score("EESSWWNNCCFFP+P", rules).best.h.form == toy.form
    assert quepu.score_many(["EESSWWNNCCFFP+P"], rules).valid.all()
    (wait,) = quepu.waits("EESSWWNNCCFFP", rules).waits
    assert wait.tile == 33
    assert quepu.waits("EESSWWNNCCF1m9m", rules).missing == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"words": Text("", "")},
        {"read": lambda win: []},
        {"waits": lambda h: NOTHING},
        {"distance": lambda tiles: 3},
        {"nearer": lambda tiles: 0},
        {"at_least": lambda tiles: 14},
        {"sample": lambda rng: [(kind,) for kind in range(14)]},
        {"may_win": lambda h: h.t1 == 0},
        {"may_wait": lambda h: h.t1 == 0},
        {"kinds": (9, 9)},
        {"whole": dataclasses.replace(WHOLE, pair=lambda h: 0)},
        {"tile_sets": None},
        {"tile_sets": lambda: iter([HONOURS + HONOURS[:6] + (0,)])},
        {"form": 1 << 21},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_wrong_part_is_seen(toy, wrong):
    SHAPES[toy.name] = dataclasses.replace(toy, **wrong)
    forget()
    with pytest.raises(AssertionError):
        check(SHAPES[toy.name])


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(Shape) if f.default is dataclasses.MISSING])
def test_no_part_can_be_left_out(field):
    given = {f.name: getattr(TOY, f.name) for f in dataclasses.fields(Shape) if f.name != field}
    with pytest.raises(TypeError):
        Shape(**given)


def test_a_name_and_a_form_are_of_one_shape(toy):
    for taken in (toy, dataclasses.replace(toy, name="other"), dataclasses.replace(toy, name="two", form=3 << 20)):
        with pytest.raises(ValueError, match=r"form|there is"):
            register(taken)


def test_nobody_compares_names_of_shapes():
    """What differs from shape to shape is in the shape; a name is for looking it up."""
    found = []
    for path in SOURCES.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not any(f'"{name}"' in text for name in REGISTERED):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Compare):
                texts = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
                found += [f"{path.relative_to(SOURCES)}:{node.lineno}" for text in texts & set(REGISTERED)]
    assert [place for place in found if not place.startswith("cli/screen.py")] == []  # a terminal's colours

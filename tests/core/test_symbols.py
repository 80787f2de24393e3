"""Operations on symbols are those of Python on numbers, and what is said of their size and sign is so."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.test_books import random_planes

from quepu.errors import OverlayError
from quepu.hands import planes
from quepu.hands.planes import ALL_TILES, Condition, Planes, count
from quepu.rulebooks import book
from quepu.rules.compiled import compile_rows, source
from quepu.rules.row import EACH, Fan
from quepu.rules.symbols import Branching, Symbol, Symbols, conjuncts, is_truth, nodes, zero_without

OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@pytest.mark.parametrize("sign", OPERATIONS)
def test_known_numbers_are_worked_out_as_python_does(sign: str) -> None:
    symbols = Symbols()
    for a in (0, 1, 2, 3, 12):
        for b in (0, 1, 2, 3, 12):
            wanted = int(OPERATIONS[sign](a, b))
            for made in (
                OPERATIONS[sign](symbols.const(a), symbols.const(b)),
                OPERATIONS[sign](symbols.const(a), b),
                OPERATIONS[sign](a, symbols.const(b)),
            ):
                assert (made.op, made.args) == ("const", (wanted,)), (a, sign, b)


def test_what_is_empty_whatever_the_rest_is() -> None:
    h = Symbols().planes
    x, y = h.p, h.pair
    for made in (x & y, y & x, x * y, x << 3, x >> 3, count(x), (x & y) != 0, count(x) * 3, x * (y == 0), -count(x)):
        assert zero_without(made, x)
    for made in (x | y, x ^ y, x + y, ~x, x == 0, y << x, count(x) + 1, y >> x, (x & y) == 0, x != 1, y - x, y & 3):
        assert not zero_without(made, x)
    assert zero_without(x | (x & y), x) and zero_without(x == 1, x) and zero_without(x > 0, x)
    assert not zero_without(x >= 0, x) and not zero_without(x < 1, x)


def test_numbers_that_are_known_on_one_side() -> None:
    symbols = Symbols()
    x = symbols.planes.p
    for made in (x & 0, 0 & x, x * 0, 0 * x, 0 << x, 0 >> x):
        assert (made.op, made.args) == ("const", (0,))
    for made in (x | 0, x ^ 0, x + 0, x - 0, x << 0, x & 1, x * 1, 1 << x, x == 0, ~x):
        assert made.op != "const"
    assert (~symbols.const(5)).args == (-6,) and symbols.const(7).bit_count().args == (3,)
    assert (-symbols.const(5)).args == (-5,)


def test_truths_and_their_parts() -> None:
    h = Symbols().planes
    a, b, c = h.p != 0, count(h.c1 & h.c2) == 2, h.pair == 0
    assert all(map(is_truth, (a, b, c, a & b, a | b, (a | b) & c, a < 3)))
    assert not any(map(is_truth, (h.p, h.p & h.pair, a & h.p, a ^ b, a * b, a + b, True, 1, count(h.p))))
    assert [part.size for part in conjuncts(b & a & c & a)] == sorted(part.size for part in (a, b, c))
    assert {*map(id, conjuncts(b & (a & c)))} == {id(a), id(b), id(c)}
    for whole in (a | b, h.p & h.pair, a & h.p):
        assert [*map(id, conjuncts(whole))] == [id(whole)]
    listed = [*map(id, nodes([b, a]))]
    assert len(listed) == len(set(listed)) == 9 and listed.index(id(h.c1 & h.c2)) < listed.index(id(b)) < 7
    assert listed[-1] == id(a)
    assert (h.p & h.pair).size == 3 and count(h.p).size == 2 and h.p.size == 1 and ((h.p & h.pair) != 0).size == 5
    for ask in (bool, int, operator.index):
        with pytest.raises(Branching):
            ask(a)


# ---- sizes


def taken(when: Condition, **more: Any) -> bool:
    """Whether a book takes a fan with this condition."""
    try:
        book("guobiao-mcr").having(add=[Fan("新番", 5, "8番", "x", when, "new fan", **more)])
    except OverlayError as error:
        return "新番" not in error.say("zh")
    return True


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        (lambda h: ((h.form & 0xFFFF) << 47) > 0, lambda h: ((h.form & 0xFFFF) << 48) > 0),
        (lambda h: ((h.t1 & 1) << 62) > 0, lambda h: ((h.t1 & 1) << 63) > 0),
        (lambda h: ((h.t1 & 1) << 0) > 0, lambda h: ((h.t1 & 1) << 64) > 0),
        (lambda h: (h.p << 8) > 0, lambda h: (h.p << 9) > 0),
        (lambda h: (h.p * 256) > 0, lambda h: (h.p * 512) > 0),
        (lambda h: (h.p * (h.place & 255)) > 0, lambda h: (h.p * (h.place | 256)) > 0),
        (lambda h: ((h.p << 8) | (h.pair << 8)) > 0, lambda h: ((h.p << 8) + (h.pair << 8)) > 0),
        (lambda h: ((h.p << 8) ^ (h.pair << 8)) > 0, lambda h: ((h.p << 8) - (0 - (h.pair << 8))) > 0),
        (lambda h: (h.p + h.pair) > 0, lambda h: (h.p << 8) + (h.p << 8) == h.pair),
        (lambda h: ((h.p << 9) & 255) == 0, lambda h: ((h.p << 9) | 255) == 0),
        (lambda h: ((h.p & 255) << 55) > 0, lambda h: ((h.p & 256) << 55) > 0),
        (lambda h: (h.p << 8 >> 3) != 7, lambda h: (h.p << 9 >> 9) > 0),
        (lambda h: count((h.p << 8) & h.pair), lambda h: count(h.p << 9)),
        (lambda h: (h.p >> count(h.pair)) != 0, lambda h: (h.p << count(h.pair)) != 0),
        (lambda h: ((h.form << 47) & h.p) * 1 != 5, lambda h: (h.form << 47) * (h.form & 3) != 5),
        (lambda h: ~h.p != 5, lambda h: ~(h.p << 9) != 5),
        # what differs between planes, which no sample hand shows at its largest
        (lambda h: ((h.p & 255) ^ (h.pair & 255)) << 55 > 0, lambda h: ((h.p & 255) ^ (h.pair & 255)) << 56 > 0),
        (
            lambda h: (((h.p & 127) ^ (h.pair & 127)) << 55) + (((h.p & 127) ^ (h.pair & 127)) << 55) > 0,
            lambda h: (((h.p & 255) ^ (h.pair & 255)) << 55) + (((h.p & 255) ^ (h.pair & 255)) << 55) > 0,
        ),
        (lambda h: (h.p & 255) - (h.pair & 255) << 53 > 0, lambda h: (h.p & 255) - (h.pair & 255) << 55 > 0),
        (lambda h: ((h.p & 1) ^ (h.pair & 6)) << 60 > 0, lambda h: ((h.p & 1) ^ (h.pair & 8)) << 60 > 0),
    ],
)
def test_numbers_of_63_bits_are_the_largest(within: Condition, beyond: Condition) -> None:
    assert taken(within)
    assert not taken(beyond)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (lambda h: count(h.p) * (count(h.p) > 0), lambda h: (count(h.p) - 1) * (count(h.p) > 0)),
        (
            lambda h: (count(h.p) - count(h.k)) * (count(h.p) > count(h.k)),
            lambda h: (count(h.p) - count(h.k)) * (count(h.p) < count(h.k)),
        ),
        (
            lambda h: (count(h.p) - count(h.k)) * (count(h.k) <= count(h.p)),
            lambda h: (count(h.p) - count(h.k)) * (count(h.k) >= count(h.p)),
        ),
        (
            lambda h: (count(h.k) < count(h.p)) * (count(h.p) - count(h.k)),
            lambda h: (count(h.p) == count(h.k)) * (count(h.p) - count(h.k)),
        ),
        (
            lambda h: (count(h.p) - 2) * ((count(h.p) - 2) > 0),
            lambda h: (count(h.p) - 2) * ((count(h.p) - 2) > -1 - count(h.k)),
        ),
        (
            lambda h: (count(h.p) - 2) * ((count(h.p) - 2) >= 0),
            lambda h: (count(h.p) - 2) * ((count(h.p) - 2) >= -1),
        ),
        (lambda h: count(h.p) + 3, lambda h: count(h.p) - 3),
        (lambda h: (0 - count(h.p)) & 3, lambda h: (0 - count(h.p)) & -1),
        (lambda h: count(h.p) | 1, lambda h: count(h.p) | (0 - 1)),
        (lambda h: count(h.p) ^ 1, lambda h: ~count(h.p)),
    ],
)
def test_a_number_of_times_is_not_below_nought(good: Condition, bad: Condition) -> None:
    assert taken(good)
    assert not taken(bad)


@pytest.mark.parametrize(
    ("tiles", "others"),
    [
        (lambda h: h.p, lambda h: h.form),
        (lambda h: h.p & h.form, lambda h: h.p | h.form),
        (lambda h: (h.p & planes.LANE) << 32, lambda h: (h.p & planes.LANE) << 33),
        (lambda h: (h.p & planes.LANE << 32) >> 32, lambda h: h.p >> 1),
        (lambda h: (h.p << 1) & ALL_TILES, lambda h: (h.p << 1) & (ALL_TILES | 1 << 9)),
        (lambda h: h.p * (h.pair != 0), lambda h: h.p * 2),
        (lambda h: (h.pair != 0) * h.p, lambda h: 3 * h.p),
        (lambda h: h.p ^ h.pair, lambda h: h.p + h.pair),
        (lambda h: ~h.p & ALL_TILES, lambda h: ~h.p),
    ],
)
def test_places_are_tiles_on_both_sides(tiles: Condition, others: Condition) -> None:
    assert taken(tiles, of=EACH, most=9)
    assert not taken(others, of=EACH, most=9)


# ---- written out


class Counting(int):
    """A plane that counts what is done with it."""

    done = 0


def _counted(name: str) -> Callable[..., Any]:
    def do(self: Counting, *others: int) -> Any:
        Counting.done += 1
        return Counting(getattr(int, name)(int(self), *map(int, others)))

    return do


for _name in ("and", "rand", "or", "ror", "xor", "lshift", "rshift", "add", "radd", "sub", "mul", "ne", "eq", "gt"):
    setattr(Counting, f"__{_name}__", _counted(f"__{_name}__"))
Counting.bit_count = _counted("bit_count")  # type: ignore[method-assign]
Counting.__hash__ = int.__hash__  # type: ignore[method-assign]


def work(conditions: list[tuple[int, Condition]], **held: int) -> tuple[list[tuple[int, int]], int]:
    """Run the function written for these conditions on a hand; return what holds, and how many operations it took."""
    h = Planes(*(Counting(held.get(name, 0)) for name in Planes._fields))
    detect = compile_rows(conditions)
    Counting.done = 0
    found = sorted(detect(h))
    done = Counting.done
    assert found == [(i, int(n)) for i, when in conditions if (n := when(h))]
    return found, done


def test_shared_parts_are_worked_out_once() -> None:
    def chain(h: Planes) -> Any:
        x = h.t1
        for step in range(1, 9):
            x = x & h.t1 << step
        return x

    alone = work([(0, lambda h: chain(h) == 3)], t1=ALL_TILES)[1]
    both = work([(0, lambda h: chain(h) == 3), (1, lambda h: chain(h) == 5)], t1=ALL_TILES)[1]
    twice = work([(0, lambda h: count(chain(h)) * 100 + count(chain(h)))], t1=ALL_TILES)[1]
    assert alone == 17 and both == alone + 1
    assert twice <= alone + 4


def test_a_row_stops_at_the_first_part_that_fails() -> None:
    def dear(h: Planes) -> Any:
        x = h.t1
        for step in range(1, 9):
            x = x ^ h.t1 << step
        return x

    conditions: list[tuple[int, Condition]] = [(0, lambda h: (dear(h) != 5) & (h.pair == 7))]
    assert work(conditions, t1=7, pair=3) == ([], 1)  # the small part is asked first
    assert work(conditions, t1=7, pair=7)[1] > 16
    number: list[tuple[int, Condition]] = [(0, lambda h: (h.pair == 7) * count(dear(h)))]
    assert work(number, t1=7, pair=3) == ([], 1)
    assert work(number, t1=7, pair=7)[0][0][0] == 0


def test_rows_that_read_an_empty_plane_are_skipped() -> None:
    conditions: list[tuple[int, Condition]] = [
        (0, lambda h: (h.k & h.t1 << 1 | h.k & h.t1 << 2) != 0),
        (1, lambda h: count(h.k) == 2),
        (2, lambda h: count(h.k) * 2),
        (3, lambda h: h.k != 0),
    ]
    assert work(conditions, t1=ALL_TILES)[1] == 0  # without a kong nothing is worked out
    found, done = work(conditions, t1=ALL_TILES, k=6)
    assert [row for row, _ in found] == [0, 1, 2, 3] and 0 < done < 12
    text, _ = source(conditions)
    assert text.count("    if k:") == 1
    single, _ = source(conditions[:1])
    assert "if k:" not in single  # one row is not worth a question of its own


def test_large_rows_that_need_the_same_part_are_skipped_where_it_is_empty() -> None:
    def large(h: Planes, by: int) -> Any:
        x = h.t1 & h.t2
        for step in range(1, 12):
            x = x & (h.t3 | h.t4 << step + by)
        return x

    conditions: list[tuple[int, Condition]] = [(i, lambda h, i=i: large(h, i) != 0) for i in range(4)]  # type: ignore[misc]
    assert work(conditions, t1=5, t2=2, t3=7, t4=7)[1] <= 8
    assert work(conditions, t1=7, t2=7, t3=7, t4=7)[1] > 40


def test_rows_that_need_the_same_truth_are_asked_it_once() -> None:
    conditions: list[tuple[int, Condition]] = [
        (i, lambda h, i=i: ((h.form | h.luck) == 3) & ((h.t1 ^ h.t2 << i) == i) & ((h.t3 ^ h.t4 << i) == i))  # type: ignore[misc]
        for i in range(5)
    ]
    assert work(conditions, form=4)[1] == 2
    assert work(conditions, form=1, luck=2)[0] == [(0, 1)]


def test_any_conditions_are_written_as_they_are() -> None:
    rng = random.Random(20261129)
    names = ("c1", "p", "k", "t1", "t2", "pair", "luck", "form")

    def number(deep: int) -> Callable[[Planes], Any]:
        if deep == 0:
            name = rng.choice(names)
            return lambda h: getattr(h, name)
        a, b = number(deep - 1), number(deep - 1)
        kind = rng.randrange(6)
        if kind == 0:
            return lambda h: a(h) & b(h)
        if kind == 1:
            return lambda h: a(h) | b(h)
        if kind == 2:
            return lambda h: (a(h) >> 1) ^ b(h)
        if kind == 3:
            return lambda h: ~a(h) & b(h)
        if kind == 4:
            return lambda h: (count(a(h)) - 3) & 15
        return lambda h: (a(h) == 0) * b(h)

    def truth(deep: int) -> Callable[[Planes], Any]:
        a, b = number(deep), number(max(0, deep - 1))
        return rng.choice([lambda h: (a(h) != 0) & (b(h) != 0), lambda h: a(h) == b(h), lambda h: (a(h) & b(h)) != 0])

    hands, _ = random_planes(25, seed=3)
    sparse = [h._replace(**dict.fromkeys(rng.sample(names, 4), 0)) for h in hands]
    for _ in range(40):
        shared = truth(2)
        conditions: list[tuple[int, Condition]] = []
        for row in range(rng.randrange(2, 9)):
            made = rng.choice([truth, number])(rng.randrange(1, 4))
            conditions.append(
                (row, (lambda h, made=made, shared=shared: shared(h) & made(h)) if rng.random() < 0.5 else made)
            )  # type: ignore[misc]
        detect = compile_rows(conditions)
        for h in (*hands, *sparse):
            assert sorted(detect(h)) == [(i, int(n)) for i, when in conditions if (n := when(h))]


def test_equal_expressions_are_one_object() -> None:
    h = Symbols().planes
    assert isinstance(h.p & h.pair, Symbol) and (h.p & h.pair) is (h.p & h.pair)
    assert (h.p & h.pair) is not (h.pair & h.p) and (h.p & 1) is not (h.p & 2)

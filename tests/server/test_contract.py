"""Python and TypeScript agree about what goes over the wire, and every name can be searched by pinyin."""

from pathlib import Path

import pytest

import quepu
from quepu.rulebooks import book_ids
from quepu.schema import Schema
from quepu.server.hands.messages import Named
from quepu.server.http.guard import RateLimit
from quepu.server.http.rendering import pinyin
from quepu.server.protocol_tables import fill_document
from quepu.server.typescript import types

PROTOCOL = Path(__file__).parents[2] / "docs" / "reference" / "protocol.md"
CLIENT = Path(__file__).parents[2] / "web" / "src" / "lib" / "types.ts"


def test_the_clients_types_are_generated_from_the_servers():
    assert CLIENT.read_text(encoding="utf-8") == types(), (
        "run: python -m quepu.server.typescript > web/src/lib/types.ts"
    )


def test_a_fan_has_one_shape():
    """Messages that always have both names of a fan or circumstance add to `Named`."""
    shapes = [Schema]
    for shape in shapes:
        shapes += [one for one in shape.__subclasses__() if one not in shapes]
    both = [
        shape
        for shape in shapes
        if {"name", "english"} <= {name for name, field in shape.model_fields.items() if field.is_required()}
    ]
    assert Named in both and len(both) > 6
    assert [shape.__name__ for shape in both if not issubclass(shape, Named)] == []


def test_the_protocols_tables_are_generated_from_the_messages():
    text = PROTOCOL.read_text(encoding="utf-8")
    assert text == fill_document(text), "run: python -m quepu.server.protocol_tables docs/reference/protocol.md"


@pytest.mark.parametrize(
    ("name", "letters"), [("三色同顺", "san-se-tong-shun"), ("碰碰和", "peng-peng-hu"), ("不求人", "bu-qiu-ren")]
)
def test_pinyin(name, letters):
    assert pinyin(name) == letters


def test_every_fan_can_be_searched_by_pinyin():
    for name in book_ids():
        book = quepu.book(name)
        for fan in book.fans:
            for term in (fan.name, *fan.aliases):
                assert not [c for c in pinyin(term) if "一" <= c <= "鿿"], (book.id, term)


def test_a_bucket_refills_at_its_rate():
    now = [0.0]
    limit = RateLimit(None, rate=2, burst=2, clock=lambda: now[0], most=2)
    assert [limit.wait("a"), limit.wait("a")] == [0, 0]
    assert limit.wait("a") == pytest.approx(0.5)
    now[0] = 0.5
    assert limit.wait("a") == 0
    limit.wait("b"), limit.wait("c")
    assert len(limit.buckets) == 2

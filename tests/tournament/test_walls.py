"""The same walls at all tables: what was committed to before the round is what is shown after it."""

import json

import pytest

from quepu.table.wall import WallError
from quepu.tiles import PLAIN
from quepu.tournament.walls import commitment_to, verify_walls, wall_file

SECRET = "5" * 64


@pytest.mark.parametrize("flowers", [False, True])
def test_walls_follow_from_their_secret(flowers):
    made = wall_file("杯", 2, SECRET, 5, PLAIN.with_flowers(flowers))
    assert verify_walls(json.loads(json.dumps(made))) == 5
    assert len({one["wall"] for one in made["walls"]}) == 5
    assert made["commitment"] == commitment_to(SECRET)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d.update(secret="6" * 64), "与开轮前的承诺不符"),
        (lambda d: d.pop("secret"), "还没有揭示"),
        (lambda d: d["walls"].reverse(), "第 1 副"),
        (lambda d: d["walls"][1].update(dice=[1, 2, 3, 9]), "骰子|第 2 副"),
        (lambda d: d["walls"][1].pop("wall"), "第 2 副"),
        (lambda d: d.update(walls=[]), "没有密数或牌墙"),
    ],
)
def test_other_walls_are_found_out(change, sentence):
    made = wall_file("杯", 1, SECRET, 3, PLAIN)
    change(made)
    with pytest.raises(WallError, match=sentence):
        verify_walls(made)

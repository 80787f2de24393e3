"""Many threads of one process score at once from its first moment: each gets what one thread alone gets."""

import json
import subprocess
import sys
import threading

import pytest

from quepu.hands import suit_tables

SCORED = """
import json, random, sys, threading
sys.setswitchinterval(1e-4)
import quepu
from quepu.errors import Error

THREADS = int(sys.argv[1])
rng = random.Random(7)


def hand():
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + list("ESWNCFP")
    parts = []
    for _ in range(4):
        if rng.random() < 0.6:
            suit, start = rng.choice("mps"), rng.randrange(1, 8)
            parts.append([f"{start + i}{suit}" for i in range(3)])
        else:
            parts.append([rng.choice(kinds)] * 3)
    parts.append([rng.choice(kinds)] * 2)
    tiles = [tile for part in parts for tile in part]
    return tiles if max(map(tiles.count, tiles)) <= 4 else hand()


books = ("lingque-29", "yuque-54", "guobiao-mcr", "canton")
hands = [hand() for _ in range(24)]
given = [(books[i % 4], "".join(one[:-1]) + "+" + one[-1]) for i, one in enumerate(hands)]
found = [None] * len(given)


def score(i):
    book, text = given[i]
    try:
        waits = quepu.waits(text.partition("+")[0], book).waits
        choices = quepu.discards(text.replace("+", ""), book)
        found[i] = [quepu.score(text, book).points, [str(one) for one in (*waits, *choices)]]
    except Error as error:
        found[i] = [str(error)]


def some(first):
    for i in range(first, len(given), THREADS):
        score(i)


threads = [threading.Thread(target=some, args=(n,)) for n in range(THREADS)]
for one in threads:
    one.start()
for one in threads:
    one.join()
json.dump(found, sys.stdout)
"""


def scored(threads: int) -> list[list[object]]:
    done = subprocess.run([sys.executable, "-c", SCORED, str(threads)], capture_output=True, text=True, check=True)
    assert not done.stderr
    return json.loads(done.stdout)


def test_eight_threads_score_as_one_does():
    alone = scored(1)
    assert len([one for one in alone if len(one) == 2]) > 12  # the others may not win
    assert scored(8) == alone


@pytest.mark.parametrize("ranks", [7, 9])
def test_a_key_read_while_all_are_made_is_not_empty(ranks, monkeypatch):
    keys = [3 * 5**rank for rank in range(7)]  # a pung of each rank
    name = "suit_splits" if ranks == 9 else "honour_splits"
    whole = getattr(suit_tables, name)()
    apart = suit_tables._Apart(ranks)
    before = {key: apart[key] for key in keys[:3]}
    for key in range(1_000_000, 1_000_000 + suit_tables._FEW - len(before)):  # the last few before all are made
        assert apart[key] == whole.get(key, ())
    seen = {}

    def made():
        monkeypatch.setattr(suit_tables, name, lambda: whole)
        reader = threading.Thread(target=lambda: seen.update({key: apart[key] for key in keys}))
        reader.start()
        reader.join()
        return whole

    monkeypatch.setattr(suit_tables, name, made)
    assert apart[4] == whole.get(4, ())
    assert seen == {key: whole[key] for key in keys}
    assert before == {key: whole[key] for key in keys[:3]}
    assert dict(apart) == whole
    assert apart.__missing__(keys[0]) == whole[keys[0]]  # was looked for before all were there, and is looked at after

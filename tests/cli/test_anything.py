"""Whatever is typed or sent, the answer is a result or a sentence."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quepu.cli import run
from quepu.hands.notation import write
from quepu.json_lines.answers import score_lines, score_object
from quepu.rulebooks import book, book_ids
from quepu.rules.row import words
from quepu.scoring.samples import wins
from tests.strategies import hands

NAMES = words(
    "天和 地和 人和 岭上开花 杠上开花 海底捞月 河底捞鱼 抢杠 抢杠和 和绝张 生张 自摸 天听 八仙过海 七抢一 流局十番 x"
)
OPTIONS = words(
    "score waits fans diff --rules -r -s -z --with -w --flowers -f --json -x --seen --all --help --lang en --tiles"
    " ascii N 北 guobiao canton 春 3 -- -"
)
TEXTS = st.one_of(st.text("123456789mpsESWNCFP()[]+ 一万东\x00\ud800é", max_size=24), hands().map(write))
WINS = st.integers(0, 100_000).map(lambda seed: write(next(iter(wins(book("canton"), 1, seed)))))
WORDS = st.one_of(TEXTS, WINS, st.sampled_from(["", *OPTIONS, *NAMES]))
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, st.sampled_from(NAMES)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)
REQUESTS = st.fixed_dictionaries(
    {"hand": st.one_of(WINS, WINS, TEXTS, ANYTHING)},
    optional={
        "rules": st.one_of(st.sampled_from(book_ids()), ANYTHING),
        "seat": st.one_of(st.sampled_from("ESWN"), ANYTHING),
        "round": st.one_of(st.sampled_from("ESWN"), ANYTHING),
        "self_draw": st.one_of(st.booleans(), ANYTHING),
        "circumstances": st.one_of(st.lists(st.sampled_from(NAMES), max_size=3), ANYTHING),
        "flowers": st.one_of(st.integers(-1, 9), st.lists(st.sampled_from("春夏秋冬梅兰竹菊"), max_size=8), ANYTHING),
    },
)


def check_words(typed: list[str]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr("sys.stdin", io.StringIO())
        code = run(typed)
    assert code in (0, 2), (typed, err.getvalue())
    assert "Traceback" not in err.getvalue()
    if code == 2:
        assert err.getvalue().strip()


def check_request(request: Any) -> None:
    answer = score_object(request, explain=True)
    if answer["valid"]:
        assert answer["total"] >= answer["points"]
    else:
        assert set(answer) == {"valid", "error", "at"}
        assert answer["error"]
    json.dumps(answer)


@given(st.sampled_from(["score", "waits", "fans", "diff"]), st.lists(WORDS, max_size=6))
@settings(max_examples=150, deadline=None)
def test_any_words(command: str, typed: list[str]) -> None:
    check_words([command, *typed])


@pytest.mark.long
@given(st.one_of(REQUESTS, ANYTHING))
@settings(max_examples=300, deadline=None)
def test_any_request(request: Any) -> None:
    check_request(request)


@given(st.lists(st.text(max_size=30), max_size=5))
@settings(max_examples=100, deadline=None)
def test_any_lines(lines: list[str]) -> None:
    for answer in score_lines(lines):
        assert json.loads(answer)["valid"] in (True, False)


@pytest.mark.slow
@given(st.sampled_from(["score", "waits", "fans", "diff"]), st.lists(WORDS, max_size=6))
@settings(max_examples=5_000, deadline=None)
def test_many_words(command: str, typed: list[str]) -> None:
    check_words([command, *typed])


@pytest.mark.slow
@given(st.one_of(REQUESTS, ANYTHING))
@settings(max_examples=30_000, deadline=None)
def test_many_requests(request: Any) -> None:
    check_request(request)

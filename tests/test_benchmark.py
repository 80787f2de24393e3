"""The benchmark: questions from a seed, contestants that answer, fail or die, runs that are resumed."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.benchmark.contestants import Unanswered, find_entrant
from quepu.benchmark.questions import Sizes, choose_cases, is_right, readable, sentences, task_names
from quepu.benchmark.running import ANSWERS, GIVE_UP, REPORT, Benchmark
from quepu.errors import HandError, UnknownName

BOOKS = ("lingque-29", "yuque-54")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_LANG", "en")


SMALL = Sizes(seed=3, cases=12, walls=3)

SCORER = """\
import json, sys
import quepu
for number, line in enumerate(sys.stdin):
    told = json.loads(line)
    if "begin" in told:
        assert told["begin"]["text"]
        continue
    question = told["ask"]
    open({log!r}, "a").write(question.get("id", "?") + "\\n")
    {extra}
    try:
        settings = {{key: question[key] for key in ("seat", "round", "self_draw", "circumstances", "flowers")}}
        answer = {{"points": quepu.score(question["hand"], question["rules"], **settings).points}}
    except quepu.Error:
        answer = {{"valid": False}}
    print(json.dumps(answer), flush=True)
"""


def program(folder: Path, extra: str = "pass") -> tuple[str, Path]:
    """Write a program that scores by quepu; return its name as a contestant, and the file of questions it got."""
    log = folder / "asked.txt"
    path = folder / f"program{len(list(folder.glob('program*')))}.py"
    path.write_text(SCORER.format(log=str(log), extra=extra), encoding="utf-8")
    return f"exec:{sys.executable} {path}", log


def report(*names: str, tasks: str = "read", sizes: Sizes = SMALL, folder: str = "", patience: float = 60) -> Any:
    made = Benchmark(sizes, task_names(tasks), [find_entrant(name, patience) for name in names], folder)
    made.run(lambda _: None)
    return made.report()


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_text_has_every_sentence_and_no_hand_that_is_asked(name: str, lang: str) -> None:
    book = quepu.book(name)
    text = sentences(book, lang)
    assert all(fan.in_words(lang) in text for fan in book.fans)
    assert all(ruling.answer.say(lang) in text for ruling in book.rulings)
    assert [case.id for case in readable(book) if case.request["hand"] in text] == []


@pytest.mark.parametrize("name", BOOKS)
def test_only_the_points_of_the_book_are_right(name: str) -> None:
    for case in readable(quepu.book(name)):
        points = case.expect.get("points")
        assert is_right(case, {"points": points} if case.expect["valid"] else {"valid": False})
        for wrong in ({"points": (points or 0) + 1}, {}, {"points": str(points)}, {"points": True}, {"points": None}):
            assert not is_right(case, wrong)
        assert is_right(case, {"valid": False}) is not case.expect["valid"]


def test_a_seed_gives_the_same_questions_and_another_seed_others() -> None:
    book = quepu.book("lingque-29")
    chosen = [[case.id for case in choose_cases(book, SMALL._replace(seed=seed))] for seed in (3, 3, 4)]
    assert chosen[0] == chosen[1] != chosen[2]
    assert len(set(chosen[0])) == SMALL.cases
    every = choose_cases(book, SMALL._replace(cases=10_000))
    assert {case.id for case in every} == {case.id for case in readable(book)}


def test_quepu_reads_every_case_and_the_baselines_few() -> None:
    rows = {row["contestant"]: row for row in report("quepu", "sum", "random", sizes=Sizes(books=BOOKS[:1]))["rows"]}
    assert rows["quepu"]["cases"] == rows["quepu"]["of"] == 60
    assert rows["random"]["high"] < rows["quepu"]["low"]
    assert rows["sum"]["high"] < rows["quepu"]["low"]


def test_a_command_is_asked_every_question_once_and_resumed(tmp_path: Path) -> None:
    name, log = program(tmp_path)
    folder = str(tmp_path / "run")
    first = report(name, folder=folder)
    asked = log.read_text().split()
    assert len(asked) == len(set(asked)) == 24
    assert [(row["cases"], row["unanswered"]) for row in first["rows"]] == [(12, 0), (12, 0)]
    answers = tmp_path / "run" / ANSWERS
    lines = answers.read_text(encoding="utf-8").splitlines(keepends=True)
    answers.write_text("".join(lines[:10]) + lines[10][:20], encoding="utf-8")  # killed while it wrote
    assert report(name, folder=folder) == first
    assert log.read_text().split()[24:] == asked[9:]
    assert json.loads((tmp_path / "run" / REPORT).read_text(encoding="utf-8")) == first
    with pytest.raises(HandError, match="another benchmark"):
        report(name, folder=folder, sizes=SMALL._replace(seed=4))
    answers.write_text("".join(lines[:3]) + "[]\n", encoding="utf-8")
    with pytest.raises(HandError, match="line 4"):
        report(name, folder=folder)


@pytest.mark.parametrize(
    ("extra", "why"),
    [
        ("import time; time.sleep(60 if number == 3 else 0)", "no answer within 3 seconds."),
        ("if number == 3: sys.exit()", "the command has ended."),
        ("if number == 3: print('hello', flush=True); continue", "the answer is not a JSON object: hello"),
        ("if number == 3: print('[1]', flush=True); continue", "the answer is not a JSON object: [1]"),
    ],
)
def test_a_question_without_an_answer_is_wrong_and_the_next_is_asked(tmp_path: Path, extra: str, why: str) -> None:
    """A restarted program gets the book and its third question again: all others are answered."""
    name, _ = program(tmp_path, extra)
    made = report(name, sizes=SMALL._replace(books=BOOKS[:1], cases=4), patience=3)
    (row,) = made["rows"]
    assert (row["cases"], row["of"], row["unanswered"]) == (3, 4, 1)
    assert [(one["count"], one["why"]["en"]) for one in made["failures"]] == [(1, why)]


def test_a_dead_command_is_not_asked_for_ever_and_all_counts_as_wrong(tmp_path: Path) -> None:
    name, log = program(tmp_path, "sys.exit()")
    folder = str(tmp_path / "run")
    made = report(name, folder=folder)
    assert [(row["cases"], row["unanswered"]) for row in made["rows"]] == [(0, 12), (0, 12)]
    assert len(log.read_text().split()) == 2 * GIVE_UP
    counts = {one["why"]["en"]: one["count"] for one in made["failures"]}
    assert counts == {
        "the command has ended.": 2 * GIVE_UP,
        "not asked any more after 5 without an answer in a row.": 24 - 2 * GIVE_UP,
    }
    report(name, folder=folder)
    assert len(log.read_text().split()) == 4 * GIVE_UP, "those that were not asked are asked when it is resumed"


@pytest.fixture
def address() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path == "/broken":
                self.send_error(500)
                return
            text = "{}" if "begin" in told else json.dumps(find_entrant("quepu", 1).contestant.ask(told["ask"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text.encode() if self.path == "/" else b"<html>")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_an_address_is_asked_like_a_command(address: str) -> None:
    made = report(f"{address}/", f"{address}/broken", f"{address}/page", sizes=SMALL._replace(books=BOOKS[:1]))
    assert [row["cases"] for row in made["rows"]] == [12, 0, 0]
    whys = {one["why"]["en"] for one in made["failures"]}
    assert {"the address answered HTTP 500.", "the answer is not a JSON object: <html>"} <= whys
    gone = find_entrant("http://127.0.0.1:9/", 5).contestant
    gone.begin({})
    with pytest.raises(Unanswered, match="cannot be reached"):
        gone.ask({})


def test_all_contestants_discard_on_the_same_walls() -> None:
    names = ("random", "plain", "closed")
    made = Benchmark(SMALL, ("discard",), [find_entrant(name, 5) for name in names])
    made.run(lambda _: None)
    anchors = [
        {(row["rules"], row["id"]): row["anchor"] for row in made.answers.rows.values() if row["contestant"] == name}
        for name in names
    ]
    assert anchors[0] == anchors[1] == anchors[2]
    assert len(anchors[0]) == 2 * SMALL.walls
    rows = made.report()["rows"]
    assert all(row["asked"] > 0 and row["unanswered"] == 0 for row in rows)
    again = Benchmark(SMALL, ("discard",), [find_entrant(name, 5) for name in names])
    again.run(lambda _: None)
    assert again.report()["rows"] == rows


def test_a_discard_that_is_not_offered_counts_as_unanswered(tmp_path: Path) -> None:
    path = tmp_path / "nine.py"
    path.write_text('for line in open(0):\n    if \'"ask"\' in line: print(\'{"tile": "9z"}\', flush=True)\n')
    sizes = SMALL._replace(books=BOOKS[:1], walls=1)
    made = report(f"exec:{sys.executable} {path}", tasks="discard", sizes=sizes)
    (row,) = made["rows"]
    assert row["unanswered"] == row["asked"] > 0
    assert made["failures"][0]["why"]["en"] == "'9z' is not one of the tiles to discard."


def test_what_cannot_be_run_is_refused() -> None:
    for name in ("gan", "ftp://x", "", "plain,gain"):
        with pytest.raises(UnknownName):
            find_entrant(name, 5)
    with pytest.raises(HandError, match="no-such-program"):
        find_entrant("exec:no-such-program", 5)
    with pytest.raises(HandError, match="none of these contestants"):
        report("quepu", tasks="discard")
    for tasks in ("", "read,play"):
        with pytest.raises(UnknownName):
            task_names(tasks)
    for books in (("lingque", "lingque-29"), ("guobiao", "guobiao")):
        with pytest.raises(HandError, match="named twice"):
            report("quepu", sizes=SMALL._replace(books=books))

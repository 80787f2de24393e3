"""`quepu verify`: a verdict on a log, which never depends on today's rules being those of then."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from quepu.cli import main
from quepu.match.log import chain_hash
from tests.golden.test_logs import FOLDERS
from tests.match import botzone_writer, foreign_writers
from tests.match.test_foreign import HANDS

LOGS = FOLDERS[0] / "logs"


def written(tmp_path: Path, name: str, **header: object) -> str:
    """A golden log as a file, with other words in its header and its hashes mended."""
    lines = gzip.decompress((LOGS / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    made, last = [], 0
    for n, line in enumerate(lines):
        data = {key: value for key, value in json.loads(line).items() if key != "h"}
        if not n:
            data |= header
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))[:-1]
        last = chain_hash(last, text)
        made.append(f'{text},"h":{last}}}')
    path = tmp_path / f"{name}.jsonl"
    path.write_text("\n".join(made) + "\n", "utf-8")
    return str(path)


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["verify", *words])
    return int(ended.value.code or 0)


def verified(capsys: pytest.CaptureFixture[str], path: str, code: int) -> dict[str, Any]:
    capsys.readouterr()
    assert run(path, "--json") == code
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return printed


def test_an_old_log_is_true_by_its_own_revision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = verified(capsys, written(tmp_path, "guobiao"), 0)
    assert verdict["verdict"] in ("same", "differs")
    assert verdict["problems"] == verdict["notes"] == []
    assert verdict["revision"] == 1


def test_what_scores_otherwise_today_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from quepu.rulebooks import book

    today = book("guobiao").having(values={fan.name: fan.value + 1 for fan in book("guobiao").fans})
    monkeypatch.setattr("quepu.cli.verify._today", lambda _: today)
    path = written(tmp_path, "guobiao")
    verdict = verified(capsys, path, 0)
    assert verdict["verdict"] == "differs"
    assert all(one["now"] > one["then"] for one in verdict["today"])
    assert run(path) == 0
    first = verdict["today"][0]
    assert f"今天计 {first['now']}，当时 {first['then']}" in capsys.readouterr().out


def test_a_book_that_is_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = verified(capsys, written(tmp_path, "guobiao", rules="gone", title=["旧谱", "Old"]), 0)
    assert verdict["rules"] == "gone"
    assert verdict["notes"]
    assert verdict["totals"] == verified(capsys, written(tmp_path, "guobiao"), 0)["totals"]


def test_what_its_own_rules_do_not_lead_to_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from quepu.rulebooks import book

    rules = book("guobiao@1")
    own = {"log": 2, "revision": 1, "fingerprint": rules.fingerprint}
    assert verified(capsys, written(tmp_path, "guobiao", **own), 0)["problems"] == []
    verdict = verified(capsys, written(tmp_path, "guobiao", **own, seed=1), 1)
    assert verdict["verdict"] == "damaged"
    assert run(written(tmp_path, "guobiao", **own, seed=1)) == 1
    assert "不符" in capsys.readouterr().out


@pytest.mark.parametrize("source", ["botzone", "mjai", "tziakcha"])
def test_a_record_of_another_program_is_told_from_a_broken_log(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`quepu replay` reads it; what verify checks are logs of quepu."""
    table = HANDS[0]
    text = {
        "botzone": lambda: json.dumps(botzone_writer.record(table, 0)),
        "mjai": lambda: "\n".join(foreign_writers.mjai([table], list("甲乙丙丁"))),
        "tziakcha": lambda: json.dumps({"step": foreign_writers.tziakcha(table, 0, list("甲乙丙丁"))}),
    }[source]()
    path = tmp_path / "record"
    path.write_text(text, "utf-8")
    assert run(str(path), "--lang", "en") == 2
    assert f"is a {source} record; only quepu's own logs can be verified" in capsys.readouterr().err
    path.write_text('{"a": 1}\n', "utf-8")
    assert run(str(path), "--lang", "en") == 2
    assert "line 1" in capsys.readouterr().err

"""Files of `quepu match` by every earlier version: read, worth what they came to, and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quepu.scorekeeper.ledger import fold
from quepu.scorekeeper.records import HandRecord, TableFile
from quepu.server.score_tables.working import open_file

FILES = sorted(Path(__file__).parent.glob("*/table.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_score_file_of_then_is_worth_what_it_was(path: Path) -> None:
    """Hands that were entered event by event, and one that was left in the middle, under whatever keys."""
    file = TableFile.model_validate_json(path.read_bytes())
    ledger = fold(file.spec, file.records)
    assert list(ledger.match.totals) == file.totals
    entered = [record for record in file.records if isinstance(record, HandRecord) and record.facts]
    assert entered
    assert file.unfinished
    assert not any(row.problems for row in ledger.rows)
    _, records, differing = open_file(file)
    assert differing == []
    assert [len(record.get("facts", ())) for record in records if record["kind"] == "hand"] == [
        len(record.facts) for record in file.records if isinstance(record, HandRecord)
    ]


def test_a_file_is_written_with_the_keys_of_today() -> None:
    """What an old file says stays; records without facts have no key that earlier versions would refuse."""
    path = next(path for path in FILES if path.parent.name == "0.1.0-6de8d95")
    then = json.loads(path.read_bytes())
    file = TableFile.model_validate(then)
    now = json.loads(file.model_copy(update={"version": 3}).model_dump_json())
    assert now["unfinished"] == then["telling"] == ["E discard 5m", "W pung"]
    assert [record.get("facts", []) for record in now["records"]] == [
        record.get("told", []) for record in then["records"]
    ]
    assert not any({"told", "telling"} & record.keys() for record in (now, *now["records"]))
    assert "facts" not in now["records"][-1]
    assert TableFile.model_validate(now).records == file.records

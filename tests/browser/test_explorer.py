"""Stored discards are asked on the page: a filter, counts, and an example that opens in the replay."""

from __future__ import annotations

import re

import pytest

from quepu.explorer.rows import discards, write_matches
from quepu.tiles import NAMES

pytestmark = [pytest.mark.browser, pytest.mark.server("stored discards are of a server")]
FROM = 5
"""The first discard of a seat that is asked about."""


@pytest.fixture
def rows(explored):
    """The discards that the server has stored, of two hands between bots."""
    pytest.importorskip("duckdb")
    logs = explored / "bots.logs"
    if not logs.is_dir():
        write_matches(logs, "guobiao-mcr", ["plain"] * 4, 2, 5)
        discards(logs, jobs=1).to_parquet(explored / "bots.parquet")
    return list(discards(logs, jobs=1))


@pytest.mark.parametrize("size", ["desktop", "bars"])
def test_a_filter_is_counted_and_an_example_opens_in_the_replay(rows, visit, size):
    page = visit("/replays/explorer", size=size)
    page.get_by_label("条件", exact=True).fill("turn>=x")
    page.get_by_role("button", name="查", exact=True).click()
    page.get_by_role("alert").filter(has_text="应是整数").wait_for()
    page.get_by_label("条件", exact=True).fill(f"turn>={FROM}")
    page.get_by_label("分组").select_option("turn")
    page.get_by_role("button", name="查", exact=True).click()

    late = [row for row in rows if row["turn"] >= FROM]
    page.get_by_text(f"{len(rows)} 次打牌里有 {len(late)} 例。").wait_for()
    of_turn = sum(row["turn"] == FROM for row in late)
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=str(FROM), exact=True))
    assert row.get_by_role("cell").first.inner_text() == str(of_turn)

    example = page.locator(".cases li").first
    said = re.search(r"第 (\d+) 张，付 (\d+)", example.inner_text())
    assert int(said[2]) == max(row["cost"] for row in late)
    example.get_by_role("button", name="看牌谱").click()
    page.wait_for_url(re.compile(r"/replays/[^/?]+\?hand=\d+&frame=\d+"))
    hand, frame = map(int, re.search(r"hand=(\d+)&frame=(\d+)", page.url).groups())
    (shown,) = {NAMES[one["tile"]] for one in late if (one["hand"], one["frame"]) == (hand, frame)}
    assert shown
    page.locator(".board").first.wait_for()

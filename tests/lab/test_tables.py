"""The lab's tables, drawings and commands on one small census, and what they say to bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quepu.cli import run
from quepu.errors import HandError
from quepu.fast.universe.census import Census
from quepu.fast.universe.standard_hands import DISTINCT, PHYSICAL, STATES
from quepu.fast.universe.valued import census
from quepu.lab import calibrate, maps, played, points, rarity, relations
from quepu.lab.canvas import use_style
from quepu.lab.compare import by_fan, most_changed, pair_up, summary
from quepu.lab.page import DRAWN, page, save
from quepu.lab.sheet import Sheet, percent
from quepu.lab.states import state
from quepu.rulebooks import book
from quepu.scoring.score import score_hand


@pytest.fixture(scope="module")
def plain() -> Census:
    return census(book("yuque-54"), STATES["open-discard"])


@pytest.fixture(scope="module")
def sheets(plain: Census) -> dict[str, Sheet]:
    made = [
        rarity.rarity_sheet(plain), points.distribution(plain), points.biggest(plain), relations.implications(plain),
        relations.compare_declared(plain), relations.overlap(plain), calibrate.values(plain), calibrate.factors(plain),
        calibrate.joint(plain), played.played_bits(plain, played.platforms()), calibrate.payable([plain]),
        calibrate.tabulate_moves(plain, plain),
    ]  # fmt: skip
    return {sheet.key: sheet for sheet in made}


def column(sheet: Sheet, key: str) -> list[Any]:
    at = [c.key for c in sheet.columns].index(key)
    return [row[at] for row in sheet.rows]


@pytest.mark.long
def test_points_add_up(sheets: dict[str, Sheet]) -> None:
    sheet = sheets["points"]
    assert sum(column(sheet, "hands")) == DISTINCT
    assert sum(column(sheet, "sets")) == PHYSICAL
    assert column(sheet, "at_least")[0] == 1


def test_a_heading_says_where_a_hand_is_counted_with_its_last_tile(plain: Census) -> None:
    each = replace(plain, state=state("closed-each"))
    for made in (rarity.rarity_sheet, points.distribution, relations.implications, relations.overlap):
        for counted, zh, en in ((plain, "", ""), (each, "（分和张）", " by last tile")):
            heads = {one.key: one.head for one in made(counted).columns}
            assert heads["sets"] == (f"实体牌组{zh}", f"tile sets{en}")
            assert heads.get("hands") in (None, (f"和牌种数{zh}", f"hands{en}"))
    assert "（分和张）" in rarity.rarity_sheet(each).source.zh
    assert "（分和张）" in rarity.rarity_sheet(each).lines[0].zh


# seed 002, 一些数据: 精算麻雀第 54 版最低番数; what a claimed hand can hold of them.
PRINTED = {
    "大四喜": 25, "大三元": 18, "清幺九": 25, "小四喜": 21, "小三元": 15, "字一色": 23, "四同顺": 35, "四连刻": 21,
}  # fmt: skip


def test_yuque_least_totals_as_printed(sheets: dict[str, Sheet]) -> None:
    sheet = sheets["calibrate"]
    least = dict(zip(column(sheet, "fan"), column(sheet, "value"), strict=True))
    assert {name: least[name] for name in PRINTED} == PRINTED


def test_one_fan_is_one_bit(sheets: dict[str, Sheet]) -> None:
    """The definition that 玉雀's author gives: the number of 番 is log2 of 1 / share, a pung counted double."""
    assert sheets["calibrate"].facts["r2"] > 0.96
    assert 0.95 < sheets["calibrate"].facts["slope"] < 1.15
    assert sheets["factors"].facts["best"] in (1.75, 2.0, 2.25, 2.5)
    for facts in sheets["played"].facts.values():
        assert 0.55 < facts["slope"] < 0.7  # people aim: what is won runs at about 0.6 of the exact bits


def test_shares_by_pungs_are_the_prototype_s(sheets: dict[str, Sheet]) -> None:
    bits = dict(zip(column(sheets["calibrate"], "fan"), column(sheets["calibrate"], "bits"), strict=True))
    expected = {
        "一般高": 5.0,
        "三连环": 8.3,
        "三步高": 11.3,
        "三连刻": 12.8,
        "四步高": 19.9,
        "四连刻": 20.4,
        "大四喜": 24.5,
    }
    assert {name: round(bits[name], 1) for name in expected} == expected


def test_implications_by_hand(sheets: dict[str, Sheet]) -> None:
    rows = {(row[0], row[1]): row for row in sheets["implications"].rows}
    assert rows["三同顺", "一般高"][3] == "always"
    assert rows["大三元", "番刻"][2] == 1.0
    assert ("四同顺", "对对和") not in rows
    assert rows["一般高", "三同顺"][2] < 0.05


def test_nothing_moves_against_itself(sheets: dict[str, Sheet]) -> None:
    assert all(change == 0 for change in column(sheets["moved"], "change"))


@pytest.mark.slow
def test_striking_out_changes_the_score(plain: Census) -> None:
    sheet = relations.redundant(plain)
    verdicts = dict(zip(column(sheet, "fan"), column(sheet, "verdict"), strict=True))
    assert verdicts["一般高"] == "matters"
    assert verdicts["天和"] == "cannot hold here"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_tables_are_written(sheets: dict[str, Sheet], lang: str) -> None:
    for sheet in sheets.values():
        json.dumps(sheet.to_json(lang), allow_nan=False)
        assert sheet.to_csv().count("\n") == len(sheet.rows) + 1
        assert sheet.source.say(lang)
        assert sheet.title.say(lang)


def test_labels_are_outlines(sheets: dict[str, Sheet], tmp_path: Path) -> None:
    """So a drawing says the same on a machine without a Chinese font."""
    save([sheets["payable"]], tmp_path / "payable.svg")
    text = (tmp_path / "payable.svg").read_text("utf-8")
    assert text.count("<use") > 40
    assert "<text" not in text
    save([sheets["factors"]], tmp_path / "factors.png", "en")
    assert (tmp_path / "factors.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
def test_nothing_of_a_map_lies_outside_its_paper(sheets: dict[str, Sheet]) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with use_style():
        figure = maps.overlap(sheets["overlap"], "en")
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        drawn = canvas.get_renderer()
        axes, source = figure.axes[0], figure._supxlabel.get_window_extent(drawn)
        assert axes._left_title.get_window_extent(drawn).y1 <= figure.bbox.y1
        assert min(label.get_window_extent(drawn).y0 for label in axes.get_xticklabels()) > source.y1


def test_a_page_loads_nothing(sheets: dict[str, Sheet]) -> None:
    html = page([sheets[key] for key in ("calibrate", "payable", "declared")])
    assert html.count("<figure ") == 2
    for word in ("<script", "<link", "src=", "@import", "<image"):
        assert word not in html


@pytest.mark.slow
def test_every_table_is_drawn(sheets: dict[str, Sheet]) -> None:
    for lang in ("zh", "en"):
        html = page(list(sheets.values()), lang)
        assert html.count("<figure ") == sum(key in DRAWN for key in sheets)


def test_partial_tables_say_so(sheets: dict[str, Sheet]) -> None:
    sheet = sheets["points"]
    cut = Sheet(sheet.key, sheet.title, sheet.source, sheet.columns, sheet.rows[:2], sheet.facts, partial=True)
    assert cut.to_csv().endswith("# partial\n")
    assert cut.to_json()["partial"] is True
    assert "未完成" in page([cut])


@pytest.mark.parametrize(("share", "text"), [(0, "0%"), (1, "100%"), (0.123456, "12.3%"), (1.2e-9, "1.20e-07%")])
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.slow
def test_compare_is_the_scorer_hand_by_hand() -> None:
    old, new = book("lingque-26"), book("lingque-29")
    pairs = pair_up(old, new, STATES["open-discard"])
    assert int(pairs.hands.sum()) == DISTINCT
    assert int(pairs.sets.sum()) == PHYSICAL
    facts = summary(pairs).rows
    assert sum(row[1] for row in facts[:3]) == DISTINCT
    rng = np.random.default_rng(4)
    for at in rng.integers(0, len(pairs.hands), 300):
        h = pairs.examples[at]
        for side, rules in enumerate((old, new)):
            assert rules.tally(h).points <= pairs.points(side)[at]
    fans = {row[0]: row for row in by_fan(pairs).rows}
    assert fans["五门齐"][3:5] == (0, 181_248)
    assert most_changed(pairs).rows[0][3] == -224


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["lab", "rarity", "nobody"], "nobody"),
        (["lab", "rarity", "yuque-54", "-S", "lying"], "lying"),
        (["lab", "points", "yuque-54", "--plot", "x.gif"], ".svg"),
        (["lab", "compare", "yuque-54", "missing.toml"], "missing.toml"),
        (["lab", "calibrate", "yuque-54", "--pung", "heavy"], "--pung"),
        (["lab", "calibrate", "yuque-54", "--table", "all"], "--table"),
        (["lab", "calibrate", "yuque-54", "--table", "moved"], "--against"),
        (["lab", "calibrate", "yuque-54", "--played", "missing.json"], "missing.json"),
        (["lab", "rarty", "yuque-54"], "rarty"),
    ],
)
def test_bad_input_is_one_sentence(args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*args, "--lang", "en"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert "Traceback" not in err


@pytest.mark.long
def test_commands_write_what_they_say(
    plain: Census, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    assert run(["lab", "rarity", "yuque-54", "-S", "open-discard", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["facts"]["sets"] == PHYSICAL
    assert len(printed["rows"]) == len(plain.book.fans)
    csv = tmp_path / "points.csv"
    assert run(["lab", "points", "yuque-54", "-S", "open-discard", "--csv", str(csv)]) == 0
    assert csv.read_text("utf-8").startswith("points,hands,sets")
    table = tmp_path / "points.md"
    assert run(["lab", "points", "yuque-54", "-S", "open-discard", "--markdown", str(table)]) == 0
    assert "| ---: |" in table.read_text("utf-8")
    assert run(["lab", "calibrate", "yuque-54", "-t", "factors", "--plot", str(tmp_path / "fit.html")]) == 0
    assert "<svg" in (tmp_path / "fit.html").read_text("utf-8")
    assert run(["lab", "overlap", "yuque-54", "-S", "open-discard"]) == 0
    assert "一般高" in capsys.readouterr().out
    assert run(["lab", "points", "yuque-54", "--csv", "/nowhere/x.csv"]) == 2


def test_cut_short_keeps_what_was_done(
    plain: Census, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[str] = []

    def interrupted(rules: Any, state: Any, **_: Any) -> Census:
        calls.append(state.key)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return plain

    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr("quepu.fast.universe.valued.census", interrupted)
    assert run(["lab", "rarity", "yuque-54", "-S", "open-discard,open-draw", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["partial"] is True


def test_played_files(tmp_path: Path, plain: Census) -> None:
    path = tmp_path / "wins.json"
    path.write_text('{"wins": 1000, "fans": {"一般高": 80, "三步高": 4, "四步高": 1, "没有": 3}}', "utf-8")
    sheet = played.played_bits(plain, [played.read_played(path)])
    assert [row[1] for row in sheet.rows] == ["一般高", "三步高", "四步高"]
    assert sheet.facts["wins.json"]["fans"] == 3


@pytest.mark.parametrize(
    "text", ["", "[]", '{"wins": 0, "fans": {}}', '{"wins": 5}', '{"wins": 5, "fans": {"x": "y"}}']
)
def test_bad_played_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wins.json"
    path.write_text(text, "utf-8")
    with pytest.raises(HandError):
        played.read_played(path)


def test_what_a_state_brings_to_every_hand_is_no_implication(plain: Census) -> None:
    name = plain.book.fans[0].name
    everywhere = plain.holds.copy()
    everywhere[:, 0] = True
    same = replace(plain, holds=everywhere)
    for sheet in (relations.implications(same), relations.compare_declared(same)):
        others = {row[1] for row in sheet.rows if row[2] not in ("never counted together", "dropped but not implied")}
        assert name not in others
        assert any(line.zh.startswith("在这个状态里总是成立") and line.zh.endswith(f"：{name}") for line in sheet.lines)
    assert any(row[1] == name for row in relations.implications(plain).rows)
    assert relations.compare_declared(plain).facts["differences"] == len(relations.compare_declared(plain).rows)


def test_an_example_scores_as_its_class_says(plain: Census) -> None:
    """The texts in the tables are hands that the scorer takes, where the winning tile does not matter."""
    from quepu.hands.notation import parse

    sheet = rarity.rarity_sheet(plain)
    seen = 0
    for row in sheet.rows:
        text, least = row[9], row[7]
        if text is None or row[0] in ("双暗刻", "三暗刻", "四暗刻"):
            continue
        *melds, pair = text.split(" ")
        half = pair[1] if len(pair) == 2 and pair[0] == pair[1] else pair[0] + pair[-1]
        score = score_hand(parse("".join(melds) + half + "+" + half), plain.book)
        assert score.points == least, text
        seen += 1
    assert seen > 40


def test_bots_aim_as_people_do(plain: Census) -> None:
    """The wins that come with the program are of the book as it is; a house rule has none."""
    rules = book("lingque-29")
    (bots,) = played.load_simulated(rules)
    assert bots.wins > 1000
    assert set(bots.fans) <= {fan.name for fan in rules.fans}
    assert "gain" in bots.title.zh
    assert not played.load_simulated(rules.having(minimum=12))
    assert not played.load_simulated(plain.book.having(minimum=12))
    sheet = played.played_bits(plain, [bots])  # 玉雀's shares of the fans that both books have: near enough
    assert 0.4 < sheet.facts["simulated"]["slope"] < 0.8


def test_a_simulation_is_read_as_wins(tmp_path: Path) -> None:
    path = tmp_path / "sim.json"
    level = [{"level": "plain"}] * 2 + [{"level": "gain"}] * 2
    path.write_text(
        json.dumps({"rules": "canton", "hands": 50, "drawn": 8, "players": level, "fans": {"自摸": 9}}), "utf-8"
    )
    found = played.read_played(path)
    assert (found.wins, found.key) == (42, "sim.json")
    assert found.title.en == "bots 2 × plain, 2 × gain (canton, 42 wins)"


def test_files_of_several_tables(tmp_path: Path, plain: Census, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    out = tmp_path / "t.csv"
    assert run(["lab", "points", "yuque-54", "-S", "open-discard,open-draw", "--csv", str(out)]) == 0
    made = sorted(path.name for path in tmp_path.glob("*.csv"))
    assert made == ["t-biggest-2.csv", "t-biggest.csv", "t-points.csv", "t.csv"]
    assert (tmp_path / "t-points.csv").read_text("utf-8") == out.read_text("utf-8")


def test_an_unwritable_file_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("quepu.fast.universe.valued.census", None)  # the work must not begin
    for option in ("--csv", "--markdown", "--plot"):
        assert run(["lab", "points", "yuque-54", option, str(tmp_path / "no" / "x.svg")]) == 2
        assert "no/x.svg" in capsys.readouterr().err
    assert run(["lab", "report", "yuque-54", "-o", str(tmp_path)]) == 2


@pytest.mark.long
def test_a_report_cut_short_keeps_what_it_has(plain: Census, monkeypatch: pytest.MonkeyPatch) -> None:
    from quepu.lab import report

    def stop(*_: Any, **__: Any) -> Sheet:
        raise KeyboardInterrupt

    monkeypatch.setattr(report, "census", lambda *args, **kwargs: plain)
    monkeypatch.setattr(report.calibrate, "values", stop)
    html, cut = report.report(plain.book, called="my book.toml")
    assert cut
    assert "quepu lab points 'my book.toml'" in unescape(html)  # the command that gives the table, as it can be typed
    assert "未完成" in html
    assert html.count("<section") == 4
    for word in ("<script", "<link", "src=", "@import", "<image"):
        assert word not in html


@pytest.mark.long
def test_striking_out_stops_where_it_is_set(plain: Census) -> None:
    def stop(done: int, _: int) -> None:
        if done:
            raise KeyboardInterrupt

    sheet = relations.redundant(plain, stop)
    assert sheet.partial
    assert 0 < len(sheet.rows) < len(plain.book.fans)


def test_an_edition_knows_its_sibling() -> None:
    from quepu.lab.report import find_sibling_edition

    house = book("yuque-54").having(id="house", minimum=4)
    found = find_sibling_edition(house)
    assert found and (found[0].id, found[1]) == ("yuque-54", house)

    for name, pair in (
        ("lingque-29", ("lingque-26", "lingque-29")),
        ("lingque-26", ("lingque-26", "lingque-29")),
        ("guobiao", ("guobiao", "guobiao-mcr")),
        ("guobiao-mcr", ("guobiao", "guobiao-mcr")),
        ("canton", None),
    ):
        found = find_sibling_edition(book(name))
        assert (found and (found[0].id, found[1].id)) == pair

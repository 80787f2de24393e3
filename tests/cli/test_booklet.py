"""The booklet: the book's text in order, a picture of every tile of every example, and PDF where a browser is."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from quepu.cli import run
from quepu.hands.notation import parse
from quepu.rulebooks import book, book_ids
from quepu.rulebooks.house_rules import read
from quepu.rules.guide import Shown, guide
from quepu.scoring.booklet import booklet, fan_sheet


@pytest.mark.parametrize("name", book_ids())
def test_every_fan_and_example_is_on_the_page(name: str) -> None:
    rules = book(name)
    for lang in ("zh", "en"):
        page = booklet(rules, lang)
        places = [page.index(f"<h4>{fan.name}<small>") for fan in rules.fans]
        by_class = [page.index(f"<h3>{text.replace('&', '&amp;')}</h3>")
                    for text in dict.fromkeys(rules.class_name(fan.category, lang) for fan in rules.fans)]  # fmt: skip
        assert len(set(places)) == len(rules.fans)
        assert by_class == sorted(by_class)
        shown = [part.example for section in guide(rules) for part in section.parts if isinstance(part, Shown)]
        hands = [one.hand for one in shown] + [fan.example.hand for fan in rules.fans if fan.example]
        tiles = sum(sum(parse(hand).counts()) for hand in hands)
        refused = [hand for hand in hands if f"<p class=cap>{hand} " in page]
        assert page.count("<use href=") == tiles - sum(sum(parse(hand).counts()) for hand in refused)
        assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
        every = set(re.findall(r'<use href="#(t-?\d+)"', page))
        assert all(f'id="{face}"' in page for face in every)
    sheet = fan_sheet(rules, "zh", "A5")
    assert all(fan.name in sheet for fan in rules.fans)


@pytest.mark.parametrize("name", book_ids())
def test_english_readers_have_english_names_of_fans_and_circumstances(name: str) -> None:
    page = booklet(book(name), "en")
    under = re.findall(r"</span></span><p class=cap>(.*?)</p>", page)
    relations = re.findall(r"(?:Not counted with it|Mutually exclusive(?: with)?): (.*?)</p>", page)
    assert len(under) > 40
    assert relations
    assert not [line for line in (*under, *relations) if re.search("[\u4e00-\u9fff]", line)]


def test_fans_on_one_sheet_stand_in_letters_that_fill_it() -> None:
    few, many = (
        float(re.findall(r'class=columns style="font-size:([\d.]+)em', fan_sheet(book(name), lang))[0])
        for name, lang in (("lingque-29", "zh"), ("canton", "en"))
    )
    assert few > 1.3
    assert many < 1


@pytest.mark.parametrize("name", ["x.docx", "x", "html", "x.html.bak"])
def test_what_is_neither_page_nor_pdf_is_not_written(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["booklet", "yuque-54", "-o", str(tmp_path / name)]) == 2
    assert "文件名应以 .html 或 .pdf 结尾" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert run(["booklet", "yuque-54", "--sheet", "-o", str(tmp_path / "x.HTML")]) == 0
    assert run(["booklet", "yuque-54", "--sheet", "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["canton", "yuque-54"])
def test_what_is_worth_nothing_comes_last(name: str) -> None:
    values = [int(value) for value in re.findall(r"<p><b>(\d+) fan</b>", fan_sheet(book(name), "en"))]
    assert values == sorted(values, reverse=True)
    assert values[-2:] == [1, 0]


def test_the_page_fits_a_phone() -> None:
    page = booklet(book("canton"), "zh")
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert "@media screen and (max-width: 640px)" in page


def test_a_long_table_stands_in_two_halves() -> None:
    page = booklet(book("lingque-29"), "zh")
    assert page.count("番种简表</h") == 1  # a table that is called as its section has no second heading
    halves = re.search(r"<div class=halves>(.*?)</div>", page)
    assert halves is not None
    tables = halves[1].split("</table>")[:2]
    assert [table.count("<thead>") for table in tables] == [1, 1]
    rows = [table.count("<tr>") - 1 for table in tables]
    assert (sum(rows), max(rows)) == (72, 36)  # the 72 rows of the book's own list


def test_a_draft_says_what_it_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house, out = tmp_path / "house.toml", tmp_path / "b.html"
    house.write_text('base = "lingque-29"\nminimum = 12\n[values]\n"三连刻" = { fu = 20, fan = 3 }\n', "utf-8")
    assert run(["booklet", str(house), "-o", str(out)]) == 0
    page = out.read_text("utf-8")
    assert "起和 10 → 12" in page
    assert "三连刻 24/3 → 20/3" in page
    assert run(["booklet", "lingque-29", "--since", "lingque-26", "-o", str(out)]) == 0
    page = out.read_text("utf-8")
    assert "灵雀（第二十六版） → 灵雀（第二十九版）" in page
    assert "双杠 的定义有改：和牌中有两个杠。计8副2翻。不计杠。 → 和牌中恰有两个杠。计 8 副 2 翻。" in page
    assert run(["booklet", "canton", "--paper", "A3", "-o", str(out)]) == 2


@pytest.mark.parametrize(
    ("base", "gone"), [("yuque-54", "双同刻"), ("lingque-29", "对对和"), ("guobiao", "碰碰胡"), ("canton", "单吊")]
)
def test_a_draft_without_a_fan_that_others_name_is_printed(base: str, gone: str) -> None:
    draft = read(f'base = "{base}"\nwithout = ["{gone}"]\n')
    naming = [fan for fan in book(base).fans if gone in (*fan.drops, *fan.conflicts)]
    assert naming, "nothing names it"
    for lang in ("zh", "en"):
        assert f"<h4>{gone}<small>" not in booklet(draft, lang)


def test_a_pdf_needs_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert run(["booklet", "canton", "--sheet", "-o", str(tmp_path / "s.pdf")]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("browser", ["chromium", "chromium-headless-shell"])
def test_a_pdf_is_made(browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = shutil.which(browser)
    if not program:
        pytest.skip(f"no {browser}")
    monkeypatch.setattr(shutil, "which", lambda name: program if name == browser else None)
    for paper in ("A4", "A5"):
        assert (
            run(["--lang", "en", "booklet", "canton", "--sheet", "--paper", paper, "-o", str(tmp_path / "s.pdf")]) == 0
        )
        made = (tmp_path / "s.pdf").read_bytes()
        assert made.startswith(b"%PDF")
        assert made.count(b"/Type /Page\n") == 1  # the longest of all is one sheet too


@pytest.mark.long
def test_relations_and_examples_stand_in_words_of_the_language() -> None:
    for name in book_ids():
        for lang in ("zh", "en"):
            page = booklet(book(name), lang)
            assert not re.search(r"(不计：|Not counted with it: )[^<]*[*+]", page), (name, lang)
    assert "不计：其他一切番种（但可计偶然类的番种）" in booklet(book("lingque-26"), "zh")
    page = booklet(book("lingque-29"), "en")
    assert "Not counted with it: everything else (except everything in luck)" in page
    assert "<b>example 1</b> counts seven pairs, red dragon: 10 fu, 4 fan, 40 points." in page
    page = booklet(book("yuque-54"), "en")
    assert "<b>table II</b> counts four concealed pungs, big four winds, fan pung: 35 fan, 1225 points." in page
    assert not re.search(r"</b> 计 |<b>(表|释疑|造牌|最低)", page)
    assert "<td class=value>停和陪打</td>" in booklet(book("yuque-54"), "zh")


@pytest.mark.parametrize("name", ["lingque-29", "lingque-26"])
def test_numbered_examples_stand_in_order(name: str) -> None:
    """The one that no hand can be stands where the book has it."""
    seen = 0
    for section in guide(book(name)):
        words = [part.label.zh if isinstance(part, Shown) else getattr(getattr(part, "text", None), "zh", "")
                 for part in section.parts]  # fmt: skip
        numbers = [int(found[1]) for found in map(re.compile(r"例 (\d+)\b").match, words) if found]
        assert numbers == sorted(numbers), section.title
        seen += len(numbers)
    assert seen > 90

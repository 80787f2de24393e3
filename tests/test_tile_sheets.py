"""Printable sheets of fans with tiles: every fan by its name of the language, in tiles, on one A4 page."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from quepu.rulebooks import book, books, readings
from quepu.rules.rulebook import Rulebook
from quepu.scoring.booklet import club_card, fan_sheet, tile_sheet

EVERY = [pytest.param(one, id=one.id) for one in (*books(), *readings())]


@pytest.mark.parametrize("rules", EVERY)
def test_every_fan_stands_there_in_the_language_of_the_sheet(rules: Rulebook) -> None:
    for lang in ("en", "zh"):
        page = unescape(tile_sheet(rules, lang))
        rows = re.findall(r"<div class=row><b>([^<]+)</b><span[^>]*>([^<]+?)(?: <small>.*?)?</span>(.*?)</div>", page)
        assert sorted(name for _, name, _ in rows) == sorted(
            fan.english if lang == "en" else fan.name for fan in rules.fans
        )
        drawn = sum("<use" in tiles for *_, tiles in rows)
        assert drawn == sum(fan.example is not None for fan in rules.fans)
        assert lang == "zh" or not any(re.search("[一-鿿]", value + name) for value, name, _ in rows)


def test_sheets_of_japan_have_its_names_and_its_cap() -> None:
    """The names are those of a Japanese list; no sheet of another book has them, or a cap."""
    japan, league = book("guobiao-jmsa"), book("guobiao-mil-2025")
    for sheet in (tile_sheet, fan_sheet):
        for lang, cap in (("en", "at most 88 are paid"), ("zh", "封顶 88 番")):
            page = unescape(sheet(japan, lang))
            assert all(name in page for name in ("緑一色", "単調将", "槓上開花", "大四喜", cap))
            other = unescape(sheet(league, lang))
            assert "緑一色" not in other and cap not in other
    assert len({fan.column("japanese") for fan in japan.fans}) == len(japan.fans)


WITH_A_BROWSER = pytest.mark.skipif(
    shutil.which("chromium-headless-shell") is None, reason="needs chromium-headless-shell"
)


def pages(html: str, folder: Path) -> int:
    """Print a page as PDF and count its sheets."""
    source, made = folder / "sheet.html", folder / "sheet.pdf"
    source.write_text(html, "utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder}/p"]
    command = ["chromium-headless-shell", *flags, f"--print-to-pdf={made}", source.as_uri()]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    return len(re.findall(rb"/Type\s*/Page\b", made.read_bytes()))


@WITH_A_BROWSER
@pytest.mark.parametrize("name", ["guobiao-ema", pytest.param("guobiao-jmsa", marks=pytest.mark.long)])
def test_sheets_in_english_are_one_page_and_cards_are_small(name: str, tmp_path: Path) -> None:
    for paper, fewest, most in (("A4", 1, 1), ("A5", 4, 6)):
        assert fewest <= pages(tile_sheet(book(name), "en", paper), tmp_path) <= most


@WITH_A_BROWSER
@pytest.mark.parametrize(
    "name", ["canton", *(pytest.param(name, marks=pytest.mark.long) for name in ("guobiao", "guobiao-ema"))]
)
def test_a_clubs_card_is_one_page(name: str, tmp_path: Path) -> None:
    for lang, paper in (("en", "A5"), ("zh", "A4")):
        assert pages(club_card(book(name), lang, paper), tmp_path) == 1


def test_a_clubs_card_has_the_payments_of_every_value_of_a_fan() -> None:
    card = club_card(book("guobiao-ema"), "en")
    rows = re.findall(r"<tr><td class=n>(\d+)</td><td class=n>(\d+)</td>", card)
    assert [int(fan) for fan, _ in rows] == [*range(8, 25), 32, 48, 64, 88]
    assert all(int(paid) == int(fan) + 8 for fan, paid in rows)  # self-drawn: 8 and the fan from each
    assert "in between" in card
    assert "in between" not in club_card(book("canton"), "en")

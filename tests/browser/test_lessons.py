"""入门课 on a phone: the rules of each book, a hand counted fan by fan, lessons passed and still so after a reload."""

import pytest

import quepu
from quepu.tiles import NAMES
from tests.browser.targets import sideways, too_small

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("book", "lang"), [
    ("guobiao", "en"),
    pytest.param("lingque-29", "zh", marks=pytest.mark.slow),
    pytest.param("canton", "zh", marks=pytest.mark.slow),
])  # fmt: skip
def test_every_lesson_fits_a_phone(visit, book, lang):
    page = visit(f"/practice/lessons?rules={book}", size="bars", lang=lang, book=book)
    ways = page.get_by_role("navigation", name="各课" if lang == "zh" else "Lessons").get_by_role("link")
    ways.first.wait_for()
    assert ways.count() == 6
    for way in ways.all():
        way.click()
        page.locator("h2#lesson").wait_for()
        assert sideways(page) == []
        assert too_small(page) == []


@pytest.mark.quick
def test_a_hand_is_counted_fan_by_fan(visit):
    page = visit("/practice/lessons?rules=guobiao#counting", size="bars", book="guobiao")
    card = page.get_by_role("region", name="逐步算")
    card.wait_for()
    rows = card.locator("tbody tr:has(a.fan)")
    assert rows.count() == 0
    assert card.locator(".sum").count() == 0
    counted = 0
    while (button := card.get_by_role("button", name="下一个番种")).count():
        button.click()
        counted += 1
        assert rows.count() == counted
        assert card.get_by_role("status").inner_text().startswith(rows.last.locator("a.fan").inner_text())
    assert counted > 2
    card.get_by_role("button", name="加起来").click()
    assert card.locator(".sum").is_visible()
    assert too_small(page) == []


_HAND = """question => {
    const labels = [...question.querySelectorAll('[data-kind]')].map((key) => [key.getAttribute('aria-label'), key]);
    const kinds = new Map(labels.map(([label, key]) => [label, key.dataset.kind]));
    const read = (part) => {
        const tiles = [...part.querySelectorAll('.tile')].map((tile) => kinds.get(tile.getAttribute('aria-label')));
        const seen = tiles.filter(Boolean);
        return seen.length === tiles.length ? seen.join('') : seen[0].repeat(4);  // two of a concealed kong lie covered
    };
    const parts = [...question.querySelector('.hand .tiles').parentElement.children];
    return parts.map((part) => part.matches('.tiles') ? read(part) : `(${read(part)})`).join('');
}"""


def waits_of(grid):
    """What the hand that is shown waits for."""
    return [NAMES[wait.tile] for wait in quepu.waits(grid.evaluate(_HAND), "lingque-29").waits]


def test_a_lesson_that_was_read_stays_so(visit):
    page = visit("/practice", size="bars")
    page.get_by_role("link", name="入门课").click()
    page.get_by_role("button", name="读完了").click()
    page.get_by_role("heading", name="和牌的样子").wait_for()
    page.reload()
    page.get_by_text("学完 1 / 6").wait_for()
    page.get_by_role("link", name="听牌").click()
    page.get_by_role("button", name="做一题").click()
    grid = page.get_by_role("region", name="题目")
    grid.locator(".hand .tile").first.wait_for()
    first = waits_of(grid)
    wrong = next(name for name in NAMES[:34] if name not in first)
    grid.locator(f"[data-kind='{wrong}']").click()
    page.get_by_role("button", name="提交").click()
    page.get_by_text("不对", exact=True).wait_for()
    assert page.get_by_text("学完 1 / 6").is_visible()
    assert too_small(page) == []
    assert sideways(page) == []
    page.get_by_role("button", name="下一题").click()
    page.get_by_role("button", name="提交").wait_for()
    for name in waits_of(grid):
        grid.locator(f"[data-kind='{name}']").click()
    page.get_by_role("button", name="提交").click()
    page.get_by_text("学完 2 / 6").wait_for()
    assert page.get_by_role("heading", name="听牌").is_visible()
    page.get_by_role("button", name="下一课：谁给谁").click()
    page.get_by_role("heading", name="谁给谁").wait_for()

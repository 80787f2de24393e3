"""Reviews on phones and desktops: the tiles a decision is about stand beside its sentence, whole and in view."""

import re

import pytest

from quepu.match import LogWriter, Match, read_log
from quepu.review import review_hand
from quepu.rulebooks import book
from quepu.table import Table, make_wall
from quepu.tiles import PLAIN
from tests.browser.test_replays import ready, stored
from tests.review.flat import write_flat
from tests.table.players import choose

pytestmark = [pytest.mark.browser, pytest.mark.server("reviews are the work of a server")]

NAMES = ("我", "电脑2·普通", "电脑3·普通", "电脑4·普通")
SIZES = [(390, 664), (360, 640), (844, 340), (1440, 900)]


def played():
    """The log of a hand among players who choose at random."""
    match, lines = Match(book("guobiao"), NAMES), []
    log = LogWriter(match, lines.append, players=["person", *["plain"] * 3])
    table = Table(match.book, make_wall(8, 1, PLAIN.with_flowers(flowers=True)))
    log.hand(1, match.place, table)
    while table.to_act:
        seat = table.to_act[0]
        table.step(seat, choose(table, seat))
    match = match.add_hand(table.ending)
    log.result(match.hands[-1].settlement, match.totals)
    log.end()
    return lines


LINES = played()


@pytest.fixture(scope="module")
def review(tmp_path_factory):
    """The review of that hand as the server sends it, every standard hand worth the same."""
    folder = tmp_path_factory.mktemp("flat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUEPU_CACHE", str(folder))
        patch.setattr("quepu.fast.nearest.payable._TABLES", {})
        write_flat(book("guobiao"), folder)
        replay = read_log(LINES)
        made = review_hand(replay.hands[0], replay.book)
    return {"number": 1, "seats": made["seats"], "decisions": made["decisions"]}


@pytest.fixture
def shown(visit, site, review):
    """Open the replay with its review, at the first mistake of East."""

    def opened(lang="zh", seat="E", tab="&tab=review"):
        page = visit("/replays", lang=lang, size="bars")
        hands = [{"number": 1, "seats": review["seats"]}]
        state = {"state": "done", "before": 0, "built": None, "done": 1, "total": 1, "hands": hands, "error": None}
        page.route(re.compile("/review$"), lambda route: route.fulfill(json=state))
        page.route(re.compile("/review/1$"), lambda route: route.fulfill(json=review))
        bad = [one for one in review["decisions"] if one["seat"] == seat and one["grade"] in ("mistake", "blunder")]
        page.goto(f"{site}/replays/{stored(site, LINES)}?hand=1&frame={bad[0]['frame']}&seat={seat}{tab}")
        ready(page)
        return page

    return opened


LEAD = """() => {
    const lead = document.querySelector('.decision .lead');
    const parts = lead.querySelectorAll('h2, .tag, .pair .tile, .why');
    return [...parts, ...document.querySelectorAll('.jump button')].map((one) => one.getBoundingClientRect());
}"""
CUT = """() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const short = (one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
    const cut = [...document.querySelectorAll('.review *')].filter((one) =>
        one.checkVisibility() && !one.closest('.sr, svg, .tile') &&
        (short(one) && getComputedStyle(one).overflowX !== 'visible' ||
            one.getBoundingClientRect().right > innerWidth + 1));
    const pane = document.querySelector('.review'), edge = pane.getBoundingClientRect().right - 15;
    for (const one of pane.querySelectorAll(':scope > *, .decision > *, .lead > *, h2 > *, .pair *'))
        if (one.getBoundingClientRect().right > edge) cut.push(one);
    return [wide > 0 ? `page ${wide} too wide` : '', ...cut.map((one) => `${one.className} ${one.textContent.trim()}`)]
        .filter(Boolean);
}"""
INSIDE = f"() => ({LEAD})().every((one) => one.top >= 0 && one.bottom <= innerHeight)"


@pytest.mark.parametrize(("lang", "sizes"), [("zh", SIZES), ("en", SIZES[1:3])])  # English is longer
def test_a_mistake_and_its_sentence_are_in_view_together(shown, lang, sizes):
    page = shown(lang)
    sent = page.url
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(sent)  # as somebody who was sent the link
        page.locator(".decision .why").wait_for()
        page.wait_for_function(INSIDE)
        assert page.evaluate(CUT) == [], (width, height)
        before = page.url
        for _ in range(2):
            page.get_by_role("button", name="下一失误" if lang == "zh" else "Next mistake").click()
            page.wait_for_function("u => location.href !== u", arg=before)
            before = page.url
            page.wait_for_function(INSIDE)
            assert page.locator(".pair .tile").count() >= 1
            assert page.evaluate(CUT) == [], (width, height)
        page.keyboard.press("n")
        page.wait_for_function("u => location.href !== u", arg=before)
        page.wait_for_function(INSIDE)


NAMED = """() => [...document.querySelectorAll('.board .plate .name')].filter((one) => one.checkVisibility())
    .map((one) => ({name: one.innerText, cut: one.scrollWidth > one.clientWidth}))"""


@pytest.mark.parametrize(("lang", "bot"), [("zh", "电脑"), ("en", "Bot")])
def test_on_the_smallest_phones_every_player_has_a_name(shown, lang, bot):
    page = shown(lang, tab="")
    for width, height in [(360, 640), (360, 560), (375, 548)]:
        page.set_viewport_size({"width": width, "height": height})
        names = page.evaluate(NAMED)
        assert len(names) == 3
        assert [one for one in names if one["cut"]] == [], (width, height)
        assert {one["name"].strip() for one in names} == {f"{bot}{' ' * (lang == 'en')}{n}" for n in (2, 3, 4)}

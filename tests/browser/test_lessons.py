"""入门课 on a phone: every screen of a book answered by its tiles, lessons gone through and still so after a reload."""

import pytest

import quepu
from quepu.rules.lessons import welcome
from quepu.server.practice.course import course
from tests.browser.targets import sideways, too_small

pytestmark = pytest.mark.browser
OFFERED = [book.id for book in quepu.books() if welcome(book)]


def solve(page, screen):
    """Press what is right on a screen, after one thing that is wrong."""
    options = page.locator(".option")
    options.nth(next(i for i, one in enumerate(screen.options) if not one.right)).click()
    assert page.locator(".why b").inner_text().strip() in ("不对。", "Not this one.")
    for at, one in enumerate(screen.options):
        if one.right:
            options.nth(at).click()
            if not screen.all_of:
                break
    page.locator(".why.good").wait_for()
    page.wait_for_function(SEEN)


# What was answered, and the way on, are seen without scrolling: above the tabs of a phone.
SEEN = """() => {
    const below = document.querySelector('nav.tabs').getBoundingClientRect().top || innerHeight;
    const seen = (one) => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= below; };
    const last = [...document.querySelectorAll('.go .button')].at(-1);
    return seen(document.querySelector('.why')) && (!last || seen(last));
}"""


@pytest.mark.parametrize(
    ("book", "lang"),
    [
        ("guobiao-mcr", "zh"),
        *(pytest.param(book, "en", marks=pytest.mark.slow) for book in OFFERED),
        *(pytest.param(book, "zh", marks=pytest.mark.slow) for book in OFFERED[:2]),
    ],
)
def test_a_book_is_gone_through_on_a_phone(visit, book, lang):
    lessons = course(quepu.book(book))
    page = visit(f"/practice/lessons?rules={book}", size="bars", lang=lang, book=book)
    for n, lesson in enumerate(lessons):
        page.get_by_role("heading", name=f"{n + 1}. {lesson.title.say(lang)}").wait_for()
        for at, screen in enumerate(lesson.screens):
            page.get_by_text(screen.ask.say(lang), exact=True).wait_for()
            assert page.locator("article .tile").count() > 0
            solve(page, screen)
            assert too_small(page) == [], screen.key
            assert sideways(page) == [], screen.key
            if at + 1 < len(lesson.screens):
                page.get_by_role("button", name="下一步" if lang == "zh" else "Next", exact=True).click()
        if n + 1 < len(lessons):
            after = lessons[n + 1].title.say(lang)
            page.get_by_role("button", name=f"下一课：{after}" if lang == "zh" else f"Next: {after}").click()
    page.get_by_text("学完 10 / 10" if lang == "zh" else "10 of 10 done").wait_for()


@pytest.mark.quick
def test_a_lesson_that_was_gone_through_stays_so(visit):
    (first, *_) = course(quepu.book("lingque-29"))
    page = visit("/practice", size="bars")
    page.get_by_role("link", name="入门课").click()
    for screen in first.screens:
        page.get_by_text(screen.ask.zh, exact=True).wait_for()
        solve(page, screen)
        if screen is not first.screens[-1]:
            page.get_by_role("button", name="下一步", exact=True).click()
    page.get_by_text("学完 1 / 10").wait_for()
    assert page.get_by_role("heading", name=f"1. {first.title.zh}").is_visible()  # it stays until one goes on
    page.goto(page.url.partition("#")[0])
    page.reload()
    page.get_by_text("学完 1 / 10").wait_for()
    page.get_by_role("heading", name="2. ").wait_for()  # the next one


def test_lessons_are_sound(visit, axe):
    for theme in ("light", "dark"):
        page = visit("/practice/lessons?rules=canton#claims", size="phone", theme=theme, book="canton")
        page.locator(".option").first.click()
        page.locator(".why b").wait_for()
        page.evaluate(axe)
        found = page.evaluate("async () => (await axe.run()).violations.map((one) => [one.id, one.nodes[0].html])")
        assert found == []

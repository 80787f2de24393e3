"""Practice: a wrong answer never stays green, each choice has its reason, what is due comes back; keys and touch."""

import re

import pytest

import quepu

pytestmark = pytest.mark.browser

STILL = """() => new Promise((done) => {
    let last = '', same = 0;
    const look = () => {
        const now = `${scrollY} ${document.body.scrollHeight}`;
        same = now === last ? same + 1 : 0;
        last = now;
        if (same < 20) requestAnimationFrame(look); else done();
    };
    look();
})"""
"""Twenty frames without a movement: on a busy machine they take as long as they take."""


def test_wrong_answers_look_wrong_and_say_why(visit):
    page = visit("/practice?rules=guobiao&kind=payable&level=1&seed=5", book="guobiao")
    group = page.get_by_role("group", name="够不够起和")
    group.wait_for()
    group.get_by_role("button").nth(0).click()
    page.get_by_role("button", name="提交").click()
    page.get_by_role("button", name="下一题").wait_for()
    looks = [button.get_attribute("class") for button in group.get_by_role("button").all()]
    right = page.get_by_text("对", exact=True).count() == 1
    assert ("good" in looks[0]) == right
    assert ("bad" in looks[0]) != right
    assert ("missed" in looks[1]) != right

    page.get_by_role("button", name="认番").click()
    page.get_by_role("button", name="提交").wait_for()
    group = page.get_by_role("group", name="计哪些番")
    for button in group.get_by_role("button").all():
        button.click()
    page.get_by_role("button", name="提交").click()
    why = page.get_by_role("region", name="为什么不对")
    why.wait_for()
    assert why.locator("li").count() == group.locator(".bad").count() > 0
    assert "不符合：" in why.inner_text()

    page.get_by_role("button", name="打哪张", exact=True).click()
    group = page.get_by_role("group", name="打哪张听牌")
    group.wait_for()
    for button in group.get_by_role("button").all():
        button.click()  # one is chosen at a time
    assert group.locator("[aria-pressed=true]").count() == 1
    page.get_by_role("button", name="提交").click()
    page.get_by_role("button", name="下一题").wait_for()
    assert group.locator(".good").count() + group.locator(".missed").count() == 1
    last = group.get_by_role("button").last.get_attribute("class")
    assert ("bad" in last) == (group.locator(".missed").count() == 1)
    page.get_by_text("打其余的牌会怎样").click()
    page.get_by_text("打了").nth(1).wait_for()
    page.get_by_role("button", name="认番").click()
    page.get_by_role("button", name="提交").wait_for()

    history = page.get_by_role("region", name="练习记录")
    history.get_by_role("button", name="复习").click()
    page.wait_for_url("**about=**")
    history.get_by_role("button", name="学一种新的").click()
    page.get_by_role("button", name="提交").wait_for()
    assert history.get_by_text("该复习").is_visible()


@pytest.mark.quick("fans-390-664", "waits-390-664")
@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
@pytest.mark.parametrize("kind", ["fans", "payable", "waits", "discard"])
def test_verdict_and_explanation_are_in_view_once_it_is_answered(visit, width, height, kind):
    page = visit(f"/practice?rules=lingque-29&kind={kind}&level=2&seed=11", size="bars")
    page.set_viewport_size({"width": width, "height": height})
    question = page.get_by_role("region", name="题目")
    chosen = question.locator("[aria-pressed]")
    chosen.first.wait_for()
    chosen.first.click()
    page.get_by_role("button", name="提交").click()
    verdict = question.get_by_role("status").filter(has_text="对")
    verdict.wait_for()
    why = page.get_by_role("region", name="讲解")
    why.wait_for()
    page.evaluate(STILL)
    end = page.locator("nav.tabs").bounding_box()["y"]
    box, below = verdict.bounding_box(), why.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= end
    reasons = page.get_by_role("region", name="为什么不对")
    first = reasons.bounding_box()["y"] if reasons.count() else below["y"]
    shown = end - first  # how much of the reasons and of what follows is above the tabs
    assert shown >= min(240, below["y"] + below["height"] - first)
    following = page.get_by_role("button", name="下一题").bounding_box()
    assert 0 <= following["y"] <= end - following["height"]
    page.get_by_role("button", name="下一题").click()
    page.get_by_role("button", name="提交").wait_for()
    page.evaluate(STILL)
    assert question.bounding_box()["y"] >= 0  # the next question begins with its hand


@pytest.mark.quick
@pytest.mark.parametrize("size", ["desktop", pytest.param("phone", marks=pytest.mark.slow)])
def test_a_question_is_judged_explained_and_remembered(visit, size):
    page = visit("/practice?rules=guobiao&kind=payable&level=1&seed=8", size=size)
    page.get_by_role("button", name="够，可以和").wait_for()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.get_by_role("region", name="讲解").wait_for()
    page.get_by_text("/ 1").first.wait_for()
    before = page.url
    page.reload()  # the question comes back unanswered
    page.get_by_role("button", name="提交").wait_for()
    assert page.url == before
    page.get_by_role("button", name="跳过").click()
    page.wait_for_url(lambda url: url != before)


def test_waits_are_picked_as_tiles(visit):
    page = visit("/practice?rules=guobiao&kind=waits&level=1&seed=3", size="bars")
    tiles = page.get_by_role("region", name="题目").locator(".hand .tile")
    tiles.first.wait_for()
    boxes = [one.bounding_box() for one in tiles.all()]
    assert min(box["width"] for box in boxes) >= 34, "bamboo and dots can be told apart"
    assert max(box["x"] + box["width"] for box in boxes) <= 390
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="一万", exact=True).click()
    page.get_by_role("button", name="提交").click()
    page.get_by_role("region", name="讲解").get_by_role("listitem").first.wait_for()


def test_the_second_line_of_a_hand_begins_under_the_first(visit):
    page = visit("/practice?rules=lingque-29&kind=fans&level=2&seed=6", size="bars")  # a chow begins the second line
    tiles = page.get_by_role("region", name="题目").locator(".hand .tile")
    tiles.first.wait_for()
    boxes = [one.bounding_box() for one in tiles.all()]
    first = boxes[0]
    below = [box for box in boxes if box["y"] > first["y"] + first["height"] / 2]
    assert min(box["x"] for box in below) == pytest.approx(first["x"], abs=0.5)


def test_losses_can_be_written_without_a_minus_key_and_english_names_stand_beside(visit):
    page = visit("/practice?rules=guobiao&kind=pays&level=1&seed=4", size="phone", lang="en")
    turn = page.get_by_role("button", name="East, change the sign")
    assert turn.is_disabled()
    page.get_by_label(re.compile("^East")).first.fill("16")
    turn.tap()
    assert page.get_by_label(re.compile("^East")).first.input_value() == "-16"
    page.goto(page.url.replace("kind=pays", "kind=fans"))
    offered = page.get_by_role("group", name="Which fans count").get_by_role("button")
    name = quepu.book("guobiao").fan(re.sub(r"[\x00-\x7f]", "", offered.first.inner_text()).strip()).english
    offered.first.get_by_text(name).wait_for()
    offered.first.click()
    page.get_by_role("button", name="Answer").click()
    fresh = page.get_by_role("region", name="History").get_by_role("button", name="A new one")
    fresh.wait_for()
    assert fresh.inner_text().isascii()

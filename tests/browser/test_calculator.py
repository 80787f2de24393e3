"""The calculator on real phones: taps counted, nothing scrolled, no old answer taken for the present one."""

import re

import pytest

import quepu
from tests.browser.targets import TOO_WIDE

pytestmark = pytest.mark.browser
PHONES = {"width": 390, "height": 664}, {"width": 360, "height": 640}
SIZES = [pytest.param(PHONES[0], id="390x664", marks=pytest.mark.slow), pytest.param(PHONES[1], id="360x640")]
"""The narrower and lower of the two in quick tests."""
MELDED = "11223sCC(NNNN)(123s)+3s"


class Fingers:
    """Taps what is in sight, and counts."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, found, scrolling=False):
        found = found.first
        found.wait_for()
        box, height = found.bounding_box(), self.page.viewport_size["height"]
        if not scrolling:
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height - 56, "it is below the fold"
        found.tap()
        self.taps += 1

    def tile(self, name):
        self.tap(self.page.get_by_role("button", name=re.compile(f"^(吃 |碰 |明杠 )?{name}.*，余")))

    def button(self, name, **more):
        self.tap(self.page.get_by_role("button", name=name, exact=True), **more)


@pytest.fixture
def small(visit):
    """A phone whose browser shows its bars, at the calculator."""

    def opened(address, size):
        page = visit(address, size="bars")
        page.set_viewport_size(size)
        return page, Fingers(page)

    return opened


@pytest.mark.parametrize("size", SIZES)
def test_a_plain_hand_is_fourteen_taps_without_scrolling(small, size):
    page, fingers = small("/calculator?rules=lingque-29&h=", size)
    for name in [
        "二万",
        "三万",
        "四万",
        "二筒",
        "三筒",
        "四筒",
        "二索",
        "三索",
        "四索",
        "四索",
        "五索",
        "六索",
        "七索",
        "四索",
    ]:
        fingers.tile(name)
    page.get_by_text("48 点 · 可和").wait_for()
    assert fingers.taps == 14
    assert page.evaluate("scrollY") == 0
    hand = page.locator("[data-hand]").bounding_box()
    assert hand["height"] < 60, "the hand is one row"
    assert page.evaluate(TOO_WIDE) <= 0


@pytest.mark.parametrize("size", SIZES)
def test_a_hand_with_melds_and_all_around_it_is_sixteen_taps(small, size):
    page, fingers = small("/calculator?rules=lingque-29&h=", size)
    for name in ["一索", "一索", "二索", "二索", "三索", "红中", "红中"]:
        fingers.tile(name)
    fingers.button("明杠")
    fingers.tile("北")
    fingers.button("吃")
    fingers.tile("一索")
    fingers.tile("三索")
    assert page.input_value("#notation") == MELDED
    for name in ("自摸", "北", "岭上开花", "春"):
        page.wait_for_function(
            "n => [...document.querySelectorAll('button')].some(b => b.textContent.trim() === n)", arg=name
        )
        fingers.button(name, scrolling=True)
    expected = quepu.score(MELDED, "lingque-29", seat="N", self_draw=True, circumstances=["岭上开花"], flowers=["春"])
    page.get_by_role("region", name="结果").locator(".points").get_by_text(str(expected.total), exact=True).wait_for()
    assert fingers.taps == 16


@pytest.mark.quick
@pytest.mark.parametrize("size", SIZES)
def test_another_winning_tile_is_two_taps(small, size):
    page, fingers = small("/calculator?rules=lingque-29&h=234m234p2344567s%2B4s", size)
    page.get_by_text("48 点 · 可和").wait_for()
    fingers.tap(page.get_by_role("button", name="七索：设为和张或移走"))
    fingers.button("和张")
    assert page.input_value("#notation") == "234m234p2344456s+7s"
    assert fingers.taps == 2
    total = quepu.score("234m234p2344456s+7s", "lingque-29").total
    page.get_by_text(f"{total} 点").first.wait_for()
    fingers.tap(page.get_by_role("button", name="二万：设为和张或移走"))
    fingers.tap(page.get_by_role("button", name="右边一张"))
    fingers.button("移走")
    assert page.input_value("#notation") == "24m234p2344456s+7s"


def test_a_phone_that_lies_flat_shows_hand_keys_and_result_at_once(visit):
    page = visit("/calculator?rules=lingque-29&h=234m234p2344567s%2B4s", size="bars")
    page.set_viewport_size({"width": 844, "height": 390})
    page.get_by_text("12 副 4 翻 48 点").first.wait_for()
    keys = page.get_by_role("region", name="选牌").get_by_role("button")
    assert keys.count() == 34 + 6 + 1
    shown = [page.locator("#notation"), page.locator("[data-hand] .tile").last, page.get_by_text("可和 · 起和 10 点")]
    for one in (*keys.all(), *shown):
        box = one.bounding_box()
        assert 0 <= box["y"] < box["y"] + box["height"] <= 390, one
    assert page.evaluate("scrollY") == 0
    assert page.evaluate(TOO_WIDE) <= 0


def test_fourteen_unmarked_tiles_are_called_a_win(visit):
    page = visit("/calculator?rules=guobiao&h=")
    page.fill("#notation", "一万二万三万四筒五筒六筒七索八索九索东东东中中")
    result = page.get_by_role("region", name="结果")
    result.get_by_text("可和。和张是哪张？").first.wait_for()
    assert result.get_by_role("button").count() == 11
    assert result.locator("button.last").get_attribute("aria-label") == "和张是红中：21，最后输入的"
    page.keyboard.press("Enter")
    result.get_by_text("单钓将").first.wait_for()
    assert page.input_value("#notation") == "123m456p789sEEEC+C"
    page.fill("#notation", "123m456p789sCPEEN")
    result.get_by_text("差 1 步听牌，多余 北、中、白。").first.wait_for()
    page.fill("#notation", "123m456p789sCCEEE")
    result.get_by_role("button", name="和张是東", exact=False).or_(
        result.get_by_role("button", name="和张是东", exact=False)
    ).first.click()
    assert page.input_value("#notation") == "123m456p789sEECC+E"


@pytest.mark.quick
def test_a_text_that_is_wrong_is_not_worked_out(small):
    page, _ = small("/calculator?rules=guobiao&h=", PHONES[1])
    page.fill("#notation", "12x")
    page.get_by_text("第 3 个字符").wait_for()
    assert page.get_by_text("正在算").count() == 0  # nothing is worked out until the text is mended
    assert page.locator(".peek").count() == 0


SLOW = """() => {
    const plain = window.fetch;
    window.held = [];
    window.fetch = async (...asked) => {
        if (/api/.test(String(asked[0]))) await new Promise((done) => window.held.push(done));
        return plain(...asked);
    };
}"""


@pytest.mark.quick
def test_an_old_answer_never_looks_like_the_present_one(visit):
    page = visit("/calculator?rules=lingque-29&h=234m234p2344567s%2B4s", size="bars")
    result = page.get_by_role("region", name="结果")
    result.locator(".points").get_by_text("48").wait_for()
    page.get_by_text("48 点 · 可和").wait_for()
    page.evaluate(SLOW)
    page.get_by_role("button", name="退一张").tap()
    page.get_by_role("button", name=re.compile("^七索，余")).tap()
    page.get_by_text("正在计算；下面仍是 234m234p2344567s+4s 的结果。").wait_for()
    assert page.get_by_text("48 点 · 可和").count() == 0
    assert page.locator(".peek").inner_text() == "正在算…"
    for name in ("结果", "听牌", "谁付谁"):
        section = page.get_by_role("region", name=name)
        page.wait_for_function("e => getComputedStyle(e).filter === 'grayscale(1)'", arg=section.element_handle())
    page.evaluate("() => { const all = held.splice(0); held.push = (one) => one(); for (const one of all) one(); }")
    result.locator(".points").get_by_text("40").wait_for()
    page.get_by_text("40 点").first.wait_for()
    assert page.get_by_text("下面仍是").count() == 0
    page.wait_for_function("e => getComputedStyle(e).filter === 'none'", arg=result.element_handle())


@pytest.mark.parametrize("works", [True, False])
def test_copying_works_where_the_connection_is_not_secure(visit, works):
    page = visit("/calculator?rules=lingque-29&h=234m234p2344567s%2B4s")
    page.get_by_role("region", name="结果").locator(".points").get_by_text("48").wait_for()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.evaluate(
        """(works) => {
            window.copied = null;
            document.execCommand = () => (works ? ((window.copied = document.activeElement.value), true) : false);
        }""",
        works,
    )
    page.get_by_role("button", name="分享").click()
    page.get_by_role("button", name="复制").first.click()
    page.get_by_role("status").get_by_text("已复制" if works else "已选中，请复制。").wait_for()
    if works:
        assert page.evaluate("copied") == page.input_value("#share-link")
    else:
        assert page.evaluate("document.activeElement.id") == "share-link"


@pytest.mark.quick
def test_a_hand_prints_on_one_sheet_from_a_phone(small):
    page, _ = small("/calculator?rules=lingque-29&h=234m234p2344567s%2B4s", PHONES[0])
    page.get_by_text("12 副 4 翻 48 点").first.wait_for()
    page.get_by_text("南家 付 东家").first.wait_for()
    page.get_by_role("region", name="听牌").get_by_text("四索").first.wait_for()
    page.emulate_media(media="print")
    page.get_by_text("点和，门风东").wait_for()
    for control in ("自定规则…", "退一张", "同一手牌，另一本规则"):
        assert not page.get_by_text(control).first.is_visible()
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1


# The words drawn into pictures, and whether the right edge of one (its bytes) is empty paper.
_DRAWN = """() => {
    window.drawn = [];
    const fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        window.drawn.push(text);
        return fill.call(this, text, ...at);
    };
}"""
_EDGE = """async (bytes) => {
    const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const paper = new OffscreenCanvas(40, picture.height).getContext('2d');
    paper.drawImage(picture, 40 - picture.width, 0);
    const {data} = paper.getImageData(0, 0, 40, picture.height);
    return data.every((one, at) => one === data[at % 4]);
}"""


def test_an_english_picture_has_english_names_and_nothing_is_cut(visit):
    page = visit("/calculator?rules=canton&h=23457m45556p(234p)%2B6m", lang="en")
    page.get_by_text("half odd, half even").first.wait_for()
    page.evaluate(_DRAWN)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("dialog").locator("img").wait_for()
    with page.expect_download() as caught:
        page.get_by_role("button", name="PNG").click()
    with open(caught.value.path(), "rb") as picture:
        assert page.evaluate(_EDGE, list(picture.read())) is True
    drawn = page.evaluate("window.drawn")
    assert any("half odd, half even" in words for words in drawn), drawn
    assert any(words.startswith("quepu") for words in drawn)

"""Every page in its main states: where to go and what to do there. Used wherever all of them are looked at."""

import re

HAND = "234m234p2344567s%2B4s"
MELDED = "345s2p(CCC)(FFF)(789s)%2B2p"


def _press(*names):
    """Press buttons one after another."""

    def act(page):
        for name in names:
            page.get_by_role("button", name=name).locator("visible=true").first.click()

    return act


def _then(*acts):
    def act(page):
        for one in acts:
            one(page)

    return act


def _open_details(page):
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")


def _type(text):
    return lambda page: page.fill("#notation", text)


def _first_fan(page):
    page.locator("[data-fan]").nth(3).click()


def _search(text):
    return lambda page: page.get_by_role("searchbox").fill(text)


def _table(book):
    """Open a table under a book, with long names."""

    def act(page):
        page.goto(page.url.split("/scorekeeper")[0] + "/scorekeeper")
        page.locator("header select").select_option(book)
        for i, name in enumerate(["欧阳长名", "周", "Konstantin Lee", "许"]):
            page.locator("form input").nth(i).fill(name)
        page.get_by_role("button", name=re.compile("开始记分|Start")).click()
        page.get_by_role("region", name=re.compile("记一|Enter a hand")).wait_for()

    return act


def _hand(winner, discarder, points):
    """One hand written down by its points."""

    def act(page):
        form = page.locator("form").first
        rows = page.locator("table tbody tr:visible")  # those of the print are not
        before = rows.count()
        groups = form.locator("[role=group]")
        groups.nth(1).get_by_role("button").nth(winner).click()
        groups.nth(2).get_by_role("button").nth(winner if discarder is None else discarder).click()
        form.get_by_role("spinbutton").last.fill(str(points))
        form.locator("button.main").click()
        rows.nth(before).wait_for()

    return act


def _choose(winner, payer):
    def act(page):
        groups = page.locator("form").first.locator("[role=group]")
        groups.nth(1).get_by_role("button").nth(winner).click()
        groups.nth(2).get_by_role("button").nth(payer).click()

    return act


def _points(points):
    def act(page):
        page.locator("form").first.get_by_role("spinbutton").last.fill(str(points))
        page.locator(".told").wait_for()

    return act


def _result(n):
    return lambda page: page.locator("form").first.locator("[role=group]").nth(0).get_by_role("button").nth(n).click()


def _players(page):
    page.goto(page.url.rsplit("/", 1)[0] + "/players")
    page.locator("tbody tr").nth(3).wait_for()


def _answered(page):
    if page.locator(".chip:visible").count():
        page.locator(".chip:visible").first.click()
    else:
        page.locator("button.pick").first.click()
    page.locator(".go .main").click()
    page.locator("#next").wait_for()


STATES = {
    "home": ("/", None),
    "calc-empty": ("/calculator?rules=lingque-29&h=", None),
    "calc-won": (f"/calculator?rules=lingque-29&h={HAND}", _open_details),
    "calc-melds": (f"/calculator?rules=lingque-29&h={MELDED}&from=LAL&flowers=春,兰", None),
    "calc-waits": ("/calculator?rules=guobiao&h=123m456p(789s)(EEE)C", None),
    "calc-thirteen": ("/calculator?rules=yuque-54&h=2223334445556m", None),
    "calc-far": ("/calculator?rules=canton&h=147m258p369sESWN", None),
    "calc-discards": ("/calculator?rules=guobiao&h=123m456p789s(EEE)C1s", None),
    "calc-seen": ("/calculator?rules=guobiao&h=234m234p2344567s&seen=4477s", _press(re.compile("^(见过|Seen)"))),
    "calc-wrong": ("/calculator?rules=guobiao&h=", _type("12x")),
    "calc-low": ("/calculator?rules=guobiao&h=123m22456567p78s%2B9s", None),
    "calc-share": (f"/calculator?rules=lingque-29&h={HAND}", _press(re.compile("^(分享|Share)$"))),
    "calc-house": (f"/calculator?rules=lingque-29&h={HAND}", _press(re.compile("^(自定规则|House rules)"))),
    "fans": ("/rulebooks/lingque-29", None),
    "fan": ("/rulebooks/lingque-29", _first_fan),
    "fans-search": ("/rulebooks/guobiao", _search("shun")),
    "fans-none": ("/rulebooks/guobiao", _search("xyzzy")),
    "fans-diff": ("/rulebooks/lingque-29?view=diff", None),
    "fans-rules": ("/rulebooks/yuque-54?view=rules", None),
    "fans-questions": ("/rulebooks/yuque-54?view=questions", None),
    "fans-rulings": ("/rulebooks/lingque-29?view=rulings", None),
    "fans-print": ("/rulebooks/guobiao?view=print", None),
    "fans-missing": ("/rulebooks/nosuchbook", None),
    "scores-empty": ("/scorekeeper", None),
    "scores-new": ("/scorekeeper", _table("lingque-29")),
    "scores-some": ("/scorekeeper", _then(_table("lingque-29"), _hand(1, 0, 48), _hand(0, None, 30), _hand(2, 3, 12))),
    "scores-lobby": ("/scorekeeper", _then(_table("guobiao"), lambda page: page.goto(page.url.rsplit("/", 1)[0]))),
    "scores-choosing": ("/scorekeeper", _then(_table("lingque-29"), _choose(1, 0))),
    "scores-typed": ("/scorekeeper", _then(_table("lingque-29"), _choose(2, 2), _open_details, _points(48))),
    "scores-yuque-win": ("/scorekeeper", _then(_table("yuque-54"), _choose(1, 0), _open_details)),
    "scores-yuque": ("/scorekeeper", _then(_table("yuque-54"), _result(1))),
    "scores-penalty": ("/scorekeeper", _then(_table("yuque-54"), _result(2))),
    "scores-tiles": (
        "/scorekeeper",
        _then(_table("guobiao"), _press(re.compile("^(写牌|Tiles)$"), re.compile("^(点牌|Pick)$"))),
    ),
    "scores-edit": (
        "/scorekeeper",
        _then(_table("guobiao"), _hand(1, 0, 24), _press(re.compile("^(改第|Edit record)"))),
    ),
    "players": ("/scorekeeper", _then(_table("lingque-29"), _hand(1, 0, 48), _players)),
    "scores-missing": ("/scorekeeper/nosuchtable", None),
    "club": ("/scorekeeper/club/%E5%91%A8%E4%BA%94%E7%A4%BE%E5%9B%A2", None),
    "practice-fans": ("/practice?rules=lingque-29&kind=fans&level=2&seed=6", None),
    "practice-answered": ("/practice?rules=lingque-29&kind=fans&level=2&seed=6", _answered),
    "practice-points": ("/practice?rules=lingque-29&kind=points&level=3&seed=6", None),
    "practice-waits": ("/practice?rules=guobiao&kind=waits&level=2&seed=6", None),
    "practice-waits-answered": ("/practice?rules=guobiao&kind=waits&level=2&seed=6", _answered),
    "practice-pays": ("/practice?rules=yuque-54&kind=pays&level=1&seed=4", None),
    "settings": ("/", _press(re.compile("^(设置|Settings)$"))),
    "help": ("/", lambda page: page.keyboard.press("?")),
    "no-such-page": ("/no/such/page", None),
}
"""name → address, and what to do there."""

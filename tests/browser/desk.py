"""What tests of the desk do on its pages and at its address."""

import re

import httpx

web = httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
"""Patient: a crowded machine answers late."""


def pages(page):
    """Sheets of A4 that a page is printed on."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def part(page, name):
    """Have a phone show a part of the desk."""
    page.get_by_role("group", name=re.compile("显示内容|View")).get_by_role("button", name=name).click()


def slip(page, table, *points):
    """The form of a table's result, filled in."""
    rounds = page.get_by_role("region", name=re.compile(r"^第 \d 轮$"))
    rounds.first.locator("li").nth(table - 1).get_by_role("button", name=re.compile("填成绩|改成绩")).click()
    form = page.get_by_role("dialog")
    for field, number in zip(form.locator("input[type=number]").all(), points, strict=False):
        field.fill(str(number))
    return form


def written(form):
    form.locator("form button.main").click()
    form.wait_for(state="detached")


def opened(site, *records, players=8, rules="guobiao-mcr", called="选手{}"):
    """The id of a desk with so many players in teams, and what was written there."""
    names = ["Konstantin,Red", "欧阳长名,Red", *(f"{called.format(i)},Blue" for i in range(3, players + 1))]
    body = {
        "who": "0123456789ab",
        "title": "周五赛",
        "rules": rules,
        "players": names,
        "order": ["total", "standard", "met"],
    }
    view = web.post(f"{site}/api/desks", json=body).json()
    path = f"{site}/api/desks/{view['id']}"
    for record in records:
        view = web.post(path, json={"seen": view["length"], "record": record}).json()
    return view["id"]


DRAWN = {"do": "draw", "rounds": 4, "by": "schedule"}
SLIP = {"do": "slip", "round": 1, "table": 1, "points": [324, 48, -48, -324], "note": ""}

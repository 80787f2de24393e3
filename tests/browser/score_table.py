"""A table of the scorekeeper with four names."""

import re

import pytest

NAMES = ["林", "周", "何", "许"]
FIRST_OF_THREE = ["lingque-29", *(pytest.param(name, marks=pytest.mark.slow) for name in ("guobiao", "canton"))]
COUNT = "window.taps = 0; addEventListener('click', (event) => { if (event.isTrusted) window.taps++; }, true);"


def table(visit, book="lingque-29", size="phone"):
    """A fresh table with four names."""
    page = visit("/scorekeeper", size=size, book=book)
    for i, name in enumerate(NAMES):
        page.locator("form input").nth(i).fill(name)
    page.get_by_role("button", name="开始记分").click()
    page.get_by_role("region", name=re.compile("^记一")).wait_for()
    return page

"""Tests of the pages in a real browser."""

import os
import shutil


def browser_path() -> str | None:
    """QUEPU_CHROMIUM, else Debian's build without windows (it starts a page for less than half the work), else any."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return os.environ.get("QUEPU_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)

"""`quepu booklet`: a rulebook or draft typeset for paper, as HTML or, where a Chromium is installed, as PDF."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from quepu.cli import parameters
from quepu.cli.files import ending, writable, write
from quepu.cli.inputs import rulebook
from quepu.cli.lab_output import progress
from quepu.cli.screen import note
from quepu.cli.texts import Chosen, say
from quepu.errors import HandError

_BROWSERS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge",
    "chromium-headless-shell",
)  # fmt: skip
_SECONDS = 180


@parameters.command(
    "booklet",
    parameters.book_argument("rules", "arg.rules"),
    parameters.text("--output", "-o", "output", help="opt.booklet.output", metavar="FILE", default="booklet.html"),
    parameters.text("--since", help="opt.booklet.since", metavar="RULES"),
    parameters.text("--paper", help="opt.booklet.paper", metavar="A4|A5", default="A4"),
    parameters.flag("--sheet", help="opt.booklet.sheet"),
    parameters.flag("--pictures", help="opt.booklet.pictures"),
)
def command(rules: str, output: str, since: str, paper: str, sheet: bool, pictures: bool) -> int:
    """Booklet."""
    from quepu.rulebooks import find_registered
    from quepu.scoring.booklet import booklet, fan_sheet, tile_sheet

    writable(output)
    pdf = ending(output, ".html", ".pdf") == ".pdf"
    paper = paper.upper()
    if paper not in ("A4", "A5"):
        raise HandError("--paper 可取 A4、A5。", "--paper must be A4 or A5.")
    book = rulebook(rules)
    base = find_registered(book)
    old = rulebook(since) if since else base if base.fingerprint != book.fingerprint else None
    if base is not book and importlib.util.find_spec("numpy") is not None:  # without it, fans may lack an example
        from quepu.lab.draft_effects import add_examples

        with progress(say("booklet.examples")):
            book = add_examples(book)
    page = (
        tile_sheet(book, Chosen.lang, paper)
        if pictures
        else fan_sheet(book, Chosen.lang, paper)
        if sheet
        else booklet(book, Chosen.lang, old, paper)
    )
    if not pdf:
        write(page, output)
        return 0
    _print(page, output)
    note(say("lab.written", path=output))
    return 0


def _print(page: str, path: str) -> None:
    """Print the page as PDF with a browser of this machine.

    Raises:
        HandError: no browser was found, or it fails.
    """
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise HandError(
            "存成 PDF 需要 Chromium，这里没有安装；可存成 .html，在浏览器里打印。",
            "writing a PDF needs Chromium, which is not installed; write .html and print it in a browser.",
        )
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "booklet.html"), Path(folder, "booklet.pdf")
        source.write_text(page, "utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder}/p"]
        command = [browser, *flags, f"--print-to-pdf={made}", source.as_uri()]
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603  # a found browser
        if not made.is_file():
            raise HandError("Chromium 未能生成 PDF。", "Chromium failed to write the PDF.")
        shutil.copyfile(made, path)

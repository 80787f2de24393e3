"""`quepu duplicate deal|score`: slips for the trays of a duplicate session, and its standings in IMPs."""

from __future__ import annotations

import csv
import io
import json as json_
import secrets
from pathlib import Path

from quepu.cli import parameters
from quepu.cli.files import writable, write
from quepu.cli.screen import print_json, show, table
from quepu.cli.texts import Chosen, say
from quepu.errors import HandError, cannot_read


@parameters.command(
    "duplicate",
    parameters.argument("what", "arg.duplicate.what", default=None, metavar="deal|score"),
    parameters.argument("file", "arg.duplicate.file"),
    parameters.number("--hands", "-n", "hands", help="opt.hands", default=16, least=1, most=100),
    parameters.text("--title", help="opt.duplicate.title", metavar="TITLE", default="quepu"),
    parameters.text("--secret", help="opt.duplicate.secret", metavar="HEX"),
    parameters.text("--slips", help="opt.duplicate.slips", metavar="FILE.html"),
    parameters.text("--walls", help="opt.duplicate.walls", metavar="FILE.json"),
    parameters.flag("--teams", help="opt.duplicate.teams"),
    parameters.text("--imps", help="opt.duplicate.imps", metavar="FILE.toml"),
    parameters.text("--csv", help="opt.csv", metavar="FILE"),
    parameters.json(),
)
def command(what: str, file: str, json: bool, **given: str) -> int:
    """Deal or score a duplicate session."""
    if what == "deal" and not file:
        return _deal(int(given["hands"]), given["title"], given["secret"], given["slips"], given["walls"])
    if what == "score" and file:
        return _score(file, bool(given["teams"]), given["imps"], given["csv"], json)
    raise HandError(
        "写 quepu duplicate deal，或 quepu duplicate score 成绩.csv。",
        "use quepu duplicate deal, or quepu duplicate score RESULTS.csv.",
    )


def _deal(hands: int, title: str, secret: str, slips: str, walls: str) -> int:
    """Write the slips and the walls of some hands; print the commitment to them."""
    from quepu.table.mixed_wall import SECRET
    from quepu.tournament.duplicate import own_wall_file, own_walls, slips_page
    from quepu.tournament.walls import commitment_to

    writable(slips, walls)
    if not slips and not walls:
        raise HandError(
            "请用 --slips 写出牌条，或用 --walls 写出牌墙。",
            "name a file for the slips (--slips) or the walls (--walls).",
        )
    if slips == walls:
        raise HandError(
            f"牌条和牌墙要写到两个文件，不能都写 {slips}。",
            f"slips and walls are two files: {slips} cannot be both.",
        )
    if walls and Path(walls).is_file():  # a secret is nowhere else: once overwritten, nobody can check the walls
        raise HandError(
            f"{walls} 已经有了，里面可能是已公布承诺的牌墙：请换一个文件名，或先把它移走。",
            f"{walls} exists and may hold walls whose commitment was published: choose another name, or move it first.",
        )
    secret = secret or secrets.token_hex(32)
    if not SECRET.fullmatch(secret):
        raise HandError("密数应是 64 位十六进制。", "a secret is 64 hexadecimal digits.")
    if slips:
        write(slips_page(title, own_walls(secret, hands), Chosen.lang), slips)
    if walls:
        write(json_.dumps(own_wall_file(title, secret, hands), ensure_ascii=False, indent=1) + "\n", walls)
    if "-" not in (slips, walls):
        print(say("duplicate.commitment", commitment=commitment_to(secret)))
    return 0


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as wrong:
        if isinstance(wrong, OSError):
            raise cannot_read(path, wrong) from None
        raise HandError(f"{path} 不是 UTF-8 文本。", f"{path} is not UTF-8 text.") from None


def _score(file: str, in_teams: bool, imps: str, csv_file: str, json: bool) -> int:
    """Show the standings of results."""
    from quepu.tournament.duplicate import IMPS, Line, individual, read_imps, read_results, teams

    writable(csv_file, json=json)
    results = read_results(_read(file))
    least = read_imps(_read(imps)) if imps else IMPS
    lines = (teams if in_teams else individual)(results, least)
    if csv_file:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(Line._fields)
        writer.writerows(lines)
        write(out.getvalue(), csv_file)
    if json:
        print_json([line._asdict() for line in lines])
    elif csv_file != "-":
        who = "duplicate.team" if in_teams else "duplicate.name"
        heads = ("duplicate.rank", who, "duplicate.imps", "duplicate.difference", "duplicate.points", "duplicate.hands")
        grid = table([say(head) for head in heads], right=[0, 2, 3, 4, 5])
        for line in lines:
            cells = f"{line.imps:+d}", f"{line.difference:+.1f}", f"{line.points:+d}", str(line.hands)
            grid.add_row(str(line.rank), line.name, *cells)
        show(grid)
    return 0

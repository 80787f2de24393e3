"""`quepu waits`: what a hand waits for and what each tile would score; or what each discard would wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quepu.cli import options
from quepu.cli.inputs import hand_of, names_of, rulebook, situated, speaking_of
from quepu.cli.texts import Chosen, say, spoken
from quepu.errors import HandError
from quepu.hand import Hand
from quepu.notation import tiles

if TYPE_CHECKING:
    from rich.text import Text

    from quepu.rulebook import Rulebook
    from quepu.scoring import Score
    from quepu.waiting import Choice, Outlook

_CHOICES_SHOWN = 6


@options.command(
    "waits",
    options.hand("arg.hand.waits"),
    options.rules(),
    *options.winds(),
    options.luck(),
    options.flowers(),
    options.text("--seen", help="opt.seen", metavar="TILES"),
    options.flag("--all", "-a", "all_", help="opt.all"),
    options.flag("--payable", "-p", help="opt.payable"),
    options.json(),
)
def command(
    hand: str,
    rules: str,
    seat: str,
    round: str,
    with_: tuple[str, ...],
    flowers: str,
    seen: str,
    all_: bool,
    payable: bool,
    json: bool,
) -> int:
    """Waits."""
    around: dict[str, object] = {
        "seat": seat,
        "round": round,
        "circumstances": names_of(with_),
        "flowers": flowers,
    }
    return look(hand, rules, around, seen, json=json, every=all_, payable=payable)


def look(
    text: str,
    rules: str,
    around: dict[str, object],
    seen: str,
    *,
    json: bool,
    every: bool,
    payable: bool = False,
) -> int:
    """Show the waits of 13 tiles, or where each discard of 14 leads; with `payable`, the way to a hand that may win."""
    from quepu.cli.screen import print_json, show
    from quepu.waiting import choices, marked, outlook

    if not text.strip():
        raise HandError(
            "请写 13 张手牌，例如：quepu waits '123m456p789sCCEE'。",
            "write 13 tiles, such as: quepu waits '123m456p789sCCEE'.",
        )
    book = rulebook(rules)
    with speaking_of(seen):
        open_tiles = tiles(seen)
    with speaking_of(text):
        hand = marked(situated(hand_of(text), book, around))
        if hand.winning is None:
            found: Outlook | list[Choice] = outlook(hand, book, open_tiles)
        else:
            found = choices(hand, book, open_tiles)
    if payable:
        from quepu.cli.payable import plan, show_plan

        made = plan(hand, book, open_tiles)
        if json:
            print_json(made)
        else:
            show_plan(made)
        return 0
    if isinstance(found, list):
        if json:
            print_json({"choices": [c.to_json(Chosen.lang) for c in found]})
        else:
            show_choices(hand, found, book, every)
        return 0
    worth = _worth(hand, book, open_tiles)
    if json:
        told = found.to_json(Chosen.lang)
        print_json(told if worth is None else {**told, "ready_value": worth})
    else:
        show_outlook(found, book)
        if worth is not None:
            show(f"  {say('waits.worth', points=worth, unit=spoken(book.unit))}")
    return 0


def _worth(hand: Hand, book: Rulebook, seen: tuple[int, ...]) -> int | None:
    """What the hand is worth for being ready at the end, in a book that pays for it; None if it is not."""
    from quepu.play_rules import play_rules

    value = play_rules(book).ready_value if book.play else None
    if value is None:
        return None
    visible = hand.counts()
    for kind in seen:
        visible[kind] += 1
    return value(hand, book, visible)


def _head(hand: Hand, book: Rulebook) -> None:
    from rich.text import Text

    from quepu.cli.screen import hand_row, show

    show(Text(spoken(book.title), style="bold"))
    show(Text("  ") + hand_row(hand), "")


def _state(look: Outlook) -> str:
    left = look.tiles_left
    if look.waits:
        return say("waits.head" if left else "waits.dead", n=len(look.waits), left=left)
    return say("waits.not_ready", steps=max(1, look.missing - 1), n=len(look.useful), left=left)


def show_outlook(look: Outlook, book: Rulebook) -> None:
    """Waits with their points, or the tiles that help."""
    from rich.text import Text

    from quepu.cli.screen import show, table, tile_row

    _head(look.hand, book)
    show(Text(f"  {_state(look)}", style="bold"), "")
    if not look.waits:
        show(_useful(look))
        return
    heads = ["head.tile", "head.left", "head.by_discard", "head.by_self_draw", "head.fan", "head.note"]
    grid = table([say(head) for head in heads], right=[1, 2, 3], wrap=[4, 5])
    for wait in look.waits:
        fans = " ".join(str(fan) for fan in (wait.by_discard if wait.by_discard.can_win else wait.by_self_draw).fans)
        grid.add_row(
            tile_row([wait.tile]),
            str(wait.left),
            _points(wait.by_discard),
            _points(wait.by_self_draw),
            fans,
            Text(spoken(wait.reason) if wait.reason else "", style="yellow"),
            style="" if wait.can_win else "dim",
        )
    show(grid)


def _points(score: Score) -> Text:
    from rich.text import Text

    return Text(str(score.total), style="bold green" if score.can_win else "dim")


def _useful(look: Outlook) -> Text:
    """Tiles that help, each with the copies left."""
    from rich.text import Text

    from quepu.cli.screen import tile_row

    row = Text("  ")
    for kind, left in look.useful:
        row = row + tile_row([kind]) + Text(f"×{left}  ", style="dim")
    return row


def show_choices(hand: Hand, found: list[Choice], book: Rulebook, every: bool) -> None:
    """What each discard leads to; the best few unless `every`."""
    from rich.text import Text

    from quepu.cli.screen import show, table, tile_row

    tiles_held = hand.concealed if hand.winning is None else tuple(sorted((*hand.concealed, hand.winning)))
    _head(hand._replace(concealed=tiles_held, winning=None), book)
    nearest = found[0].outlook.missing
    shown = found if every else [c for c in found if c.outlook.missing == nearest] or found[:_CHOICES_SHOWN]
    heads = ["head.discard", "head.state", "head.left", "head.useful"]
    grid = table([say(head) for head in heads], right=[2], wrap=[3])
    for choice in shown:
        look = choice.outlook
        state = say("ready") if look.waits else say("steps", n=max(1, look.missing - 1))
        row = Text()
        if look.waits:
            for wait in look.waits:
                row = row + tile_row([wait.tile]) + Text(f"×{wait.left} ", style="dim")
                row = row + _points(wait.by_discard) + Text("/") + _points(wait.by_self_draw) + Text("   ")
        else:
            row = _useful(look)
        grid.add_row(tile_row([choice.discard]), state, str(look.tiles_left), row)
    show(grid)
    if len(shown) < len(found):
        show("", Text(f"  {say('waits.more', n=len(found) - len(shown))}", style="dim"))

"""`quepu waits`: a hand's waits and the score of each tile, or the waits after each discard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Unpack

from quepu.cli import parameters
from quepu.cli.inputs import HandOptions, apply_situation, each_hand, error_source, hand_of, rulebook, settings_of
from quepu.cli.terminal_lines import Styled
from quepu.cli.texts import Chosen, pick, say, spoken
from quepu.errors import HandError
from quepu.hands.hand import Hand
from quepu.hands.notation import tiles
from quepu.shapes.distance import readiness_text
from quepu.tiles import CHINESE, NAMES, SIMPLIFIED

if TYPE_CHECKING:
    from quepu.rules.play_rules import ReadyHand
    from quepu.rules.rulebook import Rulebook
    from quepu.scoring.completion import Completed
    from quepu.scoring.score import Score
    from quepu.scoring.waits import Choice, Outlook, Wait


_CHOICES_SHOWN = 6


@parameters.command(
    "waits",
    parameters.hand("arg.hand.waits", piped=True),
    parameters.rules(),
    *parameters.winds(),
    parameters.self_draw(),
    parameters.luck(),
    parameters.flowers(),
    parameters.text("--seen", help="opt.seen", metavar="TILES"),
    parameters.flag("--all", "-a", "all_", help="opt.all"),
    parameters.flag("--payable", "-p", help="opt.payable"),
    parameters.json(),
)
def command(
    hand: str,
    rules: str,
    seen: str,
    all_: bool,
    payable: bool,
    json: bool,
    **options: Unpack[HandOptions],
) -> int:
    """Waits."""
    settings: dict[str, object] = settings_of(options) | {"waiting": True}
    return each_hand(
        hand, lambda text: look(text, rules, settings, seen, json=json, every=all_, payable=payable), json=json
    )


def look(
    text: str,
    rules: str,
    settings: dict[str, object],
    seen: str,
    *,
    json: bool,
    every: bool,
    payable: bool = False,
) -> int:
    """Show the waits of 13 tiles, or the result of each discard of 14; with `payable`, the way to a valid hand."""
    from quepu.cli.screen import print_json, show
    from quepu.scoring.waits import choices, mark_winning, outlook

    if not text.strip():
        raise HandError(
            "请写 13 张手牌，例如：quepu waits '123m456p789sCCEE'。",
            "give 13 tiles, for example: quepu waits '123m456p789sCCEE'.",
        )
    book = rulebook(rules)
    with error_source(seen):
        open_tiles = tiles(seen)
    with error_source(text):
        hand = mark_winning(apply_situation(hand_of(text), book, settings))
        if hand.winning is None:
            found: Outlook | list[Choice] = outlook(hand, book, open_tiles)
        else:
            found = choices(hand, book, open_tiles)
    if payable:
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
    value = _value_text(hand, book, open_tiles)
    if json:
        data = found.to_json(Chosen.lang)
        print_json(data if value is None else {**data, **_value_json(value)})
    else:
        show_outlook(found, book)
        if value is not None:
            from quepu.match.words import ready_text
            from quepu.rules.play_rules import play_rules

            show(f"  {say('waits.worth', text=spoken(ready_text(value, play_rules(book))))}")
    return 0


def _value_text(hand: Hand, book: Rulebook, seen: tuple[int, ...]) -> ReadyHand | None:
    """Return the hand's value for being ready at the end, in a book that pays for it; None if it is not ready."""
    from quepu.rules.play_rules import play_rules

    value = play_rules(book).ready_value if book.play else None
    if value is None:
        return None
    visible = hand.counts()
    for kind in seen:
        visible[kind] += 1
    return value(hand, book, visible)


def _value_json(value: ReadyHand) -> dict[str, Any]:
    """Return the wait, points and parts of a ready hand, and its gain without a win."""
    from quepu.match.words import unwon_gain
    from quepu.rules.play_rules import play_rules
    from quepu.scoring.score import list_names
    from quepu.tiles import NAMES

    return {
        "ready_value": value.points,
        "ready": {
            "tile": NAMES[value.tile],
            "live": value.live,
            "points": value.points,
            "parts": dict(value.score.parts),
            **list_names(value.score.fans, Chosen.lang),
            "gets": unwon_gain(value, play_rules(value.score.book)),
        },
    }


def _head(hand: Hand, book: Rulebook) -> None:

    from quepu.cli.screen import hand_row, show

    show(Styled(spoken(book.title), style="bold"))
    show(Styled("  ") + hand_row(hand), "")


def _state(look: Outlook) -> str:
    left = look.tiles_left
    if look.waits:
        return say("waits.head" if left else "waits.dead", n=len(look.waits), left=left)
    steps = say("waits.not_ready", distance=spoken(readiness_text(look.missing)), n=len(look.useful), left=left)
    if look.dead:
        return say("waits.empty", tiles=" ".join(pick(SIMPLIFIED[k], NAMES[k]) for k in look.dead), steps=steps)
    return steps


def show_outlook(look: Outlook, book: Rulebook) -> None:
    """Show waits with their points, or useful tiles."""
    from quepu.cli.screen import show

    _head(look.hand, book)
    show(Styled(f"  {_state(look)}", style="bold"), "")
    if not look.waits:
        show(_useful(look))
        return
    _show_waits(look.waits)


def show_completion(found: Completed, book: Rulebook) -> None:
    """Show the score of each of fourteen tiles as the last one."""
    from quepu.cli.screen import show

    _head(found.hand, book)
    show(Styled(f"  {spoken(found.headline())}", style="bold"), "")
    _show_waits(found.tiles, left=False)
    show("", Styled(f"  {say('wins.more')}", style="dim"))


_WAYS: dict[str, Callable[[Wait], Score | None]] = {
    "by_discard": lambda wait: wait.by_discard,
    "by_self_draw": lambda wait: wait.by_self_draw,
}
"""Ways to win, by the head of their column."""


def _show_waits(waits: tuple[Wait, ...], *, left: bool = True) -> None:
    """Show one row per tile: copies left, points for each way to win, fans, why not."""
    from quepu.cli.screen import show, table, tile_row

    ways = [way for way, points in _WAYS.items() if any(points(wait) is not None for wait in waits)]
    copies = ["head.left"] if left else []
    heads = ["head.tile", *copies, *(f"head.{way}" for way in ways), "head.fan", "head.note"]
    last = len(copies) + len(ways)  # number of columns with numbers
    grid = table([say(head) for head in heads], right=[*range(1, 1 + last)], wrap=[1 + last, 2 + last])
    for wait in waits:
        best = next((score for score in wait.scores if score.can_win), wait.scores[-1] if wait.scores else None)
        grid.add_row(
            tile_row([wait.tile]),
            *([str(wait.left)] if left else []),
            *(_points(_WAYS[way](wait)) for way in ways),
            spoken(best.fan_names) if best else "",
            Styled(spoken(wait.reason) if wait.reason else "", style="yellow"),
            style="" if wait.can_win else "dim",
        )
    show(grid)


def _points(score: Score | None) -> Styled:
    if score is None:
        return Styled("—", style="dim")
    return Styled(str(score.total), style="bold green" if score.can_win else "dim")


def _useful(look: Outlook) -> Styled:
    """List the useful tiles, each with the copies left."""
    from quepu.cli.screen import tile_row

    row = Styled("  ")
    for kind, left in look.useful:
        row = row + tile_row([kind]) + Styled(f"×{left}  ", style="dim")
    return row


def show_choices(hand: Hand, found: list[Choice], book: Rulebook, every: bool) -> None:
    """Show the result of each discard; only the best few unless `every`."""
    from quepu.cli.screen import show, table, tile_row

    tiles_held = hand.concealed if hand.winning is None else tuple(sorted((*hand.concealed, hand.winning)))
    _head(hand._replace(concealed=tiles_held, winning=None), book)
    nearest = found[0].outlook.missing
    shown = found if every else [c for c in found if c.outlook.missing == nearest] or found[:_CHOICES_SHOWN]
    heads = ["head.discard", "head.state", "head.left", "head.useful"]
    grid = table([say(head) for head in heads], right=[2], wrap=[3])
    for choice in shown:
        look = choice.outlook
        state = spoken(readiness_text(look.missing))
        row = Styled()
        if look.waits:
            for wait in look.waits:
                row = row + tile_row([wait.tile]) + Styled(f"×{wait.left} ", style="dim")
                row = row + Styled("/").join(map(_points, wait.scores)) + Styled("   ")
        else:
            row = _useful(look)
        grid.add_row(tile_row([choice.discard]), state, str(look.tiles_left), row)
    show(grid)
    if len(shown) < len(found):
        show("", Styled(f"  {say('waits.more', n=len(found) - len(shown))}", style="dim"))


TURNS = 12.0
"""Draws left to the seat, as in the middle of a hand; distant hands are worth less with fewer."""


def plan(hand: Hand, book: Rulebook, seen: tuple[int, ...]) -> dict[str, Any]:
    """Return the tiles missing to the nearest valid hand (None: none is left), and each discard's share."""
    import numpy as np

    from quepu.fast.nearest.payable import FAR, Payable, rates

    unseen = 4 - np.array(hand.counts())
    for kind in seen:
        unseen[kind] -= 1
    unseen = np.maximum(unseen, 0)
    look = Payable(book).look(hand, unseen, 1, rates(TURNS, int(unseen.sum())))
    concealed = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
    held = sorted(set(concealed))
    share = {kind: float(look.values[kind]) for kind in held} if len(concealed) % 3 == 2 else {}
    most = max(share.values(), default=0.0)
    values = [
        {"discard": NAMES[kind], "name": CHINESE[kind], "keeps": round(value / most, 4) if most else 0.0}
        for kind, value in sorted(share.items(), key=lambda item: (-item[1], item[0]))
    ]
    return {"missing": None if look.missing >= FAR else look.missing, "minimum": book.minimum, "discards": values}


def show_plan(made: dict[str, Any]) -> None:
    """Print the plan in words and bars."""
    from quepu.cli.screen import show, table, tile_row
    from quepu.cli.texts import say, spoken
    from quepu.shapes.distance import win_text

    if made["missing"] is None:
        show(f"  {say('payable.none')}")
        return
    distance = spoken(win_text(made["missing"]))
    show(f"  {say('payable.missing', distance=distance, minimum=made['minimum'])}")
    if not made["discards"]:
        return
    grid = table([say("payable.discard"), say("payable.keeps"), ""], right=[1])
    for line in made["discards"]:
        tile = NAMES.index(line["discard"])
        bar = Styled("█" * round(line["keeps"] * 24), style="green")
        grid.add_row(tile_row([tile]), f"{line['keeps']:.0%}", bar)
    show(grid)

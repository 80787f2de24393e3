"""`quepu explore STORE FILTER`: ask stored discards: how often they were won on, and the result of the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quepu.cli import parameters
from quepu.cli.screen import print_json, show, table
from quepu.cli.texts import Chosen, say, spoken
from quepu.errors import HandError

if TYPE_CHECKING:
    from quepu.explorer.store import Answer


def _by(*_: Any) -> list[str]:
    from quepu.explorer.filters import GROUPS

    return list(GROUPS)


@parameters.command(
    "explore",
    parameters.argument("store", "arg.store", default=None),
    parameters.argument("terms", "arg.filter", metavar="FILTER"),
    parameters.text("--by", "-b", help="opt.explore.by", metavar="NAME", complete=_by),
    parameters.number("--examples", "-e", help="opt.explore.examples", default=5, least=0, most=1000),
    parameters.json(),
)
def command(store: str, terms: str, by: str, examples: int, json: bool) -> int:
    """Explore."""
    from quepu.explorer.filters import read
    from quepu.explorer.store import Store

    wanted = read(terms)
    opened = Store(store)
    try:
        answer = opened.ask(wanted, by, examples)
    finally:
        opened.close()
    if len(answer.unread) == len(opened.files):  # nothing was asked: "none" would be taken for an answer
        path, why = answer.unread[0]
        raise HandError(f"{path}：{why.zh}。", f"{path}: {why.en}.")
    if json:
        print_json({"terms": list(wanted.terms), "by": by or None, **answer.to_json(Chosen.lang)})
    else:
        _show(answer, by)
    return 0


def _show(answer: Answer, by: str) -> None:
    cases = sum(group.cases for group in answer.groups)
    if not cases:
        show(say("explore.none"))
    else:
        show(say("explore.head", rows=answer.rows, cases=cases), "")
        keys = ("explore.cases", "explore.taken", "explore.cost", "explore.won", "explore.gain")
        heads = [by or "", *map(say, keys)]
        grid = table(heads, right=range(1, 6))
        for group in answer.groups:
            shares = [_share(group.taken), _mean(group.cost), _share(group.won), _mean(group.gain)]
            grid.add_row(group.group or "", str(group.cases), *shares)
        show(grid)
        if answer.more:
            show(say("explore.more", n=answer.more))
    if answer.exact is not None:
        show("", say("explore.exact", share=f"{100 * answer.exact:.4g}%"))
    if answer.examples:
        heads = [
            "explore.file", "explore.hand", "explore.frame", "explore.player", "explore.turn", "explore.tile",
            "explore.paid",
        ]  # fmt: skip
        grid = table([say(head) for head in heads], right=[1, 2, 4, 6])
        for one in answer.examples:
            numbers = (str(one.hand), str(one.frame))
            grid.add_row(one.file, *numbers, one.player, str(one.turn), one.tile, str(one.cost))
        first = answer.examples[0]
        show("", say("explore.examples"), grid)
        show(say("explore.open", file=first.file, hand=first.hand, frame=first.frame))
    for path, why in answer.unread:
        show(say("stats.unread", path=path, why=spoken(why)))


def _share(one: dict[str, Any]) -> str:
    return f"{100 * one['share']:.2f}% ({100 * one['low']:.2f}–{100 * one['high']:.2f})"


def _mean(one: dict[str, Any]) -> str:
    interval = "" if one["low"] is None else f" ({one['low']:+.2f} … {one['high']:+.2f})"
    return f"{one['mean']:+.2f}{interval}"

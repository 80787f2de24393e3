"""`quepu review LOG`: a strong bot's value of every decision in a log, and the mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quepu.cli import parameters
from quepu.cli.board import wind_name
from quepu.cli.screen import meter, print_json, prose, show
from quepu.cli.texts import TEXTS, Chosen, in_words_of, say, spoken
from quepu.errors import UnknownName, join_list
from quepu.tiles import WINDS

if TYPE_CHECKING:
    from quepu.match.log import PlayedHand, Replay

_BAD = ("slip", "mistake", "blunder")


def _refusal(key: str, **values: Any) -> UnknownName:
    text = TEXTS[key]
    return UnknownName(text.zh.format(**values), text.en.format(**values))


def _player(who: str, replay: Replay) -> int | None:
    """Return the player meant, None for all.

    Raises:
        UnknownName: the player does not exist.
    """
    there = {name: at for hand in replay.hands for at, name in enumerate(hand.names)}
    if not who:
        return None
    if who in there:
        return there[who]
    if who in ("1", "2", "3", "4"):
        return int(who) - 1
    text, listed = TEXTS["review.no_player"], join_list(list(there))
    raise UnknownName(text.zh.format(who=who, names=listed.zh), text.en.format(who=who, names=listed.en))


@parameters.command(
    "review",
    parameters.argument("log", "arg.log", default=None),
    parameters.text("--rules", "-r", help="opt.log_rules", metavar="RULES"),
    parameters.text("--player", "-p", help="opt.review_player", metavar="NAME"),
    parameters.number("--hand", "-n", help="opt.review_hand", default=0, least=0),
    parameters.flag("--all", "-a", "all_", help="opt.review_all"),
    parameters.text("--net", help="opt.review_net", metavar="FILE"),
    parameters.json(),
)
def command(log: str, rules: str, player: str, hand: int, all_: bool, net: str, json: bool) -> int:
    """Review."""
    from quepu.cli.verify import load_log
    from quepu.match.words import place_name
    from quepu.review import VERSION, review_hand

    replay = load_log(log, rules).replay
    only = _player(player, replay)
    hands = [one for one in replay.hands if hand in (0, one.number)]
    if player and any(player in one.names for one in replay.hands):  # not those before or after it played
        hands = [one for one in hands if player in one.names]
    if not hands:
        raise _refusal("review.no_hand", hand=hand, n=len(replay.hands), **in_words_of(replay.match.rules.words))
    if net:
        return _compare_net(net, replay, hands, only, all_, json)
    done = []
    with meter(len(hands)) as advance:
        for n, one in enumerate(hands, 1):
            done.append(review_hand(one, replay.book))
            advance(n)
            if not json:
                _show(done[-1], replay, one.names, spoken(place_name(one.place, replay.match.rules.words)), only, all_)
    if json:
        for hand_review, one in zip(done, hands, strict=True):
            _select_player(hand_review, only)
            hand_review["names"] = list(one.names)  # a player may have taken the place of a bot since
        print_json({"version": VERSION, "rules": replay.book.id, "players": list(replay.match.names), "hands": done})
    return 0


def _compare_net(net: str, replay: Replay, hands: list[PlayedHand], only: int | None, every: bool, json: bool) -> int:
    """Show where a net would have played otherwise."""
    from quepu.review.net_choices import net_choices

    found = [one for hand in hands for one in net_choices(hand, replay.book, net) if only in (None, one.player)]
    names = {hand.number: hand.names for hand in hands}
    if json:
        print_json([one.to_json(names[one.hand]) for one in found])
        return 0
    for one in found:
        if every or not one.same:
            made, wanted = spoken(one.chosen.text()), spoken(one.wanted.text())
            key, who = "review.net.same" if one.same else "review.net.other", names[one.hand][one.player]
            line = say(key, hand=one.hand, who=who, made=made, wanted=wanted, share=one.odds, best=one.best)
            show(prose(line))
    for name in dict.fromkeys(name for four in names.values() for name in four):
        own = [one for one in found if names[one.hand][one.player] == name]
        if own:
            same = sum(one.same for one in own)
            show(say("review.net.sum", who=name, same=same, n=len(own), share=same / len(own)))
    return 0


def _select_player(hand_review: dict[str, Any], only: int | None) -> None:
    """Keep only one player's part."""
    if only is None:
        return
    hand_review["seats"] = [line for line in hand_review["seats"] if line["player"] == only]
    seats = {line["seat"] for line in hand_review["seats"]}
    hand_review["decisions"] = [one for one in hand_review["decisions"] if one["seat"] in seats]


def _show(
    hand_review: dict[str, Any], replay: Replay, called: Sequence[str], place: str, only: int | None, every: bool
) -> None:
    from quepu.review.choice_words import points

    _select_player(hand_review, only)
    names = {line["seat"]: called[line["player"]] for line in hand_review["seats"]}
    show(say("review.hand", hand=hand_review["hand"], place=place, **in_words_of(replay.match.rules.words)))
    for line in hand_review["seats"]:
        wind = wind_name(WINDS.index(line["seat"]))
        text = "review.grade" if line["decisions"] else "review.idle"
        show(
            say(
                text, seat=wind, name=names[line["seat"]], letter=line["letter"],
                kept=line["share"], n=line["decisions"], mistakes=line["mistakes"], blunders=line["blunders"],
                cost=points(line["cost"]),
            )
        )  # fmt: skip
        if line["kinds"]:
            kinds = [f"{kind['name'][Chosen.lang]} {kind['count']}" for kind in line["kinds"]]
            show(say("review.kinds", kinds=say("review.and").join(kinds)))
    for one in hand_review["decisions"]:
        if every or one["grade"] in _BAD:
            seat = one["seat"]
            show(
                say(
                    "review.move", at=one["frame"] + 1, seat=wind_name(WINDS.index(seat)), name=names[seat],
                    move=_word(one), why=one["why"][Chosen.lang],
                )
            )  # fmt: skip
            if leads := one["leads"][Chosen.lang]:
                show(say("review.leads", leads=leads))


def _word(decision: dict[str, Any]) -> str:
    """Return the grade, and the kind of a mistake."""
    word, wrong = decision["word"][Chosen.lang], decision["mistake"]
    return str(word) if wrong is None else say("review.kind", grade=word, kind=wrong["name"][Chosen.lang])

"""The style "people" fitted anew: play, compare fans with people's, move each number by a part of the difference.

python bench/styles.py [ROUNDS [HANDS [SEED]]]

Each number of a style is about some fans of 国标. After a round it moves by its step times the mean of their
differences in bits (people's share over the bots'), ever less from round to round. Printed after each round: how far
its wins are from people's, over the fans that some number is about and over those that none is about (held out).
"""

from __future__ import annotations

import sys
from collections import Counter
from math import log2, sqrt

from quepu.arena import Plan, simulate
from quepu.bots.styles import Style, StyleBot
from quepu.fast.nearest.preferences import FEATURES, Preferences
from quepu.lab.played import people_table

LEAST = 20  # of people's ten thousand wins: rarer fans are not compared
ABOUT: dict[str, tuple[float, str]] = {
    "pungs": (0.25, "碰碰和 幺九刻"), "all_pungs": (0.6, "碰碰和"), "pure_suit": (0.8, "清一色"),
    "half_suit": (0.8, "混一色"), "two_suits": (0.5, "缺一门"), "five_sorts": (0.7, "五门齐"), "dragons": (0.5, "箭刻"),
    "own_winds": (0.5, "门风刻 圈风刻"), "outer_pungs": (0.3, "幺九刻"), "twin_pungs": (0.6, "双同刻"),
    "simples": (0.5, "断幺"), "narrow": (0.8, "大于五 小于五"), "outside": (0.7, "全带幺"),
    "all_chows": (0.4, "平和"), "straight": (0.6, "清龙"), "steps": (0.5, "一色三步高"),
    "mixed_steps": (0.6, "三色三步高"), "mixed_straight": (0.6, "花龙"), "mixed_triple": (0.6, "三色三同顺"),
    "special": (0.6, "全不靠 七对 七星不靠"), "power": (-0.25, "无番和"), "kong": (0.7, "明杠 暗杠"),
    "opening": (0.4, "门前清 不求人"), "claiming": (-0.3, "全求人"),
}  # fmt: skip
"""Every number of a style: how far it moves for a bit, and the fans that it is about."""
START = {
    "pungs": 0.4, "all_pungs": 1.0, "pure_suit": 2.5, "half_suit": 1.5, "narrow": 2.0, "outside": 0.5,
    "five_sorts": 1.0, "dragons": 0.5, "own_winds": 0.6, "twin_pungs": 0.8, "special": -1.2, "power": 1.4,
    "simples": -0.5, "mixed_steps": -0.5, "two_suits": -0.5, "kong": 1.0, "opening": -0.4, "claiming": -0.4,
    "all_chows": -0.2,
}  # fmt: skip


def style_of(numbers: dict[str, float]) -> Style:
    """A style with these numbers."""
    likes = tuple((name, numbers[name]) for name in FEATURES if numbers.get(name))
    liked = Preferences(likes, numbers["power"], numbers["special"])
    how = {name: numbers[name] for name in ("opening", "claiming", "kong")}
    return Style(liked, called=2.0, **how)


def played(style: Style, hands: int, seed: int) -> tuple[int, Counter[str]]:
    """Wins of four such bots, and how many held each fan."""
    bots = [StyleBot(style, seat) for seat in range(4)]
    stats = simulate(Plan(people_table()["rules"], tuple(bots), hands, seed))
    return stats.hands - stats.drawn, stats.fans


def bits(fan: str, wins: int, fans: Counter[str]) -> float:
    """How much more often people win it."""
    table = people_table()
    return log2((table["fans"][fan] / table["wins"] * wins + 1.5) / (fans[fan] + 1.5))


def main() -> None:
    """Fit, and print each round."""
    given = [int(text) for text in sys.argv[1:]]
    rounds, hands, seed = [*given, *(10, 500, 7)[len(given) :]]
    numbers = dict.fromkeys(ABOUT, 0.0) | START
    common = [fan for fan, n in people_table()["fans"].items() if n >= LEAST]
    mine = {fan for _, fans in ABOUT.values() for fan in fans.split()}
    for turn in range(rounds):
        wins, fans = played(style_of(numbers), hands, seed + turn)
        off = {fan: bits(fan, wins, fans) for fan in common}
        for name, (step, about) in ABOUT.items():
            some = [max(-2.0, min(2.0, bits(fan, wins, fans))) for fan in about.split()]
            numbers[name] += step / (1 + turn / 4) ** 0.6 * sum(some) / len(some)
        numbers["power"] = min(max(numbers["power"], 0.5), 4.0)
        for title, some_fans in (("fitted", mine & off.keys()), ("held out", off.keys() - mine)):
            rms = sqrt(sum(off[fan] ** 2 for fan in some_fans) / len(some_fans))
            print(f"round {turn}, {wins} wins, {title}, {len(some_fans)} fans: {rms:.2f} bits", flush=True)
        print({name: round(number, 2) for name, number in numbers.items()}, flush=True)


if __name__ == "__main__":
    main()

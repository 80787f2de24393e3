"""The catalogue of tools for assistants: names, texts, arguments, answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from quepu.errors import Text
from quepu.server.assistants.messages import (
    Arguments,
    BookList,
    BooksArguments,
    DiffArguments,
    FanList,
    FansArguments,
    LogList,
    LogsArguments,
    PuzzleArguments,
    ReviewArguments,
    RulesArguments,
    RulingList,
    RulingsArguments,
    ScoreArguments,
    SolveArguments,
    Sourced,
    WaitsArguments,
    WhatIfArguments,
    WhatIfPlayedArguments,
)
from quepu.server.assistants.tools import (
    answer_books,
    answer_difference,
    answer_discards,
    answer_fans,
    answer_puzzle,
    answer_rules,
    answer_rulings,
    answer_score,
    answer_solution,
    answer_waits,
)
from quepu.server.books.messages import DifferenceAnswer, GuideAnswer
from quepu.server.hands.messages import ExplainedScore, WaitsAnswer
from quepu.server.http.messages import Schema
from quepu.server.practice.messages import PracticeQuestion, PracticeVerdict
from quepu.server.replays.asking_api import AskAnswer
from quepu.server.replays.review_messages import HandReview

Json = dict[str, Any]


class Tool(NamedTuple):
    """A tool: its texts, its arguments, its answer, and the function that answers."""

    name: str
    title: Text
    about: Text
    arguments: type[Arguments]
    answer: type[Schema]
    work: Callable[[Any, str], Json] | None
    """None: the tool reads logs, which `service` does."""


TOOLS: Final = {
    tool.name: tool
    for tool in (
        Tool(
            "books",
            Text("规则一览", "List the rulebooks"),
            Text(
                "列出所有规则的 id 和别名；写明 rules 就连那一本的可选项和情形的名称一起给。",
                "List the rulebooks with ids and aliases; with `rules`, also the options of that one and its "
                "circumstances by name.",
            ),
            BooksArguments,
            Sourced[BookList],
            answer_books,
        ),
        Tool(
            "score",
            Text("算一手和牌", "Score a winning hand"),
            Text(
                "按一本规则算一手和牌的分：番种、原文、成番的牌、不计的番和理由、计算步骤。",
                "Score a winning hand under a rulebook: fans with their sentences and groups, fans that do not count "
                "and why, and each step of the sum.",
            ),
            ScoreArguments,
            Sourced[ExplainedScore],
            answer_score,
        ),
        Tool(
            "waits",
            Text("听什么", "Find the waits"),
            Text(
                "13 张牌听哪些、各剩几张、各值多少；没听就列进张。",
                "Find the waits of 13 tiles, the copies left and the score of each; if not ready, the useful tiles.",
            ),
            WaitsArguments,
            Sourced[WaitsAnswer],
            answer_waits,
        ),
        Tool(
            "discards",
            Text("打哪张", "Compare the discards"),
            Text(
                "14 张牌打每一张之后差几张、听什么或进什么，好的在前。",
                "Compare every discard of 14 tiles by the waits or useful tiles it leaves, best first.",
            ),
            WaitsArguments,
            Sourced[WaitsAnswer],
            answer_discards,
        ),
        Tool(
            "rules",
            Text("规则原文", "Read the rules"),
            Text(
                "一本规则的各节；写明 section 就给那一节：文字、表格、牌例、裁定的编号。",
                "List the sections of a rulebook, or read one: text, tables, scored examples, ids of rulings.",
            ),
            RulesArguments,
            Sourced[GuideAnswer],
            answer_rules,
        ),
        Tool(
            "fans",
            Text("番种", "Look up fans"),
            Text(
                "按名称或类别查番种：原文、分值、不计与互斥、牌例、裁定；都不写就列出全部名称。",
                "Look up fans by name or category: sentence, value, relations, examples, rulings; without either, list "
                "all names.",
            ),
            FansArguments,
            Sourced[FanList],
            answer_fans,
        ),
        Tool(
            "rulings",
            Text("裁定", "Look up rulings"),
            Text(
                "规则里有歧义的地方怎么读：问题、答案、依据的原文。",
                "Look up how unclear places of a rulebook are read: question, answer, the sentence it rests on.",
            ),
            RulingsArguments,
            Sourced[RulingList],
            answer_rulings,
        ),
        Tool(
            "diff",
            Text("两本规则的差别", "Compare two rulebooks"),
            Text(
                "从一本规则到另一本改了什么，每处带一手两边算过的牌。",
                "List the changes from one rulebook to another, each with a hand scored under both.",
            ),
            DiffArguments,
            Sourced[DifferenceAnswer],
            answer_difference,
        ),
        Tool(
            "logs",
            Text("有哪些牌谱", "List the logs"),
            Text("列出可以复盘的牌谱。", "List the logs that can be reviewed."),
            LogsArguments,
            Sourced[LogList],
            None,
        ),
        Tool(
            "review",
            Text("复盘一局", "Review a hand"),
            Text(
                "复盘牌谱里的一局：每个失误、更好的选择、理由和数字。要算几秒到一分钟；没算完就再问一次。",
                "Review a hand of a log: each mistake, the better choice, the reason and the figures. Takes seconds to "
                "a minute; if it is not finished, ask again.",
            ),
            ReviewArguments,
            Sourced[HandReview],
            None,
        ),
        Tool(
            "what_if",
            Text("换一种打法会怎样", "Compare two actions with a hand"),
            Text(
                "14 张牌：打这张（或杠、和）和打那张比；13 张牌和别家打出的一张（offered）：吃、碰、杠、和、过相比。"
                "各自多快听、多大、丢了哪些进张；可以假设谁听了、哪些牌没了、只做哪个番；play 是打出来验证的局数。",
                "Compare two discards (or kongs, or a win) of 14 tiles; or, with 13 tiles and one `offered` by another "
                "seat, claims and a pass: chances by turn, points, useful tiles gained and lost. Assume who is ready, "
                "which tiles are gone, or a fan to go for. `play` plays that many hands out.",
            ),
            WhatIfArguments,
            Sourced[AskAnswer],
            None,
        ),
        Tool(
            "what_if_played",
            Text("当时换一种打法会怎样", "Compare two actions in a log"),
            Text(
                "牌谱里某一刻：换一个动作会怎样。hand、frame 和 review 里的一样。",
                "Compare two actions at a moment of a log; `hand` and `frame` are those of review.",
            ),
            WhatIfPlayedArguments,
            Sourced[AskAnswer],
            None,
        ),
        Tool(
            "puzzle",
            Text("出一道题", "Ask a puzzle"),
            Text(
                "出一道练习题；记住 kind、level、seed，用 solve 交答案。答案不在题里。",
                "Ask a practice puzzle; answer it by solve with its kind, level and seed. It does not contain the "
                "answer.",
            ),
            PuzzleArguments,
            Sourced[PracticeQuestion],
            answer_puzzle,
        ),
        Tool(
            "solve",
            Text("交答案", "Answer a puzzle"),
            Text("判一道题的答案，并说明理由。", "Judge the answer to a puzzle and explain it."),
            SolveArguments,
            Sourced[PracticeVerdict],
            answer_solution,
        ),
    )
}

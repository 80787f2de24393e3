"""国标 as it is read in Europe (EMA, the Green Book of 2006) and in Japan (JMSA), each as changes to the League's book.

Europe: the Green Book (English PDF of mahjong-europe.org), the regulations of European tournaments (MERS, version 1.1 of
August 2010) and EMA's table of penalties (20 June 2009); rows and rulings name the page. Japan: the preface of the
League's rules, and a Japanese list of the names.
"""

from __future__ import annotations

from dataclasses import replace

from quepu.errors import Text
from quepu.hands.planes import KNITTED, Planes, is_form
from quepu.rulebooks.guobiao.arithmetic import MOST_TIMES
from quepu.rulebooks.guobiao.mcr import PENALTIES
from quepu.rulebooks.guobiao.options import EUROPE, LOOSE_NOT_CONCEALED, PLAYED, answer_options, options
from quepu.rulebooks.guobiao.row import GuobiaoExtra
from quepu.rules.row import Fan, words
from quepu.rules.rulebook import Correction, Option, Rulebook, was
from quepu.rules.rulings import read

MIXED_KONGS, STRAIGHT, LOOSE_HAND = "明暗杠", "组合龙", "全不靠"
GREEN_BOOK = words(
    "大四喜 大三元 绿一色 九莲宝灯 四杠 连七对 十三幺 清幺九 小四喜 小三元 字一色 四暗刻 一色双龙会 一色四同顺 "
    "一色四节高 一色四步高 三杠 混幺九 七对 七星不靠 全双刻 清一色 一色三同顺 一色三节高 全大 全中 全小 清龙 "
    "三色双龙会 一色三步高 全带五 三同刻 三暗刻 全不靠 组合龙 大于五 小于五 三风刻 花龙 推不倒 三色三同顺 "
    "三色三节高 无番和 妙手回春 海底捞月 杠上开花 抢杠和 双暗杠 碰碰和 混一色 三色三步高 五门齐 全求人 双箭刻 "
    "全带幺 不求人 双明杠 和绝张 箭刻 圈风刻 门风刻 门前清 平和 四归一 双同刻 双暗刻 暗杠 断幺 一般高 喜相逢 "
    "连六 老少副 幺九刻 明杠 缺一门 无字 边张 嵌张 单钓将 自摸 花牌"
)
"""The 81 fans in the order of their numbers there."""
TABLE_PAGES = {14: 18, 15: 38, 16: 54, 17: 76, 18: 81}
"""The last fan on each page of its table of points (§3.8.1)."""
APPENDIX_PAGES = {
    24: 2, 25: 5, 26: 9, 27: 13, 28: 17, 29: 20, 30: 23, 31: 27, 32: 30, 33: 33, 34: 36, 35: 38, 36: 41, 37: 49, 38: 54,
    39: 58, 40: 66, 41: 81,
}  # fmt: skip
"""The last fan on each page of its appendix 1 (definitions and examples)."""
JAPANESE = {
    "绿一色": "緑一色", "九莲宝灯": "九蓮宝燈", "四杠": "四槓", "连七对": "連七対", "一色双龙会": "一色双龍会",
    "一色四同顺": "一色四同順", "一色四节高": "一色四節高", "一色四步高": "一色四歩高", "三杠": "三槓", "七对": "七対",
    "一色三同顺": "一色三同順", "一色三节高": "一色三節高", "清龙": "清龍", "三色双龙会": "三色双龍会",
    "一色三步高": "一色三歩高", "全带五": "全帯五", "组合龙": "組合龍", "三风刻": "三風刻", "花龙": "花龍",
    "三色三同顺": "三色三同順", "三色三节高": "三色三節高", "无番和": "無番和", "海底捞月": "海底撈月",
    "杠上开花": "槓上開花", "抢杠和": "搶槓和", "双暗杠": "双暗槓", "明暗杠": "明暗槓", "三色三步高": "三色三歩高", "五门齐": "五門斉",
    "全带幺": "全帯幺", "双明杠": "双明槓", "和绝张": "和絶張", "圈风刻": "圈風刻",
    "门风刻": "門風刻", "门前清": "門前清", "四归一": "四帰一", "暗杠": "暗槓", "连六": "連六", "明杠": "明槓",
    "缺一门": "缺一門", "无字": "無字", "边张": "辺張", "嵌张": "坎張", "单钓将": "単調将",
}  # fmt: skip
"""Names in Japanese where they are written otherwise: the three-language text of 2014, after masaue/jan-js-lib.

明暗杠 is no fan of its own there; its name follows those of the other kongs.
"""


def source(name: str) -> str:
    """Place of a fan in the Green Book: number, section, pages; 明暗杠 stands under no. 57."""
    number = GREEN_BOOK.index("双明杠" if name == MIXED_KONGS else name) + 1
    table, appendix = (
        next(page for page, last in pages.items() if number <= last) for pages in (TABLE_PAGES, APPENDIX_PAGES)
    )
    return f"Green Book no. {number}, §3.8.1 p. {table}; App. 1 p. {appendix}"


def europe(mil: Rulebook) -> Rulebook:
    """Return the book of the European association: the Green Book, and the penalties of European tournaments."""
    ends, gates, green = mil.fan("清幺九"), mil.fan("九莲宝灯"), mil.fan("绿一色")
    made = answer_options(mil, **EUROPE).having(
        id="guobiao-ema",
        title=Text("国标麻将（欧洲 EMA）", "MCR (EMA)"),
        values={"双暗杠": 8, MIXED_KONGS: 6},
        fans={
            "双暗杠": {"category": "8番"},
            MIXED_KONGS: {
                "category": "6番",
                "sentence": "一副明杠和一副暗杠（第 57 番双明杠下注明）。",
                "definition": "One exposed and one concealed kong, as stated at no. 57.",
            },
            "九莲宝灯": {
                "on": None,
                "sentence": f"{gates.sentence.removesuffix('。')}；幺九刻一副也不计。",
                "definition": f"{gates.definition.removesuffix('.')}; no pung of terminals counts beside it.",
            },
            "清幺九": {"drops": tuple(name for name in ends.drops if name != "双同刻")},
            "绿一色": {"drops": tuple(name for name in green.drops if name != "混一色")},
        },
        settings={"penalties": "2010"},
    )
    rows = tuple(
        replace(fan, extra=replace(fan.own(GuobiaoExtra), source=source(fan.name)), former=_american(fan))
        for fan in sorted(made.fans, key=lambda fan: -fan.value)
    )

    def before(book: Rulebook) -> Rulebook:
        earlier = was(
            values={"双暗杠": 6, MIXED_KONGS: 5},
            fans={fan.name: {"on": fan.on, "drops": fan.drops} for fan in (ends, gates)},
            settings={"penalties": "2025"},
        )(book)
        order = {fan.name: i for i, fan in enumerate(mil.fans)}
        fans = sorted(earlier.fans, key=lambda fan: order.get(fan.name, len(order)))
        return replace(
            earlier,
            fans=tuple(replace(fan, extra=mil.fan(fan.name).extra) if fan.name in order else fan for fan in fans),
            options=options(EUROPE, PENALTIES),
            rulings=mil.rulings,
            columns=mil.columns,
            play=mil.play,
        )

    def before_read(book: Rulebook) -> Rulebook:
        """Before the book itself was read: by those who had worked with it."""
        earlier = was(fans={green.name: {"drops": green.drops}}, settings={"penalties": "referee"})(book)
        return replace(earlier, options=_list_options("referee", "2010", half_flush=False))

    first = Text(
        "按 Green Book 立书：双暗杠 8，一明一暗 6，九莲宝灯不加幺九刻，清幺九可加双同刻，罚分由裁判定；此前是 2025 年细则"
        "加不求人一处。",
        "A book after the Green Book: two concealed kongs 8, one of each 6, no terminal pung beside nine gates, double "
        "pungs beside all terminals, penalties left to the referee; it was the League's book of 2025 but for the fully "
        "concealed hand.",
    )
    read_now = Text(
        "读到了 Green Book 与竞赛规程原文：绿一色可加混一色，罚例从规程；此前不加，罚分由裁判定。",
        "From the Green Book and the regulations themselves: half flush beside all green, penalties of European "
        "tournaments; it was none, and the referee's.",
    )
    return replace(
        made,
        fans=rows,
        aliases=("ema",),
        columns={"source": Text("出处", "source")},
        options=_list_options("2010", "referee", half_flush=True),
        rulings=read(__file__, "rulings.toml", "rulings_ema.toml"),
        play="quepu.rulebooks.guobiao.europe",
        corrections=(
            MOST_TIMES,
            Correction("2026-11-29", first, before),
            Correction("2026-11-30", read_now, before_read),
        ),
    )


def _american(fan: Fan) -> tuple[str, ...]:
    """The Green Book's own label where it is spelled otherwise than ours."""
    label = fan.english.replace("Honour", "Honor")
    return fan.former if label == fan.english else (*fan.former, label)


def _with_straight(book: Rulebook, counts: bool) -> Rulebook:
    own = book.fan(STRAIGHT).when if STRAIGHT in book.index else None
    if own is None or counts:
        return book
    return book.having(id=book.id, fans={STRAIGHT: {"when": _straight_of_sets}})


def _straight_of_sets(h: Planes) -> object:
    """Whether the knitted lines stand beside a set and a pair."""
    return is_form(h, KNITTED)


def _with_half_flush(book: Rulebook, counts: bool) -> Rulebook:
    if "绿一色" not in book.index or counts == ("混一色" not in book.fan("绿一色").drops):
        return book
    others = tuple(name for name in book.fan("绿一色").drops if name != "混一色")
    return book.having(id=book.id, fans={"绿一色": {"drops": others if counts else (*others, "混一色")}})


def _list_options(*penalties: str, half_flush: bool) -> tuple[Option, ...]:
    """Options of European tables: those of 国标, and questions that the Green Book answers. Usual choices come first."""
    return (
        *options(EUROPE, (*penalties, *PENALTIES)),
        Option(
            "knitted_concealed",
            Text("七星不靠、全不靠自摸计不求人", "knitted hands self-drawn count a fully concealed hand"),
            (True, False),
            lambda book, counts: answer_options(book, **({} if counts else {LOOSE_NOT_CONCEALED: True})),
        ),
        Option(
            "knitted_straight_of_singles",
            Text(
                "全不靠有九张序数牌时另计组合龙", "lesser honours with nine number tiles count a knitted straight too"
            ),
            (True, False),
            _with_straight,
        ),
        Option(
            "half_flush_all_green",
            Text("绿一色有发时另计混一色", "all green with the green dragon counts a half flush too"),
            (half_flush, not half_flush),
            _with_half_flush,
        ),
    )


def japan(mil: Rulebook) -> Rulebook:
    """Return the Japanese reading: 七对 never with 五门齐, no hand pays above 88; fans answer to their Japanese names."""
    names = {name: (*mil.fan(name).aliases, japanese) for name, japanese in JAPANESE.items()}
    changes: dict[str, dict[str, object]] = {name: {"aliases": aliases} for name, aliases in names.items()}
    changes["七对"]["drops"] = (*mil.fan("七对").drops, "五门齐")
    made = mil.having(
        id="guobiao-jmsa",
        title=Text("国标麻将（日本 JMSA）", "MCR (JMSA)"),
        fans=changes,
        settings={"most": 88},
    )
    return replace(
        made,
        fans=tuple(
            replace(
                fan,
                extra=replace(fan.own(GuobiaoExtra), japanese=JAPANESE.get(fan.name, fan.name)),
                former=_american(fan),
            )
            for fan in made.fans
        ),
        aliases=("jmsa",),
        columns={"japanese": Text("日文名", "Japanese name")},
        options=options(PLAYED, PENALTIES, most=88),
        rulings=read(__file__, "rulings.toml", "rulings_2025.toml", "rulings_jmsa.toml"),
    )

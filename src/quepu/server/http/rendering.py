"""Convert the core's values to the messages that the client draws."""

from __future__ import annotations

from functools import lru_cache

from quepu.errors import Error, Text
from quepu.hands.hand import Hand, MeldKind
from quepu.hands.notation import tiles, write
from quepu.match.terms import terms
from quepu.rules.circumstances import english_names
from quepu.rules.guide import Paragraph, Part, Shown, guide
from quepu.rules.lessons import welcome
from quepu.rules.measured_figures import Figure, figures, measured_in
from quepu.rules.play_rules import USUAL_WORDS, Words, play_rules
from quepu.rules.row import Example, Fan, value_text
from quepu.rules.rulebook import Rulebook, Ruling
from quepu.scoring.booklet import club_options
from quepu.scoring.describe import row_facts, score_example, why_not, written_row
from quepu.server.books.messages import (
    BookBrief,
    BookPage,
    BookWithOptions,
    ColumnShape,
    FanRow,
    GridShape,
    GuideAnswer,
    GuidePart,
    GuideSection,
    OptionShape,
    RulingShape,
    ShownExample,
    TermShape,
    WelcomeShape,
)
from quepu.server.hands.messages import HandShape, MeldShape
from quepu.server.http.messages import Bilingual, BookWords
from quepu.tiles import NAMES

_MELDS = {
    MeldKind.CHOW: "chow", MeldKind.PUNG: "pung", MeldKind.KONG: "kong", MeldKind.CONCEALED_KONG: "concealed_kong",
}  # fmt: skip


def bilingual(text: Text) -> Bilingual:
    """Return a text in both languages."""
    return Bilingual(zh=text.zh, en=text.en)


def book_words(words: Words) -> BookWords:
    """Return a book's own words in both languages."""
    return BookWords(**{name: bilingual(text) for name, text in words._asdict().items()})


def hand_shape(hand: Hand) -> HandShape:
    """Return a hand split for drawing."""
    melds = [
        MeldShape.model_validate({"kind": _MELDS[m.kind], "tiles": [NAMES[k] for k in m.tiles]}) for m in hand.melds
    ]
    return HandShape(
        text=write(hand),
        concealed=[NAMES[kind] for kind in hand.concealed],
        melds=melds,
        winning=None if hand.winning is None else NAMES[hand.winning],
    )


def book_brief(book: Rulebook) -> BookBrief:
    """Return a rulebook without its rows."""
    return BookBrief(
        id=book.id,
        title=bilingual(book.title),
        family=book.family,
        edition=book.edition,
        minimum=book.minimum,
        unit=bilingual(book.unit),
        words=book_words(play_rules(book).words if book.play else USUAL_WORDS),
        rows=len(book.fans),
        kinds=[NAMES[kind] for kind in book.tiles.kinds],
        flowers=book.counts_flowers,
        table_flowers=bool(book.play) and play_rules(book).table.flowers,
        flower_value=book.flower_value,
        round_wind=book.round_wind,
        circumstances=list(book.circumstances),
        club=[o.key for o in club_options(book)] if book.play and play_rules(book).club else [],
        fingerprint=book.fingerprint,
        aliases=list(book.aliases),
        welcome=_welcome(book),
    )


def book_with_options(book: Rulebook) -> BookWithOptions:
    """Return a rulebook without its rows, but with its options and their choices."""
    return BookWithOptions(
        **book_brief(book).model_dump(),
        options=[
            OptionShape(
                key=o.key,
                text=bilingual(o.text),
                choices=list(o.choices),
                words=[bilingual(o.in_words(choice)) for choice in o.choices],
                chosen=book.choice(o),
                chosen_words=bilingual(o.in_words(book.choice(o))),
                between=list(o.between) if o.between else None,
                free=o.free is not None,
                after=list(o.after),
            )
            for o in book.options
        ],
    )


def _welcome(book: Rulebook) -> WelcomeShape | None:
    found = welcome(book)
    if found is None:
        return None
    kinds = [NAMES[kind] for kind in tiles(found.tiles)]
    return WelcomeShape(name=bilingual(found.name), text=bilingual(found.text), tiles=kinds, order=found.order)


def show_example(example: Example | None, book: Rulebook) -> ShownExample | None:
    """Return an example hand with its current score."""
    if example is None:
        return None
    try:
        score = score_example(example, book)
    except Error:  # near misses need not be wins; older revisions and house rules may not allow an example
        return None
    return ShownExample.model_validate({
        "hand": hand_shape(score.hand),
        "seat": example.seat,
        "round": example.round,
        "self_draw": score.hand.self_draw,
        "circumstances": list(example.circumstances),
        "flowers": list(example.flowers),
        "points": score.points,
        "total": score.total,
        "how": bilingual(score.tally.how),
        "fans": [str(fan) for fan in score.fans],
    })  # fmt: skip


_PAGES: dict[tuple[str, str, str], BookPage] = {}
_PAGES_MOST = 64  # house rules can make any number of books


def book_page(book: Rulebook) -> BookPage:
    """Return a rulebook with every row, relation and example, cached."""
    key = (book.id, book.fingerprint, book.text_fingerprint)
    page = _PAGES.get(key)
    if page is None:
        page = _page(book)
        if len(_PAGES) >= _PAGES_MOST:
            _PAGES.clear()
        _PAGES[key] = page
    return page


def _value_words(row: Fan, book: Rulebook) -> Bilingual:
    printed = book.printed_value(row)
    return Bilingual(**{lang: value_text(row.parts, lang, printed, book.unit) for lang in ("zh", "en")})


def _page(book: Rulebook) -> BookPage:
    fans = []
    figures_by_name = figures(book)
    for i, row in enumerate(book.fans):
        figure = figures_by_name.get(row.name, Figure(None, None, None))
        written = written_row(book, row)
        fans.append(
            FanRow(
                **row_facts(book, row),
                pinyin=" ".join(pinyin(name) for name in (row.name, *row.aliases)),
                value_text=_value_words(row, book),
                written=_value_words(written, book) if written is not None else None,
                drops=[dropped.name for j, dropped in enumerate(book.fans) if book.drops[i] >> j & 1],
                example=show_example(row.example, book),
                near_miss=show_example(row.near_miss, book),
                why_not=bilingual(lacking) if (lacking := why_not(row, book)) is not None else None,
                rulings=list(row.rulings),
                share=figure.share,
                least=figure.least,
                least_hand=figure.least_hand,
                columns={key: str(cell) for key in book.columns if (cell := row.column(key)) is not None},
            )
        )
    categories = list(dict.fromkeys(f.category for f in book.fans))
    brief = book_with_options(book).model_dump()
    english = english_names(book)
    state = measured_in(book)
    return BookPage(
        **brief,
        measured=bilingual(state) if state else None,
        terms=[
            TermShape(key=term.key, label=bilingual(term.label), value=bilingual(term.value)) for term in terms(book)
        ],
        notes=[bilingual(note) for note in play_rules(book).notes] if book.play else [],
        fans=fans,
        categories=categories,
        category_names=[Bilingual(zh=name, en=book.class_name(name, "en")) for name in categories],
        circumstance_names=[Bilingual(zh=name, en=english.get(name, name)) for name in book.circumstances],
        columns=[ColumnShape(key=key, head=bilingual(head)) for key, head in book.columns.items()],
        rulings=[ruling_shape(ruling) for ruling in book.rulings],
    )


def ruling_shape(ruling: Ruling) -> RulingShape:
    """Return a ruling as a message."""
    return RulingShape(
        id=ruling.id,
        question=bilingual(ruling.question),
        answer=bilingual(ruling.answer),
        sentence=ruling.sentence,
        open=ruling.open,
        option=ruling.option,
    )


@lru_cache(_PAGES_MOST)
def guide_answer(book: Rulebook) -> GuideAnswer:
    """Return the rules of a book in words, every hand scored, cached."""
    sections = [
        GuideSection(key=one.key, title=bilingual(one.title), parts=[_part(part, book) for part in one.parts])
        for one in guide(book)
    ]
    return GuideAnswer(rules=book.id, title=bilingual(book.title), sections=sections)


def _part(part: Part, book: Rulebook) -> GuidePart:
    if isinstance(part, Paragraph):
        own = part.sentence == part.text.zh
        return GuidePart(
            text=bilingual(part.text), own=own, sentence="" if own else part.sentence, ruling=part.ruling or None
        )
    if isinstance(part, Shown):
        return GuidePart(
            label=bilingual(part.label),
            example=show_example(part.example, book),
            sentence=part.sentence,
            printed=bilingual(part.printed),
            ruling=part.ruling or None,
        )
    table = GridShape(
        title=bilingual(part.title),
        heads=[bilingual(head) for head in part.heads],
        rows=[[bilingual(cell) for cell in row] for row in part.rows],
        numbers=list(part.numbers),
        note=None if part.note is None else bilingual(part.note),
    )
    return GuidePart(table=table)


_TABLE = """
ai:嗌 an:按暗案 ba:八吧把 bai:摆白百 ban:半板版般 bang:棒 bao:保包宝报抱爆 bei:倍北备杯背被 ben:奔本 bi:必比毕笔避
bian:便变编边 biao:标表 bie:别 bin:缤 bing:丙兵并饼 bo:博 bu:不布步补部 cai:彩才财采 can:参 cang:藏 cao:操 ce:侧测
ceng:曾 cha:察差查 chai:拆柴 chang:场常长 chao:朝超 che:车 chen:沉辰陈 cheng:乘城惩成承称程 chi:吃尺持斥池
chong:充冲重铳 chou:抽 chu:储出初处础除 chuan:传 chuang:创 chun:春纯 ci:次此词 cong:丛从 cou:凑 cun:存寸 cuo:错
da:大打搭答达 dai:代带待 dan:但单 dang:当档 dao:倒到导道 de:得的 deng:灯登等 di:低地底第递 dian:典殿点點 diao:吊调钓
die:叠 ding:丁定订铤顶鼎 diu:丢 dong:东冬动東洞 dou:都 du:度独读 duan:断段端 dui:对 dun:墩 duo:多 e:鄂 er:二而
fa:乏发法發罚 fan:凡反番翻范返 fang:放方芳防 fei:扉非飞 fen:份分纷 feng:丰封逢风 fou:否 fu:付副复富福符缚赋附
gai:改概该 gan:干感 gang:杠港 gao:稿高 ge:个各格 gei:给 gen:根跟 geng:更 gong:供公共功攻 gou:够构 gu:古咕固故顾鼓
gua:瓜 guan:关观贯 guang:广廣 gui:归桂规轨龟 gun:棍滚 guo:国果过 hai:海还 han:含喊汉 hao:号好 he:何合核河 hei:黑
hen:很 heng:衡 hong:红 hou:后 hu:互和糊胡 hua:化花 huai:坏 huan:换环 huang:荒黄 hui:会回毁 hun:浑混魂 huo:惑或
ji:几即及基己技既机极积級级继绩計计记辑际集鸡 jia:价加家甲 jian:件兼减坚建检简箭见間间 jiang:奖将將讲降
jiao:交叫角较 jie:介截接皆结节解阶 jin:仅尽禁筋谨近进金 jing:景竞精经镜 jiu:九就旧纠 ju:具局据聚菊距 jue:决绝 jun:均
ka:卡 kai:开 kan:坎看 kao:考靠 ke:刻可客科 kong:孔 kou:口扣 ku:庫 kuai:快 kuan:款 kuang:况 kun:困 kuo:括 la:辣
lai:來来 lan:兰栏滥蓝览 lao:捞老 le:乐了 lei:类累 li:例利励呖理立里麗 lian:联莲连链 liang:两亮量 liao:料 lie:列
lin:临林邻 ling:令另岭灵零领 liu:六柳流留 long:窿龙 lu:录露 luan:乱 lun:论轮 luo:罗落逻 lv:率绿虑 lve:略 ma:吗码马麻
man:满 mei:妹枚梅每没美 men:们門门闷 mi:弥迷 mian:免面 miao:妙描 ming:名明鸣 mo:摸末莫魔默 mou:某 mu:目 na:哪拿那
nan:南难 ne:呢 nei:內内 neng:能 ni:你逆 nian:年念 niao:鸟 ning:宁 ou:偶 pai:排牌 pan:判盘 pang:旁 pao:炮 pei:赔配陪
peng:碰 pi:譬 pian:偏片 piao:飘 ping:平评 pu:扑 qi:七其器奇弃期棋气起骑齐 qia:恰 qian:前嵌欠潜签钱 qiang:墙强抢
qiao:悄桥 qie:且切 qing:情清请青 qiu:求秋 qu:区去取曲 quan:全圈权 que:却确缺雀 qun:群 ran:染然 rang:让 ren:人任认
reng:仍 ri:日 rong:冗容荣 ru:入如 ruo:若 sai:赛 san:三 se:色 shan:山 shang:上尚赏 shao:少稍绍 she:涉舍蛇设
shen:什甚神身 sheng:剩声生省胜 shi:事似使势十士失始实式时是石示视试适释食 shou:受守手收首 shu:书属数數术束殊述
shuai:帅 shuang:双 shui:水谁 shun:顺 shuo:说 si:四巳 su:俗塑素速 suan:算 sui:虽随 sun:损 suo:所索缩 ta:他塔它
tai:台太态汰 tao:套淘 te:特 teng:腾 ti:体提替题 tian:天添 tiao:条跳 tie:铁 ting:停听庭 tong:同筒通 tou:头骰
tu:图圖途 tui:推 wai:外 wan:万完湾玩萬 wang:往望王 wei:为伪位味围尾未維维谓 wen:吻文问 wo:我 wu:五伍务勿无物误
xi:喜息戏晰洗系细西 xia:下夏 xian:仙先掀显献现縣线闲限 xiang:像向响想相详象项香 xiao:小效消 xie:些写 xin:信新
xing:型形性星行 xiong:雄 xiu:修 xu:序续虚许需须 xuan:宣旋选 xue:雪 xun:巡 yan:严延眼言颜验 yang:央样 yao:么幺曜要
ye:也页 yi:一义乙亦以依宜已异役意易溢疑益移议 yin:因引隐 ying:应影英 yong:庸拥用 you:优又友右有游由
yu:与于余域娱玉語语馀鱼 yuan:元原园 yue:月粵约越阅 yun:允匀 zai:仔再在载 zao:造 ze:则择 zeng:增 zha:乍渣诈 zhan:展站
zhang:张張章 zhao:找照着 zhe:者这 zhen:振真针 zheng:征整正证 zhi:之值制只志执指掷摭支止直織置至致 zhong:中种终钟
zhou:周 zhu:主注珠祝竹著 zhua:抓 zhuan:转 zhuang:庄状 zhun:准 zhuo:桌 zi:姊子字自 zong:总 zu:族组足 zui:最
zuo:作做坐左座
"""
_SYLLABLE = {
    char: syllable for word in _TABLE.split() for syllable, _, chars in [word.partition(":")] for char in chars
}


def pinyin(name: str) -> str:
    """Return the syllables of a name joined by hyphens: 三色同顺 → san-se-tong-shun. Other characters stay."""
    return "-".join(_SYLLABLE.get(char, char.lower()) for char in name if not char.isspace())

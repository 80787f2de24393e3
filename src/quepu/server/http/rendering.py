"""From the core's values to the shapes the client draws."""

from __future__ import annotations

from functools import lru_cache

from quepu.errors import Error, Text
from quepu.hands.hand import Hand, MeldKind
from quepu.hands.notation import write
from quepu.match.terms import terms
from quepu.rules.circumstances import english_names
from quepu.rules.guide import Paragraph, Part, Shown, guide
from quepu.rules.measured_figures import Figure, figures, measured_in
from quepu.rules.play_rules import USUAL_WORDS, Words, play_rules
from quepu.rules.row import Example, value_text
from quepu.rules.rulebook import Rulebook, Ruling
from quepu.scoring.describe import row_facts, scored, why_not
from quepu.server.books.messages import (
    BookBrief,
    BookPage,
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
)
from quepu.server.books.pinyin import pinyin
from quepu.server.hands.messages import HandShape, MeldShape
from quepu.server.http.messages import Bilingual, BookWords
from quepu.tiles import NAMES

_MELDS = {
    MeldKind.CHOW: "chow", MeldKind.PUNG: "pung", MeldKind.KONG: "kong", MeldKind.CONCEALED_KONG: "concealed_kong",
}  # fmt: skip


def bilingual(text: Text) -> Bilingual:
    """Both languages."""
    return Bilingual(zh=text.zh, en=text.en)


def book_words(words: Words) -> BookWords:
    """A book's own words, in both languages."""
    return BookWords(**{name: bilingual(text) for name, text in words._asdict().items()})


def hand_shape(hand: Hand) -> HandShape:
    """A hand taken apart."""
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
    """A rulebook without its rows."""
    return BookBrief(
        id=book.id,
        title=bilingual(book.title),
        family=book.family,
        edition=book.edition,
        minimum=book.minimum,
        unit=bilingual(book.unit),
        words=book_words(play_rules(book).words if book.play else USUAL_WORDS),
        rows=len(book.fans),
        flowers=book.counts_flowers,
        table_flowers=bool(book.play) and play_rules(book).table.flowers,
        flower_value=book.flower_value,
        round_wind=book.round_wind,
        circumstances=list(book.circumstances),
        options=[
            OptionShape(
                key=o.key,
                text=bilingual(o.text),
                choices=list(o.choices),
                words=[bilingual(o.in_words(choice)) for choice in o.choices],
                chosen=book.choice(o),
                chosen_words=bilingual(o.in_words(book.choice(o))),
                between=list(o.between) if o.between else None,
            )
            for o in book.options
        ],
        fingerprint=book.fingerprint,
        aliases=list(book.aliases),
    )


def shown(example: Example | None, book: Rulebook) -> ShownExample | None:
    """An example hand with its score now."""
    if example is None:
        return None
    try:
        score = scored(example, book)
    except Error:  # a near miss may be no win at all, and an example be none under an older revision or house rules
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
_PAGES_MOST = 64  # house rules make books without end


def book_page(book: Rulebook) -> BookPage:
    """A rulebook with every row, relation and example; worked out once."""
    key = (book.id, book.fingerprint, book.text_fingerprint)
    page = _PAGES.get(key)
    if page is None:
        page = _page(book)
        if len(_PAGES) >= _PAGES_MOST:
            _PAGES.clear()
        _PAGES[key] = page
    return page


def _page(book: Rulebook) -> BookPage:
    fans = []
    figures_by_name = figures(book)
    for i, row in enumerate(book.fans):
        figure = figures_by_name.get(row.name, Figure(None, None, None))
        facts, printed = row_facts(book, row), book.printed_value(row)
        fans.append(
            FanRow(
                **facts,
                pinyin=" ".join(pinyin(name) for name in (row.name, *row.aliases)),
                value_text=Bilingual(**{lang: value_text(facts["value"], lang, printed) for lang in ("zh", "en")}),
                drops=[dropped.name for j, dropped in enumerate(book.fans) if book.drops[i] >> j & 1],
                example=shown(row.example, book),
                near_miss=shown(row.near_miss, book),
                why_not=bilingual(lacking) if (lacking := why_not(row, book)) is not None else None,
                rulings=list(row.rulings),
                share=figure.share,
                least=figure.least,
                least_hand=figure.least_hand,
                columns={key: str(cell) for key in book.columns if (cell := row.column(key)) is not None},
            )
        )
    categories = list(dict.fromkeys(f.category for f in book.fans))
    brief = book_brief(book).model_dump()
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
    """Shape of a ruling: how an unclear place is read."""
    return RulingShape(
        id=ruling.id,
        question=bilingual(ruling.question),
        answer=bilingual(ruling.answer),
        sentence=ruling.sentence,
        open=ruling.open,
    )


@lru_cache(_PAGES_MOST)
def guide_answer(book: Rulebook) -> GuideAnswer:
    """The rules of a book in words, every hand scored; worked out once."""
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
            example=shown(part.example, book),
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

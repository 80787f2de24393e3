"""Text to hand and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quepu.errors import NotationError
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.hands.notation import _piece, _Reader, parse, tile, tiles, tiles_text, write
from quepu.hands.pieces import read_pieces
from quepu.tiles import CHINESE, KINDS, NAMES, UNICODE
from tests.strategies import hands

# The same hand in every writing that the design promises.
SAME = [
    "11223sCC(NNNN)(123s)+3s",
    "1 1 2 2 3 s C C ( N N N N ) ( 1 2 3 s ) + 3 s",
    "cc11223s(321s)(nnnn)+3s",
    "5511223s".replace("55", "5z5z") + "(4444z)(123s)+3s",
    "一索一索二索二索三索中中(北北北北)(一索二索三索)+三索",
    "一一二二三条红中红中（北风北风北风北风）（123条）＋三条",
    "１１２２３ｓＣＣ（ＮＮＮＮ）（１２３ｓ）＋３ｓ",
    "🀐🀐🀑🀑🀒🀄🀄(🀃🀃🀃🀃)(🀐🀑🀒)+🀒",
    "🀐🀐🀑🀑🀒🀄\ufe0f🀄\ufe0e(🀃🀃🀃🀃)(🀐🀑🀒)+🀒",
    "11223S CC (123)s (NNNN) + 3S",
    "11223s, CC, +3s, (NNNN), (123s)",
    "(NNNN)(123s)11223sCC+3s",
]


@pytest.mark.parametrize("text", SAME)
def test_every_writing_reads_as_the_same_hand(text: str) -> None:
    hand = parse(text)
    assert hand._replace(melds=()) == Hand((18, 18, 19, 19, 20, 31, 31), (), 20)
    assert set(hand.melds) == {Meld(MeldKind.KONG, 30), Meld(MeldKind.CHOW, 18)}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("EESSWWNNCCFFP+P", "EESSWWNNCCFFP+P"),
        ("1z2z3z4z5z6z7z19m19p19s+白", "19m19p19sESWNCFP+P"),
        ("东南西北中发白東 一九万19饼一9索", "19m19p19sEESWNCFP"),
        ("C[1111m][東東東東]【9999饼】(999s)+C", "C[1111m][EEEE][9999p](999s)+C"),
    ],
)
def test_writing_is_canonical(text: str, written: str) -> None:
    hand = parse(text)
    assert write(hand) == written
    assert parse(written) == hand


@pytest.mark.parametrize(
    ("text", "concealed"),
    [
        ("123456789m123pE", 13),
        ("123456789m123pEE", 14),
        ("E(123m)(456m)(789m)(123p)", 1),
        ("EE(123m)(456m)(789m)(123p)", 2),
    ],
)
def test_hands_without_a_winning_tile(text: str, concealed: int) -> None:
    hand = parse(text)
    assert len(hand.concealed) == concealed
    assert hand.winning is None


@pytest.mark.parametrize(
    ("text", "at", "zh", "en"),
    [
        ("123m4x6p789sEEESS+S", 5, "不认识“x”", "not a tile"),
        ("123m\x0756p", 4, "U+0007", "U+0007"),
        ("11111m456p789sEEE+E", 4, "一万有 5 张", "5 copies of 1m"),
        ("123m456p789sCCEE(CCC)+E", 19, "中有 5 张", "5 copies of C"),
        ("123m456p789sEEESSS+S", 16, "应有 14 张手牌，实有 16 张", "expected 14 concealed tiles"),
        ("123m456p789sEE+S", 16, "应有 14 张手牌，实有 12 张", "found 12"),
        ("123m456p789s", 12, "应有 13 张手牌（或 14 张，待打），实有 9 张", "found 9"),
        ("123m456p789sEEE(SSS)", 14, "1 副副露之外，应有 10 张手牌（或 11 张，待打），实有 12 张", "beside 1 meld,"),
        ("(135m)123p", 0, "(135m) 不是顺子、刻子或杠", "not a chow, pung or kong"),
        ("(89m1p)", 0, "不是顺子", "not a chow"),
        ("123p(12345m)", 4, "(12345m) 不是顺子", "not a chow"),
        ("(ESW)123m", 0, "字牌不能组成顺子", "honours cannot make a chow"),
        ("(CFP)123m", 0, "字牌不能组成顺子", "honours cannot make a chow"),
        ("1m[EEE]", 2, "应有 4 张，实有 3 张", "expected 4 tiles, found 3"),
        ("[123m]", 0, "不是暗杠", "not a concealed kong"),
        ("(EE)", 0, "刻子要 3 张，杠要 4 张", "a pung has 3"),
        ("()", 0, "括号里没有牌", "empty"),
        ("123m456p789sEEEN+", 16, "+ 后面没有和的牌", "no winning tile"),
        ("123m456p789sEEEN+N+N", 18, "有两个 +", "a second +"),
        ("123m456p789sEEEN+NS", 18, "和的牌只能有一张", "only one winning tile"),
        ("123m(456p", 4, "没有关上", "never closed"),
        ("123m456p)", 8, "没有左括号", "never opened"),
        ("(EEE]", 4, "括号不成对，这里应是“)”", "expected ')'"),
        ("((EEE))", 1, "括号里不能再有括号", "inside a bracket"),
        ("(EEE+E)", 4, "括号还没有关上", "still open"),
        ("(123m)(123m)(123m)(123p)(123s)EE", 24, "副露最多 4 副", "at most 4 melds"),
        ("123m456", 4, "数字 4 后没有花色", "no suit"),
        ("12E3m", 0, "数字 1 后没有花色", "no suit"),
        ("123m0p", 4, "没有 0 这张牌", "no tile 0"),
        ("129z", 2, "没有 9z", "no 9z"),
        ("m123", 0, "“m”前没有数字", "no digits before 'm'"),
        ("123ss", 4, "字牌请写 S", "the honour is S"),
        ("123m🀢", 4, "花牌不写在手牌里", "flowers are not part"),
        ("123m风", 4, "不认识“风”", "not a tile"),
        ("", None, "没有牌", "no tiles"),
        (" \t,", None, "没有牌", "no tiles"),
    ],
)
def test_mistakes_are_reported_with_their_place(text: str, at: int | None, zh: str, en: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.at == at
    assert zh in caught.value.say("zh")
    assert en in caught.value.say("en")
    if at is not None:
        assert caught.value.say("zh").startswith(f"第 {at + 1} 个字符：")


@pytest.mark.parametrize("text", [None, 5, b"123m", ["1m"]], ids=repr)
def test_not_text(text: object) -> None:
    with pytest.raises(NotationError, match="文字"):
        parse(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", range(KINDS))
def test_one_tile_in_every_writing(kind: int) -> None:
    for text in (NAMES[kind], CHINESE[kind], UNICODE[kind], f" {NAMES[kind].lower()} "):
        assert tile(text) == kind


@pytest.mark.parametrize("text", ["", "1m2m", "11m", "+1m", "(1m", "(EEE)", "1", "x"])
def test_not_one_tile(text: str) -> None:
    with pytest.raises(NotationError):
        tile(text)


def test_tiles_keep_their_order() -> None:
    assert tiles("E1m 东31p") == (27, 0, 27, 11, 9)
    assert tiles_text(tiles("E1m 东31p")) == "1m13pEE"
    with pytest.raises(ValueError, match="flower"):
        tiles_text([34])


@given(hands())
@settings(max_examples=150, deadline=None)
def test_round_trip(hand: Hand) -> None:
    assert parse(write(hand)) == hand
    assert write(parse(write(hand))) == write(hand)


ALPHABET = "123456789mpszESWNCFP()[]+ 0一九万筒索條东發白红风🀇🀄🀀\ufe0f（＋１ｓspx-"


@given(st.one_of(st.text(ALPHABET, max_size=40), st.text(max_size=30)))
@settings(max_examples=500, deadline=None)
def test_any_text_is_a_hand_or_a_sentence(text: str) -> None:
    _hand_or_sentence(text)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@given(st.one_of(st.text(ALPHABET, max_size=40), st.text(max_size=30)))
@settings(max_examples=100_000, deadline=None)
def test_a_hundred_thousand_texts(text: str) -> None:
    _hand_or_sentence(text)


def _hand_or_sentence(text: str) -> None:
    for read in (parse, tile):
        wrong: NotationError | None = None
        try:
            read(text)
        except NotationError as error:
            wrong = error
        if wrong is not None:
            assert wrong.say("zh").endswith("。")
            assert wrong.say("en").endswith(".")
            assert wrong.at is None or 0 <= wrong.at <= len(text)


@given(
    hands(),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 2), st.sampled_from("1239mpsESWNCFP()[]+ z中")), max_size=4),
)
@settings(max_examples=300)
def test_what_is_read_in_parts_is_what_the_reader_reads(hand: Hand, changes: list[tuple[int, int, str]]) -> None:
    """Texts as they are written, and with a few characters put in, left out or replaced."""
    text = write(hand)
    for at, gone, character in changes:
        text = text[:at] + character + text[at + gone :]
    found = read_pieces(text, _piece)
    if hand.winning is not None and not changes:
        assert found == hand._replace(seat=27, round=27, luck=0, flowers=())
    if found is not None:
        reader = _Reader(text)
        reader.scan()
        assert found == reader.hand()

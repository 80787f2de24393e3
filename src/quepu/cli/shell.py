"""`quepu` alone: an interactive scorer. Type hands in any notation; short commands change their circumstances."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from quepu.cli import parameters
from quepu.cli.inputs import names_of, refuse_round, rulebook
from quepu.cli.screen import complain, note, show
from quepu.cli.terminal_lines import Styled, TextGrid
from quepu.cli.texts import Chosen, say
from quepu.errors import Error, HandError
from quepu.folding import fold
from quepu.scoring.signatures import DEFAULT_RULES

_HELP: Final = (
    ("11223sCC(NNNN)(123s)+3s", "hand"),
    ("r lingque-26　　规则 国标", "rules"),
    ("s N　　门风 北", "seat"),
    ("f S　　圈风 南", "round"),
    ("z　　自摸　　点和", "draw"),
    ("w {luck}", "luck"),
    ("h 春梅　　h 2", "flowers"),
    ("i 三连刻　　番 三连刻", "fans"),
    ("x", "explain"),
    (".", "state"),
    ("reset　　重置", "reset"),
    ("zh　　en", "lang"),
    ("q　　退出", "leave"),
)
"""Possible input as examples, and the text that explains each; {luck} stands for two circumstances of the book."""
_PROMPT: Final = "雀谱> "


@dataclass
class Session:
    """Settings of the session, and its commands."""

    rules: str = DEFAULT_RULES
    seat: str = "E"
    round: str = "E"
    self_draw: bool = False
    circumstances: list[str] = field(default_factory=list)
    flowers: str = ""
    explain: bool = False
    over: bool = False

    def answer(self, line: str) -> None:
        """Carry out one line: a command, or a hand. Errors are shown and change nothing."""
        text = line.strip()
        if not text:
            return
        word, _, rest = text.partition(" ")
        command = _COMMANDS.get(fold(word))
        before = dict(vars(self))
        try:
            if command is not None:
                command(self, rest.strip())
            elif _looks_like_a_hand(text):
                self.hand(text)
            else:
                note(say("shell.unknown"))
        except Error as error:
            vars(self).update(before)
            complain(error, source=error.source)

    def hand(self, text: str) -> None:
        """Score a hand with a winning tile; show the waits of a hand without one."""
        round = self.round if rulebook(self.rules).round_wind else "E"
        settings: dict[str, object] = {
            "seat": self.seat, "round": round, "circumstances": self.circumstances, "flowers": self.flowers,
        }  # fmt: skip
        if any(plus in text for plus in "+＋"):
            from quepu.cli.score import one

            one(text, self.rules, {**settings, "self_draw": self.self_draw}, json=False, explain=self.explain)
            return
        from quepu.cli.waits import look

        lasting = {**settings, "circumstances": []}  # circumstances of one win do not apply to waiting
        look(text, self.rules, lasting, "", json=False, every=False)

    # ---- settings; each shows the result

    def set_rules(self, rest: str) -> None:
        """Change the rulebook; circumstances that it does not know are dropped."""
        from quepu.rules.circumstances import luck_of

        if rest:
            book = rulebook(rest)
            self.rules = rest
            others = []
            for name in self.circumstances:
                try:
                    luck_of([name], book)
                    others.append(name)
                except Error:
                    continue
            self.circumstances = others
        self.state()

    def set_seat(self, rest: str) -> None:
        """Set the seat wind."""
        self.seat = _wind(rest)
        self.state()

    def set_round(self, rest: str) -> None:
        """Set the round wind."""
        book = rulebook(self.rules)
        if not book.round_wind:
            raise HandError(f"{book.title.zh}没有圈风。", f"{book.title.en} has no round wind.")
        self.round = _wind(rest)
        self.state()

    def toggle_draw(self, _: str) -> None:
        """Toggle self-draw."""
        self.self_draw = not self.self_draw
        self.state()

    def set_self_draw(self, _: str) -> None:
        """Set self-draw."""
        self.self_draw = True
        self.state()

    def set_discard(self, _: str) -> None:
        """Set a win on a discard."""
        self.self_draw = False
        self.state()

    def set_circumstances(self, rest: str) -> None:
        """Set circumstances by the book's names; no names clear them."""
        from quepu.rules.circumstances import luck_of

        names = names_of([rest])
        luck_of(names, rulebook(self.rules))
        self.circumstances = names
        self.state()

    def set_flowers(self, rest: str) -> None:
        """Set flowers; no argument clears them."""
        from quepu.rules.winds_and_flowers import flower_numbers

        flower_numbers(rest)
        self.flowers = rest
        self.state()

    def toggle_explain(self, _: str) -> None:
        """Toggle full explanations."""
        self.explain = not self.explain
        self.state()

    def reset(self, _: str) -> None:
        """Reset everything but the rulebook."""
        self.seat = self.round = "E"
        self.self_draw, self.circumstances, self.flowers = False, [], ""
        self.state()

    def fans(self, rest: str) -> None:
        """Show the rulebook, or one fan."""
        from quepu.cli.fans import show_fan, show_table
        from quepu.scoring.lookup import find_fan

        book = rulebook(self.rules)
        if rest:
            show_fan(book, find_fan(book, rest))
        else:
            show_table(book, list(book.fans))

    def set_language(self, lang: str) -> None:
        """Change the language."""
        Chosen.lang = lang
        self.state()

    def help(self, _: str) -> None:
        """Show the possible input."""
        book = rulebook(self.rules)
        offered = {"round": book.round_wind, "luck": bool(book.circumstances), "flowers": book.counts_flowers}
        luck = " ".join(list(book.circumstances)[:2])
        grid = TextGrid(gap=2)
        grid.add_column()
        grid.add_column(wraps=True)
        for typed, key in _HELP:
            if offered.get(key, True):
                grid.add_row(Styled(f"  {typed.format(luck=luck)}", style="cyan"), say(f"shell.help.{key}"))
        show(grid)

    def leave(self, _: str) -> None:
        """Leave the shell."""
        self.over = True

    def state(self, _: str = "") -> None:
        """Show the current settings in one line."""
        from quepu.cli.score_view import circumstances_line
        from quepu.hands.hand import Hand, Luck
        from quepu.rules.circumstances import luck_of, situate

        book = rulebook(self.rules)
        hand = situate(Hand(()), book, seat=self.seat, round=self.round, flowers=self.flowers)
        luck = int(Luck.SELF_DRAW) if self.self_draw else 0
        for _, bits in luck_of(self.circumstances, book):
            luck |= bits
        show(Styled(f"  {circumstances_line(hand._replace(luck=luck), book)}", style="dim"))


def _wind(text: str) -> str:
    from quepu.rules.winds_and_flowers import wind
    from quepu.tiles import NAMES

    return NAMES[wind(text)]


def _looks_like_a_hand(text: str) -> bool:
    """Return whether a word is a hand: it has a digit, a Chinese tile, or brackets; otherwise it is a mistyped word."""
    return (
        any(char in "0123456789()[]+＋（【〔" or ord(char) > 0x7F for char in text)
        or not text.isalpha()
        or text.isupper()
    )


def _bind_names(action: Callable[[Session, str], None], names: str) -> dict[str, Callable[[Session, str], None]]:
    return dict.fromkeys(names.split(), action)


_COMMANDS: Final[dict[str, Callable[[Session, str], None]]] = {
    **_bind_names(Session.set_rules, "r rules 规则"),
    **_bind_names(Session.set_seat, "s seat 门风 自风"),
    **_bind_names(Session.set_round, "f round 圈风 场风"),
    **_bind_names(Session.toggle_draw, "z"),
    **_bind_names(Session.set_self_draw, "自摸"),
    **_bind_names(Session.set_discard, "点和 点炮"),
    **_bind_names(Session.set_circumstances, "w with 情形"),
    **_bind_names(Session.set_flowers, "h flowers 花 花牌"),
    **_bind_names(Session.fans, "i fan fans 番 番种"),
    **_bind_names(Session.toggle_explain, "x explain 详 详略"),
    **_bind_names(Session.reset, "reset 重置"),
    **_bind_names(lambda session, _: session.set_language("en"), "en english 英文"),
    **_bind_names(lambda session, _: session.set_language("zh"), "zh chinese 中文"),
    **_bind_names(Session.state, ". state 状态"),
    **_bind_names(Session.help, "? help 帮助"),
    **_bind_names(Session.leave, "q quit exit 退出"),
}


@parameters.command("shell", parameters.rules(), *parameters.winds())
def command(rules: str, seat: str, round: str) -> int:
    """Shell."""
    import quepu

    session = Session(rules=rules, seat=_wind(seat), round=_wind(round))
    refuse_round(round, rulebook(rules))
    interactive = sys.stdin.isatty()
    if interactive:
        _line_editing()
        show(say("shell.welcome", version=quepu.__version__))
        session.state()
    while not session.over:
        try:
            line = input(_PROMPT if interactive else "")
        except EOFError:
            break
        except KeyboardInterrupt:
            note("")
            continue
        session.answer(line)
        if interactive:
            show("")
    if interactive:
        note(say("shell.bye"))
    return 0


def _line_editing() -> None:
    """Enable arrow keys, history and completion of names, if the system has readline."""
    try:
        import readline
    except ImportError:
        return
    from quepu.rulebooks import book_ids

    words = [*(word for word in _COMMANDS if len(word) > 1), *book_ids()]

    def complete(text: str, state: int) -> str | None:
        found = [word for word in words if word.startswith(text)]
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")

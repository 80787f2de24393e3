"""`quepu ask LOG|HAND`: why not another discard? Compare two actions at one moment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from quepu.cli import parameters
from quepu.cli.screen import meter, print_json, show
from quepu.cli.texts import Chosen

if TYPE_CHECKING:
    from quepu.review.asking import Scene
    from quepu.review.playouts import Played
    from quepu.table import Action
    from quepu.table.sampling import Assumed


@parameters.command(
    "ask",
    parameters.argument("what", "arg.ask", metavar="LOG|HAND", default=None),
    parameters.text("--instead", "-i", help="opt.ask_instead", metavar="ACTION"),
    parameters.text("--of", "-o", help="opt.ask_of", metavar="ACTION"),
    parameters.number("--hand", "-n", help="opt.ask_hand", default=1, least=1),
    parameters.number("--at", "-a", help="opt.ask_at", default=1, least=1),
    parameters.text("--seat", "-s", help="opt.ask_seat", metavar="WIND"),
    parameters.text("--round", "-R", help="opt.round", metavar="WIND", default="E"),
    parameters.text("--ready", help="opt.ask_ready", metavar="WIND", many=True),
    parameters.text("--aim", help="opt.ask_aim", metavar="FAN", complete=parameters.fan_names),
    parameters.text("--gone", help="opt.ask_gone", metavar="TILES"),
    parameters.text("--seen", help="opt.seen", metavar="TILES"),
    parameters.text("--offered", help="opt.ask_offered", metavar="TILE"),
    parameters.text("--giver", help="opt.ask_giver", metavar="WIND"),
    parameters.text("--melds", help="opt.ask_melds", metavar="WIND=MELDS", many=True),
    parameters.number("--playouts", "-p", help="opt.ask_playouts", default=256, least=0, most=100_000),
    parameters.text("--rules", "-r", help="opt.log_rules", metavar="RULES"),
    parameters.json(),
)
def command(what: str, instead: str, of: str, playouts: int, json: bool, **given: Any) -> int:
    """Ask."""
    from quepu.review.answers import answer
    from quepu.review.asking import compare
    from quepu.review.playouts import Played, playable
    from quepu.review.questions import assume, pair_of

    assumed = assume(given["ready"], given["gone"])
    in_log = Path(what).is_file() or bool(Path(what).suffix)  # a hand has no dot
    scene, taken = (_scene_in_log if in_log else _scene_of)(what, given, assumed)
    first, other = pair_of(scene, instead, of, taken)
    made, lacking = compare(scene, first, other), playable()
    played = Played() if lacking is None and playouts else None
    if played is not None:
        played, lacking = _play(scene, (first, other), played, playouts)
    found = answer(scene, made, played, lacking)
    if json:
        print_json(found)
        return 0
    show(found["headline"][Chosen.lang])
    for text in found["sentences"]:
        show(f"  {text[Chosen.lang]}")
    return 0


def _scene_in_log(path: str, given: dict[str, Any], assumed: Assumed) -> tuple[Scene, Action | None]:
    from quepu.cli.verify import load_log
    from quepu.review.questions import read_seat, scene_in
    from quepu.review.typed_hands import AskError

    for name in ("seen", "offered", "giver", "melds"):
        if given[name]:
            raise AskError(
                f"--{name} 只用于一手牌：牌谱里已经有了。", f"--{name} is for a typed hand only: a log has it already."
            )
    replay = load_log(path, given["rules"]).replay
    seat = read_seat(given["seat"]) if given["seat"] else None
    return scene_in(replay, given["hand"], given["at"] - 1, seat, assumed, given["aim"])


def _scene_of(text: str, given: dict[str, Any], assumed: Assumed) -> tuple[Scene, None]:
    from quepu.cli.inputs import apply_situation, error_source, hand_of, rulebook
    from quepu.hands.notation import tiles
    from quepu.review.asking import Scene
    from quepu.review.questions import melds_by_seat, read_around, read_offered
    from quepu.scoring.signatures import DEFAULT_RULES
    from quepu.scoring.waits import mark_winning
    from quepu.tiles import EAST

    book = rulebook(given["rules"] or DEFAULT_RULES)
    with error_source(given["seen"]):
        seen = tiles(given["seen"])
    with error_source(text):
        situation = {"seat": given["seat"] or "E", "round": given["round"]}
        hand = mark_winning(apply_situation(hand_of(text), book, situation))
    with error_source(given["offered"]):
        offered = read_offered(given["offered"], given["giver"], hand.seat - EAST)
    melds = melds_by_seat(given["melds"], hand.seat - EAST)
    around = read_around(offered, melds)
    return Scene.of_hand(hand, book, seen, assumed=assumed, aim=given["aim"], around=around), None


def _play(scene: Scene, pair: tuple[Action, Action], played: Played, most: int) -> tuple[Played | None, Any]:
    """Play out, with a meter; the sums, or why there are none."""
    from quepu.errors import HandError
    from quepu.review.playouts import play_out

    try:
        with meter(most) as advance:
            while played.worlds < most:
                played = play_out(scene, *pair, played, min(most, played.worlds + 32))
                advance(played.worlds)
    except HandError as unknown:
        return None, unknown.text
    return played, None

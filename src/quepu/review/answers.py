"""Say the answer to a question in sentences, with a unit for every number, and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quepu.errors import Text, join_list, many
from quepu.review.asking import Comparison, Line, Scene
from quepu.review.choice_words import LEAST, about, choice_text, fan_names, percent, points, value_text
from quepu.review.encoded import choice_json, side_json
from quepu.review.playouts import FEWEST, Played, Verdict
from quepu.review.sentences import SOON, line_text, lines_by_turn
from quepu.table.actions import tile_text
from quepu.tiles import NAMES, WINDS, WINDS_CHINESE

_MOST_NAMED = 8
_MOST_AIMS = 2


def answer(scene: Scene, made: Comparison, played: Played | None, lacking: Text | None = None) -> dict[str, Any]:
    """Return the answer as plain data: both lines, tiles gained and lost, the verdict, and sentences in both languages.

    `lacking` says why nothing was played out.
    """
    verdict = None if played is None else played.verdict
    lines = [
        {
            "choice": choice_json(line.choice),
            **side_json(line.side),
            "nearer": [round(share, 4) for share in line.nearer],
            "drawn": [round(share, 4) for share in line.drawn],
            "played": None if played is None or not played.worlds else _shares(played, number),
        }
        for number, line in enumerate((made.first, made.other))
    ]
    return {
        "first": lines[0],
        "other": lines[1],
        "gained": _tiles_json(made.gained, made.unseen),
        "lost": _tiles_json(made.lost, made.unseen),
        "estimate": round(made.estimate, 2),
        "verdict": None if verdict is None else _verdict_json(verdict),
        "played": None if played is None else played.to_json(),
        "headline": headline(made, played, lacking)._asdict(),
        "sentences": [text._asdict() for text in sentences(scene, made, played, lacking)],
    }


def _tiles_json(kinds: Sequence[int], unseen: Sequence[int]) -> list[dict[str, Any]]:
    return [{"tile": NAMES[kind], "left": unseen[kind]} for kind in kinds]


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    low, high = verdict.mean - verdict.half, verdict.mean + verdict.half
    return {"mean": round(verdict.mean, 2), "low": round(low, 2), "high": round(high, 2), "better": verdict.better}


def _shares(played: Played, number: int) -> dict[str, Any]:
    n = played.worlds
    total, by = 0, []
    for wins in played.won_by[number]:
        total += wins
        by.append(round(total / n, 4))
    return {
        "won": round(played.won[number] / n, 4),
        "dealt": round(played.dealt[number] / n, 4),
        "mean": round(played.net[number] / n, 2),
        "won_by": by,
    }


# ---- sentences


def headline(made: Comparison, played: Played | None, lacking: Text | None = None) -> Text:
    """Say which line is better, and how sure that is."""
    first, other = choice_text(made.first.choice), choice_text(made.other.choice)
    verdict = None if played is None else played.verdict
    if verdict is None or played is None:
        return _estimated(made, (first, other), 0 if played is None else played.worlds, lacking)
    n = played.worlds
    low, high = sorted((verdict.mean - verdict.half, verdict.mean + verdict.half))
    if not verdict.better:
        return Text(
            f"差不多：{first.zh}和{other.zh}平均相差 {points(abs(verdict.mean))} 分，还在误差之内"
            f"（99% 的区间：{_signed(low)} 到 {_signed(high)} 分，各打完 {n} 局）。",
            f'About equal: "{first.en}" and "{other.en}" differ by {points(abs(verdict.mean))} points on average, '
            f"within the noise (99% interval {_signed(low)} to {_signed(high)} points, {n} playouts of each).",
        )
    best, worse = (first, other) if verdict.better > 0 else (other, first)
    bounds = sorted((abs(low), abs(high)))
    return Text(
        f"{best.zh}更好：平均比{worse.zh}多得 {points(abs(verdict.mean))} 分"
        f"（99% 的区间：{points(bounds[0])} 到 {points(bounds[1])} 分，各打完 {n} 局）。",
        f'"{best.en}" is better, by {points(abs(verdict.mean))} points on average over "{worse.en}" '
        f"(99% interval {points(bounds[0])} to {points(bounds[1])} points, {n} playouts of each).",
    )


def _estimated(made: Comparison, names: tuple[Text, Text], worlds: int, lacking: Text | None) -> Text:
    """Answer from the valuation alone."""
    apart, (first, other) = made.estimate, names
    if worlds:
        later = Text(f"；才打完 {worlds} 局，还不能核实", f"; {worlds} playouts are too few to check this")
    elif lacking is None:
        later = Text("；还没有打完的局来核实", "; no playouts have checked this yet")
    else:
        later = Text("；不能打完来核实", "; this cannot be checked by playouts")
    if abs(apart) < LEAST:
        return Text(
            f"按估值差不多：{first.zh}和{other.zh}相差不到 {LEAST} 分{later.zh}。",
            f'About equal by estimate: "{first.en}" and "{other.en}" differ by under {LEAST} points{later.en}.',
        )
    best, worse = (first, other) if apart > 0 else (other, first)
    return Text(
        f"按估值{best.zh}更好：平均比{worse.zh}多得约 {points(abs(apart))} 分{later.zh}。",
        f'By estimate "{best.en}" is better, by about {points(abs(apart))} points on average over '
        f'"{worse.en}"{later.en}.',
    )


def _signed(number: float) -> str:
    return f"{number:+.1f}".replace("-", "−")


def sentences(scene: Scene, made: Comparison, played: Played | None, lacking: Text | None = None) -> list[Text]:
    """Explain the comparison: each line, tiles gained and lost, chances by turn, hands aimed for, danger, playouts."""
    lines = (made.first, made.other)
    found = [*_assumptions(scene), *(line_text(line.choice) for line in lines)]
    found += _tiles(made)
    found += lines_by_turn([(line.choice, line.side) for line in lines])
    found += [text for line in lines for text in _alone(line)]
    found += [text for line in lines for text in _aims(line)]
    found += _dangers(lines)
    if played is not None and played.worlds:
        found.append(_played(scene, made, played))
    elif lacking is not None:
        found.append(lacking)
    return found


def _assumptions(scene: Scene) -> list[Text]:
    parts = []
    ready = [Text(f"{WINDS_CHINESE[seat]}家已听牌", f"{WINDS[seat]} is ready") for seat in sorted(scene.assumed.ready)]
    parts += ready
    if scene.assumed.held:
        names = join_list(tile_text(kind) for kind in scene.assumed.held)
        parts.append(Text(f"剩下的{names.zh}都在别家手里", f"the other seats hold every {names.en} that is left"))
    if scene.aim:
        fan = scene.book.fan(scene.aim)
        parts.append(Text(f"只做有“{fan.name}”的牌", f"only hands with “{fan.english}” count"))
    if not parts:
        return []
    said = join_list(parts)
    return [Text(f"假设：{said.zh}。", f"Assumed: {said.en}.")]


def _tiles(made: Comparison) -> list[Text]:
    """Say which tiles each line needs that the other does not."""
    found = []
    pairs = ((made.first, made.gained), (made.other, made.lost))
    for line, kinds in pairs:
        if not kinds:
            continue
        what, left = choice_text(line.choice), sum(made.unseen[kind] for kind in kinds)
        named = "、".join(tile_text(kind).zh for kind in kinds[:_MOST_NAMED])
        named_en = " ".join(tile_text(kind).en for kind in kinds[:_MOST_NAMED])
        more = len(kinds) - _MOST_NAMED
        if more > 0:
            named, named_en = f"{named}等 {len(kinds)} 种", f"{named_en} and {many(more, 'more kind')}"
        found.append(
            Text(
                f"只有{what.zh}才用得上：{named}，还有 {left} 张没看见。",
                f'Useful only after "{what.en}": {named_en}, {many(left, "tile")} unseen.',
            )
        )
    if not found and made.first.choice.useful and made.other.choice.useful:
        found.append(Text("两种打法用得上的牌一样。", "Both use the same tiles."))
    return found


def _alone(line: Line) -> list[Text]:
    """Say the exact chance by own draws alone."""
    if not line.nearer:
        return []
    what, turns = choice_text(line.choice), min(SOON, len(line.nearer))
    came, draws = percent(line.nearer[turns - 1]), many(turns, "draw")
    if line.choice.missing == 1:
        return [Text(
            f"{what.zh}后只靠自己摸，{turns} 次以内自摸：{came.zh}（精确）。",
            f'After "{what.en}", by own draws alone, a win within {draws}: {came.en} (exact).',
        )]  # fmt: skip
    if line.drawn:
        won = percent(line.drawn[turns - 1])
        return [Text(
            f"{what.zh}后只靠自己摸，{turns} 次以内：听牌 {came.zh}、自摸 {won.zh}（精确）。",
            f'After "{what.en}", by own draws alone within {draws}: ready {came.en}, won {won.en} (exact).',
        )]  # fmt: skip
    return [Text(
        f"{what.zh}后只靠自己摸，{turns} 次以内进一张：{came.zh}（精确）。",
        f'After "{what.en}", by own draws alone, a useful tile within {draws}: {came.en} (exact).',
    )]  # fmt: skip


def _aims(line: Line) -> list[Text]:
    if not line.side.aims:
        return []
    what = choice_text(line.choice)
    said = []
    for aim in line.side.aims[:_MOST_AIMS]:
        fans, value = fan_names(aim.score), value_text(aim.score)
        zh, en = "、".join(tile_text(k).zh for k in aim.draws), " ".join(tile_text(k).en for k in aim.draws)
        said.append(Text(f"{fans.zh} {value.zh}（来{zh}）", f"{fans.en}, {value.en} (with {en})"))
    zh, en = "；".join(one.zh for one in said), "; ".join(one.en for one in said)
    return [Text(f"{what.zh}可以做：{zh}。", f'"{what.en}" leads to {en}.')]


def _dangers(lines: Sequence[Line]) -> list[Text]:
    if not any(line.choice.danger >= 0.001 for line in lines):
        return []
    said = [(choice_text(line.choice), about(line.choice.danger)) for line in lines]
    (a, risk), (b, other) = said
    return [Text(
        f"这一张放铳的机会：{a.zh}是{risk.zh}，{b.zh}是{other.zh}。",
        f'Chance that this tile deals in: "{a.en}" {risk.en}, "{b.en}" {other.en}.',
    )]  # fmt: skip


def _played(scene: Scene, made: Comparison, played: Played) -> Text:
    n = played.worlds
    parts = []
    for number, line in enumerate((made.first, made.other)):
        what, share = choice_text(line.choice), _shares(played, number)
        won, dealt, mean = percent(share["won"]), percent(share["dealt"]), _signed(played.net[number] / n)
        parts.append(
            Text(
                f"{what.zh}：和 {won.zh}，放铳 {dealt.zh}，平均 {mean} 分",
                f'"{what.en}": wins {won.en}, deals in {dealt.en}, {mean} points on average',
            )
        )
    goal = Text("", "")
    if scene.aim:
        fan = scene.book.fan(scene.aim)
        goal = Text(
            f"；自己只冲着有“{fan.name}”的牌打，做不成了才改，能和就和",
            f"; this seat goes only for hands with “{fan.english}” while one can still come, and takes any win",
        )
    few = Text("；局数还少，先不下结论", "; too few to judge yet") if n < FEWEST else Text("", "")
    return Text(
        f"同样的牌墙各打完 {n} 局（别家的牌随机发，再由“高手”摸打到现在的巡数；四家都由“高手”打{goal.zh}）。"
        f"{parts[0].zh}；{parts[1].zh}{few.zh}。",
        f"{n} playouts of each on the same walls (the other hands dealt at random and improved by the expert "
        f"bot for as many turns as were played; it plays all four{goal.en}). {parts[0].en}; {parts[1].en}{few.en}.",
    )

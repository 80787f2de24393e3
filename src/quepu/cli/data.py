"""`quepu data`: positions with what was done there and what came of it, for learning."""

from __future__ import annotations

import os

from quepu.cli import parameters
from quepu.cli.files import writable
from quepu.cli.screen import print_json
from quepu.cli.texts import say


@parameters.command(
    "data",
    parameters.text("--out", "-o", help="opt.data.out", metavar="FILE", default="positions.npz"),
    parameters.rules(),
    parameters.text(
        "--bots", "-b", help="opt.bots", metavar="A,B,C,D", default="plain,plain,plain,plain", complete=parameters.bots
    ),
    parameters.number("--hands", "--rounds", "-n", "hands", help="opt.hands", default=200, least=1),
    parameters.number("--seed", help="opt.seed", default=1, least=0),
    parameters.text("--log", help="opt.data.log", metavar="FILE", many=True),
    parameters.text("--encoding", help="opt.data.encoding", metavar="NAME", default="counts"),
    parameters.jobs(),
    parameters.with_flowers(),
    parameters.json(),
)
def command(
    out: str, rules: str, bots: str, hands: int, seed: int, log: tuple[str, ...], encoding: str, jobs: int,
    flowers: bool | None, json: bool,
) -> int:  # fmt: skip
    """Write positions."""
    writable(out)
    from quepu.cli.progress import meter
    from quepu.rl.data import check_name, from_bots, from_logs, save

    check_name(out)
    if log:
        with meter(len(log)) as advance:
            made = from_logs(log, encoding, progress=advance)  # type: ignore[arg-type]  # names are checked there
    else:
        levels = tuple(name.strip() for name in bots.replace("，", ",").split(","))
        with meter(hands) as advance:
            made = from_bots(
                rules, levels, hands, seed, encoding,  # type: ignore[arg-type]
                flowers=flowers, jobs=jobs or os.cpu_count() or 1, progress=advance,
            )  # fmt: skip
    save(made, out)
    size = os.path.getsize(out)
    if json:
        print_json({"file": out, "bytes": size, "positions": len(made), **made.about})
    else:
        print(say("data.written", file=out, positions=len(made), hands=made.about["hands"], size=size / (1 << 20)))
        if made.about.get("left_out"):
            print(say("data.left_out", n=made.about["left_out"]))
    return 0

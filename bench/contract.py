"""Whether the worker of a page answers with the server's bytes: `python bench/contract.py [HANDS [BOOK …]]`.

Scores of sample hands are answered by the route's own function here and in Pyodide (Node), started once for all; the
slow test of the same name asks fewer, through every layer of the route. Hands are asked a batch at a time. What a batch
came to is a line of `contract.jsonl` in the cache folder, so that a run that was cut short goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from quepu.folders import cache_folder
from quepu.json_lines.answers import request_of
from quepu.rulebooks import book, book_ids
from quepu.scoring.samples import wins
from quepu.server.http.pages import STATIC

sys.path.insert(0, str(Path(__file__).parents[1]))
from hatch_build import tools

BATCH = 5000
FIRST_SEED = 1000
ANSWERS = '''
import hashlib, json
from quepu.server.hands.api import _score
from quepu.server.hands.messages import ScoreRequest
from quepu.server.http.responses import Plain

def answers(lines):
    """The digest of each answer, and of all."""
    found, whole = [], hashlib.sha256()
    for number, line in enumerate(lines):
        answer = _score(ScoreRequest.model_validate_json(line), "en" if number % 2 else "zh", number % 4 > 0)
        body = Plain(answer).body
        whole.update(body)
        found.append(hashlib.sha256(body).hexdigest()[:16])
    return found, whole.hexdigest()
'''


def lines_about(name: str, seed: int) -> list[str]:
    """Requests for the scores of a batch of sample hands."""
    rules = book(name)
    hands = wins(rules, BATCH, seed=seed)
    return [json.dumps({**request_of(hand, rules), "rules": name}, ensure_ascii=False) for hand in hands]


class Worker:
    """Python in WebAssembly, as a page's worker has it."""

    def __init__(self) -> None:
        script = Path(__file__).with_suffix(".mjs")
        command = [str(tools()[0]), str(script), str(STATIC / "device")]
        self._node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._send(ANSWERS)

    def _send(self, text: str) -> None:
        assert self._node.stdin is not None  # it is a pipe
        self._node.stdin.write(json.dumps(text) + "\n")
        self._node.stdin.flush()

    def begin(self, file: Path) -> None:
        """Begin with the requests of a file."""
        self._send(str(file))

    def finish(self) -> tuple[list[str], str]:
        """The digests of the answers to the first of these files."""
        assert self._node.stdout is not None  # it is a pipe
        each, whole = json.loads(self._node.stdout.readline())
        return each, whole


def main(hands: int, names: list[str]) -> int:
    """Ask about so many hands of each book; the number of books of which any answer differs."""
    here: dict[str, object] = {}
    exec(ANSWERS, here)  # our own lines, the same as there
    done_file = cache_folder() / "contract.jsonl"
    done_file.parent.mkdir(parents=True, exist_ok=True)
    done = [json.loads(line) for line in done_file.read_text("utf-8").splitlines()] if done_file.is_file() else []
    bundle = json.loads((STATIC / "device" / "bundle.json").read_text("utf-8"))["quepu"]
    equal = {(one["book"], one["seed"]) for one in done if one["bundle"] == bundle and not one["differ"]}
    worker, bad = Worker(), 0
    for name in names:
        differ, begun = 0, time.process_time()
        for seed in range(FIRST_SEED, FIRST_SEED + hands // BATCH):
            if (name, seed) in equal:
                continue
            lines = lines_about(name, seed)
            with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
                json.dump(lines, file, ensure_ascii=False)
                file.flush()
                worker.begin(Path(file.name))
                mine, whole = here["answers"](lines)  # type: ignore[operator]  # it was made above
                theirs, other = worker.finish()
            wrong = [line for line, a, b in zip(lines, mine, theirs, strict=True) if a != b]
            assert bool(wrong) == (whole != other)  # one is the other
            for line in wrong[:3]:
                print(name, "differs:", line)
            differ += len(wrong)
            with done_file.open("a", encoding="utf-8") as file_of_all:
                one = {"book": name, "seed": seed, "hands": len(lines), "differ": len(wrong), "bundle": bundle}
                file_of_all.write(json.dumps({**one, "digest": hashlib.sha256(whole.encode()).hexdigest()[:12]}) + "\n")
        bad += differ > 0
        print(
            f"{name}: {hands} hands, {differ} differ ({time.process_time() - begun:.0f} s of processor here)",
            flush=True,
        )
    return bad


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, sys.argv[2:] or list(book_ids())))

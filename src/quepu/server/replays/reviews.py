"""Reviews of whole matches: queued fairly, in a separate process, stored hand by hand.

Finished parts survive the server: asked for again (or at the next start), a review continues with the missing hands.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from contextvars import Context
from typing import Any

from quepu.errors import Error, Text
from quepu.fast.nearest.join_code import compiled
from quepu.figures.log_figures import distinct_names
from quepu.figures.mistakes import Mistakes, of_reviews
from quepu.server.budget import payers
from quepu.server.http.responses import Refusal
from quepu.server.limits import Limits
from quepu.server.replays.repository import ReplayRepository
from quepu.server.replays.review_worker import Source, Task, book_source, lower_priority, preload, review, tables_there
from quepu.server.store.replays import Replays
from quepu.server.store.values import StoreError
from quepu.server.work.building import BookSource, Building, Progress

_log = logging.getLogger("quepu.server")

_MATCHES = 300
"""The most matches of a player that are added up, the latest first."""
_MOST_WARM = 4
"""Books loaded before a review asks for them: each takes memory."""
_OURS = ""
"""The asker of reviews resumed at startup; it has no address, so that they cannot be cancelled from outside."""
Json = dict[str, Any]


def name_figures(figures: Json) -> Json:
    """Return figures of mistakes with the names of their kinds."""
    from quepu.review import MISTAKES

    for line in (*figures["kinds"], *figures["worst"]):
        line["name"] = MISTAKES[line["kind"]]._asdict()
    return figures


def _version() -> int:
    from quepu.review import VERSION

    return VERSION


class Reviews:
    """The reviews of one server."""

    def __init__(self, repository: ReplayRepository, store: Replays, limits: Limits, building: Building) -> None:
        self.repository = repository
        self.building = building
        self.store = store
        self.limits = limits
        self._waiting: dict[str, asyncio.Event] = {}  # in order; set: no longer wanted
        self._askers: dict[
            str, dict[str, tuple[str, ...]]
        ] = {}  # the askers (accounts before addresses), and all who pay
        self._served: Counter[str] = Counter()  # when each asker last had a turn
        self._left: dict[str, tuple[Source, deque[int]]] = {}  # hands still to be reviewed, of started reviews
        self._stage: dict[str, str] = {}
        self._preparing: dict[str, asyncio.Task[None]] = {}  # those whose book's tables are being built
        self._progress: dict[str, Progress] = {}
        self._built: set[str] = set()  # those whose tables were built on demand, so loops may be missing
        self._ready = asyncio.Event()  # set: at least one can continue
        self._worker: asyncio.Task[None] | None = None
        self._pool: ProcessPoolExecutor | None = None
        self._warm: dict[str, asyncio.Task[None]] = {}  # the books that the other process has loaded, or loads

    @property
    def waiting(self) -> int:
        """Reviews that wait or run."""
        return len(self._waiting)

    # ---- asked from outside

    async def start(self, id: str, asker: str) -> Json:
        """Start or resume a review; return its state.

        Raises:
            Refusal: the replay does not exist, too many reviews wait, or too many tables of house rules were requested.
        """
        await self.repository.page(id, asker)
        state = (await self._load_stored(id)).get(0, {})
        if state.get("state") == "done" or id in self._waiting:
            if id in self._waiting:
                self._askers.setdefault(id, {})[payers(asker)[-1]] = payers(asker)
            return await self.state(id, asker)
        if any(self._of(who) >= self.limits.reviews_each for who in payers(asker)):
            raise Refusal(
                409, "你已有牌谱在复盘，等它完成再来。", "one of your reviews is still running: wait for it first."
            )
        if len(self._waiting) >= self.limits.reviews_most:
            raise Refusal(
                409, "排队复盘的牌谱太多，请稍后再试。", "too many reviews are waiting; please try again later."
            )
        source = book_source((await self.repository.open(id)).source)
        await self.building.missing(source, asker, self.repository.work.run)
        await self.store.review(id, 0, {"state": "running", "version": _version()})
        self._queue(id, asker)
        return await self.state(id, asker)

    async def cancel(self, id: str, asker: str) -> Json:
        """Withdraw interest in a review: it stops once no asker is left, and finished hands stay.

        Raises:
            Refusal: the replay does not exist, or the review belongs to another asker.
        """
        await self.repository.open(id)
        askers = self._askers.get(id)
        if askers is None:  # nothing waits
            return await self.state(id, asker)
        if askers.keys().isdisjoint(payers(asker)):
            raise Refusal(403, "只有要求复盘的人能停止它。", "only the player who requested a review can stop it.")
        for who in payers(asker):
            askers.pop(who, None)
        if askers:
            return await self.state(id, asker)
        self._waiting.pop(id).set()
        del self._askers[id]
        if id in self._preparing:
            self._preparing[id].cancel()
        if (await self._load_stored(id)).get(0, {}).get("state") == "running":
            await self.store.review(id, 0, {"state": "canceled", "version": _version()})
        return await self.state(id, asker)

    async def state(self, id: str, asker: str) -> Json:
        """Return the progress of a review, and how each hand was played as far as known.

        Raises:
            Refusal: the replay does not exist.
        """
        page = await self.repository.page(id, asker)
        stored = await self._load_stored(id)  # a consistent snapshot
        whole = stored.pop(0, {})
        state = whole.get("state", "none")
        if state == "running" and id not in self._waiting:  # a server stopped in the middle of it
            self._queue(id)
        place = self._order().index(id) if id in self._waiting and id not in self._stage else 0
        progress = self._progress.get(id)
        return {
            "state": ("waiting" if place else self._stage.get(id, "running")) if state == "running" else state,
            "before": place if progress is None else progress.before,
            "built": None if progress is None else progress.share,
            "done": len(stored),
            "total": len(page["reviewable"]),
            "hands": [{"number": number, "seats": body["seats"]} for number, body in sorted(stored.items())],
            "error": whole.get("error"),
        }

    async def hand(self, id: str, number: int) -> Json:
        """Return every decision of a hand.

        Raises:
            Refusal: the hand is not reviewed (yet).
        """
        await self.repository.open(id)
        body = (await self._load_stored(id)).get(number)
        if body is None or not number:
            raise Refusal(404, "这一局还没有复盘。", "this hand has not been reviewed yet.")
        return {"number": number, "decisions": body["decisions"], "seats": body["seats"]}

    async def wake(self) -> None:
        """Resume unfinished reviews after a restart."""
        for id in await self.store.running():
            if id not in self._waiting:
                self._queue(id)

    async def close(self) -> None:
        """Stop; finished hands stay in the store."""
        tasks = [task for task in (self._worker, *self._preparing.values(), *self._warm.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._waiting.clear()
        self._askers.clear()
        self._shut()

    def prepare(self, rules: str) -> None:
        """Load what a review under a book needs, so that the first hand is graded soon after it is asked for."""
        if rules not in self._warm and len(self._warm) < _MOST_WARM:
            self._warm[rules] = asyncio.create_task(self._load_book(rules), context=Context())  # charged to no budget

    async def _load_book(self, rules: str) -> None:
        try:
            await self._run(preload, rules)
        except Exception:  # noqa: BLE001  # a review loads it itself, and says what is wrong
            _log.exception("a review under %s could not be prepared", rules)

    # ---- the store

    async def _load_stored(self, id: str) -> dict[int, Json]:
        """Return the stored parts of a review by hand; 0 is the state of the whole."""
        found = await self.store.load_review(id)
        return {hand: body for hand, body in found.items() if body.get("version") == _version()}

    # ---- processing

    def _queue(self, id: str, asker: str = _OURS) -> None:
        self._waiting[id] = asyncio.Event()
        self._askers[id] = {payers(asker)[-1]: payers(asker)} if asker else {_OURS: ()}
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), context=Context())  # charged to no budget

    def _of(self, who: str) -> int:
        """Count the reviews that an address or an account pays for."""
        return sum(any(who in paying for paying in askers.values()) for askers in self._askers.values())

    def _order(self) -> list[str]:
        """Return the reviews in processing order: started ones, then each asker's first, second …, in turn."""
        before: Counter[str] = Counter()
        turns = {}
        for id in self._waiting:
            asker = self._asker(id)
            turns[id] = (id not in self._stage, before[asker])
            before[asker] += 1
        return sorted(turns, key=turns.__getitem__)

    def _asker(self, id: str) -> str:
        return min(self._askers.get(id, ()), default=_OURS)

    def _next(self) -> str:
        """Return the first review, with its tables ready, of the asker whose last turn is longest ago."""
        firsts = {self._asker(id): id for id in reversed(self._waiting) if id not in self._preparing}
        asker = min(reversed(firsts), key=self._served.__getitem__)
        tick = max(self._served.values(), default=0) + 1
        self._served = Counter({one: self._served[one] for one in firsts}) | Counter({asker: tick})
        return firsts[asker]

    async def _work(self) -> None:
        while self._waiting:
            self._ready.clear()
            if self._waiting.keys() <= self._preparing.keys():
                await self._ready.wait()
                continue
            id = self._next()
            unwanted, over = self._waiting[id], True
            try:
                over = await self._some(id, unwanted)
            except Refusal:
                await self.store.forget_review(id)  # the log was deleted
            except StoreError:
                _log.exception("the review of %s could not be kept", id)
            except Exception:  # noqa: BLE001  # whatever it was, the other reviews go on
                _log.exception("the review of %s failed", id)
                self._shut()
                await self._fail(id)
            if over or unwanted.is_set():
                self._forget(id, unwanted)

    def _forget(self, id: str, unwanted: asyncio.Event) -> None:
        """Drop a review that is over or no longer wanted."""
        self._stage.pop(id, None)
        self._left.pop(id, None)
        self._built.discard(id)
        if self._waiting.get(id) is unwanted:
            del self._waiting[id]
            self._askers.pop(id, None)

    async def _fail(self, id: str, why: Text | None = None) -> None:
        state = {"state": "failed", "version": _version()} | ({} if why is None else {"error": why._asdict()})
        with suppress(StoreError):
            await self.store.review(id, 0, state)

    async def _prepare(self, id: str, source: BookSource, unwanted: asyncio.Event) -> None:
        """Have a book's tables built while other reviews continue."""

        def set_progress(progress: Progress) -> None:
            self._progress[id] = progress

        self._stage[id] = "preparing"
        try:
            await self.building.wait(source, self._asker(id), set_progress, paid=True)
            self._stage[id] = "running"
            self._built.add(id)
        except (Refusal, Error) as problem:
            await self._fail(id, problem.text)
            self._forget(id, unwanted)
        except Exception:  # noqa: BLE001  # whatever it was, the other reviews go on
            _log.exception("the review of %s failed: its tables cannot be built", id)
            await self._fail(id, None)
            self._forget(id, unwanted)
        except asyncio.CancelledError:
            self._forget(id, unwanted)
            raise
        finally:
            self._progress.pop(id, None)
            del self._preparing[id]
            self._ready.set()

    async def _some(self, id: str, unwanted: asyncio.Event) -> bool:
        """Process a review for one turn; return whether it is over."""
        if id not in self._left:
            source = (await self.repository.open(id)).source
            page = await self.repository.page(id, _OURS)
            stored = await self._load_stored(id)
            left = deque(number for number in page["reviewable"] if number not in stored)
            self._left[id] = source, left
        source, left = self._left[id]
        if left and not unwanted.is_set() and not await self._can_continue(id, source):
            self._preparing[id] = asyncio.create_task(self._prepare(id, book_source(source), unwanted))
            return False
        if left and not unwanted.is_set():
            self._stage[id] = "running"
            body = await self._run(review, Task(source, left[0]))
            if body is None:
                return False
            await self.store.review(id, left.popleft(), {**body, "version": _version()})
        if left:
            return False
        if not unwanted.is_set():
            await self.store.review(
                id, 0, {"state": "done", "version": _version(), "players": await self._count_mistakes(id)}
            )
        return True

    async def _can_continue(self, id: str, source: Source) -> bool:
        """Return whether it can continue; the table process compiles the loops for all waiting reviews."""
        if id not in self._built and not compiled():
            return False
        there: bool = await self._run(tables_there, Task(source, 0))
        return there

    async def _count_mistakes(self, id: str) -> Json:
        """Return the mistakes of each player found by the review of a whole match."""
        page, stored = await self.repository.page(id, _OURS), await self._load_stored(id)
        hands = [body for number, body in sorted(stored.items()) if number]
        opened = await self.repository.open(id)
        names = {head["number"]: distinct_names(head["names"]) for head in page["hand_list"]}
        found = of_reviews(names, hands, at=id, when=opened.played)
        return {name: one.to_json() for name, one in found.items()}

    async def player(self, owner: str, ids: Sequence[str], names: Sequence[str]) -> Json:
        """Return a player's mistakes found by reviews of an owner's matches (and of `ids`)."""
        await self.repository.gather()
        rows = await self.store.own(owner, ids[:_MATCHES], names, _MATCHES)
        if not rows:
            return {"name": "", "books": [], "unreviewed": []}
        states = await self.store.reviews_of([row.id for row in rows])
        books, left = dict[str, Mistakes](), []
        titles = {row.rules: row.shown["book"] for row in rows}
        for row in rows:
            body = states.get(row.id, {})
            done = body.get("state") == "done" and body.get("version") == _version()
            name = next((name for name in names if name in body.get("players", {})), None)
            if done and name is not None:
                books.setdefault(row.rules, Mistakes()).add(Mistakes.from_json(body["players"][name]))
            elif not done:
                left.append({"id": row.id, "title": row.shown.get("title", ""), "when": row.played})
        found = [
            {"book": book, "title": titles[book], **name_figures(one.figures())}
            for book, one in sorted(books.items(), key=lambda item: (-item[1].hands, item[0]))
            if one.decisions
        ]
        return {"name": names[0], "books": found, "unreviewed": left}

    async def _run(self, what: Any, task: Task | str) -> Any:
        """Run a function in the other process; a dead process is replaced once."""
        for again in (True, False):
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=lower_priority)
            try:
                return await asyncio.get_running_loop().run_in_executor(self._pool, what, task)
            except BrokenExecutor:
                self._shut()
                if not again:
                    raise
        return None

    def _shut(self) -> None:
        self._warm.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

"""The workshop: the effects of a draft on every possible hand, computed in processes of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from fastapi import APIRouter, Request

from quepu.rulebooks import book_ids
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.budget import ALSO_PAYS, Asker, Buckets
from quepu.server.http.guard import at_this_machine
from quepu.server.http.responses import Plain, Refusal, from_state, refusals
from quepu.server.limits import Limits
from quepu.server.lru_cache import LRUCache
from quepu.server.work import Allowed, Pool
from quepu.server.work.building import Building
from quepu.server.work.pool import Work
from quepu.server.work.process import too_much
from quepu.server.workshop import working
from quepu.server.workshop.duel_tables import DuelTables
from quepu.server.workshop.effects_messages import (
    DuelAnswer,
    DuelRequest,
    EffectsAnswer,
    EffectsRequest,
    FindAnswer,
    FindRequest,
    FormulaHandsAnswer,
    FormulaHandsRequest,
    SuggestAnswer,
    SuggestRequest,
)
from quepu.server.workshop.messages import (
    CheckAnswer,
    DraftShape,
    DraftText,
    ExportAnswer,
    FormulaAnswer,
    FormulaText,
    QuestionsAnswer,
    QuestionsRequest,
    ResiduesAnswer,
    ResiduesRequest,
    WordsAnswer,
)

routes = APIRouter(prefix="/api/workshop", tags=["workshop"], responses=refusals(400, 422))
_REMEMBERED = 200
_PATIENCE = 2.0
"""Seconds of work that are finished even if the client has gone."""


def may_take_longer(request: Request) -> bool:
    """Return whether the asker is logged in, or at this machine."""
    return bool(ALSO_PAYS.get()) or at_this_machine(request)


class Workshop:
    """The processes of the workshop, and recent answers by draft and state."""

    def __init__(self, limits: Limits, building: Building) -> None:
        allowed = Allowed(limits.workshop_cpu, limits.workshop_wall, limits.workshop_memory)
        budget = Buckets(limits.workshop_rate, limits.workshop_burst)
        self._allowed = allowed
        self._longer = allowed._replace(cpu=limits.workshop_cpu_member)
        self.pool = Pool(
            allowed, each=limits.workshop_each, most=limits.workshop_most, nice=10, budget=budget, begin=book_ids
        )
        self.tables = DuelTables(building)
        self._answers = LRUCache(_REMEMBERED)

    async def effects(self, asker: str, house: str, state: str, *, longer: bool) -> Any:
        """Return the effects of a draft, cached. `longer`: the asker may use more CPU time."""
        return await self.make(asker, longer, working.effects_of, house, state)

    async def make(self, asker: str, longer: bool, work: Callable[..., Any], *given: Any) -> Any:
        """Return a result of the workshop, cached."""
        key = hashlib.sha256(repr((work.__name__, given)).encode("utf-8", "backslashreplace")).hexdigest()
        found = self._answers.get(key)
        return self._answers.put(key, await self.compute(asker, longer, work, *given)) if found is None else found

    async def compute(self, asker: str, longer: bool, work: Callable[..., Any], *given: Any) -> Any:
        """Return a result of the workshop, computed now."""
        try:
            return await self.pool.run(asker, work, *given, allowed=self._longer if longer else self._allowed)
        except Refusal as refusal:
            if longer or refusal.status != too_much().status:
                raise
            raise Refusal(
                refusal.status,
                f"这份草稿要算 {self._allowed.cpu:g} 秒以上：请登录后再算，或在自己的电脑上运行 quepu serve。",
                f"this draft takes more than {self._allowed.cpu:g} seconds to compute: log in first, or run "
                "quepu serve on your own computer.",
            ) from None

    async def duel(self, asker: str, *given: Any) -> Any:
        """Play a duel for about another second; before its first wall, return the progress of its tables."""
        found = await self.compute(asker, True, working.duel, *given)
        missing = found.pop("missing")
        share = await self.tables.share(missing[0], asker) if missing else 1.0
        return {**found, "prepared": 1 - (len(missing) - share) / 2 if missing else 1.0}

    async def compute_effects(self, request: Request, asker: str, house: str, state: str) -> Any:
        """Return the effects of a draft, for a request that may be abandoned."""
        return await self.compute_wanted(request, self.effects(asker, house, state, longer=may_take_longer(request)))

    async def compute_wanted(self, request: Request, work: Coroutine[Any, Any, Any]) -> Any:
        """Compute for a request whose client may change the draft and go."""
        return await self.pool.run_for(request, work, _PATIENCE)

    async def answer(self, request: Request, asker: str, work: Callable[..., Any], *given: Any) -> Any:
        """Return a result of the workshop, cached, for a request that may be given up."""
        return await self.compute_wanted(request, self.make(asker, may_take_longer(request), work, *given))

    async def close(self) -> None:
        """End the processes."""
        await self.tables.close()
        await self.pool.close()


Shop = Annotated[Workshop, from_state("workshop")]


@routes.get("/words", response_model=WordsAnswer)
async def formula_words(work: Work, asker: Asker, rules: str = DEFAULT_RULES) -> Plain:
    """Return the words for formulas about a book, and the states by which a draft can be measured."""
    return Plain(await work.run(asker, working.words_of, rules))


@routes.post("/draft", response_model=DraftShape)
async def draft(body: DraftText, work: Work, asker: Asker) -> Plain:
    """Parse a rules file for a form, or return the error with its line."""
    return Plain(await work.run(asker, working.draft, body.house))


@routes.post("/formula", response_model=FormulaAnswer)
async def formula(body: FormulaText, work: Work, asker: Asker) -> Plain:
    """Check a formula, or return the error with its position."""
    return Plain(await work.run(asker, working.formula, body.house, body.when, body.places))


@routes.post("/hands", response_model=FormulaHandsAnswer)
async def formula_hands(body: FormulaHandsRequest, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Count the hands of a state for which a formula holds; show some, and near misses."""
    given = (body.house, body.state, body.when)
    return Plain(await shop.answer(request, asker, working.formula_hands, *given))


@routes.post("/check", response_model=CheckAnswer)
async def check(body: DraftText, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Return all that is to settle about the fans of a draft: fans that never hold, equal or always bring another."""
    return Plain(await shop.answer(request, asker, working.check, body.house))


@routes.post("/residues", response_model=ResiduesAnswer)
async def residues(body: ResiduesRequest, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Propose the residues of fans of a draft, with the hand that needs the most changes as the reason."""
    given = (body.house, body.fans)
    return Plain(await shop.answer(request, asker, working.residues, *given))


@routes.post("/export", response_model=ExportAnswer)
async def export(body: DraftText, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Return a draft as Python rows for a pull request, and its changes for readers of the edition."""
    return Plain(await shop.answer(request, asker, working.export, body.house))


@routes.post("/questions", response_model=QuestionsAnswer)
async def questions(body: QuestionsRequest, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Find the hands that tell readings of a sentence apart, the smallest and most common first."""
    given = (body.house, body.ruling, body.other)
    return Plain(await shop.answer(request, asker, working.questions, *given))


@routes.post("/effects", response_model=EffectsAnswer)
async def effects(body: EffectsRequest, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Return the effects of a draft on every hand of a state, before and after."""
    return Plain(await shop.compute_effects(request, asker, body.house, body.state))


@routes.post("/find", response_model=FindAnswer)
async def find(body: FindRequest, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Find a hand of a draft with some fans and without others, or the nearest one; or prove there is none."""
    wishes = {"fans": body.fans, "without": body.without, "least": body.least}
    given = (body.house, body.state, wishes, body.near, body.number)
    return Plain(await shop.answer(request, asker, working.find, *given))


@routes.post("/duel", response_model=DuelAnswer)
async def duel(body: DuelRequest, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Play a draft against its book by bots for another second, on the same walls; continues `so_far`."""
    so_far = body.so_far.model_dump() if body.so_far else None
    given = (body.house, body.level, body.seed, body.walls, so_far)
    return Plain(await shop.compute_wanted(request, shop.duel(asker, *given)))


@routes.post("/suggest", response_model=SuggestAnswer)
async def suggest(body: SuggestRequest, request: Request, shop: Shop, asker: Asker) -> Plain:
    """Suggest values that fit a law, each with its effect; nothing is changed."""
    given = (body.house, body.state, body.law, body.fan, body.wanted)
    return Plain(await shop.answer(request, asker, working.suggestions, *given))

"""The MCP server, asked by the SDK's own client: over standard input and output, or in this process."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.arena.bot_match import match
from quepu.errors import language

pytest.importorskip("mcp")
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult

from quepu.server.assistants import service

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def connected(lang: str, logs: Path | None = None) -> AsyncIterator[Client]:
    """A client of the server as `quepu mcp` runs it, without a process of its own."""
    language(lang)
    assistants = service.Assistants(service.Settings("lingque-29", str(logs or "")))
    try:
        async with Client(service.build_server(assistants)) as client:
            yield client
    finally:
        await assistants.close()


@asynccontextmanager
async def started(lang: str, logs: Path) -> AsyncIterator[Client]:
    """A client of `quepu mcp` itself."""
    env = {name: os.environ[name] for name in ("QUEPU_CACHE", "PYTHONPATH", "HOME") if name in os.environ}
    words = ["-m", "quepu", "mcp", "--lang", lang, "--logs", str(logs)]
    async with Client(StdioServerParameters(command=sys.executable, args=words, env=env)) as client:
        yield client


def sentence(result: CallToolResult) -> str:
    text = result.content[0].text
    assert result.is_error
    assert result.structured_content == {"valid": False, "error": text, "at": result.structured_content["at"]}
    return text


def holds(found: Any, shown: Any) -> bool:
    """Whether an answer has everything that a shortened one shows."""
    if isinstance(shown, dict):
        return isinstance(found, dict) and all(key in found and holds(found[key], shown[key]) for key in shown)
    if isinstance(shown, list):
        return all(any(holds(one, wanted) for one in found) for wanted in shown)
    return found == shown


@pytest.mark.parametrize(("page", "lang"), [("assistants.md", "en"), ("assistants.zh.md", "zh")])
def test_the_documented_exchange_is_what_a_client_sees(page: str, lang: str, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "guide" / page).read_text(encoding="utf-8")
    calls = re.findall(r"^→ (\w+) (\{.*\})\n← (.*)$", text, re.MULTILINE)

    async def exchange() -> None:
        async with (started if lang == "en" else connected)(lang, tmp_path) as client:
            for name, given, shown in calls:
                result = await client.call_tool(name, json.loads(given))
                if shown.startswith("error: "):
                    assert sentence(result) == shown.removeprefix("error: ")
                else:
                    assert not result.is_error, result.content[0].text
                    assert json.loads(result.content[0].text) == result.structured_content
                    assert holds(result.structured_content, json.loads(shown)), (name, result.content[0].text)

    assert len(calls) == 12
    asyncio.run(exchange())


def test_every_tool_answers_by_its_schema_and_cites_the_book(tmp_path: Path) -> None:
    """The client itself checks each answer against the schema that the server lists."""
    match("lingque-29", ["closed"] * 4, seed=5, rounds=1, log=tmp_path / "night.jsonl")
    (tmp_path / "notes.json").write_text('{"x": 1', encoding="utf-8")
    calls: dict[str, dict[str, Any]] = {
        "books": {"rules": "yuque"},
        "score": {"hand": "19m19p19sESWNCFP+1m"},
        "waits": {"hand": "123m456p789sCCEE", "seen": "CE"},
        "discards": {"hand": "123m456p789sCCEE1m", "rules": "canton"},
        "rules": {"rules": "guobiao", "section": "payment"},
        "fans": {"rules": "guobiao", "category": "8番"},
        "rulings": {"rules": "yuque"},
        "diff": {"old": "lingque-26", "new": "lingque-29"},
        "logs": {},
        "puzzle": {"kind": "waits", "rules": "canton"},
        "solve": {"kind": "waits", "level": 1, "seed": 7, "waits": ["1m"]},
    }

    async def exchange() -> None:
        async with connected("en", tmp_path) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert listed.keys() == calls.keys() | {"review", "what_if", "what_if_played"}
            for tool in listed.values():
                assert tool.input_schema["additionalProperties"] is False
                assert tool.annotations.read_only_hint
            draft = 'base = "yuque-54"\nid = "next"\nwithout = ["双同刻"]\n'
            changed = await client.call_tool("diff", {"old": "yuque-54", "house": draft})
            assert [one["name"] for one in changed.structured_content["answer"]["removed"]] == ["双同刻"]
            for name, given in calls.items():
                result = await client.call_tool(name, given)
                assert not result.is_error, (name, result.content[0].text)
                if name == "logs":
                    (log,), (bad,) = (result.structured_content["answer"][key] for key in ("logs", "unread"))
                    assert (log["log"], log["rules"], bad["log"]) == ("night.jsonl", "lingque-29", "notes.json")
                    continue
                sources = result.structured_content["sources"]
                book = quepu.book(sources[0]["rules"])
                assert sources[0]["fingerprint"] == book.fingerprint
                for source in sources:
                    if source["fan"]:
                        assert source["sentence"] == book.fan(source["fan"]).in_words("en")
                    if source["ruling"]:
                        assert source["ruling"] in {one.id for one in book.rulings}

    asyncio.run(exchange())


def test_a_review_names_the_mistakes_that_the_command_line_finds(tmp_path: Path) -> None:
    from quepu.match.imports import read_any
    from quepu.review import review_hand

    match("lingque-29", ["random", "closed", "closed", "closed"], seed=2, rounds=1, log=tmp_path / "night.jsonl")
    replay = read_any((tmp_path / "night.jsonl").read_text(encoding="utf-8")).replay
    expected = review_hand(replay.hands[0], replay.book)
    bad = [one for one in expected["decisions"] if one["grade"] in ("slip", "mistake", "blunder")]

    async def exchange() -> None:
        async with started("en", tmp_path) as client:
            given = {"log": "night.jsonl", "hand": 1}
            result = await client.call_tool("review", given)
            while result.is_error and "ask again" in sentence(result):
                result = await client.call_tool("review", given)
            answer = result.structured_content["answer"]
            assert answer["decisions"] == bad
            assert answer["seats"] == expected["seats"]
            frame, seat = bad[0]["frame"], bad[0]["seat"]
            moment = {"log": "night.jsonl", "hand": 1, "frame": frame, "seat": seat}
            asked = {"hand": "123m456p789sCCEE1m", "rules": "lingque", "instead": "E", "of": "1m"}
            for name, question in (("what_if_played", moment), ("what_if", asked)):
                result = await client.call_tool(name, question)
                while result.is_error and "ask again" in sentence(result):
                    result = await client.call_tool(name, question)
                answer = result.structured_content["answer"]
                assert answer["sentences"], name
            assert [answer[line]["choice"]["tile"] for line in ("first", "other")] == ["1m", "E"]
            result = await client.call_tool("what_if", {**asked, "instead": "9s9s"})
            assert result.is_error
            result = await client.call_tool("review", {**given, "hand": 99})
            assert sentence(result).startswith("'night.jsonl' has only ")

    assert bad
    asyncio.run(exchange())


def test_wrong_calls_get_one_sentence_and_the_server_goes_on() -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("skore", {}, "no tool 'skore'; there are: score, solve."),
        ("score", {}, "'hand' is missing."),
        ("score", {"hand": 5}, "'hand' has an invalid value."),
        ("score", {"hand": "1m" * 300}, "'hand' is too long; the limit is 400 characters."),
        ("rules", {"rules": "/etc/passwd"}, "no rulebook '/etc/passwd'."),
        ("rules", {"rules": "house.toml"}, "no rulebook 'house.toml'."),
        ("rules", {"house": "base = 'lingque-29'\n[x]\n"}, "TOML, line 2: unknown key 'x';"),
        ("solve", {"kind": "points", "level": 1, "seed": 3}, "the answer is missing."),
        ("logs", {}, "there are no logs: start the server with quepu mcp --logs FOLDER."),
        ("waits", {"hand": "123m456p789sCCEE", "lang": "fr"}, "'lang' has an invalid value."),
    ]

    async def exchange() -> None:
        async with connected("en") as client:
            for name, given, starts in wrong:
                assert sentence(await client.call_tool(name, given)).startswith(starts), name
            assert not (await client.call_tool("waits", {"hand": "123m456p789sCCEE"})).is_error

    asyncio.run(exchange())


def test_a_call_that_takes_too_long_is_stopped_and_the_next_is_answered() -> None:
    async def exchange() -> None:
        assistants = service.Assistants(service.Settings("lingque-29"))
        assistants.pool.budget = None
        try:
            hand = {"hand": "123m456p789sCCEE", "lang": "en"}
            assert not (await assistants.call("waits", hand)).is_error
            for process in assistants.pool._processes:
                process.allowed = process.allowed._replace(cpu=0.001, wall=60)
            refused = await assistants.call("diff", {"old": "canton", "new": "yuque", "lang": "en"})
            assert sentence(refused) == "this request takes too long to compute; it was stopped."
            for process in assistants.pool._processes:
                process.allowed = process.allowed._replace(cpu=60)
            assert not (await assistants.call("waits", hand)).is_error
        finally:
            await assistants.close()

    asyncio.run(exchange())


def test_an_answer_above_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(most: int) -> CallToolResult:
        monkeypatch.setattr(service, "MOST_BYTES", most)
        assistants = service.Assistants(service.Settings("lingque-29"))
        try:
            return await assistants.call("waits", {"hand": "123m456p789sCCEE", "lang": "en"})
        finally:
            await assistants.close()

    whole = asyncio.run(ask(400_000))
    size = len(whole.content[0].text.encode())
    assert not asyncio.run(ask(size)).is_error
    assert sentence(asyncio.run(ask(size - 1))).startswith("the answer is too long")

"""The tools over the Model Context Protocol, with the official SDK: on standard input and output, within limits.

The SDK's own tools drop unknown arguments and prefix errors in English, so arguments are checked here, and every error
is the sentence of `quepu.errors` in the language of the call.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple

import mcp.types as protocol
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from pydantic import ValidationError

from quepu.errors import Error, HandError, Text, UnknownName, join_list, language, near_names, unknown_keywords
from quepu.server.assistants import tools
from quepu.server.assistants.catalogue import TOOLS, Tool
from quepu.server.assistants.messages import Arguments, ReviewArguments, WhatIfArguments, WhatIfPlayedArguments
from quepu.server.http.responses import Refusal, describe_wrong
from quepu.server.replays.asking_api import COMPILING
from quepu.server.work.pool import Pool
from quepu.server.work.process import Allowed, Broken
from quepu.version import __version__

Json = dict[str, Any]
Progress = Callable[[float], Awaitable[None]]
Slice = Callable[[str, Any, str], Json | None]
MOST_BYTES: Final = 400_000
"""Bytes of the longest answer; all the rules of a book together have a fourth of it."""
_MEMORY = 2048
_WALL = 3.0
"""Wall seconds for each CPU second allowed: the machine may have other work."""
_log = logging.getLogger("quepu.assistants")

INSTRUCTIONS: Final = Text(
    "雀谱按规则书原文算番、听牌、复盘。回答关于规则和分数的问题时不要凭记忆：用这些工具查，"
    "并引用 sources 里的规则、番种原文或裁定编号。工具说不行时，照它的话转告。",
    "quepu scores, finds waits and reviews by the text of Chinese mahjong rulebooks. Do not answer questions about "
    "rules or points from memory: call these tools and cite the book, the fan's sentence or the ruling given in "
    "`sources`. If a tool refuses, pass on its sentence.",
)


class Settings(NamedTuple):
    """Settings of a service: the default book, the folder of logs ("": none), limits in seconds for a call."""

    rules: str
    logs: str = ""
    seconds: int = 20
    patience: int = 45
    """Wall seconds for a review; what is not finished then continues when it is asked for again."""


class Assistants:
    """The tools of one server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(Allowed(settings.seconds, settings.seconds * _WALL, _MEMORY), nice=0)
        self.reviewing = Pool(COMPILING, nice=5)

    def list_tools(self) -> list[protocol.Tool]:
        """Return every tool with the schemas of its arguments and its answer."""
        lang = language()
        hints = protocol.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        return [
            protocol.Tool(
                name=tool.name,
                title=tool.title.say(lang),
                description=tool.about.say(lang),
                input_schema=tool.arguments.model_json_schema(),
                output_schema=tool.answer.model_json_schema(),
                annotations=hints,
            )
            for tool in TOOLS.values()
        ]

    async def call(self, name: str, given: Json, progress: Progress | None = None) -> protocol.CallToolResult:
        """Answer a call; an error is an answer, too."""
        asked = given.get("lang")
        lang: str = asked if asked in ("zh", "en") else language()
        try:
            answer = await self._answer(name, given, lang, progress)
            text = json.dumps(answer, ensure_ascii=False)
            if len(text.encode("utf-8", "backslashreplace")) > MOST_BYTES:
                raise HandError(
                    "答案太长：请问得窄一些，比如一节、一个番种、一家。",
                    "the answer is too long: ask for less, such as one section, one fan or one seat.",
                )
        except Error as error:
            return _refuse(error.text, lang, error.at)
        except Refusal as refusal:
            return _refuse(refusal.text, lang)
        except Broken as broken:
            _log.error("%s failed: %s", name, broken)
            return _refuse(Text("雀谱出错了，已写进日志。", "quepu failed; the reason is in its log."), lang)
        return protocol.CallToolResult(
            content=[protocol.TextContent(type="text", text=text)], structured_content=answer
        )

    async def _answer(self, name: str, given: Json, lang: str, progress: Progress | None) -> Json:
        tool = TOOLS.get(name)
        if tool is None:
            listed = join_list(near_names(name, {one: one for one in TOOLS}) or TOOLS)
            raise UnknownName(f"没有工具“{name}”，可用：{listed.zh}。", f"no tool {name!r}; there are: {listed.en}.")
        arguments = self._check(tool, given)
        if tool.work is not None:
            return await self.pool.run("", tool.work, arguments, lang)
        if isinstance(arguments, WhatIfArguments):
            return await self._finish(tools.compare_slice, arguments, lang, progress)
        if not self.settings.logs:
            raise HandError(
                "没有牌谱：启动时用 quepu mcp --logs 文件夹 指明。",
                "there are no logs: start the server with quepu mcp --logs FOLDER.",
            )
        if isinstance(arguments, ReviewArguments):
            return await self._finish(tools.review_slice, arguments, lang, progress)
        if isinstance(arguments, WhatIfPlayedArguments):
            return await self._finish(tools.compare_slice, arguments, lang, progress)
        return await self.pool.run("", tools.list_logs, self.settings.logs, lang)

    def _check(self, tool: Tool, given: Json) -> Arguments:
        """Return the arguments of a call.

        Raises:
            Error: an argument is unknown, missing, or has an impossible value.
        """
        known = list(tool.arguments.model_fields)
        if unknown := [key for key in given if key not in known]:
            raise unknown_keywords(tool.name, unknown, known)
        if "rules" in known and tool.name != "books" and not given.get("house"):
            given = {"rules": self.settings.rules} | given
        try:
            return tool.arguments.model_validate(given)
        except ValidationError as wrong:
            raise HandError(*describe_wrong(wrong)) from None

    async def _finish(self, work: Slice, given: Arguments, lang: str, progress: Progress | None) -> Json:
        """Work in slices until it is done or patience ends; the process remembers how far it got."""
        until = time.monotonic() + self.settings.patience
        slices = 0
        while True:
            made = await self.reviewing.run("", work, self.settings.logs, given, lang)
            if made is not None:
                return made
            slices += 1
            if progress is not None:
                await progress(slices)
            if time.monotonic() > until:
                raise HandError(
                    f"{self.settings.patience} 秒内没算完；再问一次，会接着算。",
                    f"not finished within {self.settings.patience} seconds; ask again, and it will continue.",
                )

    async def close(self) -> None:
        """End the processes."""
        await self.pool.close()
        await self.reviewing.close()


def _refuse(text: Text, lang: str, at: int | None = None) -> protocol.CallToolResult:
    """Return an error as the API's refusal, and its sentence alone as text."""
    sentence = text.say(lang)
    return protocol.CallToolResult(
        content=[protocol.TextContent(type="text", text=sentence)],
        structured_content={"valid": False, "error": sentence, "at": at},
        is_error=True,
    )


def build_server(assistants: Assistants) -> Server[Any]:
    """Build the server that the SDK runs."""

    async def list_tools(
        _context: ServerRequestContext[Any], _params: protocol.PaginatedRequestParams | None
    ) -> protocol.ListToolsResult:
        return protocol.ListToolsResult(tools=assistants.list_tools())

    async def call_tool(
        context: ServerRequestContext[Any], params: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        return await assistants.call(params.name, params.arguments or {}, context.session.report_progress)

    return Server(
        "quepu",
        version=__version__,
        title="quepu 雀谱",
        instructions=INSTRUCTIONS.say(language()),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _serve(settings: Settings) -> None:
    assistants = Assistants(settings)
    server = build_server(assistants)
    try:
        async with stdio_server() as (source, sink):
            await server.run(source, sink, server.create_initialization_options())
    finally:
        await assistants.close()


def serve(settings: Settings) -> None:
    """Serve on standard input and output until the client closes them."""
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(settings))

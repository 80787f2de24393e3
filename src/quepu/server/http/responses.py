"""Responses of the server: JSON exactly as the command line writes it, and every refusal a sentence."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Scope

from quepu.errors import Error, Text
from quepu.server.http.messages import Refused, Who

_log = logging.getLogger("quepu.server")

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "style-src 'self'",
    "img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'",
))  # fmt: skip
"""The content policy of the pages: only resources of this server."""

CSV = "text/csv; charset=utf-8"
"""The media type of spreadsheets."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Refusal(Exception):
    """A refusal that concerns the request rather than mahjong: status and sentence."""

    def __init__(self, status: int, zh: str, en: str, after: float = 0.0) -> None:
        """`after`: the seconds after which to retry, if known."""
        super().__init__(zh)
        self.status = status
        self.after = after
        self.text = Text(zh, en)


class Plain(Response):
    """JSON in the exact form of `--json` and `--jsonl`, so that equal answers have equal bytes everywhere."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the bytes. A lone surrogate (valid in JSON, not in UTF-8) stays as its escape."""
        text = json.dumps(content, ensure_ascii=False, separators=(", ", ": "))
        return text.encode("utf-8", "backslashreplace")


def language(
    lang: Annotated[str | None, Query(description="zh or en; else Accept-Language decides")] = None,
    accept_language: Annotated[str | None, Header()] = None,
) -> str:
    """Return the language of sentences: from the query, else the header, else Chinese."""
    wanted = lang if lang is not None else accept_language or ""
    return "en" if wanted.strip().lower().startswith("en") else "zh"


Lang = Annotated[str, Depends(language)]


def from_state(name: str) -> Any:
    """Return the dependency on a part of the application's state, such as its rooms."""

    async def find(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(find)


def language_of(request: HTTPConnection) -> str:
    """Return the language of a request outside a route."""
    return language(request.query_params.get("lang"), request.headers.get("accept-language"))


def route_of(scope: Scope) -> str | None:
    """Return the path template of the route that answers a request; None if there is none."""
    route = scope.get("route")
    return route.path if isinstance(route, Route | WebSocketRoute) else None


def attachment(content: str | bytes, name: str, media_type: str = Plain.media_type) -> Response:
    """Return a file to save under this name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the refusals of routes for the OpenAPI document."""
    return {status: {"model": Refused} for status in statuses}


def refuse(error: str, status: int, at: int | None = None) -> Plain:
    """Return the body of a refusal, in the form of an invalid `--jsonl` line's answer."""
    return Plain({"valid": False, "error": error, "at": at}, status_code=status)


_WRONG = {
    "missing": Text("缺少“{at}”。", "{at!r} is missing."),
    "extra_forbidden": Text("不认识“{at}”。", "{at!r} is not known here."),
    "json_invalid": Text("正文不是正确的 JSON。", "the body is not valid JSON."),
    "too_long": Text("“{at}”太长，最多 {max_length} 项。", "{at!r} is too long; the limit is {max_length} items."),
    "string_too_long": Text(
        "“{at}”太长，最多 {max_length} 个字符。", "{at!r} is too long; the limit is {max_length} characters."
    ),
    "too_short": Text("“{at}”太短，至少 {min_length} 项。", "{at!r} is too short; at least {min_length} needed."),
    "string_too_short": Text(
        "“{at}”太短，至少 {min_length} 个字符。", "{at!r} is too short; at least {min_length} needed."
    ),
    "int_from_float": Text("“{at}”应是整数。", "{at!r} must be a whole number."),
    "greater_than": Text("“{at}”太小，要大于 {gt}。", "{at!r} is too small; it must be more than {gt}."),
    "greater_than_equal": Text("“{at}”太小，至少 {ge}。", "{at!r} is too small; the least is {ge}."),
    "less_than_equal": Text("“{at}”太大，最多 {le}。", "{at!r} is too large; the most is {le}."),
}
_FIELDS = {
    "points": Text("这个数", "the number"),  # 番 or 点: the book is unknown here
    "fan": Text("番数", "the fan"),
    "flowers": Text("花牌", "the flowers"),
    "supplied": Text("供的张数", "the number of supplied tiles"),
    "ready": Text("听牌的点数", "the points of a ready hand"),
    "ready_fan": Text("听牌的番数", "the fan of a ready hand"),
    "ready_hands": Text("听牌的手牌", "the tiles of a ready hand"),
    "seen": Text("见到的牌", "the tiles on the table"),
    "names": Text("名字", "a name"),
    "name": Text("名字", "the name"),
    "rounds": Text("圈数", "the number of rounds"),
    "note": Text("备注", "the note"),
    "title": Text("名称", "the title"),
    "team": Text("队名", "the name of the team"),
    "number": Text("编号", "the number of a player"),
    "text": Text("裁决", "the ruling"),
    "password": Text("密码", "the password"),
}
"""Names of the fields in the forms of a scorekeeper, a tournament and an account."""
_LISTS = {
    "names": Text("名单", "the list of names"),
    "points": Text("分数的列表", "the list of points"),
    "order": Text("排名依据的列表", "the list of keys that rank players"),
    "rounds": Text("轮次的列表", "the list of sessions"),
    "tables": Text("桌的列表", "the list of tables"),
}
"""The same of lists, where their length is wrong."""
_PLAYERS = {
    "winner": Text("和家", "the winner"),
    "discarder": Text("放铳的人", "the discarder"),
    "also": Text("另外的和家", "the other winners"),
    "liable": Text("包的人", "the liable player"),
    "kong_feeder": Text("放杠牌的人", "the discarder of the kong"),
    "player": Text("这个人", "the player"),
    "receiver": Text("收罚分的人", "the receiver"),
    "start": Text("换座的人", "a player in the new seats"),
}
_NO_PLAYER = Text("“{at}”不是这桌四人之一。", "{at!r} is not one of the four players.")
_UNFIT = Text("“{at}”的值不合适。", "{at!r} has an invalid value.")
_STATUS = {
    400: Text(
        "正文读不懂：要 UTF-8 写的 JSON，不可层层套得太深。",
        "the body cannot be read: it must be JSON in UTF-8, not nested too deeply.",
    ),
    404: Text("没有这个地址。", "this address does not exist."),
    405: Text("这个地址不接受这种请求。", "this address does not accept that method."),
    413: Text("请求太大。", "the request is too large."),
}


def _place(loc: Sequence[Any]) -> str:
    """Return the place of a validation error: the names and numbers that lead to it."""
    return ".".join(str(part) for part in loc if isinstance(part, (str, int)))[:60]


def _wrong(first: Mapping[str, Any]) -> Text:
    """Return the sentence for a validation error; pydantic reports a long password as a long list."""
    kind = first["type"]
    if kind in ("too_long", "too_short") and first.get("ctx", {}).get("field_type") == "Value":
        kind = f"string_{kind}"
    return _WRONG.get(kind, _UNFIT)


def describe_wrong(error: ValidationError) -> Text:
    """Say the first thing that is wrong with values that a schema refused."""
    first = error.errors()[0]
    wrong, place, limits = _wrong(first), _place(first["loc"]), first.get("ctx", {})
    return Text(wrong.zh.format(at=place, **limits), wrong.en.format(at=place, **limits))


REQUEST_ID = "x-request-id"
NUMBER = "quepu.request"
"""Key of a request's number in its scope."""
_AWAY = Text("数据库现在不能用，请稍后再试", "the database is unavailable right now: please try again later")


def _failure(request: Request, what: Text, status: int) -> Plain:
    """Report a failure of the server: the sentence has the request's number, as in the log."""
    number = request.scope.get(NUMBER, "-")
    sentence = Text(f"{what.zh}（请求 {number}）。", f"{what.en} (request {number}).")
    answer = refuse(sentence.say(language_of(request)), status)
    answer.headers[REQUEST_ID] = number
    return answer


def install(app: FastAPI, failures: Sequence[type[Exception]] = ()) -> None:
    """Turn every failure into a sentence; `failures` are errors of the store, answered with 503."""

    async def mahjong(request: Request, error: Exception) -> Response:
        assert isinstance(error, Error)  # noqa: S101  # registered for Error only
        return refuse(error.say(language_of(request)), 400, error.at)

    async def refusal(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refusal)  # noqa: S101  # registered for Refusal only
        answer = refuse(error.text.say(language_of(request)), error.status)
        if error.after:
            answer.headers["retry-after"] = str(math.ceil(error.after))
        return answer

    async def shape(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101  # registered for it only
        first = error.errors()[0]
        place = _place(first["loc"][1:])
        wrong = _wrong(first)
        if not place and wrong is not _WRONG["json_invalid"]:
            wrong = Text("正文应是一个 JSON 对象。", "the body must be a JSON object.")
        parts = [part for part in first["loc"] if isinstance(part, str)]
        in_form = "record" in parts or parts[-1:] == ["password"]
        if in_form and first["type"] not in ("missing", "extra_forbidden"):
            named = next((part for part in reversed(parts) if part in _FIELDS or part in _PLAYERS), "")
            if named in _PLAYERS:
                wrong = _NO_PLAYER
            of_list = _LISTS.get(parts[-1]) if first["type"] in ("too_long", "too_short") else None
            if called := of_list or _FIELDS.get(named) or _PLAYERS.get(named):
                wrong = Text(wrong.zh.replace("“{at}”", called.zh), wrong.en.replace("{at!r}", called.en))
        text = wrong.say(language_of(request))
        return refuse(text.format(at=place, **first.get("ctx", {})), 422)

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101  # registered for it only
        sentence = _STATUS.get(
            error.status_code, Text(f"请求被拒绝（{error.status_code}）。", f"refused ({error.status_code}).")
        )
        answer = refuse(sentence.say(language_of(request)), error.status_code)
        answer.headers.update(error.headers or {})
        return answer

    async def away(request: Request, _: Exception) -> Response:
        answer = _failure(request, _AWAY, 503)
        answer.headers["retry-after"] = "5"
        return answer

    async def ours(request: Request, error: Exception) -> Response:
        _log.error("unexpected failure at %s %s", request.method, route_of(request.scope) or "-", exc_info=error)
        answer = _failure(
            request, Text("服务器出错，已记录", "an error occurred on the server and has been logged"), 500
        )
        answer.headers.update(HEADERS)  # answered outside of the middleware that adds them
        return answer

    for kind in failures:
        app.add_exception_handler(kind, away)

    app.add_exception_handler(Error, mahjong)
    app.add_exception_handler(Refusal, refusal)
    app.add_exception_handler(RequestValidationError, shape)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, ours)


def _whose(
    x_who: Annotated[Who | None, Header(description="whose own things are meant")] = None,
    who: Annotated[str | None, Query(include_in_schema=False)] = None,
) -> str | None:
    if who is not None:
        raise Refusal(
            422,
            "“who”不能写在地址里（会留在代理的记录中），请放在“X-Who”头里。",
            "'who' is not allowed in the address, where proxies log it; send the header 'X-Who'.",
        )
    return x_who


MaybeWhose = Annotated[str | None, Depends(_whose)]


def _require_owner(who: MaybeWhose) -> str:
    if who is None:
        raise Refusal(422, "缺少“X-Who”。", "'X-Who' is missing.")
    return who


Whose = Annotated[str, Depends(_require_owner)]

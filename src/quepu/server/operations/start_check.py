"""Check everything before a server starts: configuration, store, client, ports, limits."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from quepu.errors import Text
from quepu.server.http.connections import raise_descriptors
from quepu.server.http.pages import STATIC
from quepu.server.http.run import CannotListen, listen
from quepu.server.limits import Limits
from quepu.server.operations.configuration import Loaded
from quepu.server.store.backup import FolderInUse, check_folder
from quepu.server.store.database import Database
from quepu.server.store.values import StoreError

if TYPE_CHECKING:
    from quepu.server.app import Settings

_HIDDEN = Text("（已设）", "(set)")
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104  # only compared


class Finding(NamedTuple):
    """One line of the check. `level`: fine, a warning, or a reason not to start."""

    level: str
    what: Text


def check(loaded: Loaded) -> list[Finding]:
    """Return all findings."""
    import asyncio

    settings = loaded.configuration.settings()
    return [
        *_configuration(loaded),
        asyncio.run(_store(settings)),
        _client(),
        *_ports(loaded),
        *_limits(settings),
        *exposure(loaded),
    ]


def _configuration(loaded: Loaded) -> Iterator[Finding]:
    if not loaded.origins:
        yield _fine("配置：全是默认值", "configuration: all defaults")
    for name, origin in sorted(loaded.origins.items()):
        shown = Text(*(_show_setting(loaded, name, lang) for lang in ("zh", "en")))
        yield _fine(f"配置：{name} = {shown.zh}（{origin}）", f"configuration: {name} = {shown.en} ({origin})")


def _show_setting(loaded: Loaded, name: str, lang: str) -> str:
    first, _, rest = name.partition(".")
    value = getattr(loaded.configuration, first)
    if rest:
        return f"{getattr(value, rest):g}"
    if name == "metrics_token":
        return _HIDDEN.say(lang)
    if name == "database":
        return _address(value)
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _address(database: str) -> str:
    try:
        return make_url(database).render_as_string(hide_password=True)
    except ArgumentError:
        return "?"


async def _store(settings: Settings) -> Finding:
    where = str(settings.data) if settings.database is None else _address(settings.database)
    base = Database(settings.data, settings.database)
    try:
        found = await base.revision()
    except StoreError as error:
        return Finding("bad", Text(f"数据库 {where}：{error.text.zh}", f"store {where}: {error.text.en}"))
    finally:
        await base.close()
    try:
        check_folder(settings.data, alone=settings.sqlite)
    except FolderInUse as error:
        return Finding("bad", Text(f"数据库 {where}：{error.text.zh}", f"store {where}: {error.text.en}"))
    if settings.database is None and not _writable(settings):
        return Finding("bad", Text(f"数据库 {where}：不能写这个文件夹", f"store {where}: the folder cannot be written"))
    state = {
        "new": Text("还没有，启动时建立", "there is none yet, it will be created"),
        "older": Text(
            "旧版本的结构，启动时升级（先备份）", "an older schema, it will be upgraded (make a backup first)"
        ),
        "current": Text("可用，结构最新", "it responds, and its schema is current"),
    }[found]
    return _fine(f"数据库 {where}：{state.zh}", f"store {where}: {state.en}")


def _writable(settings: Settings) -> bool:
    folder = settings.data
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _client() -> Finding:
    if (STATIC / "index.html").is_file():
        return _fine("网页客户端：有", "web client: found")
    return _warning("网页客户端：没有（只有接口可用）", "web client: missing (the API works without it)")


def _ports(loaded: Loaded) -> Iterator[Finding]:
    made = loaded.configuration
    addresses = [(made.host, made.port)]
    if made.metrics_port:
        addresses.append((made.metrics_host, made.metrics_port))
    for host, port in addresses:
        try:
            listen(host, port).close()
        except CannotListen as error:
            yield Finding("bad", error.text)
        else:
            yield _fine(f"端口：{host} 的 {port} 可用", f"port: {port} of {host} is free")


def _limits(settings: Settings) -> Iterator[Finding]:
    descriptors = raise_descriptors()
    if descriptors < settings.all_connections + 256:
        yield _warning(
            f"限额：只能打开 {descriptors} 个文件，连接至多 {max(16, descriptors - 256)}（LimitNOFILE）",
            f"limits: only {descriptors} open files are allowed, so at most {max(16, descriptors - 256)} connections "
            "(LimitNOFILE)",
        )
    else:
        yield _fine(f"限额：可打开 {descriptors} 个文件", f"limits: {descriptors} open files are allowed")
    usual = Limits()
    changed = sum(getattr(settings, one.name) != getattr(usual, one.name) for one in fields(Limits))
    yield _fine(f"限额：改了 {changed} 项", f"limits: {changed} changed from the default")


def exposure(loaded: Loaded) -> Iterator[Finding]:
    """Yield warnings about whom the server is open to, and the user it runs as."""
    made = loaded.configuration
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield _warning("以 root 运行：应有自己的用户", "it runs as root: give it a user of its own")
    if made.host in _EVERYWHERE and not made.public_names:
        yield _warning(
            "监听所有地址而没有 public_names：任何名字都不核对",
            "it listens on every address without public_names: only names of home networks are answered",
        )
    if made.public_names and not made.behind_proxy:
        yield _warning(
            "有 public_names 而没有 behind_proxy：前面有代理时，所有人算作一个地址",
            "public_names without behind_proxy: behind a proxy everyone counts as one address",
        )
    if made.metrics_port and made.metrics_host not in ("127.0.0.1", "::1", "localhost"):
        yield _warning(
            "metrics_host 不是本机地址：谁连得上都能看",
            "metrics_host is not loopback: anyone who can reach it can read it",
        )
    if 0 < len(made.metrics_token) < 16:
        yield _warning("metrics_token 太短（至少 16 字符）", "metrics_token is too short (at least 16 characters)")


def _fine(zh: str, en: str) -> Finding:
    return Finding("fine", Text(zh, en))


def _warning(zh: str, en: str) -> Finding:
    return Finding("warning", Text(zh, en))

"""Friends of a browser or an account: made by an invitation link, on both sides at once, and removed in the same way.

Each owner has one log: its first entry, then friends added and removed, and the digest of the last invitation. The id
of the log is what friends know of an owner; it gives access to nothing.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from quepu.errors import Error
from quepu.server.lru_cache import LRUCache
from quepu.server.rooms.places import digest
from quepu.server.store.values import Conflict, LogHead, LogStore

KIND: Final = "friends"
MOST: Final = 100
"""The most friends of one owner."""
DAYS: Final = 7
"""How long an invitation is valid; the next one replaces it."""
ONLINE: Final = 75.0
"""Seconds since the last sign of a page after which its owner counts as away."""
_DAY: Final = 86_400.0
_TRIES: Final = 5


class FriendsError(Error):
    """A friendship that cannot be made."""


class Friend(NamedTuple):
    """A friend: the id and the name that the friend chose."""

    id: str
    name: str


class Friends(NamedTuple):
    """An owner's friends. `ids` are those of the owner: several after two browsers were merged."""

    ids: tuple[str, ...]
    name: str
    friends: tuple[Friend, ...]
    invitation: str = ""
    until: float = 0.0


class FriendStore:
    """The friends of all owners of a server, and who of them is online.

    `announce` sends news to the other processes of the server, which give it to `hear`.
    """

    def __init__(self, logs: LogStore, announce: Callable[[dict[str, Any]], None] = lambda news: None) -> None:
        self._logs = logs
        self._announce = announce
        self._seen = LRUCache(20_000)

    async def of(self, owner: str) -> Friends:
        """Return an owner's friends."""
        found = Friends((), "", ())
        for head in sorted(await self._logs.list(KIND, owner), key=lambda head: (head.created, head.id)):
            one = await self._read(head.id)
            if one is not None:
                both = {friend.id: friend for friend in (*found.friends, *one.friends)}
                own = (*found.ids, head.id)
                friends = tuple(friend for id, friend in both.items() if id not in own)
                found = Friends(own, found.name or one.name, friends)
        return found

    async def _read(self, id: str) -> Friends | None:
        log = await self._logs.read(id)
        if log is None or log[0].kind != KIND:
            return None
        friends: dict[str, Friend] = {}
        invitation, until = "", 0.0
        for entry in log[1]:
            body = entry.body
            if "friend" in body:
                friends[body["friend"]] = Friend(body["friend"], body["name"])
            elif "removed" in body:
                friends.pop(body["removed"], None)
            elif "invitation" in body:
                invitation, until = body["invitation"], body["until"]
        return Friends((id,), log[0].title, tuple(friends.values()), invitation, until)

    async def _append(self, id: str, body: dict[str, Any], title: str | None = None) -> None:
        for _ in range(_TRIES):
            log = await self._logs.read(id)
            if log is None:
                return
            try:
                await self._logs.append(id, log[0].length, [body], title)
                return
            except Conflict:
                continue
        raise FriendsError("好友刚在别处改过，请重试。", "your friends were just changed elsewhere; please try again.")

    async def _own(self, owner: str, name: str) -> str:
        heads: list[LogHead] = await self._logs.list(KIND, owner)
        if heads:
            return min(heads, key=lambda head: (head.created, head.id)).id
        return (await self._logs.create(KIND, owner, name, {"quepu": KIND})).id

    async def invite(self, owner: str, name: str) -> str:
        """Return the code of a new invitation; an earlier one becomes invalid."""
        own, secret = await self._own(owner, name), secrets.token_urlsafe(18)
        until = time.time() + DAYS * _DAY
        await self._append(own, {"invitation": digest(secret), "until": until}, name)
        return f"{own}.{secret}"

    async def inviter(self, code: str) -> Friends:
        """Return who invites with a code.

        Raises:
            FriendsError: it is wrong, expired or replaced.
        """
        id, _, secret = code.partition(".")
        found = await self._read(id) if id and secret else None
        valid = found is not None and found.until > time.time()
        if found is None or not valid or not secrets.compare_digest(found.invitation, digest(secret)):
            raise FriendsError(
                "这个邀请无效或已过期，请朋友重新发一个。",
                "this invitation is invalid or has expired; ask your friend for another one.",
            )
        return found

    async def accept(self, owner: str, name: str, code: str) -> None:
        """Make an owner and whoever invited friends of each other; twice is once.

        Raises:
            FriendsError: the code is invalid, one's own, or one of them has too many friends.
        """
        inviter, mine = await self.inviter(code), await self.of(owner)
        if inviter.ids[0] in mine.ids:
            raise FriendsError("这是你自己的邀请，发给朋友吧。", "this is your own invitation; send it to a friend.")
        if max(len(inviter.friends), len(mine.friends)) >= MOST:
            raise FriendsError(f"好友最多 {MOST} 位。", f"a player can have at most {MOST} friends.")
        own = await self._own(owner, name)
        await self._append(own, {"friend": inviter.ids[0], "name": inviter.name}, name)
        await self._append(inviter.ids[0], {"friend": own, "name": name})

    async def remove(self, owner: str, id: str) -> None:
        """Remove a friend, on both sides."""
        mine = await self.of(owner)
        if id not in {friend.id for friend in mine.friends}:
            return
        for own in mine.ids:
            await self._append(own, {"removed": id})
            await self._append(id, {"removed": own})

    async def leave(self, owner: str) -> None:
        """Remove all friends and everything stored about them."""
        mine = await self.of(owner)
        for friend in mine.friends:
            for own in mine.ids:
                await self._append(friend.id, {"removed": own})
        self._seen.discard_if(lambda seen: seen in mine.ids)
        for own in mine.ids:
            await self._logs.delete(own)

    # ---- who is here

    def see(self, mine: Friends, room: str) -> None:
        """Note that an owner's page is open, at a table (`room`, "-" for one that is not public) or not ("")."""
        self._note(mine.ids, room)
        if mine.friends:
            self._announce({"seen": list(mine.ids), "room": room})

    def hear(self, news: dict[str, Any]) -> None:
        """Note whose page is open at another process."""
        if "seen" in news:
            self._note(news["seen"], news["room"])

    def _note(self, ids: Iterable[str], room: str) -> None:
        for own in ids:
            self._seen.put(own, (time.monotonic(), room))

    def find(self, friend: Friend) -> tuple[bool, str]:
        """Return whether a friend is online, and at which table."""
        at, room = self._seen.get(friend.id) or (-ONLINE, "")
        online = time.monotonic() - at < ONLINE
        return online, room if online else ""

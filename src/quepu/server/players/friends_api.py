"""Friends over HTTP: an invitation link makes two players friends, without an account."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field

from quepu.server.accounts.visitor import Somebody, TheRegistered, stores
from quepu.server.http.messages import Schema, Short, Who
from quepu.server.http.responses import Plain, Whose, from_state, refusals
from quepu.server.names import like_a_bot, visible
from quepu.server.players.friends import DAYS, Friends, FriendsError, FriendStore
from quepu.server.rooms.api import require_free_name
from quepu.server.rooms.messages import Name
from quepu.server.store.values import LoggedIn

routes = APIRouter(prefix="/api/friends", tags=["players"], responses=refusals(400, 422, 429))
Code = Annotated[str, Field(max_length=64)]


class FriendShape(Schema):
    """A friend. `room` is the public table where the friend is, "-" one that is not public, "" none."""

    id: str
    name: str
    online: bool
    room: str


class FriendList(Schema):
    """The name that friends see, and the friends, those online first."""

    name: str
    friends: list[FriendShape]


class MakeInvitation(Schema):
    """Ask for an invitation link; `name` is what friends see."""

    who: Who
    name: Name


class Invitation(Schema):
    """The code of an invitation, valid for `days`; a new one replaces it."""

    code: str
    days: int


class Invited(Schema):
    """The name of whoever made an invitation."""

    name: str


class ShowInvitation(Schema):
    """Ask who made an invitation."""

    code: Code


class AcceptInvitation(Schema):
    """Accept an invitation under a name."""

    who: Who
    name: Name
    code: Code


FRIENDS: tuple[type[Schema], ...] = (
    FriendList, MakeInvitation, Invitation, Invited, ShowInvitation, AcceptInvitation,
)  # fmt: skip


TheFriends = Annotated[FriendStore, from_state("friends")]


def _list(mine: Friends, store: FriendStore) -> Plain:
    found = []
    for friend in mine.friends:
        online, room = store.find(friend)
        found.append({"id": friend.id, "name": friend.name, "online": online, "room": room})
    found.sort(key=lambda one: (not one["online"], str(one["name"])))
    answer = Plain({"name": mine.name, "friends": found})
    answer.headers["cache-control"] = "no-store"
    return answer


async def _check(name: str, account: LoggedIn | None, accounts: TheRegistered) -> str:
    name = visible(name)
    if not name or like_a_bot(name):
        raise FriendsError(f"不能叫“{name}”。", f"the name {name!r} is not allowed.")
    await require_free_name(name, account, accounts)
    return name


@routes.get("", response_model=FriendList)
async def list_friends(
    who: Whose, friends: TheFriends, at: Annotated[Short, Query(description="the table of this page, or -")] = ""
) -> Plain:
    """List one's friends, and let them know that this page is open."""
    mine = await friends.of(who)
    friends.see(mine, at)
    return _list(mine, friends)


@routes.post("/invitation", response_model=Invitation, dependencies=[Depends(stores)])
async def invite(body: MakeInvitation, friends: TheFriends, account: Somebody, accounts: TheRegistered) -> Plain:
    """Make an invitation; an earlier one becomes invalid."""
    name = await _check(body.name, account, accounts)
    code = await friends.invite(body.who, name)
    friends.see(await friends.of(body.who), "")
    return Plain({"code": code, "days": DAYS})


@routes.post("/invited", response_model=Invited)
async def invited(body: ShowInvitation, friends: TheFriends) -> Plain:
    """Return who made an invitation."""
    return Plain({"name": (await friends.inviter(body.code)).name})


@routes.post("/accept", response_model=FriendList, dependencies=[Depends(stores)])
async def accept(body: AcceptInvitation, friends: TheFriends, account: Somebody, accounts: TheRegistered) -> Plain:
    """Accept an invitation: both are friends of each other."""
    await friends.accept(body.who, await _check(body.name, account, accounts), body.code)
    mine = await friends.of(body.who)
    friends.see(mine, "")
    return _list(mine, friends)


@routes.delete("/{id}", response_model=FriendList)
async def remove(who: Whose, friends: TheFriends, id: Annotated[str, Path(max_length=32)]) -> Plain:
    """Remove a friend, on both sides."""
    await friends.remove(who, id)
    return _list(await friends.of(who), friends)


@routes.delete("", response_model=FriendList)
async def leave(who: Whose, friends: TheFriends) -> Plain:
    """Remove all friends, and delete everything stored about them."""
    await friends.leave(who)
    return _list(await friends.of(who), friends)

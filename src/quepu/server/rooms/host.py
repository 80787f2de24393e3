"""The host of a room, whatever holds it: a server's process, or a device that has no server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from quepu.server.rooms.bot_choice import BotChooser
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.start import StartPosition
from quepu.server.store.values import LogStore

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room


class Worker(Protocol):
    """A worker that works something out without holding up anybody else."""

    async def run(self, asker: str, what: Callable[..., Any], *given: Any) -> Any:
        """The result of `what(*given)`."""
        ...

    def begun(self) -> bool:
        """Whether nobody has to wait any more until it has begun."""
        ...

    def begin(self) -> None:
        """Let it begin, without waiting for that."""
        ...


class BookTables(Protocol):
    """The books that have the tables that strong bots and hints look into."""

    def ready(self, rules: str, house: str) -> bool:
        """Whether a book has all its tables."""
        ...

    def shipped(self, rules: str, house: str) -> bool:
        """Whether a book's tables came with the program, so that they cost nothing."""
        ...

    def gone(self, rules: str, house: str) -> None:
        """The tables of a book were not found where they should be."""
        ...

    @property
    def builds(self) -> bool:
        """Whether tables that are missing can be built here at all."""
        ...

    def want(self, rules: str, house: str, asker: str = "", *, paid: bool = False) -> None:
        """Have missing tables built for `asker`, who has `paid` for them or pays."""
        ...


class Rooms(Protocol):
    """All rooms that can be reached from here."""

    @property
    def levels(self) -> Sequence[str]:
        """The levels of bots that may sit in one, weakest first."""
        ...

    async def open(
        self, spec: RoomSpec, asker: str = "", payers: Sequence[str] = (), start: StartPosition | None = None
    ) -> Room:
        """A new room."""
        ...

    async def call(self, id: str, what: str, **more: Any) -> Any:
        """Call a room by name; see `visit.answer_call`."""
        ...

    async def listed(self, start: int = 0, most: int = 100) -> list[dict[str, Any]]:
        """Rooms for the lobby."""
        ...


class RoomHost(Protocol):
    """The host of a room: the store, what thinks, and who has to know when it is gone or over."""

    @property
    def logs(self) -> LogStore:
        """The store that rooms are written to."""
        ...

    @property
    def hints(self) -> Worker:
        """The worker that works out hints; it compiles loops before the first, which may take a minute."""
        ...

    @property
    def work(self) -> Worker:
        """The worker for what needs no tables and no loops."""
        ...

    @property
    def preparation(self) -> BookTables:
        """The tables of books."""
        ...

    @property
    def bots(self) -> BotChooser:
        """The pools that bots think in."""
        ...

    async def open(self, spec: RoomSpec, asker: str = "", payers: Sequence[str] = ()) -> Room:
        """A new room beside it."""
        ...

    def lost(self, room: Room) -> None:
        """It is no longer this process's."""
        ...

    def acted(self, person: bool, seconds: float) -> None:
        """An action of a person or a bot took so long until everybody was sent it."""
        ...

    def settled(self, room: Room) -> None:
        """A hand is over."""
        ...

    def ended(self, room: Room) -> None:
        """Its match is over."""
        ...

    def stored(self, room: Room, size: int) -> None:
        """So many characters of it were stored."""
        ...

"""A line to a server that is slow, and that can die: bytes wait before they are passed on, or go nowhere."""

import asyncio
import contextlib
import threading
import time


class BadLine:
    """A port of this machine that leads to another one, `late` seconds each way; runs in a thread of its own."""

    def __init__(self, port, late=0.0):
        self.to, self.late = port, late
        self.dead_until = 0.0
        self.deaths = 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        serving = asyncio.run_coroutine_threadsafe(self._serve(), self.loop)
        self.port = serving.result(30).sockets[0].getsockname()[1]

    def die(self, seconds):
        """From now on nothing comes through; nothing is closed, either. New connections work after so many seconds."""
        self.deaths += 1
        self.dead_until = time.monotonic() + seconds

    async def _serve(self):
        return await asyncio.start_server(self._open, "127.0.0.1", 0)

    async def _open(self, reader, writer):
        deaths = self.deaths
        if time.monotonic() < self.dead_until:
            await asyncio.sleep(30)
            writer.close()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.to)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(self._pass(reader, back, deaths), self._pass(there, writer, deaths))

    async def _pass(self, reader, writer, deaths):
        waiting = asyncio.Queue()
        sending = asyncio.ensure_future(self._send(waiting, writer, deaths))
        while data := await reader.read(65536):
            waiting.put_nowait((time.monotonic() + self.late, data))
        waiting.put_nowait((time.monotonic() + self.late, b""))
        await sending

    async def _send(self, waiting, writer, deaths):
        while True:
            when, data = await waiting.get()
            await asyncio.sleep(when - time.monotonic())
            if self.deaths != deaths:  # this line died meanwhile
                continue
            if not data:
                writer.close()
                return
            with contextlib.suppress(OSError):
                writer.write(data)
                await writer.drain()

    def close(self):
        """End it."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

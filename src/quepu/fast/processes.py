"""Spreading work over the cores of this machine or over a cluster; needs only Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any, TypeVar

from quepu.errors import HandError

T = TypeVar("T")


def spread(
    work: Callable[..., T], given: Sequence[tuple[Any, ...]], jobs: int = 1, cluster: str = ""
) -> Iterator[tuple[int, T]]:
    """Yield what `work`, a function of a module, makes of each argument: (place, answer), the first done first.

    Raises:
        HandError: unknown cluster, or the package for clusters is missing.
    """
    if cluster:
        yield from _on_cluster(work, given, cluster)
    elif jobs < 2 or len(given) < 2:
        for at, arguments in enumerate(given):
            yield at, work(*arguments)
    else:
        yield from _on_cores(work, given, min(jobs, len(given)))


def spread_in_order(work: Callable[..., T], given: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[T]:
    """Yield what `work`, a function of a module, makes of each argument, in their order."""
    ready: dict[int, T] = {}
    following = 0
    for at, found in spread(work, given, jobs):
        ready[at] = found
        while following in ready:
            yield ready.pop(following)
            following += 1


def _on_cores(work: Callable[..., T], given: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[tuple[int, T]]:
    with ProcessPoolExecutor(jobs) as pool:
        todo = iter(enumerate(given))
        running: dict[Future[T], int] = {}
        try:
            while True:
                while len(running) < 2 * jobs and (one := next(todo, None)) is not None:
                    running[pool.submit(work, *one[1])] = one[0]
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield running.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _on_cluster(work: Callable[..., T], given: Sequence[tuple[Any, ...]], address: str) -> Iterator[tuple[int, T]]:
    try:
        from distributed import Client
        from distributed import as_completed as as_done
    except ModuleNotFoundError:
        raise HandError(
            "要用集群，请先安装 quepu[cluster]。", "a cluster needs the extra: install quepu[cluster]."
        ) from None
    try:
        client: Any = Client(address, timeout="4s")
    except (OSError, ValueError) as error:
        raise HandError(f"连不上集群 {address}。", f"cannot reach the cluster at {address}.") from error
    with client:
        places = {client.submit(work, *arguments, pure=False): at for at, arguments in enumerate(given)}
        for done in as_done(list(places)):
            yield places[done], done.result()

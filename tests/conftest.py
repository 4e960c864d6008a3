"""Fixtures that every room's tests use."""

from __future__ import annotations

import gc
import os
import shlex
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from irsan.low_heap import has_low_heap, leave_low_heap, python_words
from tests.support.irsan_runs import LEFT_TO_OTHER_PARTS
from tests.support.time_budget import SlowTests, leave_out_slow, left_out_line, skip_when_late
from tests.support.turns import leave_to_other_turns

# What runs us in the background may have these ignored, and the programs of tests would inherit it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
for _number in (signal.SIGHUP, signal.SIGQUIT):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)

# Verdicts are of programs that the bundled compiler made, whichever one the shell names.
os.environ.pop("IRSAN_CC", None)

if TYPE_CHECKING:
    from irsan.engine.commands.batch import BatchRunner
    from tests.support.text_runs import TextRuns


@dataclass(frozen=True, slots=True)
class Guest:
    """A fresh guest: the Context record and the records of its threads, as numpy views."""

    ctx: Any
    main: Any

    def new_thread(self, tid: int, slot: int | None = None) -> Any:
        """A thread record in a slot (default: the one numbered tid) with an empty call stack."""
        slot = tid if slot is None else slot
        self.ctx["schedule"]["n_threads"] = max(int(self.ctx["schedule"]["n_threads"]), slot + 1)
        return _new_thread(tid, slot)

    def switch_to(self, thread: Any) -> None:
        """Make `thread` the running one, as the scheduler would."""
        from irsan.runtime.kernels.threads.switching import switch_threads

        switch_threads(self.ctx, thread_addr(thread))


_RESERVED: list[bool] = []
HEAP_BYTES_IN_USE = 2 << 20  # of a fresh guest: tests put objects there without allocating them
_LEFT = pytest.StashKey[int]()
# Files of few tests that take ten seconds and more: the other workers would wait for the last one.
_FEW_AND_LONG = frozenset({
    "tests/engine/producers/test_rust_programs.py",
    "tests/engine/producers/test_zig_programs.py",
    "tests/engine/test_heap_soak.py",
    "tests/explore/test_campaign.py",
    "tests/explore/playing/test_cluster.py",
    "tests/explore/test_explorer.py",
    "tests/explore/test_shrink.py",
    "tests/runtime/kernels/schedulers/test_round_robin.py",
    "tests/runtime/kernels/language/test_linked_kernel.py",
})  # fmt: skip

# A kernel is compiled, or read from the cache, when an example first calls it.
hypothesis.settings.register_profile("irsan", deadline=None)
hypothesis.settings.load_profile("irsan")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a file's tests on one xdist worker, as its fixtures are costly, unless they say else.

    Groups that compile programs come first: each is compiled in a fork of the worker, which takes
    the longer the more the worker holds, gigabytes behind the tests of kernels.  Then come small
    groups that take long, and small ones last, so that all workers end together.
    """
    leave_to_other_turns(items, LEFT_TO_OTHER_PARTS)
    sizes: Counter[str] = Counter()
    compiling = set()
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.location[0]))
        sizes[_group(item)] += 1
        if "runner" in getattr(item, "fixturenames", ()):
            compiling.add(_group(item))
    items.sort(
        key=lambda item: (
            _group(item) not in compiling, _group(item) not in _FEW_AND_LONG, -sizes[_group(item)]
        )
    )  # fmt: skip
    leave_out_slow(items, config)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep collections off what all tests have in common, and count what is left to other parts.

    Each program is compiled in a fork, in which a collection would copy every page it looks at.
    """
    session.config.stash[_LEFT] = sum(LEFT_TO_OTHER_PARTS.values())
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left"] = session.config.stash[_LEFT]
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What a worker of xdist has counted; all collect the same tests."""
    node.config.stash[_LEFT] = getattr(node, "workeroutput", {}).get("left", 0)


def pytest_configure(config: pytest.Config) -> None:
    """The process that hears of all tests notes which are slow; tests run programs in it, too."""
    if not hasattr(config, "workerinput"):
        _leave_low_heap(config)
        config.pluginmanager.register(SlowTests(config))


def _leave_low_heap(config: pytest.Config) -> None:
    capture = config.pluginmanager.getplugin("capturemanager")
    if has_low_heap() and capture is not None:
        capture.stop_global_capturing()  # what starts anew has our standard output back
        leave_low_heap()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(specs: list[Any]) -> None:
    """Workers run programs and cannot start anew: by then they have been told what to do."""
    for spec in specs:
        spec.python = shlex.join(python_words())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """`./dev quick` begins no test behind its time."""
    skip_when_late()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """What was not run, and how it can be (tests/support/irsan_runs.py, time_budget.py)."""
    if n_left := config.stash.get(_LEFT, 0):
        part = os.environ.get("IRSAN_PART", "0")
        terminalreporter.stats[f"left to other parts than {part}"] = [SimpleNamespace()] * n_left
        terminalreporter.write_line(
            f"rotated tests: part {part}; {n_left} programs and parameters are left to other "
            "parts (IRSAN_PART=1, 2 ... runs another, all every one) and turns (IRSAN_TURN)"
        )
    if line := left_out_line(terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(line)


def _group(item: pytest.Item) -> str:
    marker = item.get_closest_marker("xdist_group")
    assert marker is not None
    return str(marker.args[0])


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe: to read from, and to write to."""
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


@pytest.fixture
def guest() -> Guest:
    """A reset arena with an initialised Context and the main thread running in slot 0."""
    return fresh_guest()


@pytest.fixture
def new_guest() -> Callable[[], Guest]:
    """Makes a fresh guest at each call, for tests that need one per example."""
    return fresh_guest


@pytest.fixture(scope="session")
def runner() -> Iterator[BatchRunner]:
    """One warm host process for all programs of this worker."""
    from tests.support.irsan_runs import new_runner

    with new_runner() as found:
        yield found


@pytest.fixture(scope="session")
def text_runs(runner: BatchRunner, tmp_path_factory: pytest.TempPathFactory) -> TextRuns:
    """Runs programs given as text."""
    from tests.support.text_runs import TextRuns

    return TextRuns(runner, tmp_path_factory.mktemp("programs"))


def fresh_guest() -> Guest:
    """Reserve the arena if this process has not, forget everything in it, start the main thread."""
    from irsan.engine.guest.guest_timers import set_calendar
    from irsan.engine.options import DEFAULT_START_S
    from irsan.runtime import arena
    from irsan.runtime.kernels.race.thread_clocks import race_start
    from irsan.runtime.layout import memory_map
    from irsan.runtime.records.context import CONTEXT_DTYPE

    if not _RESERVED:
        arena.reserve_arena()
        _RESERVED.append(True)
    arena.reset_arena()
    ctx = arena.view_record(memory_map.CONTEXT_ADDR, CONTEXT_DTYPE)
    main = _new_thread(0, 0)
    ctx["thread"] = thread_addr(main)
    ctx["frame_top"], ctx["frame_limit"] = main["frame_top"], main["frame_limit"]
    ctx["sanitize_address"] = ctx["sanitize_thread"] = 1
    ctx["arena_used"] = HEAP_BYTES_IN_USE + memory_map.HEAP_LO - memory_map.ARENA_LO
    ctx["schedule"]["n_threads"] = ctx["schedule"]["n_live"] = ctx["schedule"]["next_tid"] = 1
    race_start(ctx)
    set_calendar(DEFAULT_START_S)
    return Guest(ctx, main)


def thread_addr(thread: Any) -> int:
    """Address of a thread record."""
    from irsan.runtime.layout import memory_map

    return memory_map.slot_to_thread(int(thread["slot"]))


def _new_thread(tid: int, slot: int) -> Any:
    from irsan.runtime import arena
    from irsan.runtime.kernels.callstack import callstack_init
    from irsan.runtime.kernels.race.clocks.race_words import SINGLE
    from irsan.runtime.layout import memory_map
    from irsan.runtime.records.context import THREAD_DTYPE

    thread = arena.view_record(memory_map.slot_to_thread(slot), THREAD_DTYPE)
    thread["tid"], thread["slot"] = tid, slot
    callstack_init(thread)
    thread["ignore_depth"] = SINGLE  # it has no clock: tests of races make theirs by thread_fork
    return thread

"""Green threads without stacks: what the glue does around scheduler and lock kernels, in Python.

A thread's body is a generator.  What it yields is a call, `(kernel, argument, ...)`; it is resumed
with the kernel's value once the call is over:

    kernel --action--> NONE, REPORT    the call is over; after a fault about what is only wished
                                       for (TOLD_BEFORE) the same call again, as the host answers
                       RETRY           ask the scheduler, switch; later the same call again
                       YIELD           the call is over, then ask the scheduler
                       CANCEL          the body is closed, the thread ends with PTHREAD_CANCELED

Yielding None is a safepoint.  `GreenGuest.run` goes on until the program has ended or is idle.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from irsan.engine.options import DEFAULT_START_S
from irsan.interceptors.threads import threads
from irsan.runtime import arena
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.combined import exit_handlers, thread_life
from irsan.runtime.kernels.race.thread_clocks import race_start
from irsan.runtime.kernels.threads import scheduler, switching
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.faults import ASK_AGAIN, FaultKind
from irsan.runtime.layout.thread_states import BLOCKED, RUNNABLE
from irsan.runtime.records.context import THREAD_DTYPE
from irsan.runtime.seeding import seed_to_rng_words

CANCELED = (1 << 64) - 1
SCRATCH = memory_map.HEAP_LO + (1 << 20)  # where tests put locks and out-parameters
REALTIME_START_NS = DEFAULT_START_S * 10**9
UPTIME_NS = 1000 * 10**9  # what CLOCK_MONOTONIC says at the start
HANDLES = SCRATCH
STACK_BYTES = 64 << 10
_PROT_RW = 3
TOLD_BEFORE = (FaultKind.MUTEX_MISUSE, FaultKind.LOCK_ORDER)

Call = tuple[Any, ...]
Body = Generator["Call | None", Any, "int | None"]
Routine = Callable[[int], Body]


def idle_body() -> Body:
    """Of a thread that makes no call."""
    return 0
    yield


class Ended(Exception):
    """The guest has called exit, or its last thread is over."""


@dataclass(slots=True)
class GreenThread:
    """One thread: its record and the call it is in the middle of."""

    record: Any
    body: Body
    call: Call | None = None
    value: Any = None
    is_started: bool = False

    @property
    def tid(self) -> int:
        return int(self.record["tid"])

    @property
    def addr(self) -> int:
        return memory_map.THREADS + int(self.record["slot"]) * memory_map.THREAD_STRIDE


@dataclass(slots=True)
class Watcher:
    """Told of every try of a call: sees it begin, block or end.  Does nothing by itself."""

    def begins(self, thread: GreenThread) -> None:
        """The kernel is about to be called (again)."""

    def blocks(self, thread: GreenThread) -> None:
        """The thread is blocked in the call."""

    def ends(self, thread: GreenThread, value: int) -> None:
        """The call is over with this value."""


@dataclass(slots=True)
class GreenGuest:
    """A guest whose threads are generators.

    routines: what a start routine, destructor or exit handler of that number does.
    called: (tid, function, argument) of every destructor and exit handler, in order.
    reports: words of ctx.fault of every finding.
    choices: slots in the order in which the scheduler chose them.
    """

    ctx: Any
    routines: dict[int, Routine] = field(default_factory=dict)
    watcher: Watcher = field(default_factory=Watcher)
    called: list[tuple[int, int, int]] = field(default_factory=list)
    reports: list[list[int]] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    threads: dict[int, GreenThread] = field(default_factory=dict)  # by address of the record
    ended_tids: list[int] = field(default_factory=list)

    def start(self, main: Body, seed: int = 0, preempt_mean: int = 1000) -> None:
        """Make the main thread, as `Machine.start_main` does."""
        ctx, schedule = self.ctx, self.ctx["schedule"]
        for index, word in enumerate(seed_to_rng_words(seed)):
            schedule["rng"][index] = word
        schedule["preempt_mean"], schedule["clock_ns"] = preempt_mean, 1
        schedule["n_threads"] = schedule["n_live"] = 0
        schedule["next_tid"] = schedule["n_runnable"] = 0
        ctx["c_library"]["errno_addr"] = SCRATCH - 64
        addr = thread_life.new_thread(ctx, STACK_BYTES)
        schedule["n_live"] = 1
        scheduler.make_runnable(ctx, addr)
        switching.load_thread(ctx, addr)
        race_start(ctx)
        self.threads = {addr: GreenThread(view_thread(addr), self._life(main))}

    def run(self, max_steps: int = 100_000) -> str:
        """Run until the guest has "ended" or is "idle" (no thread can ever run)."""
        for _ in range(max_steps):
            try:
                if not self.step():
                    return "idle"
            except Ended:
                return "ended"
            self.check_run_list()
        raise AssertionError(f"the guest still runs after {max_steps} calls")

    def step(self) -> bool:
        """One call of the running thread, and what its action asks for; False when idle."""
        thread = self.current()
        if thread.call is None:
            try:
                asked = self._advance(thread)
            except StopIteration:
                return self._end(thread)
            if asked is None:
                return self._safepoint()
            thread.call = asked
        return self._call(thread, thread.call)

    def current(self) -> GreenThread:
        """The running thread; a new record makes a new thread of its start routine."""
        addr = int(self.ctx["thread"])
        known = self.threads.get(addr)
        if known is None:
            record = view_thread(addr)
            body = self.routines[int(record["start_routine"])](int(record["argument"]))
            known = self.threads[addr] = GreenThread(record, self._life(body))
        return known

    def check_run_list(self) -> None:
        """A thread is in the runnable list iff it is RUNNABLE, at the place its record says."""
        ctx = self.ctx
        listed = (
            arena.view_bytes(memory_map.RUN_LIST, 4 * int(ctx["schedule"]["n_runnable"]))
            .view("u4")
            .tolist()
        )
        records = [
            view_thread(slot_to_addr(slot)) for slot in range(int(ctx["schedule"]["n_threads"]))
        ]
        runnable = {int(r["slot"]) for r in records if r["state"] == RUNNABLE}
        assert sorted(listed) == sorted(runnable)
        assert [int(records[slot]["run_index"]) for slot in listed] == list(range(len(listed)))
        timed = [r for r in records if r["state"] == BLOCKED and r["wait"]["wake_ns"] != 0]
        assert int(ctx["schedule"]["n_timed"]) == len(timed)

    def waiting(self, kind: int, addr: int) -> set[int]:
        """Numbers of the threads blocked on (kind, addr)."""
        return {
            int(record["tid"])
            for record in map(
                view_thread, map(slot_to_addr, range(int(self.ctx["schedule"]["n_threads"])))
            )
            if (record["state"], record["wait"]["kind"], record["wait"]["addr"])
            == (BLOCKED, kind, addr)
        }

    def close(self) -> None:
        """Make the stacks' guards accessible again for whatever uses the arena next."""
        n_bytes = int(self.ctx["schedule"]["n_threads"]) * memory_map.STACK_SLOT_BYTES
        arena.protect(memory_map.STACK_SLOTS_LO, n_bytes, _PROT_RW)

    def _advance(self, thread: GreenThread) -> Call | None:
        if not thread.is_started:
            thread.is_started = True
            return next(thread.body)
        value, thread.value = thread.value, None
        return thread.body.send(value)

    def _call(self, thread: GreenThread, call: Call) -> bool:
        kernel, *arguments = call
        self.watcher.begins(thread)
        value = kernel(self.ctx, *arguments)
        while is_told_before(self.ctx):
            self.reports.append(self.ctx["fault"].tolist())
            self.ctx["action"] = actions.NONE
            value = kernel(self.ctx, *arguments)
        action = self.ctx["action"]
        self.ctx["action"] = actions.NONE
        if action == actions.RETRY:
            if thread.record["state"] == BLOCKED:
                self.watcher.blocks(thread)
            return self.reschedule()
        if action == actions.CANCEL:
            thread.body.close()
            thread.call, thread.is_started = None, False
            thread.body = self._life(_exit_with(CANCELED))
            return True
        if action == actions.REPORT:
            self.reports.append(self.ctx["fault"].tolist())
        thread.call, thread.value = None, value
        self.watcher.ends(thread, value)
        return self.reschedule() if action == actions.YIELD else True

    def _safepoint(self) -> bool:
        self.ctx["fuel"] -= 1
        if self.ctx["fuel"] > 0 or not scheduler.safepoint_slow(self.ctx):
            return True
        return self.reschedule()

    def reschedule(self) -> bool:
        """Ask the scheduler and switch; False when no thread can run."""
        chosen = int(scheduler.schedule_next(self.ctx))
        if not chosen:
            return False
        self.choices.append((chosen - memory_map.THREADS) // memory_map.THREAD_STRIDE)
        if chosen != int(self.ctx["thread"]):
            switching.switch_threads(self.ctx, chosen)
        return True

    def _life(self, body: Body) -> Body:
        """A thread's body, then its destructors."""
        result = yield from body
        record = view_thread(int(self.ctx["thread"]))
        record["result"] = result or 0
        while function := int(exit_handlers.next_thread_destructor(self.ctx)):
            yield from self._run_handler(function)
        return result

    def _run_handler(self, function: int) -> Body:
        argument = int(self.ctx["event"]["args"][0])
        self.called.append((int(view_thread(int(self.ctx["thread"]))["tid"]), function, argument))
        if function in self.routines:
            yield from self.routines[function](argument)
        return 0

    def _end(self, thread: GreenThread) -> bool:
        self.ended_tids.append(thread.tid)
        del self.threads[thread.addr]
        if thread_life.end_thread(self.ctx):
            raise Ended
        return self.reschedule()


def is_told_before(ctx: Any) -> bool:
    """Whether a kernel has left a fault before it did anything: the host has it called again."""
    if ctx["action"] != actions.REPORT:
        return False
    is_asked_again, ctx["fault"][ASK_AGAIN] = bool(ctx["fault"][ASK_AGAIN]), 0
    return int(ctx["fault"][0]) in TOLD_BEFORE or is_asked_again


def run(green: GreenGuest, main: Body, seed: int = 0) -> str:
    """Run a guest from its main thread's body to its end: "ended" or "idle"."""
    green.start(main, seed)
    return green.run()


def run_workers(green: GreenGuest, main: Body, *workers: Body, seed: int = 0) -> str:
    """Run main after it has started the workers, whose pthread_t are at HANDLES."""
    green.routines[1] = lambda number: workers[number]

    def everything() -> Body:
        for number in range(len(workers)):
            yield threads.i_pthread_create, HANDLES + 8 * number, 0, 1, number
        yield from main
        return 0

    return run(green, everything(), seed)


def call_told(kernel: Callable[..., Any], ctx: Any, *arguments: Any) -> Any:
    """What a lock kernel answers once the host has heard of any misuse."""
    value = kernel(ctx, *arguments)
    while is_told_before(ctx):
        ctx["action"] = actions.NONE
        value = kernel(ctx, *arguments)
    return value


def all_of(calls: Iterable[Call]) -> Body:
    """One call after the other; the value of the last."""
    value = 0
    for call in calls:
        value = yield call
    return value


def view_thread(addr: int) -> Any:
    """The thread record at an address."""
    return arena.view_record(addr, THREAD_DTYPE)


def slot_to_addr(slot: int) -> int:
    """Address of the thread record in a slot: the pthread_t of its thread."""
    return memory_map.THREADS + slot * memory_map.THREAD_STRIDE


def _exit_with(result: int) -> Body:
    return result
    yield

"""The loop that serves a guest's events, and what a fork leaves; the guest is a Python function."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from irsan.engine.guest.machine import Machine, Outcome, Served
from irsan.errors import InternalError, UnsupportedError
from irsan.runtime.layout import events, memory_map
from irsan.runtime.layout.thread_states import BLOCKED, FREE, RUNNABLE, WAIT_SIGNALLED
from irsan.runtime.records.race.fiber_records import FIBER

REPORT = int(events.REPORT)
ERRNO = ctypes.CDLL(None).__errno_location
ERRNO.restype = ctypes.c_void_p
_RESUME = ctypes.CFUNCTYPE(None, ctypes.c_uint64)


class FakeRuntime:
    """A runtime whose guest raises the given events, one for each time it is resumed."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.steps: list[Callable[[], None]] = []
        self.calls: list[tuple[Any, ...]] = []
        self.stacks: list[int] = []
        self.shared: set[int] = set()  # addresses in memory that processes share
        self._resume = _RESUME(self._step)  # which must stay alive
        address = ctypes.cast(self._resume, ctypes.c_void_p).value
        self.symbols = dict.fromkeys(
            ("irsan_first_frame", "__irsan_thread_main", "__irsan_timer_notify",
             "__irsan_callback", "__irsan_program_main"), 0x1234,
        ) | {"__irsan_resume": address}  # fmt: skip

    def _step(self, stack: int) -> None:
        self.stacks.append(stack)
        self.steps.pop(0)()

    def kernel(self, name: str, *arguments: int) -> int:
        self.calls.append((name, *arguments))
        return name == "is_shared_memory" and arguments[0] in self.shared

    def will_raise(
        self, event: int, *words: int, routine: int = 0, first: Callable[[], object] = bool
    ) -> None:
        """The next time, the guest does `first` and comes back with this event."""

        def step() -> None:
            first()
            self.ctx["event"]["number"], self.ctx["event"]["routine"] = event, routine
            for index, word in enumerate(words):
                self.ctx["event"]["args"][index] = word

        self.steps.append(step)


@pytest.fixture
def runtime(guest: Any) -> FakeRuntime:
    return FakeRuntime(guest.ctx)


def machine_of(runtime: FakeRuntime, handlers: Any = None, routines: Any = None) -> Machine:
    fake: Any = runtime
    return Machine(fake, handlers or {}, routines or {})


@pytest.mark.parametrize(
    ("word", "status"), [(0, 0), (3, 3), (255, 255), (256, 0), (2**32 - 1, 255), (2**40 + 7, 7)]
)
def test_the_status_is_the_low_byte_of_an_int(runtime: FakeRuntime, word: int, status: int) -> None:
    runtime.will_raise(events.EXIT, word)
    assert machine_of(runtime).run() == Outcome(status=status)


def test_events_are_served_until_one_ends_the_guest(runtime: FakeRuntime) -> None:
    """A result word is cut to 64 bits; without one, the guest's stays."""
    served: list[int] = []
    answers = iter([Served(-1), Served(), Served(outcome=Outcome(5, is_stopped=True))])

    def handler(machine: Machine) -> Served:
        served.append(int(machine.ctx["event"]["result"]))
        return next(answers)

    for _ in range(3):
        runtime.will_raise(REPORT)
    assert machine_of(runtime, {REPORT: handler}).run() == Outcome(5, is_stopped=True)
    assert served == [0, 2**64 - 1, 2**64 - 1]
    assert not runtime.steps


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        (Served(outcome=Outcome(5)), Outcome(signal=15)),
        (Served(outcome=Outcome(5, is_stopped=True)), Outcome(5, is_stopped=True)),
        (Served(outcome=Outcome(signal=6)), Outcome(signal=6)),
    ],
)
def test_a_signal_that_comes_while_the_end_is_served(
    runtime: FakeRuntime, ended: Served, outcome: Outcome
) -> None:
    """It has ended a guest that would have ended by itself; what comes later finds no guest."""
    host = runtime.ctx["host"]

    def handler(_machine: Machine) -> Served:
        assert int(host["defers"]) == 1
        host["sent_signal"] = 15
        return ended

    runtime.will_raise(REPORT)
    assert machine_of(runtime, {REPORT: handler}).run() == outcome
    assert (int(host["defers"]), int(host["sent_signal"])) == (0, 0)


def test_an_event_without_a_handler_is_an_error_of_irsan(runtime: FakeRuntime) -> None:
    runtime.will_raise(REPORT)
    with pytest.raises(InternalError, match=f"event {REPORT}, which has no handler"):
        machine_of(runtime).run()


def test_a_routine_of_the_host_gets_the_words_and_may_end_the_guest(runtime: FakeRuntime) -> None:
    seen: list[list[int]] = []

    def add(_machine: Machine, words: Sequence[int]) -> int:
        seen.append(list(words[:2]))
        return words[0] + words[1]

    runtime.will_raise(events.HOST_CALL, 2**63, 2**63 + 4, routine=7)
    runtime.will_raise(events.HOST_CALL, 1, 2, routine=8)
    machine = machine_of(runtime, routines={7: add, 8: lambda *_: Outcome(signal=9)})
    assert machine.run() == Outcome(signal=9)
    assert seen == [[2**63, 2**63 + 4]]
    assert int(runtime.ctx["event"]["result"]) == 4


@pytest.mark.parametrize(("event", "kept"), [(REPORT, True), (events.HOST_CALL, False)])
def test_serving_keeps_errno_but_for_a_routine_of_the_host(
    runtime: FakeRuntime, event: int, kept: bool
) -> None:
    errno = ctypes.c_int32.from_address(ERRNO())

    def fail(*_: Any) -> Any:
        errno.value = 9
        return Served() if event == REPORT else 0

    seen: list[int] = []
    runtime.will_raise(event, first=lambda: setattr(errno, "value", 4))
    runtime.will_raise(events.EXIT, first=lambda: seen.append(errno.value))
    machine_of(runtime, {REPORT: fail}, {0: fail}).run()
    assert seen == [4 if kept else 9]


def test_a_call_of_the_program_leaves_the_thread_as_it_was(
    guest: Any, runtime: FakeRuntime
) -> None:
    """It runs below the red zone of the stack, and its result is a word of the interface."""
    sp = memory_map.STACK_SLOTS_LO + memory_map.STACK_SLOT_BYTES - 0x1008
    guest.main["sp"] = sp
    ctx = runtime.ctx
    ctx["routine"], ctx["site"], ctx["action"] = 3, 44, 1
    ctx["ignore_depth"] = 1 << 32 | 2
    seen: list[tuple[int, ...]] = []

    def called() -> None:
        words = ctx["interface"]
        seen.append(tuple(int(words[name]) for name in ("call_function", "call_first")))
        seen.append((int(ctx["routine"]), int(ctx["action"])))
        words["call_result"] = 2**64 - 5
        ctx["site"], ctx["ignore_depth"] = 9, 7
        ctx["event"]["number"] = events.CALLED

    from irsan.runtime import arena

    arena.protect(sp & ~0xFFF, 0x1000, 3)
    runtime.steps.append(called)
    assert machine_of(runtime).call_guest(0x4000, 11) == 2**64 - 5
    assert seen == [(0x4000, 11), (0, 0)]
    assert runtime.stacks[0] < sp - 512 and int(guest.main["sp"]) == sp
    assert [int(ctx[name]) for name in ("routine", "site", "action")] == [3, 44, 1]
    assert int(ctx["ignore_depth"]) == 2, "what counts is kept, what came up in the call goes"


def test_coming_back_from_no_call_is_an_error_of_irsan(runtime: FakeRuntime) -> None:
    runtime.will_raise(events.CALLED)
    with pytest.raises(InternalError, match="a call that was not made"):
        machine_of(runtime).run()


@pytest.fixture
def family(guest: Any) -> Iterator[dict[int, Any]]:
    """Main, a runnable thread, a blocked one, a fiber and a slot that is free; 1 is running."""
    states = {0: BLOCKED, 1: RUNNABLE, 2: BLOCKED, 3: FIBER, 4: FREE}
    threads = {0: guest.main, **{slot: guest.new_thread(slot) for slot in (1, 2, 3, 4)}}
    for slot, state in states.items():
        threads[slot]["state"] = state
    guest.ctx["thread"] = memory_map.slot_to_thread(1)
    guest.ctx["schedule"]["n_live"], guest.ctx["schedule"]["n_runnable"] = 3, 1
    yield threads


def test_of_a_forks_child_the_running_thread_lives_on(
    family: dict[int, Any], runtime: FakeRuntime
) -> None:
    machine, told = machine_of(runtime), []
    machine.on_fork = lambda: told.append(True)
    ctx = runtime.ctx
    ctx["outside"]["others"], ctx["outside"]["n_children"] = 5, 2
    ctx["schedule"]["n_timed"] = 4
    machine.become_child()
    joined = [words[0] for name, *words in runtime.calls if name == "thread_join_edge"]
    assert joined == [memory_map.slot_to_thread(slot) for slot in (0, 2)]
    assert [int(family[slot]["state"]) for slot in range(5)] == [FREE, RUNNABLE, FREE, FIBER, FREE]
    schedule = ctx["schedule"]
    assert [int(schedule[n]) for n in ("n_runnable", "n_live", "n_timed")] == [1, 1, 0]
    assert ctypes.c_uint32.from_address(memory_map.RUN_LIST).value == 1
    assert int(ctx["outside"]["others"]) == 4, "the parent, and whom it knew but its children"
    assert [int(ctx["outside"][n]) for n in ("n_children", "is_child")] == [0, 1]
    assert told == [True]
    assert int(ctx["interface"]["may_not_start"]) == 0


@pytest.mark.parametrize(
    ("dies", "n_live", "races", "may_not"),
    [(True, 3, 1, 1), (True, 1, 1, 0), (True, 3, 0, 0), (False, 3, 1, 0)],
)
@pytest.mark.usefixtures("family")
def test_a_child_that_has_lost_threads_may_start_none_if_asked(
    runtime: FakeRuntime, dies: bool, n_live: int, races: int, may_not: int
) -> None:
    machine = machine_of(runtime)
    machine.dies_after_fork = dies
    runtime.ctx["schedule"]["n_live"], runtime.ctx["sanitize_thread"] = n_live, races
    machine.become_child()
    assert int(runtime.ctx["interface"]["may_not_start"]) == may_not


def test_who_waits_for_shared_memory_asks_again_when_there_is_a_child(
    family: dict[int, Any], runtime: FakeRuntime
) -> None:
    runtime.shared = {0x5000, 0x7000}
    for slot, address in ((0, 0x5000), (1, 0x7000), (2, 0x6000)):
        family[slot]["wait"]["addr"] = address
    machine_of(runtime).become_parent()
    assert runtime.calls[0] == ("child_begun",)
    woken = [words for name, *words in runtime.calls if name == "wake_thread"]
    assert woken == [[memory_map.slot_to_thread(0), WAIT_SIGNALLED]]


def test_configuring_fills_the_context(runtime: FakeRuntime) -> None:
    machine_of(runtime).configure(5, 0, {3: -1, 4: 2}, thread=True)
    ctx = runtime.ctx
    assert (int(ctx["sanitize_address"]), int(ctx["sanitize_thread"])) == (0, 1)
    assert (int(ctx["options"][3]), int(ctx["options"][4])) == (2**64 - 1, 2)
    assert int(ctx["turns"]["attention"]) == 0, "nobody is preempted"
    assert int(ctx["c_library"]["errno_addr"]) == ERRNO()
    assert any(int(word) for word in ctx["schedule"]["rng"])
    first = [int(word) for word in ctx["schedule"]["rng"]]
    machine_of(runtime).configure(6, 0, {})
    assert first != [int(word) for word in ctx["schedule"]["rng"]]
    assert runtime.calls == [("heap_init",)] * 2


@pytest.mark.parametrize("ranges", [[(0x1000, 1 << 20)], [(0x1000, 4)] * 40])
def test_too_many_thread_locals_of_libraries_are_refused(
    runtime: FakeRuntime, ranges: list[tuple[int, int]]
) -> None:
    total = sum(size for _, size in ranges)
    with pytest.raises(UnsupportedError, match=f"take {total} bytes in {len(ranges)} places"):
        machine_of(runtime)._swap_tls(ranges)

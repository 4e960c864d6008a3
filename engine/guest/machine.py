"""The running guest: Context, main thread, and the loop that serves its events.

Python runs on the host's stack only.  `run` resumes the guest's current thread; the guest comes
back with an event, the event is served by one method, and the guest goes on until it has ended.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from irsan.engine.glue.switch import prepare_stack
from irsan.engine.guest.guest_timers import forget_timers
from irsan.engine.guest.image_memory import LinkedRuntime
from irsan.engine.guest.own_limits import lifted_limits
from irsan.engine.guest.start_memory import StartMemory, name_program
from irsan.engine.linker.native_symbols import host_symbol
from irsan.errors import InternalError, UnsupportedError
from irsan.runtime import arena
from irsan.runtime.layout import events, memory_map
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.layout.thread_states import (
    BLOCKED,
    FIRST_ATTENTION,
    FREE,
    WAIT_SIGNALLED,
)
from irsan.runtime.records.context import CONTEXT_DTYPE, THREAD_DTYPE
from irsan.runtime.records.race.fiber_records import FIBER
from irsan.runtime.records.race.ignored import set_ignore_depth
from irsan.runtime.seeding import seed_to_rng_words
from irsan.runtime.views.native_tls import watch_library_tls
from irsan.runtime.views.thread_facts import own_tid

_WORD = (1 << 64) - 1
_DEPTH = (1 << 32) - 1  # bits of ctx.ignore_depth that count; above: one thread only so far
_SP = field_offset(THREAD_DTYPE, "sp")
_NO_LIMITS: AbstractContextManager[None] = nullcontext()
_libc = ctypes.CDLL(None)
_libc.__errno_location.restype = ctypes.c_void_p
_RED_ZONE_BYTES = 512  # below a stack pointer: the ABI's red zone, and some room


@dataclass(slots=True)
class Outcome:
    """How the guest ended: its exit status, or the signal that ended it (0: none)."""

    status: int = 0
    signal: int = 0
    is_stopped: bool = False  # irsan ended it after a finding


class GuestEnded(Exception):
    """The program has ended, perhaps inside a function that the host called."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Served:
    """What serving an event asks of the loop: end the guest, or go on with a result word."""

    result: int | None = None
    outcome: Outcome | None = None


EventHandler = Callable[["Machine"], Served]
HostRoutine = Callable[["Machine", Sequence[int]], "int | Outcome"]


@dataclass(slots=True)
class GuestStart:
    """What the main thread starts with."""

    main: int
    constructors: list[int]
    finalizers: list[int]
    arguments: list[bytes]
    environment: list[bytes]
    path: bytes = b""  # by which the program can be started again
    tls_image: bytes = b""
    tls_offset: int = 0
    swapped_tls: list[tuple[int, int]] = field(default_factory=list)
    first_tls_module: int = 0
    cxx: tuple[int, int] = (0, 0)
    stack_bytes: int = memory_map.DEFAULT_STACK_BYTES


class Machine:
    """One guest in this process."""

    def __init__(
        self,
        runtime: LinkedRuntime,
        handlers: Mapping[int, EventHandler],
        routines: Mapping[int, HostRoutine],
    ) -> None:
        self.runtime = runtime
        self.ctx: Any = arena.view_record(memory_map.CONTEXT_ADDR, CONTEXT_DTYPE)
        self._handlers = handlers
        self.fork_handlers: list[tuple[int, int, int]] = []
        self.on_fork: Callable[[], None] = lambda: None
        self.dies_after_fork = False  # whether a child that has lost threads may start none
        self.start_memory = StartMemory()
        self.own_symbols: Any = None  # what the program asks of the loader about itself
        self.before_leaving: Callable[[], None] = lambda: None  # before chroot, setuid and similar
        self._left: tuple[int, int] | None = None
        self._routines = routines
        self.interface: Any = None  # what the public interface of the sanitizers asks
        self.leaks: Any = None  # who looks for leaks when the program asks
        # The guest's and Python's are one.
        self._errno = ctypes.c_int32.from_address(_errno_address())
        self._thread, self._event, self._status, self._limits_are_set = map(
            _word, ("thread", "event.number", "event.args", "outside.limits_are_set")
        )
        self._resume: Any = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(
            runtime.symbols["__irsan_resume"]
        )

    def configure(
        self, seed: int, preempt_mean: int, options: Mapping[int, int], **sanitize: bool
    ) -> None:
        """Fill the Context: seed, scheduling, option words, and the sanitizers.

        sanitize: `address`, `thread`; `plain_heap` when no sanitizer needs ordinary heap blocks.
        """
        ctx = self.ctx
        for index, word in enumerate(seed_to_rng_words(seed)):
            ctx["schedule"]["rng"][index] = word
        ctx["schedule"]["preempt_mean"] = preempt_mean
        ctx["schedule"]["clock_ns"] = 1
        ctx["turns"]["attention"] = FIRST_ATTENTION if preempt_mean else 0
        ctx["sanitize_address"] = int(sanitize.get("address", False))
        ctx["sanitize_thread"] = int(sanitize.get("thread", False))
        ctx["heap"]["is_plain"] = int(sanitize.get("plain_heap", False))
        for index, value in options.items():
            ctx["options"][index] = value & _WORD
        ctx["entry_points"]["first_frame"] = self.runtime.symbols["irsan_first_frame"]
        ctx["entry_points"]["thread_main"] = self.runtime.symbols["__irsan_thread_main"]
        ctx["entry_points"]["timer_notify"] = self.runtime.symbols["__irsan_timer_notify"]
        ctx["c_library"]["errno_addr"] = _errno_address()
        ctx["c_library"]["stdin_addr"] = host_symbol("stdin")
        ctx["c_library"]["environ_addr"] = host_symbol("environ")
        ctx["c_library"]["stdout_addr"] = host_symbol("stdout")
        self.runtime.kernel("heap_init")

    def start_main(self, start: GuestStart) -> None:
        """Make the main thread: stack, thread-local block, arguments, constructors."""
        ctx, kernel = self.ctx, self.runtime.kernel
        # Opened when they are taken: rooms of stacks and fake stacks that no thread has.
        arena.protect(memory_map.STACKS_LO, memory_map.STACKS_HI - memory_map.STACKS_LO, 0)
        self._place_tls(start)
        swapped = [(_errno_address(), 4), *start.swapped_tls]
        self._swap_tls(swapped)
        _keep_fresh_tls(swapped)
        watch_library_tls(ctx, start.first_tls_module)
        thread_addr = kernel("new_thread", start.stack_bytes)
        entry = self.runtime.symbols["__irsan_program_main"]
        kernel("prepare_first_frame", thread_addr, int(ctx["entry_points"]["first_frame"]), entry)
        ctx["schedule"]["n_live"] = 1
        kernel("make_runnable", thread_addr)
        kernel("load_thread", thread_addr)
        kernel("race_start")
        memory = self.start_memory
        constructors = memory.place_words(start.constructors)
        memory.place_program(start.arguments, start.environment, start.path)
        name_program(memory.argv, memory.envp)
        ctx["outside"]["own_path"] = memory.path
        words = {
            "argc": len(start.arguments),
            "argv": memory.argv,
            "envp": memory.envp,
            "main": start.main,
            "constructors": constructors,
            "n_constructors": len(start.constructors),
            "words_end": memory.words_end,
        }
        for name, word in words.items():
            ctx["program"][name] = word
        ctx["cxx"] = tuple(start.cxx)
        for function in start.finalizers[::-1]:
            kernel("add_exit_handler", function, 0)

    @property
    def start_end(self) -> int:
        """Where arguments, environment and thread-local image end."""
        return self.start_memory.end

    def came_back(self) -> None:
        """The guest has left an event to who has resumed it instead of `run`, which serves it."""
        self._left = (self._event.value, self._errno.value)

    def run(self) -> Outcome:
        """Run the guest to its end, serving events."""
        self.ctx["host"]["defers"] = 1
        try:
            self._serve_until_called()
        except GuestEnded as ended:
            return self._ended_meanwhile(ended.outcome)
        finally:
            self.ctx["host"]["defers"] = 0
        raise InternalError("the guest came back from a call that was not made")

    def _ended_meanwhile(self, outcome: Outcome) -> Outcome:
        """How the guest has ended: by the signal that came while the host served its end."""
        sent, self.ctx["host"]["sent_signal"] = int(self.ctx["host"]["sent_signal"]), 0
        is_own = outcome.is_stopped or outcome.signal or not sent
        return outcome if is_own else Outcome(signal=sent)

    def call_guest(self, function: int, first: int = 0, second: int = 0, *, sp: int = 0) -> int:
        """Call a function of the program on the stack of its running thread; returns its result.

        sp: what the stack reaches down to after a native fault; else the thread's own.  Other
        threads may run meanwhile.  Raises GuestEnded when the program ends in the call.
        """
        ctx, thread = self.ctx, self.current_thread()
        saved_sp = int(thread["sp"])
        saved = {name: int(ctx[name]) for name in ("routine", "site", "action")}
        depth = int(ctx["ignore_depth"]) & _DEPTH
        base = (sp or saved_sp) - _RED_ZONE_BYTES
        thread["sp"] = prepare_stack(
            int(ctx["entry_points"]["first_frame"]),
            base - base % 16,
            self.runtime.symbols["__irsan_callback"],
        )
        words = ctx["interface"]
        words["call_function"] = function
        words["call_first"], words["call_second"] = first, second
        ctx["routine"] = ctx["action"] = 0
        self._serve_until_called()
        self.current_thread()["sp"] = saved_sp
        for name, word in saved.items():
            ctx[name] = word
        set_ignore_depth(ctx, int(ctx["ignore_depth"]) & ~_DEPTH | depth)
        return int(words["call_result"])

    def _serve_until_called(self) -> None:
        """Run the guest until a function that the host has called returns."""
        ctx = self.ctx
        errno = self._errno
        while True:
            if self._left is None:
                self._resume(ctypes.c_uint64.from_address(self._thread.value + _SP).value)
            event, before = self._left or (self._event.value, errno.value)
            self._left = None
            if event == events.CALLED:
                return
            with lifted_limits() if self._limits_are_set.value else _NO_LIMITS:
                served = self._serve(event)
            if event != events.HOST_CALL:
                errno.value = before
            if served.outcome is not None:
                raise GuestEnded(served.outcome)
            if served.result is not None:
                ctx["event"]["result"] = served.result & _WORD

    def give_errno(self, number: int) -> None:
        """The routine that is served has failed: what errno is for the program; it stays else."""
        self.ctx["event"]["args"][events.ERRNO_WORD] = number

    def current_thread(self) -> Any:
        """Record view of the running guest thread."""
        return arena.view_record(int(self.ctx["thread"]), THREAD_DTYPE)

    def become_child(self) -> None:
        """After a fork: the running thread is the only one, and findings start anew."""
        ctx, current = self.ctx, int(self.ctx["thread"])
        ctx["recording"]["mode"] = ctx["host"]["sent_signal"] = 0
        is_alone = int(ctx["schedule"]["n_live"]) <= 1 or not int(ctx["sanitize_thread"])
        ctx["interface"]["may_not_start"] = int(self.dies_after_fork and not is_alone)
        for thread in self.threads():
            address = memory_map.slot_to_thread(int(thread["slot"]))
            if address != current and int(thread["state"]) not in (FREE, FIBER):
                self.runtime.kernel("thread_join_edge", address)  # the fork comes after all of it
                thread["state"] = FREE
        running = self.current_thread()
        running["run_index"] = 0
        ctypes.c_uint32.from_address(memory_map.RUN_LIST).value = int(
            running["slot"]
        )  # the run list
        ctx["schedule"]["n_runnable"] = ctx["schedule"]["n_live"] = 1
        ctx["schedule"]["n_timed"] = ctx["outside"]["n_trying"] = ctx["turns"]["exit_left"] = 0
        if int(ctx["turns"]["exits"]) != current:
            ctx["turns"]["exits"] = 0
        others = int(ctx["outside"]["others"]) + 1 - int(ctx["outside"]["n_children"])
        ctx["outside"]["others"] = others
        ctx["outside"]["n_children"], ctx["outside"]["is_child"] = 0, 1
        ctx["outside"]["first_tid"] = own_tid(running)
        self.runtime.kernel("hold_back")
        forget_timers(ctx)
        self.on_fork()

    def become_parent(self) -> None:
        """After a fork: a child lives, so who waits for shared memory must ask again and again."""
        kernel = self.runtime.kernel
        kernel("child_begun")
        for thread in self.threads():
            address = int(thread["wait"]["addr"])
            is_blocked = int(thread["state"]) == BLOCKED and address
            if is_blocked and kernel("is_shared_memory", address):
                kernel(
                    "wake_thread", memory_map.slot_to_thread(int(thread["slot"])), WAIT_SIGNALLED
                )

    def threads(self) -> list[Any]:
        """Record views of all thread slots in use."""
        return [
            arena.view_record(memory_map.slot_to_thread(slot), THREAD_DTYPE)
            for slot in range(int(self.ctx["schedule"]["n_threads"]))
        ]

    def _serve(self, event: int) -> Served:
        if event == events.EXIT:
            return Served(outcome=Outcome(status=self._status.value & 0xFF))
        if event == events.HOST_CALL:
            number = int(self.ctx["event"]["routine"])
            arguments = [int(word) for word in self.ctx["event"]["args"]]
            answer = self._routines[number](self, arguments)
            return Served(outcome=answer) if isinstance(answer, Outcome) else Served(result=answer)
        handler = self._handlers.get(event)
        if handler is None:
            raise InternalError(f"the guest raised event {event}, which has no handler")
        return handler(self)

    def _place_tls(self, start: GuestStart) -> None:
        ctx, size = self.ctx, len(start.tls_image)
        ctx["thread_locals"]["size_bytes"], ctx["thread_locals"]["align"] = size, 1
        ctx["program"]["archive_tls"] = start.tls_offset
        if size:
            ctx["thread_locals"]["image"] = self.start_memory.place_bytes(start.tls_image)

    def _swap_tls(self, ranges: list[tuple[int, int]]) -> None:
        words = [word for one in ranges for word in one]
        total = sum(words[1::2])
        room = THREAD_DTYPE["host_tls"].itemsize
        if total > room or len(words) > len(self.ctx["thread_locals"]["ranges"]):
            raise UnsupportedError(
                f"thread-locals of native libraries take {total} bytes in {len(ranges)} places; "
                f"there is room for {room} bytes in 8"
            )
        self.ctx["thread_locals"]["ranges"][: len(words)] = words
        self.ctx["thread_locals"]["n_ranges"] = len(ranges)


def _word(path: str) -> ctypes.c_uint64:
    """A word of the Context as it is at any time: with few objects of Python, each time."""
    address = memory_map.CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, path)
    return ctypes.c_uint64.from_address(address)


def _keep_fresh_tls(ranges: list[tuple[int, int]]) -> None:
    """Every thread begins with thread-locals as they are now, behind errno, which comes first."""
    fresh = b"".join(ctypes.string_at(*one) for one in ranges)
    ctypes.memmove(memory_map.FIRST_SWAPPED, fresh, len(fresh))
    ctypes.c_uint32.from_address(memory_map.FIRST_SWAPPED).value = 0


def _errno_address() -> int:
    return int(_libc.__errno_location())

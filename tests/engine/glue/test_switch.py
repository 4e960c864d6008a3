"""Stacks change, first stacks start right, native faults come back as facts."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from irsan.engine.findings.crash import Crash, CrashHandler, read_crash
from irsan.engine.glue import switch
from irsan.engine.glue.templates import join, template
from irsan.engine.glue.text import context_field
from irsan.engine.linker.linker import Linker
from irsan.errors import InternalError
from irsan.low_heap import python_words
from irsan.runtime import arena
from irsan.runtime.layout import events, memory_map
from irsan.runtime.records.context import CONTEXT_DTYPE
from tests.support.jit import compile_text, linked

STACK_LO = memory_map.STACK_SLOTS_LO
STACK_HI = STACK_LO + (1 << 20)

CTX_HOST_SP = context_field("host.sp")
CTX_IN_GUEST = context_field("host.in_guest")
CTX_ARGS = context_field("event.args")

GUEST_TEXT = f"""
@guest_sp = global i64 0
declare void @irsan_switch(ptr, i64)
define void @resume(i64 %sp) noinline {{
  store i64 1, {CTX_IN_GUEST}
  call void @irsan_switch({CTX_HOST_SP}, i64 %sp)
  store i64 0, {CTX_IN_GUEST}
  ret void
}}
define void @to_host() noinline {{
  %sp = load i64, {CTX_HOST_SP}
  call void @irsan_switch(ptr @guest_sp, i64 %sp)
  ret void
}}
define void @__irsan_to_host() noinline {{
  call void @to_host()
  ret void
}}
define i8 @k.redirect_shadow_read(i64 %context, i64 %addr) {{
  ret i8 0
}}
define void @counting(ptr %argument) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  store i64 %next, {CTX_ARGS}
  call void @to_host()
  br label %loop
}}
define void @first(ptr %argument) {{
  %place = alloca <4 x float>, align 16
  store volatile <4 x float> zeroinitializer, ptr %place, align 16
  %low = ptrtoint ptr %place to i64
  %odd = and i64 %low, 15
  store i64 %odd, {context_field("event.args", 1)}
  %word = ptrtoint ptr %argument to i64
  store i64 %word, {CTX_ARGS}
  call void @to_host()
  unreachable
}}
define void @null_read(ptr %p) {{
  %v = load volatile i32, ptr %p
  ret void
}}
define void @null_write(ptr %p) {{
  store volatile i32 7, ptr %p
  ret void
}}
define void @trap(ptr %p) {{
  call void @llvm.trap()
  unreachable
}}
define void @breakpoint(ptr %p) {{
  call void asm sideeffect "int3", ""()
  ret void
}}
define void @divide(ptr %p) {{
  %n = load volatile i32, ptr @zero
  %q = sdiv i32 10, %n
  store volatile i32 %q, ptr @zero
  ret void
}}
@zero = global i32 0
define void @jump(ptr %p) {{
  call void %p()
  ret void
}}
define i64 @deep(i64 %n) noinline {{
  %room = alloca [4096 x i8]
  store volatile i8 1, ptr %room
  %m = add i64 %n, 1
  %r = call i64 @deep(i64 %m)
  %v = load volatile i8, ptr %room
  %w = zext i8 %v to i64
  %s = add i64 %r, %w
  ret i64 %s
}}
define void @overflow(ptr %p) {{
  %r = call i64 @deep(i64 0)
  ret void
}}
declare i32 @_Unwind_RaiseException(ptr)
define void @raise_nobody_catches(ptr %p) uwtable {{
  %exception = alloca [8 x i64], align 16
  call void @llvm.memset.p0.i64(ptr %exception, i8 0, i64 64, i1 false)
  %code = call i32 @_Unwind_RaiseException(ptr %exception)
  %wide = zext i32 %code to i64
  store i64 %wide, {CTX_ARGS}
  call void @to_host()
  unreachable
}}
define void @bench(i64 %n, i64 %sp) {{
entry:
  store i64 %sp, ptr @guest_sp
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %to = load i64, ptr @guest_sp
  call void @irsan_switch({CTX_HOST_SP}, i64 %to)
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""


def with_guest() -> str:
    """Text of the switch, the handlers and the guest above."""
    return join([template("threads/switch"), template("signals/crash"), GUEST_TEXT])



class Machine:
    """The linked guest code and what a session does with it."""

    def __init__(self, linker: Linker, ctx: Any) -> None:
        self.symbols, self.ctx = linker.symbols, ctx
        self._resume = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(self.symbols["resume"])

    def start(self, name: str, argument: int = 0) -> int:
        self.ctx["event"]["number"] = 0
        first = self.symbols["irsan_first_frame"]
        return switch.prepare_stack(first, STACK_HI, self.symbols[name], argument)

    def run(self, name: str, argument: int = 0) -> None:
        self._resume(self.start(name, argument))

    def go_on(self) -> None:
        self._resume(int(arena.view_words(self.symbols["guest_sp"], 1)[0]))

    def crash(self, name: str, argument: int = 0) -> Crash:
        self.run(name, argument)
        assert self.ctx["event"]["number"] == events.CRASH
        return read_crash(self.ctx["crash"])


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    text = with_guest()
    with linked(compile_text(text)) as linker:
        arena.protect(STACK_LO, 4096, 0)
        ctx = arena.view_record(memory_map.CONTEXT_ADDR, CONTEXT_DTYPE)
        ctx["host"]["in_guest"] = 0
        with CrashHandler(linker.symbols):
            yield Machine(linker, ctx)
        arena.protect(STACK_LO, 4096, 3)


def test_stack_starts_with_argument_and_alignment(machine: Machine) -> None:
    machine.run("first", 0xABCD)
    assert machine.ctx["event"]["args"][:2].tolist() == [0xABCD, 0]
    assert machine.ctx["host"]["in_guest"] == 0


def test_prepare_in_guest_code_makes_the_same_stack(machine: Machine) -> None:
    sp = machine.start("counting", 77)
    words = arena.view_words(sp, 10).tolist()
    arena.view_words(sp, 10)[:] = 1
    prepare = ctypes.CFUNCTYPE(ctypes.c_uint64, *[ctypes.c_uint64] * 3)
    made = prepare(machine.symbols["irsan_prepare_stack"])(
        STACK_HI, machine.symbols["counting"], 77
    )
    assert made == sp
    assert arena.view_words(sp, 10).tolist() == words


def test_guest_goes_on_where_it_stopped(machine: Machine) -> None:
    machine.run("counting")
    for expected in range(1, 50):
        assert machine.ctx["event"]["args"][0] == expected
        machine.go_on()


def test_unaligned_stack_end_is_refused() -> None:
    with pytest.raises(ValueError, match="16-aligned"):
        switch.prepare_stack(0, 0x1008, 0)


@pytest.mark.parametrize(("name", "is_write"), [("null_read", False), ("null_write", True)])
def test_null_access_is_a_crash_with_facts(machine: Machine, name: str, is_write: bool) -> None:
    for address in (0, 8, 0x10_0000):
        facts = machine.crash(name, address)
        assert (facts.signal, facts.has_address) == (signal.SIGSEGV, True)
        assert (facts.address, facts.is_write) == (address, is_write)
        assert machine.symbols[name] <= facts.rip < machine.symbols[name] + 64
        assert facts.registers["rdi"] == address
        assert STACK_LO < facts.rsp == facts.registers["rsp"] < STACK_HI


def test_non_canonical_address_has_no_address(machine: Machine) -> None:
    facts = machine.crash("null_read", 0x1234_5678_9ABC_DEF0)
    assert (facts.signal, facts.has_address) == (signal.SIGSEGV, False)
    assert facts.registers["rdi"] == 0x1234_5678_9ABC_DEF0


def test_arithmetic_and_illegal_instructions(machine: Machine) -> None:
    assert machine.crash("divide").signal == signal.SIGFPE
    assert machine.crash("trap").signal == signal.SIGILL
    assert machine.crash("breakpoint").signal == signal.SIGTRAP


def test_wild_jump(machine: Machine) -> None:
    facts = machine.crash("jump", 0x10)
    assert facts.is_wild_jump
    assert facts.rip == facts.address == 0x10
    # the return address of the wild call is on top of the stack
    assert machine.symbols["jump"] < arena.view_words(facts.rsp, 1)[0]


def test_unwinding_ends_at_the_first_frame(machine: Machine) -> None:
    machine.run("raise_nobody_catches")
    end_of_stack = 5  # _URC_END_OF_STACK: what makes the C++ run time call std::terminate
    assert machine.ctx["event"]["args"][0] == end_of_stack
    assert machine.ctx["event"]["number"] == 0


def test_stack_overflow_into_the_guard_page(machine: Machine) -> None:
    facts = machine.crash("overflow")
    assert STACK_LO <= facts.address < STACK_LO + 4096
    assert facts.is_write
    assert facts.signal_name == "SIGSEGV"


def test_sent_abort_comes_back(machine: Machine) -> None:
    abort = ctypes.cast(ctypes.CDLL(None)["abort"], ctypes.c_void_p).value
    assert abort is not None
    facts = machine.crash("jump", abort)
    assert (facts.signal, facts.has_address) == (signal.SIGABRT, False)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGABRT, signal.SIGALRM, 64])
def test_what_others_send_to_the_host_waits_for_the_guest(machine: Machine, number: int) -> None:
    host = machine.ctx["host"]
    host["defers"], host["sent_signal"] = 1, 0
    os.kill(os.getpid(), number)
    sent = [int(host[name]) for name in ("sent_signal", "sent_code", "sent_by")]
    host["defers"] = host["sent_signal"] = 0
    assert sent == [number, 0, os.getpid()]


SENT_TO_HOST = """
import os, signal, sys
from tests.engine.glue.test_switch import *
number, n_times, how = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with linked(compile_text(with_guest())) as linker:
    ctx = arena.view_record(memory_map.CONTEXT_ADDR, CONTEXT_DTYPE)
    ctx["host"]["defers"] = how != "idle"
    with CrashHandler(linker.symbols):
        for _ in range(n_times):
            signal.raise_signal(number) if how == "raise" else os.kill(os.getpid(), number)
        print(int(ctx["host"]["sent_signal"]), flush=True)
"""


@pytest.mark.parametrize(
    ("number", "n_times", "how", "is_ended"),
    [
        (signal.SIGTERM, 1, "kill", False),
        (signal.SIGTERM, 2, "kill", True),  # who sends it again does not want to wait
        (signal.SIGTERM, 1, "idle", True),
        (signal.SIGABRT, 1, "raise", True),  # the host's own
        (signal.SIGSEGV, 1, "kill", True),
    ],
)
def test_host_ends_by_its_own_signals_and_by_those_sent_twice(
    number: int, n_times: int, how: str, is_ended: bool
) -> None:
    done = subprocess.run(
        [*python_words(), "-c", SENT_TO_HOST, str(int(number)), str(n_times), how],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == (-number if is_ended else 0), done.stderr
    assert is_ended or done.stdout == f"{int(number)}\n"


def test_a_thousand_crashes_leave_the_host_well(machine: Machine) -> None:
    for _ in range(1000):
        machine.crash("null_read")
    assert sum(i * 0.5 for i in range(5)) == 5.0


def test_switch_is_fast(machine: Machine) -> None:
    machine.ctx["host"]["in_guest"] = 0
    bench = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64)(machine.symbols["bench"])
    n = 200_000
    sp = machine.start("counting")
    before = time.perf_counter()
    bench(n, sp)
    each_ns = (time.perf_counter() - before) / (2 * n) * 1e9
    print(f"one switch: {each_ns:.1f} ns")
    assert machine.ctx["event"]["args"][0] == n
    assert each_ns < 500


HOST_CRASH = """
import ctypes, faulthandler, sys
if sys.argv[1] == "faulthandler": faulthandler.enable()
from tests.engine.glue.test_switch import *
text = with_guest()
with linked(compile_text(text)) as linker:
    with CrashHandler(linker.symbols):
        ctypes.string_at(8)
"""


@pytest.mark.parametrize("mode", ["plain", "faulthandler"])
def test_fault_of_the_host_reaches_the_previous_action(mode: str) -> None:
    done = subprocess.run(
        [*python_words(), "-c", HOST_CRASH, mode], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == -signal.SIGSEGV
    assert ("Segmentation fault" in done.stderr) == (mode == "faulthandler")


def test_handler_is_installed_once(machine: Machine) -> None:
    with pytest.raises(InternalError, match="already"):
        CrashHandler(machine.symbols).install()
    assert machine.crash("null_read").signal == signal.SIGSEGV

"""From a native fault or a fatal signal in the guest to the report model.

The crash handler has copied the registers; the shadow call stack is still the guest's, so the stack
ends at the last call or access that was marked before the fault.

Deviations: registers that hold an address of the host or the process id are left out, as these
differ between two runs of one seed (as a frame pointer none is shown then); what a native function
has left in a register is the one part of a report that may still differ.

Source: LLVM's asan_errors.cpp (ErrorDeadlySignal) for the kinds and their wording.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from irsan.reports.model.report import Finding, Frame, GlobalVariable, SignalFacts, Stack
from irsan.runtime import arena
from irsan.runtime.diagnosis.describe import Places, describe_address
from irsan.runtime.views.thread_facts import threads_of

SignalName = Literal["SEGV", "BUS", "FPE", "ILL", "ABRT", "TRAP", "stack-overflow"]

SIGNAL_NAMES: Final[Mapping[int, SignalName]] = {
    4: "ILL",
    5: "TRAP",
    6: "ABRT",
    7: "BUS",
    8: "FPE",
    11: "SEGV",
}
HANDLE_FLAGS: Final = {
    4: "handle_sigill",
    5: "handle_sigtrap",
    6: "handle_abort",
    7: "handle_sigbus",
    8: "handle_sigfpe",
    11: "handle_segv",
}
_AT_THE_INSTRUCTION: Final = (4, 8)  # SIGILL, SIGFPE: the kernel names the instruction
_TRAP_BYTES: Final = 2
_TRAP_CODES: Final = (b"\x0f\x0b", b"\x67\x0f")  # ud2, and ud1 as of llvm.ubsantrap
_TRAPS: Final = (
    "__builtin_trap, an abort of another language, or, at -O0, the end of a function of C++ that "
    "lacks its return"
)
_NEAR_STACK_BYTES: Final = 64 << 10
_CALL_BYTES: Final = 16  # of the shadow call stack, as in kernels/callstack.py
_LOWEST_HOST_ADDRESS: Final = 1 << 44  # programs, libraries and stacks are far above


def diagnose_crash(
    crash: Any, thread: Any, frames: tuple[Frame, ...], ctx: Any, stack_to_frames: Any
) -> Finding:
    """The finding for a decoded crash (`engine.findings.crash.Crash`) of the running guest
    thread."""
    name = SIGNAL_NAMES[crash.signal]
    if is_stack_overflow(crash, thread):
        name = "stack-overflow"
    tid = int(thread["tid"])
    address = crash.address if crash.has_address else None
    pc = frames[0].pc if frames else crash.rip
    if crash.signal in _AT_THE_INSTRUCTION:
        address = pc
    known = threads_of(ctx, {tid})
    creations = tuple(
        Stack("thread-creation", one.facts.thread, stack_to_frames(one.creation_stack))
        for one in known
    )
    return Finding(
        tool="AddressSanitizer",
        kind=name,
        thread=f"T{tid}",
        stacks=(Stack("access", f"T{tid}", frames), *creations),
        threads=tuple(one.facts for one in known),
        details=SignalFacts(
            name,
            address,
            _cause(crash),
            tuple(item for item in crash.registers.items() if not _is_of_the_host(item[1])),
            wild_jump=crash.is_wild_jump,
            pc_is_data=crash.is_wild_jump and is_mapped(crash.address),
        ),
        address=address,
        pc=pc,
        bp=crash.rbp if arena.range_at(crash.rbp) is not None else 0,
        sp=crash.rsp,
        hints=_trap_hints(crash),
    )


def is_mapped(address: int) -> bool:
    """Whether memory that may be read lies at an address; what it cannot give to run is data."""
    return arena.is_accessible(address)


def with_constant(finding: Finding, places: Places) -> Finding:
    """The finding of a crash, which says what constant the program has tried to write, if it has.

    Only constants lie in pages that cannot be written.
    """
    facts = finding.details
    is_write = isinstance(facts, SignalFacts) and facts.cause == "WRITE"
    if finding.address is None or not is_write:
        return finding
    place = describe_address(places, finding.address).location
    if not isinstance(place, GlobalVariable) or place.relation != "inside":
        return finding
    hint = f"'{place.name}' lies in memory that may only be read, as constants do."
    return replace(finding, locations=(place,), hints=(*finding.hints, hint))


def with_depth(finding: Finding, ctx: Any, thread: Any) -> Finding:
    """The finding; that of a stack overflow says how many calls there were beside those shown."""
    depth = (int(ctx["frame_top"]) - int(thread["frame_base"])) // _CALL_BYTES
    shown = len(finding.stacks[0].frames)
    if finding.kind != "stack-overflow" or depth <= shown:
        return finding
    hint = f"{depth:,} calls were in progress, of which the innermost {shown} are shown."
    return replace(finding, hints=(*finding.hints, hint))


def _trap_hints(crash: Any) -> tuple[str, ...]:
    """Of an instruction that somebody has put there to fail."""
    if SIGNAL_NAMES[crash.signal] != "ILL" or not is_mapped(crash.rip):
        return ()
    code = bytes(arena.view_bytes(crash.rip, _TRAP_BYTES))
    return (f"The instruction is a trap: {_TRAPS}.",) if code in _TRAP_CODES else ()


def _is_of_the_host(value: int) -> bool:
    """Whether a value is an address outside the guest's memory, or the process id."""
    if value == os.getpid():
        return True
    return _LOWEST_HOST_ADDRESS <= value < 1 << 47 and arena.range_at(value) is None


def is_stack_overflow(crash: Any, thread: Any) -> bool:
    """Whether a fault hit the guard of the thread's stack, or lies near an exhausted stack."""
    if crash.signal not in (7, 11) or not crash.has_address:
        return False
    hi, lo = int(thread["stack"]["hi"]), int(thread["stack"]["lo"])
    room_lo = int(thread["stack"]["room_lo"])
    if room_lo <= crash.address < lo:
        return True
    return bool(crash.rsp < lo + _NEAR_STACK_BYTES and room_lo <= crash.address < hi)


def _cause(crash: Any) -> Literal["", "READ", "WRITE", "UNKNOWN"]:
    if crash.signal not in (7, 11):
        return ""
    if not crash.has_address:
        return "UNKNOWN"
    return "WRITE" if crash.is_write else "READ"

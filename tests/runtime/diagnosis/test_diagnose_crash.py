"""From registers of a native fault to a finding: kinds, causes, stack overflows."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from irsan.reports.model.report import Finding, Frame, SignalFacts
from irsan.runtime.diagnosis.diagnose_crash import (
    HANDLE_FLAGS,
    SIGNAL_NAMES,
    diagnose_crash,
    is_stack_overflow,
    with_depth,
)
from irsan.runtime.flags.flag_table import FLAGS
from irsan.runtime.layout import memory_map

SLOT_HI = memory_map.STACK_SLOTS_LO + memory_map.STACK_SLOT_BYTES
STACK_LO, STACK_HI = SLOT_HI - (1 << 20), SLOT_HI - 4096
FRAMES = (Frame("main", "a.c", 3, 4, pc=0x6400_0010),)


@dataclass(frozen=True)
class Fault:
    """What `engine.findings.crash.Crash` looks like from here."""

    signal: int = 11
    address: int = 0x10
    has_address: bool = True
    is_write: bool = False
    rip: int = 0x6400_0010
    rsp: int = STACK_HI - 64
    rbp: int = STACK_HI - 32
    registers: dict[str, int] = field(default_factory=lambda: {"rax": 1})
    is_wild_jump: bool = False


@pytest.fixture
def thread(guest: Any) -> Any:
    guest.main["stack"]["lo"], guest.main["stack"]["hi"] = STACK_LO, STACK_HI
    guest.main["stack"]["room_lo"] = memory_map.STACK_SLOTS_LO
    return guest.main


def diagnose(guest: Any, fault: Fault, frames: tuple[Frame, ...] = FRAMES) -> Finding:
    return diagnose_crash(fault, guest.main, frames, guest.ctx, lambda _: ())


@pytest.mark.parametrize(("number", "name"), SIGNAL_NAMES.items())
@pytest.mark.usefixtures("thread")
def test_signals_have_the_fields_names(guest: Any, number: int, name: str) -> None:
    finding = diagnose(guest, Fault(signal=number))
    assert (finding.tool, finding.kind, finding.thread) == ("AddressSanitizer", name, "T0")
    assert isinstance(finding.details, SignalFacts)
    assert finding.details.registers == (("rax", 1),)
    assert HANDLE_FLAGS[number] in {flag.name for flag in FLAGS}


@pytest.mark.usefixtures("thread")
def test_what_only_this_process_knows_is_left_out(guest: Any) -> None:
    kept = {"rax": 1, "rsp": memory_map.STACK_SLOTS_LO + 64, "r9": 0xDEAD_BEEF_DEAD_BEEF}
    hosts = {"rbx": id(guest), "rcx": ctypes.addressof(ctypes.c_int()), "rdx": os.getpid()}
    finding = diagnose(guest, Fault(registers={**hosts, **kept}))
    assert isinstance(finding.details, SignalFacts)
    assert dict(finding.details.registers) == kept


@pytest.mark.parametrize(
    ("fault", "cause", "address"),
    [
        (Fault(), "READ", 0x10),
        (Fault(is_write=True), "WRITE", 0x10),
        (Fault(has_address=False), "UNKNOWN", None),
        (Fault(signal=7), "READ", 0x10),
        (Fault(signal=8), "", FRAMES[0].pc),
        (Fault(signal=6, has_address=False), "", None),
    ],
)
@pytest.mark.usefixtures("thread")
def test_causes(guest: Any, fault: Fault, cause: str, address: int | None) -> None:
    finding = diagnose(guest, fault)
    assert isinstance(finding.details, SignalFacts)
    assert (finding.details.cause, finding.details.address) == (cause, address)
    assert finding.address == address


@pytest.mark.usefixtures("thread")
def test_the_place_is_the_innermost_frame_or_the_processors(guest: Any) -> None:
    assert diagnose(guest, Fault(rip=0x1234)).pc == FRAMES[0].pc
    assert diagnose(guest, Fault(rip=0x1234), frames=()).pc == 0x1234


@pytest.mark.usefixtures("thread")
def test_a_base_pointer_that_points_nowhere_of_ours_is_left_out(guest: Any) -> None:
    assert diagnose(guest, Fault()).bp == STACK_HI - 32
    assert diagnose(guest, Fault(rbp=0x7FFF_1234_5678)).bp == 0


SLOT_LO = memory_map.STACK_SLOTS_LO


@pytest.mark.parametrize(
    ("fault", "is_overflow"),
    [
        (Fault(address=STACK_LO - 8, rsp=STACK_LO), True),
        (Fault(address=SLOT_LO, rsp=STACK_HI - 64), True),  # a frame larger than what is left
        (Fault(address=STACK_LO + 8, rsp=STACK_LO + 4096), True),
        (Fault(signal=7, address=STACK_LO - 8, rsp=STACK_LO), True),
        (Fault(address=SLOT_LO - 8, rsp=STACK_LO), False),
        (Fault(address=STACK_HI, rsp=STACK_LO), False),
        (Fault(address=STACK_HI - 8, rsp=STACK_HI - 64), False),
        (Fault(address=0x10, rsp=STACK_LO), False),
        (Fault(signal=8, address=STACK_LO - 8, rsp=STACK_LO), False),
        (Fault(address=STACK_LO - 8, has_address=False, rsp=STACK_LO), False),
    ],
)
def test_stack_overflows(thread: Any, fault: Fault, is_overflow: bool) -> None:
    assert is_stack_overflow(fault, thread) == is_overflow


@pytest.mark.usefixtures("thread")
def test_a_thread_that_was_created_says_where(guest: Any) -> None:
    child = guest.new_thread(1)
    child["stack"]["lo"], child["stack"]["hi"] = STACK_LO, STACK_HI
    child["stack"]["room_lo"] = memory_map.STACK_SLOTS_LO
    child["creation_stack"] = 5
    made = {5: (Frame("creator", "a.c", 9),)}
    finding = diagnose_crash(Fault(), child, FRAMES, guest.ctx, lambda stack: made.get(stack, ()))
    assert finding.thread == "T1"
    (creation,) = [stack for stack in finding.stacks if stack.role == "thread-creation"]
    assert creation.frames == made[5]


def test_a_stack_overflow_says_how_deep_it_was(guest: Any) -> None:
    guest.main["stack"]["lo"], guest.main["stack"]["hi"] = STACK_LO, STACK_HI
    guest.main["stack"]["room_lo"] = memory_map.STACK_SLOTS_LO
    found = diagnose_crash(Fault(address=STACK_LO - 8, rsp=STACK_LO), guest.main, FRAMES, guest.ctx,
                           lambda _stack: ())  # fmt: skip
    assert with_depth(found, guest.ctx, guest.main) == found
    guest.ctx["frame_top"] += 16 * 5000
    [hint] = with_depth(found, guest.ctx, guest.main).hints
    assert hint == "5,000 calls were in progress, of which the innermost 1 are shown."
    assert not with_depth(replace(found, kind="SEGV"), guest.ctx, guest.main).hints

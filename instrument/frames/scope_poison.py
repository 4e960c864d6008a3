"""Shadow that follows the lifetimes of variables in a frame.

    lifetime.start(%x)    shadow of %x: 00 .. 00, the last granule partial
    lifetime.end(%x)      shadow of %x: f8 .. f8

Only variables that may be used while dead are followed; the markers of the others just go, for what
they name is no alloca any more. A life that begins before anything can access memory is there from
the start, and one that ends when nothing more happens before the return need not end: the exit
writes the frame's shadow anyway.

Source: LLVM's AddressSanitizer pass. Deviations: the two cases without a write.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.function_exits import exit_points
from irsan.instrument.analysis.objects.lifetimes import Lifetimes, Marker
from irsan.instrument.frames.frame_code import FrameCode
from irsan.instrument.frames.stack_layout import (
    GRANULE_BYTES,
    OUT_OF_SCOPE,
    granules_of,
    object_shadow,
)
from irsan.instrument.frames.stack_shadow import ShadowWriter
from irsan.ir.builder import Builder
from irsan.ir.instruction import DebugRecord, Instruction
from irsan.ir.values import Function, Value

_IDLE = frozenset((
    "alloca", "getelementptr", "bitcast", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr",
    "ashr", "zext", "sext", "trunc", "icmp", "select", "phi", "freeze", "landingpad",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScopePlan:
    """followed: variables whose markers write shadow; start_dead: of them, those poisoned at entry;
    silent: markers that need not write.
    """

    followed: frozenset[Value]
    start_dead: frozenset[Value]
    silent: frozenset[Instruction]


def plan_scopes(
    function: Function, lifetimes: Lifetimes, followed: Collection[Value]
) -> ScopePlan:
    """Which markers write what."""
    if not followed:
        return ScopePlan(frozenset(), frozenset(), frozenset())
    starting = _markers_in(function.entry.instructions, lifetimes)
    alive_from_entry: dict[Value, Instruction] = {}
    for marker in starting:
        if marker.is_start and marker.alloca not in alive_from_entry:
            alive_from_entry[marker.alloca] = marker.call
        elif not marker.is_start:
            alive_from_entry.pop(marker.alloca, None)
    silent = set(alive_from_entry.values())
    for block, index in exit_points(function):
        for marker in _markers_in(reversed(block.instructions[:index]), lifetimes):
            if not marker.is_start:
                silent.add(marker.call)
    dead = [one for one in followed if one not in alive_from_entry]
    return ScopePlan(frozenset(followed), frozenset(dead), frozenset(silent))


def _markers_in(instructions: Iterable[Instruction], lifetimes: Lifetimes) -> list[Marker]:
    """Markers that stand before anything that could access a variable."""
    found = []
    for instruction in instructions:
        marker = lifetimes.markers.get(instruction)
        if marker is not None:
            found.append(marker)
        elif instruction.opcode not in _IDLE and not _is_quiet(instruction):
            break
    return found


def _is_quiet(instruction: Instruction) -> bool:
    """Whether a call is a hook of the engine, which never touches a variable."""
    callee = instruction.operands[0] if instruction.opcode == "call" else None
    return isinstance(callee, Function) and callee.name.startswith("__irsan_")


def emit_scopes(
    code: FrameCode,
    lifetimes: Lifetimes,
    plan: ScopePlan,
    extents: Mapping[Value, tuple[int, int]],
    shadow: Value,
) -> None:
    """Replaces the markers of the moved variables; `extents`: offset and size in bytes of each."""
    for block in code.function.blocks:
        if not any(one in lifetimes.markers for one in block.instructions):
            continue
        out: list[Instruction] = []
        records: list[DebugRecord] = []
        for instruction in block.instructions:
            marker = lifetimes.markers.get(instruction)
            if marker is None or marker.alloca not in extents:
                if records:
                    instruction.debug_records = [*records, *instruction.debug_records]
                    records = []
                out.append(instruction)
                continue
            records += instruction.debug_records
            if marker.alloca in plan.followed and instruction not in plan.silent:
                at = Builder(code.hooks.module, out, instruction.debug_location)
                _write(at, code.writer, shadow, extents[marker.alloca], marker.is_start)
        block.instructions = out


def _write(
    at: Builder, writer: ShadowWriter, shadow: Value, extent: tuple[int, int], is_alive: bool
) -> None:
    offset, size = extent
    want = object_shadow(size) if is_alive else bytes([OUT_OF_SCOPE]) * granules_of(size)
    writer.write(at, shadow, want, b"\1" * len(want), offset // GRANULE_BYTES)

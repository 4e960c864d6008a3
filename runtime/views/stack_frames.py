"""Named objects of an instrumented stack frame, from the frame's own header.

    frame   | magic 0x41b58ab3 | address of the description | word of the instrumentation | f1 ...
    text    "2 32 10 3 buf:7 64 4 1 n"      count, then per object: offset size length name[:line]

The header lies at the lowest byte of the frame, under the first left redzone (shadow f1), so the
frame of an address is found by walking down its shadow.

Source: the frame layout of LLVM's AddressSanitizer pass (ComputeASanStackFrameDescription), as
observed in its output.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Final

from irsan.reports.model.report import StackObject
from irsan.runtime.layout import memory_map

MAGIC: Final = 0x41B58AB3
RETIRED_MAGIC: Final = 0x45E0360E
STACK_LEFT: Final = 0xF1
STACK_AFTER_RETURN: Final = 0xF5
_HEADER_BYTES: Final = 24
_MAX_REDZONE_BYTES: Final = 512
_MAX_FRAME_BYTES: Final = 1 << 20
_MAX_TEXT_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """A frame found in memory: where it begins, its third word, its objects."""

    lo: int
    word: int
    objects: tuple[StackObject, ...]


def find_frame(addr: int, stack_lo: int) -> FrameHeader | None:
    """Header of the instrumented frame that holds `addr`, or None; looks down to `stack_lo`."""
    at = addr & ~7
    lowest = max(stack_lo, at - _MAX_FRAME_BYTES)
    while at >= lowest:
        if _shadow_byte(at) in (STACK_LEFT, STACK_AFTER_RETURN):
            header = _read_header(at)
            if header is not None:
                return header if _reaches(header, addr) else None
        at -= 8
    return None


def parse_description(text: str) -> tuple[StackObject, ...]:
    """Objects of a frame description; what does not parse ends the list."""
    count, _, rest = text.partition(" ")
    objects: list[StackObject] = []
    for _ in range(int(count) if count.isdigit() else 0):
        parsed = _parse_object(rest)
        if parsed is None:
            break
        found, rest = parsed
        objects.append(found)
    return tuple(objects)


def _reaches(header: FrameHeader, addr: int) -> bool:
    """Whether `addr` can belong to the frame: a callee's frame lies below its caller's memory."""
    end = max((found.end for found in header.objects), default=_HEADER_BYTES)
    return addr < header.lo + end + _MAX_REDZONE_BYTES


def _parse_object(text: str) -> tuple[StackObject, str] | None:
    fields = text.split(" ", 3)
    if len(fields) < 4 or not all(field.isdigit() for field in fields[:3]):
        return None
    offset, size, length = (int(field) for field in fields[:3])
    label, rest = fields[3][:length], fields[3][length:].lstrip(" ")
    name, colon, line = label.rpartition(":")
    if not colon or not line.isdigit():
        name, line = label, "0"
    return StackObject(name, offset, offset + size, int(line)), rest


def _read_header(at: int) -> FrameHeader | None:
    magic, text_addr, word = (ctypes.c_uint64 * 3).from_address(at)
    if magic not in (MAGIC, RETIRED_MAGIC):
        return None
    if not memory_map.ARENA_LO <= text_addr < memory_map.ARENA_HI - _MAX_TEXT_BYTES:
        return FrameHeader(at, word, ())
    raw = ctypes.string_at(text_addr, _text_length(text_addr))
    return FrameHeader(at, word, parse_description(raw.decode("utf-8", "replace")))


def _text_length(addr: int) -> int:
    raw = (ctypes.c_char * _MAX_TEXT_BYTES).from_address(addr)
    return len(raw.value)


def _shadow_byte(addr: int) -> int:
    return ctypes.c_uint8.from_address(memory_map.addr_to_shadow(addr)).value

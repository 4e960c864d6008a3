"""Call stacks packed into few bytes: differences of neighbouring frames as variable-length numbers.

    frames        f0, f1, f2, ...                       innermost first, 32 bits each
    differences   f0 - 0, f1 - f0, f2 - f1, ...         modulo 2^32, as signed numbers
    zig-zag       0, -1, 1, -2, ... -> 0, 1, 2, 3, ...  so that small ones of either sign are short
    bytes         7 bits each, lowest first; the top bit says that more follow

Frames of one stack are sites near each other, so most take one or two bytes: 128 of them usually
fit the 256 bytes of a slot's record.  Packing stops before a frame that does not fit; what is there
is always a whole number of frames.

Source: LLVM's stack_trace_compressor (GWP-ASan) for the method; the coding of differences and of
variable-length integers as in the DWARF (LEB128) and Protocol Buffers (zig-zag) specifications.
Deviation: sites of 32 bits instead of program counters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.runtime.kernels.depot import depot_parent, depot_site
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, store_u8, store_u32
from irsan.runtime.records import guarded_records as gr

MAX_FRAMES = gr.MAX_TRACE_FRAMES
MAX_NUMBER_BYTES = 5  # of 32 bits

U8_127 = np.uint8(0x7F)
U8_128 = np.uint8(0x80)
U32_0 = np.uint32(0)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_4 = np.uint64(4)
U64_7 = np.uint64(7)
U64_31 = np.uint64(31)
U64_128 = np.uint64(128)
U64_LOW7 = np.uint64(0x7F)
U64_LOW32 = np.uint64(0xFFFF_FFFF)
U64_MAX_FRAMES = np.uint64(MAX_FRAMES)
U64_MAX_NUMBER_BYTES = np.uint64(MAX_NUMBER_BYTES)


@kernel("u64(u64,u64)")
def zigzag_difference(frame: Any, before: Any) -> Any:
    """frame - before modulo 2^32, signed, as an unsigned number: small when they are close."""
    difference = (frame - before) & U64_LOW32
    doubled = (difference << U64_1) & U64_LOW32
    if (difference >> U64_31) != U64_0:
        return doubled ^ U64_LOW32
    return doubled


@kernel("u64(u64,u64)")
def undo_zigzag(number: Any, before: Any) -> Any:
    """The frame whose zigzag_difference to `before` is `number`."""
    difference = number >> U64_1
    if (number & U64_1) != U64_0:
        difference ^= U64_LOW32
    return (before + difference) & U64_LOW32


@kernel("u64(u64)")
def number_to_bytes(number: Any) -> Any:
    """How many bytes a number takes."""
    n_bytes = U64_1
    while number >= U64_128:
        number >>= U64_7
        n_bytes += U64_1
    return n_bytes


@kernel("u64(u64,u64,u64,u64)")
def pack_trace(frames: Any, n_frames: Any, out: Any, limit_bytes: Any) -> Any:
    """Pack u32 frames at an address into at most `limit_bytes` at `out`; returns bytes written."""
    n_bytes = U64_0
    before = U64_0
    for index in range(n_frames):
        frame = np.uint64(load_u32(frames + np.uint64(index) * U64_4))
        number = zigzag_difference(frame, before)
        if n_bytes + number_to_bytes(number) > limit_bytes:
            break
        while number >= U64_128:
            store_u8(out + n_bytes, np.uint8(number & U64_LOW7) | U8_128)
            number >>= U64_7
            n_bytes += U64_1
        store_u8(out + n_bytes, np.uint8(number))
        n_bytes += U64_1
        before = frame
    return n_bytes


@kernel("u64(u64,u64,u64,u64)")
def unpack_trace(packed: Any, n_bytes: Any, frames: Any, limit_frames: Any) -> Any:
    """Write the frames of a packed trace as u32s; returns how many.

    Bytes that are no whole trace (cut off, or a number longer than 5 bytes) give none.
    """
    n_frames = U64_0
    number = shift = before = at = U64_0
    while at < n_bytes and n_frames < limit_frames:
        byte = load_u8(packed + at)
        at += U64_1
        number |= (np.uint64(byte) & U64_LOW7) << shift
        shift += U64_7
        if byte >= U8_128:
            if shift >= U64_7 * U64_MAX_NUMBER_BYTES:
                return U64_0
            continue
        before = undo_zigzag(number & U64_LOW32, before)
        store_u32(frames + n_frames * U64_4, np.uint32(before))
        n_frames += U64_1
        number = shift = U64_0
    if shift != U64_0:
        return U64_0
    return n_frames


@kernel("u64(u32,u64)")
def stack_to_frames(stack_id: Any, out: Any) -> Any:
    """Write the sites of a stack as u32s, innermost first, at most MAX_FRAMES; returns how many."""
    n_frames = U64_0
    while stack_id != U32_0 and n_frames < U64_MAX_FRAMES:
        store_u32(out + n_frames * U64_4, depot_site(stack_id))
        stack_id = depot_parent(stack_id)
        n_frames += U64_1
    return n_frames

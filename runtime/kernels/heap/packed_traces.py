"""Call stacks packed into few bytes: differences of neighbouring frames as variable-length numbers.

    frames        f0, f1, f2, ...                       innermost first, 32 bits each
    differences   f0 - 0, f1 - f0, f2 - f1, ...         modulo 2^32, as signed numbers
    zig-zag       0, -1, 1, -2, ... -> 0, 1, 2, 3, ...  so that small ones of either sign are short
    bytes         7 bits each, lowest first; the top bit says that more follow

Frames of one stack are sites near each other, so most take one or two bytes: 128 of them usually
fit the 256 bytes of a slot's record.  Packing stops before a frame that does not fit; what is
packed is always a whole number of frames.

Source: LLVM's stack_trace_compressor (GWP-ASan) for the method; the coding of differences and of
variable-length integers as in the DWARF (LEB128) and Protocol Buffers (zig-zag) specifications.
Deviation: sites of 32 bits instead of program counters.
"""

from __future__ import annotations

from irsan.runtime.kernels.depot import depot_parent, depot_site
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u8, load_u32, store_u8, store_u32
from irsan.runtime.kernels.scalars import u8, u32, u64
from irsan.runtime.records.memory import guarded_records as gr

MAX_FRAMES = gr.MAX_TRACE_FRAMES
MAX_NUMBER_BYTES = 5  # of 32 bits

LOW7 = 0x7F
LOW32 = 0xFFFF_FFFF


@kernel
def zigzag_difference(frame: u64, before: u64) -> u64:
    """frame - before modulo 2^32, signed, as an unsigned number: small when they are close."""
    difference = (frame - before) & LOW32
    doubled = (difference << 1) & LOW32
    if (difference >> 31) != 0:
        return doubled ^ LOW32
    return doubled


@kernel
def undo_zigzag(number: u64, before: u64) -> u64:
    """The frame whose zigzag_difference to `before` is `number`."""
    difference = number >> 1
    if (number & 1) != 0:
        difference ^= LOW32
    return (before + difference) & LOW32


@kernel
def number_to_bytes(number: u64) -> u64:
    """How many bytes a number takes."""
    n_bytes = u64(1)
    while number >= 128:
        number >>= 7
        n_bytes += 1
    return n_bytes


@kernel
def pack_trace(frames: u64, n_frames: u64, out: u64, limit_bytes: u64) -> u64:
    """Pack u32 frames at an address into at most `limit_bytes` at `out`; returns bytes written."""
    n_bytes = u64(0)
    before = u64(0)
    for index in range(n_frames):
        frame = u64(load_u32(frames + u64(index) * 4))
        number = zigzag_difference(frame, before)
        if n_bytes + number_to_bytes(number) > limit_bytes:
            break
        while number >= 128:
            store_u8(out + n_bytes, u8(u8(number & LOW7) | 128))
            number >>= 7
            n_bytes += 1
        store_u8(out + n_bytes, u8(number))
        n_bytes += 1
        before = frame
    return n_bytes


@kernel
def unpack_trace(packed: u64, n_bytes: u64, frames: u64, limit_frames: u64) -> u64:
    """Write the frames of a packed trace as u32s; returns how many.

    Bytes that are no whole trace (cut off, or a number longer than 5 bytes) give none.
    """
    n_frames = u64(0)
    number = shift = before = at = u64(0)
    while at < n_bytes and n_frames < limit_frames:
        byte = load_u8(packed + at)
        at += 1
        number |= (u64(byte) & LOW7) << shift
        shift += 7
        if byte >= 128:
            if shift >= u64(7) * MAX_NUMBER_BYTES:
                return 0
            continue
        before = undo_zigzag(number & LOW32, before)
        store_u32(frames + n_frames * 4, u32(before))
        n_frames += 1
        number = shift = u64(0)
    if shift != 0:
        return 0
    return n_frames


@kernel
def stack_to_frames(stack_id: u32, out: u64) -> u64:
    """Write the sites of a stack as u32s, innermost first, at most MAX_FRAMES; returns how many."""
    n_frames = u64(0)
    while stack_id != 0 and n_frames < MAX_FRAMES:
        store_u32(out + n_frames * 4, depot_site(stack_id))
        stack_id = depot_parent(stack_id)
        n_frames += 1
    return n_frames

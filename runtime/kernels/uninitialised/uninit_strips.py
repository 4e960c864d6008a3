"""Ranges that a loop will read in the turns ahead: are all of their bytes initialised?

    strip_is_defined(ctx, low, stride, count, size)

    low                 low + stride           low + 2 * stride
    | size bytes |      | size bytes |         | size bytes |        ... `count` times

Places that touch or overlap are looked at as one range, 32 bytes at once; others each for itself,
so bytes between them, as padding or other fields, may be anything.

The answer changes nothing and reports nothing: a loop that is told no looks at each load.

Source: ours; heap/strips.py is the same for addresses.
Soundness: yes only if no bit of any place is set.  Bytes that natively compiled code has written
count as they are marked here; the loads themselves find that out (uninit_use.py).
"""

from __future__ import annotations

from irsan.runtime.kernels.checks.shadow import is_all_clear
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u64
from irsan.runtime.kernels.uninitialised.uninit_shadow import has_bits
from irsan.runtime.layout.uninit_layout import COVERED_BYTES, SHADOW_BIAS

WORD_BITS = u64(0xFFFF_FFFF_FFFF_FFFF)


@kernel
def words_are_clear(shadow: u64, stride: u64, count: u64, size: u64) -> bool:
    """Whether `count` places of at most 8 bytes have no set bit.  O(count)."""
    mask = WORD_BITS >> (64 - 8 * size)
    found = u64(0)
    while count != 0:
        found |= load_u64(shadow) & mask
        shadow += stride
        count -= 1
    return found == 0


@kernel
def places_are_clear(shadow: u64, stride: u64, count: u64, size: u64) -> bool:
    """Whether `count` places of any size have no set bit.  O(count * size)."""
    while count != 0:
        if not is_all_clear(shadow, shadow + size):
            return False
        shadow += stride
        count -= 1
    return True


@kernel(outlined=True)
def strip_is_defined(_ctx: Context, low: u64, stride: u64, count: u64, size: u64) -> bool:
    """Whether all bytes of `count` places, `stride` bytes from one to the next, are initialised.

    count, size  at least 1.  O(count * size).
    """
    length = (count - 1) * stride + size
    if not has_bits(low, length):
        return low >= COVERED_BYTES and low + length > low
    shadow = low + SHADOW_BIAS
    if stride <= size:
        return is_all_clear(shadow, shadow + length)
    if size <= 8:
        return words_are_clear(shadow, stride, count, size)
    return places_are_clear(shadow, stride, count, size)

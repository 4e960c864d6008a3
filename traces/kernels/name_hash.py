"""Names to numbers: open addressing over the bytes of the names, in arrays that the caller grows.

**Source**: linear probing and multiplicative hashing, Knuth vol. 3, 6.4; FNV-1a by Fowler, Noll and
Vo for names of more than eight bytes.
**Soundness**: exact; equal hashes of long names are distinguished by comparing the bytes.
**Invariants**: at most half of the slots are taken; the caller sees to it that there is room for
every name a block of text can bring before it calls a kernel, so no kernel stops for growth.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Vector, i32, i64, u8, u64
from irsan.traces.kernels.columns import column
from irsan.traces.kernels.kernel import kernel, table

N_NAMES = 0
FNV_OFFSET = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3
GOLDEN = 0x9E3779B97F4A7C15


@table
class HashedNames(NamedTuple):
    """One name space.

    slots    number of a name + 1, 0 when free; a power of two of them, linear probing
    hashes   of each name, so that growing need not read the names again
    offsets  where a name begins in `text`, and the next one after it
    text     the names, one after the other
    counts   N_NAMES
    """

    slots: Vector[i32] = column("i32", "slots")
    hashes: Vector[u64] = column("u64", "names")
    offsets: Vector[i64] = column("i64", "ends")
    text: Vector[u8] = column("u8", "bytes")
    counts: Vector[i64] = column("i64", 1)


@kernel(inlined=True)
def is_same(text: Vector[u8], start: i64, data: Vector[u8], lo: i64, n_bytes: i64) -> bool:
    """Whether n_bytes from text[start] on and from data[lo] on are the same."""
    for i in range(n_bytes):  # noqa: SIM110
        if text[start + i] != data[lo + i]:
            return False
    return True


@kernel(inlined=True)
def name_to_hash(data: Vector[u8], lo: i64, n_bytes: i64) -> u64:
    """Hash of a name; two names of one length up to eight bytes never share it.

    Such a name is a number, and multiplying by an odd one loses nothing.  Longer ones: FNV-1a.
    """
    if n_bytes <= 8:
        value = u64(0)
        for i in range(n_bytes):
            value = (value << 8) | u64(data[lo + i])
        return value * GOLDEN
    value = u64(FNV_OFFSET)
    for i in range(n_bytes):
        value = (value ^ u64(data[lo + i])) * FNV_PRIME
    return value


@kernel
def intern_column(
    names: HashedNames, data: Vector[u8], starts: Vector[i32], ends: Vector[i32], out: Vector[i32]
) -> None:
    """out[i] := the number of the name data[starts[i]:ends[i]], for rows with starts[i] <= ends[i].

    A new name gets the next number.
    """
    slots, hashes, offsets, text = names.slots, names.hashes, names.offsets, names.text
    mask = len(slots) - 1
    n_names = names.counts[N_NAMES]
    for row in range(len(starts)):
        lo = i64(starts[row])
        n_bytes = i64(ends[row]) - lo
        if n_bytes < 0:
            continue
        value = name_to_hash(data, lo, n_bytes)
        slot = i64(value ^ (value >> 32)) & mask
        number = i64(slots[slot]) - 1
        while number >= 0 and not (
            hashes[number] == value
            and offsets[number + 1] - offsets[number] == n_bytes
            and (n_bytes <= 8 or is_same(text, offsets[number], data, lo, n_bytes))
        ):
            slot = (slot + 1) & mask
            number = i64(slots[slot]) - 1
        if number < 0:
            number = n_names
            n_names += 1
            slots[slot] = n_names
            hashes[number] = value
            for i in range(n_bytes):
                text[offsets[number] + i] = data[lo + i]
            offsets[n_names] = offsets[number] + n_bytes
        out[row] = number
    names.counts[N_NAMES] = n_names


@kernel
def rehash(names: HashedNames) -> None:
    """Fill empty slots from the hashes, after the table has grown."""
    mask = len(names.slots) - 1
    for number in range(names.counts[N_NAMES]):
        value = names.hashes[number]
        slot = i64(value ^ (value >> 32)) & mask
        while names.slots[slot] != 0:
            slot = (slot + 1) & mask
        names.slots[slot] = number + 1

"""A map from int64 keys (0 and up) to int32 values: open addressing in arrays the caller grows.

**Source**: Knuth vol. 3, 6.4, with a multiplicative hash (Fibonacci, 6.4 as well).
**Invariants**: at most half of the places are taken: `has_room` says whether some more keys fit,
and a kernel that needs more stops and lets its caller grow the map.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Vector, i32, i64, u64
from irsan.traces.kernels.columns import capacity, column, new_table
from irsan.traces.kernels.kernel import kernel, table

EMPTY = -1
ABSENT = -1
GOLDEN = 0x9E3779B97F4A7C15


@table
class KeyMap(NamedTuple):
    """Keys, EMPTY where free, and values; a power of two of places, linear probing.

    counts  number of keys
    """

    keys: Vector[i64] = column("i64", "places", fill=EMPTY)
    values: Vector[i32] = column("i32", "places")
    counts: Vector[i64] = column("i64", 1)

    def enlarged(self, keys: int = 0, **_: int) -> KeyMap:
        """The map itself, or a larger copy, with room for so many keys in all."""
        n_places = capacity(len(self.keys), 2 * keys)
        if n_places == len(self.keys):
            return self
        larger = new_table(KeyMap, places=n_places)
        copy_keys(self, larger)
        return larger


@kernel(inlined=True)
def has_room(key_map: KeyMap, n_keys: i64) -> bool:
    """Whether so many more keys surely fit."""
    return 2 * (key_map.counts[0] + n_keys) <= len(key_map.keys)


@kernel(inlined=True)
def place_of(key_map: KeyMap, key: i64) -> i64:
    """The place of a key, or the free one where it belongs."""
    mask = len(key_map.keys) - 1
    place = i64((u64(key) * GOLDEN) >> 32) & mask
    while key_map.keys[place] != key and key_map.keys[place] != EMPTY:
        place = (place + 1) & mask
    return place


@kernel
def find_key(key_map: KeyMap, key: i64) -> i64:
    """The value of a key, or ABSENT."""
    place = place_of(key_map, key)
    return i64(key_map.values[place]) if key_map.keys[place] == key else i64(ABSENT)


@kernel
def put_key(key_map: KeyMap, key: i64, value: i64) -> None:
    """Set the value of a key, new or not."""
    place = place_of(key_map, key)
    if key_map.keys[place] == EMPTY:
        key_map.keys[place] = key
        key_map.counts[0] += 1
    key_map.values[place] = value


@kernel
def copy_keys(source: KeyMap, target: KeyMap) -> None:
    """Put everything of one map into another one."""
    for place in range(len(source.keys)):
        if source.keys[place] != EMPTY:
            put_key(target, source.keys[place], i64(source.values[place]))

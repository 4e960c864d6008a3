"""What programs read of the processor they run on: `__builtin_cpu_supports`, `target_clones`.

    __cpu_model           vendor, type, subtype, features 0 to 31
    __cpu_features2       features from 32 on
    __cpu_indicator_init  fills them; here it finds them filled

Natively these are in libgcc.a, so every program has its own.  They lie in the runtime's object
(cpu.py); `fill_cpu_model` writes them when a program asks for them.  Vendor
and types come from libgcc_s, which exports its `__cpu_model` to older programs only.

Source: GCC's libgcc/config/i386/cpuinfo.c and common/config/i386/i386-cpuinfo.h (numbers);
Intel's and AMD's manuals, instruction CPUID.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from irsan.engine.glue.cpu import N_MORE_WORDS, PREFIX
from irsan.engine.linker.native_symbols import versioned_symbol

_MODEL_VERSION: Final = "GCC_4.8.0"
_TYPE_BYTES: Final = 12  # vendor, type, subtype
EAX, EBX, ECX, EDX = range(4)

#: (leaf, subleaf, register) -> {bit: numbers of features}
_BITS: Final[Mapping[tuple[int, int, int], Mapping[int, tuple[int, ...]]]] = {
    (1, 0, ECX): {0: (5,), 1: (19,), 9: (6,), 12: (14,), 13: (46,), 19: (7,), 20: (8,), 22: (58,),
                  23: (2,), 25: (18,), 26: (81,), 27: (62,), 28: (9,), 29: (49,), 30: (69,)},
    (1, 0, EDX): {8: (47,), 15: (0,), 23: (1,), 24: (51,), 25: (3,), 26: (4,)},
    (7, 0, EBX): {0: (50,), 2: (73,), 3: (16,), 4: (52,), 5: (10,), 8: (17,), 11: (71,), 16: (15,),
                  17: (22,), 18: (70,), 19: (40,), 21: (27,), 23: (43,), 24: (44,), 26: (25,),
                  27: (24,), 28: (23,), 29: (74,), 30: (21,), 31: (20,)},
    (7, 0, ECX): {0: (65,), 1: (26,), 4: (64,), 5: (79,), 6: (31,), 7: (75,), 8: (32,), 9: (78,),
                  10: (33,), 11: (34,), 12: (35,), 14: (30,), 22: (68,), 23: (90,), 25: (42,),
                  27: (60,), 28: (59,), 29: (48,)},
    (7, 0, EDX): {2: (28,), 3: (29,), 5: (88,), 8: (37,), 14: (72,), 16: (77,), 18: (63,),
                  20: (53,), 22: (87,), 23: (94,), 24: (85,), 25: (86,)},
    (7, 1, EAX): {0: (109,), 1: (108,), 2: (110,), 3: (105,), 4: (93,), 5: (36,), 7: (102,),
                  21: (103,), 22: (89,), 23: (99,)},
    (7, 1, EDX): {4: (100,), 5: (101,), 8: (106,), 10: (107,), 14: (104,)},
    (0xD, 1, EAX): {0: (83,), 1: (82,), 3: (84,)},
    (0x14, 0, EBX): {4: (67,)},
    (0x19, 0, EBX): {0: (91,), 2: (92,)},
    (0x8000_0001, 0, ECX): {0: (54,), 5: (41, 57), 6: (11,), 8: (66,), 11: (13,), 15: (56,),
                            16: (12,), 21: (76,), 29: (61,)},
    (0x8000_0001, 0, EDX): {29: (55,), 30: (39,), 31: (38,)},
    (0x8000_0008, 0, EBX): {0: (45,), 9: (80,)},
}  # fmt: skip
_NEED_YMM: Final = frozenset((9, 10, 12, 13, 14, 33, 49, 78, 93, 99, 100, 101, 107, 108, 109, 110))
_NEED_ZMM: Final = frozenset((15, *range(20, 32), 34, 35, 36, 37, 94))
_NEED_TILES: Final = frozenset((85, 86, 87, 103, 106))
_YMM_STATE, _ZMM_STATE, _TILE_STATE = 0x6, 0xE6, 0x60000  # bits of XCR0
_OSXSAVE, _BASELINE = 62, 95
#: levels of x86-64: what each adds to the one below
_LEVELS: Final = (
    (96, (46, 54, 2, 5, 6, 7, 8)),
    (97, (9, 10, 16, 17, 49, 14, 57, 58)),
    (98, (15, 21, 23, 22, 20)),
)


def fill_cpu_model(symbols: Mapping[str, int]) -> None:
    """Write what this processor is into the variables."""
    numbers = _features(symbols["irsan_cpuid"], symbols["irsan_xcr0"])
    words = [0] * (1 + N_MORE_WORDS)
    for number in numbers:
        words[number // 32] |= 1 << number % 32
    model = symbols[f"{PREFIX}__cpu_model"]
    native = versioned_symbol("__cpu_model", _MODEL_VERSION)
    if native is not None:
        ctypes.memmove(model, native, _TYPE_BYTES)
    _write(model + _TYPE_BYTES, words[:1])
    _write(symbols[f"{PREFIX}__cpu_features2"], words[1:])


@lru_cache(maxsize=1)
def _features(cpuid_at: int, xcr0_at: int) -> frozenset[int]:
    """Numbers of the features that the processor has and the system keeps the registers of."""
    cpuid = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)(cpuid_at)
    xcr0 = ctypes.CFUNCTYPE(ctypes.c_uint32)(xcr0_at)
    registers = (ctypes.c_uint32 * 4)()

    def leaf(number: int, sub: int = 0) -> list[int]:
        cpuid(number, sub, registers)
        return list(registers)

    highest = {base: leaf(base)[EAX] for base in (0, 0x8000_0000)}
    n_sub = leaf(7)[EAX] if highest[0] >= 7 else -1
    found = {_BASELINE}
    for (number, sub, register), bits in _BITS.items():
        is_there = number <= highest[number & 0x8000_0000] and (number != 7 or sub <= n_sub)
        word = leaf(number, sub)[register] if is_there else 0
        found.update(one for bit, ones in bits.items() if word >> bit & 1 for one in ones)
    return frozenset(_with_levels(_usable(found, xcr0() if _OSXSAVE in found else 0)))


def _usable(found: set[int], state: int) -> set[int]:
    """Without features whose registers the system does not keep (state: XCR0)."""
    for needed, numbers in (
        (_YMM_STATE, _NEED_YMM), (_ZMM_STATE, _NEED_ZMM), (_TILE_STATE, _NEED_TILES)
    ):  # fmt: skip
        if state & needed != needed:
            found = found - numbers
    return found


def _with_levels(found: set[int]) -> set[int]:
    for level, needed in _LEVELS:
        if not found.issuperset(needed):
            break
        found.add(level)
    return found


def _write(address: int, words: list[int]) -> None:
    raw = b"".join(word.to_bytes(4, "little") for word in words)
    ctypes.memmove(address, raw, len(raw))

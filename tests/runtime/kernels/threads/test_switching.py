"""What a switch of threads takes along, and what it leaves in the records."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.runtime.kernels.threads import switching
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import THREAD_DTYPE
from tests.support.green import slot_to_addr


def test_a_switch_keeps_the_hot_words_and_host_thread_locals_of_each_thread(guest: Any) -> None:
    ctx = guest.ctx
    guest.new_thread(1)
    native = (ctypes.c_uint8 * 6)(1, 2, 3, 4, 5, 6)
    base = ctypes.addressof(native)
    ctx["thread_locals"]["ranges"][:4] = [base, 2, base + 3, 3]
    ctx["thread_locals"]["n_ranges"] = 2
    ctx["site"], ctx["tls"], ctx["ignore_depth"] = 77, 0x1234, 5
    assert int(switching.switch_threads(ctx, slot_to_addr(1))) == slot_to_addr(0)
    assert bytes(native) == bytes([0, 0, 3, 0, 0, 0])
    assert (ctx["site"], ctx["tls"]) == (0, 0)
    native[:] = [9] * 6
    switching.switch_threads(ctx, slot_to_addr(0))
    assert bytes(native) == bytes([1, 2, 9, 4, 5, 6])
    assert (ctx["site"], ctx["tls"], ctx["ignore_depth"]) == (77, 0x1234, 5)
    assert ctx["schedule"]["n_switches"] == 2
    saved = slot_to_addr(1) + field_offset(THREAD_DTYPE, "host_tls")
    assert ctypes.string_at(saved, 5) == bytes([9] * 5)

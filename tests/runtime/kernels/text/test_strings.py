"""What a str* function reads of its strings, passed to the detectors."""

from __future__ import annotations

import ctypes
from typing import Any

from irsan.runtime.kernels.text import strings
from irsan.runtime.layout import options


def test_bytes_read_of_a_bounded_string(guest: Any) -> None:
    options.set_default_options(guest.ctx)
    text = ctypes.create_string_buffer(b"abc")
    got = [strings.bytes_read_of(guest.ctx, ctypes.addressof(text), limit) for limit in range(7)]
    assert got == [0, 1, 2, 3, 4, 4, 4]


def test_reads_are_extended_only_when_strict(guest: Any) -> None:
    options.set_default_options(guest.ctx)
    text = ctypes.create_string_buffer(b"abc")
    guest.ctx["sanitize_thread"] = 0
    for strict, expected in ((0, 1), (1, 4)):
        guest.ctx["options"][options.STRICT_STRING_CHECKS] = strict
        assert not strings.string_read(guest.ctx, ctypes.addressof(text), 1, 0)
        assert int(guest.ctx["fault"][2]) == expected
        guest.ctx["action"] = 0

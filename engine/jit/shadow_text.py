"""Shadow of memory as text, for programs that ask: __msan_print_shadow, __msan_dump_shadow.

    Shadow map of [0x001000000010, 0x00100000001c), 12 bytes:
    0x001000000010: 00 00 00 00 ff ff ff ff 00 00 00 00

A `..` is a byte without shadow, outside of the program's own memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irsan.engine.jit.findings import FindingsRecorder
from irsan.engine.jit.machine import Machine
from irsan.runtime import arena
from irsan.runtime import uninit_layout as ul

_ROW_BYTES = 16
_MOST_BYTES = 1 << 16


class ShadowText:
    """Answers in one run; `keeps_going` is set when the program wants findings to be survived."""

    def __init__(self, recorder: FindingsRecorder) -> None:
        self._recorder = recorder

    def print_shadow(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """The shadow of a range with a head line."""
        addr, size = arguments[:2]
        head = f"Shadow map of [{addr:#014x}, {addr + size:#014x}), {size} bytes:"
        self._recorder.write("\n".join([head, *shadow_rows(addr, size), ""]))

    def dump_shadow(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """The rows alone."""
        self._recorder.write("\n".join([*shadow_rows(*arguments[:2]), ""]))

    def set_keep_going(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """From now on the program survives findings, or does not."""
        self._recorder.survives_uninitialised = bool(arguments[0] & 0xFFFF_FFFF)


def shadow_rows(addr: int, size: int) -> Iterator[str]:
    """Sixteen bytes of shadow a line, in hexadecimal."""
    end = addr + min(size, _MOST_BYTES)
    for start in range(addr, end, _ROW_BYTES):
        bytes_here = [_shadow(at) for at in range(start, min(start + _ROW_BYTES, end))]
        yield f"{start:#014x}: {' '.join(bytes_here)}"


def _shadow(addr: int) -> str:
    is_on = int(arena.view_words(ul.IS_ON, 1)[0])
    if addr >= ul.COVERED_BYTES:
        return ".."
    return f"{int(arena.view_bytes(addr + ul.SHADOW_BIAS, 1)[0]):02x}" if is_on else "00"

"""Shadow of memory as text, for programs that ask: __msan_print_shadow, __msan_dump_shadow.

    Shadow map [0x..., 0x...) of [0x001000000011, 0x00100000001d), 12 bytes:
    0x...[0x001000000010]: ..00ffff 00000000 ffffffff 77......  |A . B B|

    Origin A (origin_id 0):
      Uninitialized value was created by a heap allocation
        #0 main prog.c:5

A `..` is a byte that was not asked for, or one without shadow, outside of the program's own memory.

Source: MemorySanitizer's layout (msan_report.cpp); origins behind the 26th are stars there, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from irsan.engine.findings.findings import FindingsRecorder
from irsan.engine.guest.machine import Machine
from irsan.reports.model.report import Finding, Stack, UninitialisedUse
from irsan.reports.text.uninitialised import origin_lines
from irsan.runtime import arena
from irsan.runtime.diagnosis.describe import Places, blamed_chunk, chunk_stacks
from irsan.runtime.diagnosis.diagnose_uninitialised import KIND
from irsan.runtime.layout import uninit_layout as ul

_ROW_BYTES, _GROUP_BYTES = 16, 4
_MOST_BYTES = 1 << 16
_NOT_ASKED, _NO_ORIGIN, _LATE_ORIGIN = "..", ".", "*"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Story = tuple[str, tuple[Stack, ...]]


class ShadowText:
    """Answers in one run; `story` says how the value of an origin word came to be."""

    def __init__(
        self, recorder: FindingsRecorder, places: Places, story: Callable[[int], Story]
    ) -> None:
        self._recorder, self._places, self._story = recorder, places, story

    def print_shadow(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """The shadow of a range in groups of four bytes, with a head line, and its origins."""
        addr, size = arguments[:2]
        origins: dict[int, int] = {}
        lines = [*shadow_map(addr, min(size, _MOST_BYTES), origins), ""]
        for letter, (word, at) in zip(_LETTERS, origins.items(), strict=False):
            lines += [f"Origin {letter} (origin_id {word:x}):", *self._told(word, at)]
        self._recorder.write("\n".join([*lines, ""]))

    def dump_shadow(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """The bytes of the range alone."""
        addr, size = arguments[:2]
        self._recorder.write("\n".join([*shadow_rows(addr, min(size, _MOST_BYTES)), ""]))

    def set_keep_going(self, _machine: Machine, arguments: Sequence[int]) -> None:
        """From now on the program survives findings, or does not."""
        self._recorder.survives_uninitialised = bool(arguments[0] & 0xFFFF_FFFF)


    def _told(self, word: int, addr: int) -> list[str]:
        """The lines of an origin, of which the byte at `addr` is."""
        created_by, stacks = self._story(word)
        chunk = None if word else blamed_chunk(self._places.ctx, addr)
        if chunk is not None:
            created_by = "a heap deallocation" if chunk.free_stack else "a heap allocation"
            stacks = chunk_stacks(self._places, chunk)[-1:]
        style = self._recorder.style("MemorySanitizer")
        finding = Finding(
            "MemorySanitizer", KIND, stacks=stacks, details=UninitialisedUse(created_by)
        )
        return origin_lines(finding, style)


def shadow_rows(addr: int, size: int) -> Iterator[str]:
    """Sixteen bytes of shadow a line, in hexadecimal."""
    for start in range(addr, addr + size, _ROW_BYTES):
        shown = " ".join(_shadow(at) for at in range(start, min(start + _ROW_BYTES, addr + size)))
        yield f"{_both(start)}  {shown}"


def shadow_map(addr: int, size: int, origins: dict[int, int]) -> Iterator[str]:
    """A head line, and groups of four bytes from the last multiple of four on.

    `origins` gets the origin words, each with the first byte it was seen at.
    """
    lo, end = addr - addr % _GROUP_BYTES, addr + size
    bias = ul.SHADOW_BIAS
    span = f"[{addr + bias:#014x}, {end + bias:#014x}) of [{addr:#014x}, {end:#014x})"
    yield f"Shadow map {span}, {size} bytes:"
    for row in range(lo, end, _ROW_BYTES):
        groups = [
            "".join(
                _shadow(at) if addr <= at < end else _NOT_ASKED
                for at in range(group, group + _GROUP_BYTES)
            )
            for group in range(row, row + _ROW_BYTES, _GROUP_BYTES)
        ]
        letters = [
            _letter(row + number * _GROUP_BYTES, group, origins)
            for number, group in enumerate(groups)
        ]
        yield f"{_both(row)}: {' '.join(groups)}  |{' '.join(letters)}|"


def _letter(addr: int, group: str, origins: dict[int, int]) -> str:
    """The letter of the origin of four bytes that begin at `addr`, whose shadow reads `group`."""
    if not group.strip(".0"):
        return _NO_ORIGIN
    word = int.from_bytes(arena.view_bytes(addr + ul.ORIGIN_BIAS, _GROUP_BYTES).tobytes(), "little")
    origins.setdefault(word, addr + _GROUP_BYTES - 1)
    number = list(origins).index(word)
    return _LETTERS[number] if number < len(_LETTERS) else _LATE_ORIGIN


def _both(addr: int) -> str:
    return f"{addr + ul.SHADOW_BIAS:#014x}[{addr:#014x}]"


def _shadow(addr: int) -> str:
    is_on = int(arena.view_words(ul.IS_ON, 1)[0])
    if addr >= ul.COVERED_BYTES:
        return _NOT_ASKED
    return f"{int(arena.view_bytes(addr + ul.SHADOW_BIAS, 1)[0]):02x}" if is_on else "00"

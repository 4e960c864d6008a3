"""Where variables lie in an instrumented frame, and what the shadow of each granule says.

    f1 f1 f1 f1 | 00 00 02 | f2 f2 f2 f2 f2 | 04 f2 | f3 ...        32 bytes of header under f1
    header        an object  redzone          int     up to a multiple of 32

Objects with greater alignment come first. The redzone behind an object grows with it: a small one
is overrun by a few bytes, a large one by a whole record.

Source: Serebryany, Bruening, Potapenko, Vyukov, "AddressSanitizer: A Fast Address Sanity Checker",
USENIX ATC 2012, section 3.3; sizes and order as LLVM's AddressSanitizer pass lays frames out, so
that offsets in reports are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GRANULE_BYTES = 8
HEADER_BYTES = 32
MINIMUM_ALIGNMENT = 16
LEFT, MIDDLE, RIGHT, AFTER_RETURN, OUT_OF_SCOPE = 0xF1, 0xF2, 0xF3, 0xF5, 0xF8

# Objects of at most so many bytes get that much behind them.
_REDZONES = ((16, 16), (128, 32), (512, 64), (4096, 128))
_LARGEST_REDZONE = 256
_TINY_BYTES = 4


@dataclass(frozen=True, slots=True)
class StackVariable:
    """An object of a frame; `line` is 0 when the source does not say, `alignment` is bytes.

    starts_dead: it is out of scope until its lifetime begins.  is_followed: where its lifetime ends
    its shadow says so.
    """

    name: str
    size_bytes: int
    alignment: int
    line: int = 0
    starts_dead: bool = False
    is_followed: bool = False

    @property
    def label(self) -> str:
        """The name as a frame description has it."""
        return f"{self.name}:{self.line}" if self.line else self.name


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """Variables in their order in memory, each with the offset in bytes at which it begins."""

    variables: tuple[StackVariable, ...]
    offsets: tuple[int, ...]
    frame_bytes: int
    alignment: int

    def shadow(self) -> bytes:
        """The frame's shadow while every variable is alive."""
        shadow = bytearray([LEFT]) * (self.offsets[0] // GRANULE_BYTES)
        for variable, offset in zip(self.variables, self.offsets, strict=True):
            shadow += bytes([MIDDLE]) * (offset // GRANULE_BYTES - len(shadow))
            shadow += object_shadow(variable.size_bytes)
        shadow += bytes([RIGHT]) * (self.frame_bytes // GRANULE_BYTES - len(shadow))
        return bytes(shadow)

    def shadow_at_entry(self) -> bytes:
        """The frame's shadow before any lifetime has begun."""
        shadow = bytearray(self.shadow())
        for variable, offset in zip(self.variables, self.offsets, strict=True):
            if variable.starts_dead:
                _fill(shadow, variable, offset, OUT_OF_SCOPE)
        return bytes(shadow)

    def dirty(self) -> bytes:
        """1 for each granule of the frame whose shadow may not be 0 when the function ends."""
        dirty = bytearray(bool(one) for one in self.shadow())
        for variable, offset in zip(self.variables, self.offsets, strict=True):
            if variable.starts_dead or variable.is_followed:
                _fill(dirty, variable, offset, 1)
        return bytes(dirty)

    def description(self) -> str:
        """`count`, then per variable `offset size length name[:line]`."""
        words = [str(len(self.variables))]
        for variable, offset in zip(self.variables, self.offsets, strict=True):
            label = variable.label
            words += [str(offset), str(variable.size_bytes), str(len(label.encode())), label]
        return " ".join(words)


def _fill(shadow: bytearray, variable: StackVariable, offset: int, value: int) -> None:
    """Each granule of a variable that begins at byte `offset` of the frame becomes `value`."""
    first, count = offset // GRANULE_BYTES, granules_of(variable.size_bytes)
    shadow[first : first + count] = bytes([value]) * count


def lay_out(variables: Sequence[StackVariable]) -> FrameLayout:
    """The frame of at least one variable."""
    ordered = sorted(variables, key=lambda one: -_alignment(one))
    first = _alignment(ordered[0])
    offset = max(HEADER_BYTES, first)
    offsets = []
    for index, variable in enumerate(ordered):
        is_last = index + 1 == len(ordered)
        following = GRANULE_BYTES if is_last else _alignment(ordered[index + 1])
        offsets.append(offset)
        offset += _size_with_redzone(variable.size_bytes, following)
    frame_bytes = _round_up(offset, HEADER_BYTES)
    return FrameLayout(tuple(ordered), tuple(offsets), frame_bytes, first)


def object_shadow(size_bytes: int) -> bytes:
    """Shadow of a live object: whole granules, then how many bytes of the last one count."""
    rest = size_bytes % GRANULE_BYTES
    return bytes(size_bytes // GRANULE_BYTES) + bytes([rest] if rest else [])


def granules_of(size_bytes: int) -> int:
    """Granules that an object touches."""
    return -(-size_bytes // GRANULE_BYTES)


def _alignment(variable: StackVariable) -> int:
    return max(variable.alignment, MINIMUM_ALIGNMENT)


def _size_with_redzone(size_bytes: int, next_alignment: int) -> int:
    if size_bytes <= _TINY_BYTES:
        total = 16
    elif size_bytes <= MINIMUM_ALIGNMENT:
        total = 32
    else:
        redzone = next(
            (width for limit, width in _REDZONES if size_bytes <= limit), _LARGEST_REDZONE
        )
        total = _round_up(size_bytes, GRANULE_BYTES) + redzone
    return _round_up(total, next_alignment)


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple

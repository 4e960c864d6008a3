"""Writes to the shadow of a stack frame: few wide stores, calls for long runs of one value.

    shadow = (frame >> 3) + 0x7fff8000       clang's mapping, and the engine's
    store i64 0xf3f3f304f1f1f1f1, shadow
    __asan_set_shadow_00(shadow, 512)
    __irsan_copy_shadow(shadow, @bytes, 300)     in place of dozens of stores, which LLVM's
                                                 scheduler takes the square of their number for

Source: LLVM's AddressSanitizer pass (copyToShadow; runs of 64 bytes and more are calls).
Deviation: the copies, which portable IR does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import SHADOW_OFFSET
from irsan.ir.builder import Builder
from irsan.ir.values import GlobalVariable, Value

_LONG_RUN_BYTES = 64
_MOST_STORES = 32
_MOST_BYTES_PER_STORE = 12  # of a copy, for each store that it replaces
_WIDTHS = (8, 4, 2, 1)


@dataclass(frozen=True, slots=True)
class Piece:
    """Shadow bytes written in one go, `offset` bytes behind the shadow of the frame's begin."""

    offset: int
    raw: bytes

    @property
    def is_run(self) -> bool:
        return len(self.raw) >= _LONG_RUN_BYTES and self.raw == self.raw[:1] * len(self.raw)

    @property
    def is_copy(self) -> bool:
        return len(self.raw) > _WIDTHS[0] and not self.is_run


def plan_pieces(want: bytes, differs: bytes) -> Iterator[Piece]:
    """Pieces that write every byte of `want` whose `differs` is not 0; they may write others too.

    want, differs: of one length. Every byte of `want` may be written at this point.
    """
    at, end = 0, len(want)
    while at < end:
        if not differs[at]:
            at += 1
            continue
        run = _run_length(want, differs, at)
        if run >= _LONG_RUN_BYTES:
            yield Piece(at, want[at : at + run])
            at += run
            continue
        piece = _widest(want, differs, at)
        yield piece
        at = piece.offset + len(piece.raw)


def join_pieces(pieces: list[Piece], want: bytes) -> list[Piece]:
    """One piece for all where they are many and close together."""
    if len(pieces) <= _MOST_STORES:
        return pieces
    first, end = pieces[0].offset, pieces[-1].offset + len(pieces[-1].raw)
    if end - first > _MOST_BYTES_PER_STORE * len(pieces):
        return pieces
    return [Piece(first, want[first:end])]


def _run_length(want: bytes, differs: bytes, at: int) -> int:
    end = at
    while end < len(want) and want[end] == want[at] and differs[end]:
        end += 1
    return end - at


def _widest(want: bytes, differs: bytes, at: int) -> Piece:
    """A store that begins at `at`, or before it when the frame ends first."""
    last = max(index for index in range(at, min(at + 8, len(want))) if differs[index])
    needed = last + 1 - at
    width = next(width for width in reversed(_WIDTHS) if width >= needed)
    if at + width > len(want) and width > len(want):
        width = next(one for one in _WIDTHS if at + one <= len(want))
    first = min(at, len(want) - width)
    return Piece(first, want[first : first + width])


class ShadowWriter:
    """Emits stores for one module."""

    __slots__ = ("_copies", "_hooks", "_is_portable")

    def __init__(self, hooks: HookCalls, is_portable: bool = True) -> None:
        self._hooks, self._is_portable = hooks, is_portable
        self._copies: dict[bytes, GlobalVariable] = {}  # what is copied, by its bytes

    def locate(self, at: Builder, addr: Value) -> Value:
        """The address (i64) of the shadow of `addr` (i64)."""
        granule = at.binary("lshr", addr, at.integer(64, 3))
        return at.binary("add", granule, at.integer(64, SHADOW_OFFSET))

    def write(
        self, at: Builder, shadow: Value, want: bytes, differs: bytes, first: int = 0
    ) -> None:
        """Makes the shadow read `want` wherever `differs` is not 0.

        first: how many bytes behind the begin of the frame's shadow `want` lies.
        """
        pieces = list(plan_pieces(want, differs))
        for piece in pieces if self._is_portable else join_pieces(pieces, want):
            offset = first + piece.offset
            if piece.is_run or piece.is_copy:
                self._call(at, at.binary("add", shadow, at.integer(64, offset)), piece)
            else:
                self._store(at, shadow, piece.raw, offset)

    def _call(self, at: Builder, place: Value, piece: Piece) -> None:
        name, source = f"__asan_set_shadow_{piece.raw[0]:02x}", []
        if piece.is_copy:
            name, source = "__irsan_copy_shadow", [self._source(at, piece.raw)]
        arguments = [place, *source, at.integer(64, len(piece.raw))]
        at.instructions.append(self._hooks.call(name, arguments, at.debug_location))

    def _source(self, at: Builder, raw: bytes) -> Value:
        """Where the bytes to copy lie; frames that are alike share them."""
        found = self._copies.get(raw)
        if found is None:
            name = f"__irsan_frame_shadow.{len(self._copies)}"
            found = self._copies[raw] = at.private_bytes(name, raw)
        return found

    def fill(self, at: Builder, shadow: Value, value: int, n_bytes: int) -> None:
        """The first `n_bytes`, a multiple of 8, become `value`, without a call."""
        for offset in range(0, n_bytes, 8):
            self._store(at, shadow, bytes([value]) * 8, offset)

    def _store(self, at: Builder, shadow: Value, raw: bytes, offset: int) -> None:
        place = at.binary("add", shadow, at.integer(64, offset)) if offset else shadow
        value = at.integer(8 * len(raw), int.from_bytes(raw, "little"))
        at.store(value, at.cast("inttoptr", place, at.types.ptr_default), 1)

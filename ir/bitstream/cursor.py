"""A cursor over the bits of a stream, least significant bit of each byte first.

    raw    42 43 c0 de 35 14 00 00 ...
                       ^ position 32        limit: the end of the block being read

Nothing is read beyond the limit.
"""

from __future__ import annotations

from irsan.ir.bitstream.errors import Fault


class BitFault(Exception):
    """A field cannot be read; the decoder turns it into a BitstreamError by adding the place."""

    def __init__(self, fault: Fault, bit_offset: int) -> None:
        super().__init__(fault, bit_offset)
        self.fault = fault
        self.bit_offset = bit_offset


class BitCursor:
    """Position in a stream of bytes; every method reads one field or raises BitFault."""

    __slots__ = ("limit", "position", "raw")

    def __init__(self, raw: bytes, position: int, limit: int) -> None:
        """raw: the whole stream. position, limit: in bits; limit is at most 8 * len(raw)."""
        self.raw = raw
        self.position = position
        self.limit = limit

    def fixed(self, width: int) -> int:
        """An unsigned field of `width` bits, 1 to 64."""
        start = self.position
        end = start + width
        if end > self.limit:
            raise BitFault(Fault.FIXED_END, start)
        self.position = end
        chunk = int.from_bytes(self.raw[start >> 3 : (end + 7) >> 3], "little")
        return (chunk >> (start & 7)) & ((1 << width) - 1)

    def vbr(self, width: int) -> int:
        """A variable-width field in groups of `width` bits (2 to 32), the top bit for "more"."""
        start = self.position
        end = start + width
        if end > self.limit:
            raise BitFault(Fault.VBR_END, start)
        # Most values fit in one group, so the first is read here and not by `fixed`.
        group = int.from_bytes(self.raw[start >> 3 : (end + 7) >> 3], "little") >> (start & 7)
        group &= (1 << width) - 1
        self.position = end
        if not group >> (width - 1):
            return group
        return self._rest_of_vbr(width, group, start)

    def _rest_of_vbr(self, width: int, group: int, start: int) -> int:
        more = 1 << (width - 1)
        value = group & (more - 1)
        shift = 0
        while group & more:
            shift += width - 1
            if self.position + width > self.limit:
                raise BitFault(Fault.VBR_END, start)
            group = self.fixed(width)
            value |= (group & (more - 1)) << shift
            if value >> 64 or shift > 63:
                raise BitFault(Fault.VBR_TOO_LONG, start)
        return value

    def align32(self) -> None:
        """Skip to the next multiple of 32 bits."""
        aligned = (self.position + 31) & ~31
        if aligned > self.limit:
            raise BitFault(Fault.ALIGN_END, self.position)
        self.position = aligned

    def octets(self, size_bytes: int) -> bytes:
        """`size_bytes` bytes from an aligned position; the caller has checked that they exist."""
        first = self.position >> 3
        self.position += 8 * size_bytes
        return self.raw[first : first + size_bytes]

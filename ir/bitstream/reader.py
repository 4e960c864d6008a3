"""From a file's bytes to its blocks: magic, wrapper, and the choice of a decoder.

    wrapper, if any: 0x0B17C0DE, version, offset, size, cpu type; the rest is at offset
    'B' 'C' 0xC0 0xDE  IDENTIFICATION  MODULE  STRTAB  SYMTAB ...

Bits are numbered from the inner magic.
"""

from __future__ import annotations

import struct

from irsan.ir.bitstream import encoding as e
from irsan.ir.bitstream.errors import BitstreamError, Fault
from irsan.ir.bitstream.model import Block
from irsan.ir.bitstream.plain import decode_plain

KERNEL_FROM_BYTES = 1 << 20
"""Loading numba and the kernel costs what the plain decoder takes for half of this; compiling it
for the first time costs ten times as much."""

_WRAPPER = struct.Struct("<5I")


def read_bitstream(raw: bytes) -> list[Block]:
    """Decode a bitcode file into its top-level blocks.

    raw: the whole file, with or without the wrapper header. Bit offsets in the result are counted
    from the inner magic, so LLVM's own offset records can be compared with them.
    Raises BitstreamError when it is no bitcode, is malformed or truncated, or holds two modules.
    """
    stream = unwrap(bytes(raw))
    blocks = _decode(stream)
    modules = [block for block in blocks if block.block_id == e.MODULE_BLOCK_ID]
    if len(modules) > 1:
        where = ", ".join(str(module.bit_offset) for module in modules)
        raise BitstreamError(
            Fault.TWO_MODULES, None, 0, modules[1].bit_offset, f"modules start at bits {where}"
        )
    return blocks


def _decode(stream: bytes) -> list[Block]:
    if len(stream) < KERNEL_FROM_BYTES:
        return decode_plain(stream)
    from irsan.ir.bitstream.flat import decode_fast

    return decode_fast(stream)


def unwrap(raw: bytes) -> bytes:
    """The stream proper, starting with its magic; raises BitstreamError when there is none."""
    stream = raw
    if raw[:4] == e.WRAPPER_MAGIC:
        if len(raw) < _WRAPPER.size:
            raise BitstreamError(Fault.WRAPPER_SHORT, None, 0, 0, f"the file has {len(raw)}")
        _, _, offset, size_bytes, _ = _WRAPPER.unpack_from(raw)
        if offset + size_bytes > len(raw):
            detail = f"offset {offset}, size {size_bytes}, in a file of {len(raw)} bytes"
            raise BitstreamError(Fault.WRAPPER_RANGE, None, 0, 0, detail)
        stream = raw[offset : offset + size_bytes]
    if stream[:4] != e.MAGIC:
        raise BitstreamError(Fault.NOT_BITCODE, None, 0, 0, _first_bytes(stream))
    return stream


def _first_bytes(stream: bytes) -> str:
    if not stream:
        return "the file is empty"
    if stream[:4] == b"\x7fELF":
        return "this is an ELF file; compile with -c -emit-llvm"
    return f"expected the bytes 42 43 c0 de, found {stream[:4].hex(' ')}"

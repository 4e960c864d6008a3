"""Bitcode to module: the entry of this room.

    read_bitcode(raw) -> Module

The stream is decoded to blocks (`irsan.ir.bitstream`), the string table is found, the module block
is read.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from irsan.ir.bitcode import codes as c
from irsan.ir.bitcode.errors import BitcodeError, Position, slips_as_errors
from irsan.ir.bitcode.module import ModuleReader
from irsan.ir.bitcode.state import ModuleState
from irsan.ir.bitstream.model import Block
from irsan.ir.bitstream.reader import read_bitstream
from irsan.ir.module import Module


def read_bitcode(raw: bytes) -> Module:
    """The module of a bitcode file that LLVM 22 wrote.

    raw: the whole file. Older or newer bitcode must first go through llvmlite (`irsan.ir.reading`).
    Raises BitstreamError for a broken container, BitcodeError for everything else.
    """
    with _collector_paused():
        return module_of_blocks(read_bitstream(raw))


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Millions of objects are made and none dies: looking for garbage would double the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def module_of_blocks(blocks: list[Block]) -> Module:
    """The module of decoded top-level blocks; raises BitcodeError."""
    position = Position()
    with slips_as_errors(position):
        modules = [block for block in blocks if block.block_id == c.MODULE]
        if len(modules) != 1:
            raise BitcodeError(f"{len(modules)} modules in the file; one is needed")
        state = ModuleState(Module(), position, _string_table(blocks))
        ModuleReader(state).read(modules[0])
        return state.module


def _string_table(blocks: list[Block]) -> bytes:
    for block in blocks:
        if block.block_id == c.STRTAB:
            for record in block.records(1):
                return record.blob or b""
    return b""

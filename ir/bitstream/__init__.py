"""LLVM bitstream container: bits to blocks and records, knowing nothing of LLVM IR."""

from irsan.ir.bitstream.errors import BitstreamError
from irsan.ir.bitstream.model import Block, Record
from irsan.ir.bitstream.reader import read_bitstream

__all__ = ["BitstreamError", "Block", "Record", "read_bitstream"]

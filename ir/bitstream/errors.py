"""What can be wrong with a bitstream: one number and one sentence per fault.

Both decoders (plain Python and numba) name a fault by its number, so that they can be compared and
so that the sentence is written once.
"""

from __future__ import annotations

from enum import IntEnum

from irsan.errors import UsageError
from irsan.ir.bitstream.names import block_name


class Fault(IntEnum):
    """Numbers of the faults; 0 to 9 are left to the decoders' own statuses."""

    NOT_BITCODE = 10
    WRAPPER_SHORT = 11
    WRAPPER_RANGE = 12
    TWO_MODULES = 13
    FIXED_END = 14
    VBR_END = 15
    VBR_TOO_LONG = 16
    ALIGN_END = 17
    TOP_LEVEL_ITEM = 18
    BLOCK_ID_WIDE = 19
    ABBREV_WIDTH = 20
    BLOCK_LENGTH = 21
    BLOCK_END_MISMATCH = 22
    TOO_DEEP = 23
    BLOCKINFO_NESTED = 24
    BLOCKINFO_NO_ID = 25
    BLOCKINFO_SETBID_EMPTY = 26
    ABBREV_EMPTY = 27
    ABBREV_ENCODING = 28
    ABBREV_FIXED_WIDTH = 29
    ABBREV_VBR_WIDTH = 30
    ABBREV_ARRAY_PLACE = 31
    ABBREV_ARRAY_ELEMENT = 32
    ABBREV_BLOB_PLACE = 33
    ABBREV_UNKNOWN = 34
    CODE_WIDE = 35
    OPERAND_COUNT = 36
    ARRAY_LENGTH = 37
    BLOB_LENGTH = 38
    EXPANSION = 39


SENTENCES: dict[Fault, str] = {
    Fault.NOT_BITCODE: "not LLVM bitcode",
    Fault.WRAPPER_SHORT: "the wrapper header (magic 0x0B17C0DE) needs 20 bytes",
    Fault.WRAPPER_RANGE: "the wrapper header names a range outside the file",
    Fault.TWO_MODULES: "the file holds more than one module; join them with llvm-link first",
    Fault.FIXED_END: "a fixed-width field runs past the end of the block",
    Fault.VBR_END: "VBR runs past the end of the block",
    Fault.VBR_TOO_LONG: "VBR holds more than 64 bits",
    Fault.ALIGN_END: "the padding to 32 bits runs past the end of the block",
    Fault.TOP_LEVEL_ITEM: "only blocks may stand outside of blocks",
    Fault.BLOCK_ID_WIDE: "the block id does not fit in 32 bits",
    Fault.ABBREV_WIDTH: "the width of abbreviation ids must be 1 to 32",
    Fault.BLOCK_LENGTH: "the length of the inner block runs past the end of the outer one",
    Fault.BLOCK_END_MISMATCH: "the block does not end where its length says",
    Fault.TOO_DEEP: "blocks are nested more than 64 deep",
    Fault.BLOCKINFO_NESTED: "BLOCKINFO may not hold blocks",
    Fault.BLOCKINFO_NO_ID: "BLOCKINFO defines an abbreviation before SETBID says for which block",
    Fault.BLOCKINFO_SETBID_EMPTY: "SETBID needs a block id below 2**32",
    Fault.ABBREV_EMPTY: "the abbreviation has no operands",
    Fault.ABBREV_ENCODING: "the abbreviation has an operand of unknown encoding",
    Fault.ABBREV_FIXED_WIDTH: "the abbreviation has a fixed operand wider than 64 bits",
    Fault.ABBREV_VBR_WIDTH: "the abbreviation has a VBR operand of 1 or more than 32 bits",
    Fault.ABBREV_ARRAY_PLACE: "an array must be the last but one operand, and not the first",
    Fault.ABBREV_ARRAY_ELEMENT: "an array's elements must be fixed, VBR or char6, not of width 0",
    Fault.ABBREV_BLOB_PLACE: "a blob must be the last operand, and not the first",
    Fault.ABBREV_UNKNOWN: "the record uses an abbreviation that is not defined",
    Fault.CODE_WIDE: "the record code does not fit in 32 bits",
    Fault.OPERAND_COUNT: "the record has more operands than the block has bits left",
    Fault.ARRAY_LENGTH: "the array is longer than the bits left in the block",
    Fault.BLOB_LENGTH: "the blob is longer than the bytes left in the block",
    Fault.EXPANSION: "the records hold more operands than the stream has bits",
}


class BitstreamError(UsageError):
    """Malformed or truncated bitcode.

    fault: which one. block_id: the innermost block, None outside of blocks. record: how many
    records that block gave before. bit_offset: where the offending field starts, counted from the
    magic. detail: what more there is to say.
    """

    def __init__(
        self, fault: Fault, block_id: int | None, record: int, bit_offset: int, detail: str = ""
    ) -> None:
        self.fault = fault
        self.block_id = block_id
        self.record = record
        self.bit_offset = bit_offset
        place = "top level"
        if block_id is not None:
            place = f"{block_name(block_id)} (id {block_id}), record {record}"
        text = f"bitcode: {place}, bit {bit_offset}: {SENTENCES[fault]}"
        super().__init__(f"{text}: {detail}" if detail else text)

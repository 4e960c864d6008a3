"""The fixed numbers of the bitstream format and the limits this reader sets.

Source: the format's public description (LLVM's "Bitcode File Format"): abbreviation ids 0 to 3 are
built in, block ids 0 to 7 are the container's own, abbreviation operands are one of five encodings.
"""

from __future__ import annotations

MAGIC = b"BC\xc0\xde"
WRAPPER_MAGIC = b"\xde\xc0\x17\x0b"
"""0x0B17C0DE, little endian: a header of five 32-bit words in front of the real stream."""

END_BLOCK = 0
ENTER_SUBBLOCK = 1
DEFINE_ABBREV = 2
UNABBREV_RECORD = 3
FIRST_ABBREV_ID = 4
"""Ids from here on name abbreviations: first those of BLOCKINFO, then the block's own."""

LITERAL = 0
FIXED = 1
VBR = 2
ARRAY = 3
CHAR6 = 4
BLOB = 5
"""Encodings of an abbreviation's operand; LITERAL is ours (in the stream it is a flag bit)."""

CHAR6_ALPHABET = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"

TOP_ABBREV_WIDTH = 2
BLOCK_ID_WIDTH = 8
BLOCK_ABBREV_WIDTH_WIDTH = 4
BLOCK_WORDS_WIDTH = 32
ABBREV_COUNT_WIDTH = 5
LITERAL_WIDTH = 8
ENCODING_WIDTH = 3
ENCODING_VALUE_WIDTH = 5
UNABBREV_WIDTH = 6
COUNT_WIDTH = 6
CHAR6_WIDTH = 6
"""Bits of the built-in fields; all are VBR but TOP_ABBREV_WIDTH, BLOCK_WORDS, ENCODING, CHAR6."""

MAX_FIXED_WIDTH = 64
MAX_VBR_WIDTH = 32
MAX_ABBREV_ID_WIDTH = 32
MAX_DEPTH = 64
"""Blocks within blocks; LLVM nests four deep, and readers of the tree may recurse."""

MIN_BLOCK_BITS = 64
"""A block is at least a header and an end, a word each: less than that at the end is padding."""

BLOCKINFO_ID = 0
BLOCKINFO_SETBID = 1
BLOCKINFO_BLOCKNAME = 2
BLOCKINFO_SETRECORDNAME = 3

MODULE_BLOCK_ID = 8

"""Bitcode records to the IR model, one file per kind of block.

reader.py      the entry               state.py      what all share        errors.py BitcodeError,
slips types.py       TYPE_BLOCK              attributes.py PARAMATTR(_GROUP)     constants.py
CONSTANTS metadata.py    METADATA and kinds      debug_nodes.py specialised nodes    globals.py
symbols module.py      MODULE                  functions.py  FUNCTION              instructions/ its
records codes.py, tables.py, attribute_kinds.py   numbers and their words
"""

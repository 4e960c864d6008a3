"""Damaged bitcode is refused with one clear error, never with a slip of Python's.

Two hundred damages of each kind are tried, with IRSAN_PART=all six hundred.
"""

from __future__ import annotations

import copy
import functools
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irsan.errors import UsageError
from irsan.ir.bitcode.errors import BitcodeError
from irsan.ir.bitcode.reader import module_of_blocks, read_bitcode
from irsan.ir.bitstream.model import Block, Record
from irsan.ir.bitstream.reader import read_bitstream
from irsan.ir.printing import print_module
from irsan.ir.reading import current_bitcode, parse_ir_text, read_module
from tests.ir.corpus_files import ASSEMBLY, read_corpus

N_DAMAGED = 600 if os.environ.get("IRSAN_PART") == "all" else 200
SMALL = ("exceptions.ll", "debug.ll", "scopes.ll", "values.ll")


@functools.cache
def bitcode_of(name: str) -> bytes:
    return current_bitcode(read_corpus(name), name)


@functools.cache
def blocks_of(name: str) -> list[Block]:
    return read_bitstream(bitcode_of(name))


def records_of(blocks: list[Block]) -> list[tuple[Block, int]]:
    """Every record as (its block, its place there)."""
    found: list[tuple[Block, int]] = []
    for block in blocks:
        found += [(block, i) for i, item in enumerate(block.items) if isinstance(item, Record)]
        found += records_of([item for item in block.items if isinstance(item, Block)])
    return found


numbers = st.one_of(st.integers(0, 40), st.integers(0, 1 << 33), st.integers(0, (1 << 64) - 1))


def damaged(record: Record, data: st.DataObject) -> Record:
    """One operand changed, removed or added, or the code changed."""
    operands = list(record.operands)
    how = data.draw(st.sampled_from(["change", "cut", "add", "code"]))
    if how == "code":
        return record._replace(code=data.draw(st.integers(0, 70)))
    if how == "add":
        operands.append(data.draw(numbers))
    elif how == "cut":
        operands = operands[: data.draw(st.integers(0, len(operands)))]
    elif operands:
        operands[data.draw(st.integers(0, len(operands) - 1))] = data.draw(numbers)
    return record._replace(operands=operands)


@settings(max_examples=N_DAMAGED, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(SMALL), st.data())
def test_damaged_records_are_refused_or_read(name: str, data: st.DataObject) -> None:
    blocks = copy.deepcopy(blocks_of(name))
    places = records_of(blocks)
    for _ in range(data.draw(st.integers(1, 3))):
        block, index = data.draw(st.sampled_from(places))
        record = block.items[index]
        assert isinstance(record, Record)
        block.items[index] = damaged(record, data)
    try:
        module_of_blocks(blocks)
    except BitcodeError as error:
        assert "bitcode: " in str(error)


@settings(max_examples=N_DAMAGED, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(SMALL),
    st.lists(st.tuples(st.integers(0), st.integers(0, 7)), min_size=1, max_size=4),
)
def test_flipped_bits_are_refused_or_read(name: str, flips: list[tuple[int, int]]) -> None:
    raw = bytearray(bitcode_of(name))
    for place, bit in flips:
        raw[place % len(raw)] ^= 1 << bit
    try:
        read_bitcode(bytes(raw))
    except UsageError as error:
        assert "bitcode: " in str(error)


@pytest.mark.parametrize("name", ASSEMBLY)
def test_truncated_modules_are_refused(name: str) -> None:
    raw = bitcode_of(name)
    for length in range(0, len(raw), max(4, len(raw) // 40)):
        with pytest.raises(UsageError, match="bitcode: "):
            read_bitcode(raw[:length])


def test_the_place_of_the_damage_is_named() -> None:
    blocks = copy.deepcopy(blocks_of("values.ll"))
    module = next(block for block in blocks if block.block_id == 8)
    types = next(module.blocks(17))
    place = next(
        i for i, item in enumerate(types.items) if isinstance(item, Record) and item.code == 7
    )
    record = types.items[place]
    assert isinstance(record, Record)
    types.items[place] = record._replace(code=99)
    with pytest.raises(BitcodeError) as caught:
        module_of_blocks(blocks)
    assert "TYPE_NEW_BLOCK" in str(caught.value)
    assert f"bit {record.bit_offset}" in str(caught.value)
    assert "type code 99" in str(caught.value)


def test_two_or_no_modules_are_refused() -> None:
    with pytest.raises(BitcodeError, match="0 modules"):
        module_of_blocks([])


def test_llvms_refusal_is_one_message_with_its_words() -> None:
    with pytest.raises(UsageError, match=r"does not accept this IR(.|\n)*expected") as caught:
        parse_ir_text("define i32 @f( {")
    assert "clang" in str(caught.value)


def test_a_missing_file_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_module("no/such/file.ll")


def test_reading_leaves_the_collector_as_it_was() -> None:
    import gc

    assert gc.isenabled()
    print_module(read_bitcode(bitcode_of("values.ll")))
    assert gc.isenabled()

"""The one error of the bitcode reader, and the one place where slips become it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from irsan.errors import UsageError
from irsan.ir.bitstream.model import Record
from irsan.ir.bitstream.names import block_name, record_name


class BitcodeError(UsageError):
    """Bitcode that is well formed as a bitstream and yet not a module this reader understands."""

    def __init__(self, sentence: str, block_id: int | None = None, record: Record | None = None):
        self.sentence = sentence
        self.block_id = block_id
        self.record = record
        super().__init__(f"bitcode: {_place(block_id, record)}{sentence}")


def _place(block_id: int | None, record: Record | None) -> str:
    if block_id is None:
        return ""
    if record is None:
        return f"{block_name(block_id)}: "
    name = record_name(block_id, record.code) or "record"
    return f"{block_name(block_id)}, {name} (code {record.code}), bit {record.bit_offset}: "


class Position:
    """Where the reader is: kept up to date by the readers, used only when something is wrong."""

    __slots__ = ("block_id", "record")

    def __init__(self) -> None:
        self.block_id: int | None = None
        self.record: Record | None = None

    def enter(self, block_id: int) -> None:
        """A block begins; no record of it has been read yet."""
        self.block_id = block_id
        self.record = None


_SLIPS = (
    IndexError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    OverflowError,
    MemoryError,
    RecursionError,
)


@contextmanager
def slips_as_errors(position: Position) -> Iterator[None]:
    """A record that is too short, or refers to nothing, becomes a BitcodeError with its
    place.
    """
    try:
        yield
    except BitcodeError as error:
        if error.block_id is not None or position.block_id is None:
            raise
        raise BitcodeError(error.sentence, position.block_id, position.record) from None
    except _SLIPS as slip:
        sentence = f"the record does not make sense ({_cause(slip)})"
        raise BitcodeError(sentence, position.block_id, position.record) from slip


def _cause(slip: BaseException) -> str:
    if isinstance(slip, IndexError):
        return "it is too short, or refers to a number that nothing has"
    if isinstance(slip, KeyError):
        return f"unknown number {slip.args[0] if slip.args else ''}"
    if isinstance(slip, (MemoryError, OverflowError, RecursionError)):
        return "a number in it is absurdly large"
    return str(slip) or type(slip).__name__

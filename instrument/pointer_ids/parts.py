"""Ids of the pointers inside of structures, arrays and vectors in registers.

    insertvalue, insertelement       one part is new, the others are the old value's
    extractvalue, extractelement     the part's id
    select, phi, freeze              part by part
    shufflevector                    lanes as the mask says
    getelementptr of many            lane by lane the ids of its base
    load, store                      each pointer's slot in memory
    numbers that have words          words.py, which are parts, too
    cmpxchg                          as atomics.py has noted

A part is named by its path, the indices that lead to it: `(0, 1)`.  Values of very many pointers
have none.  For a lane that is chosen at run time the id is chosen the same way, lane by lane.
"""

from __future__ import annotations

from typing import Final

from irsan.instrument.pointer_ids.function_ids import FunctionIds, is_unknown
from irsan.instrument.pointer_ids.stack_objects import is_plain_pointer
from irsan.instrument.pointer_ids.words import (
    is_address_number,
    known_word,
    moved_word,
    n_words,
    note_words,
    store_words,
    word_paths,
    words_of,
)
from irsan.ir.constants import (
    ConstantAggregate,
    ConstantData,
    ConstantInt,
    ConstantNull,
    ConstantSplat,
)
from irsan.ir.instruction import Instruction
from irsan.ir.memory import CmpXchg, GetElementPtr, Load, Store
from irsan.ir.operations import (
    ExtractElement,
    ExtractValue,
    InsertElement,
    InsertValue,
    Select,
    ShuffleVector,
)
from irsan.ir.types import ArrayType, IntegerType, StructType, Type, VectorType
from irsan.ir.values import Constant, Value

Path = tuple[int, ...]
MAX_PARTS: Final = 4096
_HANDED_ON: Final = frozenset(("bitcast", "freeze"))


def pointer_paths(kind: Type) -> tuple[Path, ...]:
    """Paths of the pointers in a type, none when there are more than MAX_PARTS."""
    if not isinstance(kind, (StructType, ArrayType, VectorType)):
        return ()
    found = _paths(kind)
    return tuple(found) if found is not None and len(found) <= MAX_PARTS else ()


def _paths(kind: Type) -> list[Path] | None:
    """None when there are too many."""
    if is_plain_pointer(kind):
        return [()]
    if isinstance(kind, StructType):
        inner = enumerate(_paths(element) for element in kind.elements)
    elif isinstance(kind, (ArrayType, VectorType)):
        each = _paths(kind.element)
        if not each or not kind.count:
            return each and []
        if kind.count > MAX_PARTS or (isinstance(kind, VectorType) and kind.scalable):
            return None
        inner = enumerate([each] * kind.count)
    else:
        return []
    found: list[Path] = []
    for index, paths in inner:
        if paths is None:
            return None
        found += [(index, *path) for path in paths]
    return found


def part(ids: FunctionIds, value: Value, path: Path) -> Value:
    """The id of a pointer inside of a value, or of the value itself: path ()."""
    if not path:
        return ids.of(value)
    if isinstance(value, Constant):
        element = _element(value, path[0])
        return ids.unknown if element is None else part(ids, element, path[1:])
    return ids.parts.get(value, {}).get(path, ids.unknown)


def _element(constant: Constant, index: int) -> Constant | None:
    if isinstance(constant, ConstantSplat):
        return constant.element
    return constant.elements[index] if isinstance(constant, ConstantAggregate) else None


def extracted(ids: FunctionIds, value: Value, path: Path) -> Value:
    """Code for the pointer at a path."""
    for index in path:
        if isinstance(value.type, VectorType):
            value = ids.at().extract_element(value, ids.hooks.int32(index))
        else:
            value = ids.at().extract_value(value, [index])
    return value


def keep_parts(ids: FunctionIds, op: Instruction) -> None:
    """Note the ids of the pointers in what an instruction makes of others."""
    if isinstance(op, (ExtractValue, ExtractElement)):
        _take_out(ids, op)
    elif is_address_number(op.type) and n_words(op.operands[0].type):
        note_words(ids, op, [known_word(ids, op.operands[0], 0)])
    paths = part_paths(ids, op)
    if paths and op not in ids.parts:
        found = {path: _made(ids, op, path) for path in paths}
        ids.parts[op] = {path: number for path, number in found.items() if not is_unknown(number)}


def part_paths(ids: FunctionIds, value: Value) -> tuple[Path, ...]:
    """Paths of the parts of a value that have ids: its pointers, or the words of a number."""
    return word_paths(value.type) if value in ids.carried else pointer_paths(value.type)


def _take_out(ids: FunctionIds, op: ExtractValue | ExtractElement) -> None:
    whole = op.operands[0]
    if is_plain_pointer(op.type) and isinstance(op, ExtractValue):
        ids.values[op] = part(ids, whole, op.indices)
    elif is_plain_pointer(op.type):
        ids.values[op] = _lane(ids, whole, op.operands[1])
    elif is_address_number(op.type) and isinstance(op, ExtractElement):
        note_words(ids, op, [_lane(ids, whole, op.operands[1])])


def _lane(ids: FunctionIds, vector: Value, index: Value) -> Value:
    assert isinstance(vector.type, VectorType)
    if isinstance(index, ConstantInt):
        return part(ids, vector, (index.unsigned,))
    chosen: Value = ids.unknown
    for path in pointer_paths(vector.type) or word_paths(vector.type):
        chosen = _if_lane(ids, index, path[0], part(ids, vector, path), chosen)
    return chosen


def _if_lane(ids: FunctionIds, index: Value, lane: int, number: Value, other: Value) -> Value:
    """One id if `index` is the lane, else the other."""
    if number is other or (is_unknown(number) and is_unknown(other)):
        return other
    assert isinstance(index.type, IntegerType)
    is_this = ids.at().icmp("eq", index, ConstantInt(index.type, lane))
    return ids.at().select(is_this, number, other)


def _made(ids: FunctionIds, op: Instruction, path: Path) -> Value:
    """The id of one pointer of a result."""
    if isinstance(op, (InsertValue, InsertElement)):
        return _after_insertion(ids, op, path)
    if isinstance(op, ExtractValue):
        return part(ids, op.operands[0], (*op.indices, *path))
    if isinstance(op, ShuffleVector):
        return _shuffled(ids, op, path[0])
    if isinstance(op, GetElementPtr):
        is_many = isinstance(op.operands[0].type, VectorType)
        return part(ids, op.operands[0], path if is_many else ())
    if isinstance(op, Select):
        return _selected(ids, op, path)
    if isinstance(op, Load):
        return _loaded(ids, op, path)
    if isinstance(op, CmpXchg):
        return part(ids, op, path)
    is_same = op.opcode in _HANDED_ON and op.operands[0].type is op.type
    if is_same or op.opcode == "inttoptr":
        return part(ids, op.operands[0], path)
    return moved_word(ids, op, path[0]) if n_words(op.type) else ids.unknown


def _after_insertion(ids: FunctionIds, op: InsertValue | InsertElement, path: Path) -> Value:
    whole, element = op.operands[:2]
    if isinstance(op, InsertElement):
        index = op.operands[2]
        if not isinstance(index, ConstantInt):
            new, old = part(ids, element, path[1:]), part(ids, whole, path)
            return _if_lane(ids, index, path[0], new, old)
        where: Path = (index.unsigned,)
    else:
        where = op.indices
    if path[: len(where)] == where:
        return part(ids, element, path[len(where) :])
    return part(ids, whole, path)


def _shuffled(ids: FunctionIds, op: ShuffleVector, lane: int) -> Value:
    source, number = op.operands[0].type, _mask_lane(op.mask, lane)
    assert isinstance(source, VectorType)
    if number is None:
        return ids.unknown
    return part(ids, op.operands[number >= source.count], (number % source.count,))


def _mask_lane(mask: Constant, lane: int) -> int | None:
    """A lane's number in a mask; None where it is poison."""
    if isinstance(mask, ConstantNull):
        return 0
    if isinstance(mask, ConstantData):
        return mask.values[lane]
    chosen = _element(mask, lane)
    return chosen.unsigned if isinstance(chosen, ConstantInt) else None


def _selected(ids: FunctionIds, op: Select, path: Path) -> Value:
    condition = op.operands[0]
    pair = part(ids, op.operands[1], path), part(ids, op.operands[2], path)
    if all(is_unknown(one) for one in pair):
        return ids.unknown
    if isinstance(condition.type, VectorType):
        condition = ids.at().extract_element(condition, ids.hooks.int32(path[0]))
    return ids.at().select(condition, *pair)


def part_place(ids: FunctionIds, pointer: Value, kind: Type, path: Path) -> Value:
    """Where the part of a value lies that is in memory at `pointer`."""
    indices = [ids.hooks.int32(index) for index in (0, *path)]
    return ids.at().gep(kind, pointer, indices)


def _loaded(ids: FunctionIds, load: Load, path: Path) -> Value:
    if not is_plain_pointer(load.pointer.type):
        return ids.unknown
    place = part_place(ids, load.pointer, load.type, path)
    return ids.ask("load", place, extracted(ids, load, path))


def store_parts(ids: FunctionIds, store: Store) -> None:
    """Ids of the pointers of a stored value, behind the store and the wiping of its slots."""
    if n_words(store.value.type):
        store_words(ids, store.pointer, store.value, words_of(ids, store.value))
    for path in pointer_paths(store.value.type):
        number = part(ids, store.value, path)
        if not is_unknown(number):
            place = part_place(ids, store.pointer, store.value.type, path)
            ids.ask("store", place, extracted(ids, store.value, path), number)

"""Numbers that are pointers all the time: they keep their ids, and expose nothing.

    %n = load i64, ptr %p              id = prov_load(%p, %n)
    store i64 %n, ptr %q               prov_store(%q, %n, id)
    %q = inttoptr i64 %n               id

Compilers copy structures by loads and stores of i64, and clang does atomic operations on pointers
with them.  A number is carried as long as each of its users hands it on: to memory, to an atomic
operation, to a phi or a choice that is carried itself, or back to a pointer.  Whoever calculates
with it, or may show it to others, has an address: then its object is exposed.

Numbers of several words (atomic operations of 16 bytes) expose what is in them.

Source: Memarian et al., POPL 2019, for what exposes an object.
Deviations: a number from an atomic operation may be compared, too: loops wait for one that changes.
"""

from __future__ import annotations

from irsan.instrument.pointer_ids.function_ids import FunctionIds
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import AtomicRMW, CmpXchg, Load, Store
from irsan.ir.operations import ExtractValue, Freeze, Select, VAArg
from irsan.ir.phi import Phi
from irsan.ir.types import IntegerType, Type
from irsan.ir.values import Function, Value

Users = dict[Value, list[Instruction]]
MOVING = frozenset(("add", "sub"))
"""Atomic operations that do to a pointer what its arithmetic does."""
_MAX_BITS = 512
_KEPT = (Load, AtomicRMW, ExtractValue, VAArg, Phi, Select, Freeze)


def users_of_numbers(function: Function) -> Users:
    """Users of all that may be a carried number, and of pointers that became numbers."""
    users: Users = {}
    for block in function.blocks:
        for instruction in block.instructions:
            for operand in instruction.operands:
                if isinstance(operand, _KEPT) or getattr(operand, "opcode", "") == "ptrtoint":
                    users.setdefault(operand, []).append(instruction)
    return users


def carried_numbers(function: Function, users: Users) -> frozenset[Value]:
    """The numbers that keep ids."""
    found = {one for block in function.blocks for one in block.instructions if _is_source(one)}
    waiting: list[Value] = list(found)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            is_new = isinstance(user, (Phi, Select, Freeze)) and user not in found
            if is_new and is_address_number(user.type):
                found.add(user)
                waiting.append(user)
    wrong = [one for one in found if not _is_carried(one, users, found)]
    while wrong:
        found.difference_update(wrong)
        wrong = [one for one in found if not _is_carried(one, users, found)]
    return frozenset(found)


def is_address_number(kind: Type) -> bool:
    """Whether a number has the size of a pointer."""
    return isinstance(kind, IntegerType) and kind.width == 64


def note_number(ids: FunctionIds, value: Instruction, number: Value) -> None:
    """`value`, an i64, has come from memory, where it was a pointer of this id."""
    if value in ids.carried:
        ids.values[value] = number
    else:
        ids.tell("expose", number)


def expose_words(ids: FunctionIds, place: Value, number: Value) -> None:
    """`number` has come from `place`: if it is wider than a pointer, those in it are exposed."""
    kind, types = number.type, ids.module.types
    if not isinstance(kind, IntegerType) or kind.width % 64 or not 64 < kind.width <= _MAX_BITS:
        return
    for first in range(0, kind.width, 64):
        at = ids.at()
        word = at.binary("lshr", number, ConstantInt(kind, first))
        pointer = at.cast("inttoptr", at.cast("trunc", word, types.i64), types.ptr_default)
        part = at.byte_gep(place, ids.hooks.int64(first // 8))
        ids.ask("expose", ids.ask("load", part, pointer))


def _is_source(one: Instruction) -> bool:
    if not is_address_number(one.type):
        return False
    if isinstance(one, ExtractValue):
        return isinstance(one.operands[0], CmpXchg) and one.indices == (0,)
    if isinstance(one, AtomicRMW):
        return one.operation == "xchg" or one.operation in MOVING
    return isinstance(one, (Load, VAArg)) or one.opcode == "ptrtoint"


def _is_carried(one: Value, users: Users, found: set[Instruction]) -> bool:
    if isinstance(one, (Phi, Select, Freeze)):
        numbers = one.operands[1:] if isinstance(one, Select) else one.operands
        if not all(isinstance(number, ConstantInt) or number in found for number in numbers):
            return False
    is_plain = isinstance(one, Load) and one.ordering is None
    is_cast = getattr(one, "opcode", "") == "ptrtoint"
    return all(
        _hands_on(user, one, found)
        and not (is_plain and user.opcode == "icmp")
        and not (is_cast and isinstance(user, Store) and user.ordering is None)
        for user in users.get(one, ())
    )


def _hands_on(user: Instruction, number: Value, found: set[Instruction]) -> bool:
    if isinstance(user, Store):
        return user.value is number
    if isinstance(user, AtomicRMW):
        return user.operation == "xchg"
    if isinstance(user, (Phi, Select, Freeze)):
        return user in found
    return isinstance(user, CmpXchg) or user.opcode in ("inttoptr", "icmp")

"""Numbers that are pointers all the time: they keep their ids, and expose nothing.

    %n = load i64, ptr %p              id = prov_load(%p, %n)
    store i64 %n, ptr %q               prov_store(%q, %n, id)
    %q = inttoptr i64 %n               id

Compilers copy structures by loads and stores of i64, and clang does atomic operations on pointers
with them.  A number is carried as long as each of its users hands it on: to memory, to an atomic
operation, to a phi or a choice that is carried itself, or back to a pointer.  Whoever calculates
with it, or may show it to others, has an address: then its object is exposed.  Numbers of several
words (words.py) may be put together and taken apart on the way, as long as words stay whole.

Source: Memarian et al., POPL 2019, for what exposes an object.
Deviations: a number from an atomic operation may be compared, too: loops wait for one that changes.
"""

from __future__ import annotations

from irsan.instrument.pointer_ids.words import is_address_number, n_words, shifted_words
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import AtomicRMW, CmpXchg, Load, Store
from irsan.ir.operations import (
    ExtractElement,
    ExtractValue,
    Freeze,
    InsertElement,
    Select,
    ShuffleVector,
    VAArg,
)
from irsan.ir.phi import Phi
from irsan.ir.types import IntegerType, Type
from irsan.ir.values import Function, Value

Users = dict[Value, list[Instruction]]
MOVING = frozenset(("add", "sub"))
"""Atomic operations that do to a pointer what its arithmetic does."""
_JOINS = (Phi, Select, Freeze)


def users_of_numbers(function: Function) -> Users:
    """Users of all that may be a carried number, and of pointers that became numbers."""
    users: Users = {}
    for block in function.blocks:
        for instruction in block.instructions:
            for operand in instruction.operands:
                if isinstance(operand, Instruction) and _may_be_carried(operand):
                    users.setdefault(operand, []).append(instruction)
    return users


def carried_numbers(function: Function, users: Users) -> frozenset[Value]:
    """The numbers that keep ids."""
    found = {one for block in function.blocks for one in block.instructions if _is_source(one)}
    waiting: list[Value] = list(found)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if isinstance(user, _JOINS) and user not in found and _is_number(user.type):
                found.add(user)
                waiting.append(user)
    wrong = [one for one in found if not _is_carried(one, users, found)]
    while wrong:
        found.difference_update(wrong)
        wrong = [one for one in found if not _is_carried(one, users, found)]
    return frozenset(found)


def _may_be_carried(one: Instruction) -> bool:
    return _is_number(one.type) or one.opcode == "ptrtoint"


def _is_number(kind: Type) -> bool:
    return is_address_number(kind) or n_words(kind) > 0


def _is_source(one: Instruction) -> bool:
    if not _is_number(one.type):
        return False
    if isinstance(one, ExtractValue):
        return isinstance(one.operands[0], CmpXchg) and one.indices == (0,)
    if isinstance(one, AtomicRMW):
        return one.operation == "xchg" or one.operation in MOVING
    return isinstance(one, (Load, VAArg)) or one.opcode == "ptrtoint" or _moves_words(one)


def _moves_words(one: Instruction) -> bool:
    """Whether words of one operand or of two are words of the result, unless that is a number of
    one word and of one word only.
    """
    if not (n_words(one.type) or n_words(one.operands[0].type)):
        return False
    if one.opcode == "or":
        return isinstance(one.type, IntegerType)
    is_cast = one.opcode in ("zext", "trunc", "bitcast") and _is_number(one.operands[0].type)
    is_vector = isinstance(one, (ExtractElement, InsertElement, ShuffleVector))
    return is_cast or is_vector or shifted_words(one) is not None


def _is_carried(one: Value, users: Users, found: set[Instruction]) -> bool:
    assert isinstance(one, Instruction)
    if isinstance(one, _JOINS):
        numbers = one.operands[1:] if isinstance(one, Select) else one.operands
        if not all(isinstance(number, ConstantInt) or number in found for number in numbers):
            return False
    elif _moves_words(one) and not any(number in found for number in one.operands):
        return False
    is_plain = isinstance(one, Load) and one.ordering is None
    is_cast = one.opcode == "ptrtoint"
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
    if isinstance(user, _JOINS):
        return user in found
    if _moves_words(user) and _is_number(user.type):
        return user in found or is_address_number(user.type)  # taken out, it may expose
    return isinstance(user, CmpXchg) or user.opcode in ("inttoptr", "icmp")

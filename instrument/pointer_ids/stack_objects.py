"""Variables of the stack: which become objects, and where their lives end.

    all accesses surely inside of it, nothing else done with its address     no object, no checks
    a pointer that is only loaded and stored                                 its id lies beside it
    any other                                                                 an object per call

An object of the stack is born where its alloca is and dies where the function returns; between the
end of its scope and the next beginning it is dead, too.

Those of blocks behind the first one end when the stack shrinks (stack_pointer.py), and those of a
function that longjmp or an exception leaves where control arrives
(instrument/frames/stack_arrivals.py).
"""

from __future__ import annotations

from collections.abc import Collection

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.escape import users_of_pointers
from irsan.instrument.analysis.objects.lifetimes import marked_pointer
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.ir.calls import Call
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, AtomicRMW, CmpXchg, GetElementPtr, Load, Store
from irsan.ir.types import PointerType
from irsan.ir.values import Argument, Function, Value

_BLOCK_INTRINSICS = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")


class StackObjects:
    """The variables of one function: its allocas, and arguments that are copies."""

    __slots__ = ("_facts", "_sizes", "_users", "copies", "objects", "slots")

    def __init__(
        self, function: Function, sizes: TypeSizes, facts: AddressFacts, copies: Collection[Value]
    ) -> None:
        """copies: arguments that are objects of the function.

        objects: variables that get an id; slots: pointers whose id lies beside them.
        """
        self._sizes, self._facts = sizes, facts
        self._users = users_of_pointers(function, copies)
        self.copies = [one for one in copies if isinstance(one, Argument) and self._needs_id(one)]
        allocas = [one for one in self._users if isinstance(one, Alloca)]
        self.slots = frozenset([one for one in allocas if self._is_pointer_slot(one)])
        self.objects = frozenset(
            [one for one in allocas if one not in self.slots and self._may_be_object(one)]
        )

    def _is_pointer_slot(self, alloca: Alloca) -> bool:
        count = alloca.count
        if not is_plain_pointer(alloca.allocated_type):
            return False
        if not isinstance(count, ConstantInt) or count.value != 1:
            return False
        return all(_moves_pointer(user, alloca) for user in self._users[alloca])

    def _may_be_object(self, alloca: Alloca) -> bool:
        return not alloca.swifterror and is_plain_pointer(alloca.type) and self._needs_id(alloca)

    def _needs_id(self, variable: Value) -> bool:
        work: list[Value] = [variable]
        seen: set[Value] = set()
        while work:
            pointer = work.pop()
            for user in self._users.get(pointer, ()):
                if isinstance(user, GetElementPtr) and user not in seen:
                    if self._facts.locate(user).root is not variable:
                        return True
                    seen.add(user)
                    work.append(user)
                elif not isinstance(user, GetElementPtr) and not self._is_inside(user, pointer):
                    return True
        return False

    def _is_inside(self, user: Instruction, pointer: Value) -> bool:
        """Whether a use is an access that surely stays in the variable, or a mark."""
        if isinstance(user, Store):
            is_target = user.pointer is pointer and user.value is not pointer
            size = self._sizes.store_size(user.value.type)
            return is_target and self._facts.is_inside(pointer, size)
        if isinstance(user, Load):
            return self._facts.is_inside(pointer, self._sizes.store_size(user.type))
        if isinstance(user, (AtomicRMW, CmpXchg)):
            size = self._sizes.store_size(user.operands[1].type)
            is_target = all(operand is not pointer for operand in user.operands[1:])
            return is_target and self._facts.is_inside(pointer, size)
        if not isinstance(user, Call):
            return False
        if marked_pointer(user) is not None:
            return True
        name = getattr(user.operands[0], "name", "") or ""
        if not name.startswith(_BLOCK_INTRINSICS):
            return False
        length = user.operands[3]
        return isinstance(length, ConstantInt) and self._facts.is_inside(pointer, length.unsigned)


def is_plain_pointer(kind: object) -> bool:
    """Whether a type is that of pointers into memory as we know it."""
    return isinstance(kind, PointerType) and kind.address_space == 0


def _moves_pointer(user: Instruction, alloca: Alloca) -> bool:
    if isinstance(user, Load):
        return is_plain_pointer(user.type) and user.ordering is None
    if isinstance(user, Store):
        is_target = user.pointer is alloca and user.value is not alloca
        return is_target and is_plain_pointer(user.value.type) and user.ordering is None
    return marked_pointer(user) is not None

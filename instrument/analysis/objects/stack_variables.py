"""Which stack variables can be misused, and how: what their redzones and lives are needed for.

    every access at a constant place inside, no call sees the address     nothing
    a variable index, or a callee that gets the address                   redzones
    the address may outlive the call (stored, returned, captured)         a fake frame
    used where its life may be over                                       out of scope poison

A checked access (`__asan_load4(p)`) is one that could not be shown to be inside.

Source: LLVM's AddressSanitizer pass (which allocas it takes), its StackSafetyAnalysis (accesses
inside, at a time when the variable must be alive). Deviations: callees are not looked into.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.objects.escape import DERIVING, MAX_USES, lets_go, users_of_pointers
from irsan.instrument.analysis.objects.lifetimes import Lifetimes
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.hooks import HOOKS
from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, AtomicRMW, CmpXchg, GetElementPtr, Load, Store
from irsan.ir.types import Type, VectorType
from irsan.ir.values import Function, Value

_QUIET_CALLS = (
    "llvm.lifetime.", "llvm.dbg.", "llvm.va_start", "llvm.va_end", "llvm.invariant.start",
    "__irsan_",
)  # fmt: skip
_COPIES = ("__asan_memcpy", "__asan_memmove", "__asan_memset",
           "llvm.memcpy.", "llvm.memmove.", "llvm.memset.")  # fmt: skip


@dataclass(slots=True)
class Usage:
    """What happens to one variable."""

    is_exposed: bool = False  # an access may be outside, or other code makes it
    escapes: bool = False
    users: list[Instruction] = field(default_factory=list)  # that access it, or hand it on
    is_used_dead: bool = False
    size_bytes: int | None = None  # None when not known before the program runs

    @property
    def is_interesting(self) -> bool:
        return self.is_exposed or self.is_used_dead


def usages_of(
    function: Function, addresses: AddressFacts, sizes: TypeSizes, lifetimes: Lifetimes
) -> dict[Value, Usage]:
    """The use that each alloca and each copied argument of a function is put to."""
    arguments = byval_sizes(function, sizes)
    users = users_of_pointers(function, arguments)
    found = {
        pointer: _usage(pointer, users, addresses, sizes)
        for pointer in users
        if isinstance(pointer, Alloca) or pointer in arguments
    }
    if lifetimes.markers:
        _find_dead_uses(function, lifetimes, found)
    return found


def byval_sizes(function: Function, sizes: TypeSizes) -> dict[Value, int]:
    """Bytes of each argument that is passed by value in memory: the callee's own object."""
    found: dict[Value, int] = {}
    for argument, attributes in zip(
        function.arguments, function.attributes.parameters, strict=False
    ):
        copied = find_attribute(attributes, "byval") if attributes else None
        if copied is not None and isinstance(copied.value, Type):
            found[argument] = sizes.alloc_size(copied.value) or 0
    return found


def returns_twice(call: Call | CallTerminator) -> bool:
    """Whether a call is one of setjmp or similar."""
    callee = call.operands[0]
    sets = [call.attributes.function]
    if isinstance(callee, Function):
        sets.append(callee.attributes.function)
    return any(attribute.kind == "returns_twice" for kinds in sets for attribute in kinds)


def _find_dead_uses(
    function: Function, lifetimes: Lifetimes, found: dict[Value, Usage]
) -> None:
    used_by: dict[Instruction, list[Alloca]] = {}
    for alloca, usage in found.items():
        if isinstance(alloca, Alloca) and lifetimes.has_markers(alloca):
            usage.is_used_dead = usage.escapes
            for user in usage.users:
                used_by.setdefault(user, []).append(alloca)
    for block in function.blocks:
        alive = lifetimes.alive_at(block)
        for instruction in block.instructions:
            for alloca in used_by.get(instruction, ()):
                if not lifetimes.is_alive(alloca, alive):
                    found[alloca].is_used_dead = True
            alive = lifetimes.after(alive, instruction)


def _usage(
    variable: Value,
    users: dict[Value, list[Instruction]],
    addresses: AddressFacts,
    sizes: TypeSizes,
) -> Usage:
    """Follows the address through everything that derives from it."""
    usage = Usage()
    usage.size_bytes = room = addresses.object_size(variable)
    seen: set[Value] = {variable}
    work: list[tuple[Value, int | None]] = [(variable, 0)]
    n_uses = 0
    while work:
        pointer, offset = work.pop()
        for user in users.get(pointer, ()):
            n_uses += 1
            if n_uses > MAX_USES:
                usage.escapes = usage.is_exposed = True
                return usage
            if user.opcode in DERIVING:
                if user not in seen:
                    seen.add(user)
                    work.append((user, _offset_of(user, offset, sizes)))
                continue
            if user.opcode == "icmp" or _is_quiet(user):
                continue
            usage.users.append(user)
            if lets_go(user, pointer):
                usage.escapes = usage.is_exposed = True
            elif not _is_inside(user, offset, room, sizes):
                usage.is_exposed = True
    return usage


def _offset_of(user: Instruction, offset: int | None, sizes: TypeSizes) -> int | None:
    """How far into the variable a derived pointer points, None when unknown."""
    if offset is None or user.opcode in ("bitcast", "freeze"):
        return offset
    if not isinstance(user, GetElementPtr) or isinstance(user.type, VectorType):
        return None
    step = sizes.gep_offset(user.source_type, user.operands[1:])
    return None if step is None else offset + step


def _is_quiet(user: Instruction) -> bool:
    """Whether a call neither accesses the memory nor keeps the address."""
    callee = user.operands[0] if isinstance(user, (Call, CallTerminator)) else None
    if not isinstance(callee, Function):
        return False
    if callee.name.startswith(_QUIET_CALLS):
        return True
    hook = HOOKS.get(callee.name)
    return hook is not None and hook.sanitizer == "thread" and hook.group in ("access", "range")


def _is_inside(
    user: Instruction, offset: int | None, room: int | None, sizes: TypeSizes
) -> bool:
    """Whether `user` surely accesses nothing but the variable."""
    size = _accessed_bytes(user, sizes)
    if offset is None or room is None or size is None:
        return False
    return offset >= 0 and offset + size <= room


def _accessed_bytes(user: Instruction, sizes: TypeSizes) -> int | None:
    if isinstance(user, Load):
        return sizes.store_size(user.type)
    if isinstance(user, Store):
        return sizes.store_size(user.value.type)
    if isinstance(user, AtomicRMW):
        return sizes.store_size(user.value.type)
    if isinstance(user, CmpXchg):
        return sizes.store_size(user.operands[1].type)
    if isinstance(user, Call):
        return _bytes_of_call(user)
    return None


def _bytes_of_call(call: Call) -> int | None:
    callee = call.called_function
    if callee is None:
        return None
    if callee.name.startswith(_COPIES):
        amount = call.arguments[2]
        return amount.unsigned if isinstance(amount, ConstantInt) else None
    hook = HOOKS.get(callee.name)
    if hook is not None and hook.group == "atomic":
        return hook.size_bytes
    return None

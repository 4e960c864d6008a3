"""The checks of one access: which hooks an address and a size need, and which they do not.

    size 1, 2, 4, 8, 16, well aligned   __asan_load4(p)            __tsan_read4(p)
    the same, badly aligned             __asan_loadN(p, 4)         __tsan_unaligned_read4(p)
    other sizes                         __asan_loadN(p, 10)        __tsan_read_range(p, 10)

No memory check: constant place inside a live object of this module. No race check: stack variables
that do not escape, reads of constants and of virtual tables. Neither: other address spaces,
swifterror, profile counters.

Source: LLVM's AddressSanitizer and ThreadSanitizer passes (sizes, alignments, exceptions).
Deviations: ThreadSanitizer skips odd sizes; they are checked as ranges here.
"""

from __future__ import annotations

from typing import NamedTuple

from irsan.instrument.check_names import ADDRESS, THREAD
from irsan.instrument.check_stats import LEFT_OUT
from irsan.instrument.function_scope import FunctionScope
from irsan.instrument.hooks import ACCESS_SIZES
from irsan.ir.attributes import find_attribute
from irsan.ir.calls import Call
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, Load
from irsan.ir.metadata import MetadataNode, MetadataString, MetadataTuple
from irsan.ir.types import PointerType
from irsan.ir.values import Argument, GlobalVariable, Value

_GRANULE_BYTES = 8
_COUNTER_PREFIXES = ("__llvm_gcov", "__llvm_gcda", "__profc_", "__asan_", "___asan_")
_COUNTER_SECTION = "__llvm_prf_cnts"
CHECKED_BEFORE = "checked before on every way here"
_DYNAMIC_INIT = "sanitize_address_dyninit"


class Access(NamedTuple):
    """`size_bytes` bytes at `pointer`, which is a multiple of `alignment` (bytes).

    is_volatile: the program means to look again, so the race check is not covered by another one:
    in a schedule that is explored another thread may go on between the two
    """

    pointer: Value
    size_bytes: int
    alignment: int
    is_write: bool
    is_volatile: bool = False


def add_checks(
    scope: FunctionScope,
    access: Access,
    location: MetadataNode | None,
    out: list[Instruction | None],
) -> None:
    """Appends the hooks that `access` needs at this point of the block."""
    if not access.size_bytes or is_exempt(scope, access.pointer):
        return
    if scope.checks_address:
        add_address_check(scope, access, location, out)
    if scope.checks_thread:
        reason = why_no_race_check(scope, access)
        if reason:
            scope.stats.note(THREAD, LEFT_OUT, reason)
        else:
            _add_race_check(scope, access, location, out)


def add_address_check(
    scope: FunctionScope,
    access: Access,
    location: MetadataNode | None,
    out: list[Instruction | None],
) -> None:
    """Appends the memory check unless it cannot fail or was made already."""
    pointer, size = access.pointer, access.size_bytes
    place = scope.addresses.locate(pointer)
    if is_surely_inside(scope, pointer, size):
        scope.stats.note(ADDRESS, LEFT_OUT, "surely inside a live object")
    elif scope.covered.needs_address_check(place, size):
        out.append(address_hook(scope, access, location))
    else:
        scope.stats.note(ADDRESS, LEFT_OUT, CHECKED_BEFORE)


def _add_race_check(
    scope: FunctionScope,
    access: Access,
    location: MetadataNode | None,
    out: list[Instruction | None],
) -> None:
    place, size, covered = scope.addresses.locate(access.pointer), access.size_bytes, scope.covered
    if not access.is_write:
        if covered.needs_read_check(place, size, len(out)) or access.is_volatile:
            out.append(race_hook(scope, access, location))
            return
    elif covered.needs_write_check(place, size):
        if covered.drop_read_before_write(place, size, out):
            scope.stats.note(THREAD, LEFT_OUT, "read before a write of the same place")
        out.append(race_hook(scope, access, location))
        return
    scope.stats.note(THREAD, LEFT_OUT, CHECKED_BEFORE)


def address_hook(scope: FunctionScope, access: Access, location: MetadataNode | None) -> Call:
    """The call of `__asan_load4` and its like."""
    word = "store" if access.is_write else "load"
    size = access.size_bytes
    is_aligned = access.alignment >= min(size, _GRANULE_BYTES)
    if size in ACCESS_SIZES and is_aligned:
        return scope.hooks.call(f"__asan_{word}{size}", [access.pointer], location)
    amount = scope.hooks.int64(size)
    return scope.hooks.call(f"__asan_{word}N", [access.pointer, amount], location)


def race_hook(scope: FunctionScope, access: Access, location: MetadataNode | None) -> Call:
    """The call of `__tsan_read4` and its like."""
    word = "write" if access.is_write else "read"
    size = access.size_bytes
    if size not in ACCESS_SIZES:
        amount = scope.hooks.int64(size)
        return scope.hooks.call(f"__tsan_{word}_range", [access.pointer, amount], location)
    is_aligned = access.alignment >= _GRANULE_BYTES or access.alignment % size == 0
    prefix = "" if is_aligned else "unaligned_"
    return scope.hooks.call(f"__tsan_{prefix}{word}{size}", [access.pointer], location)


def is_surely_inside(scope: FunctionScope, pointer: Value, size_bytes: int) -> bool:
    """Whether the access lies inside an object of this module that is surely alive here."""
    if scope.poisons or not scope.addresses.is_inside(pointer, size_bytes):
        return False
    root = scope.addresses.locate(pointer).root
    if isinstance(root, Alloca):
        return scope.lifetimes.is_alive(root, scope.alive)
    return not (isinstance(root, GlobalVariable) and _DYNAMIC_INIT in root.sanitizer)


def needs_race_check(scope: FunctionScope, access: Access) -> bool:
    """Whether another thread could touch these bytes in conflict."""
    return not why_no_race_check(scope, access)


def why_no_race_check(scope: FunctionScope, access: Access) -> str:
    """Why no other thread can touch these bytes in conflict, "" where one could."""
    root = scope.addresses.object_of(access.pointer)
    if isinstance(root, Alloca):
        return "stack variable that does not escape" if root in scope.unescaped else ""
    if access.is_write:
        return ""
    if isinstance(root, GlobalVariable):
        return "constant" if root.is_constant else ""
    return "virtual table" if isinstance(root, Load) and is_vtable_access(root) else ""


def is_exempt(scope: FunctionScope, pointer: Value) -> bool:
    """Whether accesses through `pointer` are none of ours."""
    pointer_type = pointer.type
    if isinstance(pointer_type, PointerType) and pointer_type.address_space:
        return True
    root = scope.addresses.locate(pointer).root
    if isinstance(root, Alloca):
        return root.swifterror
    if isinstance(root, Argument):
        attributes = scope.function.attributes.parameter(root.index)
        return find_attribute(attributes, "swifterror") is not None
    if isinstance(root, GlobalVariable):
        return root.name.startswith(_COUNTER_PREFIXES) or _COUNTER_SECTION in root.section
    return False


def is_vtable_access(instruction: Instruction) -> bool:
    """Whether type metadata says that this reads or writes the pointer to a virtual table."""
    if not instruction.metadata:
        return False
    tag = instruction.get_metadata("tbaa")
    if not isinstance(tag, MetadataTuple):
        return False
    operands = tag.operands
    node = operands[1] if len(operands) >= 3 and isinstance(operands[0], MetadataTuple) else tag
    if not isinstance(node, MetadataTuple) or not node.operands:
        return False
    name = node.operands[0]
    return isinstance(name, MetadataString) and name.text == "vtable pointer"

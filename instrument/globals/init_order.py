"""Order of initialisation: which globals code initialises, and when that code runs.

    int x = f();     __cxx_global_var_init:  store i32 %v, ptr @x     @x is marked
    _GLOBAL__sub_I_a.cpp:   __asan_before_dynamic_init("a.cpp")
                            ... the initialisers of this module ...
                            __asan_after_dynamic_init()

Between the two calls the run-time poisons marked globals of other modules that are not initialised
yet, so accesses to marked globals are always checked. Marks that clang has made are kept.

irsan's own front end has made all marks there are to be (`is_marked`). A compiler that does not
sanitize makes none, so they are found: clang puts the initialiser of
each variable into one artificial function. What such a function passes on at the very line of a
variable's definition is that variable, and so is where it stores a value there or at no line.

Source: LLVM's AddressSanitizer pass.
Deviations: without debug info nothing is marked; neither are variables that several modules may
define, whose initialiser may be another module's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from irsan.instrument.analysis.objects.addresses import AddressFacts
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.globals.global_descriptors import (
    DYNAMIC_INIT,
    TEXT_SECTION,
    module_name,
    source_place,
)
from irsan.instrument.globals.global_eligibility import may_have_redzone
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.policy import is_touched
from irsan.instrument.sites.source_frames import location_to_frames
from irsan.ir.constants import ConstantAggregate, ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Store
from irsan.ir.metadata import DILocation
from irsan.ir.module import Module
from irsan.ir.rewriting import instructions_of
from irsan.ir.values import Function, GlobalVariable, Value

_INITIALISER = "__cxx_global_var_init"
_EARLIEST_PRIORITY = 1  # of asan.module_ctor: what runs before is not seen
_PASSING = ("call", "invoke")


@dataclass(frozen=True, slots=True)
class InitOrder:
    """Marks variables with dynamic initialisers, and announces when these run."""

    portable: bool = False
    is_marked: bool = False  # by the front end, as its list of what to ignore says

    def apply(self, module: Module) -> None:
        """Run it before accesses are checked: the marks decide which checks may be left out."""
        starters = _starters(module)
        if not starters:
            return
        if not self.is_marked:
            _mark_variables(module)
        if any(DYNAMIC_INIT in variable.sanitizer for variable in module.globals):
            name = module_name(module, "" if self.portable else TEXT_SECTION)
            hooks = HookCalls(module)
            for function in starters:
                _tell(function, name, hooks)


def _starters(module: Module) -> list[Function]:
    """The functions that the program runs before main, behind asan.module_ctor."""
    variable = module.global_by_name("llvm.global_ctors")
    if variable is None or not isinstance(variable.initializer, ConstantAggregate):
        return []
    found = []
    for entry in variable.initializer.elements:
        if not isinstance(entry, ConstantAggregate):
            continue
        priority, function = entry.elements[:2]
        is_late = isinstance(priority, ConstantInt) and priority.unsigned > _EARLIEST_PRIORITY
        if is_late and isinstance(function, Function) and is_touched(function):
            found.append(function)
    return found


def _mark_variables(module: Module) -> None:
    places: dict[Value, tuple[str, int]] = {
        variable: source_place(variable) for variable in module.globals if _may_be_marked(variable)
    }
    if not places:
        return
    sizes = TypeSizes(module)
    for function in module.functions:
        if not function.blocks or not _may_initialise(function):
            continue
        addresses = AddressFacts(sizes)
        for instruction in instructions_of(function):
            place = _initialiser_place(instruction, function)
            if place is None:
                continue
            for pointer in _targets(instruction):
                found = addresses.object_of(pointer)
                if _is_own(instruction, place, places.get(found, ("", 0))):
                    assert isinstance(found, GlobalVariable)
                    found.sanitizer = tuple({*found.sanitizer, DYNAMIC_INIT})


def _may_be_marked(variable: GlobalVariable) -> bool:
    if variable.is_constant or not may_have_redzone(variable, portable=False):
        return False
    is_only_copy = variable.comdat is None and variable.linkage in ("external", "internal")
    return is_only_copy and source_place(variable)[1] > 0


def _may_initialise(function: Function) -> bool:
    """Whether the function is one of the artificial ones, or they may be inlined into it."""
    return function.name.startswith((_INITIALISER, "_GLOBAL__"))


def _initialiser_place(instruction: Instruction, function: Function) -> tuple[str, int] | None:
    """File and line in the initialiser that the instruction belongs to, inlined or not."""
    location = instruction.debug_location
    if instruction.opcode not in ("store", *_PASSING) or not isinstance(location, DILocation):
        return None
    for name, file, line, _ in location_to_frames(location, function):
        if name.startswith(_INITIALISER):
            return file, line
    return None


def _is_own(initialising: Instruction, at: tuple[str, int], defined: tuple[str, int]) -> bool:
    """Whether the object initialised at a place is the variable defined there.

    clang gives the store of a finished value no line.
    """
    (file, line), (defined_file, defined_line) = at, defined
    if not defined_line or file != defined_file:
        return False
    is_plain_store = isinstance(initialising, Store) and not line
    return line == defined_line or is_plain_store


def _targets(instruction: Instruction) -> Iterator[Value]:
    """Pointers through which the instruction may initialise something."""
    if isinstance(instruction, Store):
        yield instruction.pointer
    else:
        yield from instruction.operands[1:]


def _tell(function: Function, name: GlobalVariable, hooks: HookCalls) -> None:
    """Calls at the function's entry and before each return."""
    entry = function.entry
    at = entry.first_insertion_index()
    while entry.instructions[at].opcode == "alloca":
        at += 1
    location = entry.instructions[-1].debug_location
    entry.instructions.insert(at, hooks.call("__asan_before_dynamic_init", [name], location))
    for block in function.blocks:
        last = block.terminator
        if last is not None and last.opcode == "ret":
            after = hooks.call("__asan_after_dynamic_init", [], last.debug_location)
            block.instructions.insert(-1, after)

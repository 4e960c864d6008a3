"""Sites of code without checks: the program says where it is before what may trap.

In code that is checked, instrumentation stores sites itself.  Otherwise the number of an
instruction's line is its site (`instrument/sites/fault_sites.py`), which the JIT engine finds by
the processor's address of a fault; under the interpreter that address is the machine's own.  So the
site is stored before each access, and a function without a shadow frame gets one.
"""

from __future__ import annotations

from typing import Final

from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.sites.fault_sites import HAS_NO_FRAME, has_site_lines
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.values import Function

_MAY_TRAP: Final = frozenset(
    ("load", "store", "sdiv", "udiv", "srem", "urem", "atomicrmw", "cmpxchg", "unreachable")
)
_SITE, _ENTRY, _EXIT = "__irsan_site", "__irsan_frame_entry", "__irsan_frame_exit"


def tell_sites(module: Module) -> None:
    """Insert the calls, when lines are sites."""
    if not has_site_lines(module):
        return
    for function in module.functions[:]:
        places = [op.location for block in function.blocks for op in block.instructions]
        known = [place for place in places if place is not None]
        if not known:
            continue
        _tell(module, function)
        if all(place.column == HAS_NO_FRAME for place in known):
            _add_frame(module, function)


def _tell(module: Module, function: Function) -> None:
    hooks = HookCalls(module)
    for block in function.blocks:
        told: list[Instruction] = []
        for op in block.instructions:
            is_ours = op.get_metadata("nosanitize") is not None  # shadow, and maybe no frame yet
            if op.opcode in _MAY_TRAP and op.location is not None and not is_ours:
                told.append(hooks.call(_SITE, [hooks.int32(op.location.line)], None))
            told.append(op)
        block.instructions = told


def _add_frame(module: Module, function: Function) -> None:
    """No exception passes here: a function that calls anything has a frame already."""
    entry = function.entry.instructions
    hooks = HookCalls(module)
    frame = hooks.call(_ENTRY, [], None)
    entry.insert(0, frame)
    for block in function.blocks:
        if block.instructions[-1].opcode == "ret":
            exiting = hooks.call(_EXIT, [frame], None)
            block.instructions.insert(len(block.instructions) - 1, exiting)

"""The virtual machine: one numba loop made of the table of operations, as a native object.

    u64 interpret(u64 frame, u64 pc)     runs a function until it ends (0) or asks its stub (n > 0)

`frame` is where the function's registers are: 8-byte slots, the first of which holds the address of
the function's pool (constants, then helpers).  `pc` is the address of a code word.  The machine
keeps nothing else: it runs on the guest's own stack, one activation per function, so threads,
signals, exceptions and longjmp pass through it as through any native function.

The loop's source is written here from `opcodes.OPCODES`; LLVM makes a jump table of the chain of
comparisons.  Nothing can be missed or falsely reported here: checks are operations of the program.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any, Final

from irsan.engine.cache import Cache
from irsan.engine.interp.machine_symbol import SYMBOL
from irsan.engine.interp.opcodes import OPCODES, Opcode
from irsan.engine.jit.build import TRIPLE, optimise, target_machine
from irsan.engine.jit.source_hash import interp_sources_hash

_FILE: Final = "<irsan virtual machine>"
_HEAD: Final = """def interpret(frame, pc):
    while True:
        word = load_u64(pc)
        op = word & U64_65535
        a = frame + (word >> U64_13 & FIELD)
        b = frame + (word >> U64_29 & FIELD)
        c = frame + (word >> U64_45 & FIELD)
        pc += U64_8
"""
_NAMES: Final = {
    "k": "k = i64(word) >> i64(48)",
    "j": "k = i64(word) >> i64(48)",
    "n": "n = word >> U64_48",
    "J": "far = half_to_bytes(word, U64_1)",
    "o": "place = word >> U64_32",
}


def load_or_build_machine(cache: Cache, progress: Callable[[str], None]) -> bytes:
    """The machine's object, from the cache or compiled now (some ten seconds, once)."""
    key = interp_sources_hash()
    stored = cache.get("machine", key)
    if stored is None:
        progress("compiling the interpreter (once per version; about ten seconds)")
        stored = build_machine()
        cache.put("machine", key, stored)
    return stored


def build_machine() -> bytes:
    """Compile the loop with numba and export it under `SYMBOL`, so that exceptions may pass."""
    import llvmlite.binding as llvm

    overload = compile_loop()
    name = overload.fndesc.llvm_func_name
    text = f"""target triple = "{TRIPLE}"
declare i32 @{name}(ptr, ptr, i64, i64)
define i64 @{SYMBOL}(i64 %frame, i64 %pc) uwtable {{
%r = alloca i64
%s = call i32 @{name}(ptr %r, ptr null, i64 %frame, i64 %pc)
%v = load i64, ptr %r
ret i64 %v
}}
"""
    module = llvm.parse_assembly(text)
    bitcode = overload.library._get_module_for_linking().as_bitcode()
    module.link_in(llvm.parse_bitcode(bitcode))
    module.get_function(name).add_function_attribute("alwaysinline")
    module.get_function(name).add_function_attribute("uwtable")
    machine = target_machine()
    optimise(module, machine, level=2)
    return bytes(machine.emit_object(module))


def compile_loop() -> Any:
    """numba's overload of `interpret`."""
    import numba
    from numba import types

    source = loop_source()
    linecache.cache[_FILE] = (len(source), None, source.splitlines(keepends=True), _FILE)
    names = _loop_names()
    exec(compile(source, _FILE, "exec"), names)
    njit: Any = numba.njit
    decorate = njit(
        [types.uint64(types.uint64, types.uint64)],
        error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True,
    )  # fmt: skip
    [overload] = decorate(names["interpret"]).overloads.values()
    return overload


def loop_source() -> str:
    """Python source of the loop."""
    lines = [_HEAD]
    for number, opcode in enumerate(OPCODES):
        lines.append(f"        {'elif' if number else 'if'} op == OP{number}:  # {opcode.name}\n")
        lines += [f"            {statement}\n" for statement in _statements(opcode)]
    lines.append("        else:\n            return ALL_ONES\n")
    return "".join(lines)


def _statements(opcode: Opcode) -> list[str]:
    extra = [_NAMES[letter] for letter in opcode.layout if letter in _NAMES]
    return [*extra, *(part.strip() for part in opcode.body.split(";"))]


def _loop_names() -> dict[str, Any]:
    """What the loop's source speaks of: intrinsics, numba's types, numbers."""
    import numpy as np

    from irsan.engine.interp import intrinsics
    from irsan.runtime.kernels import memory

    names: dict[str, Any] = {}
    for module in (memory, intrinsics):
        names |= {name: value for name, value in vars(module).items() if not name.startswith("_")}
    names |= {f"U64_{n}": np.uint64(n) for n in (0, 8, 13, 16, 29, 32, 45, 48)}
    names |= {f"OP{number}": np.uint64(number) for number in range(len(OPCODES))}
    names |= {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
              "i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64}  # fmt: skip
    return names

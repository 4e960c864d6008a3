"""Runs functions with shadow natively, without irsan's runtime: hooks are a few lines of IR.

    run = ShadowRun("define void @f(ptr %in, ptr %out) { ... }")
    run(values, shadow) -> (bytes of out, their shadow, number of findings)

Memory is one block, of 256 bytes unless told, its shadow the next one.
"""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm

from irsan.instrument.uninitialised.uninitialised_values import UninitialisedValues
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text

BLOCK = 256
OUT = 128

LAYOUT = (
    'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-'
    'n8:16:32:64-S128"\ntarget triple = "x86_64-unknown-linux-gnu"\n'
)
_HOOKS = f"""
@findings = global i64 0
@stored = global i64 0
@area = global [8192 x i8] zeroinitializer

define ptr @__irsan_bits_from(ptr %p) alwaysinline {{
  %r = getelementptr i8, ptr %p, i64 {BLOCK}
  ret ptr %r
}}
define ptr @__irsan_bits_to(ptr %p) alwaysinline {{
  %r = getelementptr i8, ptr %p, i64 {BLOCK}
  ret ptr %r
}}
define ptr @__irsan_bits_at(ptr %p) alwaysinline {{
  %r = getelementptr i8, ptr %p, i64 {BLOCK}
  ret ptr %r
}}
define ptr @__irsan_bits_beside(ptr %p, ptr %s, i64 %n) alwaysinline {{
  %r = getelementptr i8, ptr %s, i64 %n
  ret ptr %r
}}
define ptr @__irsan_bits_passed(i64 %n) {{
  %r = getelementptr i8, ptr @area, i64 %n
  ret ptr %r
}}
define ptr @__irsan_bits_passed_place(i64 %n) {{
  %m = add i64 %n, 1024
  %r = getelementptr i8, ptr @area, i64 %m
  ret ptr %r
}}
define ptr @__irsan_bits_result() {{
  ret ptr getelementptr (i8, ptr @area, i64 2048)
}}
define ptr @__irsan_bits_result_place() {{
  ret ptr getelementptr (i8, ptr @area, i64 4096)
}}
define ptr @__irsan_bits_callee() {{
  ret ptr getelementptr (i8, ptr @area, i64 4104)
}}
define ptr @__irsan_bits_returned() {{
  ret ptr getelementptr (i8, ptr @area, i64 4112)
}}
define preserve_mostcc void @__irsan_uninit_use(ptr %p, i64 %n, i32 %s) cold {{
  %c = load i64, ptr @findings
  %decides = icmp ne i64 %n, 0
  %one = zext i1 %decides to i64
  %d = add i64 %c, %one
  store i64 %d, ptr @findings
  ret void
}}
define preserve_mostcc void @__irsan_uninit_stored(ptr %p, i64 %n, ptr %q, i64 %m, i32 %s) cold {{
  %c = load i64, ptr @stored
  %d = add i64 %c, 1
  store i64 %d, ptr @stored
  ret void
}}
define void @__irsan_bits_begin(ptr %p, i64 %n, i32 %o) {{ ret void }}
define void @__irsan_bits_clear(ptr %p, i64 %n) {{ ret void }}
define void @__irsan_bits_shown(ptr %p, i64 %n) {{ ret void }}
define void @__irsan_bits_copy(ptr %p, ptr %q, i64 %n) {{ ret void }}
define ptr @__irsan_bits_variadic_set() {{
  ret ptr getelementptr (i8, ptr @area, i64 4120)
}}
define ptr @__irsan_bits_variadic_on_stack() {{
  ret ptr getelementptr (i8, ptr @area, i64 4128)
}}
"""


def instrumented(text: str) -> str:
    """LLVM text with shadow."""
    module = parse_ir_text(LAYOUT + text)
    UninitialisedValues().apply(module)
    return print_module(module)


class ShadowRun:
    """A module compiled in this process; its function `f` takes (in, out) pointers."""

    def __init__(self, text: str, block: int = BLOCK) -> None:
        self._block, self._out = block, block // 2
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        hooks = _HOOKS.replace(f"ptr %p, i64 {BLOCK}", f"ptr %p, i64 {block}")
        module = llvm.parse_assembly(instrumented(text))
        module.link_in(llvm.parse_assembly(LAYOUT + hooks))
        module.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()
        address = self._engine.get_function_address("f")
        self._f = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)
        where = self._engine.get_global_value_address("findings")
        self._findings = ctypes.c_uint64.from_address(where)

    def __call__(self, values: bytes, shadow: bytes) -> tuple[bytes, bytes, int]:
        """Call `f`; `values` and `shadow` of the input begin at byte 0 of their blocks."""
        memory = ctypes.create_string_buffer(2 * self._block)
        ctypes.memmove(memory, values, len(values))
        ctypes.memmove(ctypes.addressof(memory) + self._block, shadow, len(shadow))
        self._findings.value = 0
        self._f(ctypes.addressof(memory), ctypes.addressof(memory) + self._out)
        raw = memory.raw
        return raw[self._out : self._block], raw[self._block + self._out :], self._findings.value

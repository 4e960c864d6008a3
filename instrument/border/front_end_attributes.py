"""Takes back what the sanitizers' own passes do beside marking, when only their marks are wanted.

    call ptr @__asan_memset(ptr %p, i32 %v, i64 %n)    call void @llvm.memset.p0.i64(ptr %p, i8 ...)
    call void @__asan_handle_no_return()               nothing, where a call that does not return
    call void @abort() noreturn                        follows
    declare void @__asan_load4(i64), not called        nothing
    @tsan.module_ctor in llvm.used and global_ctors    nothing

`irsan.engine.front_end.compilers` has clang mark functions (`sanitize_address`, `sanitize_thread`,
or not where the source says `no_sanitize`), globals and scopes, with every check of clang's passes
switched off; copies, fills and calls that do not return cannot be switched off, nor can
ThreadSanitizer's constructor. Modules with a constructor that calls `__asan_init` are those that
the compiler instrumented in earnest: they stay as they are.

Source: LLVM's AddressSanitizer and ThreadSanitizer passes, in the output of clang 19 and 22.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.check_names import THREAD
from irsan.ir.builder import Builder
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.operations import Cast
from irsan.ir.rewriting import drop_from_array
from irsan.ir.values import BasicBlock, Function, Value

_COPIES = {f"__asan_{word}": f"llvm.{word}.p0.p0.i64" for word in ("memcpy", "memmove")}
_FILL, _FILL_INTRINSIC = "__asan_memset", "llvm.memset.p0.i64"
_NO_RETURN = "__asan_handle_no_return"
_MARK = "sanitize_address"
_RACE_CONSTRUCTOR = "tsan.module_ctor"
_REWRITTEN = frozenset((*_COPIES, _FILL, _NO_RETURN))
_DECLARED_BY_THE_PASS = (
    *("__asan_load", "__asan_store", "__asan_exp_", "__asan_report_"),
    *("__asan_mem", "__asan_handle_no_return", "__asan_before_dynamic", "__asan_after_dynamic"),
    *("__asan_register_", "__asan_unregister_"),
)


@dataclass(frozen=True, slots=True)
class FrontEndMarks:
    """Run it before the policy of a module is decided.

    marked: sanitizers for which our own front end has marked the module's functions.
    """

    marked: frozenset[str] = frozenset()

    def apply(self, module: Module) -> None:
        """Take the leftovers out of `module`."""
        if THREAD in self.marked:
            _drop_race_start(module)
        declared = [f for f in module.functions if f.name.startswith("__asan_") and not f.blocks]
        if not declared or not _is_only_marked(module):
            return
        called: set[Value] = set()
        for function in module.functions:
            for block in function.blocks:
                _rewrite_block(module, block, called)
        gone = {
            function
            for function in declared
            if function.name.startswith(_DECLARED_BY_THE_PASS) and function not in called
        }
        module.functions[:] = [function for function in module.functions if function not in gone]
        module.reindex()


def _drop_race_start(module: Module) -> None:
    constructor = module.function_by_name(_RACE_CONSTRUCTOR)
    if constructor is None:
        return
    for name in ("llvm.used", "llvm.global_ctors"):
        drop_from_array(module, constructor, name)
    module.functions.remove(constructor)
    module.reindex()


def _is_only_marked(module: Module) -> bool:
    if module.function_by_name("__asan_init") is not None:
        return False
    return any(function.attributes.has_function(_MARK) for function in module.functions)


def _rewrite_block(module: Module, block: BasicBlock, called: set[Value]) -> None:
    """`called` gets the functions that calls, old or new, still refer to."""
    instructions = block.instructions
    named = [_hook_name(instruction) for instruction in instructions]
    if any(named):
        out: list[Instruction] = []
        following: list[Instruction | None] = [*instructions[1:], None]
        for instruction, name, after in zip(instructions, named, following, strict=True):
            if not name or (name == _NO_RETURN and not _does_not_return(after)):
                out.append(instruction)
            elif name != _NO_RETURN:
                assert isinstance(instruction, Call)
                first = len(out)
                _append_intrinsic(Builder(module, out, instruction.debug_location), instruction)
                out[first].debug_records = instruction.debug_records
            elif after is not None:  # what was said of variables before it holds before the next
                after.debug_records = [*instruction.debug_records, *after.debug_records]
        block.instructions = instructions = out
    called.update([i.operands[0] for i in instructions if isinstance(i, (Call, CallTerminator))])


def _hook_name(instruction: Instruction) -> str:
    if not isinstance(instruction, Call):
        return ""
    callee = instruction.operands[0]
    return callee.name if isinstance(callee, Function) and callee.name in _REWRITTEN else ""


def _does_not_return(instruction: Instruction | None) -> bool:
    if not isinstance(instruction, (Call, CallTerminator)):
        return False
    callee = instruction.operands[0]
    return instruction.attributes.has_function("noreturn") or (
        isinstance(callee, Function) and callee.attributes.has_function("noreturn")
    )


def _append_intrinsic(at: Builder, call: Call) -> None:
    target, second, length = call.arguments
    types = at.types
    callee = call.operands[0]
    assert isinstance(callee, Function)
    name = _COPIES.get(callee.name, _FILL_INTRINSIC)
    if callee.name == _FILL:
        second = _fill_byte(at, second)
    kind = second.type
    parameters = [types.ptr_default, kind, types.i64, types.i1]
    intrinsic = at.module.declare_function(name, types.function(types.void, parameters))
    at.call(intrinsic, [target, second, length, at.integer(1, 0)])


def _fill_byte(at: Builder, word: Value) -> Value:
    """The i8 that the pass had extended to i32."""
    if isinstance(word, ConstantInt):
        return at.integer(8, word.unsigned & 0xFF)
    if isinstance(word, Cast) and word.opcode in ("zext", "sext"):
        narrow = word.operands[0]
        if narrow.type is at.types.i8:
            return narrow
    return at.cast("trunc", word, at.types.i8)

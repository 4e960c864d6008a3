"""The code of one instrumented frame: what runs at the entry and at each exit.

    entry   %frame = the fake frame, or the real one; header; redzones in the shadow
    exit    real: shadow 00
            fake: shadow f5 in the whole class, then 0 to the flag whose address is the last word;
                  classes above 1 KiB: __asan_stack_free_N(%frame, bytes)

    header  | magic | address of the description | function | real frame (the engine, if fake) |

Source: LLVM's AddressSanitizer pass; the ABI of compiler-rt's fake stacks.
"""

from __future__ import annotations

from dataclasses import dataclass

from irsan.instrument.frames.stack_layout import AFTER_RETURN, FrameLayout
from irsan.instrument.frames.stack_shadow import ShadowWriter
from irsan.instrument.hook_calls import HookCalls
from irsan.instrument.hooks import N_ENGINE_FAKE_CLASSES, N_FAKE_CLASSES
from irsan.ir.builder import Builder
from irsan.ir.constants import ConstantInt
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca
from irsan.ir.values import BasicBlock, Function, GlobalVariable, Value

MAGIC, RETIRED_MAGIC = 0x41B58AB3, 0x45E0360E
_SMALLEST_FRAME_BYTES = 64
_LAST_INLINE_CLASS = 4
_PORTABLE_ALIGNMENT = 32


@dataclass(frozen=True, slots=True)
class FrameCode:
    """What to emit: the layout, and for whom.

    size_class: of the fake frame; -1 for none.
    """

    hooks: HookCalls
    writer: ShadowWriter
    function: Function
    layout: FrameLayout
    size_class: int
    is_portable: bool

    @property
    def class_bytes(self) -> int:
        return _SMALLEST_FRAME_BYTES << self.size_class


@dataclass(frozen=True, slots=True)
class Frame:
    """Values that the entry computes: the frame's pointer, its shadow, the fake frame or None."""

    pointer: Value
    fake: Value | None
    shadow: Value


def class_of(frame_bytes: int, is_portable: bool) -> int:
    """The size class of a fake frame; -1 when it is too large for all."""
    n_classes = N_FAKE_CLASSES if is_portable else N_ENGINE_FAKE_CLASSES
    for number in range(n_classes):
        if frame_bytes <= _SMALLEST_FRAME_BYTES << number:
            return number
    return -1


def emit_entry(at: Builder, code: FrameCode) -> Frame:
    """Appends the entry to `at`; the real frame's alloca goes to the front of the function."""
    layout, types = code.layout, at.types
    real = _real_frame(at, code)
    addr: Value = at.cast("ptrtoint", real, types.i64)
    pointer: Value = real
    fake: Value | None = None
    if code.size_class >= 0:
        real_addr, amount = addr, at.integer(64, layout.frame_bytes)
        fake = code.hooks.call(
            f"__asan_stack_malloc_{code.size_class}", [amount], at.debug_location
        )
        at.instructions.append(fake)
        is_real = at.icmp("eq", fake, at.integer(64, 0))
        addr = at.select(is_real, addr, fake)
        pointer = at.select(is_real, real, at.cast("inttoptr", fake, types.ptr_default))
        if not code.is_portable:
            pointer = at.freeze(pointer)  # or SROA selects the address of each variable
            at.store(real_addr, at.byte_gep(pointer, at.integer(64, 24)), 8)
    _store_header(at, code, pointer)
    shadow_bytes = layout.shadow_at_entry()
    shadow = code.writer.locate(at, addr)
    code.writer.write(at, shadow, shadow_bytes, shadow_bytes)
    return Frame(pointer, fake, shadow)


def emit_exit(code: FrameCode, frame: Frame, block: BasicBlock, index: int) -> None:
    """Puts the exit before `block.instructions[index]`, in blocks of its own if need be."""
    location = block.instructions[index].debug_location
    module = code.hooks.module
    if frame.fake is None:
        out: list[Instruction] = []
        _leave_real(Builder(module, out, location), code, frame)
        block.instructions[index:index] = out
        return
    tail = code.function.split_block(block, index)
    label = block.type
    leave_real = code.function.new_block(label, after=block)
    leave_fake = code.function.new_block(label, after=block)
    at = Builder(module, block.instructions, location)
    is_real = at.icmp("eq", frame.fake, at.integer(64, 0))
    at.cond_br(is_real, leave_real, leave_fake)
    at = Builder(module, leave_real.instructions, location)
    _leave_real(at, code, frame)
    at.br(tail)
    at = Builder(module, leave_fake.instructions, location)
    _leave_fake(at, code, frame, frame.fake)
    at.br(tail)


def _leave_real(at: Builder, code: FrameCode, frame: Frame) -> None:
    _retire(at, code, frame)
    dirty = code.layout.dirty()
    code.writer.write(at, frame.shadow, bytes(len(dirty)), dirty)


def _leave_fake(at: Builder, code: FrameCode, frame: Frame, fake: Value) -> None:
    _retire(at, code, frame)
    if code.size_class > _LAST_INLINE_CLASS:
        amount = at.integer(64, code.layout.frame_bytes)
        name = f"__asan_stack_free_{code.size_class}"
        at.instructions.append(code.hooks.call(name, [fake, amount], at.debug_location))
        return
    code.writer.fill(at, frame.shadow, AFTER_RETURN, code.class_bytes // 8)
    last_word = at.byte_gep(frame.pointer, at.integer(64, code.class_bytes - 8))
    flag = at.load(at.types.ptr_default, last_word, 8)
    at.store(at.integer(8, 0), flag, 1)


def _retire(at: Builder, code: FrameCode, frame: Frame) -> None:
    """compiler-rt recognises a frame that is gone by its magic; the engine looks at the shadow."""
    if code.is_portable:
        at.store(at.integer(64, RETIRED_MAGIC), frame.pointer, 8)


def _real_frame(at: Builder, code: FrameCode) -> Alloca:
    types, layout = at.types, code.layout
    alignment = max(layout.alignment, _PORTABLE_ALIGNMENT if code.is_portable else 1)
    kind = types.array(types.i8, layout.frame_bytes)
    real = Alloca(types.ptr_default, kind, ConstantInt(types.i32, 1), alignment)
    entry = code.function.entry
    entry.instructions.insert(entry.first_insertion_index(), real)
    return real


def _store_header(at: Builder, code: FrameCode, pointer: Value) -> None:
    description = _description(code, at)
    at.store(at.integer(64, MAGIC), pointer, 8)
    at.store(description, at.byte_gep(pointer, at.integer(64, 8)), 8)
    at.store(code.function, at.byte_gep(pointer, at.integer(64, 16)), 8)


def _description(code: FrameCode, at: Builder) -> GlobalVariable:
    """The text that names the variables, as a private constant."""
    raw = code.layout.description().encode("utf-8", "surrogateescape") + b"\0"
    return at.private_bytes(f"___asan_gen_stack.{code.function.name}", raw)

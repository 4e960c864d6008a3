"""Site numbers: before each hook and each call, its place in the source is stored.

    __asan_load4(%p)    __tsan_read4(%p)      __irsan_check_read4_both(%p, i32 7)    %v = load ...
    call @f()                                 __irsan_site(i32 8)    %r = call @f()

One number stands for one debug location of one function. What a callee leaves behind is unknown,
so a hook behind a call stores it again; hooks of the same place store it once.  Checks of scalar
accesses take their site with them (check_hooks.py); where the access behind may trap all the same,
a write to constant memory or anything without address checks, it is stored as well.

Bounds checks, too, take their site with them: their last argument is filled in here.

With `lines` nothing is stored for what may trap: the object's line table will say where it is
(site_lines.py). The sites of checks in a function without a frame have BARE set: `ctx.site` is that
of the function's call then, and the slow path of the check makes the frame.

Soundness: frame hooks and safepoints ask for no site, and calls that are musttail keep the
caller's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from irsan.instrument.analysis.control_flow.effects import (
    CALL_OPCODES,
    DIVISIONS,
    may_reach_other_code,
    may_trap,
)
from irsan.instrument.analysis.control_flow.function_exits import has_frame
from irsan.instrument.analysis.values.pinning import pinned
from irsan.instrument.analysis.values.type_sizes import TypeSizes
from irsan.instrument.check_hooks import Check, find_check
from irsan.instrument.hook_calls import DECIDED, HookCalls
from irsan.instrument.hooks import takes_site_last
from irsan.instrument.policy import is_touched
from irsan.instrument.sites.access_paths import (
    NOTHING,
    AccessPaths,
    PartsOfTypes,
    Touched,
    declared_type,
)
from irsan.instrument.sites.debug_types import element_type, plain_type
from irsan.instrument.sites.record_layouts import RecordLayouts
from irsan.instrument.sites.sites import Record, SiteTable
from irsan.instrument.sites.source_frames import function_to_frames, location_to_frames
from irsan.ir.calls import Call, CallTerminator
from irsan.ir.constants import ConstantInt
from irsan.ir.datalayout import DataLayout
from irsan.ir.instruction import Instruction
from irsan.ir.memory import Alloca, GetElementPtr
from irsan.ir.metadata import DebugNode, DILocation, MetadataNode
from irsan.ir.module import Module
from irsan.ir.operations import Cast
from irsan.ir.values import Function, Value

_KEEPS_SITE = frozenset(
    ("__irsan_frame_depth", "__irsan_tls_block", "__irsan_site", "__irsan_weak_failed")
)
_NEEDS_NO_SITE = _KEEPS_SITE | {
    "__irsan_frame_entry", "__irsan_frame_exit", "__irsan_frame_restore", "__irsan_safepoint",
    "__tsan_func_entry", "__tsan_func_exit", "__tsan_init", "__asan_init",
    "__asan_version_mismatch_check_v8",
}  # fmt: skip
_ACCESS_HOOKS = ("__asan_load", "__asan_store", "__tsan_read", "__tsan_write", "__tsan_unaligned_",
                 "__tsan_vptr_", "__tsan_volatile_")  # fmt: skip
_TOLD_OPCODES = CALL_OPCODES | DIVISIONS
_ACCESSES = frozenset(("load", "store"))
BARE = -1 << 31  # added to a number: the sign bit of the word
_SIZED_HOOK = re.compile(r"__(?:[at]san)_[a-z_]*(?:load|store|read|write)(\d+)\Z")


def _hook_to_size(name: str) -> int:
    """Bytes of the access that a hook announces; 0 when its name does not say."""
    match = _SIZED_HOOK.match(name)
    return int(match[1]) if match else 0


def _told_size(call: Call | CallTerminator, name: str) -> int:
    """Bytes that a bounds check or a use of an uninitialised value is about; 0 for ranges."""
    if name.startswith("__irsan_uninit_"):
        size = call.operands[2]
        return size.unsigned & ~DECIDED if isinstance(size, ConstantInt) else 0
    info = call.operands[-2]
    return info.unsigned >> 3 if isinstance(info, ConstantInt) else 0


def _is_frame_or_shadow(pointer: Value) -> bool:
    """Whether an access without a check is one of a variable of the function, or of shadow."""
    while isinstance(pointer, GetElementPtr):
        pointer = pointer.operands[0]
    return isinstance(pointer, Alloca) or (
        isinstance(pointer, Cast) and pointer.opcode == "inttoptr"
    )


Lines = dict[Function, dict[Instruction, int]]
"""Sites of instructions, by their function."""


@dataclass(frozen=True, slots=True)
class SiteMarking:
    """Marks all functions; run it last, when every hook is in place.

    checks_address: accesses are checked, so that none but a write traps.
    lines: filled with the sites of what may trap, and of calls; None: they are stored.
    """

    sites: SiteTable
    checks_address: bool = True
    lines: Lines | None = None

    def apply(self, module: Module) -> None:
        """Insert the site hooks and fill the table."""
        hooks, parts, layouts = HookCalls(module), PartsOfTypes(), RecordLayouts()
        sizes = TypeSizes(module)
        markers = [
            _Marker(self, hooks, function, parts, layouts, sizes)
            for function in module.functions if is_touched(function)
        ]  # fmt: skip
        for marker in markers:
            marker.mark()
        for marker in markers:  # behind all others, whose numbers are the same without `lines`
            marker.note_accesses()
        for variable in module.globals:
            self.keep_fields(variable.name, declared_type(variable), layouts)

    def keep_fields(self, name: str, node: DebugNode | None, layouts: RecordLayouts) -> None:
        """Keep the fields of a variable that is a structure, or an array of such."""
        layout = layouts.of(element_type(node))
        if layout:
            self.sites.add_variable(name, layout)


class _Marker:
    """One function: its sites by location."""

    __slots__ = (
        "_accesses", "_bare", "_checked", "_checks_address", "_function", "_hooks", "_layouts",
        "_lines", "_marking", "_numbers", "_paths", "_sites", "_sizes",
    )  # fmt: skip

    def __init__(
        self,
        marking: SiteMarking,
        hooks: HookCalls,
        function: Function,
        parts: PartsOfTypes,
        layouts: RecordLayouts,
        sizes: TypeSizes,
    ) -> None:
        self._marking, self._sizes = marking, sizes
        self._sites, self._checks_address = marking.sites, marking.checks_address
        self._hooks, self._function, self._layouts = hooks, function, layouts
        self._paths = AccessPaths(function, DataLayout.of(hooks.module.data_layout), parts)
        self._numbers: dict[tuple[MetadataNode | None, int, Touched], int] = {}
        self._lines = None if marking.lines is None else marking.lines.setdefault(function, {})
        self._bare = 0 if has_frame(function) else BARE
        self._checked: dict[Value, tuple[MetadataNode | None, int]] = {}  # by pointer, its site
        self._accesses: list[tuple[Instruction, int]] = []  # and the site of its check, or 0

    def mark(self) -> None:
        for variable in self._paths.locals_in_memory:
            name = f"{variable.string('name')}:{variable.get('line') or 0}"
            self._marking.keep_fields(name, plain_type(variable.get("type")), self._layouts)
        wanted = _TOLD_OPCODES if self._lines is None else _TOLD_OPCODES | _ACCESSES
        for block in self._function.blocks:
            if not wanted.isdisjoint([i.opcode for i in block.instructions]):
                block.instructions = self._marked(block.instructions)

    def _marked(self, instructions: list[Instruction]) -> list[Instruction]:
        out: list[Instruction] = []
        current = at = 0  # the site known so far, the next instruction
        while at < len(instructions):
            instruction = instructions[at]
            at += 1
            if instruction.opcode in _TOLD_OPCODES:
                following = instructions[at] if at < len(instructions) else None
                check = find_check(instruction, following)
                if check is not None:
                    current = self._append_check(instruction, check, current, out)
                    at += check.n_hooks - 1
                    continue
                current = self._append_told(instruction, current, out)
            else:
                if self._lines is not None and instruction.opcode in _ACCESSES:
                    self._find_access(instruction)
                out.append(instruction)
        return out

    def _find_access(self, access: Instruction) -> None:
        """Keep an access that may trap, with the site of its check, if it stands before it."""
        is_store = access.opcode == "store"
        pointer = access.operands[is_store]
        if self._checks_address and not is_store:
            return
        location, site = self._checked.get(pointer, (None, 0))
        if not site and (_is_frame_or_shadow(pointer) or access.get_metadata("nosanitize")):
            return
        self._accesses.append((access, site if location is access.debug_location else 0))

    def note_accesses(self) -> None:
        """Keep the sites of the accesses that may trap; those without a check get one."""
        for access, known in self._accesses:
            assert self._lines is not None
            self._lines[access] = known or self._site_of_access(access)

    def _site_of_access(self, access: Instruction) -> int:
        is_store, location = access.opcode == "store", access.debug_location
        size = self._sizes.store_size(access.operands[0].type if is_store else access.type)
        return self._site(location, size, self._paths.of(access.operands[is_store], size, location))

    def _append_check(
        self, hook: Instruction, check: Check, current: int, out: list[Instruction]
    ) -> int:
        """The check that replaces `hook` and maybe the one behind it; returns the site known."""
        location = hook.debug_location
        touched = self._paths.of(check.pointer, check.size_bytes, location)
        site = self._site(location, check.size_bytes, touched)
        may_trap_behind = self._lines is None and (check.is_write or not self._checks_address)
        if may_trap_behind:
            self._tell(site, current, hook, out)
        self._checked[check.pointer] = location, site
        given = self._hooks.int32(site + self._bare)
        made = self._hooks.call(check.name, [check.pointer, given], location)
        made.debug_records, hook.debug_records = hook.debug_records, ()
        out.append(made)
        return site if may_trap_behind else 0

    def _append_told(self, instruction: Instruction, current: int, out: list[Instruction]) -> int:
        """Tells the site of what may trap or call, appends that; returns the site known behind."""
        if may_trap(instruction):
            site = self._site(instruction.debug_location, 0)
            if self._lines is None:
                self._append_trap(instruction, site, current, out)
                return site
            self._lines[instruction] = site
        if instruction.opcode in CALL_OPCODES:
            current = self._before_call(instruction, current, out)  # type: ignore[arg-type]
        out.append(instruction)
        return current

    def _append_trap(
        self, instruction: Instruction, site: int, current: int, out: list[Instruction]
    ) -> None:
        """Tells the site of what may trap, and appends that."""
        self._tell(site, current, instruction, out)
        before: list[Instruction] = []
        behind: list[Instruction] = []
        if instruction.opcode in DIVISIONS:
            before, behind = pinned(self._hooks.module, instruction)
        out += [*before, instruction, *behind]

    def _tell(
        self, site: int, current: int, instruction: Instruction, out: list[Instruction]
    ) -> None:
        """Appends the site hook of an instruction unless the site is known already."""
        if site == current:
            return
        told = self._hooks.call(
            "__irsan_site", [self._hooks.int32(site)], instruction.debug_location
        )
        if instruction.debug_records:
            told.debug_records, instruction.debug_records = instruction.debug_records, ()
        out.append(told)

    def _before_call(
        self, call: Call | CallTerminator, current: int, out: list[Instruction]
    ) -> int:
        """Appends the site hook if `call` needs one; returns the site known behind the call."""
        callee = call.operands[0]
        name = callee.name if isinstance(callee, Function) else ""
        if takes_site_last(name):
            n_bytes = _told_size(call, name)
            site = self._site(call.debug_location, n_bytes, self._touched(call, n_bytes))
            call.operands[-1] = self._hooks.int32(site + self._bare)
            return current
        if name in _NEEDS_NO_SITE:
            return current if name in _KEEPS_SITE else 0
        if not may_reach_other_code(call):
            return current
        if getattr(call, "tail", "") == "musttail":
            return 0
        n_bytes = _hook_to_size(name)
        site = self._site(call.debug_location, n_bytes, self._touched(call, n_bytes))
        self._tell(site, current, call, out)
        if self._lines is not None:
            self._lines[call] = site
        return site if name.startswith(_ACCESS_HOOKS) else 0

    def _touched(self, hook: Call | CallTerminator, n_bytes: int) -> Touched:
        """What the access that a hook announces touches; nothing when its size is not known."""
        if not n_bytes:
            return NOTHING
        return self._paths.of(hook.operands[1], n_bytes, hook.debug_location)

    def _site(
        self, location: MetadataNode | None, size_bytes: int, touched: Touched = NOTHING
    ) -> int:
        found = self._numbers.get((location, size_bytes, touched))
        if found is None:
            record = Record(self._layouts.of(touched.record), touched.offset)
            found = self._sites.add(self._frames(location), size_bytes, touched.text, record)
            self._numbers[location, size_bytes, touched] = found
        return found

    def _frames(self, location: MetadataNode | None) -> tuple[tuple[str, str, int, int], ...]:
        if isinstance(location, DILocation):
            return location_to_frames(location, self._function)
        return function_to_frames(self._function)

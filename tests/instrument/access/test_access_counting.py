"""A hook before every access, with the pointer and a site of its own."""

from __future__ import annotations

from irsan.instrument.access.access_counting import AccessCounting, accessed_pointer
from irsan.instrument.sites.sites import SiteTable
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text

TEXT = """
define i32 @work(ptr %p, ptr %q) {
  %a = load i32, ptr %p
  store i32 %a, ptr %q
  %b = atomicrmw add ptr %q, i32 1 seq_cst
  %c = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst
  %d = getelementptr i8, ptr %p, i64 4
  ret i32 %a
}
define i32 @alone(ptr %p) disable_sanitizer_instrumentation {
  %a = load i32, ptr %p
  ret i32 %a
}
"""


def test_every_access_is_counted_before_it_happens() -> None:
    module = parse_ir_text(TEXT)
    sites = SiteTable()
    AccessCounting(sites).apply(module)
    work = next(f for f in module.functions if f.name == "work")
    instructions = work.entry.instructions
    hooks = [i for i, one in enumerate(instructions) if one.opcode == "call"]
    assert len(hooks) == 4 == len(sites)
    for number, index in enumerate(hooks, start=1):
        hook, access = instructions[index], instructions[index + 1]
        assert hook.operands[0].name == "__irsan_count"  # type: ignore[attr-defined]
        assert hook.operands[1] is accessed_pointer(access)
        assert hook.operands[2].value == number  # type: ignore[attr-defined]


def test_functions_that_passes_leave_alone_are_not_counted() -> None:
    module = parse_ir_text(TEXT)
    AccessCounting(SiteTable()).apply(module)
    alone = next(f for f in module.functions if f.name == "alone")
    assert [one.opcode for one in alone.entry.instructions] == ["load", "ret"]


def test_llvm_accepts_the_result() -> None:
    import llvmlite.binding as llvm

    module = parse_ir_text(TEXT)
    AccessCounting(SiteTable()).apply(module)
    llvm.parse_assembly(print_module(module)).verify()

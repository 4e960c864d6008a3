"""Thread-local variables become offsets in a block per guest thread."""

from __future__ import annotations

import ctypes

import pytest

from irsan.ir.reading import parse_ir_text
from tests.instrument.checked_ir import body, check, instrumented, native


def lowered(text: str) -> str:
    return instrumented(text, "none", portable=False)


COUNTER = """
@x = thread_local global i32 7, align 4
@y = internal thread_local constant ptr @x.target
@x.target = global i8 0
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)
define i32 @f() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @x)
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %p
  ret i32 %w
}
"""


def test_variables_meet_in_one_section_with_their_initialisers() -> None:
    text = lowered(COUNTER)
    assert "thread_local" not in text
    check(text, '@x = global i32 7, section "irsan_tls", align 4')
    check(text, '@y = internal global ptr @x.target, section "irsan_tls"')


def test_an_address_is_the_block_plus_the_offset() -> None:
    found = body(lowered(COUNTER), "f")
    check(found, "ptrtoint ptr @x to i64", "sub i64", "@__irsan_tls_block()", "load i32", "store")
    assert found.count("__irsan_tls_block") == 1
    assert "threadlocal.address" not in found


def test_portable_output_keeps_thread_locals() -> None:
    check(instrumented(COUNTER, "thread"), "@x = thread_local global i32 7", "threadlocal.address")


def test_declarations_may_lie_elsewhere() -> None:
    text = lowered("@e = external thread_local global i32\ndefine ptr @f() { ret ptr @e }")
    check(text, "@e = external global i32")
    check(body(text, "f"), "@__stop_irsan_tls", "icmp ult", "select i1", "ptr @e", "ret ptr")


@pytest.mark.parametrize(
    "use",
    [
        "store ptr getelementptr (i8, ptr @x, i64 4), ptr %out",
        "store { ptr, i32 } { ptr @x, i32 3 }, ptr %out",
        "store <2 x ptr> <ptr @x, ptr null>, ptr %out",
        "store i64 ptrtoint (ptr @x to i64), ptr %out",
        "call void @g(ptr @x)",
    ],
)
def test_uses_inside_constants_are_found(use: str) -> None:
    text = lowered(
        f"@x = thread_local global [2 x i32] zeroinitializer\ndeclare void @g(ptr)\n"
        f"define void @f(ptr %out) {{\n  {use}\n  ret void\n}}"
    )
    (line,) = [one for one in body(text, "f").splitlines() if "store" in one or "@g(" in one]
    assert "@x" not in line


def test_phis_get_the_address_at_the_end_of_the_edge() -> None:
    text = lowered(
        "@x = thread_local global i32 0\ndefine ptr @f(i1 %c, ptr %q) {\nentry:\n"
        "  br i1 %c, label %one, label %two\none:\n  br label %two\ntwo:\n"
        "  %p = phi ptr [ @x, %one ], [ %q, %entry ]\n  ret ptr %p\n}"
    )
    check(body(text, "f"), "one:", "@__irsan_tls_block", "br label %two", "phi ptr [ %", "%one")


def test_aliases_of_thread_locals_are_lowered() -> None:
    text = lowered(
        "@x = thread_local global i32 0\n@a = thread_local alias i32, ptr @x\n"
        "define ptr @f() { ret ptr @a }"
    )
    check(text, "@a = alias i32, ptr @x")
    check(body(text, "f"), "ptrtoint ptr @a", "@__irsan_tls_block")


def test_a_module_without_thread_locals_names_no_section() -> None:
    assert "irsan_tls" not in lowered("@x = global i32 0\ndefine ptr @f() { ret ptr @x }")


RUNNER = """
@block = internal global ptr null
define ptr @__irsan_tls_block() { %b = load ptr, ptr @block ret ptr %b }
define void @use(ptr %b) { store ptr %b, ptr @block ret void }
"""


def test_two_threads_have_two_counters() -> None:
    import llvmlite.binding as llvm

    # Where the section begins is the linker's business: here it begins with the variable.
    module = llvm.parse_assembly(lowered(COUNTER).replace("@__start_irsan_tls to", "@x to"))
    module.link_in(llvm.parse_assembly(RUNNER))
    with native(module) as address_of:
        use = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address_of("use"))
        count = ctypes.CFUNCTYPE(ctypes.c_int)(address_of("f"))
        blocks = [ctypes.c_int(7), ctypes.c_int(7)]
        for which, expected in ((0, 8), (0, 9), (1, 8), (0, 10), (1, 9)):
            use(ctypes.addressof(blocks[which]))
            assert count() == expected


def test_the_lowered_module_still_reads_back() -> None:
    module = parse_ir_text(lowered(COUNTER))
    assert module.global_by_name("x") is not None

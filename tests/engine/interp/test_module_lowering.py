"""A whole module lowered: valid LLVM text with a stub for each function, and what is refused."""

from __future__ import annotations

import pytest

from irsan.engine.interp.dispatch import SYMBOL
from irsan.engine.interp.opcodes import NUMBERS
from irsan.errors import UnsupportedError
from tests.support.debug_text import debug_text
from tests.support.lowered_text import first_code, lowered


def test_a_stub_has_its_functions_signature_and_linkage() -> None:
    text = lowered("""
$inlined = comdat any
define internal fastcc zeroext i8 @small(i8 zeroext %x) nounwind readnone { ret i8 %x }
define linkonce_odr i32 @inlined(ptr byval(i64) align 8 %p) comdat {
  %v = load i32, ptr %p
  ret i32 %v
}
define available_externally i32 @elsewhere() { ret i32 1 }
define i32 @main() {
  %a = call fastcc zeroext i8 @small(i8 zeroext 3)
  %b = call i32 @elsewhere()
  ret i32 %b
}
""")
    assert "define internal fastcc zeroext i8 @small(i8 zeroext %x)" in text
    assert "define linkonce_odr i32 @inlined(ptr byval(i64) align 8 %p)" in text
    assert "declare i32 @elsewhere()" in text
    assert text.count(f"call i64 @{SYMBOL}(") == 3
    assert "readnone" not in text and "memory(none)" not in text


def test_the_hash_of_a_functions_type_stays_in_front_of_its_code() -> None:
    text = lowered("""
define i32 @typed(i32 %x) !func_sanitize !0 { ret i32 %x }
define i32 @plain(i32 %x) !unpredictable !1 { ret i32 %x }
!0 = !{i32 -1056584962, i32 772}
!1 = !{}
""")
    [typed] = [line for line in text.splitlines() if "@typed(" in line and "define" in line]
    assert "!func_sanitize" in typed
    assert "!unpredictable" not in text


def test_calls_of_one_signature_share_a_helper() -> None:
    text = lowered("""
declare i32 @other(i32)
define i32 @f(i32 %x) {
  %a = call i32 @other(i32 %x)
  %b = call i32 @other(i32 %a)
  %c = call i32 @other(i32 7)
  ret i32 %c
}
""")
    assert text.count("@other(i32 %v0)") == 2  # one for a register, one for a small constant


def test_addresses_of_blocks_are_places_in_code() -> None:
    text = lowered("""
@targets = constant [2 x ptr] [ptr blockaddress(@jump, %one), ptr blockaddress(@jump, %two)]
define i32 @jump(i32 %which) {
entry:
  %place = getelementptr [2 x ptr], ptr @targets, i32 0, i32 %which
  %target = load ptr, ptr %place
  indirectbr ptr %target, [label %one, label %two]
one:
  ret i32 1
two:
  ret i32 2
}
""")
    assert "blockaddress" not in text
    assert text.count("getelementptr (i8, ptr @irsan.code.0, i64 ") >= 2


def test_naked_functions_stay_native() -> None:
    text = lowered("""
define i32 @raw() naked {
  call void asm sideeffect "movl $$1, %eax; ret", ""()
  unreachable
}
""")
    assert SYMBOL not in text.replace(f"declare i64 @{SYMBOL}", "")
    assert "movl $$1" in text


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("%x = alloca inalloca i32\n  ret void", "inalloca"),
        (
            "%t = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)\n  ret void",
            "`llvm.coro.id`",
        ),
        ("%v = call <vscale x 2 x i32> @llvm.stepvector.nxv2i32()\n  ret void", "vscale"),
    ],
)
def test_refusals_name_construct_and_function(body: str, said: str) -> None:
    text = f"""
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare <vscale x 2 x i32> @llvm.stepvector.nxv2i32()
define void @refused() {{
  {body}
}}
"""
    with pytest.raises(UnsupportedError, match="in refused") as caught:
        lowered(text)
    assert said in str(caught.value)


def test_a_refusal_names_the_line() -> None:
    text = """
define void @refused() !dbg !4 {
  %x = alloca inalloca i32, !dbg !7
  ret void, !dbg !7
}
"""
    with pytest.raises(UnsupportedError, match="in refused, line 41"):
        lowered(text + debug_text("refused"))


LOOP = """
declare void @__irsan_safepoint()
declare void @other(i64)
define void @loop(i64 %n) {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %head ]
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  call void {between}
  br i1 %done, label %end, label %head
end:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("between", "is_fused"), [("@__irsan_safepoint()", True), ("@other(i64 %next)", False)]
)
def test_a_branch_compares_itself_behind_safepoints_only(between: str, is_fused: bool) -> None:
    numbers = first_code(LOOP.format(between=between))
    assert ({NUMBERS["jeq"], NUMBERS["jne"]} & numbers != set()) == is_fused


@pytest.mark.parametrize(
    ("address", "more", "operation"),
    [
        ("i8, ptr %p, i64 20", "", "ld32"),
        ("i32, ptr %p, i64 %i", "", "ldx32"),
        ("i32, ptr %p, i64 %i", "store i32 %v, ptr %a", "gep64"),
        ("[4 x i32], ptr %p, i64 %i, i64 %i", "", "gep64"),
        ("i8, ptr %p, i64 40000", "", "add64"),
    ],
)
def test_an_access_adds_what_only_it_uses(address: str, more: str, operation: str) -> None:
    numbers = first_code(f"""
define i32 @access(ptr %p, i64 %i) {{
  %a = getelementptr {address}
  %v = load i32, ptr %a
  {more}
  ret i32 %v
}}
""")
    assert NUMBERS[operation] in numbers
    if operation.startswith("ld"):
        assert not {NUMBERS["gep64"], NUMBERS["add64k"]} & numbers


@pytest.mark.parametrize(
    ("value", "operation"), [("i64 %i", "stx64"), ("ptr %a", "gep64")]
)
def test_a_store_of_its_own_address_needs_it(value: str, operation: str) -> None:
    numbers = first_code(f"""
define void @access(ptr %p, i64 %i) {{
  %a = getelementptr i64, ptr %p, i64 %i
  store {value}, ptr %a
  ret void
}}
""")
    assert NUMBERS[operation] in numbers

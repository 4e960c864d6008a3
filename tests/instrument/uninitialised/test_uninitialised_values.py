"""The pass as a whole: what is checked, what crosses phis and calls, what costs nothing."""

from __future__ import annotations

import pytest

from irsan.instrument.sites.sites import SiteTable
from irsan.instrument.uninitialised.uninitialised_values import UninitialisedValues
from irsan.ir.reading import parse_ir_text
from tests.support.shadow_runs import ShadowRun, instrumented

_CHECKED = {
    "branch": "%i = trunc i8 %v to i1\nbr i1 %i, label %x, label %x\nx:\nret void",
    "switch": "switch i8 %v, label %x [i8 1, label %x]\nx:\nret void",
    "address": "%n = zext i8 %v to i64\n%m = and i64 %n, 7\n"
    "%q = getelementptr i8, ptr %out, i64 %m\nstore i8 0, ptr %q\nret void",
    "divisor": "%d = or i8 %v, 1\n%q = udiv i8 9, %d\nret void",
    "argument": "call void @use(i8 noundef %v)\nret void",
    "order": "%n = call i8 @llvm.ucmp.i8.i8(i8 3, i8 %v)\ncall void @use(i8 noundef %n)\nret void",
    "index": "%n = and i8 %v, 1\n%e = extractelement <2 x i8> <i8 1, i8 2>, i8 %n\nret void",
}
_NOT_CHECKED = {
    "store": "store i8 %v, ptr %out\nret void",
    "dividend": "%q = udiv i8 %v, 3\nstore i8 %q, ptr %out\nret void",
    "passed": "call void @take(i8 %v)\nret void",
}
_USES = """
define void @use(i8 noundef %v) noinline { ret void }
define void @take(i8 %v) noinline { ret void }
declare i8 @llvm.ucmp.i8.i8(i8, i8)
"""


def one_value(body: str) -> ShadowRun:
    head = "define void @f(ptr noundef %in, ptr noundef %out) {\n%v = load i8, ptr %in\n"
    return ShadowRun(head + body + "\n}\n" + _USES)


@pytest.mark.parametrize("name", _CHECKED)
def test_uses_are_findings(name: str) -> None:
    run = one_value(_CHECKED[name])
    assert run(b"\x01", b"\xff")[2] == 1
    assert run(b"\x01", b"\x00")[2] == 0


@pytest.mark.parametrize("name", _NOT_CHECKED)
def test_moving_a_value_is_no_use(name: str) -> None:
    assert one_value(_NOT_CHECKED[name])(b"\x01", b"\xff")[2] == 0


LOOP = """
define void @f(ptr noundef %in, ptr noundef %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i8 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr i8, ptr %in, i64 %i
  %v = load i8, ptr %p
  %more = xor i8 %sum, %v
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 8
  br i1 %again, label %loop, label %end
end:
  store i8 %more, ptr %out
  ret void
}
"""


def test_bits_gather_over_the_rounds_of_a_loop() -> None:
    _, bits, findings = ShadowRun(LOOP)(bytes(8), b"\x01\x00\x02\x00\x00\x00\x00\x80")
    assert (bits[0], findings) == (0x83, 0)


def test_a_counter_needs_no_shadow() -> None:
    text = instrumented(LOOP)
    assert text.count("phi i64") == 1
    assert text.count("phi i8") == 3  # the sum, its shadow, and that of the load as it is shown


CALLS = """
define internal { i8, i8 } @pair(i8 %first, i8 noundef %second, i8 %third) noinline {
  %a = insertvalue { i8, i8 } poison, i8 %third, 0
  %b = insertvalue { i8, i8 } %a, i8 %second, 1
  ret { i8, i8 } %b
}
define void @f(ptr noundef %in, ptr noundef %out) {
  %v = load i8, ptr %in
  %q = getelementptr i8, ptr %in, i64 1
  %w = load i8, ptr %q
  %r = call { i8, i8 } @pair(i8 %w, i8 noundef 3, i8 %v)
  store { i8, i8 } %r, ptr %out
  ret void
}
"""


def test_arguments_and_results_keep_their_bits() -> None:
    values, bits, findings = ShadowRun(CALLS)(b"\x05\x06", b"\x0f\xf0")
    assert values[:2] == b"\x05\x03"
    assert (bits[:2], findings) == (b"\x0f\x00", 0)


FOREIGN = """
define i8 @callee(i8 %v) noinline {
  ret i8 %v
}
define i8 @other(i8 %v) noinline {
  ret i8 1
}
define void @f(ptr noundef %in, ptr noundef %out) {
  %v = load i8, ptr %in
  %r = call i8 @callee(i8 %v)
  %s = call i8 @other(i8 %r)
  store i8 %s, ptr %out
  ret void
}
"""


def test_a_result_is_taken_from_whom_was_called_only() -> None:
    _, bits, findings = ShadowRun(FOREIGN)(b"\x05", b"\xff")
    assert (bits[0], findings) == (0, 0)


def test_undef_is_uninitialised() -> None:
    run = ShadowRun(
        "define void @f(ptr noundef %in, ptr noundef %out) {\nentry:\n"
        "%v = load i8, ptr %in\n%c = icmp eq i8 %v, 0\nbr i1 %c, label %a, label %b\n"
        "a:\nbr label %b\nb:\n%r = phi i8 [ 1, %entry ], [ undef, %a ]\n"
        "store i8 %r, ptr %out\nret void\n}\n"
    )
    assert run(b"\x00", b"\x00")[1][0] == 0xFF
    assert run(b"\x01", b"\x00")[1][0] == 0


ASSIGNED = """
define i32 @f() !dbg !3 {
  %x = alloca i32, align 4, !DIAssignID !9
  %p = alloca ptr, align 8, !DIAssignID !10
    #dbg_assign(i1 poison, !6, !DIExpression(), !9, ptr %x, !DIExpression(), !8)
  store volatile ptr %x, ptr %p, align 8, !DIAssignID !11
    #dbg_assign(ptr %x, !7, !DIExpression(), !11, ptr %p, !DIExpression(), !8)
  %q = load volatile ptr, ptr %p, align 8
  %v = load i32, ptr %q, align 4
  ret i32 %v
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 3)
!7 = !DILocalVariable(name: "p", scope: !3, file: !1, line: 4)
!8 = !DILocation(line: 4, scope: !3)
!9 = distinct !DIAssignID()
!10 = distinct !DIAssignID()
!11 = distinct !DIAssignID()
"""


def test_variables_are_named_by_their_place_and_not_by_what_is_stored() -> None:
    module, sites = parse_ir_text(ASSIGNED), SiteTable()
    UninitialisedValues(sites).apply(module)
    assert [sites.site_to_expression(number) for number in range(1, len(sites) + 1)] == ["x"]


def compared(predicate: str, other: int) -> ShadowRun:
    return one_value(
        f"%c = icmp {predicate} i8 %v, {other}\nbr i1 %c, label %x, label %y\n"
        "x:\nstore i8 1, ptr %out\nret void\ny:\nret void"
    )


@pytest.mark.parametrize("predicate", ["eq", "ne"])
@pytest.mark.parametrize("value", [0, 5, 0x80, 0x85])
@pytest.mark.parametrize("bits", [0, 1, 0x80, 0xFF])
def test_a_branch_on_equality_is_a_finding_where_set_bits_decide(
    predicate: str, value: int, bits: int
) -> None:
    decides = bits != 0 and (value ^ 5) & ~bits == 0
    assert compared(predicate, 5)(bytes([value]), bytes([bits]))[2] == int(decides)


def test_whether_set_bits_decide_is_asked_where_there_are_some() -> None:
    text = instrumented(
        "define void @f(ptr noundef %p) {\n%v = load i8, ptr %p\n%c = icmp eq i8 %v, 5\n"
        "br i1 %c, label %x, label %x\nx:\nret void\n}"
    )
    quick, slow = text.split("call preserve_mostcc void @__irsan_uninit_use")[0].rsplit("br i1", 1)
    assert "select i1" in slow
    assert "select i1" not in quick


DIAMOND = """
define void @f(ptr noundef %in, ptr noundef %out) {
  %v = load i8, ptr %in
  %first = icmp ugt i8 %v, 3
  %way = icmp eq ptr %in, null
  FIRST
one:
  SECOND
two:
  br label %join
join:
  br i1 %first, label %x, label %x
x:
  ret void
}
"""


@pytest.mark.parametrize(
    ("first", "second", "n_checks"),
    [
        ("br i1 %first, label %one, label %two", "br label %join", 1),
        ("br i1 %way, label %one, label %two", "br i1 %first, label %join, label %two", 2),
    ],
    ids=["above", "on one way"],
)
def test_what_is_checked_on_all_ways_is_checked_once(
    first: str, second: str, n_checks: int
) -> None:
    text = DIAMOND.replace("FIRST", first).replace("SECOND", second)
    assert instrumented(text).count("call preserve_mostcc void @__irsan_uninit_use") == n_checks
    assert ShadowRun(text)(b"\x07", b"\xff")[2] == (n_checks if "%way" not in first else 1)

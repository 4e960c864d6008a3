"""Linking of whole modules: what stays, under which name, and what is said when it cannot be."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from irsan.ir.linker.linking import Linked, LinkError, link_modules
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from tests.support.linked_modules import linked_by_irsan, linked_by_llvm, symbol_facts


def link(*texts: str) -> Linked:
    names = [f"{chr(97 + number)}.ll" for number in range(len(texts))]
    modules = [parse_ir_text(text) for text in texts]
    return link_modules(list(zip(names, modules, strict=True)))


def text_of(*texts: str) -> str:
    """The linked module as text that LLVM has verified."""
    made = print_module(link(*texts).module)
    llvm.parse_assembly(made, llvm.create_context()).verify()
    return made


def check_against_llvm(*texts: str) -> None:
    ours, theirs = linked_by_irsan(texts), linked_by_llvm(texts)
    assert ours is not None and theirs is not None
    assert symbol_facts(ours) == symbol_facts(theirs)


def returning(name: str, value: str, words: str = "") -> str:
    return f"define {words} ptr @{name}() {{\n  ret ptr {value}\n}}\n"


def test_all_clashes_are_said_at_once_with_both_files() -> None:
    one = "define i32 @f() {\n  ret i32 1\n}\n@v = global i32 1\n"
    with pytest.raises(LinkError) as caught:
        link(one, "define i32 @g() {\n  ret i32 1\n}\n", one)
    assert str(caught.value) == (
        "cannot link: `v` is defined in a.ll and in c.ll; `f` is defined in a.ll and in c.ll"
    )


def test_a_clash_names_the_source_lines() -> None:
    debug = """
define void @f() !dbg !3 {{
  ret void
}}
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "src/{0}.c", directory: "/")
!2 = !{{i32 2, !"Debug Info Version", i32 3}}
!3 = distinct !DISubprogram(name: "f", file: !1, line: {1}, spFlags: DISPFlagDefinition, unit: !0)
"""
    texts = [debug.format("one", 4), debug.format("two", 8)]
    with pytest.raises(LinkError, match=r"in a\.ll \(src/one\.c:4\) and in b\.ll \(src/two\.c:8\)"):
        link(*texts)


def test_local_symbols_of_one_name_get_numbers() -> None:
    texts = [
        f"@state = internal global i32 {number}\n" + returning(f"use{number}", "@state")
        for number in (1, 2)
    ]
    shared = "@state = global i32 7\n@state.0 = internal global i32 8\n"
    shared += returning("other", "@state.0")
    made = text_of(*texts, shared)
    for line in ("@state = global i32 7", "@state.1 = internal global i32 1",
                 "@state.2 = internal global i32 2", "@state.0 = internal global i32 8",
                 "ret ptr @state.1", "ret ptr @state.2", "ret ptr @state.0"):  # fmt: skip
        assert line in made


def test_what_nothing_needs_is_left_out() -> None:
    text = """
@used = internal global ptr @shared
@unused = internal global ptr @far
declare void @far()
define linkonce_odr void @shared() { ret void }
define linkonce_odr void @idle() { ret void }
define internal void @alone() { ret void }
"""
    made = text_of(text + returning("root", "@used"), "define void @far() {\n  ret void\n}")
    assert "@shared" in made and "@used" in made and "define void @far" in made
    for name in ("@unused", "@idle", "@alone"):
        assert name not in made


def test_a_later_definition_serves_an_earlier_use() -> None:
    """It is linkonce and its own module does not use it: LLVM's linker drops it in this order."""
    use = "declare void @f()\n" + returning("root", "@f")
    define = "define linkonce_odr void @f() {\n  ret void\n}\n"
    for order in ((use, define), (define, use)):
        assert "define linkonce_odr void @f()" in text_of(*order)


def test_an_alias_keeps_the_definition_of_its_own_module() -> None:
    own = "define weak i32 @f() {\n  ret i32 1\n}\n@other = alias i32 (), ptr @f\n"
    own += returning("use", "@f")
    strong = "define i32 @f() {\n  ret i32 2\n}\n"
    for order in ((own, strong), (strong, own)):
        made = text_of(*order)
        assert "@other = alias i32 (), ptr @f.0" in made
        assert "define internal i32 @f.0()" in made and "ret ptr @f\n" in made


def test_aliases_of_aliases_and_offsets() -> None:
    check_against_llvm(
        "@table = internal global [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
        "@second = alias i32, getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 1)\n"
        "@again = weak alias i32, ptr @second\n",
        "@second = external global i32\n@again = external global i32\n"
        + returning("use", "@second") + returning("more", "@again"),
    )  # fmt: skip


def test_ifuncs_keep_their_resolvers() -> None:
    define = "@chosen = ifunc i32 (i32), ptr @resolver\n"
    define += returning("resolver", "null", "internal")
    use = "declare i32 @chosen(i32)\n" + returning("use", "@chosen")
    made = text_of(use, define)
    assert "@chosen = ifunc i32 (i32), ptr @resolver" in made
    assert "define internal ptr @resolver()" in made


CONSTRUCTORS = """
$shared = comdat any
@shared = linkonce_odr global i32 0, comdat
@llvm.global_ctors = appending global [2 x {{ i32, ptr, ptr }}] [
  {{ i32, ptr, ptr }} {{ i32 65535, ptr @start{0}, ptr null }},
  {{ i32, ptr, ptr }} {{ i32 65535, ptr @init, ptr @shared }}]
define internal void @start{0}() {{ ret void }}
define internal void @init() comdat($shared) {{ ret void }}
"""


def test_constructors_are_appended_and_those_of_dropped_comdats_go() -> None:
    made = text_of(CONSTRUCTORS.format(1), CONSTRUCTORS.format(2))
    (line,) = [line for line in made.splitlines() if line.startswith("@llvm.global_ctors")]
    assert "[3 x { i32, ptr, ptr }]" in line
    assert line.index("@start1") < line.index("@init") < line.index("@start2")
    assert line.count("@shared") == 1
    check_against_llvm(CONSTRUCTORS.format(1), CONSTRUCTORS.format(2))


def test_a_symbol_stands_once_in_the_list_of_used_ones() -> None:
    text = '@llvm.used = appending global [1 x ptr] [ptr @f], section "llvm.metadata"\n'
    text += "define linkonce_odr void @f() {\n  ret void\n}\n"
    assert "@llvm.used = appending global [1 x ptr] [ptr @f]" in text_of(text, text)


@pytest.mark.parametrize(("one", "other", "message"), [
    ("appending global [1 x i32] [i32 1]", "global [1 x i32] [i32 1]", "in only one of a.ll and b"),
    ("appending global [1 x i32] [i32 1]", "appending global [1 x i8] [i8 1]", "element types"),
    ("appending global [1 x i8] [i8 1]", "appending constant [1 x i8] [i8 1]", "being constant"),
    ('appending global [1 x i8] [i8 1], section "a"', "appending global [1 x i8] [i8 1]",
     "their section"),
])  # fmt: skip
def test_appending_variables_that_do_not_fit(one: str, other: str, message: str) -> None:
    texts = [f"@list = {one}\n", f"@list = {other}\n"]
    assert linked_by_llvm(texts) is None
    with pytest.raises(LinkError, match=message):
        link(*texts)


def test_appending_variables_of_numbers() -> None:
    check_against_llvm(
        "@list = appending global [2 x i16] [i16 1, i16 -2]\n",
        "@list = appending global [2 x i16] zeroinitializer\n",
        "@list = appending global [0 x i16] zeroinitializer\n",
        '@bytes = appending global [1 x i8] c"a"\n',
        '@bytes = appending global [2 x i8] c"bc"\n',
        "@half = appending global [1 x float] [float 0.5]\n",
        "@half = appending global [1 x float] [float 1.5]\n",
    )


def test_words_of_assembly_stand_one_behind_the_other() -> None:
    made = text_of('module asm ".globl a"\n', "", 'module asm ".globl b"\nmodule asm ".globl c"\n')
    assert made.index('module asm ".globl a"') < made.index('module asm ".globl b"')
    assert 'module asm ".globl c"' in made


def test_named_metadata_is_appended_and_knows_only_what_stays() -> None:
    text = '!list = !{{!0}}\n!0 = !{{ptr @{0}, i32 {1}, !"{0}", i64 ptrtoint (ptr @{0} to i64)}}\n'
    one = "@kept = global i32 0\n" + text.format("kept", 1)
    two = "@gone = internal global i32 0\n" + text.format("gone", 2)
    made = text_of(one, two)
    assert '!{ptr @kept, i32 1, !"kept", i64 ptrtoint (ptr @kept to i64)}' in made
    assert '!{null, i32 2, !"gone", null}' in made


def test_what_is_attached_stays() -> None:
    one = "@a = global i32 0, !associated !0\n@b = internal global i32 1\n!0 = !{ptr @b}\n"
    two = "define void @f(ptr %p) {\n  call void %p(), !callees !0\n  ret void\n}\n"
    two += "define internal void @g() {\n  ret void\n}\n!0 = !{ptr @g}\n"
    made = text_of(one, two)
    assert "@b = internal global i32 1" in made and "define internal void @g()" in made
    assert "!{ptr @b}" in made and "!{ptr @g}" in made


def test_what_a_debug_record_speaks_of_stays() -> None:
    text = """
@watched = internal global i32 0
define void @f() !dbg !3 {
    #dbg_value(ptr @watched, !4, !DIExpression(), !5)
  ret void, !dbg !5
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DILocalVariable(name: "p", scope: !3, file: !1)
!5 = !DILocation(line: 1, scope: !3)
"""
    assert "#dbg_value(ptr @watched" in text_of(text, "@watched = internal global i32 1\n")


def test_calls_may_come_back_once_caller_and_callee_are_one_module() -> None:
    one = "declare void @f() nocallback\ndeclare void @llvm.donothing()\n"
    one += "define void @g() {\n  call void @f() nocallback\n  call void @llvm.donothing()\n"
    one += "  ret void\n}\n"
    made = link(one, "define void @f() nocallback nounwind {\n  ret void\n}\n").module
    for name, has in (("f", False), ("llvm.donothing", True)):
        function = made.function_by_name(name)
        assert function is not None
        assert function.attributes.has_function("nocallback") is has


def test_references_to_another_address_space_are_cast() -> None:
    one = "@v = external addrspace(1) global i32\ndefine ptr addrspace(1) @f() {\n"
    one += "  ret ptr addrspace(1) @v\n}\n"
    assert "addrspacecast (ptr @v to ptr addrspace(1))" in text_of(one, "@v = global i32 1\n")


def test_the_address_of_a_block_stays_in_its_function() -> None:
    jumps = """
@table = global ptr blockaddress(@f, %there)
define weak void @f(ptr %p) {
  indirectbr ptr %p, [label %there]
there:
  ret void
}
"""
    made = text_of(jumps, "define void @f(ptr %p) {\n  ret void\n}\n")
    assert "@table = global ptr blockaddress(@f.0, %there)" in made
    assert "define internal void @f.0(" in made and "define void @f(" in made


@pytest.mark.parametrize(("one", "other", "message"), [
    ('target datalayout = "e-p:64:64"', 'target datalayout = "e-p:32:32"', "two data layouts"),
    ('target triple = "x86_64-pc-linux-gnu"', 'target triple = "aarch64-linux-gnu"',
     "a.ll is made for x86_64-pc-linux-gnu, b.ll for aarch64-linux-gnu"),
    ('target triple = "x86_64-pc-linux-gnu"', 'target triple = "x86_64-w64-windows-gnu"',
     "compile both for one machine"),
])  # fmt: skip
def test_modules_for_different_machines(one: str, other: str, message: str) -> None:
    with pytest.raises(LinkError, match=message):
        link(one, other)


def test_triples_of_one_machine_are_a_warning() -> None:
    triples = ("x86_64-pc-linux-gnu", "x86_64-unknown-linux5.10-musl", "")
    linked = link(*[f'target triple = "{triple}"' if triple else "" for triple in triples])
    assert linked.module.target_triple == triples[0]
    assert linked.warnings == (
        "a.ll is made for x86_64-pc-linux-gnu, b.ll for x86_64-unknown-linux5.10-musl; "
        "the result says x86_64-pc-linux-gnu",
    )


def test_definitions_of_other_sizes_are_a_warning() -> None:
    one, other = "@v = weak global [2 x i32] zeroinitializer\n", "@v = weak global i32 0\n"
    assert link(one, other, other).warnings == (
        "`v` has 8 bytes in a.ll and 4 in b.ll", "`v` has 8 bytes in a.ll and 4 in c.ll",
    )  # fmt: skip
    assert link(one, one, "@v = external global i32\n").warnings == ()

"""Building and rewriting: what passes do, verified by LLVM."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from irsan.ir.attributes import Attribute, AttributeList, string_attribute
from irsan.ir.builder import Builder
from irsan.ir.instructions import Br, Call, Instruction, Phi
from irsan.ir.metadata import DILocation
from irsan.ir.module import Module
from irsan.ir.printing import print_function, print_module
from irsan.ir.reading import parse_ir_text
from irsan.ir.rewriting import append_to_used, instructions_of, new_constructor, replace_all_uses
from irsan.ir.values import Function


def verified(module: Module) -> str:
    """The module's text, after LLVM has accepted it."""
    text = print_module(module)
    llvm.parse_assembly(text, llvm.create_context()).verify()
    return text


@pytest.fixture
def module() -> Module:
    return Module("built.c")


def every_instruction(module: Module) -> Function:
    """A function with one of each thing the builder makes."""
    t = module.types
    function = module.declare_function("f", t.function(t.i32, [t.ptr(), t.i32]))
    pointer, number = function.arguments
    entry = function.new_block(t.label, "entry")
    more = function.new_block(t.label)
    end = function.new_block(t.label, "end")
    at = Builder(module, entry.instructions)
    slot = at.alloca(t.i32, 4, name="slot")
    at.store(number, slot, 4)
    loaded = at.load(t.i32, pointer, 4)
    moved = at.byte_gep(pointer, at.integer(64, 4), ("inbounds",))
    member = at.gep(t.struct([t.i8, t.i32]), moved, [at.integer(64, 0), at.integer(32, 1)])
    wide = at.cast("zext", loaded, t.i64)
    at.atomic_rmw("add", member, wide, "seq_cst", 8)
    pair = at.cmpxchg(pointer, number, loaded, ("acq_rel", "monotonic"), 4)
    old = at.extract_value(pair, [0])
    at.insert_value(pair, old, [0])
    at.fence("acquire", "singlethread")
    same = at.icmp("eq", old, number)
    chosen = at.select(same, old, number)
    at.switch(chosen, end, [(at.integer(32, 5), more)])
    Builder(module, more.instructions).cond_br(same, end, end)
    at = Builder(module, end.instructions)
    phi = at.phi(t.i32, [chosen, number, number], [entry, more, more])
    at.ret(at.binary("add", phi, at.integer(32, -1), ("nsw",)))
    return function


def test_everything_built_verifies(module: Module) -> None:
    every_instruction(module)
    text = verified(module)
    assert print_module(parse_ir_text(text)) == text


def test_unnamed_values_are_numbered_in_order(module: Module) -> None:
    every_instruction(module)
    text = verified(module)
    assert "%2 = load i32, ptr %0, align 4" in text
    assert "%slot = alloca i32, align 4" in text


def test_duplicate_names_are_renamed_when_printed(module: Module) -> None:
    t = module.types
    function = module.declare_function("f", t.function(t.i32, [t.i32]))
    at = Builder(module, function.new_block(t.label, "x").instructions)
    first = at.binary("add", function.arguments[0], at.integer(32, 1), name="x")
    at.ret(at.binary("mul", first, first, name="x"))
    text = verified(module)
    assert "%x.0 = add" in text
    assert "%x.1 = mul i32 %x.0, %x.0" in text


def test_functions_are_declared_once(module: Module) -> None:
    t = module.types
    kind = t.function(t.void, [t.ptr()])
    first = module.declare_function("hook", kind, AttributeList((Attribute("nounwind"),)))
    assert module.declare_function("hook", t.function(t.void)) is first
    assert module.function_by_name("hook") is first
    assert module.functions == [first]
    module.add_global(t.i32, "variable")
    with pytest.raises(ValueError, match="not a function"):
        module.declare_function("variable", kind)


def test_names_of_globals_stay_unique(module: Module) -> None:
    t = module.types
    names = [module.add_global(t.i32, "g", Builder(module).integer(32, 1)).name for _ in range(3)]
    assert names == ["g", "g.0", "g.1"]
    module.globals[0].name = "renamed"
    module.reindex()
    assert module.global_by_name("renamed") is module.globals[0]
    assert module.global_by_name("g") is None


def test_calls_of_vararg_and_indirect_functions(module: Module) -> None:
    t = module.types
    kind = t.function(t.i32, [t.ptr()], is_vararg=True)
    printf = module.declare_function("printf", kind)
    function = module.declare_function("f", t.function(t.void, [t.ptr()]))
    at = Builder(module, function.new_block(t.label).instructions)
    at.call(printf, [function.arguments[0], at.integer(32, 1)])
    at.call(function.arguments[0], [], function_type=t.function(t.void))
    with pytest.raises(ValueError, match="function type"):
        at.call(function.arguments[0])
    at.ret()
    text = verified(module)
    assert "call i32 (ptr, ...) @printf(ptr %0, i32 1)" in text
    assert "call void %0()" in text


LOOP = """
define i32 @f(i32 %n) !dbg !2 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @g(i32 %i), !dbg !4
  %next = add i32 %i, 1
  %go = icmp ult i32 %next, %n
  br i1 %go, label %loop, label %exit
exit:
  ret i32 %next
}
declare void @g(i32)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = distinct !DISubprogram(name: "f", file: !3, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!3 = !DIFile(filename: "f.c", directory: "/")
!4 = !DILocation(line: 7, column: 3, scope: !2)
"""


def test_splitting_a_block_keeps_phis_right() -> None:
    module = parse_ir_text(LOOP)
    function = module.functions[0]
    loop = function.blocks[1]
    tail = function.split_block(loop, 2, "tail")
    Builder(module, loop.instructions).br(tail)
    assert [block.name for block in function.blocks] == ["entry", "loop", "tail", "exit"]
    phi = loop.phis()[0]
    assert phi.blocks == [function.blocks[0], tail]
    assert phi.incoming[1][0] is tail.instructions[0]
    assert loop.successors == [tail]
    verified(module)


def test_hooks_take_their_neighbours_location() -> None:
    module = parse_ir_text(LOOP)
    t = module.types
    hook = module.declare_function("hook", t.function(t.void, [t.i32]))
    function = module.function_by_name("f")
    assert function is not None
    for block in function.blocks:
        rebuilt: list[Instruction] = []
        for instruction in block.instructions:
            if isinstance(instruction, Call):
                at = Builder(module, rebuilt, instruction.debug_location)
                at.call(hook, [instruction.arguments[0]])
            rebuilt.append(instruction)
        block.instructions = rebuilt
    text = verified(module)
    assert "call void @hook(i32 %i), !dbg !" in text
    location = function.blocks[1].instructions[1].location
    assert isinstance(location, DILocation)
    assert (location.line, location.column) == (7, 3)


def test_uses_are_replaced_everywhere() -> None:
    module = parse_ir_text(LOOP)
    function = module.functions[0]
    old = function.arguments[0]
    new = Builder(module).integer(32, 10)
    replace_all_uses(function, {old: new})
    assert all(old not in instruction.operands for instruction in instructions_of(function))
    assert "icmp ult i32 %next, 10" in verified(module)


def test_replacing_reaches_bundles_and_debug_records() -> None:
    module = parse_ir_text(
        """
define void @f(i32 %a, i32 %b) {
  call void @g(metadata i32 %a) [ "deopt"(i32 %a) ]
  ret void
}
declare void @g(metadata)
""".replace("@g(", "@llvm.fake(")
    )
    function = module.functions[0]
    replace_all_uses(module, {function.arguments[0]: function.arguments[1]})
    assert '(metadata i32 %b) [ "deopt"(i32 %b) ]' in print_module(module)


def test_constructors_are_appended() -> None:
    module = Module()
    t = module.types
    for name, priority in (("a", 1), ("b", 65535)):
        function = module.declare_function(name, t.function(t.void))
        Builder(module, function.new_block(t.label).instructions).ret()
        new_constructor(module, function, priority)
    append_to_used(module, [*module.functions])
    text = verified(module)
    assert "[{ i32, ptr, ptr } { i32 1, ptr @a, ptr null }, { i32, ptr, ptr } { i32 65535," in text
    assert (
        '@llvm.used = appending global [2 x ptr] [ptr @a, ptr @b], section "llvm.metadata"' in text
    )


def test_attributes_are_immutable_and_shared() -> None:
    first = AttributeList((Attribute("nounwind"), string_attribute("a", "b")))
    second = first.with_function([Attribute("nounwind"), Attribute("cold")])
    assert [attribute.kind for attribute in second.function] == ["a", "nounwind", "cold"]
    assert first.has_function("nounwind")
    assert not first.has_function("cold")
    third = second.with_parameter(2, [Attribute("align", 8)]).without_function(["cold", "a"])
    assert third.parameters == ((), (), (Attribute("align", 8),))
    assert third.parameter(7) == ()
    assert third.function == (Attribute("nounwind"),)


def test_a_single_function_can_be_shown() -> None:
    module = parse_ir_text(LOOP)
    shown = print_function(module, module.functions[0])
    assert shown.startswith("define i32 @f(i32 %n) !dbg !")
    assert "declare" not in shown


def test_blocks_know_where_instructions_may_go() -> None:
    module = parse_ir_text(LOOP)
    loop = module.functions[0].blocks[1]
    assert loop.first_insertion_index() == 1
    assert isinstance(loop.instructions[0], Phi)
    assert isinstance(loop.terminator, Br)
    assert Builder(module).instructions == []

"""Types of several modules as types of one: what is one struct, and that code still fits."""

from __future__ import annotations

import llvmlite.binding as llvm
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.ir.linker.linking import link_modules
from irsan.ir.linker.type_map import TypeMap
from irsan.ir.module import Module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from irsan.ir.type_equality.ranked import parts_of, symbol_of
from irsan.ir.types import Type, TypeContext, TypeID
from tests.ir.test_types import FLOATS

NAMES = ("a", "a.1", "b", "b.2", "c")


def unfolded(of_type: Type) -> object:
    """A type without names: its structure all the way down (no type here contains itself)."""
    symbol = [one for one in symbol_of(of_type) if not isinstance(one, str) or one == "opaque"]
    return (of_type.type_id, symbol, [unfolded(part) for part in parts_of(of_type)])


@st.composite
def modules(draw: st.DrawFn, number: int) -> str:
    """Structs that contain earlier ones, and functions that take every struct apart."""
    lines: list[str] = []
    known = ["i32", "ptr", "[2 x i8]"]
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True)):
        members = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
        lines.append(f"%{name} = type {{ {', '.join(members)} }}")
        lines.append(f"@v.{name}.{number} = global %{name} zeroinitializer")
        for index, member in enumerate(members):
            lines.append(
                f"define {member} @f.{name}.{index}.{number}(%{name} %s) {{\n"
                f"  %p = alloca [1 x %{name}]\n  store %{name} %s, ptr %p\n"
                f"  %q = getelementptr [1 x %{name}], ptr %p, i32 0, i32 0, i32 {index}\n"
                f"  %m = extractvalue %{name} %s, {index}\n"
                f"  %t = insertvalue %{name} poison, {member} %m, {index}\n  ret {member} %m\n}}"
            )
        known += [f"%{name}", f"[2 x %{name}]", f"{{ %{name}, i8 }}"]
    return "\n".join(lines)


@settings(deadline=None, max_examples=100)
@given(st.tuples(modules(0), modules(1), modules(2)))
def test_linked_code_is_valid_and_keeps_its_layouts(texts: tuple[str, ...]) -> None:
    given_modules = [parse_ir_text(text) for text in texts]
    before = {
        one.name: unfolded(one.value_type)
        for module in given_modules for one in (*module.functions, *module.globals)
    }  # fmt: skip
    linked = link_modules([(f"{n}.ll", one) for n, one in enumerate(given_modules)]).module
    llvm.parse_assembly(print_module(linked), llvm.create_context()).verify()
    for symbol in (*linked.functions, *linked.globals):
        assert unfolded(symbol.value_type) == before[symbol.name]
    names = [struct.name for struct in linked.types.identified]
    assert len(set(names)) == len(names)


def structs_of(*texts: str) -> set[str]:
    """The definitions of the linked modules' structs."""
    named = [(f"{n}.ll", parse_ir_text(text)) for n, text in enumerate(texts)]
    made: Module = link_modules(named).module
    return {f"{struct.text} = {struct.body_text}" for struct in made.types.identified}


def test_structs_of_one_name_and_one_body_are_one() -> None:
    text = "%n = type {{ i32, %m{0} }}\n%m{0} = type {{ ptr }}\n@v{1} = global %n zeroinitializer"
    assert structs_of(text.format("", 1), text.format(".7", 2)) == {
        "%n = { i32, %m }", "%m = { ptr }",
    }  # fmt: skip


def test_structs_of_one_name_and_two_bodies_are_two() -> None:
    """So are those that contain them, as their members are no longer of one type."""
    text = "%n = type {{ i32, %m }}\n%m = type {{ {} }}\n@v{} = global %n zeroinitializer"
    assert structs_of(text.format("ptr", 1), text.format("i64", 2)) == {
        "%n = { i32, %m }", "%m = { ptr }", "%n.1 = { i32, %m.0 }", "%m.0 = { i64 }",
    }  # fmt: skip


def test_an_opaque_struct_gets_the_body_of_its_name() -> None:
    opaque = "%n = type opaque\n%h = type { %n, ptr }\n@v = external global %n\n"
    opaque += "@w = external global %h\ndefine ptr @f() {\n  ret ptr @v\n}\n"
    opaque += "define ptr @g() {\n  ret ptr @w\n}\n"
    body = "%n.3 = type { i64 }\n@v = global %n.3 zeroinitializer\n"
    assert structs_of(opaque, body) == {"%n = { i64 }", "%h = { %n, ptr }"}
    assert structs_of(opaque) == {"%n = opaque", "%h = { %n, ptr }"}


def test_every_kind_of_type_is_mapped_to_its_like() -> None:
    source, target = TypeContext(), TypeContext()
    kinds: list[Type] = [getattr(source, name) for name in (*FLOATS, "void", "label", "metadata")]
    kinds += [source.token, source.x86_amx, source.ptr(3), source.integer(77)]
    kinds += [source.array(source.half, 3), source.vector(source.i8, 2, True), source.struct([])]
    kinds.append(source.vector(source.float, 4))
    kinds += [source.function(source.void, [source.i1], True), source.typed_pointer(source.i8)]
    kinds += [source.target_ext("x.y", [source.void], [1, 2])]
    kinds.append(source.struct([source.identified_struct("n", [source.i8])], is_packed=True))
    types = TypeMap([source], target)
    assert {kind.type_id for kind in kinds} == set(TypeID)
    for kind in kinds:
        mapped = types.map_type(kind)
        assert mapped.text == kind.text and mapped is not kind
        assert types.map_type(mapped) is mapped


def test_deeply_nested_types_are_no_trouble() -> None:
    source = TypeContext()
    nested: Type = source.identified_struct("n", [source.i8])
    for _ in range(1200):
        nested = source.array(nested, 1)
    mapped = TypeMap([source], TypeContext()).map_type(nested)
    assert mapped.text == nested.text

"""Constructors of a module become the sections that clang writes."""

from __future__ import annotations

import re

from irsan.instrument.globals.structors import Structors
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text

TEXT = """
$inline = comdat any
@inline = linkonce_odr global i32 0, comdat
@plain = global i32 0
@elsewhere = external global i32
@given = available_externally global i32 0
@llvm.global_ctors = appending global [7 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 65535, ptr @a, ptr null },
  { i32, ptr, ptr } { i32 65535, ptr @b, ptr @inline },
  { i32, ptr, ptr } { i32 200, ptr @c, ptr null },
  { i32, ptr, ptr } { i32 65535, ptr @a, ptr @elsewhere },
  { i32, ptr, ptr } { i32 65535, ptr @a, ptr @given },
  { i32, ptr, ptr } { i32 101, ptr @d, ptr @plain },
  { i32, ptr, ptr } { i32 65535, ptr @c, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 101, ptr @d, ptr null }]
define internal void @a() { ret void }
define internal void @b() { ret void }
define internal void @c() { ret void }
define internal void @d() { ret void }
"""
_ENTRY = re.compile(
    r"^@irsan\.structor\S* = private global ptr @(\w), (.*), align 8$", re.MULTILINE
)


def changed(text: str) -> str:
    module = parse_ir_text(text)
    Structors().apply(module)
    printed = print_module(module)
    parse_ir_text(printed)  # LLVM takes it
    return printed


def test_entries_stand_by_priority_in_their_sections() -> None:
    text = changed(TEXT)
    assert _ENTRY.findall(text) == [
        ("d", 'section ".init_array.101", comdat($plain)'),
        ("c", 'section ".init_array.200"'),
        ("a", 'section ".init_array"'),
        ("b", 'section ".init_array", comdat($inline)'),
        ("c", 'section ".init_array"'),
        ("d", 'section ".fini_array.101"'),
    ]
    assert "llvm.global_" not in text and "@llvm.compiler.used" in text


def test_what_other_modules_initialise_is_left_to_them() -> None:
    assert "@a" in changed(TEXT) and "ptr @elsewhere" not in changed(TEXT)


def test_a_module_without_constructors_is_left_alone() -> None:
    assert "llvm.compiler.used" not in changed("@x = global i32 1")

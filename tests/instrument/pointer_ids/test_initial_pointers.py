"""Which pointers in the initial values of globals get an id, and from which object."""

from __future__ import annotations

import re

from tests.instrument.checked_ir import body, check
from tests.instrument.pointer_ids.test_pointer_ids import with_ids

MODULE = """
$dropped = comdat any
%pair = type { i32, ptr }
@table = global [10 x i32] zeroinitializer
@elsewhere = external global i32
@whole = global ptr @table
@inside = global ptr getelementptr (i8, ptr @table, i64 12)
@pairs = internal constant [2 x %pair] [%pair { i32 1, ptr null }, %pair { i32 2, ptr @elsewhere }]
@packed = global <{ i8, ptr }> <{ i8 1, ptr @table }>
@calls = constant [2 x ptr] [ptr @f, ptr @f]
@number = global i64 ptrtoint (ptr @table to i64)
@own = thread_local global ptr @table
@replaceable = weak global ptr @table
@gone = internal global ptr @table, comdat($dropped)
@kept = linkonce_odr global ptr @table, comdat($dropped)
define void @f() {
  ret void
}
"""


def entries(text: str) -> list[str]:
    """The entries of the table, without the words for types."""
    (line,) = re.findall(r"^@provenance.initial = private global .*?\] \[(.*)\]", text, re.M)
    return re.findall(r"\{ ptr, ptr, ptr \} \{ (.*?) \}(?:,|$)", line)


def test_entries_are_place_pointer_and_object() -> None:
    assert sorted(entries(with_ids(MODULE))) == sorted([
        "ptr @whole, ptr @table, ptr @table",
        "ptr @inside, ptr getelementptr (i8, ptr @table, i64 12), ptr @table",
        "ptr getelementptr (i8, ptr @pairs, i64 24), ptr @elsewhere, ptr @elsewhere",
        "ptr getelementptr (i8, ptr @packed, i64 1), ptr @table, ptr @table",
        "ptr @own, ptr @table, ptr @table",
        "ptr @kept, ptr @table, ptr @table",
        "ptr @replaceable.own, ptr @table, ptr @table",
    ])  # fmt: skip


def test_the_table_is_read_behind_all_objects() -> None:
    text = with_ids(MODULE)
    check(
        text,
        'ptr @provenance.module_ctor, section ".init_array.0"',
        'ptr @provenance.initial_ctor, section ".init_array.1"',
    )
    assert "(ptr @provenance.initial, i64 7)" in body(text, "provenance.initial_ctor")


def test_modules_without_such_pointers_have_no_table() -> None:
    assert "provenance.initial" not in with_ids("@table = global [2 x i32] zeroinitializer")

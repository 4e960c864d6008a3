"""Which globals become objects, and how the run-time hears of them."""

from __future__ import annotations

from tests.instrument.checked_ir import body
from tests.instrument.pointer_ids.test_pointer_ids import with_ids

MODULE = """
$group = comdat any
@plain = global [4 x i32] zeroinitializer
@weak = weak global [4 x i32] zeroinitializer
@common = common global [4 x i32] zeroinitializer
@inline = linkonce_odr global [4 x i32] zeroinitializer, comdat($group)
@replaced = weak global [4 x i32] zeroinitializer, comdat($group)
@placed = global i64 1, section ".data"
@walked = global i64 1, section "entries"
@marked = global i64 1, section ".data.table"
@missing = extern_weak global i64
@own = weak thread_local global i64 1
"""


def test_each_object_is_told_of() -> None:
    text = with_ids(MODULE)
    lines = body(text, "provenance.module_ctor").splitlines()
    assert [line.strip().split(" #")[0] for line in lines if "@__irsan_prov_" in line] == [
        "call void @__irsan_prov_global(ptr @plain, i64 16)",
        "call void @__irsan_prov_weak(ptr @weak, ptr @weak.own, i64 16)",
        "call void @__irsan_prov_common(ptr @common, i64 16)",
        "call void @__irsan_prov_global(ptr @inline, i64 16)",
        "call void @__irsan_prov_global(ptr @placed, i64 8)",
    ]
    assert "@weak.own = private alias [4 x i32], ptr @weak" in text

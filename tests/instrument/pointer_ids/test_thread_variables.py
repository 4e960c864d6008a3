"""Thread-local variables: their address has an id, other addresses in a block have none."""

from __future__ import annotations

from tests.instrument.checked_ir import body, check
from tests.instrument.pointer_ids.test_pointer_ids import ids_in, with_ids

MODULE = """
@own = thread_local global [4 x i32] zeroinitializer
@other = external thread_local global i32
declare ptr @llvm.threadlocal.address.p0(ptr)
define i32 @f(i64 %n) {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %at = getelementptr i32, ptr %p, i64 %n
  %v = load i32, ptr %at
  ret i32 %v
}
define i32 @g(i64 %n) {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @other)
  %at = getelementptr i32, ptr %p, i64 %n
  %v = load i32, ptr %at
  ret i32 %v
}
"""


def test_a_variable_of_this_module_is_an_object() -> None:
    check(
        body(with_ids(MODULE), "f"),
        "@__irsan_tls_block()", "@__irsan_prov_thread_variable(ptr", "i64 16)",
        "@__irsan_bounds_of_id(ptr %at",
    )  # fmt: skip


def test_nothing_is_known_of_another_modules() -> None:
    assert "__irsan_prov_thread_variable" not in ids_in(with_ids(MODULE), "g")

"""Which functions the run-time hears of as checked."""

from __future__ import annotations

from tests.instrument.checked_ir import body
from tests.instrument.pointer_ids.test_pointer_ids import with_ids

MODULE = """
$group = comdat any
@table = global [2 x ptr] [ptr @in_table, ptr getelementptr (i8, ptr @moved, i64 0)]
@other = alias void (), ptr @aliased
define void @named() {
  call void @only_called()
  call void @argument(ptr @passed)
  ret void
}
define internal void @only_called() { ret void }
define internal void @argument(ptr %f) { ret void }
define internal void @passed() { ret void }
define internal void @in_table() { ret void }
define internal void @moved() { ret void }
define internal void @aliased() { ret void }
define internal void @dropped() comdat($group) { ret void }
define linkonce_odr void @unused() { ret void }
define available_externally void @elsewhere() { ret void }
define void @unchecked() disable_sanitizer_instrumentation { ret void }
declare void @missing()
declare void @free(ptr)
@uses = global [4 x ptr] [ptr @dropped, ptr @missing, ptr @unchecked, ptr @free]
"""


def test_functions_that_calls_by_pointer_may_reach_are_told_of() -> None:
    text = with_ids(MODULE)
    table = next(line for line in text.splitlines() if line.startswith("@provenance.functions ="))
    names = ("named", "passed", "in_table", "moved", "aliased", "free")
    assert f"[{', '.join(f'ptr @{name}' for name in names)}]" in table
    told = "@__irsan_prov_functions(ptr @provenance.functions, i64 6)"
    assert told in body(text, "provenance.module_ctor")


def test_a_module_without_functions_tells_nothing() -> None:
    assert "functions" not in with_ids("@x = global i32 0\n")

"""Sites in code without checks: calls before what may trap, and frames where there is none."""

from __future__ import annotations

from irsan.engine.interp.sites import tell_sites
from irsan.instrument.sites.fault_sites import FaultSites, has_site_lines
from irsan.instrument.sites.sites import SiteTable
from irsan.ir.calls import Call
from irsan.ir.module import Module
from irsan.ir.reading import parse_ir_text

TEXT = """
declare void @__irsan_frame_entry()
declare void @__irsan_frame_exit()
define i32 @leaf(ptr %p) {
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  ret i32 %w
}
define i32 @framed(ptr %p) {
  call void @__irsan_frame_entry()
  store i32 1, ptr %p
  call void @__irsan_frame_exit()
  ret i32 0
}
"""


def _order(module: Module, name: str) -> list[str]:
    function = module.function_by_name(name)
    assert function is not None
    return [
        op.called_function.name if isinstance(op, Call) and op.called_function else op.opcode
        for op in function.entry.instructions
    ]


def test_sites_and_frames_are_told() -> None:
    module = parse_ir_text(TEXT)
    FaultSites(SiteTable()).apply(module)
    assert has_site_lines(module)
    tell_sites(module)
    entry, leave, site = "__irsan_frame_entry", "__irsan_frame_exit", "__irsan_site"
    assert _order(module, "leaf") == [entry, site, "load", "add", leave, "ret"]
    assert _order(module, "framed") == [entry, site, "store", leave, "ret"]


def test_lines_of_the_source_are_not_sites() -> None:
    module = parse_ir_text(TEXT)
    assert not has_site_lines(module)
    tell_sites(module)
    assert _order(module, "leaf") == ["load", "add", "ret"]

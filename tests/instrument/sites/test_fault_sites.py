"""Unchecked code: every instruction's line is a site, and no other debug info is left."""

from __future__ import annotations

from pathlib import Path

from irsan.instrument.pipeline import instrument_module
from irsan.instrument.sites.fault_sites import HAS_FRAME, HAS_NO_FRAME
from irsan.instrument.sites.sites import SiteTable
from irsan.ir.metadata import DILocation
from irsan.ir.module import Module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from irsan.ir.values import Function

ROOT = Path(__file__).parents[2] / "ir" / "corpus"


def instrumented(name: str) -> tuple[Module, SiteTable]:
    module = parse_ir_text((ROOT / name).read_text())
    sites = SiteTable()
    instrument_module(module, frozenset({"gwp-asan"}), sites=sites)
    return module, sites


def locations(function: Function) -> list[DILocation]:
    found = [one.debug_location for block in function.blocks for one in block.instructions]
    assert all(isinstance(place, DILocation) for place in found)
    return found  # type: ignore[return-value]


def test_each_instruction_has_a_site_of_its_function() -> None:
    module, sites = instrumented("debug.ll")
    bodies = [function for function in module.functions if function.blocks]
    assert bodies
    for function in bodies:
        for place in locations(function):
            assert sites.site_to_frames(place.line)
            assert place.inlined_at is None
            assert place.scope is dict(function.metadata)["dbg"]


def test_the_column_says_whether_the_function_has_a_frame() -> None:
    module, _ = instrumented("debug.ll")
    for function in module.functions:
        if function.blocks:
            has_frame = "__irsan_frame_entry" in {
                getattr(one.operands[0], "name", "")
                for one in function.entry.instructions
                if one.opcode == "call"
            }
            columns = {place.column for place in locations(function)}
            assert columns == {HAS_FRAME if has_frame else HAS_NO_FRAME}


def test_only_lines_are_left_and_llvm_accepts_the_module() -> None:
    import llvmlite.binding as llvm

    for name in ("debug.ll", "exceptions.ll", "instructions.ll"):
        module, _ = instrumented(name)
        text = print_module(module)
        assert "#dbg_" not in text
        assert text.count("Debug Info Version") == 1
        llvm.parse_assembly(text).verify()


def test_checked_code_has_no_lines() -> None:
    module = parse_ir_text((ROOT / "debug.ll").read_text())
    instrument_module(module, frozenset({"gwp-asan", "address"}), sites=SiteTable())
    assert "DILocation" not in print_module(module)

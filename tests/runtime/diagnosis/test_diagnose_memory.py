"""Memory faults left by kernels, as findings of the report model, printed in the field's words."""

from __future__ import annotations

from typing import Any

import pytest

from irsan.interceptors.memory import malloc as family
from irsan.interceptors.memory import operator_new
from irsan.reports.model.report import (
    AllocationRequest,
    FamilyMismatch,
    Finding,
    Frame,
    HeapRegion,
    PointerQuery,
    RangeOverlap,
    SignalFacts,
    SizeArgument,
    SizeMismatch,
)
from irsan.reports.text.report import format_finding
from irsan.reports.text.style import TextStyle
from irsan.runtime.diagnosis.describe import Places
from irsan.runtime.diagnosis.diagnose_memory import diagnose_memory, dump_shadow
from irsan.runtime.kernels import actions
from irsan.runtime.kernels.checks import access, ranges, shadow
from irsan.runtime.kernels.heap.heap import heap_init
from irsan.runtime.layout import memory_map, options
from irsan.runtime.layout.faults import FaultKind
from irsan.runtime.views import mappings
from irsan.runtime.views.stackdepot import stack_to_sites

SITE_MALLOC, SITE_FREE, SITE_USE = 11, 12, 13


def stack_to_frames(stack_id: int) -> tuple[Frame, ...]:
    return tuple(Frame(f"f{site}", "a.c", site) for site in stack_to_sites(stack_id))


@pytest.fixture
def ctx(guest: Any) -> Any:
    options.set_default_options(guest.ctx)
    guest.ctx["sanitize_thread"] = 0
    heap_init(guest.ctx)
    mappings.refresh_mappings(guest.ctx)
    return guest.ctx


def diagnose(ctx: Any, function: str = "") -> Finding:
    assert ctx["action"] == actions.REPORT
    ctx["action"] = actions.NONE
    finding = diagnose_memory(Places(ctx, stack_to_frames), lambda _number: function)
    assert finding.kind in format_finding(finding, TextStyle())
    return finding


def malloc(ctx: Any, size: int) -> int:
    ctx["site"] = SITE_MALLOC
    addr = int(family.i_malloc(ctx, size))
    ctx["site"] = SITE_USE
    return addr


def free(ctx: Any, addr: int) -> None:
    ctx["site"] = SITE_FREE
    family.i_free(ctx, addr)
    ctx["site"] = SITE_USE


def roles(finding: Finding) -> list[tuple[str, list[str]]]:
    return [(stack.role, [f.function for f in stack.frames]) for stack in finding.stacks]


def test_overflow_into_the_partial_granule(ctx: Any) -> None:
    addr = malloc(ctx, 13)
    assert not access.asan_access_slow(ctx, addr + 13, 1, 1)
    finding = diagnose(ctx)
    assert finding.kind == "heap-buffer-overflow"
    assert finding.access is not None
    assert (finding.access.operation, finding.access.size) == ("write", 1)
    assert finding.locations == (HeapRegion(addr + 13, "after", 0, addr, addr + 13),)
    assert roles(finding) == [("access", ["f13"]), ("allocation", ["f11"])]
    assert finding.shadow is not None and len(finding.shadow.rows) == 11
    middle = finding.shadow.rows[5]
    assert middle.shadow[(addr + 13 - middle.address) >> 3] == 5


def test_use_after_free_has_all_three_stacks(ctx: Any) -> None:
    addr = malloc(ctx, 40)
    free(ctx, addr)
    assert not access.asan_access_slow(ctx, addr + 4, 4, 0)
    finding = diagnose(ctx)
    assert finding.kind == "heap-use-after-free"
    assert roles(finding) == [
        ("access", ["f13"]), ("allocation", ["f11"]), ("free", ["f12"]),
    ]  # fmt: skip
    text = format_finding(finding, TextStyle())
    assert "is located 4 bytes inside of 40-byte region" in text


def test_kind_follows_the_shadow(ctx: Any) -> None:
    at = memory_map.STACK_SLOTS_LO + 8192
    kinds = {
        0xF1: "stack-buffer-underflow", 0xF2: "stack-buffer-overflow",
        0xF3: "stack-buffer-overflow", 0xF5: "stack-use-after-return",
        0xF7: "use-after-poison", 0xF8: "stack-use-after-scope", 0xF9: "global-buffer-overflow",
        0xFC: "container-overflow", 0xBB: "intra-object-overflow",
        0xCA: "dynamic-stack-buffer-overflow", 0xCB: "dynamic-stack-buffer-overflow",
        0xF6: "initialization-order-fiasco", 0xE0: "unknown-crash",
    }  # fmt: skip
    for value, kind in kinds.items():
        shadow.fill_shadow(ctx, at, 8, 3)
        shadow.fill_shadow(ctx, at + 8, 8, value)
        assert not access.asan_access_slow(ctx, at + 4, 2, 0)
        assert diagnose(ctx).kind == kind
    shadow.fill_shadow(ctx, at + 8, 8, 0)
    assert not access.asan_access_slow(ctx, at + 4, 2, 0)
    assert diagnose(ctx).kind == "stack-buffer-overflow"


@pytest.mark.parametrize("addr, shown", [(0, 0), (1 << 46, 1 << 46), (1 << 60, None)])
def test_wild_access_is_a_segv_told_early(ctx: Any, addr: int, shown: int | None) -> None:
    assert not access.asan_access_slow(ctx, addr, 8, 1)
    finding = diagnose(ctx)
    assert (finding.kind, finding.details) == ("SEGV", SignalFacts("SEGV", shown, "WRITE"))


def test_double_and_bad_free(ctx: Any) -> None:
    addr = malloc(ctx, 4)
    free(ctx, addr)
    free(ctx, addr)
    finding = diagnose(ctx, "free")
    assert (finding.kind, finding.address) == ("double-free", addr)
    assert [role for role, _ in roles(finding)] == ["access", "allocation", "free"]
    inside = malloc(ctx, 40) + 8
    free(ctx, inside)
    finding = diagnose(ctx, "free")
    assert (finding.kind, finding.address) == ("bad-free", inside)


def test_mismatches(ctx: Any) -> None:
    free(ctx, operator_new.i_new_array(ctx, 12))
    finding = diagnose(ctx, "free")
    assert finding.details == FamilyMismatch("operator new []", "free")
    operator_new.i_delete_sized(ctx, operator_new.i_new(ctx, 20), 4)
    assert diagnose(ctx).details == SizeMismatch(20, 4)
    operator_new.i_delete(ctx, operator_new.i_new_aligned(ctx, 64, 64))
    assert diagnose(ctx).details == SizeMismatch(64, 64, 64, 0)


def test_ranges_of_library_functions(ctx: Any) -> None:
    addr = malloc(ctx, 10)
    assert not ranges.asan_write_range(ctx, addr, 12)
    finding = diagnose(ctx, "memset")
    assert finding.access is not None
    assert (finding.access.address, finding.access.size) == (addr + 10, 12)
    assert not ranges.asan_read_range(ctx, addr, (1 << 64) - 1)
    assert diagnose(ctx, "memset").details == SizeArgument(-1)
    assert not ranges.asan_no_overlap(ctx, addr, 5, addr + 2, 5)
    finding = diagnose(ctx, "memcpy")
    assert finding.kind == "memcpy-param-overlap" and len(finding.locations) == 2
    assert finding.details == RangeOverlap("memcpy", addr, addr + 5, addr + 2, addr + 7)


def test_requests_that_are_refused(ctx: Any) -> None:
    family.i_calloc(ctx, 1 << 63, 4)
    assert diagnose(ctx, "calloc").details == AllocationRequest("calloc", 4, 1 << 63)
    family.i_malloc(ctx, 1 << 50)
    finding = diagnose(ctx, "malloc")
    assert isinstance(finding.details, AllocationRequest)
    assert finding.details.limit_bytes == 1 << 40 < 1 << 50 < finding.details.total_bytes
    family.i_aligned_alloc(ctx, 24, 48)
    finding = diagnose(ctx, "aligned_alloc")
    assert finding.kind == "invalid-aligned-alloc-alignment"
    assert finding.details == AllocationRequest("aligned_alloc", 48, alignment=24)
    family.i_malloc_usable_size(ctx, memory_map.STACK_SLOTS_LO)
    finding = diagnose(ctx, "malloc_usable_size")
    assert finding.kind == "bad-malloc_usable_size"
    assert finding.details == PointerQuery("malloc_usable_size", memory_map.STACK_SLOTS_LO)


def test_other_threads_are_told_with_their_creators(ctx: Any, guest: Any) -> None:
    for tid in (1, 2):
        child = guest.new_thread(tid)
        child["parent_tid"] = tid - 1
    addr = malloc(ctx, 8)
    ctx["thread"] = memory_map.THREADS + 2 * memory_map.THREAD_STRIDE
    free(ctx, addr)
    ctx["thread"] = memory_map.THREADS
    free(ctx, addr)
    finding = diagnose(ctx, "free")
    assert [facts.thread for facts in finding.threads] == ["T1", "T2"]
    assert finding.stack("free", thread="T2") is not None
    assert finding.stack("thread-creation", thread="T1") is not None


def test_shadow_at_the_edge_of_the_arena() -> None:
    assert dump_shadow(0) is None
    first = dump_shadow(memory_map.ARENA_LO)
    assert first is not None and len(first.rows) == 6


def test_other_faults_are_refused(ctx: Any) -> None:
    ctx["fault"][0] = FaultKind.DATA_RACE
    with pytest.raises(ValueError, match="no memory error"):
        diagnose_memory(Places(ctx), lambda _number: "")

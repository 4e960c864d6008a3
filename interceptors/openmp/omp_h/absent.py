"""What omp.h asks of things that are not there: places, foreign runtimes, tools, devices to pause.

    omp_get_interop_*          no object of a foreign runtime: 0 and omp_irc_empty
    omp_pause_resource         the host pauses until its next region; nothing is given back
    omp_control_tool           no tool: -2

Source: OpenMP 5.2, sections 18.12 (interoperability), 18.6 (pausing), 18.14 (tools).
"""

from __future__ import annotations

from irsan.interceptors.openmp.members import own_team
from irsan.interceptors.openmp.omp_h.host_device import is_host
from irsan.interceptors.openmp.openmp_types import settings_at, team_at
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.combined.touches import KIND_WRITE, memory_access
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import store_u32
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u32, u64
from irsan.runtime.records.threads.openmp_records import TABLE

EMPTY = 0xFFFF_FFFF  # omp_irc_empty
RESUME, SOFT, HARD = 0, 1, 2
REFUSED = 1
NO_TOOL = -2


@kernel
def i_omp_get_interop(ctx: Context, interop: u64, number: i32, code: u64) -> u64:
    """omp_get_interop_int, _ptr, _str: the value 0, and why."""
    if code != 0 and memory_access(ctx, code, 4, KIND_WRITE):
        store_u32(code, u32(EMPTY))
    return 0


@kernel
def i_omp_interop_text(ctx: Context, interop: u64, number: i32) -> u64:
    """omp_get_interop_name, _type_desc, _rc_desc: none."""
    return 0


@kernel
def i_omp_interop_count(ctx: Context, interop: u64) -> i32:
    """omp_get_num_interop_properties."""
    return 0


@kernel
def i_omp_pause_all(ctx: Context, kind: i32) -> i32:
    """omp_pause_resource_all: not inside of a region, and not twice; 0 ends the pause."""
    settings = settings_at(TABLE)
    pauses = kind == SOFT or kind == HARD
    is_known = pauses or kind == RESUME
    if not is_known or team_at(own_team(ctx)).level != 0 or (settings.paused != 0) == pauses:
        return REFUSED
    settings.paused = u64(pauses)
    return 0


@kernel
def i_omp_pause(ctx: Context, kind: i32, device: i32) -> i32:
    """omp_pause_resource."""
    return i_omp_pause_all(ctx, kind) if is_host(device) else i32(REFUSED)


@kernel
def i_omp_control_tool(ctx: Context, command: i32, modifier: i32, argument: u64) -> i32:
    """omp_control_tool."""
    return NO_TOOL


@kernel
def i_omp_place_numbers(ctx: Context, numbers: u64) -> None:
    """omp_get_partition_place_nums: there are none to write."""


@kernel
def i_omp_place_processors(ctx: Context, place: i32, numbers: u64) -> None:
    """omp_get_place_proc_ids: the same."""


EXPORTS = (
    *(Export(f"{result} omp_get_interop_{kind}(ptr,i32,ptr)", kernel="i_omp_get_interop")
      for kind, result in (("int", "u64"), ("ptr", "ptr"), ("str", "ptr"))),
    *(Export(f"ptr omp_get_interop_{kind}(ptr,i32)", kernel="i_omp_interop_text", quick=True)
      for kind in ("name", "type_desc", "rc_desc")),
    Export("i32 omp_get_num_interop_properties(ptr)", kernel="i_omp_interop_count", quick=True),
    Export("i32 omp_pause_resource(i32,i32)", kernel="i_omp_pause", quick=True),
    Export("i32 omp_pause_resource_all(i32)", kernel="i_omp_pause_all", quick=True),
    Export("i32 omp_control_tool(i32,i32,ptr)", kernel="i_omp_control_tool", quick=True),
    Export("void omp_get_partition_place_nums(ptr)", kernel="i_omp_place_numbers", quick=True),
    Export("void omp_get_place_proc_ids(i32,ptr)", kernel="i_omp_place_processors", quick=True),
)  # fmt: skip

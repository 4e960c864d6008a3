"""The figures of `--stats`: threads, heap, and what was called natively."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from irsan.runtime.records.memory import heap_records as hr

if TYPE_CHECKING:
    from irsan.engine.guest.guest_link import LinkedProgram
    from irsan.engine.guest.machine import Machine

_HEAP_WORDS = {
    "live": "n_live", "live_bytes": "live_bytes", "freed": "n_freed",
    "quarantined": "n_quarantined", "peak_bytes": "peak_bytes", "units": "units",
}  # fmt: skip


def print_stats(machine: Machine, program: LinkedProgram, n_findings: int) -> None:
    """Write the figures of a finished run to standard error."""
    ctx, schedule = machine.ctx, machine.ctx["schedule"]
    seconds = int(schedule["clock_ns"]) / 1e9
    lines = [
        f"irsan: stats: {int(schedule['n_switches'])} thread switches, "
        f"{int(schedule['next_tid'])} threads, virtual time {seconds:.6f} s, "
        f"{n_findings} findings"
    ]
    heap = {name: int(ctx["heap"][word]) for name, word in _HEAP_WORDS.items()}
    lines.append(
        f"irsan: stats: heap: {heap['live']} blocks of {heap['live_bytes']} bytes live, "
        f"{heap['freed']} freed, {heap['quarantined']} in quarantine, "
        f"{heap['peak_bytes']} bytes at most, {heap['units'] * hr.UNIT_BYTES} bytes of memory"
    )
    calls = program.native_calls()
    if calls:
        lines.append("irsan: stats: functions called natively, without an interceptor:")
        lines += [f"  {count:>12}  {name}" for name, count in calls.items()]
    print("\n".join(lines), file=sys.stderr)

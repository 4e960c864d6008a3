"""What mypy finds in calls of kernels, with the plugin that knows their number types."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

PROGRAM = """
from irsan.runtime.kernels.record_types import Context, Thread
from irsan.runtime.kernels.scalars import i64, u8, u32, u64
from irsan.runtime.kernels.threads.pthread_types import Condition, Mutex, mutex_at

def load(addr: u64) -> u64:
    return addr

def note(ctx: Context, addr: u64, kind: u8) -> u64:
    x = load(addr + 8)
    if x == 0 or x < addr or kind == 3:
        return 0
    i = u64(0)
    while i < x:
        i += 1
        ctx.race.n_flushes += 1
    ctx.heap.units = x if kind else 7
    return (x >> 3 | u64(ctx.epoch)) & ~u64(7)

def wait(ctx: Context, condition: Condition, mutex: Mutex, addr: u64) -> u32:
    wait(ctx, mutex, mutex, addr)  # a mutex is no condition
    wait(ctx, condition, addr, addr)  # nor is an address a mutex
    mutex.owner = u32(mutex_at(addr).owner + 1)
    return mutex.onwer  # no field of a mutex

def call(ctx: Context, thread: Thread, addr: u64, kind: u8, word: u32, n: i64) -> None:
    note(ctx, addr, kind)
    note(ctx, 0, 3)
    note(addr, ctx, kind)  # swapped: ctx, addr
    note(thread, addr, kind)  # another record
    note(ctx, addr, addr)  # too wide
    note(ctx, kind, kind)  # too narrow
    note(ctx, word, kind)  # too narrow
    note(ctx, n, kind)  # signed
    note(ctx, addr)  # too few
    ctx.hepa.units = 1  # no field
    ctx.heap.unit = 1  # no field of the record in it
    addr = ctx  # no number
"""


def test_mypy_finds_arguments_that_do_not_belong(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    words = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache")]
    told = subprocess.run(
        [sys.executable, "-m", "mypy", *words, str(program)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    found = {int(line) for line in re.findall(r"program\.py:(\d+): error", told)}
    lines = PROGRAM.split("\n")
    wanted = {n for n, line in enumerate(lines, 1) if "  # " in line}
    assert found == wanted, told

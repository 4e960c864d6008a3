"""Facts of a run for its report: versions, machine, time. Nothing says who ran it or where."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import irsan
from irsan.engine.front_end.compiled_unit import CompiledUnit
from irsan.engine.front_end.compilers import llvm_in_words
from irsan.reports.model.report import BuildFacts, HostFacts

_MODEL: Final = re.compile(r"^model name\s*:\s*(.+)$", re.MULTILINE)


@cache
def llvm_of_run() -> str:
    """LLVM's version, asked once: a program may leave the cache behind (chroot, setuid)."""
    return llvm_in_words()


def build_facts(units: Iterable[CompiledUnit]) -> BuildFacts:
    """Versions of irsan, of LLVM and of the compilers that bitcode names as its producers."""
    names = sorted({name for unit in units for name in unit.traits.producers})
    return BuildFacts(irsan.__version__, ", ".join(names), llvm_of_run())


def host_facts() -> HostFacts:
    """Kernel and processor; what cannot be read is left out."""
    system = os.uname()
    try:
        model = _MODEL.search(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))
    except OSError:
        model = None
    processor = model[1].strip() if model else system.machine
    return HostFacts(
        f"{system.sysname} {system.release}", processor, len(os.sched_getaffinity(0))
    )  # fmt: skip


def test_name(environment: Mapping[str, str]) -> str:
    """The test that runs the program, where the test's runner says so; else nothing."""
    said = environment.get("IRSAN_TEST", "")
    return said or environment.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]

"""A kernel compiled up to its bitcode is the same function, for every kind of process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SHOW = """
import importlib, sys
if sys.argv[1] == "bitcode":
    from irsan.engine.jit.kernel_libraries import stop_at_bitcode
    stop_at_bitcode()
importlib.import_module("irsan.runtime.kernels.random")
from irsan.engine.jit.kernel_link import kernel_symbol
from irsan.runtime.kernels.kernel import REGISTRY
for kernel in REGISTRY.values():
    [overload] = kernel.dispatcher.overloads.values()
    module = overload.library._get_module_for_linking()
    function = module.get_function(kernel_symbol(kernel))
    hits = sum(kernel.dispatcher.stats.cache_hits.values())
    print(kernel.name, function.linkage.name, function.is_declaration, hits)
"""


def _kernels(kind: str, cache: Path) -> list[list[str]]:
    """Name, linkage, whether it is only declared, and cache hits, of each kernel."""
    environment = {**os.environ, "IRSAN_CACHE_DIR": str(cache), "IRSAN_LINK_ONLY_KERNELS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SHOW, kind],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return [line.split() for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("first", "second"), [("bitcode", "numba"), ("numba", "bitcode")])
def test_each_kind_of_process_reads_what_the_other_has_made(
    tmp_path: Path, first: str, second: str
) -> None:
    made, read = _kernels(first, tmp_path), _kernels(second, tmp_path)
    assert [row[:3] for row in made] == [row[:3] for row in read]
    assert {tuple(row[1:]) for row in made} == {("linkonce_odr", "0", "0")}
    assert {row[3] for row in read} == {"1"}

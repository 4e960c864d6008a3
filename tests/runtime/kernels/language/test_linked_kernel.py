"""Texts of kernels on disk: an interrupted build goes on, a change compiles what depends on it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMPILE = """
import importlib, os, sys
from irsan.runtime.kernels.language import kernel_cache, linked_kernel
if len(sys.argv) > 2:
    name = sys.argv[2]
    kernel_cache._source(name)
    plain = kernel_cache._source.__wrapped__
    kernel_cache._source = lambda one: plain(one) + b"#" * (one == name)
write = linked_kernel.write_sealed
def written(path, payload):
    write(path, payload)
    print(path.stem.partition("-")[0], flush=True)
linked_kernel.write_sealed = written
from irsan.runtime.kernels.kernel import REGISTRY
for module in sys.argv[1].split(","):
    importlib.import_module(f"irsan.runtime.kernels.{module}")
for kernel in REGISTRY.values():
    kernel.dispatcher.text
print("end", flush=True)
"""
MODULES = "random,depot,callstack"


def start(cache: Path, *words: str, seed: str = "0") -> subprocess.Popen[str]:
    """A process that compiles kernels and names each when it is on disk."""
    return subprocess.Popen(
        [sys.executable, "-c", COMPILE, MODULES, *words],
        env={**os.environ, "IRSAN_CACHE_DIR": str(cache), "PYTHONHASHSEED": seed},
        stdout=subprocess.PIPE,
        text=True,
    )


def compiled(cache: Path, *words: str, seed: str = "0") -> list[str]:
    """Kernels that one process compiled, until its end."""
    output, _ = start(cache, *words, seed=seed).communicate(timeout=300)
    *names, end = output.split()
    assert end == "end"
    return names


def test_an_interrupted_build_goes_on_where_it_stopped(tmp_path: Path) -> None:
    every = compiled(tmp_path / "whole")
    assert len(every) > 8
    interrupted = start(tmp_path / "killed")
    assert interrupted.stdout is not None
    before = [interrupted.stdout.readline().strip() for _ in range(4)]
    interrupted.kill()
    before += interrupted.communicate()[0].split()
    after = compiled(tmp_path / "killed")
    assert before + after == every
    assert after


def test_a_change_compiles_what_depends_on_it_and_no_more(tmp_path: Path) -> None:
    every = compiled(tmp_path)
    assert compiled(tmp_path) == []
    again = compiled(tmp_path, "irsan.runtime.kernels.callstack")
    assert "callstack_enter" in again
    assert "depot_put" not in again
    assert set(again) < set(every)


def test_a_build_uses_no_text_of_a_process_whose_sets_have_another_order(tmp_path: Path) -> None:
    every = compiled(tmp_path, seed="7")
    assert compiled(tmp_path, seed="8") == []
    assert compiled(tmp_path) == every
    assert compiled(tmp_path) == compiled(tmp_path, seed="7") == []

"""The kernel decorator: types, the registry, outlined kernels, and a disk that is full."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irsan.errors import InternalError
from irsan.runtime.kernels import compiling
from irsan.runtime.kernels.kernel import REGISTRY, kernel, outlined_symbol
from irsan.runtime.kernels.kernel_files import KernelFiles
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import u32, u64
from irsan.runtime.records.context import CONTEXT_DTYPE


@pytest.fixture(autouse=True)
def _same_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test registers is no kernel of the runtime."""
    before = dict(REGISTRY)
    monkeypatch.setattr(compiling, "_full_disks", [])
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def add_one(number: u64) -> u64:
    return number + 1


def test_a_kernel_is_registered_with_its_types() -> None:
    made = kernel(add_one)
    assert made(41) == 42
    found = REGISTRY["add_one"]
    assert (found.return_type, found.argument_types) == ("u64", ("u64",))
    assert not found.is_outlined


def test_unsigned_arithmetic_wraps_and_nothing_raises() -> None:
    assert kernel(add_one)(2**64 - 1) == 0


def test_an_outlined_kernel_can_be_called_from_python_and_from_kernels() -> None:
    outlined = kernel(outlined=True)(add_one)

    def add_two(number: u64) -> u64:
        return outlined(outlined(number))

    assert outlined(1) == 2
    assert kernel(add_two)(1) == 3
    text = REGISTRY["add_two"].dispatcher.ready().library.get_llvm_str()
    assert outlined_symbol("add_one") in text


def test_the_types_of_a_kernel_are_its_annotations() -> None:
    @kernel
    def set_site(ctx: Context, site: u32) -> bool:
        ctx.site = site
        return ctx.site > 3

    found = REGISTRY["set_site"]
    assert (found.return_type, found.argument_types) == ("b1", ("ctx", "u32"))
    ctx = np.zeros(1, CONTEXT_DTYPE)
    assert set_site(ctx[0], 4) and not set_site(ctx[0], 3)
    assert ctx[0]["site"] == 3


def test_options_stand_in_brackets() -> None:
    @kernel(outlined=True)
    def add_three(number: u64) -> u64:
        return number + 3

    assert add_three(4) == 7
    assert REGISTRY["add_three"].is_outlined


def test_an_argument_without_a_type_is_an_error() -> None:
    def untyped(number) -> u64:  # type: ignore[no-untyped-def]
        return number

    with pytest.raises(InternalError, match="kernel untyped has no annotation"):
        kernel(untyped)


def test_a_type_that_no_kernel_has_is_an_error() -> None:
    def takes_text(text: str) -> u64:
        return u64(len(text))

    with pytest.raises(InternalError, match="kernel takes_text: no argument or result is a"):
        kernel(takes_text)


def test_a_full_disk_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def save(_files: KernelFiles, signature: Any, _compiled: Any) -> None:
        tried.append(signature)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(KernelFiles, "load_overload", lambda *_: None)
    monkeypatch.setattr(KernelFiles, "save_overload", save)
    monkeypatch.setattr(compiling, "_full_disks", [])
    for _ in range(3):
        assert kernel(add_one)(1) == 2
    assert len(tried) == 1


def test_two_files_cannot_have_a_kernel_of_one_name() -> None:
    kernel(add_one)
    again = types.FunctionType(add_one.__code__, globals(), "add_one")
    again.__annotations__ = add_one.__annotations__
    again.__module__ = "irsan.runtime.kernels.checks.access"
    with pytest.raises(InternalError, match="two kernels are called add_one"):
        kernel(again)


CALLS_STORED = """
import sys
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.scalars import u64

def stored_inner(number: u64) -> u64:
    return number + 1

def stored_outer(number: u64) -> u64:
    return inner(number) * 2

inner = kernel(outlined=True)(stored_inner)
outer = kernel(stored_outer)
print(bool(inner.compiled.overloads), bool(outer.overloads), end=" ")
print(outer(20), outer.stats.cache_hits.total(), bool(inner.compiled.overloads))
"""


def test_a_kernel_from_the_cache_finds_what_it_calls(tmp_path: Path) -> None:
    """Nothing is compiled or read before the call; then the outlined kernel is there, too."""
    environment = {**os.environ, "IRSAN_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", CALLS_STORED]
    said = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said == ["False False 42 0 True\n", "False False 42 1 True\n"]

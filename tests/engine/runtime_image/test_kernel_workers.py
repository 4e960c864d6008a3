"""Kernels compiled side by side: the order of modules, workers that fail, the real process."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.engine.runtime_image import kernel_workers
from irsan.engine.runtime_image.kernel_workers import compile_in_order, missing_modules
from irsan.runtime.kernels.language import kernel_cache

# Each module may import those before it.
NEEDS = st.lists(st.sets(st.integers(0, 11)), min_size=1, max_size=12).map(
    lambda rows: {
        str(index): {str(other) for other in row if other < index} for index, row in enumerate(rows)
    }
)


class FakeWorker:
    """Notes what was compiled when it was handed out; fails at one name."""

    def __init__(self, started: list[str], fails_at: str = "") -> None:
        self.started, self.fails_at, self.lock = started, fails_at, threading.Lock()

    def compile_module(self, name: str) -> bool:
        with self.lock:
            self.started.append(name)
        return name != self.fails_at


@settings(deadline=None, max_examples=50)
@given(NEEDS, st.integers(1, 4))
def test_nothing_is_handed_out_before_what_it_imports(
    needs: dict[str, set[str]], n_workers: int
) -> None:
    started: list[str] = []
    workers = [FakeWorker(started) for _ in range(n_workers)]
    order = compile_in_order(needs, workers)  # type: ignore[arg-type]
    assert sorted(order) == sorted(started) == sorted(needs)
    for index, name in enumerate(order):
        assert needs[name] <= set(order[:index])


def test_a_worker_that_fails_ends_it() -> None:
    needs = {"a": set(), "b": {"a"}, "c": {"b"}}
    started: list[str] = []
    assert compile_in_order(needs, [FakeWorker(started, "b")]) == ["a"]  # type: ignore[list-item]
    assert started == ["a", "b"]


def test_an_empty_cache_misses_every_module_in_an_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kernel_cache, "kernel_folder", lambda name: tmp_path / name)
    needs = missing_modules()
    assert {"irsan.runtime.kernels.heap.heap", "irsan.interceptors.memory.malloc"} <= needs.keys()
    started: list[str] = []
    assert len(compile_in_order(needs, [FakeWorker(started)])) == len(needs)  # type: ignore[list-item]
    kernel_cache.whole_mark("irsan.runtime.kernels.depot").parent.mkdir()
    assert missing_modules() == needs, "a folder in which a kernel may be missing"
    kernel_cache.whole_mark("irsan.runtime.kernels.depot").touch()
    fewer = missing_modules()
    assert needs.keys() - fewer.keys() == {"irsan.runtime.kernels.depot"}
    assert not any("irsan.runtime.kernels.depot" in others for others in fewer.values())


def test_the_process_answers_for_each_module() -> None:
    with kernel_workers._worker() as worker, kernel_workers._worker() as other:
        assert worker.compile_module("json")
        assert worker.compile_module("string")
        assert not worker.compile_module("irsan.no_such_module")
        assert not worker.compile_module("json")
        assert other.compile_module("json")

"""Compiling the kernels of the runtime side by side, for the first run ever on a machine.

    a worker      imports modules by name and puts the texts of their kernels into the cache
    this process  hands a module out when all that it imports is compiled, then imports everything
                  itself: from the cache, in a second

Workers are forks, so numba is imported once.  Soundness: a kernel's text is the same whoever makes
it.  When a worker fails the import in this process compiles the missing ones, and is where an error
shows.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import multiprocessing
import os
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

_MAX_WORKERS: Final = 8
_MIN_MODULES: Final = 12  # fewer to compile are done before a worker has started
_PACKAGES: Final = ("irsan.runtime.kernels.", "irsan.interceptors.")


def compile_kernels_side_by_side(tell: Callable[[int, int], None] = lambda _a, _b: None) -> None:
    """Fill the cache with every kernel, if much is missing. Call it before there are threads.

    tell: called with the number of modules that are done, and of all, after each.
    """
    needs = missing_modules()
    if len(needs) < _MIN_MODULES:
        return
    importlib.import_module("irsan.runtime.kernels.kernel")  # and numba: for all workers
    n_workers = min(len(os.sched_getaffinity(0)), _MAX_WORKERS)
    with ExitStack() as stack:
        workers = [stack.enter_context(_worker()) for _ in range(n_workers)]
        compile_in_order(needs, workers, tell)


def missing_modules() -> dict[str, set[str]]:
    """Modules with kernels that are not compiled yet, and which of these each one imports."""
    from irsan.interceptors.registry import KERNEL_FAMILIES
    from irsan.runtime import kernels
    from irsan.runtime.kernels.language.kernel_cache import import_closure, whole_mark

    found = pkgutil.walk_packages(kernels.__path__, f"{kernels.__name__}.")
    names = {module.name for module in found if not module.ispkg}
    names |= {f"irsan.interceptors.{family}" for family in KERNEL_FAMILIES}
    closures = {name: import_closure(name) for name in names}
    inner = {one for found in closures.values() for one in found if one.startswith(_PACKAGES)}
    missing = {name for name in names | inner if not whole_mark(name).exists()}
    return {name: (import_closure(name) & missing) - {name} for name in missing}


def compile_in_order(
    needs: Mapping[str, set[str]],
    workers: list[Worker],
    tell: Callable[[int, int], None] = lambda _a, _b: None,
) -> list[str]:
    """Hand out modules whose needs are met, what most others need first; returns the order.

    Stops early when a worker fails.
    """
    wanted_by = {name: sum(name in others for others in needs.values()) for name in needs}
    waiting = sorted(needs, key=lambda name: (-wanted_by[name], name))
    order: list[str] = []
    running: dict[Future[bool], tuple[str, Worker]] = {}
    idle = list(workers)
    with ThreadPoolExecutor(len(workers)) as threads:
        while waiting or running:
            for name in [one for one in waiting if needs[one] <= set(order)][: len(idle)]:
                waiting.remove(name)
                worker = idle.pop()
                running[threads.submit(worker.compile_module, name)] = name, worker
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name, worker = running.pop(future)
                if not future.result():
                    return order
                order.append(name)
                tell(len(order), len(needs))
                idle.append(worker)
    return order


class Worker:
    """One process, compiling one module at a time."""

    def __init__(self, pipe: Connection[str, bool]) -> None:
        self._pipe = pipe

    def compile_module(self, name: str) -> bool:
        """Whether the process has compiled the module `name`."""
        try:
            self._pipe.send(name)
            return self._pipe.recv()
        except (OSError, EOFError):
            return False


@contextmanager
def forked(serve: Callable[[Connection[Any, Any]], None]) -> Iterator[Connection[Any, Any]]:
    """A pipe to a fork of this process that serves its other end; it ends with the block."""
    forking = multiprocessing.get_context("fork")
    ours, theirs = forking.Pipe()
    process = forking.Process(target=_begin, args=(serve, theirs, ours), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.kill()
        process.join()
        ours.close()


def _begin(
    serve: Callable[[Connection[Any, Any]], None],
    pipe: Connection[Any, Any], other_end: Connection[Any, Any],
) -> None:  # fmt: skip
    other_end.close()
    serve(pipe)


@contextmanager
def _worker() -> Iterator[Worker]:
    with forked(_serve) as pipe:
        yield Worker(pipe)


def _serve(pipe: Connection[bool, str]) -> None:
    """A worker: module names in, an answer for each out."""
    gc.disable()  # it ends soon, and what numba makes for a kernel is rarely garbage
    with contextlib.suppress(EOFError), Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)  # an error shows in the process that asked
        while True:
            name = pipe.recv()
            importlib.import_module(name)
            compile_kernels_of(name)
            pipe.send(True)


def compile_kernels_of(module: str) -> None:
    """Put the kernels of an imported module into the cache, and a mark that all are there."""
    from irsan.runtime.kernels.kernel import REGISTRY
    from irsan.runtime.kernels.language.kernel_cache import whole_mark

    for kernel in REGISTRY.values():
        if kernel.dispatcher.py_func.__module__ == module:
            _ = kernel.dispatcher.text
    with contextlib.suppress(OSError):  # no room: the next one finds out by itself
        whole_mark(module).parent.mkdir(parents=True, exist_ok=True)
        whole_mark(module).touch()

"""Compiling the kernels of the runtime side by side, for the first run ever on a machine.

    a worker      imports modules it is told the names of, which compiles their kernels into numba's
                  cache on disk
    this process  hands a module out when all that it imports is compiled, then imports everything
                  itself: from the cache, in two seconds instead of forty

Soundness: a cache entry is the same whoever makes it.  When a worker fails the import in this
process compiles what is missing, and is where an error shows.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

_MAX_WORKERS: Final = 8
_MIN_MODULES: Final = 12  # fewer to compile are done before a worker has started
_PACKAGES: Final = ("irsan.runtime.kernels.", "irsan.interceptors.")
_DONE: Final = "done"


def compile_kernels_side_by_side(tell: Callable[[int, int], None] = lambda _a, _b: None) -> None:
    """Fill numba's cache with every kernel, if there are processors for it and much is missing.

    tell: is given the number of modules that are done, and of all, after each.
    """
    n_workers = min(len(os.sched_getaffinity(0)), _MAX_WORKERS)
    needs = missing_modules()
    if n_workers < 2 or len(needs) < _MIN_MODULES:
        return
    with ExitStack() as stack:
        workers = [stack.enter_context(_worker()) for _ in range(n_workers)]
        compile_in_order(needs, workers, tell)


def missing_modules() -> dict[str, set[str]]:
    """Modules with kernels that are not compiled yet, and which of these each one imports."""
    from irsan.interceptors.registry import KERNEL_FAMILIES
    from irsan.runtime import kernels
    from irsan.runtime.kernels.kernel_cache import import_closure, kernel_folder

    found = pkgutil.walk_packages(kernels.__path__, f"{kernels.__name__}.")
    names = {module.name for module in found if not module.ispkg}
    names |= {f"irsan.interceptors.{family}" for family in KERNEL_FAMILIES}
    closures = {name: import_closure(name) for name in names}
    inner = {one for found in closures.values() for one in found if one.startswith(_PACKAGES)}
    missing = {name for name in names | inner if not kernel_folder(name).exists()}
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

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def compile_module(self, name: str) -> bool:
        """Whether the process has compiled the module `name`."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            print(name, file=self._process.stdin, flush=True)
            return self._process.stdout.readline().strip() == _DONE
        except OSError:
            return False


@contextmanager
def _worker() -> Iterator[Worker]:
    from irsan.runtime.kernels.kernel_cache import IS_CALLABLE

    link_only = "0" if IS_CALLABLE else "1"  # the same cache entries as this process looks for
    process = subprocess.Popen(
        [sys.executable, "-m", __spec__.name],
        env={**os.environ, "IRSAN_LINK_ONLY_KERNELS": link_only},
        cwd=Path(__file__).parents[3],  # where Python looks first: not among the user's files
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # an error shows in the process that asked
        text=True,
        start_new_session=True,  # an interrupt is for the process that asked
    )
    try:
        yield Worker(process)
    finally:
        process.kill()
        process.communicate()


def main() -> None:
    """A worker: module names in, a line for each out."""
    from irsan.engine.jit.kernel_libraries import stop_at_bitcode
    from irsan.runtime.kernels.kernel_cache import IS_CALLABLE

    if not IS_CALLABLE:
        stop_at_bitcode()
    gc.disable()  # it ends soon, and what numba makes for a kernel is rarely garbage
    for line in sys.stdin:
        importlib.import_module(line.strip())
        print(_DONE, flush=True)


if __name__ == "__main__":
    main()

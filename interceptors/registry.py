"""The one registry of interceptors: which C symbols we stand in for, and what does the work.

An export is a C prototype with either a kernel (runs on the guest's stack, linked into the guest)
or a host routine (Python on the host's stack).  Families are modules with an `EXPORTS` tuple;
kernel families import numba and are only read when the runtime is built, host families are not.

    EXPORTS = (
        Export("ptr malloc(u64)", kernel="i_malloc"),
        Export("i32 pthread_create(ptr,ptr,ptr,ptr)", host="pthread_create"),
    )

Every export is also reachable as `__interceptor_<name>`, so that a program that defines its own
`malloc` can still call ours.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass

KERNEL_FAMILIES = (
    "system.blocking", "network.partial_writes", "network.send", "network.recv",
    "system.processes", "system.popen_system", "memory.malloc", "memory.memcpy",
    "text.strings_search", "text.strings_copy", "text.strings_compare", "text.strtol",
    "text.wide_strings", "text.wide_search", "text.multibyte", "text.ctype", "system.qsort",
    "files.read_write", "text.printf", "text.wprintf", "text.scanf", "system.stat_uname",
    "files.file_times", "system.time", "network.sendmsg_readv", "threads.mutexes",
    "threads.c11_mutexes",
    "threads.spinlocks", "threads.condition_variables", "threads.rwlocks", "threads.barriers",
    "threads.semaphores", "threads.shared_mutexes", "threads.shared_objects",
    "files.file_locks", "files.named_pipes", "network.peers", "system.own_path", "system.rlimits",
    "files.own_descriptors", "threads.once_and_keys", "threads.threads", "threads.thread_names",
    "threads.thread_ids", "threads.sleeps", "threads.scheduling", "threads.timed_joins",
    "threads.signals", "system.timers", "threads.cancellation", "system.raw_syscalls",
    "memory.asan_stack", "memory.fake_stack", "memory.asan_globals", "memory.asan_hooks",
    "public_interface.msan_interface", "public_interface.sanitizer_interface",
    "memory.containers", "public_interface.tsan_interface", "threads.lock_annotations",
    "threads.annotations", "memory.managed_heap", "system.library_states", "system.getpwnam",
    "network.getaddrinfo", "files.stdio", "files.directories", "system.system_calls",
    "system.queues",
    "text.regex_iconv_locale", "text.gnu_regex",
    "memory.mmap", "memory.unaligned", "memory.leak_scopes", "threads.ucontext",
    "threads.fibers", "threads.ended_threads", "files.descriptors", "openmp.omp_h.queries",
    "openmp.teams", "openmp.tasks.steps", "openmp.constructs", "openmp.locks",
    "openmp.loops.static_loops", "openmp.loops.shared_loops", "openmp.loops.doacross",
    "openmp.tasks.tasks", "openmp.tasks.task_calls", "openmp.tasks.task_reductions",
    "openmp.tasks.taskloops", "openmp.private_copies", "openmp.omp_h.allocators", "openmp.atomics",
    "openmp.omp_h.host_device", "openmp.omp_h.absent", "openmp.omp_h.affinity",
    "openmp.gomp.gomp_loops", "openmp.gomp.gomp_regions", "openmp.gomp.gomp_reductions",
    "openmp.gomp.gomp_tasks",
)  # fmt: skip
HOST_FAMILIES = (
    "system.host_process", "system.surroundings", "system.own_symbols",
    "public_interface.sanitizer_host", "public_interface.report_queries",
    "public_interface.leak_requests", "public_interface.ubsan_handlers",
    "threads.native_threads", "openmp.omp_h.spoken",
)  # fmt: skip

REAL_ANSWERS = -(1 << 63)  # of a then_real kernel: the host's function gives the result
ROUTINE_SITE_BASE = 0x0800_0000  # a site at or above this is an interceptor's own frame


@dataclass(frozen=True, slots=True)
class Export:
    """One intercepted symbol.

    prototype   C-like text: result, name, argument types of void ptr b1 u8..u64 i32 i64 f32 f64 f80
                va (a va_list of the caller) ...
    kernel      name of the kernel that does it, or ""
    host        name of the host routine that does it, or ""
    quick       the kernel never leaves an action behind (no test after the call)
    then_real   the kernel takes the first arguments, as many as it has, and says whether the host's
                function of the same name is called then; otherwise the result is zero.  A kernel
                that returns i64 gives the result itself, or REAL_ANSWERS
    real_first  the host's function is called first; the void kernel takes its result (if that is
                a pointer or an integer) and the first arguments, as many as it has
    takes       with then_real and real_first: numbers of the arguments that the kernel takes, from
                0, when they are not the first ones
    constants   integers that the kernel takes after the arguments
    throws      a null result means std::bad_alloc, or the new handler and once more
    is_hook     no library function: adds no frame to the stacks of what it finds
    told_at     with host: number of an argument and offset there: when the u32 at that place is all
                ones, the host is not asked
    before      with real_first: a void kernel that takes the first arguments and returns once the
                host's function would not block
    instead     with real_first: a kernel with all arguments that is called in the host's function's
                place; it may wait
    counted     with real_first: a kernel with the first argument, a descriptor, and the third, how
                many bytes are asked for; it says how many the host's function is asked for
    real        the host's function of then_real and real_first, when it has another name: a v-form
                for `...`, which stands for a va_list whose address is the last argument; irsan_*: a
                function of the glue
    """

    prototype: str
    kernel: str = ""
    host: str = ""
    quick: bool = False
    then_real: bool = False
    real_first: bool = False
    told_at: tuple[int, ...] = ()
    before: str = ""
    instead: str = ""
    counted: str = ""
    real: str = ""
    takes: tuple[int, ...] = ()
    constants: tuple[int, ...] = ()
    throws: bool = False
    is_hook: bool = False

    @property
    def name(self) -> str:
        return self.prototype.partition("(")[0].split()[1]

    @property
    def result(self) -> str:
        return self.prototype.split()[0]

    @property
    def arguments(self) -> tuple[str, ...]:
        inner = self.prototype.partition("(")[2].rstrip(") ")
        return tuple(part.strip() for part in inner.split(",") if part.strip())


def kernel_exports() -> Iterator[Export]:
    """Exports of every kernel family; imports numba."""
    return _exports(KERNEL_FAMILIES)


def host_exports() -> Iterator[Export]:
    """Exports of every host family."""
    return _exports(HOST_FAMILIES)


def _exports(families: tuple[str, ...]) -> Iterator[Export]:
    for family in families:
        module = importlib.import_module(f"irsan.interceptors.{family}")
        yield from module.EXPORTS

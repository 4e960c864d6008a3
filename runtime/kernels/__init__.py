"""Numba kernels: only numpy, numba and sibling kernels are imported here.

Importing this package names the host's C functions that kernels call as `__irsan_real_*`.
"""

from __future__ import annotations

import ctypes


def _name_real_functions() -> None:
    import llvmlite.binding as llvm

    libc = ctypes.CDLL(None)
    for name in REAL_FUNCTIONS:
        address = ctypes.cast(getattr(libc, name), ctypes.c_void_p).value
        llvm.add_symbol(f"__irsan_real_{name}", address)


REAL_FUNCTIONS = (
    "strlen", "strnlen", "memcpy", "memmove", "memset", "memcmp", "madvise", "mprotect",
    "free", "malloc_usable_size", "wcslen", "wcsnlen", "strtol", "strtod", "vsnprintf", "getdelim",
    "poll", "ppoll", "fcntl", "select", "epoll_wait", "wait4", "sigtimedwait", "sigprocmask",
    "write", "lseek", "kill", "raise", "getpid", "usleep", "realpath", "getcwd", "memchr",
    "memrchr", "memmem", "mmap", "mremap", "mincore", "malloc",
    "clock_gettime", "pthread_mutex_init", "pthread_mutex_trylock", "pthread_mutex_unlock",
    "pthread_mutex_consistent", "pthread_rwlock_init", "pthread_rwlock_destroy",
    "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock", "pthread_rwlock_unlock", "sem_init",
    "sem_trywait", "sem_post", "pthread_spin_init", "pthread_spin_trylock", "pthread_spin_unlock",
    "shmctl", "waitid", "flock", "lockf", "sched_getaffinity", "getsockname", "getpeername",
    "getsockopt", "execv", "execve", "execvp", "execvpe", "posix_spawn", "posix_spawnp",
    "readlinkat", "setrlimit", "getrlimit", "prlimit", "geteuid", "close_range", "dup2", "dup3",
    "timerfd_settime", "syscall", "sigpending", "sendmsg", "sendmmsg", "recvmsg", "recvmmsg",
    "sched_setaffinity", "sched_setparam",
    "sched_getparam", "sched_setscheduler", "sched_getscheduler", "getpriority", "setpriority",
    "writev", "__recv_chk", "__recvfrom_chk", "popen", "pclose", "system", "fflush",
    "getcontext", "msgsnd", "msgrcv", "semop", "splice", "tee", "open", "fopen", "fdopen",
    "fwrite", "fputs", "fputc", "puts",
)  # fmt: skip

_name_real_functions()

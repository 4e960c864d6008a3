"""The program's own path, and starting programs: /proc/self/exe is irsan's interpreter natively.

    readlink("/proc/self/exe")   the path by which the program can be started again: its argv[0],
                                 absolute (engine/run/self_launch.py)
    execv("/proc/self/exe", v)   starts that

So for /proc/N/exe where N is the process itself.  The list of execl and its kin is gathered first.

Sources: proc(5), exec(3).
May miss: opening /proc/self/exe shows the interpreter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.registry import Export
from irsan.interceptors.system.rlimits import pass_limits_on
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u8,
    load_u32,
    real_function,
    real_getpid,
    real_strlen,
    store_u32,
    store_u64,
)
from irsan.runtime.kernels.out_parameters import SCRATCH_WALK
from irsan.runtime.kernels.text.formats import copy_va_list, next_word
from irsan.runtime.kernels.threads.shared_memory import child_begun
from irsan.runtime.layout import outside_words as ow

OWN_PATH = ow.OWN_PATH
LIST = np.uint64(ow.EXEC_ARGUMENTS)
MAX_ARGUMENTS = np.uint64(ow.MAX_EXEC_ARGUMENTS)
I32_0 = np.int32(0)
U8_0 = np.uint8(0)
U8_9 = np.uint8(9)
U8_DIGIT_0 = np.uint8(48)
U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_2 = np.uint64(2)
U64_4 = np.uint64(4)
U64_5 = np.uint64(5)
U64_6 = np.uint64(6)
U64_8 = np.uint64(8)
U64_10 = np.uint64(10)
U64_11 = np.uint64(11)
U64_40 = np.uint64(40)
SLASH_PROC_SLASH = np.uint64(int.from_bytes(b"/proc/\0\0", "little"))
SELF_SLASH_EXE = np.uint64(int.from_bytes(b"self/exe", "little"))
SLASH_EXE = np.uint64(int.from_bytes(b"/exe\0\0\0\0", "little"))

real_execve = real_function("execve", 3)
real_execv = real_function("execv", 2)
real_execvp = real_function("execvp", 2)
real_execvpe = real_function("execvpe", 3)
real_posix_spawn = real_function("posix_spawn", 6)
real_posix_spawnp = real_function("posix_spawnp", 6)


@kernel("u64(u64,u64)")
def text_word(text: Any, n_bytes: Any) -> Any:
    """The first bytes of a string that has them, up to 8, as a number."""
    word = U64_0
    i = U64_0
    while i < n_bytes:
        word |= np.uint64(load_u8(text + i)) << (i * U64_8)
        i += U64_1
    return word


@kernel("b1(u64)")
def is_own_link(path: Any) -> Any:
    """Whether a path is /proc/self/exe, or names this process by its number."""
    length = real_strlen(path)
    if length < U64_11 or length > U64_40 or text_word(path, U64_6) != SLASH_PROC_SLASH:
        return False
    rest = path + U64_6
    length -= U64_6
    if length == U64_8 and text_word(rest, U64_8) == SELF_SLASH_EXE:
        return True
    number = U64_0
    while length > U64_4 and np.uint8(load_u8(rest) - U8_DIGIT_0) <= U8_9:
        number = number * U64_10 + np.uint64(load_u8(rest) - U8_DIGIT_0)
        rest += U64_1
        length -= U64_1
    return (
        length == U64_4
        and text_word(rest, U64_4) == SLASH_EXE
        and number == np.uint64(np.uint32(real_getpid()))
    )


@kernel("u64(ctx,u64)", outlined=True)
def own_path_or(ctx: Any, path: Any) -> Any:
    """A path, or the program's own when it is the link to it."""
    if path == U64_0 or ctx.outside[OWN_PATH] == U64_0 or not is_own_link(path):
        return path
    return ctx.outside[OWN_PATH]


@kernel("i32(u64)")
def exec_answer(word: Any) -> Any:
    """The int that a function of the C library returned."""
    return np.int32(np.uint32(word))


@kernel("i32(ctx,u64)")
def failed(ctx: Any, word: Any) -> Any:
    """What an exec returns, which has failed; errno stays."""
    errno = load_u32(ctx.errno_addr)
    pass_limits_on(ctx, False)
    store_u32(ctx.errno_addr, errno)
    return exec_answer(word)


@kernel("i32(ctx,u64,u64,u64)")
def i_execve(ctx: Any, path: Any, arguments: Any, environment: Any) -> Any:
    """execve."""
    pass_limits_on(ctx, True)
    return failed(ctx, real_execve(own_path_or(ctx, path), arguments, environment))


@kernel("i32(ctx,u64,u64)")
def i_execv(ctx: Any, path: Any, arguments: Any) -> Any:
    """execv."""
    pass_limits_on(ctx, True)
    return failed(ctx, real_execv(own_path_or(ctx, path), arguments))


@kernel("i32(ctx,u64,u64)")
def i_execvp(ctx: Any, file: Any, arguments: Any) -> Any:
    """execvp."""
    pass_limits_on(ctx, True)
    return failed(ctx, real_execvp(own_path_or(ctx, file), arguments))


@kernel("i32(ctx,u64,u64,u64)")
def i_execvpe(ctx: Any, file: Any, arguments: Any, environment: Any) -> Any:
    """execvpe."""
    pass_limits_on(ctx, True)
    return failed(ctx, real_execvpe(own_path_or(ctx, file), arguments, environment))


@kernel("void(u64,u64)")
def gather(first: Any, others: Any) -> None:
    """LIST becomes the arguments of execl: the first, those of a va_list, a null pointer."""
    copy_va_list(SCRATCH_WALK, others)
    argument = first
    i = U64_0
    while argument != U64_0 and i < MAX_ARGUMENTS:
        store_u64(LIST + i * U64_8, argument)
        argument = next_word()
        i += U64_1
    store_u64(LIST + i * U64_8, U64_0)


@kernel("i32(ctx,u64,u64,u64)")
def i_execl(ctx: Any, path: Any, first: Any, others: Any) -> Any:
    """execl."""
    gather(first, others)
    return i_execv(ctx, path, LIST)


@kernel("i32(ctx,u64,u64,u64)")
def i_execlp(ctx: Any, file: Any, first: Any, others: Any) -> Any:
    """execlp."""
    gather(first, others)
    return i_execvp(ctx, file, LIST)


@kernel("i32(ctx,u64,u64,u64)")
def i_execle(ctx: Any, path: Any, first: Any, others: Any) -> Any:
    """execle: the environment comes behind the null pointer."""
    gather(first, others)
    environment = first if first == U64_0 else next_word()
    return i_execve(ctx, path, LIST, environment)


@kernel("i32(ctx,i32)")
def child_spawned(ctx: Any, status: Any) -> Any:
    """posix_spawn: a child lives, unless it failed."""
    if status == I32_0:
        child_begun(ctx)
    return status


@kernel("i32(ctx,u64,u64,u64,u64,u64,u64)")
def i_posix_spawn(
    ctx: Any, pid: Any, path: Any, actions: Any, attributes: Any, arguments: Any, environment: Any
) -> Any:
    """posix_spawn."""
    own = own_path_or(ctx, path)
    status = real_posix_spawn(pid, own, actions, attributes, arguments, environment)
    return child_spawned(ctx, exec_answer(status))


@kernel("i32(ctx,u64,u64,u64,u64,u64,u64)")
def i_posix_spawnp(
    ctx: Any, pid: Any, file: Any, actions: Any, attributes: Any, arguments: Any, environment: Any
) -> Any:
    """posix_spawnp."""
    own = own_path_or(ctx, file)
    status = real_posix_spawnp(pid, own, actions, attributes, arguments, environment)
    return child_spawned(ctx, exec_answer(status))


EXPORTS = (
    Export("i32 execve(ptr,ptr,ptr)", kernel="i_execve"),
    Export("i32 execv(ptr,ptr)", kernel="i_execv"),
    Export("i32 execvp(ptr,ptr)", kernel="i_execvp"),
    Export("i32 execvpe(ptr,ptr,ptr)", kernel="i_execvpe"),
    Export("i32 execl(ptr,ptr,...)", kernel="i_execl"),
    Export("i32 execlp(ptr,ptr,...)", kernel="i_execlp"),
    Export("i32 execle(ptr,ptr,...)", kernel="i_execle"),
    Export("i32 posix_spawn(ptr,ptr,ptr,ptr,ptr,ptr)", kernel="i_posix_spawn"),
    Export("i32 posix_spawnp(ptr,ptr,ptr,ptr,ptr,ptr)", kernel="i_posix_spawnp"),
)

"""The program's own path, and starting programs: /proc/self/exe is irsan's interpreter natively.

    readlink("/proc/self/exe")   the path by which the program can be started again: its argv[0],
                                 absolute (engine/run/self_launch.py)
    execv("/proc/self/exe", v)   starts that

So for /proc/N/exe where N is the process itself.  The list of execl and similar is gathered first.

Sources: proc(5), exec(3).
May miss: opening /proc/self/exe shows the interpreter.
"""

from __future__ import annotations

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
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u8, u32, u64
from irsan.runtime.kernels.text.formats import copy_va_list, next_word
from irsan.runtime.kernels.threads.shared_memory import child_begun
from irsan.runtime.layout import outside_words as ow

LIST = ow.EXEC_ARGUMENTS
MAX_ARGUMENTS = ow.MAX_EXEC_ARGUMENTS
DIGIT_0 = 48
SLASH_PROC_SLASH = int.from_bytes(b"/proc/\0\0", "little")
SELF_SLASH_EXE = int.from_bytes(b"self/exe", "little")
SLASH_EXE = int.from_bytes(b"/exe\0\0\0\0", "little")

real_execve = real_function("execve", 3)
real_execv = real_function("execv", 2)
real_execvp = real_function("execvp", 2)
real_execvpe = real_function("execvpe", 3)
real_posix_spawn = real_function("posix_spawn", 6)
real_posix_spawnp = real_function("posix_spawnp", 6)


@kernel
def text_word(text: u64, n_bytes: u64) -> u64:
    """The first bytes of a string that has them, up to 8, as a number."""
    word = u64(0)
    i = u64(0)
    while i < n_bytes:
        word |= u64(load_u8(text + i)) << (i * 8)
        i += 1
    return word


@kernel
def is_own_link(path: u64) -> bool:
    """Whether a path is /proc/self/exe, or names this process by its number."""
    length = real_strlen(path)
    if length < 11 or length > 40 or text_word(path, 6) != SLASH_PROC_SLASH:
        return False
    rest = path + 6
    length -= 6
    if length == 8 and text_word(rest, 8) == SELF_SLASH_EXE:
        return True
    number = u64(0)
    while length > 4 and u8(load_u8(rest) - DIGIT_0) <= 9:
        number = number * 10 + u64(load_u8(rest) - DIGIT_0)
        rest += 1
        length -= 1
    return length == 4 and text_word(rest, 4) == SLASH_EXE and number == u64(u32(real_getpid()))


@kernel(outlined=True)
def own_path_or(ctx: Context, path: u64) -> u64:
    """A path, or the program's own when it is the link to it."""
    if path == 0 or ctx.outside.own_path == 0 or not is_own_link(path):
        return path
    return ctx.outside.own_path


@kernel
def exec_answer(word: u64) -> i32:
    """The int that a function of the C library returned."""
    return i32(u32(word))


@kernel
def failed(ctx: Context, word: u64) -> i32:
    """What an exec returns, which has failed; errno stays."""
    errno = load_u32(ctx.c_library.errno_addr)
    pass_limits_on(ctx, False)
    store_u32(ctx.c_library.errno_addr, errno)
    return exec_answer(word)


@kernel
def i_execve(ctx: Context, path: u64, arguments: u64, environment: u64) -> i32:
    """execve."""
    pass_limits_on(ctx, True)
    return failed(ctx, real_execve(own_path_or(ctx, path), arguments, environment))


@kernel
def i_execv(ctx: Context, path: u64, arguments: u64) -> i32:
    """execv."""
    pass_limits_on(ctx, True)
    return failed(ctx, real_execv(own_path_or(ctx, path), arguments))


@kernel
def i_execvp(ctx: Context, file: u64, arguments: u64) -> i32:
    """execvp."""
    pass_limits_on(ctx, True)
    return failed(ctx, real_execvp(own_path_or(ctx, file), arguments))


@kernel
def i_execvpe(ctx: Context, file: u64, arguments: u64, environment: u64) -> i32:
    """execvpe."""
    pass_limits_on(ctx, True)
    return failed(ctx, real_execvpe(own_path_or(ctx, file), arguments, environment))


@kernel
def gather(first: u64, others: u64) -> None:
    """LIST becomes the arguments of execl: the first, those of a va_list, a null pointer."""
    copy_va_list(SCRATCH_WALK, others)
    argument = first
    i = u64(0)
    while argument != 0 and i < MAX_ARGUMENTS:
        store_u64(LIST + i * 8, argument)
        argument = next_word()
        i += 1
    store_u64(LIST + i * 8, 0)


@kernel
def i_execl(ctx: Context, path: u64, first: u64, others: u64) -> i32:
    """execl."""
    gather(first, others)
    return i_execv(ctx, path, LIST)


@kernel
def i_execlp(ctx: Context, file: u64, first: u64, others: u64) -> i32:
    """execlp."""
    gather(first, others)
    return i_execvp(ctx, file, LIST)


@kernel
def i_execle(ctx: Context, path: u64, first: u64, others: u64) -> i32:
    """execle: the environment comes behind the null pointer."""
    gather(first, others)
    environment = first if first == 0 else next_word()
    return i_execve(ctx, path, LIST, environment)


@kernel
def child_spawned(ctx: Context, status: i32) -> i32:
    """posix_spawn: a child lives, unless it failed."""
    if status == 0:
        child_begun(ctx)
    return status


@kernel
def i_posix_spawn(
    ctx: Context,
    pid: u64,
    path: u64,
    actions: u64,
    attributes: u64,
    arguments: u64,
    environment: u64,
) -> i32:
    """posix_spawn."""
    own = own_path_or(ctx, path)
    status = real_posix_spawn(pid, own, actions, attributes, arguments, environment)
    return child_spawned(ctx, exec_answer(status))


@kernel
def i_posix_spawnp(
    ctx: Context,
    pid: u64,
    file: u64,
    actions: u64,
    attributes: u64,
    arguments: u64,
    environment: u64,
) -> i32:
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

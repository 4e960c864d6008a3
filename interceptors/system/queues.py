"""Message queues and semaphores of System V, message queues of POSIX, splice and tee: while one
guest thread waits, the others run.

    msgsnd, msgrcv, semop     asked with IPC_NOWAIT, again and again
    mq_send, mq_receive       asked when the queue, which is a descriptor, is ready
    splice, tee               asked with SPLICE_F_NONBLOCK, again and again

Who receives knows what had happened to who sent, by number of the queue: so does who has waited for
a semaphore.  A thread that is alone waits natively.

Sources: msgop(2), semop(2), mq_receive(3), splice(2), tee(2).
Deviations: semtimedop, mq_timedsend and mq_timedreceive wait natively; so does semop with more than
MOST_STEPS steps.  Queues and semaphores whose numbers differ by 65,536 order like one.
"""

from __future__ import annotations

from irsan.interceptors.files.file_locks import asks_natively
from irsan.interceptors.memory.passed_memory import read, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.actions import NONE
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import (
    load_u16,
    load_u32,
    real_fcntl,
    real_function,
    real_memcpy,
    store_u16,
    store_u32,
)
from irsan.runtime.kernels.out_parameters import FD_SETS
from irsan.runtime.kernels.race.sync_clocks import sync_acquire, sync_release
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u16, u32, u64
from irsan.runtime.kernels.threads.awaited import READY_TO_READ, READY_TO_WRITE
from irsan.runtime.kernels.threads.cancellation import cancel_due
from irsan.runtime.kernels.threads.waiting import (
    BY_ANY,
    F_GETFL,
    O_NONBLOCK,
    await_descriptor,
    block_trying,
    ended_by_handler,
)
from irsan.runtime.layout import libc_layout as libc
from irsan.runtime.layout import memory_map

FAILED = -1
EAGAIN = libc.constant("EAGAIN")
ENOMSG = libc.constant("ENOMSG")
NOWAIT = libc.constant("IPC_NOWAIT")
SPLICE_NOWAIT = libc.constant("SPLICE_F_NONBLOCK")
STEP_BYTES = libc.size("struct sembuf")
STEP_FLAGS = 4
MOST_STEPS = 48
STEPS = FD_SETS
QUEUES = memory_map.table("queues", 3 << 16)  # no memory: addresses of objects that order
SEMAPHORES, POSIX_QUEUES = QUEUES + (1 << 16), QUEUES + (2 << 16)

real_msgsnd = real_function("msgsnd", 4)
real_msgrcv = real_function("msgrcv", 5)
real_semop = real_function("semop", 3)
real_splice = real_function("splice", 6)
real_tee = real_function("tee", 4)


@kernel
def object_of(table: u64, number: i32) -> u64:
    """What orders who uses a queue or a set of semaphores."""
    return table + (u64(u32(number)) & 0xFFFF)


@kernel(outlined=True)
def is_asked_again(ctx: Context, answer: i64, errno: u32) -> bool:
    """Whether a call that did not wait is to be made again; the action is set then.

    errno: as it was before
    """
    if answer >= 0:
        ctx.outside.try_streak = 0
        return False
    found = load_u32(ctx.c_library.errno_addr)
    if found != EAGAIN and found != ENOMSG:
        return False
    if ended_by_handler(ctx, BY_ANY):
        return False
    store_u32(ctx.c_library.errno_addr, errno)
    block_trying(ctx, 0)
    return True


@kernel(outlined=True)
def flags_to_ask(ctx: Context, flags: i32, no_wait: i32) -> i32:
    """The flags of a call that may wait: with no_wait where other threads run meanwhile."""
    if flags & no_wait != 0 or asks_natively(ctx):
        return flags
    return i32(flags | no_wait)


@kernel
def is_nonblocking(descriptor: i32) -> bool:
    """Whether calls on a descriptor never wait."""
    flags = i32(u32(real_fcntl(u64(descriptor), F_GETFL, 0)))
    return flags >= 0 and flags & O_NONBLOCK != 0


@kernel
def send_to_queue(ctx: Context, queue: i32, message: u64, n_bytes: u64, flags: i32) -> i32:
    """msgsnd."""
    if cancel_due(ctx):
        return FAILED
    asked = flags_to_ask(ctx, flags, NOWAIT)
    errno = load_u32(ctx.c_library.errno_addr)
    status = i32(u32(real_msgsnd(u64(queue), message, n_bytes, u64(asked))))
    if asked != flags and is_asked_again(ctx, i64(status), errno):
        return FAILED
    if status == 0:  # nobody can have received it: no other thread has run
        sync_release(ctx, object_of(QUEUES, queue))
    return status


@kernel
def receive_from_queue(
    ctx: Context, queue: i32, message: u64, n_bytes: u64, kind: i64, flags: i32
) -> i64:
    """msgrcv."""
    if cancel_due(ctx):
        return FAILED
    asked = flags_to_ask(ctx, flags, NOWAIT)
    errno = load_u32(ctx.c_library.errno_addr)
    found = i64(real_msgrcv(u64(queue), message, n_bytes, u64(kind), u64(asked)))
    if asked != flags and is_asked_again(ctx, found, errno):
        return FAILED
    if found >= 0:
        sync_acquire(ctx, object_of(QUEUES, queue))
    return found


@kernel
def waits_in_steps(steps: u64, n_steps: u64) -> bool:
    """Whether a step of semop may wait."""
    for i in range(n_steps):
        if u64(load_u16(steps + u64(i) * STEP_BYTES + STEP_FLAGS)) & u64(NOWAIT) == 0:
            return True
    return False


@kernel
def copy_steps(steps: u64, n_steps: u64) -> None:
    """STEPS becomes the same that never waits."""
    real_memcpy(STEPS, steps, n_steps * STEP_BYTES)
    for i in range(n_steps):
        place = u64(STEPS) + u64(i) * STEP_BYTES + STEP_FLAGS
        store_u16(place, u16(u64(load_u16(place)) | u64(NOWAIT)))


@kernel
def do_steps(ctx: Context, semaphores: i32, steps: u64, n_steps: u64) -> i32:
    """semop."""
    read(ctx, steps, n_steps * STEP_BYTES)
    if ctx.action != NONE:
        return FAILED
    asked, waits = steps, False
    if n_steps <= MOST_STEPS and waits_in_steps(steps, n_steps) and not asks_natively(ctx):
        copy_steps(steps, n_steps)
        asked, waits = u64(STEPS), True
    errno = load_u32(ctx.c_library.errno_addr)
    status = i32(u32(real_semop(u64(semaphores), asked, n_steps)))
    if waits and is_asked_again(ctx, i64(status), errno):
        return FAILED
    if status == 0:
        sync_acquire(ctx, object_of(SEMAPHORES, semaphores))
        sync_release(ctx, object_of(SEMAPHORES, semaphores))
    return status


@kernel
def ask_posix_send(ctx: Context, queue: i32, message: u64, n_bytes: u64) -> None:
    """Before mq_send: there is room in the queue."""
    await_descriptor(ctx, queue, READY_TO_WRITE, False)
    if ctx.action == NONE:
        read(ctx, message, n_bytes)
        sync_release(ctx, object_of(POSIX_QUEUES, queue))


@kernel
def ask_posix_receive(ctx: Context, queue: i32) -> None:
    """Before mq_receive: there is a message."""
    await_descriptor(ctx, queue, READY_TO_READ, False)


@kernel
def posix_received(
    ctx: Context, n_bytes: i64, queue: i32, message: u64, _room: u64, priority: u64
) -> None:
    """mq_receive."""
    if n_bytes < 0:
        return
    sync_acquire(ctx, object_of(POSIX_QUEUES, queue))
    written(ctx, message, u64(n_bytes))
    written(ctx, priority, 4)


@kernel
def splice_on(
    ctx: Context, source: i32, from_at: u64, target: i32, to_at: u64, n_bytes: u64, flags: i32
) -> i64:
    """splice."""
    asked = flags
    if not (is_nonblocking(source) or is_nonblocking(target)):
        asked = flags_to_ask(ctx, flags, SPLICE_NOWAIT)
    errno = load_u32(ctx.c_library.errno_addr)
    moved = i64(real_splice(u64(source), from_at, u64(target), to_at, n_bytes, u64(asked)))
    if asked != flags:
        is_asked_again(ctx, moved, errno)
    return moved


@kernel
def tee_on(ctx: Context, source: i32, target: i32, n_bytes: u64, flags: i32) -> i64:
    """tee."""
    asked = flags
    if not (is_nonblocking(source) or is_nonblocking(target)):
        asked = flags_to_ask(ctx, flags, SPLICE_NOWAIT)
    errno = load_u32(ctx.c_library.errno_addr)
    moved = i64(real_tee(u64(source), u64(target), n_bytes, u64(asked)))
    if asked != flags:
        is_asked_again(ctx, moved, errno)
    return moved


EXPORTS = (
    Export("i32 msgsnd(i32,ptr,u64,i32)", kernel="nothing", real_first=True, before="ask_msgsnd",
           instead="send_to_queue"),
    Export("i64 msgrcv(i32,ptr,u64,i64,i32)", kernel="message_written", real_first=True,
           takes=(1,), instead="receive_from_queue"),
    Export("i32 semop(i32,ptr,u64)", kernel="do_steps"),
    Export("i32 mq_send(i32,ptr,u64,u32)", kernel="nothing", real_first=True,
           before="ask_posix_send"),
    Export("i64 mq_receive(i32,ptr,u64,ptr)", kernel="posix_received", real_first=True,
           before="ask_posix_receive"),
    Export("i64 splice(i32,ptr,i32,ptr,u64,i32)", kernel="splice_on"),
    Export("i64 tee(i32,i32,u64,i32)", kernel="tee_on"),
)  # fmt: skip

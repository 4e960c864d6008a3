"""FastTrack: the epoch algorithm of the paper, rule by rule.

    W_x   epoch of the last write             epoch  time << 20 | thread
    R_x   epoch of the last read, or a vector of reads while they are concurrent (read-shared)

**Source**: Flanagan and Freund, PLDI 2009, figure 5; FastTrack2 (VerifiedFT, 2017).
**Deviations**: the rules of FastTrack2 where they differ: a read of a shared variable in the same
epoch returns at once; a write leaves R_x as it is (the original empties a shared R_x); a read that
races is not recorded, a write that races becomes W_x all the same; the joined thread does not tick.
**Soundness**: the first race of each variable is reported, and nothing on a variable without one;
after that it may report less than HB, since only one write is remembered and repeated accesses in
one epoch are not looked at again.
"""

from __future__ import annotations

from irsan.runtime.kernels.scalars import Matrix, i32, i64
from irsan.traces.kernels.access_history import History, is_ordered, time_to_epoch, with_access
from irsan.traces.kernels.event_loop import event_loop
from irsan.traces.kernels.hb import HbState, hb_has_room
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.operations import READ, WRITE
from irsan.traces.kernels.sync_order import synchronise


@kernel(inlined=True)
def ft_read(history: History, x: i64, clk: Matrix[i32], t: i64) -> bool:
    """The read rules; returns whether it races with the last write."""
    word = history.reads[x]
    own = time_to_epoch(i64(clk[t, t]), t)
    if word == own:  # read same epoch
        return False
    if word < 0 and history.pool[-word - 1, t] == clk[t, t]:  # read shared same epoch
        return False
    if not is_ordered(history, history.writes[x], clk, t):  # write-read race
        return True
    if word >= 0 and is_ordered(history, word, clk, t):  # read exclusive
        history.reads[x] = own
    else:  # read share, read shared
        history.reads[x] = with_access(history, word, t, i64(clk[t, t]))
    return False


@kernel(inlined=True)
def ft_write(history: History, x: i64, clk: Matrix[i32], t: i64) -> bool:
    """The write rules; returns whether it races with the last write or with reads."""
    word = history.writes[x]
    own = time_to_epoch(i64(clk[t, t]), t)
    if word == own:  # write same epoch
        return False
    history.writes[x] = own
    if not is_ordered(history, word, clk, t):  # write-write race
        return True
    return not is_ordered(history, history.reads[x], clk, t)  # read-write race


@kernel(inlined=True)
def ft_step(state: HbState, operation: i64, t: i64, x: i64) -> bool:
    """One event; returns whether it races."""
    if operation > WRITE:
        synchronise(state.threads, state.locks, operation, t, x)
        return False
    if operation == READ:
        return ft_read(state.history, x, state.threads.clk, t)
    return ft_write(state.history, x, state.threads.clk, t)


fasttrack_events = event_loop(HbState, hb_has_room, ft_step)

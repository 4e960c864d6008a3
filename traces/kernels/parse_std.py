"""Lines of the STD format to columns: a byte parser over a block of whole lines.

    T1|w(x)|17\n          thread | operation(target) | location

A line has exactly three fields.  The operation is one of r, w, acq, rel, fork, join with a target
in parentheses that is not empty and holds no blank; dummy likewise; begin and end are matched by
their beginning and need no target.  The location is a decimal number, with a sign or not.

**Source**: the format that RAPID reads (`parse/std`), as described in docs/traces.md.
**Deviations**: RAPID prints a message for a malformed line and handles the event before it once
more; here the parser stops and says which line it was.  A carriage return before the end of a line
is not part of it.
**Invariants**: the caller has reserved rows for as many lines as a block of this length can hold
(`LEAST_LINE_BYTES`).
"""

from __future__ import annotations

from enum import IntEnum

from irsan.runtime.kernels.scalars import Matrix, Vector, i32, i64, u8
from irsan.traces.kernels.kernel import kernel
from irsan.traces.kernels.operations import (
    ACQUIRE,
    BEGIN,
    DUMMY,
    END,
    FORK,
    JOIN,
    READ,
    RELEASE,
    WRITE,
)

LEAST_LINE_BYTES = 8  # "T|end|1" and its end


class Problem(IntEnum):
    """Why a line was refused."""

    NONE = 0
    FIELDS = 1
    THREAD = 2
    OPERATION = 3
    TARGET = 4
    LOCATION = 5


N_EVENTS, N_CONSUMED, PROBLEM = 0, 1, 2
BAR, OPEN, CLOSE, NEWLINE, RETURN, BLANK, DELETE = 124, 40, 41, 10, 13, 32, 127
MINUS, PLUS, ZERO, NINE = 45, 43, 48, 57
LETTER_A, LETTER_B, LETTER_C, LETTER_D, LETTER_E, LETTER_F = 97, 98, 99, 100, 101, 102
LETTER_G, LETTER_I, LETTER_J, LETTER_K, LETTER_L, LETTER_M = 103, 105, 106, 107, 108, 109
LETTER_N, LETTER_O, LETTER_Q, LETTER_R, LETTER_U, LETTER_W = 110, 111, 113, 114, 117, 119
LETTER_Y = 121
UNKNOWN = -1


@kernel
def operation_at(data: Vector[u8], lo: i64, hi: i64) -> i64:
    """The operation whose keyword begins data[lo:hi], or UNKNOWN. What follows is not looked at."""
    n = hi - lo
    first = data[lo] if n > 0 else 0
    second = data[lo + 1] if n > 1 else 0
    third = data[lo + 2] if n > 2 else 0
    fourth = data[lo + 3] if n > 3 else 0
    fifth = data[lo + 4] if n > 4 else 0
    if first == LETTER_R:
        return RELEASE if second == LETTER_E and third == LETTER_L else READ
    if first == LETTER_W:
        return WRITE
    if first == LETTER_A and second == LETTER_C and third == LETTER_Q:
        return ACQUIRE
    if first == LETTER_F and second == LETTER_O and third == LETTER_R and fourth == LETTER_K:
        return FORK
    if first == LETTER_J and second == LETTER_O and third == LETTER_I and fourth == LETTER_N:
        return JOIN
    if first == LETTER_E and second == LETTER_N and third == LETTER_D:
        return END
    if first == LETTER_B and second == LETTER_E and third == LETTER_G and fourth == LETTER_I:
        return BEGIN if fifth == LETTER_N else UNKNOWN
    if first == LETTER_D and second == LETTER_U and third == LETTER_M and fourth == LETTER_M:
        return DUMMY if fifth == LETTER_Y else UNKNOWN
    return UNKNOWN


@kernel
def keyword_bytes(operation: i64) -> i64:
    """Length of an operation's keyword."""
    if operation == READ or operation == WRITE:
        return 1
    if operation == FORK or operation == JOIN:
        return 4
    return 5 if operation == BEGIN or operation == DUMMY else 3


@kernel
def is_target(data: Vector[u8], lo: i64, hi: i64) -> bool:
    """Whether data[lo:hi] is a parenthesis around something without blanks."""
    if hi - lo < 3 or data[lo] != OPEN or data[hi - 1] != CLOSE:
        return False
    for i in range(lo + 1, hi - 1):  # noqa: SIM110
        if data[i] <= BLANK or data[i] == DELETE:
            return False
    return True


@kernel
def is_number(data: Vector[u8], lo: i64, hi: i64) -> bool:
    """Whether data[lo:hi] is a decimal number."""
    if lo < hi and (data[lo] == MINUS or data[lo] == PLUS):
        lo += 1
    if lo >= hi:
        return False
    for i in range(lo, hi):  # noqa: SIM110
        if data[i] < ZERO or data[i] > NINE:
            return False
    return True


@kernel(inlined=True)
def parse_line(data: Vector[u8], lo: i64, hi: i64, found: Vector[i64]) -> i64:
    """Parse data[lo:hi], a line without its end; returns a Problem.

    found  int64[5]  out: operation, end of the thread's name, target from, to, and the location's
                     first byte
    """
    bar = lo
    while bar < hi and data[bar] != BAR:
        bar += 1
    bar2 = bar + 1
    while bar2 < hi and data[bar2] != BAR:
        bar2 += 1
    if bar2 >= hi:
        return i64(Problem.FIELDS)
    for i in range(bar2 + 1, hi):
        if data[i] == BAR:
            return i64(Problem.FIELDS)
    if bar == lo:
        return i64(Problem.THREAD)
    operation = operation_at(data, bar + 1, bar2)
    if operation == UNKNOWN:
        return i64(Problem.OPERATION)
    start = bar + 1 + keyword_bytes(operation)
    inset = 0
    if operation != BEGIN and operation != END:
        if start < bar2 and data[start] != OPEN:
            return i64(Problem.OPERATION)
        if not is_target(data, start, bar2):
            return i64(Problem.TARGET)
        inset = 0 if operation == DUMMY else 1
    if not is_number(data, bar2 + 1, hi):
        return i64(Problem.LOCATION)
    found[0] = operation
    found[1] = bar
    found[2] = start + inset
    found[3] = bar2 - inset
    found[4] = bar2 + 1
    return i64(Problem.NONE)


@kernel
def parse_block(
    data: Vector[u8],
    n_bytes: i64,
    is_last: bool,
    out_op: Vector[u8],
    out_fields: Matrix[i32],
    found: Vector[i64],
    counts: Vector[i64],
) -> None:
    """Parse the whole lines of data[:n_bytes]; a rest without an end too if `is_last`.

    out_op      uint8[n]      operations
    out_fields  int32[6, n]   first byte and end of each event's thread, target and location
    found       int64[5]      scratch of `parse_line`
    counts      int64[3]      out: N_EVENTS rows written, N_CONSUMED bytes used, PROBLEM of the line
                              that begins there, where parsing stopped
    """
    lo = 0
    n = 0
    counts[PROBLEM] = 0
    while lo < n_bytes:
        end = lo
        while end < n_bytes and data[end] != NEWLINE:
            end += 1
        if end == n_bytes and not is_last:
            break
        hi = end - 1 if end > lo and data[end - 1] == RETURN else end
        problem = parse_line(data, lo, hi, found)
        if problem != 0:
            counts[PROBLEM] = problem
            break
        out_op[n] = found[0]
        out_fields[0, n] = lo
        out_fields[1, n] = found[1]
        out_fields[2, n] = found[2]
        out_fields[3, n] = found[3]
        out_fields[4, n] = found[4]
        out_fields[5, n] = hi
        n += 1
        lo = end + 1
    counts[N_EVENTS] = n
    counts[N_CONSUMED] = min(lo, n_bytes)


@kernel
def select_targets(
    op: Vector[u8],
    fields: Matrix[i32],
    n: i64,
    lo_op: i64,
    hi_op: i64,
    starts: Vector[i32],
    ends: Vector[i32],
) -> None:
    """Bounds of the targets of operations lo_op..hi_op; other rows get an end before the start."""
    for row in range(n):
        is_wanted = lo_op <= op[row] <= hi_op
        starts[row] = fields[2, row] if is_wanted else 1
        ends[row] = fields[3, row] if is_wanted else 0

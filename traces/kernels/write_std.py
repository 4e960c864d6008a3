"""Lines of STD text from columns: the names of a chunk, put one after the other into one buffer."""

from __future__ import annotations

from typing import NamedTuple

from irsan.runtime.kernels.scalars import Vector, i32, i64, u8
from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.name_hash import HashedNames
from irsan.traces.kernels.operations import BEGIN, FORK, WRITE

BAR, OPEN, CLOSE, NEWLINE = 124, 40, 41, 10
MARK_BYTES = 5  # of a line, beside names and keyword: two bars, two parentheses, the end


@table
class Spaces(NamedTuple):
    """The name spaces of a trace, and the keywords of operations as names."""

    threads: HashedNames = part(HashedNames)
    locks: HashedNames = part(HashedNames)
    variables: HashedNames = part(HashedNames)
    locations: HashedNames = part(HashedNames)
    labels: HashedNames = part(HashedNames)
    keyword_text: Vector[u8] = column("u8", "keyword_bytes")
    keyword_ends: Vector[i64] = column("i64", "keywords")


@kernel(inlined=True)
def target_names(spaces: Spaces, operation: i64) -> HashedNames:
    """The names that the targets of an operation have."""
    if operation <= WRITE:
        return spaces.variables
    if operation < FORK:
        return spaces.locks
    return spaces.threads if operation < BEGIN else spaces.labels


@kernel(inlined=True)
def name_bytes(names: HashedNames, number: i64) -> i64:
    """Bytes of a name."""
    return names.offsets[number + 1] - names.offsets[number]


@kernel(inlined=True)
def put_bytes(out: Vector[u8], at: i64, text: Vector[u8], lo: i64, hi: i64) -> i64:
    """Copy text[lo:hi] to out[at]; returns where it ends."""
    for i in range(lo, hi):
        out[at] = text[i]
        at += 1
    return at


@kernel(inlined=True)
def put_name(out: Vector[u8], at: i64, names: HashedNames, number: i64) -> i64:
    """Copy a name to out[at]; returns where it ends."""
    return put_bytes(out, at, names.text, names.offsets[number], names.offsets[number + 1])


@kernel
def lines_bytes(
    spaces: Spaces, op: Vector[u8], thread: Vector[i32], target: Vector[i32], location: Vector[i32]
) -> i64:
    """No fewer bytes than the lines of some events have."""
    n = i64(0)
    for i in range(len(op)):
        o = i64(op[i])
        n += name_bytes(spaces.threads, i64(thread[i]))
        n += name_bytes(target_names(spaces, o), i64(target[i]))
        n += name_bytes(spaces.locations, i64(location[i]))
        n += spaces.keyword_ends[o + 1] - spaces.keyword_ends[o] + MARK_BYTES
    return n


@kernel
def write_lines(
    spaces: Spaces,
    op: Vector[u8],
    thread: Vector[i32],
    target: Vector[i32],
    location: Vector[i32],
    out: Vector[u8],
) -> i64:
    """Write the lines of some events; returns their bytes.  `out` has room (lines_bytes)."""
    at = i64(0)
    for i in range(len(op)):
        o = i64(op[i])
        at = put_name(out, at, spaces.threads, i64(thread[i]))
        out[at] = BAR
        lo, hi = spaces.keyword_ends[o], spaces.keyword_ends[o + 1]
        at = put_bytes(out, at + 1, spaces.keyword_text, lo, hi)
        if o < BEGIN:
            out[at] = OPEN
            at += 1
        at = put_name(out, at, target_names(spaces, o), i64(target[i]))
        if o < BEGIN:
            out[at] = CLOSE
            at += 1
        out[at] = BAR
        at = put_name(out, at + 1, spaces.locations, i64(location[i]))
        out[at] = NEWLINE
        at += 1
    return at

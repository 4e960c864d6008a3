"""Lines of STD text from columns: the names of a chunk, put one after the other into one buffer."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irsan.traces.kernels.columns import column, part
from irsan.traces.kernels.kernel import kernel, table
from irsan.traces.kernels.name_hash import HashedNames
from irsan.traces.kernels.operations import BEGIN, FORK, WRITE

BAR, OPEN, CLOSE, NEWLINE = 124, 40, 41, 10
MARK_BYTES = 5  # of a line, beside names and keyword: two bars, two parentheses, the end


@table("spaces")
class Spaces(NamedTuple):
    """The name spaces of a trace, and the keywords of operations as names."""

    threads: Any = part(HashedNames)
    locks: Any = part(HashedNames)
    variables: Any = part(HashedNames)
    locations: Any = part(HashedNames)
    labels: Any = part(HashedNames)
    keyword_text: Any = column("u8", "keyword_bytes")
    keyword_ends: Any = column("i64", "keywords")


@kernel("names(spaces,i64)", inlined=True)
def target_names(spaces: Any, operation: Any) -> Any:
    """The names that the targets of an operation have."""
    if operation <= WRITE:
        return spaces.variables
    if operation < FORK:
        return spaces.locks
    return spaces.threads if operation < BEGIN else spaces.labels


@kernel("i64(names,i64)", inlined=True)
def name_bytes(names: Any, number: Any) -> Any:
    """Bytes of a name."""
    return names.offsets[number + 1] - names.offsets[number]


@kernel("i64(u8[:],i64,u8[:],i64,i64)", inlined=True)
def put_bytes(out: Any, at: Any, text: Any, lo: Any, hi: Any) -> Any:
    """Copy text[lo:hi] to out[at]; returns where it ends."""
    for i in range(lo, hi):
        out[at] = text[i]
        at += 1
    return at


@kernel("i64(u8[:],i64,names,i64)", inlined=True)
def put_name(out: Any, at: Any, names: Any, number: Any) -> Any:
    """Copy a name to out[at]; returns where it ends."""
    return put_bytes(out, at, names.text, names.offsets[number], names.offsets[number + 1])


@kernel("i64(spaces,u8[:],i32[:],i32[:],i32[:])")
def lines_bytes(spaces: Any, op: Any, thread: Any, target: Any, location: Any) -> Any:
    """No fewer bytes than the lines of some events have."""
    n = np.int64(0)
    for i in range(len(op)):
        o = np.int64(op[i])
        n += name_bytes(spaces.threads, np.int64(thread[i]))
        n += name_bytes(target_names(spaces, o), np.int64(target[i]))
        n += name_bytes(spaces.locations, np.int64(location[i]))
        n += spaces.keyword_ends[o + 1] - spaces.keyword_ends[o] + MARK_BYTES
    return n


@kernel("i64(spaces,u8[:],i32[:],i32[:],i32[:],u8[:])")
def write_lines(
    spaces: Any, op: Any, thread: Any, target: Any, location: Any, out: Any
) -> Any:
    """Write the lines of some events; returns their bytes.  `out` has room (lines_bytes)."""
    at = np.int64(0)
    for i in range(len(op)):
        o = np.int64(op[i])
        at = put_name(out, at, spaces.threads, np.int64(thread[i]))
        out[at] = BAR
        lo, hi = spaces.keyword_ends[o], spaces.keyword_ends[o + 1]
        at = put_bytes(out, at + 1, spaces.keyword_text, lo, hi)
        if o < BEGIN:
            out[at] = OPEN
            at += 1
        at = put_name(out, at, target_names(spaces, o), np.int64(target[i]))
        if o < BEGIN:
            out[at] = CLOSE
            at += 1
        out[at] = BAR
        at = put_name(out, at + 1, spaces.locations, np.int64(location[i]))
        out[at] = NEWLINE
        at += 1
    return at

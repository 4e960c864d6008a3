"""The process that makes a trace: raw events in, the file out, one line of JSON at its end.

It belongs to no one: no child that the program could wait for, in a session of its own, so that an
interrupt reaches the program alone.  It lives until the pipe ends, whatever happens; after an error
it goes on reading, so that the program never waits for it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from irsan.engine.recording.trace_files import Recorded
from irsan.runtime.records.race.trace_records import BUFFER_BYTES, EVENT_BYTES

if TYPE_CHECKING:
    from irsan.engine.recording.translation import RawEvents

_END = bytes(EVENT_BYTES)


def record(descriptor: int, path: Path, form: str, out: int) -> Recorded:
    """Read raw events to the end of a pipe and write their trace to the descriptor `out`."""
    from irsan.engine.recording.trace_output import TraceOutput
    from irsan.engine.recording.translation import Translation

    translation = Translation(lambda chunk: output.write(chunk))
    output = TraceOutput(path, form, out, translation.names)
    while not translation.is_ended and len(raw := _read(descriptor)):
        if output.error is None:
            translation.feed(raw)
    if output.error is None:
        translation.flush()
    output.close()
    locations = translation.names.locations
    return Recorded(
        output.n_events,
        sorted(int(locations.name(i)) for i in range(len(locations))),
        "" if output.error is None else str(output.error.strerror or output.error),
        translation.is_ended,
        translation.orders.n_approximate,
    )


def _read(descriptor: int) -> RawEvents:
    """The next events: a whole buffer, but for the last one; a part of an event is none.

    Other processes may hold the pipe open, so its end is END as well.
    """
    pieces, n_bytes, tail = [], 0, b""
    while n_bytes < BUFFER_BYTES:
        piece = os.read(descriptor, BUFFER_BYTES - n_bytes)
        if not piece:
            break
        pieces.append(piece)
        n_bytes += len(piece)
        tail = (tail + piece)[-EVENT_BYTES:]
        if n_bytes % EVENT_BYTES == 0 and tail == _END:
            break
    import numpy as np

    raw = b"".join(pieces)[: n_bytes - n_bytes % EVENT_BYTES]
    events: RawEvents = np.frombuffer(raw, np.uint64).reshape(-1, 3).copy()
    return events


def main(words: list[str]) -> None:
    """events descriptor, trace descriptor, answer descriptor, path, form."""
    events, trace, answer = (int(word) for word in words[:3])
    path, form = Path(words[3]), words[4]
    if os.fork():  # before numba is imported: the run waits for this
        os._exit(0)
    os.setsid()
    recorded = record(events, path, form, trace)
    line = recorded.to_json()
    try:
        os.write(answer, line.encode() + b"\n")
    except OSError:  # the run has died
        print(f"irsan: error: {recorded.why_incomplete(path)}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])

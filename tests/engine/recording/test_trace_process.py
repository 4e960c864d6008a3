"""The process behind the pipe: whole buffers, pieces, an end that comes and one that does not."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from irsan.engine.recording.trace_files import Recorded, open_part
from irsan.engine.recording.trace_process import record
from irsan.runtime.records.race.trace_records import EVENT_BYTES, EVENTS_PER_BUFFER
from tests.engine.recording.raw_events import CELL, Raw, access, packed


def recorded(folder: Path, pieces: list[bytes], *, is_left_open: bool = False) -> Recorded:
    """What is made of raw bytes that come through a pipe."""
    reader, writer = os.pipe()

    def write() -> None:
        for piece in pieces:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(writer, rest) :]
        if not is_left_open:
            os.close(writer)

    feeder = threading.Thread(target=write)
    feeder.start()
    out = open_part(folder / "t.std")
    answer = record(reader, folder / "t.std", "std", out)
    feeder.join()
    for descriptor in (reader, out, *([writer] if is_left_open else [])):
        os.close(descriptor)
    assert Recorded(**json.loads(answer.to_json())) == answer
    return answer


def events_of(n_events: int) -> bytes:
    events: list[Raw] = [access(1, 5 + i % 3, CELL + 4 * (i % 1000), 4) for i in range(n_events)]
    return packed(events).tobytes()


@pytest.mark.parametrize("n_events", [0, 1, EVENTS_PER_BUFFER, EVENTS_PER_BUFFER + 5])
def test_an_end_is_seen_though_the_pipe_stays_open(tmp_path: Path, n_events: int) -> None:
    raw = events_of(n_events) + bytes(EVENT_BYTES)
    answer = recorded(tmp_path, [raw], is_left_open=True)
    assert (answer.n_events, answer.is_ended, answer.error) == (n_events, True, "")
    assert answer.sites == [5, 6, 7][:n_events]
    assert (tmp_path / "t.std.part").read_text().count("\n") == n_events


def test_a_pipe_that_ends_early_leaves_whole_events(tmp_path: Path) -> None:
    raw = events_of(10)
    answer = recorded(tmp_path, [raw[:13], raw[13:100], raw[100:-7]])
    assert (answer.n_events, answer.is_ended) == (9, False)


def test_an_address_of_zeros_is_no_end(tmp_path: Path) -> None:
    raw = packed([access(0, 0, 0, 4), access(1, 1, CELL, 4)]).tobytes()
    answer = recorded(tmp_path, [raw, bytes(EVENT_BYTES)], is_left_open=True)
    assert (answer.n_events, answer.is_ended) == (2, True)

"""The file of a recorded run: both forms, gzip, and a disk that takes no more."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from irsan.engine.recording.trace_files import open_part
from irsan.engine.recording.trace_output import TraceOutput
from irsan.engine.recording.translation import Translation
from irsan.traces.events import Chunk
from irsan.traces.std_format import chunk_to_std
from irsan.traces.trace_file import open_trace
from tests.engine.recording.raw_events import CELL, access, packed

FILES = [("t.std", "std"), ("t.std.gz", "std"), ("t.irt", "binary")]


def write_trace(path: Path, form: str, n_events: int) -> tuple[TraceOutput, list[bytes]]:
    """Write a trace in chunks of 1000 events; also what each chunk is in STD text."""
    texts: list[bytes] = []

    def take(chunk: Chunk) -> None:
        output.write(chunk)
        texts.append(chunk_to_std(chunk, translation.names))

    translation = Translation(take)
    descriptor = open_part(path)
    output = TraceOutput(path, form, descriptor, translation.names)
    rng = np.random.default_rng(1)
    for first in range(0, n_events, 1000):
        places = (4 * rng.integers(0, 1 << 20, 1000)).tolist()
        raw = [access(1, first + i, CELL + place, 4) for i, place in enumerate(places)]
        translation.feed(packed(raw))
        translation.flush()
    output.close()
    os.close(descriptor)
    return output, texts


def text_of(path: Path) -> bytes:
    with open_trace(path) as trace:
        return b"".join(chunk_to_std(chunk, trace.names) for chunk in trace.chunks())


@contextmanager
def files_of_at_most(n_bytes: int) -> Iterator[None]:
    """What a full disk is like, without filling one."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(("name", "form"), FILES)
def test_chunks_come_back(tmp_path: Path, name: str, form: str) -> None:
    output, texts = write_trace(tmp_path / name, form, 3000)
    assert (output.n_events, output.error) == (3000, None)
    assert text_of(tmp_path / f"{name}.part") == b"".join(texts)


@pytest.mark.parametrize(("name", "form"), FILES)
def test_a_full_disk_leaves_a_trace_of_what_was_before(
    tmp_path: Path, name: str, form: str
) -> None:
    with files_of_at_most(30_000):
        output, texts = write_trace(tmp_path / name, form, 20_000)
    assert output.error is not None
    assert 0 < output.n_events < 20_000
    whole = b"".join(texts[: output.n_events // 1000])
    assert text_of(tmp_path / f"{name}.part") == whole


def test_a_file_that_takes_nothing_is_no_trace(tmp_path: Path) -> None:
    with files_of_at_most(3):
        output, _ = write_trace(tmp_path / "t.irt", "binary", 1000)
    assert output.error is not None
    assert (output.n_events, (tmp_path / "t.irt.part").read_bytes()) == (0, b"")

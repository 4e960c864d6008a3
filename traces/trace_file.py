"""Trace files whatever their form: which one it is, opening, converting."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from irsan.errors import UsageError
from irsan.traces.binary_format import MAGIC, BinaryTrace, BinaryWriter, is_binary
from irsan.traces.events import Trace
from irsan.traces.std_format import StdTrace, chunk_to_std

FORMS = ("std", "binary")
_FORM_BY_ENDING = {".std": "std", ".txt": "std", ".log": "std", ".irt": "binary"}

OnProgress = Callable[[int], None]


def open_trace(path: Path) -> Trace:
    """Open a trace for reading, from a file or a pipe; its form is recognised by its first bytes.

    Raises UsageError when it cannot be read.
    """
    try:
        file = path.open("rb")
        beginning = file.peek(len(MAGIC))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    return BinaryTrace(path, file) if is_binary(beginning) else StdTrace(path, file)


def convert_trace(source: Path, target: Path, form: str | None, on_progress: OnProgress) -> int:
    """Write a trace in another form; returns the number of events.

    form: `std`, `binary`, or None to take what the target's name says, else what the source is not.
    Raises UsageError for a source that is damaged and a target that cannot be written; the target
    then stays as it was.
    """
    if target.exists() and source.exists() and target.samefile(source):
        raise UsageError(f"{target}: the trace cannot be converted onto itself")
    with open_trace(source) as trace:
        form = form or _form_of_name(target)
        form = form or ("std" if isinstance(trace, BinaryTrace) else "binary")
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            n_events = _write(trace, beside, target, form, on_progress)
            beside.replace(target)
        except OSError as error:
            raise UsageError(f"{target}: {error.strerror or error}") from error
        finally:
            beside.unlink(missing_ok=True)
    return n_events


def _form_of_name(path: Path) -> str | None:
    name = path.name.removesuffix(".gz")
    return next((form for ending, form in _FORM_BY_ENDING.items() if name.endswith(ending)), None)


def _write(trace: Trace, beside: Path, target: Path, form: str, on_progress: OnProgress) -> int:
    with beside.open("wb") as file:
        if form == "binary":
            return _write_binary(trace, file, on_progress)
        if target.name.endswith(".gz"):
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                return _write_std(trace, packed, on_progress)
        return _write_std(trace, file, on_progress)


def _write_std(trace: Trace, file: Any, on_progress: OnProgress) -> int:
    n_events = 0
    for chunk in trace.chunks():
        file.write(chunk_to_std(chunk, trace.names))
        n_events += len(chunk)
        on_progress(trace.position())
    return n_events


def _write_binary(trace: Trace, file: IO[bytes], on_progress: OnProgress) -> int:
    writer = BinaryWriter(file, trace.names)
    n_events = 0
    for chunk in trace.chunks():
        writer.write(chunk)
        n_events += len(chunk)
        on_progress(trace.position())
    writer.close()
    return n_events

"""Code generation of several texts at once, in processes of their own: units, or parts of one.

    with code_generator(hot_text, n_texts, n_bytes) as generate:
        waiting = [generate(text) for text in texts]      Future[bytes] each
        objects = [one.result() for one in waiting]

A worker reads frames (8 bytes of length, little endian, then the bytes) from its standard input:
the hot hooks first, then texts; it answers each text with the frame of its object and ends with
its input. LLVM holds Python's lock while it works, so threads would not do.

Where LLVM ends a worker there is no object (`codegen_apart.py`); work that starts no worker is done
in a child of this process for the same reason.

Soundness: an object depends on its text alone, and objects are taken in the order of the texts, so
results are those of one process. Little work stays in this process: starting a worker takes longer.
So does one unit while others keep all processors busy, as a build that compiles many at once does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from irsan.engine.program_image.codegen import text_to_object
from irsan.engine.program_image.codegen_apart import CodegenError, code_failure, object_apart
from irsan.engine.program_image.worker_turns import worker_turns
from irsan.errors import IrsanError
from irsan.own_process import module_command

Generate = Callable[[str], "Future[bytes]"]

_MAX_WORKERS: Final = 8  # each may need a gigabyte for a big unit
_MIN_BYTES: Final = 300_000  # of bitcode: about two seconds of code generation
_LENGTH_BYTES: Final = 8
_LOAD: Final = Path("/proc/loadavg")  # of the machine, also within a container
_OWN_PROCESSES: Final = 2  # this one, and the compiler that makes native code beside


@contextmanager
def code_generator(
    hot_text: str, n_texts: int, n_bytes: int, *, n_units: int = 0
) -> Iterator[Generate]:
    """Something that turns text into the promise of an object, for `n_bytes` of bitcode in all.

    n_units: how many units the texts are of, where somebody has counted.
    """
    n_workers = min(n_texts, len(os.sched_getaffinity(0)), _MAX_WORKERS)
    if n_units == 1:
        n_workers = min(n_workers, _idle_processors())
    if n_workers < 2 or n_bytes < _MIN_BYTES:
        yield lambda text: _done(text, hot_text)
        return
    with worker_turns(lambda: _worker(hot_text), n_workers) as turns:

        def work(worker: _Worker, text: str) -> bytes:
            try:
                return worker.generate(text)
            except CodegenError:  # the worker has ended, by this text or an earlier one
                return object_apart(text, hot_text)

        yield lambda text: turns.submit(lambda worker: work(worker, text))


def _idle_processors() -> int:
    """Processors that are idle now; at least two where any is, since processes take turns."""
    n_processors = os.cpu_count() or 1
    try:
        running = int(_LOAD.read_text().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return n_processors
    n_others = max(0, running - _OWN_PROCESSES)
    return max(2 if n_others < n_processors else 1, n_processors - n_others)


def _done(text: str, hot_text: str) -> Future[bytes]:
    future: Future[bytes] = Future()
    try:
        future.set_result(object_apart(text, hot_text))
    except IrsanError as failure:
        future.set_exception(failure)
    return future


class _Worker:
    """One process, serving one text at a time."""

    def __init__(self, process: subprocess.Popen[bytes], words: IO[bytes], hot_text: str) -> None:
        self._process, self._words = process, words
        self._hot_text = hot_text  # sent with the first text, when the process is up

    def generate(self, text: str) -> bytes:
        """The object of `text`; when the process has died of it, raises as `object_apart`."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            if self._hot_text:
                _write_frame(self._process.stdin, self._hot_text.encode())
                self._hot_text = ""
            _write_frame(self._process.stdin, text.encode("utf-8", "surrogateescape"))
            answer = _read_frame(self._process.stdout)
        except OSError:
            answer = None
        if answer is None:
            self._words.seek(0)
            said = self._words.read().decode(errors="replace").strip()
            raise code_failure(self._process.wait(), said)
        return answer


@contextmanager
def _worker(hot_text: str) -> Iterator[_Worker]:
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            module_command("irsan.engine.program_image.code_workers"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=words,
        )
        try:
            yield _Worker(process, words, hot_text)
        finally:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    stream.close()  # type: ignore[union-attr]


def _write_frame(stream: IO[bytes], raw: bytes) -> None:
    stream.write(len(raw).to_bytes(_LENGTH_BYTES, "little"))
    stream.write(raw)
    stream.flush()


def _read_frame(stream: IO[bytes]) -> bytes | None:
    """The bytes of the next frame, None when the other side has ended."""
    length = stream.read(_LENGTH_BYTES)
    if len(length) < _LENGTH_BYTES:
        return None
    size = int.from_bytes(length, "little")
    raw = stream.read(size)
    return raw if len(raw) == size else None


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """What a worker does: the hot hooks, then a text for each object, until there is no more."""
    hot_text = _read_frame(source)
    while hot_text is not None and (text := _read_frame(source)) is not None:
        decoded = text.decode("utf-8", "surrogateescape")
        _write_frame(sink, text_to_object(decoded, hot_text.decode()))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asked ends, and its pipe with it
    serve(sys.stdin.buffer, sys.stdout.buffer)

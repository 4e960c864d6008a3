"""Damaged inputs of every reader: a documented status, one message, no traceback, bounded time.

A thousand for each reader with IRSAN_PART=all; else fewer of those that start other processes.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from irsan.__main__ import main
from irsan.engine.replay import parse_replay_token
from irsan.errors import UsageError
from irsan.ir.reading import current_bitcode
from irsan.reports.formats.json_report import report_to_json
from irsan.runtime.flags.flags import VARIABLES, parse_flags
from irsan.runtime.flags.suppressions import parse_suppressions
from tests.ir.corpus_files import ASSEMBLY, read_corpus
from tests.reports.samples import EVERYTHING, report
from tests.support.mutation import mutants

WHOLE = 1000
LIMIT_S = 30
LIMIT_BYTES = 2 << 30
TRACE = b"T0|fork(T1)|0\nT1|w(V1)|1\nT1|acq(L)|2\nT1|rel(L)|3\nT0|r(V1)|4\nT0|join(T1)|5\n"
FLAGS = (
    b"halt_on_error=1:redzone=32:log_path='a b'",
    b'seed=7,color=never:strip_path_prefix="/x:y"',
    b"include=nowhere:quarantine_size_mb=16 verbosity=1\n",
)
IGNORE_LISTS = (
    b"fun:main*\nsrc:*/x.c\n[address|thread]\nglobal:spoilt=init\ntype:{a,b}?\n",
    b"#!special-case-list-v1\nfun:(a|b).*\nmainfile:x.c\n",
)
SUPPRESSIONS = (b"race:f*\n# a comment\nleak:^main$\n", b"interceptor_via_fun:x\ndeadlock:m\n")


@dataclass(frozen=True)
class Reader:
    """What is damaged; what reads it and says its status; how many are read in an ordinary run."""

    seeds: Callable[[Path], list[bytes]]
    read: Callable[[bytes], int]
    count: int = WHOLE


def command(name: str, *words: str) -> Callable[[bytes], int]:
    """A command line that reads a file of that name."""

    def read(content: bytes) -> int:
        Path(name).write_bytes(content)
        return main([*words])

    return read


def read_token(content: bytes) -> int:
    text = content.decode(errors="surrogateescape")
    return 0 if str(parse_replay_token(text)) else 1


def read_flags(content: bytes) -> int:
    text = content.decode(errors="surrogateescape")
    for variable in VARIABLES:
        parse_flags({variable: text})
    return 0


def read_suppressions(content: bytes) -> int:
    parse_suppressions(content.decode(errors="surrogateescape"))
    return 0


def read_ignore_list(content: bytes) -> int:
    """The compiler reads these."""
    Path("list.txt").write_bytes(content)
    Path("p.c").write_text("int main(void) { return 0; }\n")
    return main(["dump-ir", "--cflag=-fsanitize-ignorelist=list.txt", "p.c"])


def binary_traces(folder: Path) -> list[bytes]:
    (folder / "seed.std").write_bytes(TRACE)
    assert main(["trace", "convert", "seed.std", "seed.irt"]) == 0
    return [(folder / "seed.irt").read_bytes()]


def ir_texts(_folder: Path) -> list[bytes]:
    return [read_corpus(name) for name in ASSEMBLY[:6]]


def bitcode(_folder: Path) -> list[bytes]:
    return [current_bitcode(read_corpus(name), name) for name in ASSEMBLY[:6]]


READERS = {
    "bitcode": Reader(bitcode, command("x.bc", "dump-ir", "x.bc"), 15),
    "bitstream": Reader(bitcode, command("x.bc", "dump-bitstream", "x.bc"), 15),
    "IR text": Reader(ir_texts, command("x.ll", "dump-ir", "x.ll"), 15),
    "STD trace": Reader(
        lambda _: [TRACE], command("x.std", "trace", "convert", "x.std", "y.irt"), 100
    ),
    "binary trace": Reader(
        binary_traces, command("x.irt", "trace", "convert", "x.irt", "y.std"), 100
    ),
    "analysed trace": Reader(lambda _: [TRACE], command("x.std", "trace", "analyze", "x.std"), 30),
    "report": Reader(
        lambda _: [report_to_json(report(one)).encode() for one in EVERYTHING.values()],
        command("x.json", "report", "convert", "x.json"),
        100,
    ),
    "replay token": Reader(lambda _: [b"1-0-O1-alt-e94d6afa", b"1-12-O0-t-00000000"], read_token),
    "flags": Reader(lambda _: list(FLAGS), read_flags, 100),
    "suppressions": Reader(lambda _: list(SUPPRESSIONS), read_suppressions),
    "ignore list": Reader(lambda _: list(IGNORE_LISTS), read_ignore_list, 10),
}


@pytest.mark.parametrize("name", READERS)
def test_damaged_inputs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    reader = READERS[name]
    count = WHOLE if os.environ.get("IRSAN_PART") == "all" else reader.count
    seeds = reader.seeds(tmp_path)
    assert reader.read(seeds[0]) in (0, 66)  # what is compiled for the first input counts for none
    for content in mutants(seeds, count):
        with bounded():
            try:
                status = reader.read(content)
            except UsageError as error:
                status = error.exit_status
                assert str(error)
        shown = capfd.readouterr()
        assert status in (0, 2, 66, 69), (content, status, shown.err)
        assert "Traceback" not in shown.err and "internal error" not in shown.err
        if status in (2, 69) and shown.err:
            assert "irsan: error: " in shown.err


@contextmanager
def bounded() -> Iterator[None]:
    """An input may take so long, and make this process grow by so much."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    old = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LIMIT_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown << 10 < LIMIT_BYTES


def _too_long(_number: int, _frame: object) -> None:
    raise AssertionError(f"an input took more than {LIMIT_S} s")

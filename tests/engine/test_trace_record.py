"""Whole programs recorded: the trace says what the run has found, and what another run would.

Each process that writes a trace takes a second to start, so a tenth of the annotated programs is
recorded (`in_part`; IRSAN_PART=all: every one).
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.options import TraceRequest
from irsan.traces.analyze import Result, analyze_trace
from irsan.traces.site_names import places_of
from irsan.traces.trace_file import convert_trace
from tests.support.annotations import parse_program
from tests.support.irsan_runs import bundled_compiler, in_part, run_case

THREAD = frozenset(["thread"])
PROGRAMS = Path(__file__).parent.parent / "programs" / "race"
RACY = (
    "atomic_against_plain", "atomic_load_plain_write", "barrier", "counter_mutex",
    "double_checked", "fence_publication", "free_race",
    "heap_struct_field", "memcpy_race", "memset_race", "once", "own_lock_sync", "release_sequence",
    "relaxed_publication", "same_byte", "semaphore", "sizes_overlap", "thread_chain",
    "two_readers_one_writer", "unaligned",
)  # fmt: skip
CLEAN = (
    "array_neighbours_ok", "barrier_ok", "condition_variable_ok", "counter_mutex_ok", "dekker_ok",
    "fence_publication_ok", "free_race_ok", "heap_handover_ok", "heap_reuse_ok",
    "managed_finalizer_ok", "mutex_handover_ok", "once_ok", "pipe_handover_ok",
    "release_sequence_ok", "robust_mutex_ok", "rwlock_ok", "semaphore_ok", "sizes_overlap_ok",
    "stack_variable_ok", "thread_key_ok",
)  # fmt: skip
HEAD = """
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turn;
static volatile int shared, first_only, second_only, many[1 << 16];
static void *first(void *argument);
static void *second(void *argument);
int main(int n, char **words) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, words);
    pthread_create(&threads[1], 0, second, words);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return n;
}
"""
# The lock orders the two writes in this schedule; nothing in its sections needs that order.
PREDICTABLE = HEAD + """
static void *first(void *argument) {
    shared = 1;
    pthread_mutex_lock(&lock); first_only = 1; pthread_mutex_unlock(&lock);
    atomic_store_explicit(&turn, 1, memory_order_relaxed);
    return argument;
}
static void *second(void *argument) {
    while (!atomic_load_explicit(&turn, memory_order_relaxed)) {}
    pthread_mutex_lock(&lock); second_only = 1; pthread_mutex_unlock(&lock);
    shared = 2; // predicted
    return argument;
}
"""
REPEATING = HEAD + """
static void *first(void *argument) {
    for (int i = 0; i < 1000; i++) first_only += i;
    return argument;
}
static void *second(void *argument) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&lock); second_only++; pthread_mutex_unlock(&lock);
    }
    return argument;
}
"""
KILLED = HEAD + """
static void *first(void *argument) {
    for (int i = 0; i < 1 << 16; i++) many[i] = i;
    kill(getpid(), SIGKILL);
    return argument;
}
static void *second(void *argument) { return argument; }
"""
FORKING = HEAD + """
static void *first(void *argument) {
    first_only = 1;
    if (!fork()) { second_only = 1; _exit(5); }
    int status;
    wait(&status);
    shared = WEXITSTATUS(status);
    return argument;
}
static void *second(void *argument) { return argument; }
"""

Record = Callable[..., RunResult]


@pytest.fixture
def record(runner: BatchRunner, tmp_path: Path) -> Iterator[Record]:
    """Runs a program given as text and writes a trace of it in the test's folder."""

    def run(
        text: str, name: str = "t.std", *, every_access: bool = False, seed: int = 0
    ) -> RunResult:
        program = tmp_path / "p.c"
        program.write_text(text)
        request = TraceRequest(tmp_path / name, None, every_access)
        [result] = runner.run([program], [seed], sanitize=THREAD, trace=request)
        return result

    yield run


def lines_of(path: Path, result: Result) -> set[int]:
    """The source lines of an analysis's racy locations."""
    places = places_of(path, None)
    return {int(places[where].place.rsplit(":", 2)[1]) for where in result.racy_locations}


def analyse(path: Path, *names: str) -> dict[str, Result]:
    return {result.name: result for result in analyze_trace(path, names)}


def lines_told(result: RunResult) -> set[int]:
    """The lines of both sides of the data races that the run has reported."""
    stacks = [s for finding in result.findings for s in finding["stacks"]]
    sides = [s for s in stacks if s["role"] in ("access", "previous", "free")]
    return {frame["line"] for stack in sides for frame in stack["frames"][:2] if frame["line"]}


@pytest.mark.parametrize("name", in_part(RACY, 10))
def test_the_trace_of_a_racy_run_has_its_races(
    runner: BatchRunner, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "t.std"
    case = parse_program(PROGRAMS / f"{name}.c")
    [result] = run_case(runner, case, "-O1", [0], trace=TraceRequest(path), sanitize=THREAD)
    found = analyse(path, "hb", "fasttrack")
    for analysis in found.values():
        assert bool(analysis.racy_events) == bool(result.findings)
        assert lines_of(path, analysis) <= lines_told(result) or analysis.name == "hb"
        if result.findings:
            assert lines_of(path, analysis) & lines_told(result)


@pytest.mark.parametrize("name", in_part(CLEAN, 10))
def test_the_trace_of_a_clean_program_has_no_race(
    runner: BatchRunner, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "t.std"
    case = parse_program(PROGRAMS / f"{name}.c")
    for seed in (0, 1):
        [result] = run_case(runner, case, "-O1", [seed], trace=TraceRequest(path))
        assert result.findings == []
        found = analyse(path, "hb", "fasttrack", "shb")
        assert all(not analysis.racy_events for analysis in found.values())


def test_predictive_analyses_find_what_the_schedule_hid(record: Record, tmp_path: Path) -> None:
    result = record(PREDICTABLE)
    assert (result.exit_status, result.findings) == (1, [])
    found = analyse(tmp_path / "t.std", "hb", "wcp", "syncp")
    line = 1 + PREDICTABLE.splitlines().index("    shared = 2; // predicted")
    assert not found["hb"].racy_events
    for name in ("wcp", "syncp"):
        assert lines_of(tmp_path / "t.std", found[name]) == {line}


def test_a_seed_gives_the_same_bytes_in_both_forms(record: Record, tmp_path: Path) -> None:
    for name in ("a.std", "b.std", "a.irt", "b.irt", "c.std.gz"):
        record(REPEATING, name, seed=3)
    first = (tmp_path / "a.std").read_bytes()
    assert first == (tmp_path / "b.std").read_bytes()
    assert (tmp_path / "a.irt").read_bytes() == (tmp_path / "b.irt").read_bytes()
    for packed in ("a.irt", "c.std.gz"):
        middle, back = tmp_path / "middle.irt", tmp_path / "back.std"
        convert_trace(tmp_path / packed, middle, "binary", lambda _: None)
        convert_trace(middle, back, None, lambda _: None)
        assert back.read_bytes() == first
    assert (tmp_path / "a.std.sites").read_bytes() == (tmp_path / "a.irt.sites").read_bytes()
    record(REPEATING, "d.std", seed=4)
    assert (tmp_path / "d.std").read_bytes() != first


def test_repeated_accesses_are_left_out_unless_all_are_asked_for(
    record: Record, tmp_path: Path
) -> None:
    record(REPEATING, "few.std")
    record(REPEATING, "all.std", every_access=True)
    few, many = ((tmp_path / name).read_text() for name in ("few.std", "all.std"))
    assert 1.2 * len(few.splitlines()) < len(many.splitlines())
    for text in few, many:
        sections = text.split("|acq(")[1:]
        assert len(sections) == 100
        assert all("T2|w(" in section.partition("|rel(")[0] for section in sections)


def test_a_fork_of_the_program_is_not_recorded(record: Record, tmp_path: Path) -> None:
    result = record(FORKING)
    assert result.exit_status == 1
    text = (tmp_path / "t.std").read_text()
    places = places_of(tmp_path / "t.std", None)
    lines = {places[line.rpartition("|")[2]].place.rsplit(":", 2)[1] for line in text.splitlines()
             if line.rpartition("|")[2] in places}  # fmt: skip
    source = FORKING.splitlines()
    child = 1 + next(i for i, line in enumerate(source) if "_exit(5)" in line)
    after = 1 + next(i for i, line in enumerate(source) if "shared = WEXITSTATUS" in line)
    assert str(after) in lines
    written = [n for n, p in places.items() if p.place.rsplit(":", 2)[1] == str(child)]
    assert not any(f"|w({rest}" in text for rest in written)


def test_a_program_that_is_killed_leaves_the_beginning(record: Record, tmp_path: Path) -> None:
    record(KILLED)
    assert not (tmp_path / "t.std").exists()
    part = tmp_path / "t.std.part"
    wait_for(lambda: part.stat().st_size > 0)
    [result] = analyze_trace(part, ["hb"])
    assert result.events > 10_000


ENDLESS = HEAD + """
static void *first(void *argument) {
    for (unsigned i = 0;; i++) many[i & 65535] = i;
    return argument;
}
static void *second(void *argument) { return argument; }
"""


def test_an_interrupt_leaves_the_beginning_and_one_line(tmp_path: Path) -> None:
    """It mostly comes while a buffer is written, because the other process is slower."""
    (tmp_path / "p.c").write_text(ENDLESS)
    words = ["trace", "record", "--cc", bundled_compiler(), "--every-access", "-o", "t.irt", "p.c"]
    with subprocess.Popen(
        [sys.executable, "-m", "irsan", *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as run:
        part = tmp_path / "t.irt.part"
        wait_for(lambda: part.exists() and part.stat().st_size > 10_000)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=120)
    assert run.returncode in (74, -signal.SIGINT)
    threads = r"(irsan: ended by SIGINT from process \d+; its threads:\n(  .*\n)+)?"
    trace = r"irsan: (error: t\.irt: .* events of the trace|trace: .*)\n"
    assert re.fullmatch(threads + trace, errors)
    left = part if part.exists() else tmp_path / "t.irt"
    [result] = analyze_trace(left, ["hb"])
    assert result.events > 0
    assert result.racy_events == []


def wait_for(condition: Callable[[], bool]) -> None:
    import time

    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it never happened")


def irsan(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "irsan", *words],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.c").write_text(PREDICTABLE)
    return tmp_path


def test_the_command_as_a_whole(folder: Path) -> None:
    compiler = ("--cc", bundled_compiler())
    recorded = irsan("trace", "record", *compiler, "-o", "t.irt", "p.c", "-o", folder=folder)
    assert (recorded.returncode, recorded.stdout) == (2, "")  # two words, no race
    notice, told = recorded.stderr.splitlines()
    assert "-o comes after the program, so the program gets it" in notice
    assert re.fullmatch(r"irsan: trace: \d+ events in t\.irt", told)
    found = irsan("trace", "analyze", "t.irt", "--analysis", "hb,wcp", folder=folder)
    assert found.returncode == 66
    line = 1 + PREDICTABLE.splitlines().index("    shared = 2; // predicted")
    assert re.search(rf"location \d+: event \d+ in second \S*p\.c:{line}:", found.stdout)


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("-o", "no/t.std", "p.c"), 2, "no/t.std: No such file or directory"),
        (("-o", ".", "--format", "std", "p.c"), 2, ".: is a directory"),
        (("-o", "t.xyz", "p.c"), 2, "t.xyz: say the form of the trace with --format std or binary"),
        (("--format", "xml", "p.c"), 2, "--format: unknown 'xml'"),
        (("-o", "t.std", "q.c"), 2, "q.c"),
        (("--sanitize", "address", "p.c"), 2, "add thread to --sanitize"),
        (("-o", "/dev/full", "--format", "std", "p.c"), 74, "/dev/full: No space left on device"),
    ],
)
def test_what_cannot_be_recorded_is_said_in_one_line(
    folder: Path, words: tuple[str, ...], status: int, message: str
) -> None:
    answer = irsan("trace", "record", "--cc", bundled_compiler(), *words, folder=folder)
    [line] = answer.stderr.splitlines()
    assert line.startswith("irsan: error: ")
    assert message in line
    assert answer.returncode == status
    assert not list(folder.glob("t.*"))


def test_run_knows_nothing_of_traces(folder: Path) -> None:
    answer = irsan("run", "-o", "t.std", "p.c", folder=folder)
    assert answer.returncode == 2
    assert "options of irsan trace record" in answer.stderr

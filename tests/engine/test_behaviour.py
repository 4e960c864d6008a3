"""What programs expect of the system around them: processes, pipes, signals, sizes, streams.

Each program of `behaviour/` runs under `irsan run` with the default checks, and must say what it
says natively, without a finding.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "behaviour"
TIMEOUT_S = 300  # the first run of all builds the runtime


def irsan_words(program: Path, *arguments: str) -> list[str]:
    """The command that runs a program."""
    return [sys.executable, "-m", "irsan", "run", str(program), "--", *arguments]


def run_clean(program: Path, *arguments: str, stdin: bytes = b"") -> str:
    """Standard output of a program that must end with status 0 and no finding."""
    done = subprocess.run(
        irsan_words(program, *arguments), input=stdin, capture_output=True, timeout=TIMEOUT_S
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


def test_threads_talk_through_pipes_and_sockets() -> None:
    assert run_clean(PROGRAMS / "pipes.c") == "wrote 300000\nread 300000\nmessage 29\n"


def test_waits_with_a_timeout_end_and_waits_for_a_child_let_others_run() -> None:
    assert run_clean(PROGRAMS / "waits.c").splitlines() == [
        "select 0 0 1", "epoll 0", "epoll 1", "data 77", "child 1 5", "turns 100, no child: -1 1",
    ]  # fmt: skip


def test_fork_exec_popen_and_system() -> None:
    assert run_clean(PROGRAMS / "forks.c").splitlines() == [
        "child 1", "status 7", "another program", "through a pipe", "2 9",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("redirections", "expected"),
    [
        ("3>&1", "0 open 1 open 2 open"),
        ("3>&1 1>&-", "0 open 1 closed 2 open dup 1"),
        ("3>&1 0<&- 1>&- 2>&-", "0 closed 1 closed 2 closed dup 0 dup 1 dup 2"),
    ],
)
def test_closed_descriptors_are_closed_for_the_program(redirections: str, expected: str) -> None:
    words = ["sh", "-c", f'exec "$@" {redirections}', "sh"]
    words += irsan_words(PROGRAMS / "closed_streams.c")
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S)
    assert (done.returncode, done.stdout.decode().split()) == (0, expected.split())


def test_a_child_reports_for_itself(tmp_path: Path) -> None:
    program = PROGRAMS / "child_bug.c"
    report = tmp_path / "report.json"
    words = irsan_words(program)
    words[4:4] = ["--report-path", str(report)]
    done = subprocess.run(words, capture_output=True, timeout=TIMEOUT_S)
    assert done.returncode == 0
    assert b"heap-use-after-free" in done.stderr
    assert '"findings": []' in report.read_text() or '"findings":[]' in report.read_text()
    [of_child] = tmp_path.glob("report.json.*")
    assert "heap-use-after-free" in of_child.read_text()


@pytest.mark.parametrize(("program", "told"), [("child_bug.c", True), ("child_clean.c", False)])
def test_a_child_without_a_file_of_its_own_tells_what_it_finds(program: str, told: bool) -> None:
    words = irsan_words(PROGRAMS / program)
    words[4:4] = ["--report-format", "json", "--report-path", "/dev/stdout"]
    done = subprocess.run(words, capture_output=True, timeout=TIMEOUT_S)
    assert done.stdout.count(b'"findings"') == 1
    assert (b"follows here" in done.stderr) == told
    assert not list(Path("/dev").glob("stdout.*"))


def test_big_globals_big_frames_deep_calls_a_thousand_threads() -> None:
    assert run_clean(PROGRAMS / "sizes.c").splitlines() == ["25600 2 -13800", "2497500"]


def test_dlopen_and_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IRSAN_TEST_GIVEN", "given")
    assert run_clean(PROGRAMS / "library.c").splitlines() == [
        "0.877583", "4 1", "1 value", "value more", "1 given",
    ]  # fmt: skip


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_thread_locals_of_opened_libraries(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs a native compiler")
    words = ["gcc", "-shared", "-fPIC", "-o", "libcounter.so", str(PROGRAMS / "counter.c")]
    subprocess.run(words, cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    words = [sys.executable, "-m", "irsan", "run", "--engine", engine]
    done = subprocess.run(
        [*words, str(PROGRAMS / "opened_tls.cpp")], capture_output=True, text=True,
        timeout=TIMEOUT_S,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "11 11 12 11 12 11 12 11 12\n11 11\n"


def test_stdin_is_read_line_by_line_as_it_comes() -> None:
    words = irsan_words(PROGRAMS / "streams.c")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for name in (b"ann\n", b"bob\n"):
            process.stdin.write(name)
            process.stdin.flush()
            assert process.stdout.readline().endswith(b"hello " + name)
        process.stdin.close()
        assert process.wait(TIMEOUT_S) == 0


def test_a_hundred_megabytes_of_output() -> None:
    program = PROGRAMS / "streams.c"
    assert len(run_clean(program, "much", stdin=b"end\n")) == len("name? ") + 100_000_000


def test_a_reader_that_goes_away_ends_the_program() -> None:
    program = PROGRAMS / "streams.c"
    command = " ".join(irsan_words(program, "much")) + " < /dev/null | head -c 10; exit $?"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=TIMEOUT_S)
    assert (done.stdout, done.stderr) == (b"name? xxxx", b"")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
@pytest.mark.parametrize("words", ["s", "r"], ids=["while it computes", "while it reads"])
def test_a_signal_from_outside_ends_the_program(name: str, words: str) -> None:
    number = signal.Signals[name]
    status, _, errors = end_by_signal(PROGRAMS / "endless.c", words, number)
    assert status == -number
    head = f"irsan: ended by {name} from process {os.getpid()}; its threads:"
    told = rf"{head}\n.*endless\.c:\d+:\d+\n"
    assert re.fullmatch(told, errors)


def test_reports_are_written_when_a_signal_ends_the_program(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    program = PROGRAMS / "endless.c"
    environment = {"ASAN_OPTIONS": "halt_on_error=0"}
    status, _, errors = end_by_signal(program, "bs", signal.SIGTERM, report, environment)
    assert status == 66
    assert "heap-use-after-free" in errors
    assert "heap-use-after-free" in report.read_text()


def end_by_signal(
    program: Path,
    words: str,
    number: int,
    report: Path | None = None,
    environment: dict[str, str] | None = None,
) -> tuple[int, str, str]:
    """Send a signal once the program says that it is ready; its status, output and errors."""
    command = irsan_words(program, words)
    if report is not None:
        command[4:4] = ["--report-path", str(report), "--report-format", "json"]
        command[4:4] = ["--report-format", "text"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    assert process.stdout
    while process.stdout.readline() != b"ready\n":
        assert process.poll() is None
    time.sleep(0.2)
    process.send_signal(number)
    output, errors = process.communicate(timeout=TIMEOUT_S)
    return process.returncode, output.decode(), errors.decode()


def test_a_program_that_does_not_fit_is_refused_in_words() -> None:
    words = irsan_words(PROGRAMS / "too_big.c")
    done = subprocess.run(words, capture_output=True, timeout=TIMEOUT_S)
    assert done.returncode == 69
    assert b"does not fit" in done.stderr and b"Traceback" not in done.stderr

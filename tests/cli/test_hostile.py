"""Bad input and bad surroundings end in one line and a status, never in a traceback."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from irsan.__main__ import main
from irsan.reports.formats.json_report import json_to_report
from tests.support.irsan_runs import bundled_compiler

GARBAGE = bytes(range(256)) * 8
HELLO = '#include <stdio.h>\nint main(void) { puts("hello"); return 5; }\n'
BAD_READ = """
#include <stdlib.h>
int main(void) { volatile char *p = malloc(4); return p[5]; }
"""
ECHO = """
#include <stdio.h>
int main(int argc, char **argv) {
    for (char *p = argv[1]; *p; p++) printf("%02x", (unsigned char)*p);
    printf(" %d", argc);
}
"""
FILES: dict[str, bytes] = {
    "garbage.c": GARBAGE,
    "garbage.ll": GARBAGE,
    "garbage.bc": GARBAGE,
    "magic.bc": b"BC\xc0\xde" + GARBAGE,
    "wrapper.bc": b"\xde\xc0\x17\x0b" + GARBAGE,
    "empty.c": b"",
    "empty.ll": b"",
    "empty.bc": b"",
    "zeros.bc": bytes(100),
    "half.c": b"int main(void) { return 0 ",
    "half.ll": b"define i32 @main() {\n  ret i32 %x\n}\n",
    "other.ll": b'target triple = "aarch64-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n',
    "suffix.txt": b"int main(void) { return 0; }",
}
UNSUPPORTED = {"other.ll"}
JSON_FILES = (b"", b"{}", b"[]", b"null", GARBAGE, b"[" * 100_000, b'{"schema": "irsan-report/1"}')


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.c").mkdir()
    (tmp_path / "loop.c").symlink_to("loop.c")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRSAN_CC", bundled_compiler())


def command(*words: str | bytes) -> list[str | bytes]:
    return [sys.executable, "-m", "irsan", *words]


def run(*words: str | bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A whole process."""
    root = str(Path(__file__).resolve().parents[2])
    return subprocess.run(
        command(*words),
        env={**os.environ, "PYTHONPATH": root, **environment},
        capture_output=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    "words", [["run"], ["instrument", "-o", "out.ll"], ["dump-ir"], ["dump-bitstream"]]
)
@pytest.mark.parametrize("name", [*FILES, "folder.c", "loop.c", "missing.c"])
def test_what_is_no_program(
    words: Sequence[str], name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    status = main([*words, name])
    shown = capfd.readouterr()
    assert status == (69 if name in UNSUPPORTED else 2)
    assert "irsan: error: " in shown.err and "Traceback" not in shown.err
    assert name in shown.err or "bitcode" in shown.err
    assert shown.out == ""


@pytest.mark.parametrize("content", JSON_FILES)
def test_what_is_no_report(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report.json").write_bytes(content)
    assert main(["report", "convert", "report.json"]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("irsan: error: report.json: ") and shown.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ("run --cc /nowhere/clang good.c", 2, "no such command"),
        ("run --cc '\"' good.c", 2, "No closing quotation"),
        ("run --cc /bin/true good.c", 2, "not a clang or zig"),
        ("run --cflag -nosuchflag good.c", 2, "does not compile"),
        ("run --std c99999 good.c", 2, "does not compile"),
        ("run --sanitize , good.c", 2, "names none of"),
        ("run --report-format csv good.c", 2, "unknown 'csv'"),
        ("run --report-path report.dat good.c", 2, "say its form"),
        ("run -Wall good.c", 2, "written --cflag=-Wall"),
        ("run -fno-inline good.c", 2, "written --cflag=-fno-inline"),
        ("run -g good.c", 2, "leave it out"),
        ("run -L/opt -lnot_there good.c", 2, "no libnot_there.so or libnot_there.a in /opt"),
        ("run --nonsense good.c", 2, "No such option"),
        ("run good.c not_there.a -- word", 2, "write -- before it"),
        ("run --sanitize everything good.c", 2, "known: address"),
        ("instrument good.c -o /dev/full", 2, "cannot be written"),
        ("instrument good.c -o nowhere/out.ll", 2, "cannot be written"),
        ("instrument good.c -o .", 2, "cannot be written"),
    ],
)
def test_bad_options(
    words: str, status: int, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.c").write_text(HELLO)
    assert main(shlex.split(words)) == status
    shown = capfd.readouterr().err
    assert "irsan: error: " in shown and message in shown and "Traceback" not in shown


@pytest.mark.parametrize(
    ("programs", "status", "message"),
    [
        ({"a.c": "int f(void) { return 1; }"}, 2, "no function `main`"),
        ({"a.c": "int nosuch(void); int main(void) { return nosuch(); }"}, 69, "nosuch"),
        ({"a.c": "int main(void) { return 0; }", "b.c": "int main(void) { return 0; }"}, 69,
         "main is defined twice"),
    ],
)  # fmt: skip
def test_what_does_not_link(
    programs: dict[str, str], status: int, message: str, tmp_path: Path
) -> None:
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
    answer = run("run", *programs)
    assert answer.returncode == status
    assert message.encode() in answer.stderr and answer.stderr.count(b"\n") == 1


def test_names_and_arguments_that_are_no_utf8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff\xfe.c")).write_text(ECHO)
    answer = run("run", b"\xff\xfe.c", b"\xe9\xff")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"e9ff 2", b"")


def test_a_report_of_a_program_whose_name_is_no_utf8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.c")).write_text(BAD_READ)
    answer = run("run", "--report-path", "report.json", b"\xff.c")
    assert answer.returncode == 66
    assert b"\xff.c:3:" in answer.stderr or b"\\udcff.c:3:" in answer.stderr
    text = (tmp_path / "report.json").read_text()
    assert json.loads(text)["program"] == "\udcff.c"
    assert json_to_report(text).findings[0].kind == "heap-buffer-overflow"


def test_an_ascii_world(tmp_path: Path) -> None:
    (tmp_path / "ä.c").write_text(BAD_READ)
    environment = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    answer = run("run", "ä.c".encode(), **environment)
    assert answer.returncode == 66 and b"Traceback" not in answer.stderr
    assert main(["dump-ir", "ä.c"]) == 0


def test_many_long_arguments(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(int argc, char **argv) { return argc; }")
    assert run("run", "a.c", *["x" * 100_000] * 15).returncode == 16


@pytest.mark.parametrize("closed", ["0", "1", "2"])
def test_a_closed_stream_hides_nothing_else(tmp_path: Path, closed: str) -> None:
    (tmp_path / "bad.c").write_text(BAD_READ)
    (tmp_path / "good.c").write_text(HELLO)
    redirected = "<&-" if closed == "0" else f"{closed}>&-"
    for program, status in (("bad.c", 66), ("good.c", 5)):
        line = f"{shlex.join(map(str, command('run', program)))} {redirected}"
        root = str(Path(__file__).resolve().parents[2])
        answer = subprocess.run(
            line,
            shell=True,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": root},
            timeout=60,
        )
        assert answer.returncode == status
        assert b"Traceback" not in answer.stderr
        assert b"hello" in answer.stdout or program == "bad.c" or closed == "1"
        assert b"heap-buffer-overflow" in answer.stderr or program == "good.c" or closed == "2"


def test_full_streams(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text(BAD_READ)
    with Path("/dev/full").open("wb") as full:
        answer = subprocess.run(
            command("--version"), stdout=full, stderr=subprocess.PIPE, timeout=60
        )
        assert answer.returncode == 74
        assert answer.stderr == (
            b"irsan: error: the output cannot be written: No space left on device\n"
        )
        lost = subprocess.run(command("run", "bad.c"), stderr=full, timeout=60)
        assert lost.returncode == 66
        log = {**os.environ, "ASAN_OPTIONS": "log_path=stdout"}
        moved = subprocess.run(
            command("run", "bad.c"), stdout=full, stderr=subprocess.PIPE, env=log, timeout=60
        )
        assert moved.returncode == 66
        assert b"cannot write reports to stdout" in moved.stderr
        assert b"heap-buffer-overflow" in moved.stderr


@pytest.mark.parametrize("place", ["nowhere/report.json", "folder.json"])
def test_a_report_that_could_not_be_written_is_refused_before_the_run(
    tmp_path: Path, place: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.c").write_text(BAD_READ)
    (tmp_path / "folder.json").mkdir()
    assert main(["run", "--report-path", place, "bad.c"]) == 74
    shown = capfd.readouterr()
    assert shown.err.startswith(f"irsan: error: the report {place} cannot be written: ")
    assert shown.err.count("\n") == 1 and shown.out == ""


def test_a_report_file_that_is_full_is_printed(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text(BAD_READ)
    (tmp_path / "report.json").symlink_to("/dev/full")
    answer = run("run", "--report-path", "report.json", "bad.c")
    assert answer.returncode == 66
    assert b"irsan: error: cannot write the report to report.json" in answer.stderr
    assert b'"schema": "irsan-report/1"' in answer.stderr


@pytest.mark.parametrize("shift", ["abc", "-1", "16", "9" * 30, "²"])
def test_a_layout_that_does_not_exist(tmp_path: Path, shift: str) -> None:
    (tmp_path / "good.c").write_text(HELLO)
    answer = run("run", "good.c", IRSAN_LAYOUT_SHIFT=shift)
    assert answer.returncode == 2
    assert b"expected a number from 0 to 15" in answer.stderr and answer.stderr.count(b"\n") == 1


def test_a_compiler_by_a_relative_path(tmp_path: Path) -> None:
    (tmp_path / "good.cpp").write_text("#include <string>\nint main() { return 5; }\n")
    interpreter = os.path.relpath(sys.executable, tmp_path)
    assert "/" in interpreter
    answer = run("run", "--cc", f"{interpreter} -m ziglang", "good.cpp")
    assert (answer.returncode, answer.stderr) == (5, b"")


def test_what_is_no_regular_file_is_not_waited_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.c")
    assert main(["run", "pipe.c"]) == 2
    assert main(["run", "x" * 300 + ".c"]) == 2
    shown = capfd.readouterr().err
    assert "pipe.c: is no regular file" in shown and "File name too long" in shown
    assert shown.count("\n") == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "secret.c").write_text(HELLO)
    (tmp_path / "secret.c").chmod(0)
    assert main(["run", "secret.c"]) == 2
    assert "secret.c: cannot be read: Permission denied" in capfd.readouterr().err


def test_programs_are_looked_at_before_anything_is_imported() -> None:
    code = "import sys; from irsan.__main__ import main; main(['run', 'missing.c'])"
    checked = f"{code}; sys.exit('numpy' in sys.modules or 'llvmlite' in sys.modules)"
    root = str(Path(__file__).resolve().parents[2])
    answer = subprocess.run(
        [sys.executable, "-c", checked],
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        timeout=60,
    )
    assert answer.returncode == 0 and answer.stderr == b"irsan: error: missing.c: no such file\n"


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "good.c").write_text(HELLO)
    (tmp_path / "inner").mkdir()
    root = str(Path(__file__).resolve().parents[2])
    line = f"cd inner && rmdir ../inner && {shlex.join(map(str, command('run', '../good.c')))}"
    answer = subprocess.run(
        line, shell=True, capture_output=True, env={**os.environ, "PYTHONPATH": root}, timeout=60
    )
    assert answer.returncode == 2
    assert answer.stderr.startswith(b"irsan: error: the current folder does not exist")


@pytest.mark.parametrize(
    ("words", "environment", "status", "messages"),
    [
        ("", {"ASAN_OPTIONS": "nosuch=1:detect_leaks=zzz"}, 5, [b"'nosuch'", b"detect_leaks=zzz"]),
        ("", {"ASAN_OPTIONS": "::==:'"}, 5, [b"cannot read"]),
        ("", {"IRSAN_OPTIONS": "seed=abc"}, 5, [b"seed=abc"]),
        ("--seed abc", {}, 2, [b"--seed"]),
        ("--seed -5", {}, 2, [b"--seed"]),
        (f"--seed {'9' * 30}", {}, 2, [b"--seed"]),
        ("", {"TSAN_OPTIONS": "suppressions=broken"}, 2, [b"broken:2: expected TYPE:TEMPLATE"]),
        ("", {"TSAN_OPTIONS": "suppressions=garbage.c"}, 2, [b"failed to read suppressions file"]),
        ("", {"TSAN_OPTIONS": "suppressions=folder.c"}, 2, [b"failed to read suppressions file"]),
        ("", {"TMPDIR": "/proc/nope"}, 5, []),
    ],
)
def test_bad_surroundings(
    words: str, environment: dict[str, str], status: int, messages: list[bytes], tmp_path: Path
) -> None:
    (tmp_path / "good.c").write_text(HELLO)
    (tmp_path / "broken").write_text("race:fine\n no colon\n")
    answer = run("run", *shlex.split(words), "good.c", **environment)
    assert answer.returncode == status, answer.stderr
    assert all(message in answer.stderr for message in messages)
    assert b"Traceback" not in answer.stderr and answer.stderr.count(b"\n") == len(messages)


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    """As on a full disk: the cache is given up with a notice, and the program runs."""
    data = "".join(f"\\{number % 251:02x}" for number in range(100_000))
    (tmp_path / "big.ll").write_text(
        f'@data = global [100000 x i8] c"{data}"\n'
        "define i32 @main() {\n"
        "  %place = getelementptr i8, ptr @data, i64 5\n"
        "  %byte = load i8, ptr %place\n"
        "  %status = zext i8 %byte to i32\n"
        "  ret i32 %status\n"
        "}\n"
    )
    limited = f"ulimit -f 20; exec {shlex.join(map(str, command('run', 'big.ll')))}"
    root = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": root}
    answer = subprocess.run(
        ["bash", "-c", limited], capture_output=True, env=environment, timeout=100
    )
    assert answer.returncode == 5
    assert b"File too large" in answer.stderr and answer.stderr.count(b"\n") == 1


def test_runs_side_by_side_share_a_cache(tmp_path: Path) -> None:
    """All find the compilation missing, all store it, and all end as one alone would."""
    (tmp_path / "fresh.c").write_text(HELLO + f"/* {tmp_path} */\n")
    root = str(Path(__file__).resolve().parents[2])
    runs = [
        subprocess.Popen(
            command("run", "fresh.c"),
            env={**os.environ, "PYTHONPATH": root},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    answers = [(*each.communicate(timeout=300), each.returncode) for each in runs]
    assert answers == [(b"hello\n", b"", 5)] * 3


SPINS = """
#include <stdio.h>
int main(void) { puts("up"); fflush(stdout); for (volatile long turn = 0;; turn++) {} }
"""
SLOW_COMPILER = """#!/bin/sh
case "$*" in *--version*) echo "clang version 14.0.0"; exit 0 ;; esac
: > started
exec sleep 60
"""


def interrupted(words: Sequence[str], is_up: Callable[[subprocess.Popen[bytes]], object],
                number: signal.Signals) -> tuple[int, bytes]:  # fmt: skip
    """Status and standard error of a run that gets a signal once `is_up` has returned."""
    root = str(Path(__file__).resolve().parents[2])
    process = subprocess.Popen(
        command("run", *words),
        env={**os.environ, "PYTHONPATH": root},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    is_up(process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_guest_as_it_does_natively(
    tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "spins.c").write_text(SPINS)
    status, errors = interrupted(
        ["spins.c"], lambda run: run.stdout and run.stdout.readline(), number
    )
    told = rb"irsan: ended by SIG\w+ from process \d+; its threads:\n.*spins\.c:\d+:\d+\n"
    assert status == -number
    assert re.fullmatch(told, errors)


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_a_signal_ends_a_compilation(tmp_path: Path, number: signal.Signals, status: int) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text(SLOW_COMPILER)
    compiler.chmod(0o755)
    (tmp_path / "good.c").write_text(HELLO)

    def is_compiling(_run: object) -> None:
        until = time.monotonic() + 60
        while not (tmp_path / "started").exists() and time.monotonic() < until:
            time.sleep(0.01)

    assert interrupted(["--cc", "./compiler", "good.c"], is_compiling, number) == (status, b"")

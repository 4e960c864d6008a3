"""Bad input and bad surroundings end in one line and a status, never in a traceback."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from irsan.__main__ import main
from irsan.reports.json_report import json_to_report
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


def test_a_report_file_that_cannot_be_written_is_printed(tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text(BAD_READ)
    answer = run("run", "--report-path", "nowhere/report.json", "bad.c")
    assert answer.returncode == 66
    assert b"irsan: error: cannot write the report to nowhere/report.json" in answer.stderr
    assert b'"schema": "irsan-report/1"' in answer.stderr


@pytest.mark.parametrize("shift", ["abc", "-1", "16", "9" * 30, "²"])
def test_a_layout_that_does_not_exist(tmp_path: Path, shift: str) -> None:
    (tmp_path / "good.c").write_text(HELLO)
    answer = run("run", "good.c", IRSAN_LAYOUT_SHIFT=shift)
    assert answer.returncode == 2
    assert b"expected a number from 0 to 15" in answer.stderr and answer.stderr.count(b"\n") == 1

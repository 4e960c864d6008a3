"""What each flag changes in a run: one small program with findings, flags in the environment."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.commands.batch import RunResult
from irsan.engine.findings.host_events import refusal_notice
from irsan.reports.model.kinds import KINDS
from irsan.reports.text.style import TextStyle
from irsan.runtime.flags.flag_table import FLAGS
from tests.meta.house import source_files
from tests.support.text_runs import TextRuns

TWO_ERRORS = """
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) int *make(int depth) {
    if (depth) { int *made = make(depth - 1); *(volatile int *)made = depth; return made; }
    return malloc(40);
}
static __attribute__((noinline)) int use(volatile int *p, int i) { return p[i]; }
int main(int argc, char **argv) {
    volatile int *p = make(5);
    use(p, 10);
    for (int i = 0; i < 3; i++) use(p, 12);
    free((void *)p);
    puts("end");
    return 3;
}
"""
TWO_RACES = """
#include <pthread.h>
#include <stdio.h>
static volatile int first, second;
static void *work(void *argument) { first = 1; second = 1; return argument; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    first = 2; second = 2;
    pthread_join(thread, 0);
    puts("end");
    return 4;
}
"""
SAME_RACE = """
#include <pthread.h>
static volatile int values[4];
static void *work(void *argument) { for (int i = 0; i < 4; i++) values[i] = 1; return argument; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (int i = 0; i < 4; i++) values[i] = 2;
    return pthread_join(thread, 0);
}
"""
ADDRESSES = """
#include <stdio.h>
#include <stdlib.h>
#define APART(n) { char *a = malloc(n), *b = malloc(n); printf("%ld ", labs(b - a)); }
int main(void) {
    APART(16) APART(20000)
    volatile unsigned char *volatile p = malloc(100);
    unsigned char fill = p[7];
    unsigned long before = (unsigned long)p;
    free((void *)p);
    int again = 0;
    for (int i = 0; i < 64; i++) { p = malloc(100); again |= (unsigned long)p == before; }
    printf("%02x %d\\n", fill, again);
    return 0;
}
"""
FAILS = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    volatile size_t huge = (size_t)1 << 41;
    void *volatile p = malloc(huge);
    printf("%d\\n", p == 0);
    void *volatile q = malloc(3 << 20);
    printf("%d\\n", q == 0);
    return 0;
}
"""
FREED_WRONGLY = """
#include <stdlib.h>
void operator_delete(void *) __asm__("_ZdlPv");
int main(void) { operator_delete(malloc(4)); return 0; }
"""
PRINTS_FREED = """
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *volatile p = calloc(1, 9); free(p); printf("%s!\\n", p); return 0; }
"""
CONTROLS = """
#include <stdlib.h>
#include <sys/ioctl.h>
int main(void) { char *volatile p = malloc(3); ioctl(0, FIONBIO, p); free(p); return 0; }
"""
CRASH = "int main(int argc, char **argv) { *(volatile int *)(long)(argc * 8) = 1; return 0; }"

Run = Callable[..., RunResult]


@pytest.fixture
def run(text_runs: TextRuns) -> Run:
    """Run a program's text under some flags: `run(TEXT, ASAN_OPTIONS="...")`."""
    return lambda text, **flags: text_runs(text, environment=flags, sanitize="address,thread")


def kinds(result: RunResult) -> list[str]:
    return [finding["kind"] for finding in result.findings]


def stack(finding: Mapping[str, Any], role: str) -> list[dict[str, Any]]:
    (found,) = [stack["frames"] for stack in finding["stacks"] if stack["role"] == role]
    return list(found)


GO_ON = "halt_on_error=0"


# -- how a run ends ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "is_stopped", "n_findings"),
    [("", True, 1), ("halt_on_error=1", True, 1), (GO_ON, False, 2)],
)
def test_asan_halts_on_the_first_error_unless_told(
    run: Run, options: str, is_stopped: bool, n_findings: int
) -> None:
    result = run(TWO_ERRORS, ASAN_OPTIONS=options)
    assert result.exit_status == 66
    assert (result.stdout == b"") == is_stopped
    assert kinds(result) == ["heap-buffer-overflow"] * n_findings
    assert ("ABORTING" in result.stderr) == is_stopped


@pytest.mark.parametrize(
    ("options", "is_stopped", "n_findings"),
    [("", False, 2), ("halt_on_error=0", False, 2), ("halt_on_error=1", True, 1)],
)
def test_tsan_goes_on_unless_told(
    run: Run, options: str, is_stopped: bool, n_findings: int
) -> None:
    result = run(TWO_RACES, TSAN_OPTIONS=options)
    assert result.exit_status == 66
    assert (result.stdout == b"") == is_stopped
    assert kinds(result) == ["data race"] * n_findings


@pytest.mark.parametrize(
    ("program", "environment", "status"),
    [
        (TWO_ERRORS, {}, 66),
        (TWO_ERRORS, {"ASAN_OPTIONS": "exitcode=7"}, 7),
        (TWO_ERRORS, {"TSAN_OPTIONS": "exitcode=8"}, 66),
        (TWO_ERRORS, {"IRSAN_OPTIONS": "exitcode=9"}, 9),
        (TWO_ERRORS, {"ASAN_OPTIONS": f"{GO_ON}:exitcode=0"}, 3),
        (TWO_RACES, {"TSAN_OPTIONS": "exitcode=8"}, 8),
        (TWO_RACES, {"ASAN_OPTIONS": "exitcode=7"}, 66),
        (TWO_RACES, {"IRSAN_OPTIONS": "exitcode=9"}, 9),
        (TWO_RACES, {"TSAN_OPTIONS": "exitcode=0"}, 4),
    ],
)
def test_each_tool_has_its_exit_code(
    run: Run, program: str, environment: dict[str, str], status: int
) -> None:
    assert run(program, **environment).exit_status == status


def test_signals_become_reports_or_stay_signals(run: Run) -> None:
    reported = run(CRASH)
    assert (reported.exit_status, kinds(reported)) == (66, ["SEGV"])
    plain = run(CRASH, ASAN_OPTIONS="handle_segv=0")
    assert (plain.exit_status, plain.stderr) == (139, "")


def test_abort_on_error_ends_by_a_signal(run: Run) -> None:
    result = run(TWO_ERRORS, ASAN_OPTIONS="abort_on_error=1")
    assert result.exit_status == 134
    assert result.report is not None and result.report["exit_status"] == 134
    going_on = run(TWO_ERRORS, ASAN_OPTIONS=f"abort_on_error=1:{GO_ON}")
    assert going_on.exit_status == 66


# -- what is found -------------------------------------------------------------------------------


def test_equal_stacks_are_reported_once(run: Run) -> None:
    assert len(run(TWO_ERRORS, ASAN_OPTIONS=GO_ON).findings) == 2
    assert len(run(TWO_ERRORS, ASAN_OPTIONS=f"{GO_ON}:suppress_equal_pcs=0").findings) == 4
    assert len(run(SAME_RACE).findings) == 1
    assert len(run(SAME_RACE, TSAN_OPTIONS="suppress_equal_stacks=0").findings) > 1


def test_races_are_suppressed_by_function_and_by_global(run: Run, tmp_path: Path) -> None:
    for text, n_left in (("race:work\n", 0), ("race:^first$\n", 1), ("race:nobody\n", 2)):
        (tmp_path / "list").write_text("# known\n" + text)
        result = run(TWO_RACES, TSAN_OPTIONS=f"suppressions={tmp_path / 'list'}")
        assert len(result.findings) == n_left
        assert result.exit_status == (66 if n_left else 4)
        assert result.report is not None
        assert len(result.report["suppressed"]) == (1 if n_left < 2 else 0)


def test_used_suppressions_are_listed_when_asked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("race:work\n")
    options = f"suppressions={tmp_path / 'list'}"
    assert run(TWO_RACES, TSAN_OPTIONS=options).stderr == ""
    asked = run(TWO_RACES, TSAN_OPTIONS=f"{options}:print_suppressions=1")
    assert "race:work" in asked.stderr and "2" in asked.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "failed to read suppressions file"),
        (b"no colon", "expected TYPE:TEMPLATE"),
        (None, "failed to read suppressions file"),
    ],
)
def test_a_bad_list_of_suppressions_is_refused(
    run: Run, tmp_path: Path, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / "list").write_bytes(content)
    result = run(TWO_RACES, TSAN_OPTIONS=f"suppressions={tmp_path / 'list'}")
    assert result.exit_status == 2
    assert message in result.stderr and result.stderr.count("\n") == 1


def test_races_can_be_looked_for_in_silence(run: Run) -> None:
    result = run(TWO_RACES, TSAN_OPTIONS="report_bugs=0")
    assert (result.findings, result.stderr, result.exit_status) == ([], "", 4)


def test_refused_blocks_of_a_plain_heap_are_told_to_nobody() -> None:
    assert refusal_notice(frozenset(["gwp-asan"]), 16) == ""
    assert "LeakSanitizer failed to allocate 0x11 bytes" in refusal_notice(frozenset(["leak"]), 17)


def test_printf_is_checked_whatever_becomes_of_strings(run: Run) -> None:
    assert kinds(run(PRINTS_FREED, ASAN_OPTIONS="replace_str=0")) == ["heap-use-after-free"]
    assert kinds(run(PRINTS_FREED, ASAN_OPTIONS="check_printf=0")) == []


def test_ioctl_is_checked_when_asked(run: Run) -> None:
    assert kinds(run(CONTROLS)) == []
    assert kinds(run(CONTROLS, ASAN_OPTIONS="handle_ioctl=1")) == ["heap-buffer-overflow"]


def test_mismatched_frees_are_reported_unless_told(run: Run) -> None:
    assert kinds(run(FREED_WRONGLY)) == ["alloc-dealloc-mismatch"]
    assert run(FREED_WRONGLY, ASAN_OPTIONS="alloc_dealloc_mismatch=0").findings == []


def test_too_large_allocations_fail_or_are_reported(run: Run) -> None:
    assert kinds(run(FAILS)) == ["allocation-size-too-big"]
    quiet = run(FAILS, ASAN_OPTIONS="allocator_may_return_null=1")
    assert quiet.stdout == b"1\n0\n"
    told = re.findall(r"^==\d+==WARNING: (.*)$", quiet.stderr, re.MULTILINE)
    assert told == ["AddressSanitizer failed to allocate 0x20000000000 bytes"]
    options = "allocator_may_return_null=1:max_allocation_size_mb=2"
    assert run(FAILS, ASAN_OPTIONS=options).stdout == b"1\n1\n"


# -- where blocks lie ----------------------------------------------------------------------------


def addresses(run: Run, options: str = "") -> tuple[int, int, str, bool]:
    """Bytes between two small and two big blocks, the fill byte, whether a block came back."""
    words = run(ADDRESSES, ASAN_OPTIONS=options).stdout.decode().split()
    return int(words[0]), int(words[1]), words[2], words[3] == "1"


def test_redzones_lie_between_blocks(run: Run) -> None:
    small, big, *_ = addresses(run)
    assert small == 32 and big > 20000 + 1024
    assert addresses(run, "redzone=128")[0] >= 16 + 128
    assert addresses(run, "redzone=7")[0] == small
    assert addresses(run, "max_redzone=64")[1] < big


def test_blocks_come_back_when_the_quarantine_is_over(run: Run) -> None:
    assert not addresses(run)[3]
    assert addresses(run, "quarantine_size_mb=0")[3]
    assert addresses(run, "quarantine_size=0")[3]


def test_new_blocks_are_filled(run: Run) -> None:
    assert addresses(run)[2] == "be"
    assert addresses(run, "malloc_fill_byte=0x3a")[2] == "3a"
    assert addresses(run, "max_malloc_fill_size=0")[2] == "00"


def test_heap_stacks_have_as_many_frames_as_asked(run: Run) -> None:
    def n_frames(options: str) -> int:
        (finding,) = run(TWO_ERRORS, ASAN_OPTIONS=options).findings
        return len(stack(finding, "allocation"))

    assert n_frames("") == 8  # malloc, make six times, main
    assert [n_frames(f"malloc_context_size={n}") for n in (1, 3)] == [1, 3]


# -- how it is printed ---------------------------------------------------------------------------


def test_the_summary_can_be_left_out(run: Run) -> None:
    assert "SUMMARY: AddressSanitizer" in run(TWO_ERRORS).stderr
    assert "SUMMARY" not in run(TWO_ERRORS, ASAN_OPTIONS="print_summary=0").stderr
    assert "SUMMARY" not in run(TWO_RACES, TSAN_OPTIONS="print_summary=0").stderr


def test_frames_can_stay_without_names(run: Run) -> None:
    plain = run(TWO_ERRORS, ASAN_OPTIONS="symbolize=0")
    assert " in use" in run(TWO_ERRORS).stderr
    assert " in use" not in plain.stderr
    assert re.search(r"#0 0x[0-9a-f]+ +\(.*\+0x[0-9a-f]+\)", plain.stderr)
    (finding,) = plain.findings
    assert stack(finding, "access")[0]["function"] == "use"


def test_paths_lose_the_prefix(run: Run) -> None:
    (finding,) = run(TWO_ERRORS).findings
    file = Path(stack(finding, "access")[0]["file"])
    cut = run(TWO_ERRORS, ASAN_OPTIONS=f"strip_path_prefix={file.parent}/")
    assert f" {file.name}:" in cut.stderr
    assert f"{file.parent}/{file.name}:" not in cut.stderr


def test_frames_have_the_form_that_is_asked_for(run: Run) -> None:
    result = run(TWO_ERRORS, ASAN_OPTIONS='stack_trace_format="<%n|%f|%l>"')
    assert re.search(r"^<0\|use\|8>$", result.stderr, re.MULTILINE)
    races = run(TWO_RACES, TSAN_OPTIONS='stack_trace_format="[%f]"')
    assert re.search(r"^\[work\]$", races.stderr, re.MULTILINE)


def test_colour_is_for_terminals_or_when_asked(run: Run) -> None:
    assert "\x1b[" not in run(TWO_ERRORS).stderr
    assert "\x1b[" in run(TWO_ERRORS, ASAN_OPTIONS="color=always").stderr
    assert "\x1b[" not in run(TWO_ERRORS, ASAN_OPTIONS="color=never").stderr


def test_the_legend_can_be_left_out(run: Run) -> None:
    assert "Shadow byte legend" in run(TWO_ERRORS).stderr
    assert "Shadow byte legend" not in run(TWO_ERRORS, ASAN_OPTIONS="print_legend=0").stderr


def test_the_replay_line_can_be_left_out(run: Run) -> None:
    assert "replay: irsan replay 1-0-O1-at-" in run(TWO_ERRORS).stderr
    assert "replay:" not in run(TWO_ERRORS, IRSAN_OPTIONS="print_replay=0").stderr


def test_compat_style_is_what_strict_parsers_read(run: Run) -> None:
    native = run(TWO_ERRORS, IRSAN_OPTIONS="print_replay=0").stderr
    compat = run(TWO_ERRORS, IRSAN_OPTIONS="print_replay=0:report_style=compat").stderr
    assert "heap-buffer-overflow" in compat
    assert compat != native or "replay" not in native


def test_reports_go_to_a_log_per_process(run: Run, tmp_path: Path) -> None:
    result = run(TWO_ERRORS, ASAN_OPTIONS=f"log_path={tmp_path / 'log'}:log_suffix=.txt")
    (log,) = tmp_path.iterdir()
    assert re.fullmatch(r"log\.\d+\.txt", log.name)
    assert "heap-buffer-overflow" in log.read_text()
    assert result.stderr == ""


def test_logs_can_name_the_program(run: Run, tmp_path: Path) -> None:
    run(TWO_ERRORS, ASAN_OPTIONS=f"log_path={tmp_path / 'log'}:log_exe_name=1")
    (log,) = tmp_path.iterdir()
    assert re.fullmatch(r"log\.p[0-9a-f]+\.c\.\d+", log.name)


def test_a_clean_run_leaves_no_log(run: Run, tmp_path: Path) -> None:
    assert run(ADDRESSES, ASAN_OPTIONS=f"log_path={tmp_path / 'log'}").exit_status == 0
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_cannot_be_made_is_no_loss(run: Run) -> None:
    result = run(TWO_ERRORS, ASAN_OPTIONS="log_path=/proc/none/log")
    assert result.exit_status == 66
    assert result.stderr.startswith("irsan: cannot write reports to /proc/none/log.")
    assert "heap-buffer-overflow" in result.stderr
    strict = run(TWO_ERRORS, ASAN_OPTIONS="log_path=/proc/none/log:log_fallback_to_stderr=0")
    assert strict.exit_status == 2
    assert "cannot write reports to /proc/none/log." in strict.stderr
    assert strict.stderr.count("\n") == 1


def test_the_command_line_is_printed_when_asked(run: Run) -> None:
    assert "Command: " not in run(TWO_ERRORS).stderr
    assert re.search(r"^Command: \S+/p[0-9a-f]+\.c$",
                     run(TWO_ERRORS, ASAN_OPTIONS="print_cmdline=1").stderr, re.M)  # fmt: skip


def test_logs_can_go_to_standard_output(run: Run) -> None:
    result = run(TWO_ERRORS, ASAN_OPTIONS="log_path=stdout")
    assert b"heap-buffer-overflow" in result.stdout
    assert result.stderr == ""


# -- flags about flags ---------------------------------------------------------------------------


def test_help_lists_the_flags_and_the_program_still_runs(run: Run) -> None:
    result = run(ADDRESSES, ASAN_OPTIONS="help=1")
    assert b"quarantine_size_mb" in result.stdout and b"suppress_equal_stacks" in result.stdout
    assert b" be 0\n" in result.stdout
    assert result.exit_status == 0


def test_verbosity_says_which_flags_mean_nothing_here(run: Run) -> None:
    quiet = run(ADDRESSES, ASAN_OPTIONS="uar_noreserve=1")
    assert quiet.stderr == ""
    told = run(ADDRESSES, ASAN_OPTIONS="verbosity=1:uar_noreserve=1")
    assert "irsan: note: ASAN_OPTIONS: uar_noreserve has no meaning here" in told.stderr


def test_every_honoured_flag_is_read_somewhere() -> None:
    """By its name in quotes, as a field of the text style, or in the catalogue of findings."""
    style = {field.name for field in fields(TextStyle)}
    style |= {kind.flag.removesuffix("=0") for kind in KINDS if kind.flag.startswith("report_")}
    texts = [p.read_text() for p in source_files() if p.name not in ("flag_table.py", "app.py")]
    unread = [
        (flag.owner, flag.name)
        for flag in FLAGS
        if flag.status == "honoured" and flag.name not in style
        if not any(f'"{flag.name}"' in text or f"flags.{flag.name}" in text for text in texts)
    ]
    assert unread == []


@pytest.mark.parametrize(
    ("options", "warning"),
    [
        ("halt_on_eror=0", "unknown flag 'halt_on_eror'; did you mean 'halt_on_error'?"),
        ("halt_on_error=maybe", "halt_on_error=maybe"),
        ("suppress_equal_stacks=0", "set it in TSAN_OPTIONS"),
    ],
)
def test_a_wrong_flag_is_a_warning(run: Run, options: str, warning: str) -> None:
    result = run(ADDRESSES, ASAN_OPTIONS=options)
    assert result.stderr.startswith("irsan: warning: ASAN_OPTIONS: ")
    assert warning in result.stderr
    assert result.exit_status == 0


def test_flags_come_from_a_file_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "flags").write_text("exitcode=21\nprint_summary=0\n")
    result = run(TWO_ERRORS, ASAN_OPTIONS=f"include={tmp_path / 'flags'}")
    assert result.exit_status == 21 and "SUMMARY" not in result.stderr
    (tmp_path / "flags").write_bytes(b"\xff\xfe")
    result = run(TWO_ERRORS, ASAN_OPTIONS=f"include={tmp_path / 'flags'}")
    assert "irsan: warning: cannot read flags from" in result.stderr
    assert result.exit_status == 66

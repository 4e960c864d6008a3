"""The guarded pool in whole runs: reports, exit status, flags, forks, threads, and its limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.text_runs import FlagRuns, TextRuns

ALONE = "gwp-asan"
BESIDE = "gwp-asan,address"
USE_AFTER_FREE = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    volatile char *block = malloc(100);
    block[3] = 5;
    free((void *)block);
    printf("%d\\n", block[3]);
    free((void *)block);
    puts("end");
    return 3;
}
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs, ALONE, "GWP_ASAN_OPTIONS", "SampleRate=1")


def test_a_report_has_the_grammar_of_the_field(run: FlagRuns) -> None:
    result = run(USE_AFTER_FREE)
    lines = result.stderr.splitlines()
    assert lines[0] == "*** GWP-ASan detected a memory error ***"
    assert lines[1].startswith("Use After Free at 0x")
    assert "(3 bytes into a 100-byte allocation at 0x" in lines[1]
    assert lines[1].endswith(" by thread 0 here:")
    assert " was deallocated by thread 0 here:" in result.stderr
    assert " was allocated by thread 0 here:" in result.stderr
    assert "*** End GWP-ASan report ***" in lines
    assert result.exit_status == 66
    assert b"end" not in result.stdout
    [finding] = result.findings
    assert (finding["tool"], finding["kind"]) == ("GWP-ASan", "Use After Free")
    assert finding["access"]["operation"] == "read"
    assert {stack["role"] for stack in finding["stacks"]} == {"access", "allocation", "free"}
    assert finding["details"]["size_bytes"] == 100


@pytest.mark.parametrize("sanitize", [ALONE, BESIDE])
def test_recoverable_runs_go_on_and_the_slot_is_silent_from_then_on(
    run: FlagRuns, sanitize: str
) -> None:
    result = run(USE_AFTER_FREE, "SampleRate=1:Recoverable=1", sanitize=sanitize)
    assert [finding["kind"] for finding in result.findings] == ["Use After Free"]
    assert result.stdout == b"5\nend\n"
    assert result.exit_status == 66


def test_exitcode_is_the_field_of_this_tool(run: FlagRuns) -> None:
    assert run(USE_AFTER_FREE, "SampleRate=1:exitcode=7").exit_status == 7
    assert run(USE_AFTER_FREE, "SampleRate=1:exitcode=0:Recoverable=1").exit_status == 3


def test_flags_may_come_with_the_allocators_prefix(run: FlagRuns) -> None:
    text = "quarantine_size_kb=5:GWP_ASAN_SampleRate=1:zero_contents=1"
    result = replace(run, variable="SCUDO_OPTIONS")(USE_AFTER_FREE, text)
    assert [finding["kind"] for finding in result.findings] == ["Use After Free"]
    assert "warning" not in result.stderr


@pytest.mark.parametrize("flags", ["Enabled=0:SampleRate=1", "SampleRate=1000000"])
def test_what_is_not_sampled_is_not_seen(run: FlagRuns, flags: str) -> None:
    text = USE_AFTER_FREE.replace("    free((void *)block);\n    puts", "    puts")
    result = run(text, flags)
    assert (result.findings, result.exit_status) == ([], 3)


@pytest.mark.parametrize("flags", ["SampleRate=0", "MaxSimultaneousAllocations=-1"])
def test_a_pool_that_cannot_be_is_refused_in_one_sentence(run: FlagRuns, flags: str) -> None:
    result = run(USE_AFTER_FREE, flags)
    assert result.exit_status == 2
    assert "expected a number from 1 to" in result.stderr
    assert "Traceback" not in result.stderr


LATER_SLOT_USER = """
#include <stdlib.h>
int main(void) {
    volatile char *stale = malloc(64);
    free((void *)stale);
    volatile char *other = malloc(200);
    other[0] = 1;
    %s
    return stale[1] == 77;
}
"""


def test_a_limit_after_the_slot_was_handed_out_again_nothing_is_seen(run: FlagRuns) -> None:
    """The first case of the method's literature: the page is accessible again, to everybody."""
    flags = "SampleRate=1:MaxSimultaneousAllocations=1"
    result = run(LATER_SLOT_USER % "", flags)
    assert (result.findings, result.exit_status) == ([], 0)


def test_a_limit_after_reuse_the_later_allocation_is_blamed(run: FlagRuns) -> None:
    flags = "SampleRate=1:MaxSimultaneousAllocations=1"
    result = run(LATER_SLOT_USER % "free((void *)other);", flags)
    [finding] = result.findings
    assert finding["kind"] == "Use After Free"
    assert finding["details"]["size_bytes"] == 200  # the stale pointer was to 64 bytes


GAP = """
#include <stdlib.h>
int main(void) {
    volatile char *block = malloc(17);
    block[%d] = 1;
    return 0;
}
"""


def test_a_limit_an_overflow_into_the_alignment_gap_is_not_seen(run: FlagRuns) -> None:
    """The second case: a right-aligned block of 17 bytes ends 15 bytes before its page does."""
    results = [run(GAP % 20, seed=seed) for seed in range(6)]
    assert [result.findings for result in results] == [[]] * 6
    perfect = "SampleRate=1:PerfectlyRightAlign=1"
    seen = [bool(run(GAP % 17, perfect, seed=seed).findings) for seed in range(12)]
    assert any(seen) and not all(seen)  # a left-aligned block has its page behind it
    exact = run(GAP % 20, sanitize=BESIDE)
    assert [finding["kind"] for finding in exact.findings] == ["Buffer Overflow"]


FORK = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    volatile char *block = malloc(4096);
    pid_t child = fork();
    if (child == 0) {
        block[0] = 1;
        free((void *)block);
        block[1] = 1;
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    block[2] = 3;
    free((void *)block);
    return WEXITSTATUS(status);
}
"""


def test_a_child_has_a_pool_of_its_own(run: FlagRuns) -> None:
    result = run(FORK)
    assert result.exit_status == 66
    assert result.stderr.count("Use After Free at") == 1
    assert result.findings == []


THREADS = """
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused) {
    for (int i = 0; i < 300; i++) {
        char *block = malloc(16 + i);
        block[i] = 1;
        free(block);
    }
    return malloc(16);
}
int main(void) {
    pthread_t threads[4];
    void *last = NULL;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], i == 3 ? &last : NULL);
    free(last);
    return *(volatile char *)last;
}
"""


def test_threads_share_the_pool_and_are_told_apart(run: FlagRuns) -> None:
    [finding] = run(THREADS).findings
    assert finding["kind"] == "Use After Free"
    assert finding["details"]["allocated_by"] == 4
    assert finding["details"]["freed_by"] == 0


FREED_READS = """
#include <stdlib.h>
int main(void) {
    for (int i = 0; i < 200; i++) {
        volatile char *block = malloc(64);
        free((void *)block);
        if (block[0] == 3) return i;
    }
    return 0;
}
"""


def test_the_same_seed_gives_the_same_report_and_another_samples_others(run: FlagRuns) -> None:
    reports = [run(FREED_READS, "SampleRate=20", seed=seed).stderr for seed in (1, 1, 2)]
    assert reports[0] == reports[1]
    assert reports[0] != reports[2]


def test_the_replay_line_carries_what_decides_the_sampling(run: FlagRuns) -> None:
    text = run(USE_AFTER_FREE, "SampleRate=1:MaxSimultaneousAllocations=4").stderr
    expected = "replay: GWP_ASAN_OPTIONS=SampleRate=1:MaxSimultaneousAllocations=4 irsan replay "
    assert expected in text


FREED_AND_OUTSIDE = """
#include <stdlib.h>
int main(void) {
    volatile char *block = malloc(4096);
    free((void *)block);
    return block[%s];
}
"""


@pytest.mark.parametrize(
    ("index", "where"), [("4097", "4097 bytes to the right"), ("-3", "3 bytes to the left")]
)
def test_a_use_after_free_outside_of_the_block_says_what_is_doubtful(
    run: FlagRuns, index: str, where: str
) -> None:
    head = run(FREED_AND_OUTSIDE % index).stderr.splitlines()[1]
    assert head.startswith("Use After Free (warning: buffer overflow/underflow detected on a free(")
    assert f"({where} of a 4096-byte allocation at 0x" in head
    inside = run(FREED_AND_OUTSIDE % "7").stderr.splitlines()[1]
    assert inside.startswith("Use After Free at 0x")

"""Limits of memory and reports of its use: mmap_limit_mb, heap_profile, the heap's size."""

from __future__ import annotations

import re

import pytest

from irsan.engine.findings.heap_profile import HeapProfile
from tests.support.text_runs import FlagRuns, TextRuns

GROWS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    for (int i = 0; i < atoi(argv[1]); i++) {
        char *volatile p = malloc(5000000);
        memset(p, 1, 5000000);
    }
    puts("end");
    return 0;
}
"""
DRAINS = """
#include <stdio.h>
#include <stdlib.h>
size_t __sanitizer_get_heap_size(void);
size_t __sanitizer_get_unmapped_bytes(void);
int main(int argc, char **argv) {
    size_t bytes = (size_t)atoi(argv[1]) << 20;
    size_t before = __sanitizer_get_heap_size(), unmapped = __sanitizer_get_unmapped_bytes();
    void *volatile p = malloc(bytes);
    size_t during = __sanitizer_get_heap_size();
    free(p);
    size_t after = __sanitizer_get_heap_size();
    printf("%d %d %d\\n", during - before >= bytes, after < during,
           __sanitizer_get_unmapped_bytes() - unmapped >= bytes);
    return 0;
}
"""
LOWERED = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
int main(void) {
    int limits[] = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK};
    for (int i = 0; i < 3; i++) {
        struct rlimit set = {1 << 16, 1 << 20}, told;
        printf("%d ", setrlimit(limits[i], &set));
        printf("%d %d %d\\n", getrlimit(limits[i], &told), (int)told.rlim_cur, (int)told.rlim_max);
    }
    char *block = malloc(16 << 20);
    volatile char frame[1 << 20];
    memset(block, 1, 16 << 20);
    for (int i = 0; i < 1 << 20; i += 4096) frame[i] = block[i];
    puts("has them");
    free(block);
    return frame[0] - 1;
}
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs)


def test_a_heap_beyond_mmap_limit_ends_the_run(run: FlagRuns) -> None:
    assert run(GROWS, "mmap_limit_mb=100", "10").stdout == b"end\n"
    assert run(GROWS, "", "40").stdout == b"end\n"
    ended = run(GROWS, "mmap_limit_mb=100", "40")
    assert (ended.stdout, ended.exit_status) == (b"", 66)
    (finding,) = ended.findings
    assert finding["kind"] == "mmap-limit-exceeded"
    (used,) = re.findall(r"total_mmaped=(\d+)Mb exceeds mmap_limit_mb=100\n", ended.stderr)
    assert 100 <= int(used) < 120
    assert "allocator_may_return_null" not in ended.stderr


def test_the_hard_limit_says_what_was_used(run: FlagRuns) -> None:
    ended = run(GROWS, "hard_rss_limit_mb=60", "40")
    (used,) = re.findall(r"AddressSanitizer: hard rss limit exhausted \(60Mb vs (\d+)Mb\)",
                         ended.stderr)  # fmt: skip
    assert 60 <= int(used) < 90
    assert "soft_rss" not in ended.stderr and "may_return_null" not in ended.stderr


def test_a_heap_profile_for_each_tenth(run: FlagRuns) -> None:
    text = run(GROWS, "heap_profile=1", "12").stderr
    told = [int(n) for n in re.findall(r"^(\d+) byte\(s\) \(\d+%\) in \d+ allocation", text, re.M)]
    assert told == [5_000_000 * n for n in range(1, 11)] + [5_000_000 * 12]
    assert len(re.findall(r"^HEAP PROFILE at RSS \d+Mb$", text, re.M)) == len(told)
    assert re.search(r"allocation\(s\)\n +#0 \w+ in malloc .*\n +#1 \w+ in main \S+\.c:7", text)
    assert run(GROWS, "", "12").stderr == ""


def test_profiles_are_due_by_growth() -> None:
    ctx = {"heap": {"live_bytes": 1000}}
    profile = HeapProfile(is_wanted=True)
    assert profile.is_due(ctx) and not profile.is_due(ctx)
    ctx["heap"]["live_bytes"] = 1100
    assert not profile.is_due(ctx)
    ctx["heap"]["live_bytes"] = 1101
    assert profile.is_due(ctx)
    assert not HeapProfile(is_wanted=False).is_due(ctx)


@pytest.mark.parametrize(("mib", "words"), [(1, b"1 0 0\n"), (4, b"1 1 1\n")])
def test_a_block_that_the_quarantine_cannot_hold_goes_back_to_the_system(
    run: FlagRuns, mib: int, words: bytes
) -> None:
    result = run(DRAINS, "quarantine_size_mb=2", str(mib))
    assert result.stdout == words


@pytest.mark.parametrize("tools", ["address", "thread"])
def test_limits_of_memory_are_told_and_not_enforced(text_runs: TextRuns, tools: str) -> None:
    result = text_runs(LOWERED, sanitize=tools)
    assert (result.exit_status, result.findings, result.stderr) == (0, [], "")
    assert result.stdout.splitlines() == [b"0 0 65536 1048576"] * 3 + [b"has them"]

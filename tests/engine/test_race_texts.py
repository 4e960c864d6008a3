"""What race reports say of places and threads, in whole runs of the race detector alone."""

from __future__ import annotations

import re

import pytest

from tests.support.text_runs import FlagRuns, TextRuns

HEAD = """
#include <pthread.h>
#include <stdlib.h>
extern "C" {
void *__tsan_external_register_tag(const char *);
void __tsan_external_assign_tag(void *, void *);
}
"""

BLOCK = HEAD + """
static int *block;
static void *make(void *) { return block = (int *)malloc(40); }
static void *write(void *) { block[1] = 7; return nullptr; }
int main(int argc, char **) {
    pthread_t threads[2];
    pthread_create(&threads[0], nullptr, make, nullptr);
    pthread_join(threads[0], nullptr);
    if (argc > 1) __tsan_external_assign_tag(block, __tsan_external_register_tag("Document"));
    pthread_create(&threads[1], nullptr, write, nullptr);
    block[1] = 8;
    pthread_join(threads[1], nullptr);
}
"""

GLOBAL = HEAD + """
namespace outer { struct Inner { static int values[3]; }; int Inner::values[3]; }
static void *write(void *) { outer::Inner::values[1] = 7; return nullptr; }
static void *begin(void *) {
    pthread_t thread;
    pthread_create(&thread, nullptr, write, nullptr);
    outer::Inner::values[1] = 8;
    pthread_join(thread, nullptr);
    return nullptr;
}
int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, begin, nullptr);
    pthread_join(thread, nullptr);
}
"""


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs, "thread", "TSAN_OPTIONS")


def threads_told_of(text: str) -> list[str]:
    return re.findall(r"^  Thread (T\d+) ", text, re.MULTILINE)


def test_the_thread_that_allocated_is_told_of_too(run: FlagRuns) -> None:
    text = run(BLOCK, suffix=".cpp").stderr
    assert "Location is heap block of size 40" in text
    assert threads_told_of(text) == ["T1", "T2"]


def test_a_block_with_a_tag_is_what_the_tag_says(run: FlagRuns) -> None:
    assert "Location is Document of size 40" in run(BLOCK, "", "tagged", suffix=".cpp").stderr


def test_a_global_has_its_namespaces_and_its_place_in_the_program(run: FlagRuns) -> None:
    text = run(GLOBAL, suffix=".cpp").stderr
    place = r"global 'outer::Inner::values' of size 12 at 0x[0-9a-f]+ \(\S+\+0x[0-9a-f]+\)"
    assert re.search(place, text)
    assert threads_told_of(text) == ["T1", "T2"]


def test_ancestors_follow_the_threads_involved(run: FlagRuns) -> None:
    inner = GLOBAL.replace("outer::Inner::values[1] = 8;", "").replace(
        "pthread_create(&thread, nullptr, write, nullptr);",
        "pthread_t other;\n    pthread_create(&other, nullptr, write, nullptr);"
        "pthread_create(&thread, nullptr, write, nullptr);\n    pthread_join(other, nullptr);",
    )
    assert threads_told_of(run(inner, suffix=".cpp").stderr) == ["T2", "T3"]
    text = run(inner, "print_full_thread_history=1", suffix=".cpp").stderr
    assert threads_told_of(text) == ["T2", "T3", "T1"]


def test_a_refused_request_is_quiet_and_null_when_the_flag_asks_for_it(run: FlagRuns) -> None:
    source = """#include <stdlib.h>
    int main(void) { void *volatile p = malloc((size_t)-1); return p != 0; }"""
    result = run(source, "allocator_may_return_null=1")
    assert (result.exit_status, result.stderr) == (0, "")


def test_atomics_and_accesses_can_be_left_alone(run: FlagRuns) -> None:
    source = """
    #include <pthread.h>
    int plain, atomic;
    static void *write(void *p) {
        __atomic_store_n(&atomic, 1, __ATOMIC_RELAXED);
        plain = 1;
        return p;
    }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, 0, write, 0);
        plain = 2;
        *(volatile int *)&atomic = 2;
        pthread_join(thread, 0);
    }"""
    off = "-fno-sanitize-thread"
    counts = [
        run(source, cflags=cflags).stderr.count("WARNING: ThreadSanitizer: data race")
        for cflags in ((), (f"{off}-atomics",), (f"{off}-memory-access",))
    ]
    assert counts == [2, 1, 0]


def test_a_system_call_that_the_program_tells_of_begins_at_the_program(run: FlagRuns) -> None:
    source = """
    #include <pthread.h>
    void __sanitizer_syscall_pre_impl_write(long, long, long);
    static char text[8];
    static void *change(void *p) { text[3] = 1; return p; }
    int main(void) {
        pthread_t thread;
        pthread_create(&thread, 0, change, 0);
        __sanitizer_syscall_pre_impl_write(1, (long)text, 8);
        pthread_join(thread, 0);
    }"""
    text = run(source).stderr
    assert set(re.findall(r"^    #0 (\S+) ", text, re.MULTILINE)) == {
        "main", "change", "pthread_create",
    }  # fmt: skip
    assert "__sanitizer_syscall" not in text

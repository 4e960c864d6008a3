"""A managed heap that is bigger than what is noted of its objects."""

from __future__ import annotations

from irsan.runtime.records.memory import java_records as jr
from tests.support.text_runs import TextRuns

BEHIND = """
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
typedef unsigned long Place;
void __tsan_java_init(Place heap, Place n_bytes), __tsan_java_alloc(Place object, Place n_bytes);
void __tsan_java_free(Place object, Place n_bytes);
void __tsan_java_move(Place from, Place to, Place n_bytes);
Place __tsan_java_find(Place *from, Place to);
int __tsan_java_fini(void);
#define NOTED N_NOTED
#define HEAP (NOTED + (1ul << 20))
static void *work(void *object) {
    *(volatile int *)object = 1;
    return 0;
}
int main(void) {
    char *heap = mmap(0, HEAP, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Place lo = (Place)heap, last = lo + NOTED - 32, behind = lo + NOTED + 64, at = behind;
    __tsan_java_init(lo, HEAP);
    __tsan_java_alloc(last, 32);
    __tsan_java_alloc(behind, 32);
    printf("%lu", __tsan_java_find(&at, lo + HEAP));
    at = last - 800;
    printf(" %lu %d", __tsan_java_find(&at, lo + HEAP), at == last);
    __tsan_java_move(last, behind + 64, 32);
    at = lo + NOTED - 800;
    printf(" %lu\\n", __tsan_java_find(&at, lo + HEAP));
    pthread_t thread;
    pthread_create(&thread, 0, work, (void *)(RACY));
    *(volatile int *)(RACY) = 2;
    pthread_join(thread, 0);
    __tsan_java_free(behind, 32);
    return __tsan_java_fini();
}
""".replace("N_NOTED", f"{jr.MAX_HEAP_BYTES}ul")


def test_objects_behind_what_is_noted_are_not_described_but_raced_on(text_runs: TextRuns) -> None:
    result = text_runs(BEHIND.replace("RACY", "behind"), sanitize="thread")
    assert (result.exit_status, result.stdout) == (66, b"0 32 1 32\n")
    (finding,) = result.findings
    assert finding["kind"] == "data race"
    assert "heap block" not in result.stderr
    result = text_runs(BEHIND.replace("RACY", "last"), sanitize="thread")
    assert [one["kind"] for one in result.findings] == ["data race"]
    assert "heap block of size 32" in result.stderr

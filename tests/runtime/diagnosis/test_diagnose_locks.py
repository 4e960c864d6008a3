"""What a report says of a lock that was destroyed: where it was made and where it ended."""

from __future__ import annotations

from tests.support.text_runs import TextRuns

USES_DESTROYED = """
#include <pthread.h>
static pthread_mutex_t mutex;
static void make(void) { pthread_mutex_init(&mutex, 0); }
static void end(void) { pthread_mutex_destroy(&mutex); }
int main(void) {
    make();
    end();
    make();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    end();
    return pthread_mutex_lock(&mutex) == 0;
}
"""


def test_a_destroyed_mutex_is_told_with_its_creation_and_its_end(text_runs: TextRuns) -> None:
    (finding,) = text_runs(USES_DESTROYED).findings
    assert finding["kind"].startswith("use of an invalid mutex")
    stacks = {
        stack["role"]: [(frame["function"], frame["line"]) for frame in stack["frames"][1:]]
        for stack in finding["stacks"]
    }
    assert stacks["access"] == [("main", 13)]
    assert stacks["previous"] == [("end", 5), ("main", 12)]
    assert stacks["mutex-creation"] == [("make", 4), ("main", 9)]
    assert [mutex["destroyed"] for mutex in finding["mutexes"]] == [True]

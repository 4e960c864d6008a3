"""Where a thread began to ignore accesses: reported when it ends, as many places as are noted."""

from __future__ import annotations

import pytest

from irsan.runtime.layout.thread_words import MAX_IGNORES
from tests.support.text_runs import TextRuns

HEAD = """
#include <pthread.h>
void AnnotateIgnoreReadsBegin(const char *, int), AnnotateIgnoreReadsEnd(const char *, int);
static void *work(void *unused) {
"""
TAIL = """
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return pthread_join(thread, 0);
}
"""


@pytest.mark.parametrize("n_places", [MAX_IGNORES, MAX_IGNORES + 1, MAX_IGNORES + 9])
def test_further_places_are_not_shown(text_runs: TextRuns, n_places: int) -> None:
    begins = "\n".join(["    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);"] * n_places)
    result = text_runs(HEAD + begins + TAIL, sanitize="thread")
    (finding,) = result.findings
    shown = [stack for stack in finding["stacks"] if stack["role"] == "access"]
    assert len(shown) == MAX_IGNORES


def test_as_many_ends_as_begins_are_no_bug(text_runs: TextRuns) -> None:
    n_places = MAX_IGNORES + 9
    begins = "\n".join(["    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);"] * n_places)
    ends = "\n".join(["    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);"] * n_places)
    result = text_runs(HEAD + begins + "\n" + ends + TAIL, sanitize="thread")
    assert (result.exit_status, result.findings) == (0, [])

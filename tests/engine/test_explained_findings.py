"""What a run keeps for those who want to understand a finding: timelines, fields by name."""

from __future__ import annotations

from pathlib import Path

from irsan.reports.derived.life import life_of
from irsan.reports.derived.ordering import event_words
from irsan.reports.formats.json_report import object_to_report
from irsan.reports.model.report import Finding, HeapRegion
from tests.support.text_runs import TextRuns

DEADLOCK = Path(__file__).resolve().parents[1] / "programs" / "race" / "deadlock.c"
SIGNALLED = """
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static struct { int other; volatile int hits; } shared;
static void handler(int number) { (void)number; shared.hits++; }
static void *work(void *unused) {
    for (int i = 0; i < 50; i++) usleep(10);
    return unused;
}
int main(void) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR1);
    for (int i = 0; i < 10; i++) usleep(10);
    shared.hits++;
    pthread_join(thread, 0);
    return 0;
}
"""
FREED = """
#include <stdlib.h>
struct node { int key; struct { short x, y; } at; volatile char text[8]; };
int main(void) {
    struct node *one = calloc(1, sizeof *one);
    free(one);
    return one->text[3];
}
"""
OVERFLOW = """
struct node { int key; struct { short x, y; } at; volatile char text[8]; };
int main(int argc, char **argv) {
    struct node local[2] = {{argc}};
    (void)argv;
    return local[1].text[argc * 8 + local[0].at.y];
}
"""
UNINITIALISED = """
#include <stdlib.h>
struct node { int key, value; };
__attribute__((noinline)) static int is_second(struct node *all) {
    return all[1].value ? 3 : 4;
}
int main(void) {
    struct node *all = malloc(3 * sizeof *all);
    all[0].key = 1;
    return is_second(all);
}
"""
QUEUE = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int *queue;
static void *work(void *unused) {
    int *mine = 0;
    while (!mine) {
        usleep(10);
        pthread_mutex_lock(&guard);
        mine = queue;
        pthread_mutex_unlock(&guard);
    }
    usleep(1000);
    *mine = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int *block = malloc(sizeof *block);
    pthread_mutex_lock(&guard);
    queue = block;
    pthread_mutex_unlock(&guard);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
"""


def first(runs: TextRuns, text: str, sanitize: str = "") -> Finding:
    result = runs(text, sanitize=sanitize)
    assert result.report is not None, result.stderr
    return object_to_report(result.report).findings[0]


def test_signals_stand_in_the_timeline(text_runs: TextRuns) -> None:
    finding = first(text_runs, SIGNALLED)
    assert finding.kind == "data race" and finding.timeline is not None
    told = {event_words(event): event for event in finding.timeline.events}
    begin, end = told["handler of SIGUSR1 begins"], told["handler of SIGUSR1 ends"]
    assert told["send SIGUSR1 to T1"].thread == "T0" and begin.thread == "T1"
    learned = {(edge.before, edge.after) for edge in finding.timeline.edges}
    assert (told["handler of SIGUSR1 set"].order, begin.order) in learned
    assert finding.timeline.previous == end.order  # the access was made inside
    assert begin.frame is not None and begin.frame.function == "work"


def test_a_deadlock_tells_what_led_to_it(text_runs: TextRuns) -> None:
    result = text_runs(DEADLOCK.read_text())
    assert result.report is not None
    finding = object_to_report(result.report).findings[-1]
    assert finding.kind == "deadlock" and finding.timeline is not None
    words = [(event.thread, event_words(event)) for event in finding.timeline.events]
    assert ("T1", "lock a") in words and ("T2", "lock b") in words


def test_fields_of_a_block_are_those_of_the_access(text_runs: TextRuns) -> None:
    finding = first(text_runs, FREED)
    assert finding.kind == "heap-use-after-free" and finding.memory is not None
    assert finding.access is not None
    base = finding.access.address - 11
    assert [(f.name, f.address - base, f.size_bytes) for f in finding.memory.fields] == [
        ("node.key", 0, 4), ("node.at.x", 4, 2), ("node.at.y", 6, 2), ("node.text[8]", 8, 8),
    ]  # fmt: skip


def test_an_uninitialised_value_has_its_block_and_its_elements(text_runs: TextRuns) -> None:
    finding = first(text_runs, UNINITIALISED, "memory")
    assert finding.memory is not None
    (block,) = finding.locations
    assert isinstance(block, HeapRegion) and block.distance_bytes == 12
    assert [field.name for field in finding.memory.fields] == [
        f"node[{i}].{name}" for i in range(3) for name in ("key", "value")
    ]


def test_the_life_of_a_block_that_goes_through_a_queue(text_runs: TextRuns) -> None:
    told = life_of(first(text_runs, QUEUE), "")
    assert [step.words for step in told] == [
        "Allocated by main thread",
        "Passed on by main thread: unlock guard",
        "Taken by thread T1: lock guard",
        "Freed by main thread",
        "Write by thread T1",
    ]
    assert all(step.place and step.place.line for step in told)


def test_fields_of_variables_have_their_names(text_runs: TextRuns) -> None:
    finding = first(text_runs, OVERFLOW)
    assert finding.kind == "stack-buffer-overflow" and finding.memory is not None
    names = [field.name for field in finding.memory.fields]
    assert {"local[0].text[8]", "local[1].key", "local[1].at.y"} <= set(names)

"""What a report calls threads of OpenMP: which thread of which region, or a task.

    Thread T2 'parallel region of main, thread 1 of 4' (tid=2, running) created by main thread at:
    Thread T7 'task of solve' (tid=7, finished) created by thread T2 at:

The function is that of the creation stack's innermost frame; what clang makes of a region or a task
counts as part of the function around it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from irsan.reports.model.names import demangled
from irsan.reports.model.report import Finding, ThreadFacts
from irsan.runtime.records.threads.openmp_records import IS_TASK, label_of

_MADE_BY_CLANG: Final = re.compile(r"\.omp_?(?:outlined|task_entry|task_dup|par).*")


def with_region_names(finding: Finding) -> Finding:
    """The finding; its threads that OpenMP has made have names."""
    named = tuple(_named(finding, facts) for facts in finding.threads)
    return finding if named == finding.threads else replace(finding, threads=named)


def _named(finding: Finding, facts: ThreadFacts) -> ThreadFacts:
    number = facts.thread[1:]
    label = label_of(int(number)) if number.isdigit() and not facts.name else None
    if label is None:
        return facts
    function = _function(finding, facts.thread)
    place = f" of {function}" if function else ""
    if label[1] == IS_TASK:
        return replace(facts, name=f"task{place}")
    return replace(facts, name=f"parallel region{place}, thread {label[0]} of {label[1]}")


def _function(finding: Finding, thread: str) -> str:
    """The function in whose text the region or the task stands; "" when no frame says it."""
    for stack in finding.stacks:
        if stack.role == "thread-creation" and stack.thread == thread:
            names = (_MADE_BY_CLANG.sub("", frame.function) for frame in stack.frames)
            return next((demangled(name) for name in names if name), "")
    return ""

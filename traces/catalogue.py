"""The analyses by name. Each one's kernels are imported, and compiled, when it is asked for."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from irsan.traces.analyses.analysis import Analysis

CLOCKS = ("vector", "tree")


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an analysis is, and whether it can use tree clocks."""

    module: str
    class_name: str
    has_trees: bool


ENTRIES = {
    "hb": Entry("irsan.traces.analyses.happens_before", "HappensBefore", True),
    "shb": Entry("irsan.traces.analyses.schedulable", "SchedulableHappensBefore", True),
    "maz": Entry("irsan.traces.analyses.mazurkiewicz", "Mazurkiewicz", True),
    "fasttrack": Entry("irsan.traces.analyses.happens_before", "FastTrack", True),
    "wcp": Entry("irsan.traces.analyses.weak_causal", "WeakCausallyPrecedes", False),
    "syncp": Entry("irsan.traces.analyses.sync_preserving", "SyncPreserving", False),
    "lockset": Entry("irsan.traces.analyses.lockset", "Lockset", False),
}


def make_analysis(name: str, clock: str) -> Analysis:
    """A fresh analysis; `clock` counts where the analysis has a choice. KeyError: none such."""
    entry = ENTRIES[name]
    module = importlib.import_module(entry.module)
    made = getattr(module, entry.class_name)
    analysis = made(is_tree=clock == "tree") if entry.has_trees else made()
    assert isinstance(analysis, Analysis)
    return analysis

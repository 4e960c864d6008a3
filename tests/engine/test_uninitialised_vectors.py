"""Vectors that IR moves lane by lane: what was never set is reported, what is off or set is not.

Each function of uninitialised_vectors.ll is run on both engines.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.ir_cases import whole_text
from tests.support.text_runs import TextRuns

FILE = Path(__file__).with_name("uninitialised_vectors.ll")
FUNCTIONS = re.findall(
    r"^define void @(\w+)\(ptr %block, i64 %far\)", FILE.read_text(), re.MULTILINE
)
USED_THERE = ("addresses", "mask_of_store")


TEXT = whole_text(FILE.read_text(), FUNCTIONS)


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_kind(text_runs: TextRuns, name: str, engine: str) -> None:
    number = str(FUNCTIONS.index(name))
    near = text_runs(TEXT, number, suffix=".ll", sanitize="memory", engine=engine)
    assert near.findings == [] and near.exit_status == 0, near.stderr
    far = text_runs(TEXT, number, "far", suffix=".ll", sanitize="memory", engine=engine)
    assert [one["kind"] for one in far.findings] == ["use-of-uninitialized-value"], far.stderr
    assert "created by a heap allocation" in far.stderr
    frames = far.findings[0]["stacks"][0]["frames"]
    assert frames[0]["function"] == (name if name in USED_THERE else "use")

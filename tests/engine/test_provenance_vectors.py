"""Pointers in vectors and structures of IR: far accesses are reported, those in the block are not.

Each function of provenance_vectors.ll is run on both engines.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.ir_cases import whole_text
from tests.support.text_runs import TextRuns

FILE = Path(__file__).with_name("provenance_vectors.ll")
FUNCTIONS = re.findall(r"^define void @(\w+)\(", FILE.read_text(), re.MULTILINE)
IN_ANOTHER = {"structure": "of_structure"}


TEXT = whole_text(FILE.read_text(), FUNCTIONS)


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_access(text_runs: TextRuns, name: str, engine: str) -> None:
    number = str(FUNCTIONS.index(name))
    near = text_runs(TEXT, number, suffix=".ll", sanitize="provenance", engine=engine)
    assert near.findings == [] and near.exit_status == 0, near.stderr
    far = text_runs(
        TEXT, number, "far", suffix=".ll", sanitize="provenance", engine=engine
    )
    assert [one["kind"] for one in far.findings] == ["access-outside-provenance"], far.stderr
    frame = far.findings[0]["stacks"][0]["frames"][0]
    assert frame["function"] == IN_ANOTHER.get(name, name)

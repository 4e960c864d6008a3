"""Undefined behaviour that IR shows: a function for each rule, in undefined_rules.ll."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.text_runs import FlagRuns, TextRuns

FILE = Path(__file__).with_name("undefined_rules.ll")
FUNCTION = re.compile(r"^define (?:nonnull noundef )?(\w+) @((\w+?)__\w+)\(", re.MULTILINE)
FUNCTIONS = FUNCTION.findall(FILE.read_text())
CRASHES = {
    "null_pointer_use__store": "SEGV",
    "integer_divide_by_zero__urem": "FPE",
    "integer_divide_by_zero__vector_stored": "FPE",
    "integer_divide_by_zero__wide": "FPE",
}


def whole_text() -> str:
    """The program: its first argument is the number of the function to call."""
    cases, blocks = [], []
    for number, (kind, name, _) in enumerate(FUNCTIONS):
        cases.append(f"i32 {number}, label %case{number}")
        blocks += [f"case{number}:", f"  %result{number} = call {kind} @{name}(i32 2)"]
        blocks.append("  br label %end")
    text = FILE.read_text().replace("CASES", " ".join(cases))
    return text.replace("BLOCKS", "\n".join(blocks))


@pytest.fixture
def run(text_runs: TextRuns) -> FlagRuns:
    return FlagRuns(text_runs, "undefined", "UBSAN_OPTIONS")


@pytest.mark.parametrize("number", range(len(FUNCTIONS)), ids=[name for _, name, _ in FUNCTIONS])
def test_each_rule(run: FlagRuns, number: int) -> None:
    _, name, kind = FUNCTIONS[number]
    result = run(whole_text(), "", str(number), suffix=".ll")
    wanted = [] if kind == "ok" else [kind.replace("_", "-"), *filter(None, [CRASHES.get(name)])]
    assert [finding["kind"] for finding in result.findings] == wanted, result.stderr
    for finding in result.findings:
        assert finding["stacks"][0]["frames"][0]["function"] == name
    if wanted:
        assert result.stderr.startswith(f"<unknown> in {name}: runtime error: ")


def test_there_are_programs_for_all() -> None:
    kinds = [kind for _, _, kind in FUNCTIONS]
    assert kinds.count("ok") > 10
    assert len(set(kinds)) == 17


@pytest.mark.parametrize("sanitize", ["address", "address,leak"])
def test_nothing_is_checked_unless_asked_for(run: FlagRuns, sanitize: str) -> None:
    assert run(whole_text(), "", "0", suffix=".ll", sanitize=sanitize).findings == []


def test_it_goes_with_the_other_sanitizers(run: FlagRuns) -> None:
    everything = "address,thread,leak,undefined"
    (finding,) = run(whole_text(), "", "0", suffix=".ll", sanitize=everything).findings
    assert finding["details"]["message"] == (
        "signed integer overflow: 2 + 2147483647 cannot be represented in type 'i32'"
    )

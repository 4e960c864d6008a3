"""Sizes, indices and addresses as integers of 128 bits: legal IR, though no front end makes it."""

from __future__ import annotations

import pytest

from tests.support.text_runs import TextRuns

TEXT = """
@table = global [4 x i32] [i32 7, i32 8, i32 9, i32 10]
@kept = global i128 0

define i32 @main(i32 %argc, ptr %argv) {
  store ptr @table, ptr @kept
  %address = load i128, ptr @kept
  %table = inttoptr i128 %address to ptr
  %one = sext i32 %argc to i128
  %room = alloca i32, i128 %one
  store i32 1, ptr %room
  %second = getelementptr i32, ptr %table, i128 %one
  %value = load i32, ptr %second
  %there = ptrtoint ptr %second to i128
  %distance = sub i128 %there, %address
  %mine = load i32, ptr %room
  %wide = zext i32 %mine to i128
  %sum = add i128 %distance, %wide
  switch i128 %sum, label %bad [ i128 5, label %good i128 18446744073709551621, label %bad ]
good:
  %status = sub i32 %value, 8
  ret i32 %status
bad:
  ret i32 3
}
"""


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize("sanitize", ["", "memory", "undefined", "provenance"])
def test_runs_under_every_sanitizer(text_runs: TextRuns, engine: str, sanitize: str) -> None:
    result = text_runs(TEXT, suffix=".ll", engine=engine, sanitize=sanitize)
    assert result.exit_status == 0 and result.findings == [], result.stderr

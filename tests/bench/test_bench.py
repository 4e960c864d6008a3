"""The benchmarks work: every program has sizes, tables are right, one program runs everywhere.

No time is asserted: these machines are shared.
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("tables")


@pytest.fixture
def programs_list(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("programs_list")


def cell(tables: Any, program: str, tool: str, work_s: float, size: str = "default") -> Any:
    return tables.Cell(program, tool, size, work_s + 0.1, work_s, work_s + 0.2, 0.0, "same")


def results(tables: Any, cells: list[Any]) -> Any:
    return tables.Results("clang", "default", 1, {"native": 0.001}, cells, [])


def test_every_program_names_its_sizes(programs_list: Any) -> None:
    found = programs_list.find_programs(())
    assert len(found) >= 13
    for program in found:
        assert program.sizes["smoke"] <= program.sizes["medium"] <= program.sizes["default"]


def test_programs_of_four_threads_take_another_number(programs_list: Any, tmp_path: Path) -> None:
    found = [one for one in programs_list.find_programs(()) if programs_list.has_threads(one)]
    assert {"mutex_counter", "parallel_matrix"} <= {one.name for one in found}
    for program in found:
        other = programs_list.with_threads(program, 8, tmp_path)
        assert other.name == f"{program.name}-8" and other.sizes == program.sizes
        assert other.path.read_text() == "#define THREADS 8\n" + program.path.read_text()


def test_an_unknown_program_is_named(programs_list: Any) -> None:
    with pytest.raises(ValueError, match="no benchmark is called nothing"):
        programs_list.find_programs(("nothing",))


def test_means_are_geometric_and_of_equal_sizes(tables: Any) -> None:
    cells = [
        cell(tables, "a", "native", 1.0),
        cell(tables, "a", "native", 0.1, "medium"),
        cell(tables, "a", "tsan", 8.0),
        cell(tables, "a", "memcheck", 3.0, "medium"),
        cell(tables, "b", "native", 1.0),
        cell(tables, "b", "tsan", 2.0),
    ]
    made = results(tables, cells)
    assert made.mean("tsan") == pytest.approx(4.0)
    assert made.ratio("a", "memcheck") == pytest.approx(30.0)
    assert made.ratio("b", "memcheck") is None


def test_the_budget_compares_slowdowns(tables: Any) -> None:
    cells = [
        cell(tables, "a", "native", 1.0),
        cell(tables, "a", "tsan", 8.0),
        cell(tables, "a", "irsan-thread", 4.1),
        cell(tables, "a", "irsan-all", 7.9),
    ]
    thread, both = tables.verdicts(results(tables, cells))
    assert (thread.holds, both.holds) == (False, True)
    assert "MISSED" in tables.to_markdown(results(tables, cells))
    assert tables.to_json(results(tables, cells))["budget"][0]["holds"] is False


def test_smoke(tmp_path: Path) -> None:
    if not any(map(shutil.which, ("clang", "clang-19", "clang-18"))):
        pytest.importorskip("ziglang")
    words = ("--sizes", "smoke", "--runs", "1", "--only", "sieve", "--tools", "native,irsan-all")
    done = subprocess.run(
        [sys.executable, str(BENCH / "run.py"), *words, "--output", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    stored = json.loads((tmp_path / "smoke.json").read_text())
    assert stored["problems"] == []
    assert set(stored["ratios"]["sieve"]) == {"irsan-all"}
    assert {row["output"] for row in stored["cells"]} == {"sieve 1 348513 4999999"}
